# SPDX-License-Identifier: GPL-2.0-or-later
"""test_ab.py - plot/ab.py and a stand-in for runtest: order, confirmation, A/A, errors, signals."""
import json
import os
import signal
import subprocess
import time

# First: it makes the modules of plot/ known.
from chart_helpers import ROOT, fields, needs_gnuplot
from compare_helpers import run
import pytest
import wib

# Prints a row whose rate is a draw around LEVEL; each run leaves its name in the file `order`.
STANDIN = """#!/usr/bin/python3
import csv, os, random, sys, time, uuid
name, level, noise = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
options = dict(word[2:].split("=", 1) for word in sys.argv[4:] if word.startswith("--"))
with open("order", "a") as file:
    file.write(name)
runs = os.path.getsize("order")
if "sleep" in options:
    open("sleeping", "w").write(str(os.getpid()))
    time.sleep(60)
if runs == int(options.get("fail-at", 0)):
    print("usage: no such option\\nrunner: it is broken", file=sys.stderr)
    sys.exit(int(options.get("with", 2)))
if runs > int(options.get("until", 10 ** 9)):
    level = 1000.0
chance = random.Random(f"{runs} {options.get('seed')}")
row = ROW
row.update(run_id=uuid.uuid4().hex, ops_per_sec=level * chance.gauss(1, noise))
with open(options["output"], "w", newline="") as file:
    file.write("# commit: " + name + "\\n")
    writer = csv.DictWriter(file, list(row))
    writer.writeheader()
    writer.writerow(row)
"""


@pytest.fixture
def place(tmp_path):
    path = tmp_path / "standin"
    path.write_text(STANDIN.replace("ROW", repr(fields())))
    path.chmod(0o755)
    (tmp_path / "tmp").mkdir()
    return tmp_path


def ab(place, *words):
    """Run ab.py beside the stand-in; return the finished process. Nothing may be left in TMPDIR."""
    done = run("ab.py", *words, cwd=place, env={**os.environ, "TMPDIR": str(place / "tmp")})
    assert list((place / "tmp").iterdir()) == []
    return done


def pair(base="b 1000 0.01", new="n 1000 0.01"):
    return f"--base=./standin {base}", f"--new=./standin {new}"


def order(place):
    return (place / "order").read_text()


def test_the_order_is_drawn_for_each_round_and_the_same_for_a_seed(place):
    orders = []
    for seed in (1, 1, 2):
        ab(place, *pair(), "--rounds=12", f"--seed={seed}", "--quiet")
        orders.append(order(place))
        (place / "order").unlink()
    rounds = [orders[0][i:i + 2] for i in range(0, 24, 2)]
    assert set(rounds) == {"bn", "nb"} and orders[0] == orders[1] != orders[2]


def test_a_slow_down_is_found_and_confirmed_by_a_second_time(place):
    done = ab(place, *pair(new="n 850 0.01"), "--rounds=8", "--format=json", "--quiet")
    assert done.returncode == 1 and done.stderr == ""
    only, = json.loads(done.stdout)["series"]
    assert only["verdict"] == "worse" and only["reason"].startswith("confirmed: -1")
    assert len(order(place)) == 32


def test_a_suspicion_that_is_not_confirmed_does_not_count(place):
    done = ab(place, *pair(new="n 850 0.01 --until=16"), "--rounds=8", "--format=json", "--quiet")
    assert done.returncode == 0
    only, = json.loads(done.stdout)["series"]
    assert only["verdict"] == "inconclusive" and only["reason"].startswith("not confirmed: -1")
    assert only["ratio"] == pytest.approx(1, abs=0.02)


def test_what_is_the_same_is_run_once(place):
    done = ab(place, *pair(), "--rounds=6", "--quiet")
    assert done.returncode == 0 and "1 series compared: 1 same" in done.stdout
    assert len(order(place)) == 12


