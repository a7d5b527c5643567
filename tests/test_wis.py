# SPDX-License-Identifier: GPL-2.0-or-later
"""test_wis.py - testcases in will-it-scale's form: what runs, what fails and why, what is left.

The numbers in comments are of the faults of will-it-scale that a test is about: the list is in
docs/lkp-and-mmtests.md.
"""
import os
import pathlib
import resource
import shutil
import signal
import time

import pytest
import wib
import wis_files
from wib import MODES, SLOW, Program, needs_plain, needs_two_cpus, params, parse, run

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="there is no compiler")
TIME = ("--duration=120ms", "--warmup=0s", "-o", "-")
GOOD = ["two", "one", "short_word", "pointer", "prepared", "partner", "leaves", "daemon"]


@pytest.fixture(autouse=True, scope="module")
def cache(tmp_path_factory):
    """One cache of what is built, for all tests here."""
    before = os.environ.get("XDG_CACHE_HOME")
    os.environ["XDG_CACHE_HOME"] = str(tmp_path_factory.mktemp("cache"))
    yield os.environ["XDG_CACHE_HOME"]
    os.environ.pop("XDG_CACHE_HOME")
    if before is not None:
        os.environ["XDG_CACHE_HOME"] = before


class Wis:
    """A folder of testcases, and a place for the files that they make."""

    def __init__(self, path, names):
        self.cwd = path
        self.folder = wis_files.write(path / "wis", names)
        self.tmp = path / "private"
        self.tmp.mkdir()

    def args(self, *args):
        return f"--wis={self.folder}", f"--tmpdir={self.tmp}", *args

    def run(self, *args, **more):
        return run(self.cwd, *self.args(*TIME, *args), **more)

    def left(self):
        return sorted(path.name for path in self.tmp.iterdir())


@pytest.fixture
def wis(tmp_path):
    return lambda *names: Wis(tmp_path, names)


def expect_failed(result, text):
    assert result.code == 1, result
    row, = parse(result.out)
    assert row["status"] == "failed" and text in row["reason"], row
    return row


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", GOOD)
def test_runs_and_leaves_nothing(wis, mode, name):  # faults 6, 7, 8, 11
    it = wis(name)
    with Program(it.cwd, *it.args(name, f"--mode={mode}", "--tasks=2", *TIME)) as program:
        result = program.end()
        assert program.alive() == []
    assert result.code == 0, result
    row, = parse(result.out)
    assert (row["testcase"], row["kind"], row["counter"]) == (name, "plain", "")
    assert int(row["ops"]) > 0 and row["status"] == "ok"
    assert it.left() == []


def test_all_is_every_file(wis):
    it = wis(*GOOD)
    result = it.run("all", "--tasks=1", "--dry-run")
    assert result.code == 0, result
    assert [line.split()[1] for line in sorted(result.out.splitlines()[1:-1])] and all(
        name in result.out for name in GOOD)


def test_cleanup_is_called_when_no_task_is_left(wis, tmp_path):
    it = wis("prepared")
    mark = tmp_path / "cleaned"
    result = it.run("prepared", "--tasks=2", f"--mode={MODES[0]}", env={"WIS_CLEANED": str(mark)})
    assert result.code == 0 and mark.exists(), result


def test_the_row_tells_which_file(wis, tmp_path):
    it = wis("two", "one")
    one, two = (params(parse(it.run(name, "--tasks=1", f"--mode={MODES[0]}").out)[0])
                for name in ("one", "two"))
    assert one["wis"] != two["wis"] and len(one["wis"]) == 16
    assert one["tmpdir"] == str(it.tmp)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name, text", [
    ("asserts", "Assertion `nr == 77' failed"),                    # faults 4, 5
    ("prepare_asserts", "Assertion `nr_tasks == 77' failed"),
    ("returns", "testcase() returned"),                            # fault 12
    ("exits", "status 3"),
    ("crashes", "signal 11"),
    ("kills_group", "signal 9"),
    ("removed", "no task finished an operation"),                  # fault 30
    ("stands", "no task finished an operation"),
])
def test_a_fault_fails_the_point_with_its_reason(wis, mode, name, text):
    if wib.SAN and name in ("crashes", "exits"):
        pytest.skip("the sanitizer has the word")
    it = wis(name, "two")
    result = it.run(name, f"--mode={mode}", "--tasks=2")
    expect_failed(result, text)
    assert it.left() == []
    # The plan goes on.
    result = it.run(name, "two", f"--mode={mode}", "--tasks=2")
    assert sorted(row["status"] for row in parse(result.out)) == ["failed", "ok"], result


def test_an_assert_says_file_and_line(wis):
    row = expect_failed(wis("asserts").run("asserts", "--tasks=1", f"--mode={MODES[0]}"), "")
    assert row["reason"].startswith("asserts.c:") and ": testcase: " in row["reason"]


def test_a_hung_prepare_ends_by_the_timeout(wis):  # faults 1, 2, 3
    it = wis("prepare_hangs")
    began = time.monotonic()
    result = it.run("prepare_hangs", "--tasks=1", "--timeout=1s", f"--mode={MODES[0]}")
    expect_failed(result, "timeout")
    assert time.monotonic() - began < 20 * SLOW and it.left() == []


def test_output_of_a_testcase_is_not_among_the_rows(wis):
    result = wis("exits").run("exits", "--tasks=1", f"--mode={MODES[0]}")
    assert "bye" not in result.out.replace("reason", ""), result


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143),
                                          (signal.SIGKILL, -9)])
