# SPDX-License-Identifier: GPL-2.0-or-later
"""test_charts.py - each chart of plot/charts/: its series as text, and bad fields."""
import pathlib

# First: it makes the modules of plot/ known.
from chart_helpers import (ALL_CHARTS, DATA, LATENCY, PUBLISHED, chart, fields, hostile_files,
                           latency_row, make, refuses, write_table)
import charts
import charts.batch
import charts.latency_histogram
import charts.tradeoff
import figure
import inputs
import pytest

UNIT = "counts: commit pages"


def text_of(name, *files):
    """The block of one chart, tabs as |; it must be there once."""
    done = chart("--text", *files)
    assert done.returncode == 0, done.stderr
    blocks = [block.strip("\n").replace("\t", "|") for block in done.stdout.split("\n\n")]
    found = [block for block in blocks if block.startswith(f"# {name}|")]
    assert len(found) == 1, done.stdout
    return found[0]


def names_of(*files):
    """Names of the charts that files give."""
    return [line.split("\t")[0][2:] for line in chart("--text", *files).stdout.splitlines()
            if line.startswith("# ") and "\t" in line]


def test_every_module_is_found_and_has_its_place(tmp_path):
    folder = pathlib.Path(charts.__file__).parent
    assert {module.__name__.split(".")[1] for module in charts.modules()} == \
        {path.stem for path in folder.glob("[a-z]*.py")}
    found = charts.figures(inputs.load([str(path) for path in hostile_files(tmp_path, "x")]))
    assert {one.chart for one in found} == ALL_CHARTS
    assert [module.ORDER for module in charts.modules()] == \
        sorted(module.ORDER for module in charts.modules())


def test_scaling_marks_what_begins_within_the_tasks(tmp_path):
    rows = [fields(tasks=tasks) for tasks in (1, 20, 40)]
    path = make(tmp_path / "a.csv", *rows, header=["places: package=19,37,55 smt=41 again=2"])
    assert text_of("scaling", path).splitlines()[1:4] == [
        "# from 2 on: CPUs used again", "# from 19 on: package 2", "# from 37 on: package 3"]


@pytest.mark.parametrize("places", ["package=0 smt=x", "package 19", "other=19", "smt=-3", "smt="])
def test_places_that_are_none_make_no_mark(tmp_path, places):
    path = make(tmp_path / "a.csv", fields(), fields(tasks=99), header=[f"places: {places}"])
    assert "# from" not in text_of("scaling", path)


def test_files_that_disagree_on_places_make_no_mark(tmp_path):
    one = make(tmp_path / "a.csv", fields(), fields(tasks=9), header=["places: smt=2"])
    two = make(tmp_path / "b.csv", fields(counter="x"), header=["places: smt=3"])
    assert "# from 2 on: SMT siblings" in text_of("scaling", one)
    assert "# from" not in text_of("scaling", one, two)


def test_efficiency_is_golden(tmp_path):
    path = make(tmp_path / "a.csv", fields(efficiency=1), fields(
        tasks=4, ops_per_sec=200, ops_low=190, ops_high=220, efficiency=0.5))
    assert text_of("efficiency", path) == """\
# efficiency|testcase=mmap1|mode=process|machine=native
series|tasks|efficiency_pct|low|high|note
100 %: as fast as alone|1|100|||
100 %: as fast as alone|4|100|||
percpu_counter 64x|1|100|||
percpu_counter 64x|4|50|47.5|55|"""
    assert "efficiency" not in names_of(make(tmp_path / "b.csv", fields(efficiency=1)))


def test_lock_wait_is_golden_and_its_rest_is_told(tmp_path):
    path = make(tmp_path / "a.csv",
                fields(lock_wait_pct=0), fields(tasks=8, lock_wait_pct=50, lock_sites="a:30;b:20"),
                fields(tasks=8, repeat=2, lock_wait_pct=60, lock_sites="a:40"),
                fields(counter="idle", lock_wait_pct=0))
    assert text_of("lockwait", path) == """\
# lockwait|testcase=mmap1|mode=process|machine=native
panel|series|tasks|wait_pct|low|high|note
percpu_counter 64x|a|1|0|||
percpu_counter 64x|a|8|35|||
percpu_counter 64x|b|1|0|||
percpu_counter 64x|b|8|10|||
percpu_counter 64x|site not told|1|0|||
percpu_counter 64x|site not told|8|10|||"""
    assert "lockwait" not in names_of(make(tmp_path / "b.csv", fields(lock_wait_pct=0)))


