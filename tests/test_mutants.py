# SPDX-License-Identifier: GPL-2.0-or-later
"""test_mutants.py - the checks of the counters can fail: each counter that is broken on purpose, by
a diff in mutants/KIND, is caught by what stands before the diff, and no real counter is.

`run`: runtest says of itself that the counter is wrong. `contract`: a test in contract/KIND.c
fails. `make mutants` builds both programs. The real counters' contract is in `make check-c`.
"""
import csv
import io
import os
import pathlib
import re
import subprocess

import pytest

TESTS = pathlib.Path(__file__).resolve().parent
ROOT = TESTS.parent
BUILD = ROOT / os.environ.get("BUILD", "build/plain")
RUNTEST = ROOT / os.environ.get("RUNTEST", "runtest")
WRONG = "the counter is wrong"
TRIES = 3  # two tasks that never meet lose nothing: short runs are asked again

# What a broken counter of a kind shows itself in; a real one passes all of them.
SHORT = ["--tasks=2", "--duration=150ms", "--warmup=10ms", "--output=-", "--progress=never"]
RUNS = {"commit": [
    ["null1", "--batch=4096"],
    ["brk1", "--batch=1"],
    ["null1", "--batch=3", "--size=1T"],
    ["mmap1", "--batch=1024"],
    ["null1", "--batch=1000000", "--policy-switch=never@50%"],
], "zone": [
    ["page_alloc1", "--batch=2"],
    ["page_alloc1", "--batch=1000", "--stat-interval=1ms", "--nodes=2"],
    ["page_alloc1", "--batch=30", "--nodes=2", "--remote=50"],
    ["page_alloc1", "--readers=1", "--read=exact", "--nodes=2", "--interleave=1"],
    ["page_alloc2", "--pressure=on@50%"],
], "lru": [
    ["lru_add1", "--batch=15", "--size=64K"],
    ["lru_add1", "--batch=7", "--nodes=3", "--remote=40"],
    ["lru_add1", "--batch=255", "--drain-interval=1ms"],
    ["page_fault1", "--batch=1", "--size=1M"],
    ["page_fault1", "--batch=255", "--size=1M"],
]}

MUTANTS = sorted(TESTS.glob("mutants/*/*.diff"))
COUNTERS = sorted(ROOT.glob("counters/*/*.h"))


# The same on a simulated machine, where two tasks always meet and no run is a matter of luck.
SIM = ["--machine=8c16t", "--cpu-count=2", "--warmup=10us"]
LONG = {"commit": "200us"}  # of those runs: elsewhere a tick of 1 ms must fall into it, and 3 ms do


def sim_options(kind):
    """Of a run on a simulated machine."""
    return [*SIM, f"--duration={LONG.get(kind, '3ms')}"]


MACHINES = ["native", pytest.param("sim", marks=pytest.mark.skipif(
    os.environ.get("SAN") == "thread", reason="one thread only: nothing to find"))]


def name(path):
    return f"{path.parent.name}+{path.stem}"


def ways(path):
    """What the file says, before its diff, that it is caught by."""
    found = re.search(r"^Caught by: (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{path} does not say what catches it: `Caught by: run, contract`"
    said = found[1].split(", ")
    assert said and set(said) <= {"run", "contract"}, f"{path}: Caught by: {found[1]}"
    return said


def program(path):
    assert path.exists(), f"{path} is not built: `make all mutants`"
    return path


def measure(runtest, path, arguments, machine):
    """Exit status, error output, and the rows."""
    done = subprocess.run([program(runtest), *arguments, f"--counter={path.stem}", *SHORT,
                           *(sim_options(path.parent.name) if machine == "sim" else [])],
                          capture_output=True, text=True, check=False, timeout=100)
    lines = [line for line in done.stdout.splitlines(True) if not line.startswith("#")]
    return done.returncode, done.stderr, list(csv.DictReader(io.StringIO("".join(lines))))


def is_caught(path, arguments, machine):
    status, said, rows = measure(BUILD / "mutants" / "runtest", path, arguments, machine)
    failed = [row for row in rows if row["status"] == "failed" and WRONG in row["reason"]]
    assert status in (0, 1), said
    assert bool(failed) == (status == 1), (status, said, rows)
    for row in failed:
        assert not row["ops_per_sec"], "a wrong counter's rate became a number"
    return bool(failed)


def test_there_are_mutants_of_both_ways():
    assert len(MUTANTS) >= 5
    assert {way for path in MUTANTS for way in ways(path)} == {"run", "contract"}
    assert {path.parent.name for path in MUTANTS} <= set(RUNS)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("path", [path for path in MUTANTS if "run" in ways(path)], ids=name)
def test_a_run_catches(path, machine):
    runs = RUNS[path.parent.name] * (TRIES if machine == "native" else 1)
    assert any(is_caught(path, arguments, machine) for arguments in runs), \
        f"no run says that {path.stem} is wrong"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("path", [path for path in MUTANTS if "contract" in ways(path)], ids=name)
def test_its_contract_catches(path, machine):
    folder = BUILD / "mutants" / "tests" / "contract" / ("sim" if machine == "sim" else "")
    done = subprocess.run([program(folder / name(path))],
                          capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode > 0, done.stdout + done.stderr
    assert "FAILED" in done.stdout + done.stderr


@pytest.mark.parametrize("path", [path for path in COUNTERS if path.parent.name in RUNS], ids=name)
@pytest.mark.parametrize("machine", MACHINES)
def test_runs_pass_a_real_counter(path, machine):
    for arguments in RUNS[path.parent.name]:
        status, said, rows = measure(RUNTEST, path, arguments, machine)
        assert status == 0, said
        assert rows and all(row["status"] == "ok" for row in rows)
