# SPDX-License-Identifier: GPL-2.0-or-later
"""test_bad_input.py - a wrong command is told in one line, and changes nothing."""
import os
import random
import resource
import subprocess

import pytest
import wib
from wib import CPUS, QUICK, needs_plain, run

# The command, and words that its one line must have.
WRONG = [
    ([], ["no testcase"]),
    (["--tasks=1"], ["no testcase"]),
    (["nul1"], ["nul1", "null1"]),
    (["null1", "mmap"], ["mmap", "mmap1"]),
    (["null1,nothing-like-it"], ["nothing-like-it", "list"]),
    ([""], ["empty"]),
    (["null1,,mmap1"], ["empty"]),
    (["null1", "--counter=percpu_conter"], ["percpu_conter", "percpu_counter"]),
    (["null1", "--counter=all,none"], ["all"]),
    (["getppid1", "--counter=atomic"], ["atomic", "fits none"]),
    (["null1", "--counter="], ["--counter", "empty"]),
    (["null1", "--counter=atomic,,none"], ["--counter", "empty"]),
    (["null1", "--counter=atomic,"], ["--counter", "empty"]),
    (["null1", "--batchs=1"], ["--batchs", "--batch"]),
    (["null1", "--nothing-like-it"], ["--nothing-like-it", "--help"]),
    (["null1", "-x"], ["-x"]),
    (["null1", "-t1", "-y"], ["-y"]),
    (["null1", "--p=1"], ["--p", "more than one"]),
    (["null1", "--memory"], ["--memory", "value"]),
    (["null1", "-b"], ["-b", "value"]),
    (["null1", "--dry-run=yes"], ["--dry-run"]),
    (["null1", "--batch=64y"], ["64y", "64x"]),
    (["null1", "--batch=-5"], ["-5"]),
    (["null1", "--batch=0x"], ["0x"]),
    (["null1", "--batch=0"], ["at least 1"]),
    (["null1", "--batch="], ["--batch", "empty"]),
    (["null1", "--batch=1,,2"], ["--batch", "empty"]),
    (["null1", "--batch=99999999999999"], ["2147483647"]),
    (["null1", "--batch=99999999999999999999999x"], ["at most"]),
    (["null1", "--batch=1" + ",1" * 300], ["256"]),
    (["null1", "--batch= 5"], ["5"]),
    (["getppid1", "--batch=64y", *QUICK], ["64y"]),
    (["null1", "--counter=atomic", "--batch=64y"], ["64y"]),
    (["null1", "--tasks=0"], ["--tasks", "0"]),
    (["null1", "--tasks=16385"], ["--tasks", "16384"]),
    (["null1", "--tasks=1..99999999999999999999"], ["--tasks", "16384"]),
    (["null1", "--tasks=4..2"], ["backwards"]),
    (["null1", "--tasks=1..8:0"], ["step"]),
    (["null1", "--tasks="], ["--tasks", "empty"]),
    (["null1", "--tasks=1,,2"], ["--tasks", "empty"]),
    (["null1", "--tasks=-1"], ["-1"]),
    (["null1", "--tasks=1.5"], ["1.5"]),
    (["null1", "--tasks=1000000000000%"], ["--tasks"]),
    (["null1", "--mode=fibre"], ["process", "thread", "both"]),
    (["null1", "--size=0"], ["--size", "multiple"]),
    (["null1", "--size=4097"], ["--size", "multiple"]),
    (["null1", "--size=2T"], ["--size", "1T"]),
    (["null1", "--size=99999999999T"], ["--size"]),
    (["null1", "--size=-4K"], ["-4K"]),
    (["null1", "--size=1e3"], ["1e3"]),
    (["null1", "--duration=0"], ["--duration"]),
    (["null1", "--duration=-1s"], ["--duration", "-1s"]),
    (["null1", "--duration=nan"], ["--duration"]),
    (["null1", "--duration=99999999h"], ["day"]),
    (["null1", "--warmup=-1s"], ["--warmup"]),
    (["null1", "--timeout=0s"], ["--timeout"]),
    (["null1", "--timeout=1s", "--duration=2s", "--warmup=0s"], ["--timeout", "--duration"]),
    (["null1", "--timeout=200ms", "--duration=200ms"], ["--timeout", "--duration"]),
    (["null1", "--timeout=200ms", "--duration=200ms", "--warmup=0s"], ["--timeout", "--duration"]),
    (["null1", "--precision=0%"], ["--precision"]),
    (["null1", "--precision=101%"], ["--precision"]),
    (["null1", "--precision=1"], ["--precision", "%"]),
    (["null1", "--repeat=0"], ["--repeat"]),
    (["null1", "--repeat=1000000"], ["--repeat", "10000"]),
    (["null1", "--seed=-1"], ["--seed"]),
    (["null1", "--seed=99999999999999999999"], ["--seed"]),
    (["null1", "--readers=-1"], ["--readers"]),
    (["null1", "--readers=99999"], ["--readers", "16384"]),
    (["null1", "--read=often"], ["approx", "exact"]),
    (["null1", "--cpus=4000"], ["CPU 4000"]),
    (["null1", "--cpus=9999"], ["8191"]),
    (["null1", "--cpus=99999999999999999999"], ["--cpus"]),
    (["null1", "--cpus="], ["--cpus"]),
    (["null1", f"--cpus={CPUS[0]},"], ["--cpus"]),
    (["null1", "--cpus=3-1"], ["backwards"]),
    (["null1", "--memory=0"], ["--memory"]),
    (["null1", "--memory=9999T"], ["--memory", "2048T"]),
    (["null1", "--cpu-count=0"], ["--cpu-count"]),
    (["null1", "--cpu-count=4294967297"], ["--cpu-count"]),
    (["null1", "--placement=random"], ["core", "spread"]),
    (["mmap1", "--counter=vmstat"],
     ["vmstat", "mmap1 has atomic, none, percpu_counter, percpu_sum"]),
    (["page_alloc1", "mmap1", "getppid1", "--counter=percpu_counter,pagevecs"], ["pagevecs"]),
    (["getppid1", "--counter=none"], ["getppid1 has no counter"]),
    (["page_alloc1", "--counter=percpu_counter"],
     ["page_alloc1 has atomic, none, numa_event, numa_u16, vmstat"]),
    (["null1", "--coalesce=always"], ["off", "unmap", "both"]),
    (["null1", "--policy=maybe"], ["guess", "always", "never"]),
    (["null1", "--policy-switch=never"], ["never@50%"]),
    (["null1", "--policy-switch=never@0%"], ["never@50%"]),
    (["null1", "--policy-switch=never@100%"], ["never@50%"]),
    (["null1", "--policy-switch=never@ 50%", *QUICK], ["never@50%"]),
    (["null1", "--policy-switch=never@+50%", *QUICK], ["never@50%"]),
    (["null1", "--overcommit-ratio=1001"], ["--overcommit-ratio", "1000"]),
    (["null1", "--swap=lots"], ["--swap"]),
    (["null1", "--kernel-policy=2"], ["--kernel-policy", "guess|always|never"]),
    (["null1", "--kernel-policy=guess,,never"], ["--kernel-policy", "empty"]),
    (["null1", "--kernel-policy=guess,guess"], ["--kernel-policy", "twice"]),
    (["null1", "--kernel-policy"], ["--kernel-policy", "value"]),
    (["null1", "--kernel-overcommit-ratio=1001"], ["--kernel-overcommit-ratio", "1000"]),
    (["null1", "--kernel-overcommit-ratio=-1"], ["--kernel-overcommit-ratio", "1000"]),
    (["null1", "--kernel-numa-stat=2"], ["--kernel-numa-stat", "0 to 1"]),
    (["mmap1", "--machine=8c16t", "--kernel-policy=never"], ["--kernel-", "--policy"]),
    (["null1", "--profile=yes"], ["--profile", "no value"]),
    (["check-host", "null1"], ["check-host", "null1"]),
    (["check-host", "--machine=synthetic:pu:2"], ["this host only"]),
    (["null1", "--format=xml"], ["csv", "json"]),
    (["null1", "--progress=maybe"], ["auto"]),
    (["null1", "--aslr=maybe"], ["off", "on"]),
    (["null1", "--output="], ["--output"]),
    (["null1", "--machine="], ["machine"]),
    (["null1", "--machine=mars"], ["mars", "native"]),
    (["topo", "--machine=absent.xml"], ["absent.xml"]),
    (["topo", "--machine=text.xml"], ["text.xml"]),
    (["topo", "--machine=empty.xml"], ["empty.xml"]),
    (["topo", "--machine=folder.xml"], ["folder.xml", "directory"]),
    (["topo", "--machine=folder"], ["folder"]),
    (["topo", "--machine=synthetic:"], ["synthetic:"]),
    (["topo", "--machine=synthetic:package:0"], ["synthetic"]),
    (["topo", "--machine=synthetic:core:999999999"], ["PUs"]),
    (["topo", "--machine=synthetic:moon:4"], ["moon"]),
    (["topo", "--tasks=0"], ["--tasks"]),
    (["null1", "--seeds=10"], ["--seeds", "explore"]),
    (["explore"], ["explore", "testcase"]),
    (["explore", "nul1"], ["nul1", "null1"]),
    (["explore", "null1", "--seeds=0"], ["--seeds"]),
    (["explore", "null1", "--seeds=-1"], ["--seeds", "-1"]),
    (["explore", "null1", "--counter=vmstat"], ["vmstat", "null1 has"]),
    (["explore", "null1", "--duration=1s"], ["--duration", "measures nothing"]),
    (["explore", "null1", "--profile"], ["--profile", "measures nothing"]),
    (["explore", "null1", "--machine=mars"], ["mars"]),
    (["explore", "null1", "--mode=thread"], ["--mode"]),
    (["null1", "--profile=yes"], ["--profile"]),
    (["list", "null1"], ["list", "null1"]),
    (["topo", "null1", "more"], ["topo", "null1"]),
    (["null1", "list"], ["list"]),
]
BYTES = [b"a\nb", b"\x1b[31mred\x1b[0m", b"\r\rover", b"\x07\x08\x7f", b"\xff\xfe", b"\xc2\x9b31m",
         b"%s%n%d", b"x" * 5000, b"'\"`$(id)", b"\t"]
