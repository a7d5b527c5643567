# SPDX-License-Identifier: GPL-2.0-or-later
"""test_calibrate.py - ./runtest calibrate: a profile that is read at once, and what it refuses."""
import os
import re
import signal

import pytest

from wib import CPUS, Program, needs_plain, needs_processes, needs_two_cpus, parse, run

pytestmark = needs_processes

NUMBER = re.compile(r"(\w+) = ([0-9.]+) ; (measured|default): .+")
MEASURED = ("clock_mhz", "hit_ns", "atomic_ns", "map_ns", "unmap_ns", "brk_ns", "protect_ns",
            "getppid_ns", "fault_ns", "discard_ns", "page_alloc_ns")


def calibrate(tmp_path, *args, **more):
    return run(tmp_path, "calibrate", *args, timeout=120, **more)


def numbers(text):
    """{key: (number, measured or default)} of a profile."""
    found = {}
    for line in text.splitlines():
        match = NUMBER.fullmatch(line)
        if match:
            found[match[1]] = (float(match[2]), match[3])
    return found


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    """A profile of this host, and what the program said."""
    folder = tmp_path_factory.mktemp("host")
    result = calibrate(folder)
    assert result.code == 0, result
    return folder / "this-host.ini", result


def test_every_number_has_its_source(profile):
    path, _ = profile
    lines = path.read_text().splitlines()
    found = numbers(path.read_text())
    for line in lines:
        if "=" in line and not line.startswith(("about", "topology", ";")):
            assert NUMBER.fullmatch(line), line
        assert len(line) <= 190
    assert {key for key in MEASURED if found[key][1] != "measured"} <= {"clock_mhz"}
    assert all(found[key][0] > 0 for key in MEASURED)
    # What takes the kernel cannot be as quick as what does not.
    assert found["getppid_ns"][0] > 10 * found["hit_ns"][0]


def test_it_runs_as_a_machine(profile):
    path, _ = profile
    result = run(path.parent, "null1", "mmap1", "page_alloc1", f"--machine={path.name}",
                 "--tasks=all", "--output=-")
    assert result.code == 0, result
    rows = parse(result.out)
    assert len(rows) == 3
    assert {row["status"] for row in rows} == {"ok"}
    assert {row["machine"] for row in rows} == {"this-host"}
    assert all(float(row["ops_per_sec"]) > 0 for row in rows)


def test_one_task_takes_what_was_measured(profile):
    path, _ = profile
    found = numbers(path.read_text())
    result = run(path.parent, "mmap1", f"--machine={path.name}", "--counter=none", "--tasks=1",
                 "--output=-")
    round_ns = 1e9 / float(parse(result.out)[0]["ops_per_sec"])
    both = found["map_ns"][0] + found["unmap_ns"][0]
    assert round_ns == pytest.approx(both, rel=0.03)


def test_what_is_not_measured_is_told(profile):
    path, result = profile
    found = numbers(path.read_text())
    told = [line for line in result.err.splitlines() if line.startswith("not measured: ")]
    for level in ("core", "cache", "package", "group", "machine"):
        key = f"{level}_ns"
        is_told = any(line.startswith(f"not measured: latency.{key}: ") for line in told)
        assert is_told == (found[key][1] == "default")


@needs_two_cpus
def test_latency_between_cpus(profile):
    found = numbers(profile[0].read_text())
    measured = [value for key, value in found.items() if value[1] == "measured" and
                key in ("core_ns", "cache_ns", "package_ns", "group_ns", "machine_ns")]
    assert measured and all(1 < value[0] < 100000 for value in measured)


def test_one_cpu(tmp_path):
    result = calibrate(tmp_path, f"--cpus={CPUS[0]}", "--output=one.ini")
    assert result.code == 0, result
    found = numbers((tmp_path / "one.ini").read_text())
    for level in ("core", "cache", "package", "group", "machine"):
        assert found[f"{level}_ns"][1] == "default"
        assert f"not measured: latency.{level}_ns: " in result.err
    assert run(tmp_path, "null1", "--machine=one.ini", "--output=-").code == 0


@needs_plain
def test_a_limit_leaves_the_rest(tmp_path):
    result = calibrate(tmp_path, prefix=("prlimit", "--as=100000000"))
    assert result.code == 0, result
    found = numbers((tmp_path / "this-host.ini").read_text())
    assert found["map_ns"][1] == "default" and found["brk_ns"][1] == "measured"
    assert "not measured: path.map_ns: 800 is a default" in result.err
    assert "Cannot allocate memory" in result.err


def test_a_file_that_is_there(tmp_path):
    path = tmp_path / "this-host.ini"
    path.write_text("mine\n")
    result = calibrate(tmp_path)
    assert (result.code, result.out) == (2, "")
    assert result.err == ("runtest: this-host.ini is there already: give --output=this-host.ini to "
                          "replace it, or another name\n")
    assert path.read_text() == "mine\n"
    assert calibrate(tmp_path, "-o", "this-host.ini").code == 0
    assert path.read_text().startswith("; made by ./runtest calibrate")
    assert os.listdir(tmp_path) == ["this-host.ini"]


def test_standard_output(tmp_path):
    result = calibrate(tmp_path, "--output=-")
    assert result.code == 0, result
    assert "map_ns" in numbers(result.out)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("args, words", [
    (("--output=host.csv",), "ends in .ini"),
    (("--output=.ini",), "ends in .ini"),
    (("--output=no/where.ini",), "No such file or directory"),
    (("--output=folder.ini",), "is not a regular file"),
    (("--tasks=2",), "not --tasks"),
    (("--machine=8c16t",), "not --machine"),
    (("--dry-run",), "not --dry-run"),
    (("--policy=never",), "takes no --policy"),
    (("mmap1",), "stands alone"),
    (("--cpus=9999",), "9999"),
    (("--output=",), "give a file"),
])
def test_bad_arguments(tmp_path, args, words):
    (tmp_path / "folder.ini").mkdir()
    result = calibrate(tmp_path, *args)
    assert (result.code, result.out) == (2, ""), result
    assert result.err.count("\n") == 1 and words in result.err
    assert os.listdir(tmp_path) == ["folder.ini"]


@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_interrupted(tmp_path, number):
    with Program(tmp_path, "calibrate") as program:
        program.wait_for_workers(1)
        os.kill(program.pid, number)
        result = program.end()
        assert result.code == 128 + number, result
        assert result.err.count("\n") == 1 and "no profile is written" in result.err
        assert program.alive() == []
    assert os.listdir(tmp_path) == []


def test_progress(tmp_path):
    result = calibrate(tmp_path, "--progress=always")
    assert result.code == 0 and "core" in result.err and "\r\033[K[" in result.err
    assert "\033" not in calibrate(tmp_path, "--output=b.ini", "--progress=auto").err


def test_another_topology_is_no_host(tmp_path, root):
    result = calibrate(tmp_path, env={"HWLOC_XMLFILE": str(root / "tests/topologies/hybrid.xml")})
    assert result.code == 2 and "HWLOC_XMLFILE" in result.err and result.err.count("\n") == 1
