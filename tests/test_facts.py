# SPDX-License-Identifier: GPL-2.0-or-later
"""test_facts.py - the suite's figures that are facts: exact on any host, however loaded or slow."""
import math

import pytest
import wib
from wib import MODES, needs_processes, rows

SMALL = ("--memory=24G", "--cpu-count=2")
LARGE = ("--memory=64G", "--cpu-count=144")
COUNTS = ("lock_acquisitions", "lock_contended", "lock_wait_pct", "lock_sites", "spills",
          "error_max", "error_bound", "read_ns", "sum_ns", "refused", "charges")


def number(row, name):
    return int(row[name])


def expect_ok(row):
    assert (row["status"], row["reason"]) == ("ok", ""), row
    assert number(row, "ops") > 0


def expect_bound(row, cpus):
    """The cheap read is off by at most slots * (batch - 1), with a slot for each CPU and task."""
    slots = max(number(row, "tasks"), cpus)
    assert number(row, "error_bound") == slots * (number(row, "batch_used") - 1)
    assert 0 <= number(row, "error_max") <= number(row, "error_bound")


@pytest.mark.parametrize("mode", MODES)
def test_24_gb_and_2_cpus(tmp_path, mode):
    """mmap1 charges 32768 pages: over the batch of 1x, so both charges lock; under 16x and 64x."""
    used = {"1x": 12288, "16x": 196608, "64x": 786432}
    found = rows(tmp_path, "mmap1", *SMALL, "--batch=1x,16x,64x", "--tasks=1,2", f"--mode={mode}")
    assert len(found) == 6
    for row in found:
        expect_ok(row)
        expect_bound(row, 2)
        assert number(row, "batch_used") == used[row["batch"]]
        assert number(row, "charges") == 2 * number(row, "ops")
        locked = 2 * number(row, "ops") if row["batch"] == "1x" else 0
        assert number(row, "lock_acquisitions") == locked
        assert number(row, "spills") == locked
        assert (row["refused"], row["mode"]) == ("0", mode)


@pytest.mark.parametrize("mode", MODES)
def test_64_gb_and_144_cpus(tmp_path, mode):
    """Even 64 times the batch is below one charge of mmap1 there: every charge locks."""
    for row in rows(tmp_path, "mmap1", *LARGE, "--batch=64x", "--tasks=1,3", f"--mode={mode}"):
        expect_ok(row)
        expect_bound(row, 144)
        assert number(row, "batch_used") == 16777216 // 144 * 64 // 256
        assert number(row, "lock_acquisitions") == number(row, "spills") == 2 * number(row, "ops")


def test_a_floor_under_the_batch(tmp_path):
    """Two for each CPU, at least 32, and that after the multiple."""
    for memory, cpus, multiple, used in [("1M", 1, "1x", 32), ("1M", 100, "64x", 200),
                                         ("2047T", 1, "64x", 2**31 - 1), ("4G", 4, "3x", 3072)]:
        row, = rows(tmp_path, "null1", f"--memory={memory}", f"--cpu-count={cpus}",
                    f"--batch={multiple}")
        assert number(row, "batch_used") == used
        expect_bound(row, cpus)


@pytest.mark.parametrize("testcase, charges", [
    ("mmap1", 2), ("mmap4m1", 2), ("null1", 1),
    pytest.param("brk1", 1, marks=needs_processes), pytest.param("brk2", 1, marks=needs_processes)])
def test_charges_of_an_operation(tmp_path, testcase, charges):
    for row in rows(tmp_path, testcase, *SMALL, "--tasks=1,2", "--batch=1,64x"):
        expect_ok(row)
        assert number(row, "charges") == charges * number(row, "ops")
        if row["batch"] == "1":
            assert number(row, "spills") == number(row, "charges")


@pytest.mark.parametrize("coalesce, charges", [("off", 64), ("unmap", 33), ("both", 2)])
def test_who_gathers_charges(tmp_path, coalesce, charges):
    """32 areas: each by itself, an unmap as a whole as the kernel does, or all at once."""
    for row in rows(tmp_path, "mmap_chunks1", *SMALL, "--tasks=1,2", "--batch=1,64x",
                    f"--coalesce={coalesce}"):
        expect_ok(row)
        expect_bound(row, 2)
        assert number(row, "charges") == charges * number(row, "ops")
        assert wib.params(row)["coalesce"] == coalesce
        locked = number(row, "charges") if row["batch"] == "1" else 0
        assert number(row, "spills") == number(row, "lock_acquisitions") == locked