PLACES = [b"%b", b"null1,%b", b"--%b", b"--%b=1", b"-%b", b"--counter=%b", b"--batch=%b",
          b"--batch=1%b", b"--tasks=%b", b"--mode=%b", b"--size=%b", b"--machine=%b",
          b"--machine=%b.xml", b"--machine=synthetic:%b", b"--cpus=%b", b"--cpus=1%b",
          b"--policy=%b", b"--policy-switch=%b", b"--duration=%b", b"--warmup=%b",
          b"--precision=%b", b"--timeout=%b", b"--swap=%b", b"--overcommit-ratio=%b",
          b"--kernel-policy=%b", b"--kernel-overcommit-ratio=%b", b"--kernel-numa-stat=%b",
          b"--format=%b", b"--placement=%b", b"--seed=%b"]


@pytest.fixture
def folder(tmp_path):
    """A folder with what --machine could be pointed at by mistake."""
    (tmp_path / "text.xml").write_text("this is no XML\n")
    (tmp_path / "empty.xml").write_text("")
    (tmp_path / "folder.xml").mkdir()
    (tmp_path / "folder").mkdir()
    return tmp_path


def expect_refusal(result):
    assert result.code == 2, result
    assert result.out == "", result
    assert result.err.endswith("\n") and result.err.count("\n") == 1, result
    line = result.err[:-1]
    assert line.startswith("runtest: ") and len(line) < 600, line
    assert line.isprintable(), repr(line)


