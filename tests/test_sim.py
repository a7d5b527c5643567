# SPDX-License-Identifier: GPL-2.0-or-later
"""test_sim.py - simulated machines from the command line: the same rows whatever the host does,
what a row says, profiles that are wrong, and that native code has nothing of the simulator in it.
"""
import csv
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
import wib
from wib import ROOT, run

BUILD = ROOT / os.environ.get("BUILD", "build/plain")
PROFILES = sorted(path.stem for path in (ROOT / "machine/sim/profiles").glob("*.ini"))
SMALL = (ROOT / "tests/data/sim/small.ini").read_text()
TOPOLOGY = "synthetic:group:2 package:2 [numa] l3:2 core:2 pu:2"
OF_THE_HOST = ("run_id", "time", "host")
MMAP1 = ["mmap1", "--batch=1x,64x", "--tasks=1,20,96", "--machine=2s48c96t"]
NULL1 = ["null1", "--counter=atomic,percpu_counter", "--tasks=2,16", "--duration=100us",
         "--machine=8c16t", "--readers=0"]
SWITCH = ["mmap1", "--policy-switch=never@50%", "--tasks=16", "--readers=2", "--read=exact",
          "--machine=4s72c144t"]
CELLS = "commit/mmap1+percpu_counter commit/null1+atomic commit/null1+percpu_counter"

pytestmark = pytest.mark.skipif(wib.SAN == "thread", reason="one thread only, on many stacks: the "
                                "thread sanitizer has nothing to find")


def rows(*args, cwd=ROOT, code=0, runtest=wib.RUNTEST, prefix=(), more=()):
    """The rows of a run without what is the host's."""
    done = subprocess.run([*prefix, runtest, *args, "--output=-", "--progress=never", *more],
                          cwd=cwd, text=True, capture_output=True, timeout=100 * wib.SLOW)
    assert done.returncode == code, done.stderr
    found = wib.parse(done.stdout)
    return [{key: value for key, value in row.items() if key not in OF_THE_HOST} for row in found]


@pytest.mark.parametrize("command", [MMAP1, NULL1, SWITCH], ids=["mmap1", "null1", "switch"])
def test_the_same_command_gives_the_same_rows(command, tmp_path):
    first = rows(*command)
    assert all(row["status"] == "ok" for row in first)
    assert rows(*command) == first
    assert rows(*command, cwd=tmp_path) == first
    assert rows(*command, more=["--aslr=on"]) == first
    assert rows(*command, prefix=["setarch", "-R"]) == first
    assert rows(*command, prefix=["env", "PADDING=" + "x" * 5000]) == first


def test_another_seed_gives_other_rows():
    first, second = rows(*NULL1), rows(*NULL1, "--seed=2")
    assert [row["ops"] for row in first] != [row["ops"] for row in second] or \
        rows(*MMAP1, "--seed=2") != rows(*MMAP1)


@pytest.mark.skipif(bool(wib.SAN), reason="compares with builds of its own")
def test_another_build_gives_the_same_rows(tmp_path):
    """Another compiler where there is one, without optimisation."""
    compiler = "clang" if shutil.which("clang") else "gcc"
    variant = [f"CC={compiler}", "OPT=-O0 -ffp-contract=off"]
    env = {name: value for name, value in os.environ.items()
           if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "RUNTEST", "BUILD", "SAN")}
    made = subprocess.run(["make", "-j2", f"BUILD={tmp_path}/build", f"RUNTEST={tmp_path}/runtest",
                           f"CELLS={CELLS}", *variant, "all"], cwd=ROOT, env=env, text=True,
                          capture_output=True, timeout=300)
    assert made.returncode == 0, made.stderr
    for command in (MMAP1, NULL1):
        assert rows(*command, runtest=tmp_path / "runtest") == rows(*command)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_runs(profile):
    for row in rows("mmap1", f"--machine={profile}", "--tasks=1,3", "--duration=1ms"):
        assert (row["status"], row["machine"]) == ("ok", profile)
        assert row["idle_pct"] == row["steal_pct"] == row["read_ns"] == row["sum_ns"] == ""
        assert set(wib.params(row)) == {"cpu_count", "memory", "profile", "size"}
        cpus = re.search(r"(\d+)t(-\d+)?$", profile)[1]
        assert wib.params(row)["cpu_count"] == cpus, "a profile is named by its shape"