def test_chunks_that_are_refused(tmp_path):
    """The last areas of an operation are refused: what was mapped is taken back, all of it."""
    row, = rows(tmp_path, "mmap_chunks1", "--policy=never", "--memory=20M", "--batch=1",
                "--coalesce=off", "--overcommit-kbytes=10240")
    expect_ok(row)
    assert number(row, "refused") == number(row, "ops")
    default, = rows(tmp_path, "mmap_chunks1")
    assert wib.params(default)["coalesce"] == "unmap"
    row, = rows(tmp_path, "mmap_chunks1", "--size=4100K", code=1)
    assert row["status"] == "skipped" and "128K" in row["reason"]


@pytest.mark.parametrize("mode", MODES)
def test_one_task_spills_at_each_batch(tmp_path, mode):
    for pages, size in [(1, "4K"), (3, "12K")]:
        for row in rows(tmp_path, "null1", "--batch=1,2,7,1000", f"--size={size}",
                        f"--mode={mode}"):
            each = math.ceil(number(row, "batch_used") / pages)
            assert number(row, "spills") == number(row, "ops") // each
            assert number(row, "lock_acquisitions") == number(row, "spills")


def test_tasks_spill_each_by_itself(tmp_path):
    for row in rows(tmp_path, "null1", "--batch=2,100,5000", "--tasks=2,5"):
        batch, ops, tasks = (number(row, name) for name in ("batch_used", "ops", "tasks"))
        most = ops // batch
        assert most - tasks < number(row, "spills") <= most
        assert number(row, "lock_acquisitions") == number(row, "spills")


@pytest.mark.parametrize("policy, used", [
    ("never", 12288), ("guess", 786432), ("always", 786432)])
def test_default_batch_of_a_policy(tmp_path, policy, used):
    for given in ([], ["--batch=default"]):
        row, = rows(tmp_path, "null1", *SMALL, f"--policy={policy}", *given)
        expect_ok(row)
        assert (row["policy"], row["batch"]) == (policy, "default")
        assert number(row, "batch_used") == used


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tasks", [1, 2])
def test_policy_switch(tmp_path, mode, tasks):
    """One row a phase. An operation under way at the switch may have one charge on either side."""
    first, second = rows(tmp_path, "mmap1", *SMALL, "--policy=guess", "--policy-switch=never@50%",
                         f"--tasks={tasks}", f"--mode={mode}", "--duration=200ms")
    for row, policy, used in [(first, "guess", 786432), (second, "never", 12288)]:
        expect_ok(row)
        assert (row["policy"], row["batch"]) == (policy, "default")
        assert number(row, "batch_used") == used
        assert row["params"] == first["params"] and row["time"] == first["time"]
        assert abs(number(row, "charges") - 2 * number(row, "ops")) <= tasks
    assert wib.params(first)["policy-switch"] == "never@50%"
    assert number(second, "lock_acquisitions") == number(second, "charges")
    assert number(second, "spills") == number(second, "charges")
    expect_bound(second, 2)


def test_policy_switch_to_a_looser_one(tmp_path):
    first, second = rows(tmp_path, "mmap1", *SMALL, "--policy=never", "--policy-switch=always@30%",
                         "--duration=200ms")
    assert (first["policy"], second["policy"]) == ("never", "always")
    assert number(first, "batch_used") == 12288 and number(second, "batch_used") == 786432
    # What happens between the switch and the next look still counts to the first phase.
    assert number(first, "lock_acquisitions") <= number(first, "charges")
    assert number(second, "lock_acquisitions") == 0
    expect_bound(second, 2)


@pytest.mark.parametrize("args, refused", [
    (["--policy=never", "--memory=128M"], True),
    (["--policy=never", "--memory=1G"], False),
    (["--policy=never", "--memory=1G", "--overcommit-kbytes=1024"], True),
    (["--policy=never", "--memory=1G", "--overcommit-ratio=0"], True),
    (["--policy=never", "--memory=1G", "--overcommit-ratio=0", "--swap=1G"], False),
    (["--policy=guess", "--memory=127M"], True),
    (["--policy=guess", "--memory=127M", "--swap=1M"], False),
    (["--policy=always", "--memory=1M"], False),
])
def test_refusals(tmp_path, args, refused):
    """What is refused has been charged and taken back: two charges, nothing left, one operation."""
    for row in rows(tmp_path, "mmap1", "--cpu-count=2", "--tasks=1,2", *args):
        expect_ok(row)
        assert number(row, "refused") == (number(row, "ops") if refused else 0)
        assert number(row, "charges") == 2 * number(row, "ops")


@needs_processes
def test_refusals_of_brk(tmp_path):
    row, = rows(tmp_path, "brk1", "--policy=never", "--memory=1G", "--overcommit-ratio=0")
    assert number(row, "refused") == number(row, "ops")
    assert number(row, "charges") == 2 * number(row, "ops")