def named(args):
    text = " ".join(args) or "nothing"
    return text if len(text) < 60 else text[:57] + "..."


@pytest.mark.parametrize("args, words", WRONG, ids=[named(args) for args, _ in WRONG])
def test_wrong_command(folder, args, words):
    before = sorted(os.listdir(folder))
    result = run(folder, *args, timeout=20)
    expect_refusal(result)
    for word in words:
        assert word in result.err, result
    assert sorted(os.listdir(folder)) == before


@pytest.mark.parametrize("place", PLACES, ids=[place.decode() for place in PLACES])
def test_hostile_bytes(tmp_path, place):
    bad = {}
    for hostile in BYTES:
        result = run(tmp_path, b"null1", place % hostile)
        lines = result.err.split("\n")
        if not (result.code == 2 and not result.out and len(lines) == 2 and lines[1] == "" and
                lines[0].isprintable() and len(lines[0]) < 600):
            bad[(place % hostile)[:60]] = (result.code, result.err[:300])
    assert not bad
    assert os.listdir(tmp_path) == []


def test_hostile_bytes_in_a_good_command(tmp_path):
    """They stay in the file, where they are quoted or blanked, and break no line of it."""
    name = b"rows\n\x1b[2J,\".csv"
    result = run(tmp_path, b"null1", *QUICK, b"-o", name)
    assert result.code == 0, result
    text = (tmp_path / os.fsdecode(name)).read_text()
    assert len(wib.parse(text)) == 1 and text.replace("\n", "").isprintable()
    result = run(tmp_path, b"null1", *QUICK, b"-o", b"no/" + name)
    assert result.code == 1 and "No such file" in result.err
    assert all(line.isprintable() for line in result.err.splitlines()), result.err


