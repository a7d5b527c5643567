# SPDX-License-Identifier: GPL-2.0-or-later
"""test_knobs.py - the running kernel's own knobs: set for a run, in its rows, and put back.

Where this may be written it is tried on this kernel, with values that harm nobody; NEVER with
nearly no limit is only ever refused. test_knobs.c has the rest, on a made-up /proc/sys.
"""
import os
import pathlib
import signal
import subprocess
import time

import pytest
import wib
from wib import MODE, QUICK, SLOW, Program, needs_root, params, parse, run

VM = pathlib.Path("/proc/sys/vm")
POLICY, NUMA_STAT = VM / "overcommit_memory", VM / "numa_stat"
LOCK = pathlib.Path("/run/will-it-batch.knobs")

needs_knobs = pytest.mark.skipif(
    os.geteuid() != 0 or not os.access(POLICY, os.W_OK) or not os.access(LOCK.parent, os.W_OK)
    or POLICY.read_text().strip() != "0", reason="the kernel's knobs may not be set here")
needs_numa_stat = pytest.mark.skipif(not NUMA_STAT.exists(), reason="no vm.numa_stat")


def policy():
    return POLICY.read_text().strip()


def until(what, seconds):
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.005)
    assert what()


@pytest.fixture(autouse=True)
def put_back():
    """Whatever a test that fails has left."""
    before = {file: file.read_text() for file in (POLICY, NUMA_STAT) if file.exists()}
    yield
    for file, text in before.items():
        if file.read_text() != text:
            file.write_text(text)


@needs_knobs
def test_a_plan_over_policies(tmp_path):
    found = wib.rows(tmp_path, "brk1", "--mode=process", "--kernel-policy=guess,always",
                     "--kernel-numa-stat=1")
    assert {params(row)["kernel_policy"] for row in found} == {"guess", "always"}
    assert {params(row)["kernel_numa_stat"] for row in found} == {"1"}
    assert all(row["status"] == "ok" and row["speedup"] == "1.0000" for row in found)
    assert policy() == "0" and not LOCK.exists()


@needs_knobs
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_put_back_after(tmp_path, number):
    args = ("null1", f"--mode={MODE}", "--tasks=2", "--duration=20s", "--kernel-policy=always",
            "-o", "-")
    with Program(tmp_path, *args, group=True) as program:
        program.wait_for(lambda: policy() == "1")
        program.wait_for_workers(1, 0.1)
        os.killpg(program.pid, number)
        until(lambda: policy() == "0" and not LOCK.exists(), 1 * SLOW)
        program.end()
        until(lambda: program.alive() == [], 1 * SLOW)


@needs_knobs
def test_put_back_after_a_crash(tmp_path):
    args = ("null1", f"--mode={MODE}", "--duration=20s", "--kernel-policy=always", "-o", "-")
    with Program(tmp_path, *args) as program:
        program.wait_for(lambda: policy() == "1")
        program.process.send_signal(signal.SIGSEGV)
        until(lambda: policy() == "0", 5 * SLOW)


@needs_knobs
def test_two_runs_with_different_wishes(tmp_path):
    args = ("null1", f"--mode={MODE}", "--duration=20s", "--kernel-policy=always", "-o", "-")
    with Program(tmp_path, *args) as program:
        program.wait_for(lambda: policy() == "1")
        other = run(tmp_path, "null1", *QUICK, "--kernel-policy=guess", "-o", "rows.csv")
        assert other.code == 2 and other.err.count("\n") == 1, other
        assert f"process {program.pid}" in other.err and "--kernel-policy=always" in other.err
        assert not (tmp_path / "rows.csv").exists() and policy() == "1"
        same = wib.rows(tmp_path, "null1", "--kernel-policy=always")
        assert same[0]["status"] == "ok" and policy() == "1"
        program.process.kill()
        until(lambda: policy() == "0", 1 * SLOW)


@needs_knobs
@needs_numa_stat
def test_changed_by_somebody_else(tmp_path):
    args = ("null1", f"--mode={MODE}", "--tasks=1", "--duration=600ms", "--warmup=0s", "-o", "-",
            "--kernel-numa-stat=0")
    with Program(tmp_path, *args) as program:
        program.wait_for(lambda: NUMA_STAT.read_text().strip() == "0")
        program.wait_for_workers(1, 0.1)
        NUMA_STAT.write_text("1\n")
        result = program.end()
    row, = parse(result.out)
    assert result.code == 1 and row["status"] == "failed"
    assert "somebody else set /proc/sys/vm/numa_stat to 1" in row["reason"]


@needs_knobs
def test_never_with_too_low_a_limit(tmp_path):
    """Refused before anything is set: under such a limit nobody on this host would get memory."""
    result = run(tmp_path, "mmap1", *QUICK, "--mode=process", "--kernel-policy=never",
                 "--kernel-overcommit-ratio=1", "--size=1T")
    assert result.code == 2 and result.out == "" and result.err.count("\n") == 1, result
    assert "under NEVER" in result.err and "are left" in result.err
    assert policy() == "0" and os.listdir(tmp_path) == []


@needs_root
@wib.needs_plain
def test_without_root(tmp_path):
    folder = pathlib.Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    try:
        folder.chmod(0o755)
        program = folder / "runtest"
        program.write_bytes(pathlib.Path(wib.RUNTEST).read_bytes())
        program.chmod(0o755)
        done = subprocess.run(
            ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program, "null1",
             "--kernel-policy=always", "-o", "-"], cwd="/", capture_output=True, text=True,
            timeout=60, check=False)
    finally:
        (folder / "runtest").unlink()
        folder.rmdir()
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert "--kernel-policy needs root" in done.stderr


def test_the_plan_tells(tmp_path):
    """Listing sets nothing, so it needs no root."""
    result = run(tmp_path, "null1", "--tasks=1,2", "--kernel-policy=guess,never",
                 "--kernel-numa-stat=0,1", "--dry-run")
    assert result.code == 0 and "8 points" in result.out, result
    assert result.out.count("kernel: numa-stat=0 policy=never") == 2