@needs_processes
def test_percpu_sum_under_never(tmp_path):
    for row in rows(tmp_path, "brk1", "--counter=percpu_sum", "--policy=never", "--tasks=1,2"):
        expect_ok(row)
        assert (row["batch"], row["batch_used"], row["policy"]) == ("", "", "never")
        assert float(row["sum_ns"]) >= 0 and float(row["read_ns"]) >= 0
        assert row["lock_acquisitions"] == row["spills"] == "0"
        assert row["error_max"] == row["error_bound"] == "0"


@pytest.mark.parametrize("mode", MODES)
def test_controls(tmp_path, mode):
    """The atomic is always exact; none counts nothing, and so has no counts."""
    found = {row["counter"]: row for row in rows(
        tmp_path, "mmap1", "--counter=atomic,none", "--tasks=2", f"--mode={mode}")}
    atomic, none = found["atomic"], found["none"]
    for row in (atomic, none):
        expect_ok(row)
        assert row["batch"] == row["batch_used"] == ""
    assert number(atomic, "charges") == 2 * number(atomic, "ops")
    for name in ("lock_acquisitions", "spills", "error_max", "error_bound", "refused"):
        assert atomic[name] == "0"
    assert [none[name] for name in COUNTS] == [""] * len(COUNTS)


def test_no_counter_at_all(tmp_path):
    for row in rows(tmp_path, "getppid1", "--tasks=1,2", "--batch=64x", "--policy=never"):
        expect_ok(row)
        for name in ("counter", "batch", "batch_used", "policy", *COUNTS):
            assert row[name] == "", name
        assert row["kind"] == "plain"
        assert set(wib.params(row)) == {"aslr"}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size, pages", [("1T", 2**28), ("512G", 2**27)])
def test_values_above_32_bits(tmp_path, mode, size, pages):
    """That the row is good says that the sum was what the tasks had added."""
    found = rows(tmp_path, "null1", f"--size={size}", "--batch=64x,1000000000", "--tasks=1,2",
                 f"--mode={mode}", "--duration=30ms", *SMALL)
    for row in found:
        expect_ok(row)
        expect_bound(row, 2)
        assert number(row, "ops") * pages > 2**32
        each = math.ceil(number(row, "batch_used") / pages)
        assert number(row, "spills") == number(row, "ops") // each or number(row, "tasks") > 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("read", ["exact", "approx"])
def test_readers(tmp_path, mode, read):
    """Readers are no tasks: what they do to the lock is not the workload's."""
    for row in rows(tmp_path, "null1", "--readers=1", f"--read={read}", "--tasks=1,2",
                    f"--mode={mode}", "--batch=1000"):
        expect_ok(row)
        assert float(row["sum_ns"]) >= 0 and float(row["read_ns"]) >= 0
        assert (wib.params(row)["readers"], wib.params(row)["read"]) == ("1", read)
        assert number(row, "lock_acquisitions") == number(row, "spills")
        most = number(row, "ops") // 1000
        assert most - number(row, "tasks") < number(row, "spills") <= most


@needs_processes
def test_a_mode_that_cannot_be_is_skipped(tmp_path):
    good, skipped = rows(tmp_path, "brk1", "--mode=both")
    assert (good["mode"], good["status"]) == ("process", "ok")
    assert (skipped["mode"], skipped["status"]) == ("thread", "skipped")
    assert skipped["reason"] == "threads share one break"
    assert skipped["ops"] == skipped["ops_per_sec"] == skipped["speedup"] == ""
    # The key of a row is what was asked for, measured or not.
    assert skipped["policy"] == good["policy"] and skipped["params"] == good["params"]


def test_nothing_but_skipped_is_no_success(tmp_path):
    result = wib.run(tmp_path, "brk1", *wib.QUICK, "--mode=thread", "--output=-")
    assert result.code == 1
    assert [row["status"] for row in wib.parse(result.out)] == ["skipped"]
    assert "nothing ran" in result.err


def test_speedup(tmp_path):
    one, two = rows(tmp_path, "null1", "--counter=atomic", "--tasks=1,2")
    assert (float(one["speedup"]), float(one["efficiency"])) == (1, 1)
    ratio = float(two["ops_per_sec"]) / float(one["ops_per_sec"])
    assert math.isclose(float(two["speedup"]), ratio, rel_tol=1e-3, abs_tol=1e-4)
    assert math.isclose(float(two["efficiency"]), ratio / 2, rel_tol=1e-3, abs_tol=1e-4)
    row, = rows(tmp_path, "null1", "--tasks=2")
    assert row["speedup"] == row["efficiency"] == ""


def test_speedup_over_nothing(tmp_path):
    """On a CPU that it shares with three others one task stands still in most intervals."""
    for row in rows(tmp_path, "null1", f"--cpus={wib.CPUS[0]}", "--readers=3", "--tasks=1,12"):
        assert row["speedup"] not in ("inf", "-inf", "nan"), row
        assert row["efficiency"] not in ("inf", "-inf", "nan"), row