@needs_plain
def test_absurdly_many_points(tmp_path):
    """164 million points: refused or listed, but not by running out of memory."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    done = subprocess.run([wib.RUNTEST, "null1", "--tasks=1..16384", "--repeat=10000", "--dry-run"],
                          cwd=tmp_path, capture_output=True, timeout=30, preexec_fn=limit)
    expect_refusal(wib.Result(done.returncode, done.stdout[:200].decode(), done.stderr.decode()))


NUMBERS = ["0", "1", "-1", "2", "3", "7", "64x", "1x", "0x", "50%", "all", "1..3", "2..1", "1..9:2",
           "4K", "128M", "24G", "1T", "2047T", "99999999999999999999", "1e9", "0.5", ".5", "1ms",
           "5ms", "0s", "auto", "default", "", ",", "1,2", "1,,2", "nan", "-", "1%", "100%", "9%%"]
WORDS = ["null1", "mmap1", "brk1", "brk2", "mmap4m1", "getppid1", "null1,mmap1", "list", "topo",
         "nothing", "atomic", "percpu_sum", "percpu_counter", "none", "process", "thread", "both",
         "guess", "always", "never", "never@50%", "guess@1%", "core", "pu", "spread", "approx",
         "exact", "native", "csv", "json", "on", "off", "synthetic:core:2"]
OPTIONS = ["counter", "batch", "tasks", "mode", "size", "placement", "cpus", "machine", "memory",
           "cpu-count", "readers", "read", "precision", "repeat", "seed", "timeout", "format",
           "aslr", "policy", "policy-switch", "overcommit-ratio", "swap", "cap-sys-admin", "pol",
           "over", "unknown", "t", "--", "size=1"]


def random_command(chance):
    """Mostly sensible words in any order; what would run long is made short or only planned."""
    command = [chance.choice(WORDS[:8])] if chance.random() < 0.9 else []
    for _ in range(chance.randint(0, 5)):
        value = chance.choice(NUMBERS if chance.random() < 0.6 else WORDS)
        option = "--" + chance.choice(OPTIONS)
        command += [option] if chance.random() < 0.05 else [f"{option}={value}"]
    if chance.random() < 0.1:
        command.append(chance.choice(WORDS + NUMBERS))
    chance.shuffle(command)
    short = ["--warmup=0s", "--duration=3ms", "--output=rows"]
    long = any(word in " ".join(command) for word in ("repeat", "readers", "--seed=1T"))
    return short + (["--dry-run"] if long or chance.random() < 0.5 else []) + command


def test_random_commands(tmp_path):
    chance = random.Random(20240611)
    codes = []
    for _ in range(150):
        command = random_command(chance)
        result = run(tmp_path, *command, timeout=90)
        assert result.code in (0, 1, 2), f"{command}: {result}"
        if result.code == 2:
            expect_refusal(result)
        codes.append(result.code)
    assert {0, 2} <= set(codes), "the commands are too tame, or too wild"
