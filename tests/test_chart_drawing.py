# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart_drawing.py - the pictures of plot/chart.py: whole, and nothing in a name is run."""
import pathlib
import struct
import xml.etree.ElementTree

# First: it makes the modules of plot/ known.
from chart_helpers import (ALL_CHARTS, DATA, HOSTILE, ROOT, chart, fields, hostile_files, lines_of,
                           make, needs_gnuplot)
import charts.scaling
import figure
import gnuplot
import gnuplot_layout
import pytest
import text


def png_size(path):
    """(width, height) of a PNG in pixels."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


def svg_text(path):
    """All text elements of an SVG, a list."""
    root = xml.etree.ElementTree.parse(path).getroot()
    return ["".join(item.itertext()).strip() for item in root.iter()
            if item.tag.endswith("}text")]


def draw(tmp_path, *files):
    """Draw files; return {name: path} of what chart.py says it wrote, which must be all."""
    folder = tmp_path / "deep" / "out"
    done = chart(*files, "-o", folder)
    assert done.returncode == 0, done.stderr
    paths = [pathlib.Path(line) for line in done.stdout.splitlines()]
    assert sorted(paths) == sorted(folder.iterdir())
    return {path.name: path for path in paths}


@needs_gnuplot
def test_a_native_and_a_simulated_chart_are_drawn(tmp_path):
    out = draw(tmp_path, DATA / "scaling_native.csv", DATA / "scaling_sim.csv")
    assert sorted(out) == sorted(f"{name}-mmap1-process-{machine}.{suffix}"
                                 for name in ("scaling", "lockwait", "fairness")
                                 for machine in ("native", "xeon-4s") for suffix in ("png", "svg"))
    assert png_size(out["scaling-mmap1-process-native.png"]) == (1200, 750)
    shown = svg_text(out["scaling-mmap1-process-native.svg"])
    for words in ("mmap1: scaling, process mode, machine native", "atomic", "percpu_counter 1x",
                  "percpu_counter 64x", charts.scaling.LINEAR, "Tasks", "Throughput (M ops/s)",
                  "Warning: turbo is on: 1-task rates may be high"):
        assert words in shown
    assert any("AMD EPYC 7763" in words for words in shown)
    assert any("Not drawn: 1 failed" in words for words in shown)
    assert ("mmap1: scaling, process mode, machine xeon-4s (simulated)"
            in svg_text(out["scaling-mmap1-process-xeon-4s.svg"]))


@needs_gnuplot
def test_hostile_text_is_shown_and_never_run(tmp_path):
    files = hostile_files(tmp_path, "../../" + HOSTILE)
    out = draw(tmp_path, *files)
    assert len(out) == 2 * len(ALL_CHARTS)
    assert {name.split("-")[0] for name in out} == ALL_CHARTS
    for name, path in out.items():
        if name.endswith(".svg"):
            assert any("x'y\"z`touch PWNED`?$A @B {/Symbol a} %d" in words
                       for words in svg_text(path)), name
    assert not list(tmp_path.rglob("PWNED")) and not (ROOT / "PWNED").exists()
    plain = chart("--text", *files)
    assert plain.returncode == 0 and "\x1b" not in plain.stdout + plain.stderr
    for block in plain.stdout.split("\n\n"):
        rows = [line for line in block.splitlines() if line[0] != "#"]
        if not block.startswith("# tradeoff"):  # its second panel has columns of its own
            assert len({line.count("\t") for line in rows}) == 1


@needs_gnuplot
@pytest.mark.parametrize("names", [("..", "/etc/passwd", "a\0b"), ("", "", "x"), ("-o", "~", "|x"),
                                   ("n" * 5000, "p", "q")])
def test_file_names_stay_in_the_folder(tmp_path, names):
    row = dict(zip(("testcase", "mode", "machine"), names))
    out = draw(tmp_path, make(tmp_path / "a.csv", fields(**row)))
    assert len(out) == 2 and max(map(len, out)) < 200


def test_different_names_give_different_files():
    stems = {text.file_stem("s", *names) for names in (
        ("a-b", "c", "d"), ("a", "b-c", "d"), ("a", "b", "c-d"), ("a/b", "c", "d"),
        ("a_b", "c", "d"), ("a b", "c", "d"))}
    assert len(stems) == 6
    assert text.file_stem("..", "x").startswith("-x-")
    assert text.file_stem("scaling", "mmap1", "process", "xeon-4s") == \
        "scaling-mmap1-process-xeon-4s"


@needs_gnuplot
def test_points_ranges_and_many_series_are_drawn(tmp_path):
    one = make(tmp_path / "one.csv", fields(testcase="one"))
    zero = make(tmp_path / "zero.csv", fields(testcase="zero", ops_per_sec=0))
    huge = make(tmp_path / "huge.csv", *(
        fields(testcase="huge", tasks=tasks, ops_per_sec=f"{tasks}e95") for tasks in (1, 4096)))
    many = make(tmp_path / "many.csv", *(
        fields(testcase="many", batch=batch, batch_used=batch, tasks=tasks)
        for batch in range(60) for tasks in (1, 144)))
    out = draw(tmp_path, one, zero, huge, many)
    assert len(out) == 10 and "batch-many-process-native.png" in out
    assert png_size(out["scaling-many-process-native.png"])[1] > 750


@needs_gnuplot
@pytest.mark.parametrize("length", [20, 30, 34, 40, 50, 72])
def test_a_legend_of_any_width_is_whole(tmp_path, length):
    names = [f"{number:02}".ljust(length, "n") for number in range(41)]
    path = make(tmp_path / "a.csv", *(fields(counter=name, batch="") for name in names))
    out = draw(tmp_path, path)
    root = xml.etree.ElementTree.parse(out["scaling-mmap1-process-native.svg"]).getroot()
    height = png_size(out["scaling-mmap1-process-native.png"])[1]
    assert root.get("height") == str(height)
    places = {}  # of the names, which gnuplot puts into <g transform="translate(x,y)"><text>
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        words = [item.text for item in group if item.tag.endswith("}text")]
        if words and words[0] in names:
            place = group.get("transform").split("(")[1].split(")")[0].split(",")
            places[words[0]] = tuple(float(number) for number in place)
    assert sorted(places) == names
    assert len(set(places.values())) == 41
    assert all(x + 7.9 * length < 1200 and y < height - 20 for x, y in places.values())


def picture(curves, marks=(), style=figure.LINE, **axis):
    """A Figure of one panel, of curves given as {label: [(x, y, low, high)]}."""
    found = [figure.Curve(label, [figure.Point(*point) for point in points], style)
             for label, points in curves.items()]
    return figure.Figure("scaling", [], "t", figure.Axis("Tasks", column="tasks"),
                         figure.Axis("Throughput", "ops/s", "ops_per_sec", si=True, **axis),
                         [figure.Panel(found)], ["s"], ["f"], list(marks))


def program(*arguments, **more):
    """The gnuplot program of picture()."""
    return gnuplot.script(picture(*arguments, **more), "png", "out.png")


def test_curves_differ_in_shape_and_dash():
    said = program({f"c{i}": [(1, 1, None, None)] for i in range(60)})
    styles = [line.split(" dt ")[1].split(" pi ")[0] for line in said.splitlines()
              if "linespoints" in line and "keyentry" not in line]
    legend = [line.split(" dt ")[1].split(" title ")[0] for line in said.splitlines()
              if "keyentry" in line]
    assert styles == legend and len(set(styles)) == 60
    assert len({style.split(" pt ")[0] for style in styles[:8]}) == 8
    assert len({style.split(" pt ")[1] for style in styles[:8]}) == 8


def test_stacked_bars_differ_in_pattern():
    said = program({f"c{i}": [(1, 1, None, None)] for i in range(7)}, style=figure.BARS)
    patterns = [line.split(" fs ")[1].split(" border")[0] for line in said.splitlines()
                if "boxxyerror" in line]
    assert len(set(patterns)) == 7


def test_few_points_have_bars_and_many_a_band():
    few = program({"a": [(x, 5, 4, 6) for x in range(1, 5)]})
    many = program({"a": [(x, 5, 4, 6) for x in range(1, 145)]})
    none = program({"a": [(x, 5, None, None) for x in range(1, 5)]})
    assert "yerrorbars" in few and "filledcurves" not in few
    assert "filledcurves" in many and "yerrorbars" not in many
    assert "yerrorbars" not in none and "filledcurves" not in none


def test_axes_begin_at_zero_and_a_guide_does_not_dwarf_the_data():
    def top(guide):
        one = picture({"a": [(1, 100, None, None), (10, 600, None, None)]})
        one.panels[0].curves.append(figure.Curve("g", [figure.Point(10, guide)], figure.GUIDE))
        return figure.scales(one, one.panels[0], 10)[1]
    assert (top(1000).low, round(top(1000).high)) == (0, 1050)
    assert round(top(10000).high, 1) == 724.5
    assert "set xrange [0:10.3]" in program({"a": [(10, 1, None, None)]})


def test_ticks_are_whole_and_few_for_tasks():
    for largest in range(1, 5000):
        step = figure.nice_step(largest, 18, whole=True)
        assert isinstance(step, int) and step >= 1 and largest / step <= 18
    assert [figure.nice_step(n, 18, whole=True) for n in (1, 8, 18, 19, 144, 4096)] == \
        [1, 1, 1, 2, 10, 500]


def test_a_log_axis_has_a_place_for_zero_and_few_ticks():
    scale = figure.Scale(figure.Axis("x", log=True, zero="exact"), [0, 10, 1e6], 10)
    places = [place for place, _ in scale.ticks]
    assert scale.ticks[0] == (scale.place(0), "exact") and places == sorted(places)
    assert scale.low < scale.place(0) < scale.place(10) - 0.3
    assert scale.place(1e6) == 6 < scale.high and 3 <= len(places) <= 11
    assert len(figure.Scale(figure.Axis("x", log=True), [1, 1e90], 10).ticks) <= 12
    assert figure.Scale(figure.Axis("x", log=True), [5, 5], 10).ticks


def test_numbers_for_people():
    assert [figure.in_bytes(n) for n in (0, 999, 98725888, 5.9 * 2**30)] == \
        ["0 B", "999 B", "94.2 MiB", "5.9 GiB"]
    assert [figure.in_time(n) for n in (0.5, 999, 2050, 3e6, 2e9)] == \
        ["0.5 ns", "999 ns", "2.05 µs", "3 ms", "2 s"]
    assert [figure.short(n) for n in (0, 4, 0.25, 12345, 1.5e6)] == ["0", "4", "0.25", "12.3k",
                                                                     "1.5M"]


def test_rates_get_an_si_prefix():
    assert [text.si_scale(x)[1] for x in (0, 999, 1000, 5e6, 1e24, 1e30)] == \
        ["", "", "k", "M", "Y", "1e30"]


def test_no_text_is_enhanced():
    said = program({"a_{b}": [(1, 1, None, None)]}, marks=[(1, "m_{n}")]).replace(" \\\n", " ")
    for line in said.splitlines():
        if line.startswith(("set terminal", "set label", "set xlabel", "set ylabel", "set key at",
                            "set xtics", "set ytics")):
            assert "noenhanced" in line
        assert line.count(" title ") == line.count(" noenhanced") or not line.startswith("plot")


def test_a_quote_ends_no_string():
    assert gnuplot.quote("a'b\n`c`\\") == "'a''b?`c`\\'"


def test_names_are_shortened_in_the_middle_and_stay_apart(tmp_path):
    names = [f"{'n' * 100}{end}{'m' * 100}" for end in "abc"]
    found = lines_of(make(tmp_path / "a.csv", *(fields(counter=name) for name in names)))
    assert len(found) == 3 and all("…" in label and len(label) <= 75 for label in found)


def notes_of(*curves):
    """The notes of a panel of curves, each a list of (x, y, note), as (x, y, text, side)."""
    one = picture({str(i): [point[:2] for point in points] for i, points in enumerate(curves)})
    for curve, points in zip(one.panels[0].curves, curves):
        for point, (_, _, note) in zip(curve.points, points):
            point.note = note
    box = gnuplot_layout.Box(100, 50, 900, 550, True, 750)
    return gnuplot_layout.notes(one.panels[0], box, *figure.scales(one, one.panels[0], 10))


def test_notes_in_one_place_are_one_note_and_others_do_not_overlap():
    assert [text for *_, text, _ in notes_of([(5, 5, "1x"), (5, 5, "2x")])] == ["1x, 2x"]
    assert [text for *_, text, _ in notes_of([(5, 5, "1x")], [(5, 5.05, "1x")])] == ["1x"]
    assert [text for *_, text, _ in notes_of([(5, 5, "1x")], [(1, 9, "1x")])] == ["1x", "1x"]
    placed = notes_of([(10, 9, "")], *([(5, 5 + i / 9, f"note {i}")] for i in range(6)))
    assert len({(x, y) for x, y, *_ in placed}) == 6
    for index, (x, y, _, side) in enumerate(placed):
        left = gnuplot_layout.left_of(side, x, 50)
        for a, b, _, other in placed[:index]:
            apart = abs(gnuplot_layout.left_of(other, a, 50) - left) > 45 or abs(b - y) > 12
            assert apart, placed


def test_marks_that_would_overlap_take_two_rows_and_then_none():
    scale = figure.Scale(figure.Axis("x"), [100], from_zero=False)
    box = gnuplot_layout.Box(100, 50, 900, 550, True, 750)
    marks = [(at, f"package {at}") for at in (10, 12, 14, 60)]
    found = gnuplot_layout.mark_labels(marks, box, scale)
    assert [text for *_, text in found] == ["package 10", "package 12", "package 60"]
    assert found[0][1] != found[1][1] and found[0][1] == found[2][1]