def test_readers_tell_what_reads_cost():
    row, = rows("mmap1", "--machine=8c16t", "--tasks=4", "--readers=1", "--duration=1ms")
    assert 0 < float(row["read_ns"]) < 200 and row["sum_ns"] == ""
    row, = rows("mmap1", "--machine=8c16t", "--tasks=4", "--readers=1", "--read=exact",
                "--duration=1ms")
    assert 5 < float(row["sum_ns"]) < 5000 and row["read_ns"] == ""


def test_defaults_are_those_of_the_machine():
    found = rows("getppid1", "--machine=8c16t")
    assert sorted(int(row["tasks"]) for row in found) == [1, 2, 4, 8, 16]
    assert {row["duration_s"] for row in found} == {"0.020000"}
    row, = rows("mmap1", "--machine=4s72c144t", "--tasks=1", "--batch=64x")
    assert row["batch_used"] == "233016"


def test_points_that_cannot_run_are_skipped(tmp_path):
    found = rows("mmap1", "--machine=8c16t", "--tasks=2,17", "--mode=both", "--duration=1ms")
    assert sorted((row["mode"], row["tasks"], row["status"]) for row in found) == [
        ("process", "17", "skipped"), ("process", "2", "ok"), ("thread", "17", "skipped"),
        ("thread", "2", "skipped")]
    assert any("more tasks and readers than CPUs" in row["reason"] for row in found)
    assert any("common address space" in row["reason"] for row in found)
    (tmp_path / "mine.ini").write_text(SMALL)
    row, = rows("brk1", "--machine=./mine.ini", "--tasks=2", cwd=tmp_path, code=1)
    assert (row["machine"], row["status"]) == ("mine", "skipped")
    assert row["reason"] == "the profile mine gives no cost of brk (path.brk_ns)"


def test_a_comment_does_not_change_the_hash(tmp_path):
    def digest(text):
        (tmp_path / "mine.ini").write_text(text)
        row, = rows("getppid1", "--machine=mine.ini", "--tasks=1", "--duration=1ms", cwd=tmp_path)
        return wib.params(row)["profile"]
    assert digest(SMALL) == digest(SMALL.replace("hit_ns = 1", "hit_ns = 1.0 ; mine"))
    assert digest(SMALL) != digest(SMALL.replace("hit_ns = 1", "hit_ns = 1.001"))


def test_the_content_of_a_topology_counts_and_its_name_does_not(tmp_path):
    def digest(name):
        (tmp_path / "mine.ini").write_text(changed(TOPOLOGY, name))
        row, = rows("getppid1", "--machine=mine.ini", "--tasks=1", "--duration=1ms", cwd=tmp_path)
        return wib.params(row)["profile"]
    export = (ROOT / "tests/topologies/clusters.xml").read_text()
    (tmp_path / "a.xml").write_text(export)
    (tmp_path / "b.xml").write_text(export)
    first = digest("a.xml")
    assert digest("b.xml") == first
    (tmp_path / "a.xml").write_text((ROOT / "tests/topologies/restricted.xml").read_text())
    assert digest("a.xml") != first


def test_machines_tells_every_number_and_its_source():
    text = run(ROOT, "machines", "--format=csv").out
    found = list(csv.DictReader(text.splitlines()))
    assert sorted({row["machine"] for row in found}) == PROFILES
    for row in found:
        said = re.match(r"published: |measured: |fitted: |derived: |estimated: |chosen: |inferred: "
                        r"|as \w+_ns: ", row["source"])
        assert said or row["key"] == "machine.about", row
    for profile in PROFILES:
        assert re.search(rf"^{profile}: ", run(ROOT, "machines").out, re.MULTILINE)
        assert f" {profile} " in run(ROOT, "list").out
    listed = csv.DictReader(run(ROOT, "list", "--format=csv").out.splitlines())
    assert sorted(row["name"] for row in listed if row["what"] == "machine") == \
        sorted([*PROFILES, "native"])


