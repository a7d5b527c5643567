# SPDX-License-Identifier: GPL-2.0-or-later
"""test_faults.py - when something goes wrong: tasks that die, signals, full disks, limits.

A fault never becomes a number, never stops the plan, never leaves a process behind.
"""
import contextlib
import errno
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time

import pytest
import wib
from wib import (CPUS, MODE, MODES, QUICK, SAN, SLOW, Program, needs_plain, needs_processes,
                 needs_root, parse, run)

# At its end the leak checker makes a child, which must not be taken for a task and killed.
NO_LEAK_CHECK = {"ASAN_OPTIONS": "detect_leaks=0"}
MANY = 100 if SAN else 1000  # tasks: a sanitized one takes many times the memory and the time
GRACE = 10  # seconds: a task that takes longer to stop is killed


def expect_nothing_left(program, within=1.0):
    until = time.monotonic() + within * SLOW
    while program.alive() and time.monotonic() < until:
        time.sleep(0.01)
    assert program.alive() == []


def shared_memory():
    """What outlives its makers: files of shm_open, and segments of shmget."""
    return (sorted(os.listdir("/dev/shm")),
            len(pathlib.Path("/proc/sysvipc/shm").read_text().splitlines()))


def kill(pid, number):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("number, name", [(signal.SIGKILL, "signal 9"),
                                          (signal.SIGSEGV, "signal 11")])
def test_a_task_that_dies_fails_its_point_alone(tmp_path, mode, number, name):
    args = ("null1", "--batch=1,2,3", "--tasks=2", f"--mode={mode}", "--duration=500ms",
            "--warmup=0s", "-o", "-")
    before = shared_memory()
    with Program(tmp_path, *args) as program:
        first = program.wait_for_workers(2 if mode == "process" else 1, 0.2)
        began = time.monotonic()
        kill(first[0], number)
        program.wait_for(lambda: not {pid for pid, _ in program.workers()} & set(first))
        assert time.monotonic() - began < GRACE * SLOW
        program.wait_for_workers(1, 0.1)
        assert all(state != "Z" for _, state in program.workers()), "the dead are reaped"
        result = program.end()
        expect_nothing_left(program, 0)
    assert result.code == 1, result
    bad, *good = parse(result.out)
    assert bad["status"] == "failed" and (name in bad["reason"] or SAN), bad
    assert bad["ops"] == bad["ops_per_sec"] == bad["speedup"] == bad["charges"] == ""
    assert [row["status"] for row in good] == ["ok", "ok"]
    assert bad["reason"] in result.err and "FAILED" in result.err
    assert shared_memory() == before


@needs_processes
@pytest.mark.parametrize("tasks", [2, 8])
def test_tasks_killed_at_any_moment(tmp_path, tasks):
    """With a batch of 1 a task nearly always has the lock, waits for it, or hands it on."""
    chance = random.Random(tasks)
    count = 15
    args = ("null1", "--batch=1", f"--tasks={tasks}", "--duration=100ms", "--warmup=0s",
            f"--repeat={count}", "-o", "-", "--timeout=20s")
    killed = 0
    seen = set()
    with Program(tmp_path, *args, env=NO_LEAK_CHECK) as program:
        while program.process.poll() is None:
            new = {pid for pid, _ in program.workers()} - seen
            if not new:
                time.sleep(0.002)
                continue
            time.sleep(chance.uniform(0, 0.08))
            now = {pid for pid, state in program.workers() if state != "Z"} - seen
            if now:
                kill(chance.choice(sorted(now)), signal.SIGKILL)
                killed += 1
            seen |= now | new
            assert time.monotonic() - program.began < 90 * SLOW, "it hangs"
        result = program.end()
        expect_nothing_left(program, 0)
    found = parse(result.out)
    assert len(found) == count and result.code == 1, result
    failed = [row["reason"] for row in found if row["status"] != "ok"]
    assert all("signal 9" in reason for reason in failed), failed
    assert killed >= len(failed) >= count // 3, f"{killed} kills, {len(failed)} failures"


def state_of(pid):
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_until_busy(pid, seconds):
    """Until it runs by itself for a while; what only looks after others sleeps between looks."""
    until = time.monotonic() + seconds
    looks = 0
    while looks < 4 and time.monotonic() < until:
        looks = looks + 1 if state_of(pid) == "R" else 0
        time.sleep(0.0003)


