# SPDX-License-Identifier: GPL-2.0-or-later
"""test_lru.py - the kind "lru": figures that are exact on any host, its options, and its files."""
import os
import pathlib
import signal
import subprocess

import pytest
import wib
from wib import MODES, needs_plain, needs_processes, needs_root, rows

THP = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
FAULTS = ("page_fault1", "page_fault2", "page_fault3")
needs_huge = pytest.mark.skipif(not THP.exists() or "[never]" in THP.read_text(),
                                reason="this host has no transparent huge pages")


def number(row, name):
    return int(row[name])


def expect_ok(row):
    assert (row["status"], row["reason"]) == ("ok", ""), row
    assert number(row, "ops") > 0


def rounds(ops, pages):
    """Pages of each round: all, and what the last one came to."""
    return [pages] * (ops // pages) + [ops % pages]


def released(ops, pages):
    """Pages of whole rounds: a page_fault that the end of the run cuts short is left as it is."""
    return ops // pages * pages


def locks(ops, pages, batch, to_the_end=True):
    """
    Acquisitions of one task that maps `pages` again and again. Adding takes the lock with each
    page that fills a vector, whether those before it were unmapped since or not. Releasing takes it
    for each batch with a page that is listed; the last pages added are not, they wait.
    """
    added = released = 0
    for count in rounds(ops, pages)[:None if to_the_end else -1]:
        added += count
        listed = count - min(count, added % batch)
        released += -(-listed // batch)
    return ops // batch + released


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("testcase, size, pages", [
    ("lru_add1", "128M", 32768), ("lru_add1", "4M", 1024), ("lru_add1", "28K", 7),
    ("page_fault1", "128M", 32768), ("page_fault1", "1M", 256), ("page_fault2", "1M", 256)])
def test_locks_of_one_task(tmp_path, mode, testcase, size, pages):
    for row in rows(tmp_path, testcase, f"--size={size}", "--batch=default,31,1,255",
                    f"--mode={mode}"):
        expect_ok(row)
        ops, batch = number(row, "ops"), number(row, "batch_used")
        assert batch == 15 or row["batch"] == str(batch)
        assert number(row, "spills") == ops // batch
        to_the_end = testcase == "lru_add1"
        assert number(row, "lock_acquisitions") == locks(ops, pages, batch, to_the_end)
        assert number(row, "charges") == ops + (ops if to_the_end else released(ops, pages))
        assert 0 <= number(row, "error_max") <= batch - 1 <= number(row, "error_bound")


def test_locks_of_128_mb():
    """One round of 32768 pages alone: the figures that the kernel's sizes stand for."""
    assert [32768 // 15, 32768 // 31] == [2184, 1057]
    assert locks(32768, 32768, 15) == 2184 + 2184 and locks(32768, 32768, 31) == 1057 + 1057


@pytest.mark.parametrize("mode", MODES)
def test_tasks_fill_each_its_own(tmp_path, mode):
    for row in rows(tmp_path, "lru_add1", "--tasks=2,5", "--batch=15,31", f"--mode={mode}",
                    "--cpu-count=4"):
        expect_ok(row)
        batch, most = number(row, "batch_used"), number(row, "ops") // number(row, "batch_used")
        assert most - number(row, "tasks") < number(row, "spills") <= most
        assert number(row, "error_bound") == max(number(row, "tasks"), 4) * (batch - 1)


@pytest.mark.parametrize("mode", MODES)
def test_controls(tmp_path, mode):
    found = {row["counter"]: row for row in rows(tmp_path, "lru_add1", "--counter=direct,none",
                                                 f"--mode={mode}", "--tasks=2")}
    for row in found.values():
        expect_ok(row)
        assert row["batch"] == row["batch_used"] == ""
    direct = found["direct"]
    assert number(direct, "lock_acquisitions") == number(direct, "charges") == \
        2 * number(direct, "ops")
    assert direct["spills"] == direct["error_max"] == direct["error_bound"] == "0"
    assert found["none"]["charges"] == found["none"]["lock_acquisitions"] == ""


def test_pages_of_a_shared_file(tmp_path):
    """They come with the first round and stay, unless each round drops them."""
    keep, = rows(tmp_path, "page_fault3", "--size=64K")
    drop, = rows(tmp_path, "page_fault3", "--size=64K", "--file-pages=drop")
    expect_ok(keep), expect_ok(drop)
    ops = number(keep, "ops")
    assert number(keep, "charges") == min(ops, 16) + (0 if ops % 16 else 16)
    assert number(drop, "charges") == number(drop, "ops") + released(number(drop, "ops"), 16)
    assert wib.params(drop)["file-pages"] == "drop" and "file-pages" not in wib.params(keep)


def test_a_share_of_remote_pages(tmp_path):
    """Every second page is the other node's: each page of a vector changes the lock."""
    row, = rows(tmp_path, "lru_add1", "--nodes=2", "--remote=50", "--batch=8", "--size=64K")
    expect_ok(row)
    ops = number(row, "ops")
    assert number(row, "spills") == ops // 8
    assert number(row, "lock_acquisitions") >= ops // 8 * 8
    alone, = rows(tmp_path, "lru_add1", "--nodes=2", "--remote=100", "--batch=8", "--size=64K")
    assert number(alone, "lock_acquisitions") == locks(number(alone, "ops"), 16, 8)


@pytest.mark.parametrize("testcase", ["lru_add1", "page_fault1", "pmbench1"])
def test_remote_needs_nodes(tmp_path, testcase):
    row, = rows(tmp_path, testcase, "--nodes=1", "--remote=50", code=1)
    assert row["status"] == "skipped" and "one NUMA node" in row["reason"]
    assert "--nodes" in row["reason"]


@pytest.mark.parametrize("mode", MODES)
def test_drains_during_a_run(tmp_path, mode):
    row, = rows(tmp_path, "page_fault1", "--batch=255", "--drain-interval=1ms", f"--mode={mode}",
                "--duration=300ms")
    expect_ok(row)
    assert number(row, "spills") > number(row, "ops") // 255
    ops = number(row, "ops")
    assert number(row, "charges") == ops + released(ops, 32768)
    assert wib.params(row)["drain-interval"] == "1ms"


def test_huge_pages_are_recorded(tmp_path):
    for row in rows(tmp_path, "page_fault1", "page_fault2", "pmbench1", "--size=2M"):
        assert wib.params(row)["thp"] == "off"
    row, = rows(tmp_path, "page_fault1", "--thp=system")
    assert wib.params(row)["thp"] == "system"


@needs_huge
def test_a_huge_page_is_added_at_once(tmp_path):
    """One for each 512 touches, and no vector that waits."""
    row, = rows(tmp_path, "page_fault1", "--thp=on", "--size=4M", "--duration=150ms")
    expect_ok(row)
    huge = sum(-(-pages // 512) for pages in rounds(number(row, "ops"), 1024))
    assert number(row, "charges") == huge + released(number(row, "ops"), 1024) // 512
    assert number(row, "spills") == huge
    assert number(row, "error_max") == 0
    assert wib.params(row)["thp"] == "on"


def test_huge_pages_of_files_are_not_modelled(tmp_path):
    row, = rows(tmp_path, "page_fault2", "--thp=on", code=1)
    assert (row["status"], "anonymous" in row["reason"]) == ("skipped", True)


def expect_nothing_in(*folders):
    for folder in folders:
        assert os.listdir(folder) == []


@pytest.mark.parametrize("testcase", FAULTS[1:])
@pytest.mark.parametrize("mode", MODES)
def test_no_file_is_left(tmp_path, testcase, mode):
    files, work = tmp_path / "files", tmp_path / "work"
    files.mkdir(), work.mkdir()
    more = ["--size=256K", "--tasks=2", f"--mode={mode}"]
    for row in rows(work, testcase, f"--file-dir={files}", *more) + rows(work, testcase, *more):
        expect_ok(row)
    expect_nothing_in(files, work)


@needs_processes
@pytest.mark.parametrize("testcase", FAULTS[1:])
def test_no_file_is_left_by_sigkill(tmp_path, testcase):
    files, work = tmp_path / "files", tmp_path / "work"
    files.mkdir(), work.mkdir()
    with wib.Program(work, testcase, f"--file-dir={files}", "--size=256K", "--tasks=2",
                     "--output=-", "--duration=60s") as program:
        program.wait_for_workers(2, 0.2)
        expect_nothing_in(files, work)
        os.kill(program.pid, signal.SIGKILL)
        program.process.wait()
        program.process.communicate()
        assert program.process.returncode == -signal.SIGKILL
    expect_nothing_in(files, work)


@pytest.fixture(name="full")
def full_file_system(tmp_path):
    """A file system of 256 KiB."""
    folder = tmp_path / "full"
    folder.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", folder],
                          capture_output=True, check=False)
    if done.returncode:
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@needs_root
@pytest.mark.parametrize("mode", MODES)
def test_a_full_file_system(tmp_path, full, mode):
    """The point fails with its reason, and the next one runs."""
    found = rows(tmp_path, "page_fault3", "lru_add1", f"--file-dir={full}", "--size=4M",
                 f"--mode={mode}", code=1)
    bad, good = sorted(found, key=lambda row: row["status"])
    expect_ok(good)
    assert (bad["testcase"], bad["status"], bad["ops"]) == ("page_fault3", "failed", "")
    assert "no room for a page of its shared file" in bad["reason"]
    assert "killed by signal" not in bad["reason"] and "--file-dir" in bad["reason"]
    expect_nothing_in(full)


@pytest.mark.parametrize("args, words", [
    (["--batch=256"], "at most 255"),
    (["--batch=64x"], "at most 255, which is 17x"),
    (["--batch=0"], "at least 1"),
    (["--thp=maybe"], "--thp"),
    (["--remote=101"], "--remote"),
    (["--drain-interval=0"], "must be off, or from 1 ms"),
    (["--drain-interval=soon"], "--drain-interval"),
    (["--file-dir=/nowhere"], "--file-dir"),
    (["--file-dir=/dev/null"], "is no folder"),
    (["--file-pages=lose"], "--file-pages"),
    (["--pattern=zipf"], "--pattern"),
    (["--write=101"], "--write"),
    (["--rate=-1"], "--rate"),
])
def test_bad_input(tmp_path, args, words):
    result = wib.run(tmp_path, "page_fault1", *args)
    assert (result.code, result.out) == (2, ""), result
    assert len(result.err.splitlines()) == 1 and words in result.err
    assert os.listdir(tmp_path) == []


def buckets(path):
    return wib.parse(path.read_text())


@pytest.mark.parametrize("mode", MODES)
def test_a_histogram_beside_the_rows(tmp_path, mode):
    """Every touch is in one bucket, and the percentiles are where the buckets have them."""
    result = wib.run(tmp_path, "pmbench1", *wib.QUICK, "--tasks=1,2", f"--mode={mode}",
                     "--batch=15,31", "--output=some.csv")
    assert result.code == 0, result
    assert "Latencies: some.latency.csv" in result.out
    text = (tmp_path / "some.latency.csv").read_text()
    assert wib.columns(text) == ["schema", "run_id", "machine", "testcase", "counter", "batch",
                                 "mode", "tasks", "repeat", "phase", "low_ns", "high_ns", "count"]
    assert "program" in dict(wib.header(text))
    found = wib.parse((tmp_path / "some.csv").read_text())
    assert len(found) == 4
    for row in found:
        key = ("schema", "run_id", "machine", "testcase", "counter", "batch", "mode", "tasks",
               "repeat")
        mine = [line for line in wib.parse(text) if all(line[name] == row[name] for name in key)]
        counts = [(int(line["low_ns"]), int(line["high_ns"]), int(line["count"])) for line in mine]
        assert all(line["phase"] == "1" for line in mine) and all(count for _, _, count in counts)
        assert counts == sorted(counts)
        assert all(high == 2 * low or (low, high) == (0, 2) for low, high, _ in counts)
        assert sum(count for _, _, count in counts) == number(row, "ops")
        for name, part in [("50", .5), ("90", .9), ("99", .99), ("99_9", .999)]:
            rank, below = part * number(row, "ops"), 0
            for low, high, count in counts:
                below += count
                if below >= rank:
                    break
            assert low <= float(row[f"latency_p{name}_ns"]) <= high


def test_a_histogram_without_a_file(tmp_path):
    result = wib.run(tmp_path, "pmbench1", *wib.QUICK, "--output=-", "--progress=never")
    assert result.code == 0 and os.listdir(tmp_path) == []
    assert len([line for line in result.err.splitlines() if "histogram" in line]) == 1
    assert float(wib.parse(result.out)[0]["latency_p50_ns"]) > 0


def test_no_histogram_without_latencies(tmp_path):
    result = wib.run(tmp_path, "lru_add1", *wib.QUICK, "--output=some.csv")
    assert result.code == 0 and os.listdir(tmp_path) == ["some.csv"]
    row, = wib.parse((tmp_path / "some.csv").read_text())
    assert [row[f"latency_p{name}_ns"] for name in ("50", "90", "99", "99_9")] == [""] * 4


@needs_plain
def test_a_histogram_that_cannot_be_written(tmp_path):
    (tmp_path / "some.latency.csv").mkdir()
    result = wib.run(tmp_path, "pmbench1", *wib.QUICK, "--output=some.csv")
    assert result.code == 1 and "cannot write some.latency.csv" in result.err
    assert wib.parse((tmp_path / "some.csv").read_text())[0]["status"] == "ok"


def test_a_histogram_beside_json(tmp_path):
    result = wib.run(tmp_path, "pmbench1", *wib.QUICK, "--format=json", "--output=some.json")
    assert result.code == 0, result
    assert buckets(tmp_path / "some.latency.csv")


@pytest.mark.parametrize("pattern", ["uniform", "normal", "linear"])
def test_touches_of_new_pages(tmp_path, pattern):
    """Each is added, and released once; what is only read is on no list."""
    given = ["pmbench1", f"--pattern={pattern}", "--size=8M"]
    row, = rows(tmp_path, *given)
    expect_ok(row)
    assert number(row, "charges") == 2 * number(row, "ops")
    assert number(row, "spills") == number(row, "ops") // 15
    said = wib.params(row)
    assert [said[name] for name in ("pattern", "rate", "write")] == [pattern, "100", "50"]
    row, = rows(tmp_path, *given, "--rate=0", "--write=0")
    assert number(row, "charges") == 0 and wib.params(row)["rate"] == "0"
    row, = rows(tmp_path, *given, "--rate=0", "--write=100")
    assert 0 < number(row, "charges") <= 2 * 2048
    if pattern == "linear":
        assert number(row, "charges") == 2 * min(number(row, "ops"), 2048)
    row, = rows(tmp_path, *given, "--rate=20", "--write=0", "--duration=200ms")
    assert 0.1 < number(row, "charges") / 2 / number(row, "ops") < 0.3


def test_pmbench_works_in_blocks(tmp_path):
    row, = rows(tmp_path, "pmbench1", "--size=1M", code=1)
    assert row["status"] == "skipped" and "blocks of 2 MB" in row["reason"]
