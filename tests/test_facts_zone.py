# SPDX-License-Identifier: GPL-2.0-or-later
"""test_facts_zone.py - facts of the kind zone: exact on any host, however loaded or slow."""
import pytest
import wib
from wib import MODES, rows

ALONE = ("--stat-interval=off",)  # no fold moves a part


def number(row, name):
    return int(row[name])


def expect_ok(row):
    assert (row["status"], row["reason"]) == ("ok", ""), row
    assert number(row, "ops") > 0
    assert number(row, "error_max") <= number(row, "error_bound")


@pytest.mark.parametrize("memory, cpus, nodes, threshold", [
    ("126G", 88, 2, 125), ("32G", 16, 1, 100), ("33554428K", 16, 1, 90), ("1G", 1, 1, 10)])
def test_default_thresholds(tmp_path, memory, cpus, nodes, threshold):
    row, = rows(tmp_path, "page_alloc1", f"--memory={memory}", f"--cpu-count={cpus}",
                f"--nodes={nodes}")
    expect_ok(row)
    assert (row["batch"], number(row, "batch_used")) == ("default", threshold)
    assert row["policy"] == "normal"
    assert number(row, "error_bound") == nodes * cpus * threshold
    assert wib.params(row)["nodes"] == str(nodes)
    assert wib.params(row)["pages"] == "own-list"


def spills_of(events, threshold, overstep):
    """Of one item that one task counts."""
    if events <= threshold:
        return 0
    return 1 + (events - threshold - 1) // (threshold + 1 + overstep)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("counter, threshold", [
    ("vmstat", 125), ("vmstat", 32), ("vmstat", 1), ("numa_u16", 65533), ("numa_u16", 100)])
def test_one_task_spills_by_the_rule(tmp_path, mode, counter, threshold):
    """HIT and LOCAL grow by one each time, and reach the threshold in the same allocation."""
    row, = rows(tmp_path, "page_alloc1", f"--counter={counter}", f"--batch={threshold}",
                f"--mode={mode}", *ALONE)
    expect_ok(row)
    overstep = threshold // 2 if counter == "vmstat" else 0
    assert number(row, "charges") == 2 * number(row, "ops")
    assert number(row, "spills") == 2 * spills_of(number(row, "ops"), threshold, overstep)
    assert number(row, "lock_acquisitions") == 0


def test_remote_pages(tmp_path):
    """One in four comes from the other node: MISS, FOREIGN and OTHER instead of HIT and LOCAL."""
    row, = rows(tmp_path, "page_alloc1", "--nodes=2", "--remote=25", *ALONE)
    expect_ok(row)
    ops = number(row, "ops")
    assert number(row, "charges") == 2 * ops + ops // 4
    assert wib.params(row)["remote"] == "25"


def test_interleaved_pages(tmp_path):
    for row in rows(tmp_path, "page_alloc1", "--nodes=3", "--interleave=1", "--counter=all"):
        if row["counter"] != "none":
            expect_ok(row)
            assert number(row, "charges") == 3 * number(row, "ops")


@pytest.mark.parametrize("args, reason", [
    (["--nodes=1", "--remote=1"], "one NUMA node only"),
    (["--nodes=2", "--remote=1", "--interleave=1"], "exclude each other")])
def test_what_cannot_be_is_skipped(tmp_path, args, reason):
    result = wib.run(tmp_path, "page_alloc1", "page_alloc2", *wib.QUICK, "--output=-", *args)
    assert result.code == 1
    for row in wib.parse(result.out):
        assert row["status"] == "skipped" and reason in row["reason"]


def test_a_fault_counts_like_a_page(tmp_path):
    row, = rows(tmp_path, "page_alloc2", "--batch=10", *ALONE)
    expect_ok(row)
    assert number(row, "spills") == 2 * spills_of(number(row, "ops"), 10, 5)
    assert wib.params(row)["pages"] == "faults"


def test_pressure(tmp_path):
    """One row a phase; the second's threshold lets nobody hide more than a watermark's gap."""
    first, second = rows(tmp_path, "page_alloc1", "--memory=24G", "--cpu-count=1000",
                         "--pressure=on@50%", "--stat-interval=1ms", "--duration=300ms")
    for row, policy, used in [(first, "normal", 125), (second, "pressure", 6)]:
        expect_ok(row)
        assert (row["policy"], number(row, "batch_used")) == (policy, used)
    row, = rows(tmp_path, "page_alloc1", "--memory=24G", "--cpu-count=1000", "--pressure=on")
    assert (row["policy"], row["batch_used"], row["error_bound"]) == ("pressure", "6", "6000")


def test_the_fold_brings_parts_in(tmp_path):
    """A part that never spills is brought in all the same, so what is off stays small."""
    arguments = ("page_alloc2", "--batch=1000000", "--duration=300ms")
    folded, = rows(tmp_path, *arguments, "--stat-interval=1ms")
    alone, = rows(tmp_path, *arguments, *ALONE)
    for row in (folded, alone):
        expect_ok(row)
        assert number(row, "spills") == 0
    assert number(folded, "error_max") < number(folded, "ops") // 4
    assert number(alone, "error_max") > number(alone, "ops") // 2


def test_batches_beyond_a_type(tmp_path):
    """The kernel's types are a limit where they are the point, and a warning where they are not."""
    result = wib.run(tmp_path, "page_alloc1", *wib.QUICK, "--batch=126", "--output=-")
    assert result.code == 0 and "signed bytes" in result.err
    result = wib.run(tmp_path, "page_alloc1", *wib.QUICK, "--batch=125", "--output=-")
    assert result.code == 0 and "signed bytes" not in result.err
    for batch in ("65534", "2x"):
        result = wib.run(tmp_path, "page_alloc1", *wib.QUICK, "--counter=numa_u16",
                         f"--batch={batch}", "--output=-")
        assert result.code == 2 and "65533" in result.err and result.err.count("\n") == 1
    row, = rows(tmp_path, "page_alloc1", "--batch=2x", "--memory=24G", "--cpu-count=2")
    assert number(row, "batch_used") == 2 * 36


@pytest.mark.parametrize("option, right", [
    ("--remote=101", "from 0 to 100"), ("--remote=x", "--remote"),
    ("--interleave=2", "from 0 to 1"),
    ("--pressure=sometimes", "on@50%"), ("--pressure=on@0%", "on@50%"),
    ("--pressure=on@100%", "on@50%"), ("--stat-interval=1us", "1 ms"), ("--nodes=0", "--nodes"),
    ("--nodes=1025", "1024"), ("--stat-interval=never", "--stat-interval")])
def test_bad_options(tmp_path, option, right):
    result = wib.run(tmp_path, "page_alloc1", *wib.QUICK, option)
    assert result.code == 2 and right in result.err and result.err.count("\n") == 1, result