def test_lock_wait_bars_are_stacked():
    curves = [figure.Curve(name, [figure.Point(0, 30), figure.Point(1, y)], figure.BARS)
              for name, y in (("a", 5), ("b", 7))]
    assert figure.bottoms(figure.Panel(curves)) == {("a", 0): 0, ("a", 1): 0, ("b", 0): 30,
                                                    ("b", 1): 5}


@pytest.mark.parametrize("sites", ["charge", "charge:", "charge:x", "charge:nan", "charge:-1", ":"])
def test_bad_lock_sites_are_refused_with_their_line(tmp_path, sites):
    refuses(make(tmp_path / "a.csv", fields(), fields(tasks=2, lock_wait_pct=5, lock_sites=sites)),
            "lock_sites", line=3)


def trade_rows():
    """An exact counter, one with two batches, one that counts nothing; at 1 and 4 tasks."""
    return [fields(**row, tasks=tasks, ops_per_sec=tasks * rate) for tasks in (1, 4)
            for rate, row in (
                (10, {"counter": "atomic", "batch": "", "batch_used": "", "error_bound": 0,
                      "error_max": 0, "read_ns": 2}),
                (20, {"batch": "1x", "batch_used": 10, "error_bound": 36, "error_max": 9,
                      "read_ns": 3, "sum_ns": 4000}),
                (30, {"batch": "9x", "batch_used": 90, "error_bound": 356, "error_max": 80,
                      "read_ns": 3}),
                (40, {"counter": "none", "batch": "", "batch_used": ""}))]


def test_trade_off_is_golden(tmp_path):
    path = make(tmp_path / "a.csv", *trade_rows(), header=[UNIT])
    assert text_of("tradeoff", path) == """\
# tradeoff|testcase=mmap1|mode=process|machine=native
panel|series|error_bound|ops_per_sec|low|high|note
← closer to the truth|atomic|0|40|||atomic; bound 0 pages, largest error seen 0 pages, a cheap \
read 2 ns
← closer to the truth|percpu_counter|36|80|||1x; batch 10 pages, bound 36 pages = 144 KiB, \
largest error seen 9 pages = 36 KiB, a cheap read 3 ns, an exact one 4 µs
← closer to the truth|percpu_counter|356|120|||9x; batch 90 pages, bound 356 pages = 1.39 MiB, \
largest error seen 80 pages = 320 KiB, a cheap read 3 ns
← closer to the truth|frontier: no point is both faster and nearer the truth|0|40|||
← closer to the truth|frontier: no point is both faster and nearer the truth|36|40|||
← closer to the truth|frontier: no point is both faster and nearer the truth|36|80|||
← closer to the truth|frontier: no point is both faster and nearer the truth|356|80|||
← closer to the truth|frontier: no point is both faster and nearer the truth|356|120|||
← closer to the truth|frontier: no point is both faster and nearer the truth|356|120|||
← closer to the truth|none: nothing is counted|0|160|||
← closer to the truth|none: nothing is counted|356|160|||
panel|series|read_ns|ops_per_sec|low|high|note
← cheaper to read|atomic|2|40|||atomic; bound 0 pages, largest error seen 0 pages, a cheap read 2 ns
← cheaper to read|percpu_counter|3|80|||1x; batch 10 pages, bound 36 pages = 144 KiB, largest \
error seen 9 pages = 36 KiB, a cheap read 3 ns, an exact one 4 µs
← cheaper to read|percpu_counter|3|120|||9x; batch 90 pages, bound 356 pages = 1.39 MiB, largest \
error seen 80 pages = 320 KiB, a cheap read 3 ns
← cheaper to read|none: nothing is counted|2|160|||
← cheaper to read|none: nothing is counted|3|160|||"""


def test_trade_off_takes_the_most_tasks_that_half_the_lines_have(tmp_path):
    rows = trade_rows() + [fields(batch="1x", batch_used=10, error_bound=36, tasks=8)]
    assert "|160|" in text_of("tradeoff", make(tmp_path / "a.csv", *rows))
    one = make(tmp_path / "b.csv", fields(error_bound=5), fields(tasks=2, error_bound=5))
    assert "tradeoff" not in names_of(one)


