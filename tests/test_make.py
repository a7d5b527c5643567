# SPDX-License-Identifier: GPL-2.0-or-later
"""test_make.py - the Makefile: its help, a missing library, units that are dropped in."""
import os
import re
import shutil
import subprocess

import pytest
import wib
from wib import ROOT, SAN

BUILD = os.environ.get("BUILD", "build/plain")
# A compiler on a host where no header of hwloc is installed.
NO_HWLOC = """#!/bin/sh
case " $* " in
*" -E "*)
    input=$(cat)
    case $input in *hwloc.h*) exit 1 ;; esac
    printf '%s\\n' "$input" | exec gcc "$@" ;;
esac
exec gcc "$@"
"""
COUNTER = "counters/commit/dropped.h"
TESTCASE = "testcases/commit/dropped2.c"


def make(cwd, *args, **more):
    """As from a shell: what the make that runs these tests has told its children is not passed."""
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "RUNTEST", "BUILD", "SAN")}
    return subprocess.run(["make", "--no-print-directory", *args], cwd=cwd, env=env, text=True,
                          capture_output=True, timeout=120 * wib.SLOW, **more)


def test_help_lists_the_targets():
    done = make(ROOT, "help")
    assert (done.returncode, done.stderr) == (0, "")
    targets = {line.split()[0] for line in done.stdout.split("\n\n")[0].splitlines()}
    text = (ROOT / "Makefile").read_text()
    assert targets == set(re.findall(r"^([a-z-]+):.*  ## ", text, re.MULTILINE))
    assert {"all", "check", "lint", "setup", "demo", "bench", "clean", "help"} <= targets
    assert "SAN=" in done.stdout and "CC=" in done.stdout


@pytest.fixture
def poor_compiler(tmp_path):
    script = tmp_path / "cc"
    script.write_text(NO_HWLOC)
    script.chmod(0o755)
    return script


def test_a_missing_library_is_one_sentence(tmp_path, poor_compiler):
    done = make(ROOT, f"CC={poor_compiler}", f"BUILD={tmp_path}/build",
                f"RUNTEST={tmp_path}/runtest")
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert len(said) == 1 and "hwloc.h is missing" in said[0], done.stderr
    assert "libhwloc-dev" in said[0] and "make setup" in said[0]
    assert "CC " not in done.stdout, "nothing is compiled before"
    assert not (tmp_path / "runtest").exists() and not list(tmp_path.glob("build/**/*.o"))


def test_setup_names_what_is_missing(poor_compiler):
    done = subprocess.run([ROOT / "scripts/setup", "build", "--check"], text=True,
                          capture_output=True, env={**os.environ, "CC": str(poor_compiler)})
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1
    done = subprocess.run([ROOT / "scripts/setup", "build", "--check"], text=True,
                          capture_output=True)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_a_missing_compiler_is_one_sentence(tmp_path):
    done = make(ROOT, "CC=no-such-compiler", f"BUILD={tmp_path}/build",
                f"RUNTEST={tmp_path}/runtest")
    said = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode == 2 and len(said) == 1 and "no-such-compiler" in said[0], done.stderr


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The tree with what is built: ages are kept, so only what is new is compiled."""
    folder = tmp_path_factory.mktemp("copy") / "tree"
    out = shutil.ignore_patterns("build", ".git", "*.csv", "__pycache__", "mutants", "*.pyc")
    shutil.copytree(ROOT, folder, ignore=out)
    shutil.copytree(ROOT / BUILD, folder / BUILD,
                    ignore=shutil.ignore_patterns("mutants", "tests"))
    return folder


def build(copy):
    done = make(copy, "-j2", f"SAN={SAN}", "all")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(copy, *args):
    """The program of the copy."""
    path = copy / (f"{BUILD}/runtest" if SAN else "runtest")
    done = subprocess.run([path, *args], cwd=copy, text=True, capture_output=True, timeout=60)
    assert done.returncode == 0, done
    return done.stdout


def names(copy):
    return set(re.findall(r"^  (\w+) ", program(copy, "list"), re.MULTILINE))


@pytest.mark.skipif(not (ROOT / BUILD).is_dir(), reason="the program was built elsewhere")
def test_units_dropped_in_and_taken_out(copy):
    """One file each, no list touched; what was built before is not built again."""
    build(copy)
    before = names(copy)
    for source, target, old, new in [
            ("counters/commit/atomic.h", COUNTER, "one shared atomic", "a counter dropped in"),
            ("testcases/commit/null1.c", TESTCASE, "the counter alone", "a testcase dropped in")]:
        text = (copy / source).read_text()
        assert old in text
        (copy / target).write_text(text.replace(old, new))
    said = build(copy)
    testcases = len(list((copy / "testcases/commit").glob("*.c")))
    counters = len(list((copy / "counters/commit").glob("*.h")))
    machines = len(list((copy / BUILD / "cells").iterdir()))
    assert machines == 2 and said.count("  CELL ") == machines * (testcases + counters - 1), said
    assert "runner/main.c" not in said
    assert names(copy) == before | {"dropped", "dropped2"}
    assert "a counter dropped in" in program(copy, "list")
    row, = wib.parse(program(copy, "dropped2", "--counter=dropped", *wib.QUICK, "-o", "-"))
    assert (row["testcase"], row["counter"], row["status"]) == ("dropped2", "dropped", "ok")

    (copy / COUNTER).unlink()
    (copy / TESTCASE).unlink()
    build(copy)
    assert names(copy) == before
    assert "  LD" not in build(copy), "nothing to do the second time"
