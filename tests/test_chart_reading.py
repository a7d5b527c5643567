# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart_reading.py - reading result files, and what plot/chart.py refuses, in one line."""
import os

# First: it makes the modules of plot/ known.
from chart_helpers import DATA, chart, columns, fields, make, needs_gnuplot, refuses
import pytest
import results

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
