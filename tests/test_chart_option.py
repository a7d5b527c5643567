# SPDX-License-Identifier: GPL-2.0-or-later
"""test_chart_option.py - ./runtest --chart, and the header lines that charts need."""
import pathlib
import shutil

import pytest
import wib

RUN = ("getppid1", *wib.QUICK)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """A copy of the program, so that what stands beside it can be chosen."""
    folder = tmp_path / "bin"
    folder.mkdir()
    shutil.copy2(wib.RUNTEST, folder / "runtest")
    monkeypatch.setattr(wib, "RUNTEST", str(folder / "runtest"))
    return folder


def script(folder, text):
    (folder / "plot").mkdir()
    path = folder / "plot/chart.py"
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


@pytest.mark.skipif(not shutil.which("gnuplot"), reason="gnuplot is not there")
def test_charts_are_drawn_beside_the_file(tmp_path, program):
    (program / "plot").symlink_to(wib.ROOT / "plot")
    result = wib.run(tmp_path, *RUN, "--chart", "--output=r.csv")
    assert result.code == 0, result
    assert {path.name for path in (tmp_path / "r").iterdir()} >= {
        f"scaling-getppid1-{wib.MODE}-native.{suffix}" for suffix in ("png", "svg")}
    assert "Charts:\n" in result.out and f"r/scaling-getppid1-{wib.MODE}-native.png" in result.out


@pytest.mark.parametrize("file,option,folder", [
    ("r.csv", "--chart", "r"), ("r", "--chart", "r-charts"), (".csv", "--chart", ".csv-charts"),
    ("r.csv", "--chart=a b/c", "a b/c"), ("-r.csv", "--chart", "-r")])
def test_what_the_script_is_called_with(tmp_path, program, file, option, folder):
    script(program, 'printf "%s|" "$@" >called\n')
    result = wib.run(tmp_path, *RUN, option, f"--output={file}")
    assert result.code == 0, result
    file = f"./{file}" if file[0] == "-" else file
    assert (tmp_path / "called").read_text() == f"--output={folder}|{file}|"
    assert "warning: --chart" not in result.err


@pytest.mark.parametrize("text,said", [
    ("echo no ink >&2; exit 2\n", "no ink"), ("kill -9 $$\n", "nothing was drawn"),
    (None, "there is no plot/chart.py beside")])
def test_a_script_that_fails_is_a_warning_and_no_lost_run(tmp_path, program, text, said):
    if text:
        script(program, text)
    result = wib.run(tmp_path, *RUN, "--chart", "--output=r.csv")
    assert result.code == 0 and said in result.err and "warning: --chart: " in result.err
    assert len(wib.parse((tmp_path / "r.csv").read_text())) == 1


def test_no_chart_without_the_option_nor_after_a_dry_run(tmp_path, program):
    script(program, "touch called\n")
    assert wib.run(tmp_path, *RUN, "--output=r.csv").code == 0
    assert wib.run(tmp_path, *RUN, "--chart", "--dry-run").code == 0
    assert not (tmp_path / "called").exists()


@pytest.mark.parametrize("options,said", [
    (["--output=-"], "--chart draws a file, and --output=- writes none"),
    (["--format=json"], "--chart draws CSV files, not --format=json"),
    (["--chart="], "--chart=: give a folder, or leave out the =")])
def test_what_cannot_be_drawn_is_refused_in_one_line(tmp_path, options, said):
    result = wib.run(tmp_path, *RUN, "--chart", *options)
    assert result.code == 2 and result.err.count("\n") == 1 and said in result.err
    assert list(tmp_path.iterdir()) == []


def test_an_option_after_it_is_still_blamed_alone(tmp_path):
    result = wib.run(tmp_path, *RUN, "--no-such", "--chart")
    assert result.code == 2 and "unknown option '--no-such'" in result.err


def places(tmp_path, *options):
    """The `places` header lines of a run of getppid1."""
    result = wib.run(tmp_path, "getppid1", "--duration=60ms", "--warmup=0s", f"--mode={wib.MODE}",
                     "--output=-", *options)
    assert result.code == 0, result
    return [value for key, value in wib.header(result.out) if key == "places"]


def test_places_say_where_cpus_are_used_again(tmp_path):
    cpu = str(wib.CPUS[0])
    assert places(tmp_path, f"--cpus={cpu}", "--tasks=1,3") == ["again=2"]
    assert places(tmp_path, f"--cpus={cpu}", "--tasks=1") == []
    assert places(tmp_path, "--placement=none", "--tasks=1,3") == []


def test_places_agree_with_topo(tmp_path):
    """Also with siblings and packages, on a host that has them."""
    count = len(wib.CPUS)
    lines = wib.run(tmp_path, "topo", f"--tasks={min(count, 32)}").out.splitlines()
    table = [line.split() for line in lines if line.split()[:1] and line.split()[0].isdigit()]
    siblings = [int(row[0]) + 1 for row, line in zip(table, lines[-len(table):])
                if "SMT sibling" in line]
    found = places(tmp_path, f"--tasks={min(count, 32)}")
    assert ("smt=" in "".join(found)) == bool(siblings)
    if siblings:
        assert f"smt={siblings[0]}" in found[0].split()


def test_counts_say_the_unit_of_each_kind_in_the_run(tmp_path):
    result = wib.run(tmp_path, "null1", "getppid1", *wib.QUICK, "--output=-")
    assert [value for key, value in wib.header(result.out) if key == "counts"] == ["commit pages"]
    path = pathlib.Path(tmp_path / "r.csv")
    assert wib.run(tmp_path, *RUN, f"--output={path}").code == 0
    assert "# counts" not in path.read_text()
