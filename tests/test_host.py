# SPDX-License-Identifier: GPL-2.0-or-later
"""test_host.py - the host that tasks run on: check-host, where tasks may go, CPUs that go away."""
import csv
import io
import json
import os
import pathlib
import signal
import subprocess
import uuid

import pytest
import wib
from wib import CPUS, MODE, MODES, QUICK, SLOW, Program, needs_root, needs_two_cpus, parse, run

SOURCES = {"governor", "turbo", "smt", "sleep_states", "hypervisor", "clock_source", "load",
           "steal", "huge_pages", "address_randomisation", "isolated_cpus", "quota", "cpuset",
           "irqbalance", "numa_balancing", "overcommit"}


def test_check_host_as_csv(tmp_path):
    result = run(tmp_path, "check-host", "--format=csv", f"--cpus={CPUS[0]}")
    assert result.code in (0, 1) and result.err == "", result
    found = list(csv.DictReader(io.StringIO(result.out)))
    checks = {row["name"]: row for row in found if row["what"] == "check"}
    assert set(checks) == SOURCES | {"jitter"}
    assert all(row["value"] for row in checks.values())
    assert all(bool(row["advice"]) == (row["level"] != "fine") for row in checks.values())
    cpu, = [row for row in found if row["what"] == "cpu"]
    assert int(cpu["name"]) == CPUS[0] and 0 <= float(cpu["lost_pct"]) <= 100
    verdict, = [row for row in found if row["what"] == "verdict"]
    noisy = [name for name, row in checks.items() if row["level"] == "noise"]
    assert verdict["name"] == ("noisy" if noisy else "quiet")
    assert result.code == bool(noisy) and all(name in verdict["value"] for name in noisy)
    assert list(tmp_path.iterdir()) == []


def test_check_host_as_json_and_text(tmp_path):
    result = run(tmp_path, "check-host", "--format=json")
    data = json.loads(result.out)
    assert [entry["cpu"] for entry in data["cpus"]] == CPUS
    assert {entry["name"] for entry in data["checks"]} == SOURCES | {"jitter"}
    assert data["verdict"] == ("noisy" if result.code else "quiet")
    result = run(tmp_path, "check-host")
    assert result.out.count("\nVerdict: ") == 1 and result.code in (0, 1), result


def test_check_host_is_of_this_host(tmp_path):
    result = run(tmp_path, "check-host", "--machine=synthetic:pu:2")
    assert result.code == 2 and "this host only" in result.err, result


def test_check_host_interrupted(tmp_path):
    with Program(tmp_path, "check-host") as program:
        program.wait_for(lambda: len(os.listdir(f"/proc/{program.pid}/task")) > 1)
        program.process.send_signal(signal.SIGINT)
        result = program.end(10)
    assert result.code == 130 and "Verdict" not in result.out, result


def test_findings_are_in_each_file(tmp_path):
    header = dict(wib.header(run(tmp_path, "null1", *QUICK, "-o", "-").out))
    assert SOURCES <= set(header) and all(header[name] for name in SOURCES)


def cpus_of_workers(program):
    return {cpu for pid, _ in program.workers() for thread in os.listdir(f"/proc/{pid}/task")
            for cpu in os.sched_getaffinity(int(thread))}


@needs_two_cpus
@pytest.mark.parametrize("mode", MODES)
def test_taskset(tmp_path, mode):
    """Tasks go where this process may, also more of them than it has CPUs."""
    allowed = CPUS[-1]
    args = ("null1", f"--mode={mode}", "--tasks=3", "--duration=400ms", "--warmup=0s", "-o", "-")
    with Program(tmp_path, *args, prefix=["taskset", "-c", str(allowed)]) as program:
        program.wait_for_workers(3 if mode == "process" else 1, 0.1)
        assert cpus_of_workers(program) == {allowed}
        result = program.end()
    assert parse(result.out)[0]["status"] == "ok", result
    refused = run(tmp_path, "null1", *QUICK, f"--cpus={CPUS[0]}",
                  prefix=["taskset", "-c", str(allowed)])
    assert refused.code == 2 and f"CPU {CPUS[0]} may not be used" in refused.err


@pytest.fixture
def cpuset():
    """A cgroup with the last CPU alone: its file of processes. v1 or v2, where that is ours."""
    name = f"wib-{uuid.uuid4().hex[:8]}"
    v1 = pathlib.Path("/sys/fs/cgroup/cpuset")
    parent = v1 if (v1 / "cpuset.cpus").exists() else pathlib.Path("/sys/fs/cgroup")
    group = parent / name
    made = False
    try:
        group.mkdir()
        made = True
        (group / "cpuset.cpus").write_text(str(CPUS[-1]))
        (group / "cpuset.mems").write_text("0")
    except OSError as error:
        if made:
            group.rmdir()
        pytest.skip(f"no cpuset may be made here: {error}")
    yield group
    group.rmdir()