@needs_gnuplot
def test_a_folder_keeps_the_rows_and_has_the_chart(place):
    out = place / "out"
    done = ab(place, *pair(), "--rounds=6", "-o", out)
    assert done.returncode == 0, done.stderr
    assert "ab.py: round 6 of 6: base" in done.stderr
    assert {"base.csv", "new.csv", "regression.png", "compare.md"} <= {
        path.name for path in out.iterdir()}
    again = run("compare.py", "--interleaved", out / "base.csv", out / "new.csv", cwd=place)
    assert again.stdout.splitlines()[2:] == done.stdout.splitlines()[2:]


def test_a_a_prints_the_rate_of_false_alarms(place):
    done = ab(place, pair()[0], "--aa", "--rounds=5", "--comparisons=4", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[:4] == [f"comparison {i}: 1 series, 1 same, 0 inconclusive, 0 called"
                         for i in range(1, 5)]
    assert lines[4] == ("false-alarm rate: 0 of 4 series, 0.0% (95% interval 0.0%..60.2%), wanted: "
                        "at most 5%")
    assert order(place) == "b" * 40


@pytest.mark.parametrize("words, wanted", [
    ("n 1000 0.01 --fail-at=1", "exit status 2: runner: it is broken"),
    ("n 1000 0.01 --fail-at=1 --with=1", "left no rows that can be read: runner: it is broken")])
def test_a_command_that_fails_is_one_line(place, words, wanted):
    done = ab(place, *pair(base=words.replace("n ", "b "), new=words), "--rounds=3", "--quiet")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert ", round 1: ./standin" in done.stderr and wanted in done.stderr


@pytest.mark.parametrize("words, wanted", [
    ([], "--base"), (["--base=x"], "--new CMD is needed"),
    (["--base=x", "--new=y", "--aa"], "leave --new out"),
    (["--base=", "--new=y"], "--base is empty"),
    (["--base=x 'y", "--new=y"], "No closing quotation"),
    (["--base=x", "--new=y -o f"], "--new: -o is set by ab.py"),
    (["--base=x --outp=f", "--new=y"], "--outp=f is set by ab.py"),
    (["--base=x --format=json", "--new=y"], "--format=json is set by ab.py"),
    (["--base=x", "--new=y", "--rounds=0"], "'0' is no number"),
    (["--base=./no-such", "--new=./no-such"], "cannot be run: No such file")])
def test_a_wrong_command_line_is_one_line(place, words, wanted):
    done = ab(place, *words, "--quiet")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert wanted in done.stderr and not (place / "order").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_and_leaves_nothing(place, number):
    process = subprocess.Popen(
        [ROOT / "plot/ab.py", *pair(base="b 1 0 --sleep=1", new="n 1 0 --sleep=1"), "--quiet"],
        cwd=place, env={**os.environ, "TMPDIR": str(place / "tmp")}, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        until = time.monotonic() + 60
        while not (place / "sleeping").exists() or not (place / "sleeping").read_text():
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 128 + number and said == "ab.py: interrupted\n"
    assert not os.path.exists(f"/proc/{(place / 'sleeping').read_text()}")
    assert list((place / "tmp").iterdir()) == []


def test_hostile_words_reach_no_shell(place):
    done = ab(place, "--base=./standin 'b;touch PWNED' 1000 0.01 --x=$(touch PWNED)",
              "--new=./standin n 1000 0.01 `touch PWNED`", "--rounds=4", "--quiet")
    assert done.returncode == 0 and not list(place.rglob("PWNED"))


def test_it_runs_the_real_program(place):
    command = f"{wib.RUNTEST} getppid1 --tasks=1 --duration=30ms --warmup=0s --mode={wib.MODE}"
    done = ab(place, f"--base={command}", f"--new={command}", "--rounds=2", "--quiet")
    assert done.returncode == 0, done
    assert "too few repeats (2 and 2): 4 of each side are needed" in done.stdout