def test_the_frontier_leaves_out_what_is_beaten():
    points = [figure.Point(x, y) for x, y in ((0, 5), (1, 4), (2, 9), (2, 8), (3, 9), (4, 10))]
    assert [(p.x, p.y) for p in charts.tradeoff.frontier(points)] == [(0, 5), (2, 9), (4, 10)]


def test_a_unit_that_is_not_told_is_called_counts(tmp_path):
    assert "bound 36 counts," in text_of("tradeoff", make(tmp_path / "a.csv", *trade_rows()))


def test_batch_curve_is_golden_and_marks_its_knee(tmp_path):
    rows = [fields(batch=f"{used}x", batch_used=used, tasks=tasks, ops_per_sec=rate)
            for tasks in (1, 8) for used, rate in ((10, 50), (20, 96), (40, 100), (80, 99))]
    path = make(tmp_path / "a.csv", *rows, fields(counter="two", batch_used=5),
                fields(counter="two", batch="9", batch_used=9))
    block = text_of("batch", path).splitlines()
    assert block[:2] == ["# batch|testcase=mmap1|mode=process|machine=native",
                         "series|batch_used|ops_per_sec|low|high|note"]
    assert block[2:6] == ["percpu_counter, 8 tasks|10|50|||batch 10x",
                          "percpu_counter, 8 tasks|20|96|||knee 20; batch 20x",
                          "percpu_counter, 8 tasks|40|100|||batch 40x",
                          "percpu_counter, 8 tasks|80|99|||batch 80x"]
    assert block[6].startswith("percpu_counter, 1 task|") and "two" not in "".join(block)
    assert "batch" not in names_of(make(tmp_path / "b.csv", *rows[:2]))


@pytest.mark.parametrize("rates,at", [((94, 100, 100), 2), ((95, 100, 100), 1), ((1, 2, 100), 3),
                                      ((100, 50, 10), 1)])
def test_the_knee_is_within_five_percent_of_the_ceiling(rates, at):
    points = [figure.Point(x, y) for x, y in enumerate(rates, 1)]
    assert charts.batch.knee(points).x == at and charts.batch.knee(points[:2]) is None


def test_fairness_is_golden(tmp_path):
    path = make(tmp_path / "a.csv", fields(task_min=5, task_max=5),
                fields(tasks=2, task_min=30, task_max=40), fields(
                    tasks=4, task_min=10, task_max=40), fields(tasks=4, repeat=2, task_min=20,
                                                               task_max=40))
    assert text_of("fairness", path) == """\
# fairness|testcase=mmap1|mode=process|machine=native
series|tasks|slowest_pct|low|high|note
100 %: all tasks alike|2|100|||
100 %: all tasks alike|4|100|||
percpu_counter 64x|2|75|||
percpu_counter 64x|4|37.5|25|50|2 repeats"""


def latency_files(folder, *rows):
    """A result file with its companion."""
    write_table(folder / "a.latency.csv", LATENCY, *rows)
    return make(folder / "a.csv", fields())


def test_latency_comes_from_the_companion_and_is_golden(tmp_path):
    path = latency_files(tmp_path, latency_row(count=90), latency_row(count=9, repeat=2),
                         latency_row(low_ns=1024, high_ns=2048, count=1),
                         latency_row(tasks=1, count=4), latency_row(testcase="x", count=1))
    block = """\
# latency|testcase=mmap1|mode=process|machine=native
series|low_ns|share_pct|low|high|note
pagevec 15, 2 tasks|128|99|||128 ns to 256 ns: 99 accesses
pagevec 15, 2 tasks|256|0|||
pagevec 15, 2 tasks|1024|1|||1.02 µs to 2.05 µs: 1 accesses
pagevec 15, 2 tasks|2048|0|||
pagevec 15, 1 task|128|100|||128 ns to 256 ns: 4 accesses
pagevec 15, 1 task|256|0|||"""
    done = chart("--text", path)
    assert block in done.stdout.replace("\t", "|") and "testcase=x" in done.stdout
    both = chart("--text", path, tmp_path / "a.latency.csv")
    assert both.stdout == done.stdout
    alone = chart("--text", tmp_path / "a.latency.csv")
    assert block in alone.stdout.replace("\t", "|") and "scaling" not in alone.stdout


