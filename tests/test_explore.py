# SPDX-License-Identifier: GPL-2.0-or-later
"""test_explore.py - the search from the command line: what it prints, that a seed alone shows the
same again, and that nothing but the seed decides. It finds each counter that is broken on purpose
by a diff in mutants/KIND, but for those that say before it why not (`Not by search: why`).
"""
import itertools
import os
import re
import shlex
import subprocess

import pytest
import wib
from wib import ROOT, run

MUTANTS = ROOT / os.environ.get("BUILD", "build/plain") / "mutants/runtest"
BROKEN = sorted((ROOT / "tests/mutants").glob("*/*.diff"))
REAL = sorted((ROOT / "counters").glob("*/*.h"))

pytestmark = pytest.mark.skipif(wib.SAN == "thread", reason="one thread only, on many stacks")


def search_mutant(*args):
    assert MUTANTS.exists(), "not built: `make mutants`"
    done = subprocess.run([MUTANTS, "explore", *args], text=True, capture_output=True,
                          timeout=100 * wib.SLOW, check=False)
    return done.returncode, done.stdout


def name(path):
    return f"{path.parent.name}+{path.stem}"


def workloads_of(path):
    """Those of the counter's kind."""
    found = sorted((ROOT / "testcases" / path.parent.name).glob("*.c"))
    assert found
    return [testcase.stem for testcase in found]


@pytest.mark.parametrize("path", BROKEN, ids=name)
def test_every_mutant_is_found(path):
    found = False
    for seeds, testcase in itertools.product((150, 1000), workloads_of(path)):
        code, said = search_mutant(testcase, f"--counter={path.stem}", f"--seeds={seeds}")
        assert code in (0, 1) and (" fails: " in said) == (code == 1), said
        found = found or code == 1
        if found:
            break
    excused = re.search(r"^Not by search: \w", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert found != bool(excused)


@pytest.mark.parametrize("path", REAL, ids=name)
def test_nothing_is_found_in_a_real_counter(path, tmp_path):
    result = run(tmp_path, "explore", *workloads_of(path), f"--counter={path.stem}",
                 "--seeds=100")
    assert result.code == 0, result
    assert result.out.count("nothing found in 100 schedules") == len(workloads_of(path))


def test_what_it_prints(tmp_path):
    result = run(tmp_path, "explore", "null1", "--counter=atomic,percpu_counter", "--seeds=20",
                 "--seed=7")
    assert result.code == 0 and result.err == "", result
    lines = result.out.splitlines()
    assert lines[0] == "explore on 8c16t, seeds 7 to 26"
    assert [line.split(":")[0] for line in lines[1:]] == ["null1 atomic", "null1 percpu_counter"]
    for line in lines[1:]:
        checks, points = re.search(r"nothing found in 20 schedules \((\d+) checks, (\d+) ",
                                   line).groups()
        assert int(checks) >= 20 * 4 and int(points) > 1000
    assert os.listdir(tmp_path) == [], "a search writes no rows"


def test_the_same_seeds_are_the_same_search(tmp_path):
    args = ["explore", "mmap1", "page_alloc1", "--seeds=30"]
    first = run(tmp_path, *args)
    assert first.code == 0, first
    assert run(tmp_path, *args, env={"PADDING": "x" * 3000}).out == first.out
    assert run(ROOT, *args, prefix=("setarch", "-R")).out == first.out
    assert run(tmp_path, *args, "--seed=2").out.splitlines()[1:] != first.out.splitlines()[1:]


def test_a_finding_is_told_and_found_again():
    code, said = search_mutant("null1", "--counter=lock_not_taken", "--seed=40")
    assert code == 1
    found = re.search(r"^null1 lock_not_taken: seed (\d+) fails: (the counter is wrong: .*)\n"
                      r"  with (tasks=\d .*)\n  again: (.*)\n", said, re.MULTILINE)
    assert found and 40 <= int(found[1]) < 1040
    words = shlex.split(found[4])
    assert words[-2:] == [f"--seed={found[1]}", "--seeds=1"]
    again = subprocess.run(words, text=True, capture_output=True, timeout=60, cwd=ROOT, check=False)
    assert again.returncode == 1
    assert found[0] in again.stdout


def test_what_the_command_line_says_stays():
    code, said = search_mutant("null1", "--counter=late_spill", "--batch=2", "--tasks=2",
                               "--size=4K", "--memory=1G", "--policy=always")
    assert code == 1
    shape = re.search(r"  with (.*)", said)[1].split()
    assert {"tasks=2", "batch=2", "size=4K", "memory=1G", "policy=always"} <= set(shape)


def test_a_dry_run_searches_nothing(tmp_path):
    result = run(tmp_path, "explore", "null1", "--dry-run", "--seeds=5")
    assert (result.code, result.out) == (0, "explore on 8c16t, seeds 1 to 5\n"
                                            "null1 percpu_counter: 5 schedules\n")


def test_another_machine_and_more_tasks(tmp_path):
    result = run(tmp_path, "explore", "null1", "--machine=4s72c144t", "--tasks=12", "--seeds=10")
    assert result.code == 0 and "explore on 4s72c144t" in result.out, result


def test_more_tasks_than_the_machine_has_cpus(tmp_path):
    result = run(tmp_path, "explore", "null1", "--tasks=17", "--seeds=10")
    assert result.code == 1 and "skipped: more tasks" in result.out, result