def test_ended_from_outside_nothing_is_left(wis, mode, number, code):  # faults 13, 14
    it = wis("leaves", "daemon")
    with Program(it.cwd, *it.args("leaves", "daemon", f"--mode={mode}", "--tasks=2",
                                  "--duration=20s", "--warmup=0s", "-o", "x.csv")) as program:
        program.wait_for(lambda: list(it.tmp.glob("*/tmp/wib-left.*/in")) or
                         (it.left() and time.monotonic() - program.began > 2))
        os.kill(program.pid, number)
        assert program.end().code == code
        until = time.monotonic() + 5 * SLOW
        while (program.alive() or it.left()) and time.monotonic() < until:
            time.sleep(0.01)
        assert (program.alive(), it.left()) == ([], [])


def test_a_guardian_that_is_killed_leaves_its_files_to_the_runner(wis):
    it = wis("leaves")
    with Program(it.cwd, *it.args("leaves", f"--mode={MODES[0]}", "--tasks=1", "--duration=20s",
                                  "--warmup=0s", "-o", "-")) as program:
        program.wait_for(lambda: list(it.tmp.glob("*/tmp/wib-left.*/in")))
        os.kill(program.workers()[0][0], signal.SIGKILL)
        expect_failed(program.end(), "signal 9")
        assert it.left() == []


def test_what_is_built_is_kept(wis, cache):
    it = wis("two")
    args = ("two", "--tasks=1", f"--mode={MODES[0]}")
    assert it.run(*args).code == 0
    kept = {path: path.stat().st_mtime_ns for path in pathlib.Path(cache).glob("*/two-*.so")}
    assert it.run(*args).code == 0
    assert kept == {path: path.stat().st_mtime_ns
                    for path in pathlib.Path(cache).glob("*/two-*.so")}
    pathlib.Path(it.folder, "two.c").write_text(wis_files.FILES["two"] + "/* changed */ int x;\n")
    assert it.run(*args).code == 0
    assert len(list(pathlib.Path(cache).glob("*/two-*.so"))) == len(kept) + 1


@pytest.mark.parametrize("name, text", [
    ("syntax", "syntax.c does not compile: 9:"),
    ("undefined", "undefined reference to `not_there'"),
    ("no_testcase", "undefined reference to `testcase'"),
    ("no_header", "not/there.h: No such file"),
])
def test_what_does_not_compile_is_one_line(wis, name, text):  # fault 31
    it = wis(name)
    result = it.run(name, env={"CC": "gcc"})
    assert (result.code, result.out) == (2, "") and len(result.err.splitlines()) == 1, result
    assert text in result.err and f"{it.folder}/{name}.c" in result.err, result
    assert it.left() == []


@pytest.mark.parametrize("args, env, text", [
    (("--wis=not-there", "x"), {}, "--wis=not-there: No such file"),
    (("--wis=", "x"), {}, "--wis=: give a folder"),
    (("--wis=.", "x"), {}, "there is no testcase"),
    (("--wis=wis", "tow"), {}, "unknown testcase 'tow', did you mean two?"),
    (("--wis=wis", "two", "--tmpdir=not-there"), {}, "--tmpdir=not-there: No such file"),
    (("--wis=wis", "two", "--tmpdir="), {}, "--tmpdir=: give a folder"),
    (("--wis=wis", "two", "--counter=atomic"), {}, "counter"),
    (("--wis=wis", "two", "--machine=8c16t"), {}, "on this host only"),
    (("--wis=wis", "two"), {"CC": "no-such-cc"}, "no compiler: no-such-cc: No such file"),
    (("--wis=wis", "two"), {"XDG_CACHE_HOME": "/proc/x"}, "set XDG_CACHE_HOME"),
])
def test_bad_input_is_one_line(wis, args, env, text):
    it = wis("two")
    result = run(it.cwd, *args, *TIME, env=env)
    assert (result.code, result.out) == (2, "") and len(result.err.splitlines()) == 1, result
    assert text in result.err, result


@needs_plain
def test_the_limit_of_open_files_is_raised(wis):  # fault 29
    it = wis("many_files")

    def limit():
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        limit()
        result = it.run("many_files", "--tasks=1", f"--mode={MODES[0]}")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert result.code == 0, result


@needs_plain
def test_as_many_tasks_as_asked_for(wis):  # faults 9, 10
    it = wis("two")
    result = it.run("two", "--mode=thread", "--tasks=2100")
    if result.code == 2 and "processes" in result.err:
        pytest.skip(result.err)
    row, = parse(result.out)
    assert (result.code, row["status"], row["tasks"]) == (0, "ok", "2100"), result


def test_files_are_made_in_tmpdir(wis):  # fault 15
    it = wis("leaves")
    with Program(it.cwd, *it.args("leaves", f"--mode={MODES[0]}", "--tasks=1", "--duration=20s",
                                  "--warmup=0s", "-o", "-")) as program:
        assert program.wait_for(lambda: list(it.tmp.rglob("wib-left.*")))
        assert list(pathlib.Path("/tmp").glob("wib-left.*")) == []


@needs_two_cpus
def test_taskset_is_heeded(wis):  # faults 22, 23
    it = wis("two")
    with Program(it.cwd, *it.args("two", f"--mode={MODES[0]}", "--tasks=1", "--duration=5s",
                                  "--warmup=0s", "-o", "-"),
                 prefix=("taskset", "-c", str(wib.CPUS[-1]))) as program:
        def task_cpus():
            found = [os.sched_getaffinity(pid) for pid in program.alive()
                     if pathlib.Path(f"/proc/{pid}/stat").read_text().split()[2] == "R"]
            return found
        found = program.wait_for(task_cpus)
        assert all(cpus == {wib.CPUS[-1]} for cpus in found), found


def test_list_shows_descriptions(wis):
    it = wis("two", "one", "pointer")
    result = run(it.cwd, "list", f"--wis={it.folder}")
    assert result.code == 0 and "two arguments" in result.out, result
    assert "percpu_counter" not in result.out
