# SPDX-License-Identifier: GPL-2.0-or-later
"""test_tune.py - `./runtest tune` finds the smallest batch that is large enough."""
import re

import pytest
import wib

BIG = ("--machine=4s72c144t", "--duration=2ms")


def tune(tmp_path, *args):
    """What it prints, and its rows in the order of the runs."""
    result = wib.run(tmp_path, "tune", *args, "--output=t.csv")
    assert result.code == 0, result
    return result.out, wib.parse((tmp_path / "t.csv").read_text())


def answer(printed):
    return int(re.search(r"--batch=(\d+) is the smallest within", printed)[1])


def test_the_knee_of_mmap1(tmp_path):
    """The first batch that a charge of 32768 pages does not reach, in few points."""
    printed, rows = tune(tmp_path, "mmap1", *BIG)
    assert answer(printed) == 32769 and len(rows) <= 20
    assert {row["tasks"] for row in rows} == {"144"}
    assert int(rows[0]["batch_used"]) == max(int(row["batch_used"]) for row in rows)
    bound = re.search(r"off by (\d+) pages", printed)[1]
    assert int(bound) == 144 * 32768
    assert "The default here is 233016" in printed


def test_another_size_another_knee(tmp_path):
    printed, _ = tune(tmp_path, "mmap1", "--size=4M", *BIG)
    assert answer(printed) == 1025


@pytest.mark.parametrize("within", ["1%", "50%"])
def test_within(tmp_path, within):
    """Where a curve rises slowly, how near is near decides; what is smaller is too small."""
    printed, rows = tune(tmp_path, "page_alloc1", "--machine=2s44c88t", "--duration=500us",
                         "--scatter=1", f"--within={within}")
    ceiling = float(rows[0]["ops_per_sec"])
    least = ceiling * (1 - int(within[:-1]) / 100)
    for row in rows:
        assert (float(row["ops_per_sec"]) >= least) == (int(row["batch_used"]) >= answer(printed))
    assert len(rows) <= 20


def test_natively(tmp_path):
    printed, rows = tune(tmp_path, "null1", "--tasks=1", "--duration=20ms", "--warmup=0s")
    assert 1 <= answer(printed) and 2 <= len(rows) <= 20


@pytest.mark.parametrize("args, right", [
    ([], "tune takes one testcase"), (["mmap1", "brk1"], "tune takes one testcase"),
    (["mmap1", "--batch=1x"], "leave --batch out"),
    (["mmap1", "--counter=atomic"], "takes a batch"),
    (["getppid1"], "takes a batch"), (["mmap1", "--tasks=1,2"], "not 2 points"),
    (["mmap1", "--counter=all"], "points"), (["mmap1", "--within=0%"], "5%"),
    (["mmap1", "--within=100%"], "5%"), (["mmap2x"], "unknown testcase")])
def test_bad_commands(tmp_path, args, right):
    result = wib.run(tmp_path, "tune", *args)
    assert result.code == 2 and right in result.err and result.err.count("\n") == 1, result
    assert list(tmp_path.iterdir()) == []
