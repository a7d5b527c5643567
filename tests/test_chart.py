# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart - plot/chart.py on its command line, and the pure modules beside it."""

import csv
import io
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
sys.path.insert(0, str(ROOT / "plot"))

import gnuplot  # noqa: E402
import results  # noqa: E402
import scaling  # noqa: E402
import series  # noqa: E402
import text  # noqa: E402

HOSTILE = "x'y\"z`touch PWNED`\n$A @B {/Symbol a} %d \\ ^_~<&>\t\x1b[31m;system('touch PWNED')"
needs_gnuplot = pytest.mark.skipif(not shutil.which("gnuplot"), reason="gnuplot is not there")


def columns():
    """The header row of a fixture: written by hand there, so not the reader's own idea of it."""
    with open(DATA / "scaling_native.csv", encoding="utf-8") as file:
        return next(line for line in file if not line.startswith("#")).strip().split(",")


def fields(**changes):
    """One row as a dict of text; by default an ok row of percpu_counter 64x at one task."""
    row = dict.fromkeys(columns(), "")
    row.update(schema="1", run_id="r1", host="h", machine="native", testcase="mmap1",
               counter="percpu_counter", kind="commit", batch="64x", batch_used="4096",
               policy="guess", mode="process", placement="core", tasks="1", repeat="1", seed="1",
               ops_per_sec="100", params="size=128M", status="ok")
    row.update({key: str(value) for key, value in changes.items()})
    return row