LONG = ["null1", "--counter=percpu_sum", "--machine=4s72c144t", "--tasks=144", "--duration=10s",
        "--progress=never", "--output=rows.csv"]


def test_ctrl_c_ends_a_point(tmp_path):
    with wib.Program(tmp_path, *LONG) as program:
        program.wait_for((tmp_path / "rows.csv").exists)
        time.sleep(0.3)
        program.process.send_signal(signal.SIGINT)
        result = program.end()
    assert result.code == 130 and "SIGINT" in result.err, result
    assert wib.parse((tmp_path / "rows.csv").read_text()) == []


def test_a_point_past_its_timeout_fails(tmp_path):
    result = run(tmp_path, *LONG, "--timeout=300ms")
    row, = wib.parse((tmp_path / "rows.csv").read_text())
    assert (result.code, row["status"], row["ops"]) == (1, "failed", "")
    assert "timeout: not done within 0.3 s of this host" in row["reason"]


def changed(old, new):
    assert old in SMALL
    return SMALL.replace(old, new)


# The text of a profile, and words that the one line must have.
WRONG = {
    "unknown-key": (changed("hit_ns = 1", "hit_ns = 1\nhits = 2"), [":12:", "latency.hits"]),
    "unknown-section": (changed("[path]", "[paths]"), ["paths.smt_pct"]),
    "missing-key": (changed("atomic_ns = 5\n", ""), ["latency.atomic_ns", "missing"]),
    "missing-level": (changed("group_ns = 100\n", ""), ["latency.group_ns", "missing"]),
    "twice": (changed("hit_ns = 1", "hit_ns = 1\nhit_ns = 1"), [":12:", "hit_ns", "twice"]),
    "negative": (changed("core_ns = 10", "core_ns = -10"), [":13:", "latency.core_ns", "-10"]),
    "nan": (changed("core_ns = 10", "core_ns = nan"), [":13:", "latency.core_ns", "nan"]),
    "infinite": (changed("core_ns = 10", "core_ns = inf"), [":13:", "latency.core_ns"]),
    "exponent": (changed("core_ns = 10", "core_ns = 1e1"), [":13:", "latency.core_ns"]),
    "zero": (changed("hit_ns = 1", "hit_ns = 0"), [":11:", "latency.hit_ns"]),
    "huge": (changed("core_ns = 10", "core_ns = " + "9" * 30), [":13:", "latency.core_ns"]),
    "finest": (changed("core_ns = 10", "core_ns = 1.00001"), [":13:", "3 decimals"]),
    "no-value": (changed("core_ns = 10", "core_ns ="), [":13:", "latency.core_ns"]),
    "a-word": (changed("core_ns = 10", "nonsense"), [":13:", "KEY = VALUE"]),
    "line-bytes": (changed("line_bytes = 64", "line_bytes = 96"), [":8:", "line_bytes", "128"]),
    "fraction": (changed("memory_gib = 64", "memory_gib = 64.5"), [":6:", "memory_gib"]),
    "no-cores": (changed("core:2 pu:2", "pu:2"), [":5:", "machine.topology", "no cores"]),
    "ten-million": (changed("core:2", "core:10000000"), [":5:", "machine.topology", "8192"]),
    "no-topology": (changed("synthetic:group:2", "synthetic:moon:2"), [":5:", "moon"]),
    "absent-xml": (changed(TOPOLOGY, "absent.xml"),
                   [":5:", "absent.xml"]),
    "native": (changed(TOPOLOGY, "native"),
               [":5:", "machine.topology"]),
    "empty": ("", [":1:", "machine.about", "missing"]),
    "comment-only": ("; nothing\n", [":1:", "machine.about", "missing"]),
    "binary": ("\x7fELF\x01\x02\0\0" * 40, [":1:", "not plain ASCII"]),
    "long-line": (SMALL + "; " + "x" * 300 + "\n", ["190"]),
    "continued": (changed("core_ns = 10", "core_ns = 10\n  11"), [":14:", "blank"]),
    "large": ("; \n" * 40000, ["too large"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_profile_is_one_line(name, tmp_path):
    text, words = WRONG[name]
    (tmp_path / "wrong.ini").write_text(text)
    result = run(tmp_path, "mmap1", "--machine=wrong.ini", "--tasks=1")
    assert (result.code, result.out) == (2, ""), result
    assert len(result.err.splitlines()) == 1 and result.err.startswith("runtest: wrong.ini")
    assert all(word in result.err for word in words), result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["wrong.ini"]


@pytest.mark.parametrize("machine, words", [
    ("folder.ini", ["folder.ini", "directory"]), ("absent.ini", ["absent.ini", "No such file"]),
    ("8c16", ["8c16", "did you mean 8c16t"]), ("./8c16t", ["8c16t", "./runtest machines"])])
def test_a_machine_that_is_none(machine, words, tmp_path):
    (tmp_path / "folder.ini").mkdir()
    result = run(tmp_path, "mmap1", f"--machine={machine}", "--tasks=1")
    assert (result.code, result.out) == (2, "") and len(result.err.splitlines()) == 1, result
    assert all(word in result.err for word in words), result.err


@pytest.mark.parametrize("arguments, words", [
    (["--mode=thread"], ["--mode", "processes"]), (["--placement=none"], ["--placement", "core"]),
    (["--cpus=16"], ["CPU 16"]), (["--duration=1us"], ["--duration", "10us"])])
def test_what_a_simulated_machine_refuses(arguments, words, tmp_path):
    result = run(tmp_path, "mmap1", "--machine=8c16t", *arguments)
    assert (result.code, result.out) == (2, "") and len(result.err.splitlines()) == 1, result
    assert all(word in result.err for word in words), result.err
    assert list(tmp_path.iterdir()) == []


def test_an_xml_export_beside_its_profile(tmp_path):
    shutil.copy(ROOT / "tests/topologies/clusters.xml", tmp_path)
    text = changed(TOPOLOGY, "clusters.xml")
    (tmp_path / "mine.ini").write_text(text)
    row, = rows("mmap1", f"--machine={tmp_path}/mine.ini", "--tasks=2", "--duration=1ms")
    assert (row["status"], row["machine"]) == ("ok", "mine")


def symbols(path, *more):
    done = subprocess.run(["nm", *more, path], check=True, capture_output=True, text=True)
    return {line.split()[-1] for line in done.stdout.splitlines()}


def test_native_code_has_nothing_of_the_simulator():
    native = sorted((BUILD / "cells/native").rglob("*.o")) + \
        sorted((BUILD / "machine/native").glob("*.o"))
    simulated = sorted((BUILD / "cells/sim").rglob("*.o"))
    assert len(native) > len(simulated) > 10
    for path in native:
        assert not [name for name in symbols(path) if re.match(r"sim_|cell_sim_|fiber_", name)]
    for path in simulated:
        found = symbols(path)
        assert "sim_load" in found, path
        assert not [name for name in found if name.startswith("native_")]


def test_no_unit_asks_which_machine_it_is():
    for folder in ("counters", "testcases"):
        for path in (ROOT / folder).rglob("*.[ch]"):
            assert not re.search(r"#\s*(?:el)?if.*MACHINE_(?:SIM|NATIVE)", path.read_text()), path


def test_memory_with_4096_cpus(tmp_path):
    text = (ROOT / "machine/sim/profiles/8s224c448t.ini").read_text()
    old = re.search(r"^topology = [^;]*", text, re.MULTILINE)[0]
    new = "topology = synthetic:group:2 package:4 [numa] l3:1 core:256 pu:2 "
    (tmp_path / "large.ini").write_text(text.replace(old, new))
    for testcase, duration in (("null1", "10us"), ("mmap1", "10ms")):
        done = subprocess.run(
            ["/usr/bin/python3", "-c", "import resource, subprocess, sys\n"
             "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)\n"
             "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
             wib.RUNTEST, testcase, "--machine=large.ini", "--tasks=4096",
             f"--duration={duration}", "--warmup=0s", "--batch=1x", "--output=-"], cwd=tmp_path,
            text=True, capture_output=True, timeout=200 * wib.SLOW)
        status, kib = map(int, done.stdout.split())
        assert status == 0, done.stderr
        if not wib.SAN:
            assert kib < 1 << 20, f"{testcase}: {kib >> 10} MiB"
