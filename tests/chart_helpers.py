# SPDX-License-Identifier: GPL-2.0-or-later
"""chart_helpers.py - result files to draw, and running chart.py, for the tests of plot/."""
import csv
import io
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
sys.path.insert(0, str(ROOT / "plot"))

import results  # noqa: E402
import series  # noqa: E402

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
