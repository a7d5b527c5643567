# SPDX-License-Identifier: GPL-2.0-or-later
"""test_profile.py - --profile: perf is started, told of the window, read, and left out if need be.

A perf of our own, which says what a test wants it to, stands in for the real one but in one test.
"""
import os
import shutil
import textwrap

import pytest
import wib
from wib import MODE, QUICK, Program, run

FAKE = textwrap.dedent('''\
    #!/usr/bin/python3 -S
    import os, signal, sys, time
    log = open(os.environ["FAKE_LOG"], "a")
    what, args = sys.argv[1], sys.argv[2:]
    def say(*words):
        print(what, *words, file=log, flush=True)
    mode = os.environ.get("FAKE_MODE", "")
    if what == "script":
        for line in sys.stdin.read().split():
            tid = int(line)
            print(f"  {tid}/{tid}   10 cycles: \\n\\tff0 _raw_spin_lock ([kernel.kallsyms])\\n"
                  "\\tff1 do_it ([kernel.kallsyms])\\n")
        sys.exit()
    if "true" in args:
        sys.exit(0 if "xsnp_fwd" in " ".join(args) else 129)
    if mode == "refused":
        sys.exit("Access to performance monitoring is limited.\\nmore")
    if what == "stat" and mode == "nocounts":
        sys.exit("no such event")
    say("starts", *args)
    runner = int(args[args.index("-p") + 1])
    control, answer = map(int, args[args.index("--control") + 1][3:].split(","))
    def end(*_):
        say("ends")
        if what == "stat":
            print("77,,cache-misses,5,100.00,,")
            print("5,,mem_load_l3_hit_retired.xsnp_fwd,5,100.00,,")
        sys.exit()
    signal.signal(signal.SIGINT, end)
    tids = set()
    while True:
        word = os.read(control, 64).decode().strip()
        if not word:
            end()
        say(word)
        if word == "disable" and what == "record":
            # The threads that run below the runner now, as the samples of the window.
            for name in filter(str.isdigit, os.listdir("/proc")):
                try:
                    stat = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()
                    below = int(stat[1]) == runner and int(name) != os.getpid()
                    threads = os.listdir(f"/proc/{name}/task") if below else []
                except OSError:
                    continue
                tids |= set(map(int, threads))
            print(*tids, flush=True)
        if mode == "dies" and word == "enable":
            os._exit(1)
        os.write(answer, b"ack\\n")
    ''')


@pytest.fixture
def fake(tmp_path):
    """A folder in front of PATH, and the log of what perf was told."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "perf").write_text(FAKE)
    (folder / "perf").chmod(0o755)
    env = {"PATH": f"{folder}:{os.environ['PATH']}", "FAKE_LOG": str(tmp_path / "log")}
    return env, tmp_path / "log"


needs_permission = pytest.mark.skipif(
    os.geteuid() != 0, reason="without root the kernel may not be looked into")


def profiled(folder, env, *args, **more):
    result = run(folder, "null1", *QUICK, "--profile", "-o", "-", *args, env=env, **more)
    rows = wib.parse(result.out)
    assert result.code == 0 and all(row["status"] == "ok" for row in rows), result
    return result, rows


@needs_permission
def test_what_perf_is_told(tmp_path, fake):
    env, log = fake
    result, (row,) = profiled(tmp_path, env, "--tasks=2")
    told = log.read_text().splitlines()
    record = [line.split(" ", 1)[1] for line in told if line.startswith("record ")]
    assert "-e cycles" in record[0] and "-D -1" in record[0], told
    assert record[1:] == ["disable", "enable", "disable", "ends"], told
    assert [line for line in told if line.startswith("stat starts")]
    assert row["profile_event"] == "cycles" and row["cache_misses"] == "77" and row["hitm"] == "5"
    assert row["profile"] == "_raw_spin_lock:100.00"
    assert row["profile_sites"] == "_raw_spin_lock<do_it:100.00"
    assert wib.params(row)["profiled"] == "on"
    assert "100.00% _raw_spin_lock;do_it;" in result.err and "2 tasks:" in result.err


@needs_permission
def test_each_phase_is_a_window(tmp_path, fake):
    env, log = fake
    _, rows = profiled(tmp_path, env, "--policy-switch=never@50%")
    told = [line for line in log.read_text().splitlines() if line.startswith("record")]
    assert len(rows) == 2
    assert [line.split()[1] for line in told[1:]] == ["disable"] + ["enable", "disable"] * 2 + [
        "ends"]


@needs_permission
def test_no_counters(tmp_path, fake):
    env, _ = fake
    _, (row,) = profiled(tmp_path, {**env, "FAKE_MODE": "nocounts"})
    assert row["profile"] and row["cache_misses"] == row["hitm"] == ""


@needs_permission
@pytest.mark.parametrize("mode, words", [("refused", "monitoring is limited"),
                                         ("dies", "no sample")])
def test_perf_that_fails(tmp_path, fake, mode, words):
    """One line with the reason for the whole plan, and the rows are there."""
    env, _ = fake
    result, rows = profiled(tmp_path, {**env, "FAKE_MODE": mode}, "--repeat=2")
    said = [line for line in wib.warnings_of(result) if "--profile" in line]
    assert len(said) == 1 and words in said[0], result
    assert len(rows) == 2 and rows[0]["profile"] == rows[0]["profile_event"] == ""


@needs_permission
def test_no_perf(tmp_path):
    (tmp_path / "empty").mkdir()
    result, _ = profiled(tmp_path, {"PATH": str(tmp_path / "empty")})
    said, = [line for line in wib.warnings_of(result) if "--profile" in line]
    assert "install it" in said and "linux-perf" in said


@needs_permission
def test_the_runner_killed_leaves_no_perf(tmp_path, fake):
    env, log = fake
    args = ("null1", f"--mode={MODE}", "--duration=20s", "--profile", "-o", "-")
    with Program(tmp_path, *args, env=env) as program:
        program.wait_for(lambda: log.exists() and "record enable" in log.read_text())
        assert len(program.alive()) >= 3
        program.process.kill()
        program.process.communicate()
        for _ in range(200):
            if not program.alive():
                break
            wib.time.sleep(0.01)
        assert program.alive() == []


@needs_permission
@wib.needs_plain
@pytest.mark.skipif(not shutil.which("perf"), reason="perf is not installed")
def test_the_real_perf(tmp_path):
    result = run(tmp_path, "getppid1", f"--mode={MODE}", "--tasks=1", "--duration=1s",
                 "--warmup=0s", "--profile", "-o", "-")
    row, = wib.parse(result.out)
    if any("perf cannot" in line for line in wib.warnings_of(result)):
        pytest.skip(result.err)
    assert row["profile_event"] in ("cycles", "cpu-clock", "cycles.P", "cpu_core/cycles/"), row
    shares = [float(item.rpartition(":")[2]) for item in row["profile"].split(";")]
    assert shares == sorted(shares, reverse=True) and 50 < sum(shares) <= 100.1
    assert not list(tmp_path.iterdir())
