# SPDX-License-Identifier: GPL-2.0-or-later
"""test_resume.py - --resume keeps what is there, runs what is missing, refuses what is foreign."""
import re

import pytest
from wib import QUICK, parse, run

ARGS = ("null1", "--batch=1,2", "--repeat=2", *QUICK)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "r.csv"
    result = run(tmp_path, *ARGS, "-o", str(path))
    assert result.code == 0, result
    return path


def test_runs_what_is_missing(tmp_path, file):
    whole = file.read_text().splitlines(keepends=True)
    file.write_text("".join(whole[:-2]) + whole[-2][:30])  # the last row kept is cut off
    result = run(tmp_path, *ARGS, f"--resume={file}")
    assert result.code == 0 and "2 points are kept" in result.err, result
    assert file.read_text().startswith("".join(whole[:-2]))
    rows = parse(file.read_text())
    assert len({(row["batch"], row["repeat"]) for row in rows}) == len(rows) == 4
    assert all(row["speedup"] for row in rows)
    again = run(tmp_path, *ARGS, f"--resume={file}")
    assert again.code == 0 and "nothing to do" in again.err, again


@pytest.mark.parametrize("pattern, instead, text", [
    (r"# command: ", "# command: x y ", "of another command"),
    (r"# kernel: ", "# kernel: x", "of another kernel"),
    (r"# cpu: ", "# cpu: x", "of another machine"),
    (r"# commit: ", "# commit: x", "of another build"),
    (r"(?m)^schema,", "chema,", "of another schema"),
    (r"(?m)^1,", "2,", "rows of another schema"),
    (r"(?s).*", "", "no header line"),
])
def test_what_is_foreign_is_refused(tmp_path, file, pattern, instead, text):
    file.write_text(re.sub(pattern, instead, file.read_text(), count=1))
    before = file.read_bytes()
    result = run(tmp_path, *ARGS, f"--resume={file}")
    assert result.code == 2 and len(result.err.splitlines()) == 1 and text in result.err, result
    assert file.read_bytes() == before


@pytest.mark.parametrize("args", [("--resume=not-there",), ("--resume=.",), ("--resume=",),
                                  ("--resume=r.csv", "-o", "-"), ("--resume=r.csv", "--dry-run")])
def test_bad_input_is_one_line(tmp_path, file, args):
    result = run(tmp_path, *ARGS, *args)
    assert result.code == 2 and len(result.err.splitlines()) == 1, result
