# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart_drawing.py - the pictures of plot/chart.py: whole, and nothing in a name is run."""
import pathlib
import struct
import xml.etree.ElementTree

# First: it makes the modules of plot/ known.
from chart_helpers import DATA, ROOT, chart, fields, lines_of, make, needs_gnuplot
import gnuplot
import pytest
import scaling
import text

HOSTILE = "x'y\"z`touch PWNED`\n$A @B {/Symbol a} %d \\ ^_~<&>\t\x1b[31m;system('touch PWNED')"


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
    assert sorted(out) == sorted(f"scaling-mmap1-process-{machine}.{suffix}"
                                 for machine in ("native", "xeon-4s") for suffix in ("png", "svg"))
    assert png_size(out["scaling-mmap1-process-native.png"]) == (1200, 750)
    shown = svg_text(out["scaling-mmap1-process-native.svg"])
    for words in ("mmap1, process mode, machine native", "atomic", "percpu_counter 1x",
                  "percpu_counter 64x", scaling.LINEAR, "Tasks", "Throughput (M ops/s)",
                  "Warning: turbo is on: 1-task rates may be high"):
        assert words in shown
    assert any("AMD EPYC 7763" in words for words in shown)
    assert any("Not drawn: 1 failed" in words for words in shown)
    assert ("mmap1, process mode, machine xeon-4s (simulated)"
            in svg_text(out["scaling-mmap1-process-xeon-4s.svg"]))


@needs_gnuplot
def test_hostile_text_is_shown_and_never_run(tmp_path):
    names = dict.fromkeys(["testcase", "mode", "machine", "counter", "batch", "policy", "host",
                           "placement", "run_id", "params"], HOSTILE)
    rows = [fields(**names), fields(**{**names, "counter": "../../" + HOSTILE}),
            fields(**names, tasks=2), fields(**{**names, "status": "failed", "reason": HOSTILE})]
    flat = HOSTILE.replace("\n", " ")
    path = make(tmp_path / "a.csv", *rows, header=[f"cpu: {flat}", f"warning: {flat}"])
    out = draw(tmp_path, path)
    assert len(out) == 2 and all(name.startswith("scaling-") for name in out)
    svg = next(path for name, path in out.items() if name.endswith(".svg"))
    assert any("x'y\"z`touch PWNED`?$A @B {/Symbol a} %d" in words for words in svg_text(svg))
    assert not list(tmp_path.rglob("PWNED")) and not (ROOT / "PWNED").exists()
    plain = chart("--text", path)
    assert plain.stdout.count("\n") == 6 and "\x1b" not in plain.stdout + plain.stderr
    assert {line.count("\t") for line in plain.stdout.splitlines()} == {8}


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
    assert len(out) == 8
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


def picture(curves, **more):
    """A Picture of curves given as {label: [(x, y, low, high)]}."""
    return gnuplot.Picture("t", [], [], "Tasks", "Throughput", "ops/s",
                           [gnuplot.Curve(*curve) for curve in curves.items()], **more)


def test_curves_differ_in_shape_and_dash():
    program = gnuplot.script(picture({f"c{i}": [(1, 1, None, None)] for i in range(60)}))
    styles = [line.split(" dt ")[1].split(" pi ")[0] for line in program.splitlines()
              if "linespoints" in line][:60]
    assert len(set(styles)) == 60
    assert len({style.split(" pt ")[0] for style in styles[:8]}) == 8
    assert len({style.split(" pt ")[1] for style in styles[:8]}) == 8


def test_few_points_have_bars_and_many_a_band():
    few = gnuplot.script(picture({"a": [(x, 5, 4, 6) for x in range(1, 5)]}))
    many = gnuplot.script(picture({"a": [(x, 5, 4, 6) for x in range(1, 145)]}))
    none = gnuplot.script(picture({"a": [(x, 5, None, None) for x in range(1, 5)]}))
    assert "yerrorbars" in few and "filledcurves" not in few
    assert "filledcurves" in many and "yerrorbars" not in many
    assert "yerrorbars" not in none and "filledcurves" not in none


def test_axes_begin_at_zero_and_the_guide_does_not_dwarf_the_data():
    curves = {"a": [(1, 100, None, None), (10, 600, None, None)]}
    assert "set yrange [0:1.05]" in gnuplot.script(picture(curves, guide="g", guide_slope=100.0))
    assert "set yrange [0:0.7245]" in gnuplot.script(picture(
        {"a": [(1, 0.1, None, None), (10, 0.6, None, None)]}, guide="g", guide_slope=10.0))
    assert "set xrange [0:10.3]" in gnuplot.script(picture(curves))


def test_ticks_are_whole_and_few():
    for largest in range(1, 5000):
        step = gnuplot.x_ticks(largest)
        assert isinstance(step, int) and step >= 1 and largest / step <= 18
    assert [gnuplot.x_ticks(n) for n in (1, 8, 18, 19, 144, 4096)] == [1, 1, 1, 2, 10, 500]


def test_rates_get_an_si_prefix():
    assert [text.si_scale(x)[1] for x in (0, 999, 1000, 5e6, 1e24, 1e30)] == \
        ["", "", "k", "M", "Y", "1e30"]


def test_no_text_is_enhanced():
    curves = {"a_{b}": [(1, 1, None, None)]}
    program = gnuplot.script(gnuplot.Picture("t", ["s"], ["f"], "x", "y", "u", [
        gnuplot.Curve(*curve) for curve in curves.items()], "g", 1.0)).replace(" \\\n", " ")
    for line in program.splitlines():
        if line.startswith(("set terminal", "set label", "set xlabel", "set ylabel", "set key at")):
            assert "noenhanced" in line
        if line.startswith("plot"):
            assert line.count(" title ") == line.count("noenhanced") == 2


def test_a_quote_ends_no_string():
    assert gnuplot.quote("a'b\n`c`\\") == "'a''b?`c`\\'"


def test_names_are_shortened_in_the_middle_and_stay_apart(tmp_path):
    names = [f"{'n' * 100}{end}{'m' * 100}" for end in "abc"]
    found = lines_of(make(tmp_path / "a.csv", *(fields(counter=name) for name in names)))
    assert len(found) == 3 and all("…" in label and len(label) <= 75 for label in found)
