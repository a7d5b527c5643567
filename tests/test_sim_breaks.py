# SPDX-License-Identifier: GPL-2.0-or-later
"""test_sim_breaks.py - what people do to a simulated run: odd profiles, Ctrl-C, little memory."""
import os
import re
import signal
import time

import pytest

from wib import Program, header, needs_plain, parse, run

SIM = ("--output=-", "--progress=never")


@pytest.fixture
def base(root):
    return (root / "machine/sim/profiles/8c16t.ini").read_bytes()


def bad(tmp_path, data):
    """The one line that a profile of these bytes is refused with."""
    (tmp_path / "bad.ini").write_bytes(data)
    result = run(tmp_path, "null1", "--machine=bad.ini", *SIM)
    assert (result.code, result.out) == (2, ""), result
    assert result.err.count("\n") == 1
    return result.err


@pytest.mark.parametrize("change, words", [
    (lambda text: b"\xef\xbb\xbf" + text, "bad.ini:1: line: byte 0xef is not plain ASCII"),
    (lambda text: text.replace(b"desktop", b"d\xc3\xa9sktop", 1).replace(b"; 8c16t", b"; 8"),
     "byte 0xc3 is not plain ASCII"),
    (lambda text: text + b"\0", "byte 0 is not"),
    (lambda text: text.replace(b"\nbrk_ns", b"\n  brk_ns"), "path.brk_ns|begins with a blank"),
    (lambda text: b"", "bad.ini:1: machine.about: is missing"),
    (lambda text: text + b"brk_ns = 1\n", "path.brk_ns: stands twice"),
    (lambda text: re.sub(rb"core:8 pu:2", b"core:5000000 pu:2", text), "more than 8192 PUs"),
    (lambda text: re.sub(rb"core:8 pu:2", b"pu:16", text), "has no cores"),
])
def test_bad_profiles(tmp_path, base, change, words):
    assert re.search(words, bad(tmp_path, change(base)))


@pytest.mark.parametrize("change", [
    lambda text: text.replace(b"\n", b"\r\n"),
    lambda text: text.rstrip(b"\n"),
    lambda text: text.replace(b"\n", b"\n  ; a comment behind blanks\n;\n"),
    lambda text: text.replace(b"[path]", b"[path]\n# one more\n"),
])
def test_the_same_profile(tmp_path, base, change):
    """Line ends and comments change no figure, nor the hash."""
    (tmp_path / "a.ini").write_bytes(base)
    (tmp_path / "b.ini").write_bytes(change(base))
    rows = []
    for name in ("a", "b"):
        result = run(tmp_path, "null1", f"--machine={name}.ini", "--tasks=2", "--duration=1ms",
                     *SIM)
        assert result.code == 0, result
        rows.append(parse(result.out)[0])
    assert rows[0]["ops"] == rows[1]["ops"] and rows[0]["params"] == rows[1]["params"]


@pytest.mark.parametrize("tasks", (1, 16))
@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_interrupted(tmp_path, tasks, number):
    """One task alone, which nobody takes a turn from, is stopped too."""
    with Program(tmp_path, "null1", "getppid1", "--machine=8c16t", "--counter=none,percpu_counter",
                 f"--tasks={tasks}", "--duration=1h", "--progress=never", "--output=rows.csv"
                 ) as program:
        program.wait_for(lambda: (tmp_path / "rows.csv").exists())
        time.sleep(0.2)
        os.kill(program.pid, number)
        result = program.end(timeout=20)
        assert result.code == 128 + number, result
        assert "their rows are kept" in result.err
        assert program.alive() == []
    assert parse((tmp_path / "rows.csv").read_text()) == []


def test_timeout_of_one_task(tmp_path):
    result = run(tmp_path, "null1", "--machine=8c16t", "--tasks=1", "--duration=1h",
                 "--timeout=300ms", *SIM, timeout=30)
    assert result.code == 1, result
    assert parse(result.out)[0]["reason"].startswith("timeout: not done within 0.3 s of this host")


@needs_plain
def test_little_memory(tmp_path):
    """A machine that does not fit fails its point; others are measured."""
    result = run(tmp_path, "page_fault1", "--machine=4s72c144t", "--cpu-count=1", "--tasks=1,144",
                 "--duration=1ms", *SIM, prefix=("prlimit", "--as=500000000"))
    assert result.code == 1, result
    assert [row["status"] for row in parse(result.out)] == ["ok", "failed"]
    assert "memory" in parse(result.out)[1]["reason"]


DIFFERS = {"run_id", "time", "host"}


def figures(cwd, *args, **more):
    result = run(cwd, "mmap1", "page_alloc1", "--machine=2s44c88t", "--tasks=1,3,88",
                 "--duration=1ms", "--counter=all", *SIM, *args, **more)
    assert result.code == 0, result
    assert header(result.out)
    return [{key: value for key, value in row.items() if key not in DIFFERS}
            for row in parse(result.out)]


def test_the_same_rows(tmp_path):
    first = figures(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    assert figures(tmp_path / "elsewhere", env={"PADDING": "x" * 5000}) == first
    assert figures(tmp_path, prefix=("setarch", "-R")) == first
    assert figures(tmp_path, prefix=("prlimit", "--stack=1000000")) == first


@pytest.mark.parametrize("command", ("list", "machines", "topo"))
def test_a_full_disk_is_told(tmp_path, command):
    with open("/dev/full", "w", encoding="ascii") as full, \
            Program(tmp_path, command, stdout=full) as program:
        result = program.end()
    assert result.code == 1
    assert result.err == "runtest: cannot write to standard output: No space left on device\n"
