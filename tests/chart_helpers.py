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


HOSTILE = "x'y\"z`touch PWNED`\n$A @B {/Symbol a} %d \\ ^_~<&>\t\x1b[31m;system('touch PWNED')"
MARKUP = "</script><script>document.title='PWNED'</script><img src=x onerror=alert(1)>{{ 7*7 }}"
LATENCY = ["schema", "run_id", "machine", "testcase", "counter", "batch", "mode", "tasks", "repeat",
           "phase", "low_ns", "high_ns", "count"]
PUBLISHED = ["block", "row", "metric", "published_low", "published_high", "simulated", "ratio",
             "basis"]
ALL_CHARTS = {"scaling", "efficiency", "lockwait", "tradeoff", "batch", "fairness", "latency",
              "reproduction"}


def write_table(path, names, *rows):
    """Write rows (lists of anything) below column names; return the path."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([names, *rows])
    path.write_bytes(out.getvalue().encode())
    return path


def latency_row(**changes):
    """One bucket as a list in the order of LATENCY."""
    row = {"schema": 1, "run_id": "r1", "machine": "native", "testcase": "mmap1",
           "counter": "pagevec", "batch": 15, "mode": "process", "tasks": 2, "repeat": 1,
           "phase": 1, "low_ns": 128, "high_ns": 256, "count": 10}
    return list({**row, **changes}.values())


def hostile_files(folder, text):
    """Files with `text` wherever text may stand, from which every chart is made."""
    names = dict.fromkeys(["testcase", "mode", "machine", "counter", "policy", "host", "placement",
                           "run_id", "params", "kind"], text)
    site = text.replace(";", ",")
    rows = [fields(**names, batch=f"{text}{used}", batch_used=used, tasks=tasks, efficiency=0.9,
                   speedup=1, task_min=1, task_median=2, task_max=3, lock_wait_pct=20,
                   lock_sites=f"{site}:12;{site}2:8", error_bound=used, error_max=1, read_ns=used,
                   sum_ns=5) for used in (10, 100, 1000) for tasks in (1, 2)]
    rows.append(fields(**{**names, "status": "failed", "reason": text}))
    flat = text.replace("\n", " ")
    path = make(folder / "hostile.csv", *rows, header=[
        f"{key}: {flat}" for key in ("cpu", "warning", "command", "kernel", "topology", "places",
                                     "counts")])
    write_table(folder / "hostile.latency.csv", LATENCY, *(
        latency_row(machine=text, testcase=text, counter=text, mode=text, batch=text, phase=phase)
        for phase in (text, "b")))
    write_table(folder / "hostile-reproduce.csv", PUBLISHED,
                [text, text, text, 1, 2, 3, 1.5, "predicted"])
    return [path, folder / "hostile-reproduce.csv"]


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
