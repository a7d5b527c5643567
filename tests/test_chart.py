# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart.py - what plot/chart.py makes of result files: its lines and points, as text.

The charts themselves are in test_charts.py.
"""
import csv
import shutil

# First: it makes the modules of plot/ known.
from chart_helpers import DATA, chart, fields, lines_of, make
import pytest
import charts.scaling
import figure
import inputs
import results
import series



def inputs_of(found):
    """An inputs.Data of series.Charts."""
    data = inputs.Data()
    data.charts = found
    return data


GOLDEN_SWITCH = """\
# scaling|testcase=brk1|mode=process|machine=native
series|tasks|ops_per_sec|low|high|note
linear (fastest 1-task rate)|1|899334.1|||
linear (fastest 1-task rate)|2|1798668.2|||
linear (fastest 1-task rate)|4|3597336.4|||
linear (fastest 1-task rate)|8|7194672.8|||
percpu_counter default policy=never|1|893493.7|881283.6|905703.9|
percpu_counter default policy=never|2|1614180.4|1604805|1623555.8|
percpu_counter default policy=never|4|2577272|2554617.3|2599926.8|
percpu_counter default policy=never|8|3705127.8|3680779.3|3729476.3|
percpu_counter default policy=guess|1|899334.1|891480.1|907188.1|
percpu_counter default policy=guess|2|1757624.9|1739999.8|1775250.1|
percpu_counter default policy=guess|4|3419267.1|3381085.8|3457448.3|
percpu_counter default policy=guess|8|6116160|6057932.9|6174387.2|
"""


def test_text_of_a_policy_switch_is_golden():
    done = chart("--text", DATA / "policy_switch.csv")
    assert done.stdout.split("\n\n")[0] + "\n" == GOLDEN_SWITCH.replace("|", "\t")
    assert done.returncode == 0 and done.stderr == ""


def test_repeats_go_through_their_median_with_the_widest_bounds():
    with open(DATA / "scaling_native.csv", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(line for line in file if line[0] != "#")
                if row["counter"] == "atomic" and row["tasks"] == "4"]
    rates = sorted(float(row["ops_per_sec"]) for row in rows)
    point = next(point for point in lines_of(DATA / "scaling_native.csv")["atomic"]
                 if point.tasks == 4)
    assert len(rates) == 3
    assert point == (4, rates[1], min(float(row["ops_low"]) for row in rows),
                     max(float(row["ops_high"]) for row in rows), 3)


def test_repeats_without_bounds_span_their_rates_and_one_has_none(tmp_path):
    path = make(tmp_path / "a.csv", fields(ops_per_sec=10), fields(ops_per_sec=40, repeat=2),
                fields(tasks=2, ops_per_sec=5))
    assert lines_of(path) == {"percpu_counter 64x": [(1, 25, 10, 40, 2), (2, 5, None, None, 1)]}


def test_failed_and_skipped_rows_are_said_and_not_drawn():
    done = chart("--text", DATA / "scaling_native.csv")
    points = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[5] for row in points if row[:2] == ["percpu_counter 64x", "8"]][0] == "2 repeats"
    assert "not drawn: 1 failed (timeout: task 3, no answer in 60 s)" in done.stderr
    done = chart("--text", DATA / "scaling_sim.csv")
    assert "not drawn: 2 skipped (profile xeon-4s has no cost for brk)" in done.stderr
    assert "brk1, process, xeon-4s: no chart: it has no ok row" in done.stderr
    assert "brk1" not in done.stdout


def test_only_settings_that_differ_are_named(tmp_path):
    rows = [fields(params=f"size={size};thp=never", policy=policy) for size in ("128M", "4M")
            for policy in ("guess", "never")]
    path = make(tmp_path / "a.csv", *rows, fields(counter="atomic", batch="", policy="guess"))
    assert list(lines_of(path)) == [
        "atomic policy=guess size=128M",
        "percpu_counter 64x policy=guess size=4M thp=never",
        "percpu_counter 64x policy=guess size=128M thp=never",
        "percpu_counter 64x policy=never size=4M thp=never",
        "percpu_counter 64x policy=never size=128M thp=never"]


@pytest.mark.parametrize("key,values", [("placement", ["core", "pu"]), ("host", ["a", "b"]),
                                        ("policy", ["guess", "never"]), ("kind", ["lru", "zone"])])
def test_a_setting_of_its_own_column_splits_the_line(tmp_path, key, values):
    path = make(tmp_path / "a.csv", *(fields(**{key: value}) for value in values))
    assert list(lines_of(path)) == [f"percpu_counter 64x {key}={value}" for value in values]


def test_kind_is_not_named_for_the_counter_none(tmp_path):
    path = make(tmp_path / "a.csv", fields(), fields(counter="none", kind="", batch=""))
    assert list(lines_of(path)) == ["none", "percpu_counter 64x"]


def test_a_parameter_named_like_a_column_does_not_replace_it(tmp_path):
    path = make(tmp_path / "a.csv", fields(params="counter=a"), fields(params="counter=b"))
    assert list(lines_of(path)) == ["percpu_counter 64x params.counter=a",
                                    "percpu_counter 64x params.counter=b"]


def test_simulated_rows_of_two_hosts_are_one_line(tmp_path):
    path = make(tmp_path / "a.csv", fields(machine="xeon", host="a"),
                fields(machine="xeon", host="b", tasks=2))
    assert [point.tasks for point in lines_of(path)["percpu_counter 64x"]] == [1, 2]


def test_two_runs_are_compared_where_they_meet_and_joined_where_not(tmp_path):
    meet = make(tmp_path / "a.csv", fields(run_id="old"), fields(run_id="new"))
    join = make(tmp_path / "b.csv", fields(run_id="old"), fields(run_id="new", tasks=2))
    assert list(lines_of(meet)) == ["percpu_counter 64x run=new", "percpu_counter 64x run=old"]
    assert len(lines_of(join)["percpu_counter 64x"]) == 2


def test_a_file_given_twice_counts_once_and_so_does_its_copy(tmp_path):
    once = chart("--text", DATA / "scaling_native.csv")
    twice = chart("--text", DATA / "scaling_native.csv", DATA / "scaling_native.csv")
    assert twice.stdout == once.stdout and "given twice, read once" in twice.stderr
    copy = shutil.copy(DATA / "scaling_native.csv", tmp_path / "copy.csv")
    again = chart("--text", DATA / "scaling_native.csv", copy)
    assert again.stdout == once.stdout
    assert "rows that are there twice, counted once: 36" in again.stderr


def test_a_chart_is_one_testcase_mode_and_machine(tmp_path):
    rows = [fields(testcase=testcase, mode=mode, machine=machine)
            for testcase in ("brk1", "mmap1") for mode in ("process", "thread")
            for machine in ("native", "xeon")]
    found, _ = series.charts(results.read(make(tmp_path / "a.csv", *rows))[1])
    assert [(c.testcase, c.mode, c.machine) for c in found] == [
        (row["testcase"], row["mode"], row["machine"]) for row in rows]
    assert [c.simulated for c in found] == [False, True] * 4


def test_linear_is_the_fastest_one_task_rate(tmp_path):
    rows = [fields(ops_per_sec=7), fields(counter="atomic", ops_per_sec=9),
            fields(tasks=2, ops_per_sec=100)]
    found, _ = series.charts(results.read(make(tmp_path / "a.csv", *rows))[1])
    assert series.linear_rate(found[0]) == 9
    rest, _ = series.charts(results.read(make(tmp_path / "b.csv", rows[2]))[1])
    assert series.linear_rate(rest[0]) is None
    assert not any("linear" in line for line in figure.table(charts.scaling.figures(
        inputs_of(rest))[0]))
