# SPDX-License-Identifier: GPL-2.0-or-later
"""test_history.py - plot/history.py: adding, the trend, the gate by the last good runs, export."""
import csv
import sqlite3
import subprocess
import xml.etree.ElementTree

# First: it makes the modules of plot/ known.
from chart_helpers import ROOT, fields, make, needs_gnuplot
from compare_helpers import HOSTILE, noisy, run
import changes
import numpy as np
import pytest
import trend

GOLDEN = """\
native: mmap1 percpu_counter 64x 1 task: 30 runs, 900957 ops/s since run 21
  -9.7% at run 21, 2026-01-21 c20
4s72c144t: mmap1 percpu_counter 64x 144 tasks: 30 runs, 990 ops/s since run 11
  -1.0% at run 11, 2026-01-11 c10
"""


def result(folder, number, level=1e6, exact=1000, noise=0.01, repeats=5, **changes_):
    """The file of one run: `repeats` native rates, and a simulated one."""
    rows = [fields(run_id=f"r{number}", time=f"2026-01-{number + 1:02}T00:00:{i:02}Z", repeat=i + 1,
                   ops_per_sec=f"{rate:.3f}", **changes_)
            for i, rate in enumerate(noisy(number, repeats, level, noise))]
    rows.append(fields(**{"run_id": f"r{number}", "time": rows[0]["time"], "tasks": 144,
                          "ops_per_sec": exact, **changes_, "machine": "4s72c144t"}))
    return make(folder / f"{number:02}.csv", *rows, header=[f"commit: c{number}", "cpu: AMD"])