def make(path, *rows, header=()):
    """Write rows (dicts of fields()) as a result file; return its path."""
    out = io.StringIO()
    out.writelines(f"# {line}\n" for line in header)
    writer = csv.DictWriter(out, rows[0].keys() if rows else columns(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    path.write_bytes(out.getvalue().encode())
    return path


def chart(*arguments, cwd=None, env=None):
    """Run chart.py; return the finished process."""
    return subprocess.run([ROOT / "plot" / "chart.py", *map(str, arguments)], cwd=cwd, env=env,
                          capture_output=True, text=True, check=False, timeout=120)


def lines_of(path):
    """{label: list of Point} of the only chart of a file."""
    found, _ = series.charts(results.read(path)[1])
    assert len(found) == 1
    return {line.label: line.points() for line in found[0].lines}


def refuses(path, *wanted, line=None):
    """chart.py must refuse the file in one line, with exit status 2, and write nothing."""
    folder = path.parent / "refused"
    done = chart(path, "-o", folder)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith(f"chart.py: {path}" + (f":{line}: " if line else ""))
    for word in wanted:
        assert word in done.stderr
    assert not folder.exists()


# ---- the series

GOLDEN_SWITCH = """\
testcase mode machine series tasks repeats ops_per_sec ops_low ops_high
brk1|process|native|percpu_counter default policy=never|1|1|893493.7|881283.6|905703.9
brk1|process|native|percpu_counter default policy=never|2|1|1614180.4|1604805|1623555.8
brk1|process|native|percpu_counter default policy=never|4|1|2577272|2554617.3|2599926.8
brk1|process|native|percpu_counter default policy=never|8|1|3705127.8|3680779.3|3729476.3
brk1|process|native|percpu_counter default policy=guess|1|1|899334.1|891480.1|907188.1
brk1|process|native|percpu_counter default policy=guess|2|1|1757624.9|1739999.8|1775250.1
brk1|process|native|percpu_counter default policy=guess|4|1|3419267.1|3381085.8|3457448.3
brk1|process|native|percpu_counter default policy=guess|8|1|6116160|6057932.9|6174387.2
brk1|process|native|linear|1||899334.1||
brk1|process|native|linear|2||1798668.2||
brk1|process|native|linear|4||3597336.4||
brk1|process|native|linear|8||7194672.8||
"""


def test_text_of_a_policy_switch_is_golden():
    done = chart("--text", DATA / "policy_switch.csv")
    head, rest = GOLDEN_SWITCH.split("\n", 1)
    assert done.stdout == head.replace(" ", "\t") + "\n" + rest.replace("|", "\t")
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
    assert [row[5] for row in points if row[3:5] == ["percpu_counter 64x", "8"]] == ["2"]
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


def test_a_file_given_twice_counts_once():
    once = chart("--text", DATA / "scaling_native.csv")
    twice = chart("--text", DATA / "scaling_native.csv", DATA / "scaling_native.csv")
    assert twice.stdout == once.stdout
    assert "rows that are there twice, counted once: 36" in twice.stderr


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
    assert not any("linear\t" in line for line in scaling.table(rest))


# ---- reading

def test_rows_have_types_and_later_columns_are_kept(tmp_path):
    path = make(tmp_path / "a.csv", {**fields(ops_low="-3.5", ops_high=200), "later": "x"},
                header=["cpu: AMD EPYC", "warning: a", "warning: b: c"])
    source, rows = results.read(path)
    row = rows[0]
    assert (row.tasks, row.ops_per_sec, row.ops_low, row.error_max) == (1, 100.0, -3.5, None)
    assert row.params == {"size": "128M"} and row.extra == {"later": "x"} and row.line == 5
    assert source.header["cpu"] == ["AMD EPYC"] and source.header["warning"] == ["a", "b: c"]


def test_the_reader_knows_the_columns_of_the_format_in_their_order():
    assert columns() == list(results.COLUMNS)


def test_crlf_byte_order_mark_quotes_and_blank_lines_are_read(tmp_path):
    path = make(tmp_path / "a.csv", fields(reason='say "a,\nb"'), fields(tasks=2))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n") + b"\r\n\r\n")
    _, rows = results.read(path)
    assert [row.reason for row in rows] == ['say "a,\r\nb"', ""] and rows[1].line == 4


@pytest.mark.parametrize("cut", [1, 30, 100])
def test_a_cut_last_line_is_dropped_and_said(tmp_path, cut):
    path = make(tmp_path / "a.csv", fields(), fields(tasks=2, ops_per_sec=200))
    path.write_bytes(path.read_bytes()[:-cut])
    done = chart("--text", path)
    assert done.returncode == 0 and "\t200\t" not in done.stdout and "\t100\t" in done.stdout
    assert f"{path}:3: last line is cut off, dropped" in done.stderr


def test_a_line_cut_in_quotes_or_ended_by_a_newline_is_dropped_too(tmp_path):
    whole = make(tmp_path / "a.csv", fields()).read_bytes()
    for tail in (b'1,r1,,h,"xe', b"1,r1,,h\n", b'1,r1,,h,"xe\n'):
        path = tmp_path / "b.csv"
        path.write_bytes(whole + tail)
        source, rows = results.read(path)
        assert len(rows) == 1 and source.notes == [f"{path}:3: last line is cut off, dropped"]


def test_an_open_quote_that_swallows_rows_is_no_cut_line(tmp_path):
    path = make(tmp_path / "a.csv", fields(), fields(tasks=2), fields(tasks=3))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[1] + lines[2].replace(",mmap1,", ',"mmap1,') + lines[3])
    refuses(path, "quoting", line=3)


# ---- bad input

@pytest.mark.parametrize("changes,wanted", [
    ({"ops_per_sec": "nan"}, ["ops_per_sec 'nan' is not a finite number"]),
    ({"ops_per_sec": "-5"}, ["ops_per_sec '-5' is negative"]),
    ({"ops_per_sec": "inf"}, ["not a finite number"]),
    ({"ops_per_sec": "1e400"}, ["out of range"]),
    ({"ops_per_sec": "1_000"}, ["not a finite number"]),
    ({"ops_per_sec": ""}, ["ops_per_sec is empty"]),
    ({"ops_low": "NaN", "ops_high": "1"}, ["ops_low 'NaN'"]),
    ({"ops_low": "200", "ops_high": "100"}, ["ops_low 200 is above ops_high 100"]),
    ({"ops_low": "50"}, ["one of ops_low and ops_high"]),
    ({"tasks": "0"}, ["tasks is empty or 0"]),
    ({"tasks": "1.5"}, ["tasks '1.5' is not a whole number"]),
    ({"tasks": "-1"}, ["tasks '-1' is negative"]),
    ({"status": "good"}, ["status 'good' is none of ok, failed, skipped"]),
    ({"status": "good\nfaith"}, ["status 'good\\nfaith' is none"]),
    ({"schema": "2"}, ["schema is '2': this program reads schema 1"]),
])
def test_a_bad_field_is_refused_with_its_line(tmp_path, changes, wanted):
    path = make(tmp_path / "a.csv", fields(), fields(**changes), fields(), header=["cpu: x"])
    refuses(path, *wanted, line=4)


def test_missing_columns_are_named(tmp_path):
    rows = [fields()]
    del rows[0]["ops_low"], rows[0]["status"]
    refuses(make(tmp_path / "a.csv", *rows), "missing columns: ops_low, status\n", line=1)
    other = tmp_path / "b.csv"
    other.write_text("name,age\nme,5\n")
    refuses(other, "missing columns: schema, run_id, ", line=1)


def test_another_schema_is_named_before_its_columns(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("schema,new\n2,x\n")
    refuses(path, "schema is '2'", line=2)


@pytest.mark.parametrize("content,wanted", [
    (b"", "is empty"), (b"\n\n", "is empty"), (b"# cpu: x\n", "comments only"),
    (b"\x89PNG\r\n\xff\xfe", "UTF-8"), (b"schema,\xff\n", "UTF-8")])
def test_files_that_are_no_csv_are_refused(tmp_path, content, wanted):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    refuses(path, wanted)


def test_wrong_width_and_double_columns_are_refused(tmp_path):
    path = make(tmp_path / "a.csv", fields(), fields())
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + "1,2,3\n" + lines[1])
    refuses(path, f"has 3 fields: the header row has {len(columns())}", line=2)
    path.write_text(lines[0] + lines[1].strip() + ",more\n")
    refuses(path, f"has {len(columns()) + 1} fields", line=2)
    path.write_text(lines[0].strip() + ",tasks\n" + lines[1].strip() + ",1\n")
    refuses(path, "twice: 'tasks'", line=1)


def test_missing_file_and_folder_as_file_are_refused(tmp_path):
    refuses(tmp_path / "none.csv", "cannot be read: No such file or directory")
    (tmp_path / "folder").mkdir()
    refuses(tmp_path / "folder", "cannot be read: Is a directory")


def test_nothing_to_draw_is_refused(tmp_path):
    refuses(make(tmp_path / "a.csv"), "no row with status ok (0 failed, 0 skipped)")
    refuses(make(tmp_path / "b.csv", fields(status="failed", ops_per_sec="")), "(1 failed, 0 sk")


def test_one_bad_file_of_two_writes_nothing(tmp_path):
    bad = make(tmp_path / "bad.csv", fields(tasks="x"))
    done = chart(DATA / "scaling_native.csv", bad, "-o", tmp_path / "out")
    assert done.returncode == 2 and f"{bad}:2: tasks" in done.stderr
    assert not (tmp_path / "out").exists()


@needs_gnuplot
def test_an_output_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file" / "sub"):
        done = chart(DATA / "policy_switch.csv", "-o", folder)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
        assert f"chart.py: {folder}: cannot be written" in done.stderr
    assert (tmp_path / "file").read_text() == "kept"


def test_without_gnuplot_the_package_is_named_and_text_still_works(tmp_path):
    env = {**os.environ, "PATH": str(tmp_path)}
    done = chart(DATA / "policy_switch.csv", "-o", tmp_path / "out", env=env)
    assert done.returncode == 2 and "gnuplot-nox" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()
    assert chart("--text", DATA / "policy_switch.csv", env=env).returncode == 0


def test_a_gnuplot_that_fails_writes_nothing(tmp_path):
    fake = tmp_path / "gnuplot"
    fake.write_text("#!/bin/sh\necho unknown terminal type >&2\nexit 1\n")
    fake.chmod(0o755)
    env = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = chart(DATA / "policy_switch.csv", "-o", tmp_path / "out", env=env)
    assert done.returncode == 2 and "unknown terminal type" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "out").exists()


@pytest.mark.parametrize("arguments", [[], ["a.csv"], ["-o", "x"], ["a.csv", "-o"],
                                       ["a.csv", "--no-such"]])
def test_a_wrong_command_line_is_one_line(arguments, tmp_path):
    done = chart(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and done.stdout == ""
    assert list(tmp_path.iterdir()) == []


# ---- drawing

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