def test_percentiles_are_upper_ends_of_buckets():
    buckets = {(1, 2): 50, (2, 4): 49, (4, 8): 1}
    of = charts.latency_histogram.percentile
    assert [of(buckets, percent) for percent in (50, 50.1, 99, 99.9)] == [2, 4, 4, 8]


@pytest.mark.parametrize("changes,wanted", [
    ({"schema": 2}, "schema is '2'"), ({"count": -1}, "count '-1' is negative"),
    ({"low_ns": "nan"}, "low_ns 'nan' is not a finite number"), ({"tasks": ""}, "tasks is empty"),
    ({"high_ns": 128}, "high_ns 128 is not above low_ns 128")])
def test_bad_latency_rows_are_refused(tmp_path, changes, wanted):
    refuses(write_table(tmp_path / "x.csv", LATENCY, latency_row(), latency_row(**changes)),
            wanted, line=3)


def test_a_cut_latency_file_and_a_missing_column(tmp_path):
    path = write_table(tmp_path / "x.csv", LATENCY, latency_row(), latency_row())
    path.write_bytes(path.read_bytes()[:-3])
    done = chart("--text", path)
    assert done.returncode == 0 and f"{path}:3: last line is cut off, dropped" in done.stderr
    refuses(write_table(tmp_path / "y.csv", LATENCY[1:], latency_row()[1:]),
            "not a latency CSV: missing columns: schema", line=1)


def published_row(**changes):
    row = {"block": "numa", "row": "32", "metric": "cycles", "published_low": 700,
           "published_high": 800, "simulated": 880, "ratio": 1.1, "basis": "predicted"}
    return list({**row, **changes}.values())


def test_reproduction_is_golden(tmp_path):
    path = write_table(tmp_path / "reproduce.csv", PUBLISHED, published_row(),
                       published_row(row="64", published_low=600, published_high=600, simulated=600,
                                     ratio=1, basis="fitted"),
                       published_row(metric="lock_pct", published_low=1, published_high=1,
                                     simulated=1, ratio=""), published_row(block="other"))
    block = text_of("reproduction", path) if names_of(path) == ["reproduction"] else \
        chart("--text", path).stdout.split("\n\n")[0].replace("\t", "|")
    assert block == """\
# reproduction|block=numa
panel|series|row|value|low|high|note
cycles|published|32|750|700|800|
cycles|published|64|600|600|600|
cycles|simulated, fitted on this row|64|600|||×1; 600 against 600
cycles|simulated, predicted|32|880|||×1.1; 880 against 700 to 800
lock_pct|published|32|1|1|1|
lock_pct|simulated, predicted|32|1|||1 against 1"""
    assert names_of(path) == ["reproduction", "reproduction"]


@pytest.mark.parametrize("changes,wanted", [
    ({"basis": "guessed"}, "basis 'guessed' is none of given, fitted, predicted"),
    ({"simulated": "inf"}, "simulated 'inf' is not a finite number"),
    ({"simulated": ""}, "simulated is empty"), ({"published_low": -1}, "published_low -1 is neg"),
    ({"published_low": 900}, "published_low 900 is above published_high 800")])
def test_bad_published_rows_are_refused(tmp_path, changes, wanted):
    refuses(write_table(tmp_path / "x.csv", PUBLISHED, published_row(), published_row(**changes)),
            wanted, line=3)


def test_native_and_simulated_are_never_one_picture(tmp_path):
    rows = [fields(machine=machine, tasks=tasks, error_bound=5, task_min=1, task_max=2,
                   batch=batch, batch_used=used, efficiency=1, lock_wait_pct=5)
            for machine in ("native", "4s") for tasks in (1, 2)
            for batch, used in (("1x", 1), ("2x", 2), ("3x", 3))]
    data = inputs.load([str(make(tmp_path / "a.csv", *rows))])
    found = charts.figures(data)
    assert len(found) == 12
    for one in found:
        machines = {row.machine for panel in one.panels for curve in panel.curves
                    for line in curve.lines for row in line.rows}
        assert len(machines) <= 1
        assert ("(simulated)" in one.title) == (dict(one.names)["machine"] == "4s")


def test_the_fixtures_of_a_many_core_machine_are_golden():
    done = chart("--text", DATA / "many_core.csv")
    assert done.stdout.replace("\t", "|") == (DATA / "many_core.txt").read_text()
    assert done.stderr == ""