@needs_processes
@pytest.mark.parametrize("number, times, timeout", [(signal.SIGKILL, 8, 10 * SLOW),
                                                    (signal.SIGSTOP, 2, 3 * SLOW)])
def test_a_task_that_dies_while_the_runner_takes_its_lock(tmp_path, number, times, timeout):
    """On a policy change the runner locks for each slot without a task: it must not wait for the
    dead, nor longer than --timeout, nor become deaf to signals.
    """
    args = ("null1", "--batch=1", "--tasks=2", "--duration=200ms", "--warmup=0s", "-o", "-",
            "--cpu-count=16384", "--policy-switch=never@50%", f"--timeout={timeout}s")
    for _ in range(times):
        with Program(tmp_path, *args, env=NO_LEAK_CHECK) as program:
            pids = program.wait_for_workers(2, 0.08)
            wait_until_busy(program.pid, 0.3)
            kill(program.pid, signal.SIGSTOP)  # in the midst of it, most times
            time.sleep(0.02)
            kill(pids[0], number)
            kill(program.pid, signal.SIGCONT)
            result = program.end((timeout + GRACE) / SLOW)
            expect_nothing_left(program, 0)
        assert {row["status"] for row in parse(result.out)} <= {"ok", "failed"}


@pytest.mark.parametrize("mode", MODES)
def test_a_task_that_stands_still_times_out(tmp_path, mode):
    args = ("null1", "--batch=1,2", "--tasks=2", f"--mode={mode}", "--duration=400ms",
            "--warmup=0s", f"--timeout={5 * SLOW}s", "-o", "-")
    with Program(tmp_path, *args) as program:
        first = program.wait_for_workers(2 if mode == "process" else 1, 0.1)
        kill(first[-1], signal.SIGSTOP)
        result = program.end()
        expect_nothing_left(program, 0)
    bad, good = parse(result.out)
    assert result.code == 1 and good["status"] == "ok", result
    assert bad["status"] == "failed" and "--timeout" in bad["reason"]


@pytest.mark.parametrize("mode", MODES)
def test_the_runner_killed_leaves_no_task(tmp_path, mode):
    args = ("null1", "--batch=1", "--tasks=5", f"--mode={mode}", "--duration=30s", "-o", "-")
    with Program(tmp_path, *args) as program:
        program.wait_for_workers(5 if mode == "process" else 1, 0.2)
        assert len(program.alive()) == (6 if mode == "process" else 2)
        program.process.kill()
        expect_nothing_left(program, 1)


@needs_processes
def test_the_runner_killed_while_it_starts_tasks(tmp_path):
    args = ("null1", "--tasks=300", "--duration=30s", "-o", "-")
    for workers in (1, 50):
        with Program(tmp_path, *args) as program:
            program.wait_for_workers(workers)
            program.process.kill()
            expect_nothing_left(program, 1)


@pytest.mark.parametrize("number, code, name", [(signal.SIGINT, 130, "SIGINT"),
                                                (signal.SIGTERM, 143, "SIGTERM")])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("group", [False, True], ids=["runner", "group"])
def test_interrupted_with_the_finished_rows(tmp_path, number, code, name, mode, group):
    """Also when the whole process group gets it, as from a terminal or from timeout(1)."""
    file = tmp_path / "rows.csv"
    args = ("null1", "--tasks=2", f"--mode={mode}", "--duration=400ms", "--warmup=0s",
            "--repeat=50", "-o", file)
    with Program(tmp_path, *args, group=group) as program:
        program.wait_for(lambda: file.exists() and file.read_text().count(",ok,") == 2)
        program.wait_for_workers(1, 0.1)
        began = time.monotonic()
        (os.killpg if group else os.kill)(program.pid, number)
        result = program.end()
        assert time.monotonic() - began < 2 * SLOW
        expect_nothing_left(program, 0)
    assert result.code == code, result
    assert {row["status"] for row in parse(file.read_text())} == {"ok"}
    assert 2 <= len(parse(file.read_text())) <= 3
    assert name in result.err and "50 points" in result.err
    assert "Rows: " in result.out and "null1" in result.out, "the table so far"


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_early(tmp_path, number, code):
    """From before main() to within the first point: it always ends, and soon."""
    for step in range(12):
        args = ("null1", "--tasks=8", f"--mode={MODE}", "--duration=20s", "--warmup=0s", "-o", "-")
        with Program(tmp_path, *args) as program:
            time.sleep(0.005 * step)
            program.process.send_signal(number)
            result = program.end(20)
            expect_nothing_left(program, 0.2)
        assert result.code in (code, -number), result
        assert result.code == code or result.out == "", "by default only before it has begun"


