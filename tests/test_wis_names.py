# SPDX-License-Identifier: GPL-2.0-or-later
"""test_wis_names.py - by will-it-scale's names: what LKP and mmtests read from the output."""
import os
import re
import subprocess

import pytest
import wib
from wib import CPUS, ROOT, run

pytestmark = pytest.mark.skipif(bool(wib.SAN), reason="what is printed is the same")
# LKP goes by these, and by position; mmtests cuts eight lines off and takes the third word.
LKP_HEADER = re.compile(r"^[a-z_,]+$")
LKP_ROW = re.compile(r"^[0-9.,]+$")
LINE = re.compile(r"^min:(\d+) max:(\d+) total:(\d+)$")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("names") / "bin"
    subprocess.run([str(ROOT / "scripts/wis-bin"), wib.RUNTEST, str(made)], check=True,
                   capture_output=True, timeout=120)
    return made


def call(folder, *args):
    return subprocess.run(args, cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("mode", ["processes", "threads"])
def test_lines_of_a_program(folder, mode):  # faults 17, 18, 19
    done = call(folder, f"./getppid1_{mode}", "-t", "1", "-s", "1", "-w", "50ms")
    assert done.returncode == 0, done
    lines = done.stdout.splitlines()
    assert lines[0].startswith("testcase:") and lines[1] == "warmup"
    assert all(LINE.match(line) for line in lines[2:8]), lines
    assert lines[8] == "measurement" and LINE.match(lines[9])
    assert re.match(r"^average:\d+$", lines[10]) and len(lines) == 11
    assert [line.split()[2].split(":")[0] for line in lines[8:] if "total:" in line] == ["total"]


@pytest.mark.parametrize("args", [("-t", "0"), ("-t", "abc"), ("-t", "-3"), ("-t",), ("-z",),
                                  ("-m", "-n"), ("-s", "x"), ("-w", "0"), ("more",)])
def test_a_wrong_option_is_one_line(folder, args):  # fault 28
    done = call(folder, "./getppid1_processes", *args)
    assert (done.returncode, done.stdout) == (2, "") and len(done.stderr.splitlines()) == 1, done


def test_too_many_tasks_are_told(folder):  # fault 26
    done = call(folder, "./getppid1_threads", "-t", str(len(CPUS) + 1), "-s", "1", "-w", "20ms")
    assert done.returncode == 0 and "they take turns" in done.stderr, done


def test_table_of_runtest_py(folder):  # faults 5, 20, 21
    done = call(folder, "python3", "./runtest.py", "getppid1", "1", "process", "1", "0", "1")
    assert done.returncode == 0, done
    header, zero, row = done.stdout.splitlines()
    assert header == "tasks,processes,processes_idle,threads,threads_idle,linear"
    assert LKP_HEADER.match(header) and LKP_ROW.match(zero) and LKP_ROW.match(row)
    fields = row.split(",")
    assert fields[0] == "1" and float(fields[1]) > 0 and fields[3] == "0"
    assert fields[-1] == fields[1]
    assert os.path.exists(folder / "getppid1.title")


@pytest.mark.parametrize("words, text", [
    (("1", "bth"), "mode 'bth'"), (("0",), "seconds '0'"), (("1", "both", "2"), "no_affinity '2'"),
    (("1", "both", "1", "1"), "exclude"), (("1", "both", "0", "0", "x"), "task count 'x'"),
])
def test_wrong_arguments_are_one_line(folder, words, text):
    done = call(folder, "./runtest.py", "getppid1", *words)
    assert (done.returncode, done.stdout) == (2, "") and text in done.stderr, done
    assert len(done.stderr.splitlines()) == 1


def test_the_table_holds_one_series(tmp_path):
    result = run(tmp_path, "mmap1", "-b", "1x,64x", "--format=will-it-scale", "-o", "-")
    assert result.code == 2 and "one testcase" in result.err, result