@needs_root
@needs_two_cpus
@pytest.mark.parametrize("mode", MODES)
def test_cpuset(tmp_path, mode, cpuset):
    args = ("null1", f"--mode={mode}", "--tasks=all", "--duration=400ms", "--warmup=0s", "-o", "-")
    enter = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', str(cpuset / "cgroup.procs")]
    with Program(tmp_path, *args, prefix=enter) as program:
        program.wait_for_workers(1, 0.1)
        assert cpus_of_workers(program) == {CPUS[-1]}
        result = program.end()
    row, = parse(result.out)
    assert row["status"] == "ok" and row["tasks"] == "1", result
    assert dict(wib.header(result.out))["cpuset"].startswith("1 of ")


def online_file_can_be_faked():
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False
                          ).returncode == 0


@needs_root
@needs_two_cpus
@pytest.mark.parametrize("mode", MODES)
def test_a_cpu_goes_offline(tmp_path, mode):
    """In a mount namespace with a list of our own, and the task moved as the kernel would."""
    if not online_file_can_be_faked():
        pytest.skip("no mount namespace may be made here")
    online = tmp_path / "online"
    online.write_text(f"0-{max(CPUS)}\n")
    hide = ["unshare", "-m", "sh", "-c",
            f'mount --bind {online} /sys/devices/system/cpu/online && exec "$0" "$@"']
    gone = CPUS[-1]
    args = ("null1", "--batch=1,2", "--tasks=1", f"--mode={mode}", f"--cpus={gone}",
            "--duration=500ms", "--warmup=0s", "-o", "-")
    with Program(tmp_path, *args, prefix=hide) as program:
        # Until then a child is the mount program.
        program.wait_for(lambda: os.path.samefile(f"/proc/{program.pid}/exe", wib.RUNTEST))
        worker, = program.wait_for_workers(1, 0.1)
        online.write_text(f"0-{gone - 1}\n")
        for thread in os.listdir(f"/proc/{worker}/task"):
            os.sched_setaffinity(int(thread), CPUS)
        program.wait_for(lambda: worker not in dict(program.workers()))
        online.write_text(f"0-{gone}\n")
        result = program.end()
    bad, good = parse(result.out)
    assert result.code == 1 and good["status"] == "ok", result
    assert bad["status"] == "failed" and bad["ops"] == ""
    assert bad["reason"] == f"CPU {gone} went offline while task 0 ran on it"


@needs_two_cpus
def test_a_task_that_is_moved(tmp_path):
    args = ("null1", "--batch=1,2", "--tasks=1", f"--mode={MODE}", f"--duration={300 * SLOW}ms",
            "--warmup=0s", "-o", "-")
    with Program(tmp_path, *args) as program:
        worker, = program.wait_for_workers(1, 0.1)
        for thread in os.listdir(f"/proc/{worker}/task"):
            os.sched_setaffinity(int(thread), CPUS)
        result = program.end()
    bad, good = parse(result.out)
    assert bad["status"] == "failed" and "no longer bound" in bad["reason"], bad
    assert good["status"] == "ok" and result.code == 1


@pytest.mark.skipif(CPUS != [0, 1], reason="the made-up machine is of CPU 0 and 1")
def test_hybrid_cpus(tmp_path):
    """A topology of two kinds that hwloc takes for this machine's: the fast one first."""
    env = {"HWLOC_XMLFILE": str(wib.ROOT / "tests/topologies/hybrid2.xml"), "HWLOC_THISSYSTEM": "1"}
    one, two = sorted(wib.rows(tmp_path, "null1", "--tasks=1,2", env=env),
                      key=lambda row: int(row["tasks"]))
    assert (one["cpu_kinds"], two["cpu_kinds"]) == ("kind1:1", "kind1:1;kind0:1")
    with Program(tmp_path, "null1", "--tasks=1", f"--mode={MODE}", "--duration=300ms", "-o", "-",
                 env=env) as program:
        program.wait_for_workers(1, 0.1)
        assert cpus_of_workers(program) == {1}
    row, = wib.rows(tmp_path, "null1")
    assert row["cpu_kinds"] == ""


@pytest.mark.skipif(CPUS != [0, 1], reason="the made-up machine is of CPU 0 and 1")
def test_a_host_without_cores_has_pus(tmp_path):
    """As hwloc has it where the kernel tells of no cores (fault 24 of will-it-scale)."""
    env = {"HWLOC_SYNTHETIC": "pu:2", "HWLOC_THISSYSTEM": "1"}
    found = wib.rows(tmp_path, "null1", "--tasks=1,2", env=env)
    assert [row["status"] for row in found] == ["ok", "ok"]


def test_another_machine_in_the_place_of_this_host_is_told(tmp_path):
    result = run(tmp_path, "null1", "--tasks=1", env={"HWLOC_SYNTHETIC": "core:2 pu:2"})
    assert result.code == 2 and result.err.count("\n") == 1, result
    assert "HWLOC_SYNTHETIC" in result.err and "unset" in result.err


@wib.needs_plain
def test_too_few_addresses(tmp_path):
    """Told before the first point of the plan, and nothing is written."""
    result = run(tmp_path, "mmap1", "--mode=thread", "--tasks=1,64", "--size=1T",
                 prefix=["sh", "-c", 'ulimit -v 33554432; exec "$0" "$@"'])
    assert result.code == 2 and result.err.count("\n") == 1, result
    assert "64 tasks need 64.0 TiB of addresses" in result.err and "GiB are left" in result.err
    assert list(tmp_path.iterdir()) == []