@needs_processes
def test_interrupted_while_tasks_are_made(tmp_path):
    with Program(tmp_path, "null1", f"--tasks={MANY}", "--duration=20s", "-o", "-") as program:
        program.wait_for_workers(MANY // 10)
        program.process.send_signal(signal.SIGINT)
        assert program.end(20).code == 130
        expect_nothing_left(program, 0)


@pytest.mark.parametrize("path, cause", [
    ("/dev/full", errno.ENOSPC), ("/proc/rows.csv", errno.ENOENT),
    ("no/such/folder/rows.csv", errno.ENOENT), ("a_folder", errno.EISDIR)])
def test_rows_that_cannot_be_written(tmp_path, path, cause):
    (tmp_path / "a_folder").mkdir()
    result = run(tmp_path, "null1", *QUICK, "-o", path)
    assert result.code == 1, result
    said = [line for line in result.err.splitlines() if path in line]
    assert len(said) == 1 and not said[0].startswith("warning"), result
    assert os.strerror(cause) in said[0]
    assert "null1" in result.out and "percpu_counter" in result.out, "the table is printed"
    assert "Rows:" not in result.out


def test_results_is_no_folder(tmp_path):
    (tmp_path / "results").write_text("a file\n")
    result = run(tmp_path, "null1", *QUICK)
    assert result.code == 1 and "results/" in result.err and "null1" in result.out
    assert (tmp_path / "results").read_text() == "a file\n"


def test_rows_to_a_full_standard_output(tmp_path):
    with open("/dev/full", "wb") as full:
        assert run(tmp_path, "null1", *QUICK, "-o", "-", stdout=full).code == 1


def test_a_table_that_cannot_be_printed(tmp_path):
    """The rows are there, but who reads the table must not take an empty one for it."""
    with open("/dev/full", "wb") as full:
        result = run(tmp_path, "null1", *QUICK, "-o", "rows.csv", stdout=full)
    assert len(parse((tmp_path / "rows.csv").read_text())) == 1
    assert result.code == 1, result


def test_a_reader_that_goes_away(tmp_path):
    read_end, write_end = os.pipe()
    with open(write_end, "wb") as pipe:
        args = ("null1", *QUICK, "--repeat=3", "-o", "-")
        with Program(tmp_path, *args, stdout=pipe) as program:
            os.close(read_end)
            program.end(20)
            expect_nothing_left(program)
    assert program.process.returncode in (1, -signal.SIGPIPE)


@pytest.fixture
def public_copy():
    """The program where anybody may run it."""
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)
    yield shutil.copy(wib.RUNTEST, os.path.join(folder, "runtest"))
    shutil.rmtree(folder)


@needs_root
@needs_plain
@pytest.mark.parametrize("mode", MODES)
def test_too_few_processes(tmp_path, mode, public_copy):
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "prlimit",
               "--nproc=5", public_copy, "null1", "--tasks=1,9", f"--mode={mode}",
               "--duration=50ms", "--warmup=0s", "--output=-"]
    done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == "", done
    assert "9 tasks need" in done.stderr and "RLIMIT_NPROC" in done.stderr
    assert done.stderr.count("\n") == 1


@needs_root
@needs_plain
@pytest.mark.parametrize("mode", MODES)
def test_too_few_processes_by_then(tmp_path, mode, public_copy):
    """The limit fell when the plan had begun: the point fails, and the plan goes on."""
    nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    command = [*nobody, public_copy, "null1", "--tasks=9", "--batch=1,2", f"--mode={mode}",
               "--duration=500ms", "--warmup=0s", "--output=-"]
    with subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as program:
        children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children")
        while not children.read_text():
            assert program.poll() is None
            time.sleep(0.005)
        time.sleep(0.1)
        subprocess.run([*nobody, "prlimit", f"--pid={program.pid}", "--nproc=5:5"], check=True)
        out, err = program.communicate(timeout=60)
    good, bad = parse(out)
    assert program.returncode == 1 and good["status"] == "ok", err
    assert "RLIMIT_NPROC is 5" in bad["reason"] and "of 9" in bad["reason"], bad
    assert bad["reason"] in err


