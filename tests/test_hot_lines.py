# SPDX-License-Identifier: GPL-2.0-or-later
"""test_hot_lines.py - --profile on a simulated machine: the hot lines of whole points, by names
that the counters give. Exact counts of small cases are in test_sim_hot.c.
"""
import csv

import pytest
import wib
from wib import run

SERVER = ["mmap1", "--machine=4s72c144t", "--tasks=144", "--duration=5ms", "--profile"]
BEFORE = ["machine", "testcase", "counter", "batch", "mode", "tasks", "repeat"]

pytestmark = pytest.mark.skipif(wib.SAN == "thread", reason="one thread only, on many stacks")


def profile(cwd, *args):
    """The text below the table, the rows of the results, and those of the lines by field."""
    result = run(cwd, *args, "--output=r.csv", "--progress=never")
    assert result.code == 0, result
    with open(cwd / "r.lines.csv", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        lines = list(reader)
    assert reader.fieldnames[:7] == BEFORE
    return result.out, wib.parse((cwd / "r.csv").read_text()), lines


def field(lines, name):
    found = [line for line in lines if line["field"] == name]
    assert len(found) == 1, name
    return {key: int(value) for key, value in found[0].items() if value.isdigit()} | {
        "line": found[0]["line"]}


def test_a_full_lock(tmp_path):
    """mmap1 at 1x on 144 threads: the queue of the lock, and the line that it shares."""
    out, rows, lines = profile(tmp_path, *SERVER, "--batch=1x")
    assert "mmap1 percpu_counter 1x process, 144 tasks:" in out and "r.lines.csv" in out
    for name in ("commit.lock.locked", "commit.lock.tail", "commit.count", "task[*].queue_go"):
        assert f"  {name} " in out
    ops = float(rows[0]["ops_per_sec"]) * float(rows[0]["duration_s"])
    tail, count = field(lines, "commit.lock.tail"), field(lines, "commit.count")
    assert tail["line"] == count["line"] == field(lines, "commit.lock.locked")["line"]
    # Two acquisitions an operation, and each swaps the tail: mostly others have moved it meanwhile.
    assert 1.6 * ops < tail["writes"] < 2.1 * ops
    assert tail["writers"] == count["writers"] == 144
    # Nearly all that they wait is for their turn, each on its own line: lock_wait_pct, seen there.
    waited = sum(int(line["wait_ns"]) for line in lines if line["field"].endswith(".queue_go"))
    share = 100 * waited / (144 * float(rows[0]["duration_s"]) * 1e9)
    assert share == pytest.approx(float(rows[0]["lock_wait_pct"]), abs=3)


def test_a_large_batch_leaves_the_lock_cold(tmp_path):
    out, _, lines = profile(tmp_path, *SERVER, "--batch=64x", "--memory=512G")
    assert "no line left a CPU's own cache" in out
    assert lines == []


def test_zones(tmp_path):
    """A small threshold: spills of HIT move the line of the free pages that all must read."""
    out, _, lines = profile(tmp_path, "page_alloc1", "--machine=2s44c88t", "--tasks=44",
                            "--batch=32", "--duration=2ms", "--profile")
    hit, free = field(lines, "zone[0].HIT"), field(lines, "zone[0].free_pages")
    assert hit["writes"] > 100 and hit["writers"] > 10
    assert free["writes"] == 0 and free["dirty_reads"] + free["clean_reads"] > 100
    assert field(lines, "machine.HIT")["line"] == field(lines, "machine.LOCAL")["line"]
    assert "zone[0].HIT" in out and "machine.HIT" in out


def test_the_same_run_has_the_same_lines(tmp_path):
    args = ["null1", "--counter=atomic", "--machine=8c16t", "--tasks=2,16", "--duration=200us",
            "--profile"]
    first = profile(tmp_path, *args)
    assert profile(tmp_path, *args)[2] == first[2]
    assert {line["tasks"] for line in first[2]} == {"2", "16"}
    assert {line["field"] for line in first[2] if int(line["writes"])} == {"commit.count"}


def test_a_profile_changes_nothing(tmp_path):
    args = ["mmap1", "--batch=1x", "--machine=8c16t", "--tasks=16", "--duration=2ms"]
    plain = wib.parse(run(tmp_path, *args, "--output=-", "--progress=never").out)
    _, profiled, _ = profile(tmp_path, *args, "--profile")
    for row in (*plain, *profiled):
        for name in ("run_id", "time", "host"):
            row.pop(name)
    assert profiled == plain


def test_rows_on_standard_output_have_no_companion(tmp_path):
    result = run(tmp_path, "null1", "--counter=atomic", "--machine=8c16t", "--tasks=2", "--profile",
                 "--duration=1ms", "--output=-")
    assert result.code == 0 and "commit.count" in result.err + result.out, result
    assert list(tmp_path.iterdir()) == []


def test_a_companion_that_cannot_be_written(tmp_path):
    (tmp_path / "r.lines.csv").mkdir()
    result = run(tmp_path, "null1", "--counter=atomic", "--machine=8c16t", "--tasks=2", "--profile",
                 "--duration=1ms", "--output=r.csv")
    assert result.code == 1 and "r.lines.csv" in result.err, result
    assert len(wib.parse((tmp_path / "r.csv").read_text())) == 1
