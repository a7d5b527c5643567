# SPDX-License-Identifier: GPL-2.0-or-later
"""test_compare_input.py - what plot/compare.py refuses, in one line, and what it only notes."""
# First: it makes the modules of plot/ known.
from chart_helpers import fields, make
from compare_helpers import compare, native, noisy, refuses, run, verdicts
import pytest


@pytest.fixture
def good(tmp_path):
    return native(tmp_path / "good.csv", {"mmap1": noisy(1, 6)})


@pytest.mark.parametrize("changes, wanted", [
    ({"schema": "2"}, "schema is '2'"),
    ({"ops_per_sec": "nan"}, "ops_per_sec 'nan' is not a finite number"),
    ({"ops_per_sec": "-5"}, "ops_per_sec '-5' is negative"),
    ({"ops_per_sec": "inf"}, "not a finite number"),
    ({"ops_per_sec": "9" * 101}, "out of range"),
    ({"tasks": "0"}, "tasks is empty or 0"),
    ({"tasks": "9" * 101}, "is not a whole number"),
])
@pytest.mark.parametrize("which", [0, 1])
def test_a_bad_row_of_either_side_is_named_with_its_line(good, tmp_path, changes, wanted, which):
    bad = make(tmp_path / "bad.csv", fields(), fields(**changes))
    sides = [good, good]
    sides[which] = bad
    refuses("compare.py", sides, f"{bad}:3: ", wanted)


def test_files_that_are_no_results_are_refused(good, tmp_path):
    rows = [fields()]
    del rows[0]["ops_low"]
    refuses("compare.py", [good, make(tmp_path / "a.csv", *rows)], "missing columns: ops_low")
    for content, wanted in ((b"", "is empty"), (b"name,age\nme,5\n", "missing columns: schema"),
                            (b"\x89PNG\xff", "UTF-8"), (b"# a: b\n", "comments only")):
        path = tmp_path / "b.csv"
        path.write_bytes(content)
        refuses("compare.py", [path, good], str(path), wanted)
    refuses("compare.py", [good, make(tmp_path / "c.csv")], "has no row")
    refuses("compare.py", [good, tmp_path / "none.csv"], "cannot be read: No such file")
    (tmp_path / "folder").mkdir()
    refuses("compare.py", [tmp_path / "folder", good], "no file there ends in .csv")


def test_a_cut_last_line_is_dropped_with_a_note(good, tmp_path):
    cut = tmp_path / "cut.csv"
    cut.write_bytes(good.read_bytes()[:-20])
    done = compare(good, cut)
    assert done.returncode == 0
    assert f"note: {cut}:8: last line is cut off, dropped" in done.stdout
    assert [each["new_repeats"] for each in verdicts(good, cut).values()] == [5]


def test_two_machines_are_mixed_only_by_force(good, tmp_path):
    other = native(tmp_path / "b.csv", {"mmap1": noisy(2, 6)}, host="elsewhere")
    refuses("compare.py", [good, other], "two machines are mixed (hosts elsewhere, h)", "--force")
    done = compare(good, other, "--force")
    assert done.returncode == 0 and "note: native rows of two machines are compared" in done.stdout
    cpu = native(tmp_path / "c.csv", {"mmap1": noisy(2, 6)}, header=["cpu: Intel"])
    refuses("compare.py", [good, cpu], "two machines are mixed (CPUs AMD and Intel)")
    mixed = make(tmp_path / "d.csv", fields(host="a"), fields(host="b", tasks=2))
    refuses("compare.py", [mixed, mixed], "hosts a, b")


def test_simulated_rows_of_two_hosts_are_not_mixed_machines(tmp_path):
    sides = [make(tmp_path / f"{host}.csv", fields(machine="m", host=host)) for host in "ab"]
    assert compare(*sides).returncode == 0


def test_nothing_comparable_has_a_status_of_its_own(good, tmp_path):
    other = native(tmp_path / "b.csv", {"brk1": noisy(1, 6)})
    done = compare(good, other)
    assert done.returncode == 3 and "nothing comparable" in done.stderr
    assert "only in base: mmap1 percpu_counter 64x 1 task" in done.stdout
    assert "only in new: brk1 percpu_counter 64x 1 task" in done.stdout


@pytest.mark.parametrize("words, wanted", [
    ([], "BASE, NEW"), (["a.csv"], "NEW"), (["a", "b", "--format=x"], "invalid choice"),
    (["a", "b", "--min-effect=200%"], "'200%' is no share"),
    (["a", "b", "--min-effect=-1"], "share"), (["a", "b", "--min-effect=nan"], "share"),
    (["a", "b", "--alpha=0"], "--alpha is 0"),
    (["a", "b", "--no-such"], "--no-such")])
def test_a_wrong_command_line_is_one_line(words, wanted):
    refuses("compare.py", words, "compare.py: ", wanted)


def test_an_output_folder_that_cannot_be_made_is_refused(good, tmp_path):
    (tmp_path / "file").write_text("kept")
    refuses("compare.py", [good, good, "-o", tmp_path / "file/sub"], "cannot be written")
    assert (tmp_path / "file").read_text() == "kept"


def test_without_gnuplot_the_package_is_named(good, tmp_path):
    done = run("compare.py", good, good, "-o", tmp_path / "out", env={"PATH": str(tmp_path)})
    assert done.returncode == 2 and "gnuplot-nox" in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists() and done.stdout == ""
    assert run("compare.py", good, good, env={"PATH": str(tmp_path)}).returncode == 0