def limited(address_space):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
    return limit


@needs_plain
def test_too_few_addresses(tmp_path):
    done = subprocess.run(
        [wib.RUNTEST, "null1", *QUICK, "--cpu-count=16384", "-o", "-", "--aslr=on"],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, preexec_fn=limited(64 << 20))
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert "1 task needs" in done.stderr and "RLIMIT_AS" in done.stderr


@needs_plain
def test_too_few_addresses_for_an_operation(tmp_path):
    """Before the plan that is refused; a limit that falls later fails the point."""
    done = subprocess.run(
        [wib.RUNTEST, "mmap1", *QUICK, "--size=1G", "-o", "-"], cwd=tmp_path,
        capture_output=True, text=True, timeout=60, preexec_fn=limited(512 << 20))
    assert done.returncode == 2 and "RLIMIT_AS" in done.stderr, done
    args = ("mmap1", "--size=1G", "--tasks=1", f"--mode={MODE}", "--duration=5s", "-o", "-")
    with Program(tmp_path, *args) as program:
        worker, = program.wait_for_workers(1, 0.2)
        resource.prlimit(worker, resource.RLIMIT_AS, (512 << 20, 512 << 20))
        result = program.end()
    row, = parse(result.out)
    assert result.code == 1 and row["status"] == "failed"
    assert "mmap" in row["reason"] and "Cannot allocate memory" in row["reason"]


@pytest.mark.parametrize("args", [
    pytest.param(("null1", f"--tasks={MANY}"), marks=needs_processes),
    pytest.param(("mmap1", "--batch=1x", f"--tasks={MANY // 5}"), marks=needs_processes),
    ("mmap1", "--batch=1x", f"--tasks={MANY // 5}", "--mode=thread")], ids=" ".join)
def test_far_more_tasks_than_cpus(tmp_path, args):
    """A check that it does not hang: 10 s for a run of 1 on two idle CPUs."""
    share = max(1, 2 / len(CPUS), os.getloadavg()[0] / len(CPUS))
    began = time.monotonic()
    result = run(tmp_path, *args, "--duration=1s", "--warmup=0s", "-o", "-", timeout=90)
    took = time.monotonic() - began
    row, = parse(result.out)
    assert result.code == 0 and row["status"] == "ok", result
    assert took < 10 * SLOW * share, f"{took:.1f} s"


@needs_plain
@pytest.mark.parametrize("mode", MODES)
def test_valgrind(tmp_path, mode):
    """No error and no leak in the runner, which ends with 99 otherwise."""
    valgrind = ["valgrind", "--quiet", "--leak-check=full", "--error-exitcode=99",
                "--trace-children=no", "--child-silent-after-fork=yes", "--fair-sched=yes",
                f"--suppressions={wib.ROOT}/tests/valgrind.supp"]
    # Executing anew would leave valgrind behind.
    result = run(tmp_path, "null1", "getppid1", f"--mode={mode}", "--tasks=1,2", "--batch=1x,64x",
                 "--duration=150ms", "--warmup=0s", "--aslr=on", "-o", "rows.csv",
                 "--progress=always", prefix=valgrind, timeout=90)
    assert result.code == 0, result
    assert len(parse((tmp_path / "rows.csv").read_text())) == 6


@needs_plain
@pytest.mark.parametrize("args, leaks, code", [
    (("list",), "full", 0), (("topo", "--machine=synthetic:core:8 pu:2"), "full", 0),
    (("null1", "--counter=all", "--batch=1,2", "--dry-run"), "full", 0),
    # What is refused ends at once, and need not clean up.
    (("nul1",), "no", 2), (("null1", "--counter=a,b,c", "--batch=1,,2"), "no", 2)],
    ids=lambda args: " ".join(args) if isinstance(args, tuple) else "")
def test_valgrind_on_what_runs_nothing(tmp_path, args, leaks, code):
    valgrind = ["valgrind", "--quiet", f"--leak-check={leaks}", "--error-exitcode=99",
                f"--suppressions={wib.ROOT}/tests/valgrind.supp"]
    result = run(tmp_path, *args, "--aslr=on", prefix=valgrind)
    assert result.code == code and "==" not in result.err, result