def history(folder, *words):
    return run("history.py", f"--db={folder}/h.db", *words)


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A history of 30 runs: the native rate falls by 10 % at the 21st, the other by 1 % at the
    11th."""
    folder = tmp_path_factory.mktemp("history")
    files = [result(folder, i, 1e6 if i < 20 else 9e5, 1000 if i < 10 else 990) for i in range(30)]
    done = history(folder, "add", *files)
    assert done.returncode == 0, done.stderr
    return folder


def test_a_run_that_is_added_twice_is_one(tmp_path):
    path = result(tmp_path, 1)
    assert history(tmp_path, "add", path).stdout == f"{path}: 1 new runs, 6 new rows\n"
    done = history(tmp_path, "add", path, path)
    assert done.stdout == f"{path}: 0 new runs, 0 new rows (known already)\n" * 2
    assert history(tmp_path, "list").stdout.count("good") == 1


def test_an_interrupted_run_is_completed_by_the_whole_file(tmp_path):
    path = result(tmp_path, 1)
    whole = path.read_bytes()
    path.write_bytes(b"\n".join(whole.split(b"\n")[:6]) + b"\n")
    assert "1 new runs, 3 new rows" in history(tmp_path, "add", path).stdout
    path.write_bytes(whole)
    assert "0 new runs, 3 new rows" in history(tmp_path, "add", path).stdout


def test_adding_at_once_loses_nothing(tmp_path):
    files = [result(tmp_path, i) for i in range(8)]
    adding = [subprocess.Popen([ROOT / "plot/history.py", f"--db={tmp_path}/h.db", "add", *part],
                               stdout=subprocess.DEVNULL)
              for part in (files[:4], files[2:6], files[4:], files)]
    assert [process.wait(timeout=120) for process in adding] == [0] * 4
    with sqlite3.connect(tmp_path / "h.db") as db:
        assert db.execute("SELECT count(*) FROM run").fetchone() == (8,)
        assert db.execute("SELECT count(*) FROM sample").fetchone() == (48,)


def test_one_bad_file_of_two_adds_nothing(tmp_path):
    bad = make(tmp_path / "bad.csv", fields(ops_per_sec="-1"))
    done = history(tmp_path, "add", result(tmp_path, 1), bad)
    assert done.returncode == 2 and f"{bad}:2: ops_per_sec '-1' is negative" in done.stderr
    assert not (tmp_path / "h.db").exists()


def test_runs_are_listed_by_time(filled):
    lines = history(filled, "list").stdout.splitlines()
    assert lines[0].split() == ["time", "run", "host", "commit", "mark"] and len(lines) == 31
    assert lines[1].split() == ["2026-01-01T00:00:00Z", "r0", "h", "c0", "good"]


def test_the_trend_is_golden(filled):
    done = history(filled, "trend")
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout == GOLDEN
    assert history(filled, "trend", "--series=144").stdout == "".join(
        GOLDEN.splitlines(keepends=True)[2:])
    assert "10 runs" in history(filled, "trend", "--last=10").stdout


@needs_gnuplot
def test_a_trend_chart_is_drawn_with_its_change_points(filled, tmp_path):
    done = history(filled, "trend", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 4 and names[2:] == [
        f"trend-native-mmap1_percpu_counter_64x_1_task.{suffix}" for suffix in ("png", "svg")]
    root = xml.etree.ElementTree.parse(tmp_path / names[3]).getroot()
    shown = ["".join(item.itertext()).strip() for item in root.iter()
             if item.tag.endswith("}text")]
    assert "-9.7%, 2026-01-21 c20" in shown and "mmap1 percpu_counter 64x 1 task" in shown


@needs_gnuplot
def test_charts_of_one_run_of_no_rate_and_of_very_many_runs_are_drawn():
    def of(values):
        return trend.Trend("t", "native", [("r", "2026", "c", i % 2) for i in range(len(values))],
                           values, [])
    for values in ([5.0], [0.0, 0.0], [1.0 + i % 7 for i in range(5000)]):
        assert trend.draw(of(values))["png"][:4] == b"\x89PNG"


@pytest.mark.parametrize("level, exact, status, said", [
    (9e5, 990, 0, ["same", "same"]), (7.6e5, 990, 1, ["same", "worse"]),
    (9e5, 980, 1, ["same", "worse"]), (1e6, 1000, 0, ["better", "better"])])
def test_the_gate_goes_by_the_last_good_runs(filled, tmp_path, level, exact, status, said):
    new = result(tmp_path, 30, level, exact)
    done = history(filled, "gate", new, "--last=8")
    assert done.returncode == status, done
    assert sorted(word for line in done.stdout.splitlines() for word in line.split()
                  if word in ("same", "worse", "better") and "1 task" in line
                  or word in ("same", "worse", "better") and "144 tasks" in line) == said
    assert f"base: last 8 good runs of {filled}/h.db" in done.stdout


def test_runs_marked_bad_are_not_gone_by(tmp_path):
    files = [result(tmp_path, i) for i in range(6)]
    slow = [result(tmp_path, i, 5e5, 500) for i in range(6, 9)]
    history(tmp_path, "add", *files)
    history(tmp_path, "add", "--bad", *slow)
    new = result(tmp_path, 9, 5e5, 500)
    assert history(tmp_path, "list").stdout.count("bad") == 3
    assert history(tmp_path, "gate", new).returncode == 1
    history(tmp_path, "add", "--good", *slow)
    assert history(tmp_path, "gate", new, "--last=3").returncode == 0


def test_the_gate_adds_what_it_has_judged_and_marks_it(tmp_path):
    history(tmp_path, "add", *(result(tmp_path, i) for i in range(5)))
    assert history(tmp_path, "gate", "--add", result(tmp_path, 5)).returncode == 0
    assert history(tmp_path, "gate", "--add", result(tmp_path, 6, 5e5)).returncode == 1
    marks = [line.split()[-1] for line in history(tmp_path, "list").stdout.splitlines()[1:]]
    assert marks == ["good"] * 6 + ["bad"]


def test_what_single_runs_do_anyway_is_not_called(tmp_path):
    """Runs lie 5 % apart, repeats of one run 0.5 %: the repeats alone would call every run."""
    levels = 1e6 * (1 + 0.05 * np.random.default_rng(4).standard_normal(40))
    files = [result(tmp_path, i % 28, level, noise=0.005, host="h", seed=1)
             .rename(tmp_path / f"n{i}.csv") for i, level in enumerate(levels)]
    called = 0
    for i, path in enumerate(files):
        text = path.read_text().replace(f",r{i % 28},", f",x{i},")
        path.write_text(text)
    history(tmp_path, "add", *files[:20])
    for path in files[20:]:
        called += "worse  " in history(tmp_path, "gate", path, "--last=20").stdout
    assert called <= 1


def test_few_runs_are_inconclusive_and_say_how_many_are_needed(tmp_path):
    history(tmp_path, "add", result(tmp_path, 1))
    done = history(tmp_path, "gate", result(tmp_path, 2, 5e5))
    assert done.returncode == 0
    assert "1 good run in the history: 3 are needed" in done.stdout


def test_nothing_comparable_has_a_status_of_its_own(filled, tmp_path):
    done = history(filled, "gate", result(tmp_path, 40, testcase="brk1"))
    assert done.returncode == 3 and "nothing comparable" in done.stderr


def test_the_export_is_whole_and_names_every_file(filled, tmp_path):
    assert history(filled, "export", "-o", tmp_path).returncode == 0
    config = (tmp_path / "otava.yaml").read_text()
    files = sorted(path.name for path in tmp_path.glob("*.csv"))
    assert len(files) == 2 and all(f'file: "{name}"' in config for name in files)
    rows = list(csv.DictReader(open(tmp_path / files[1], encoding="utf-8")))
    assert list(rows[0]) == ["time", "commit", "run_id", "ops_per_sec"] and len(rows) == 30
    assert rows[0]["time"] == "2026-01-01T00:00:00Z" and rows[20]["commit"] == "c20"
    assert all(float(row["ops_per_sec"]) > 0 for row in rows)


@needs_gnuplot
def test_hostile_names_stay_text(tmp_path):
    names = dict.fromkeys(["testcase", "counter", "batch", "policy", "host", "params", "kind"],
                          HOSTILE)
    bad = {**names, "run_id": "=cmd|' /C calc'!A0" + HOSTILE}
    flat = HOSTILE.replace("\n", " ").replace("\x00", "")
    for number in range(4):
        path = make(tmp_path / f"{number}.csv", *(
            fields(**{**bad, "run_id": f"{bad['run_id']}{number}"}, time=f"=1+1{number}",
                   repeat=i, ops_per_sec=100 + i) for i in range(5)), header=[f"commit: {flat}"])
        assert history(tmp_path, "add", path).returncode == 0
    assert history(tmp_path, "gate", path).returncode == 0
    for action in (["list"], ["trend", "-o", tmp_path / "t"], ["export", "-o", tmp_path / "e"]):
        done = history(tmp_path, *action)
        assert done.returncode == 0, done.stderr
        assert not {char for char in done.stdout if not char.isprintable()} - {"\n"}
    with sqlite3.connect(tmp_path / "h.db") as db:
        assert db.execute("SELECT count(*) FROM run").fetchone() == (4,)
    assert not list(tmp_path.rglob("PWNED")) and not (ROOT / "PWNED").exists()
    exported, = (tmp_path / "e").glob("*.csv")
    for line in exported.read_text().splitlines():
        assert not line.startswith(("=", "+", "-", "@")) and ",=" not in line
        assert line.count(",") == 3 and '"' not in line


@pytest.mark.parametrize("words, wanted", [
    (["list"], "is not there: history.py add makes it"), (["trend"], "is not there"),
    (["gate", "x.csv"], "x.csv: cannot be read"), (["export", "-o", "x"], "is not there"),
    ([], "ACTION"), (["sing"], "invalid choice"), (["add"], "FILE.csv"),
    (["add", "no.csv"], "no.csv: cannot be read"), (["trend", "--last=x"], "'x' is no number")])
def test_bad_input_is_one_line(tmp_path, words, wanted):
    done = history(tmp_path, *words)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done
    assert wanted in done.stderr and not (tmp_path / "h.db").exists()


@pytest.mark.parametrize("content, wanted", [
    (b"no database, but long enough to be read as one" * 20, "cannot be used (file is not"),
    (None, "is no history of runs"), (b"", "is no history of runs")])
def test_a_file_that_is_no_history_is_refused_and_kept(tmp_path, content, wanted):
    path = tmp_path / "h.db"
    if content is None:
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE mine (x)")
    else:
        path.write_bytes(content)
    before = path.read_bytes()
    # add makes a history of an empty file
    adding = [["add", result(tmp_path, 1)]] if content != b"" else []
    for words in (["list"], ["trend"], *adding):
        done = history(tmp_path, *words)
        assert done.returncode == 2 and wanted in done.stderr and done.stderr.count("\n") == 1
    assert path.read_bytes() == before


def test_another_version_is_refused(filled, tmp_path):
    (tmp_path / "h.db").write_bytes((filled / "h.db").read_bytes())
    with sqlite3.connect(tmp_path / "h.db") as db:
        db.execute("PRAGMA user_version = 7")
    done = history(tmp_path, "list")
    assert done.returncode == 2
    assert "is a history of version 7: this program reads version 1" in done.stderr


def test_change_points_are_found_where_they_are():
    chance = np.random.default_rng(2)
    level = 100 * (1 + 0.02 * chance.standard_normal(300))
    level[100:120] *= 0.9
    level[200:] *= 1.06
    level[50] *= 0.4  # a spike is no change
    found = changes.change_points(level)
    assert len(found) == 3
    assert all(abs(at - wanted) <= 1 for at, wanted in zip(found, (100, 120, 200)))


def test_nothing_is_found_in_noise_and_in_short_or_even_series():
    chance = np.random.default_rng(3)
    found = [changes.change_points(100 * (1 + 0.04 * chance.standard_t(3, size=100)))
             for _ in range(100)]
    assert sum(map(len, found)) <= 10
    assert changes.change_points([5.0] * 100) == changes.change_points([1.0, 9.0]) == []
    assert changes.change_points([0.0] * 50) == []


def test_a_change_below_the_least_effect_is_none_however_sure():
    level = 100 * (1 + 0.001 * np.random.default_rng(5).standard_normal(100))
    level[60:] *= 0.99
    assert changes.change_points(level) == [] and changes.change_points(level, 0.005) == [60]


def test_a_long_history_is_searched_everywhere():
    chance = np.random.default_rng(4)
    for at in (30, 299, 300, 301, 600, 1499, 2950):
        level = 100 * (1 + 0.02 * chance.standard_normal(3000))
        level[at:] *= 0.92
        found = changes.change_points(level)
        assert len(found) == 1 and abs(found[0] - at) <= 1
