# SPDX-License-Identifier: GPL-2.0-or-later
"""compare_helpers.py - result files with known rates, and running the programs that judge them."""
import json
import subprocess

import numpy as np

# First: it makes the modules of plot/ known.
from chart_helpers import ROOT, fields, make

HOSTILE = ("x'y\"z`touch PWNED`\n$A @B |c| <img src=x onerror=alert(1)> ]]> %d \\ &amp; "
           "[l](http://e)\t\x1b[31m\x00;system('touch PWNED');'); DROP TABLE run;--")


def native(path, rates, run_id="r", header=("cpu: AMD",), **changes):
    """A file with a repeat for each rate of each {testcase: rates}, in the order of time."""
    rows = [fields(testcase=name, repeat=number, run_id=run_id, ops_per_sec=f"{rate:.6f}",
                   time=f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z", **changes)
            for name, values in rates.items() for number, rate in enumerate(values, 1)]
    return make(path, *rows, header=header)


def simulated(path, rates, run_id="r", **changes):
    """A file of a simulated machine with one row for each {(testcase, tasks): rate}."""
    return make(path, *(fields(machine="4s72c144t", testcase=name, tasks=tasks, run_id=run_id,
                               ops_per_sec=rate, **changes)
                        for (name, tasks), rate in rates.items()))


def noisy(seed, repeats, level=1e6, noise=0.02, kind="normal"):
    """Rates of one side: normal; or `hosted`, as on a shared virtual machine, where one repeat in
    ten loses up to half of its time to others."""
    chance = np.random.default_rng(seed)
    rates = level * (1 + noise * chance.standard_normal(repeats))
    if kind == "hosted":
        rates *= np.where(chance.random(repeats) < 0.1, 1 - 0.5 * chance.random(repeats), 1)
    return rates.tolist()


def run(program, *words, cwd=None, **more):
    """Run a program of plot/; return the finished process."""
    return subprocess.run([ROOT / "plot" / program, *map(str, words)], cwd=cwd,
                          capture_output=True, text=True, check=False, timeout=120, **more)


def compare(*words, **more):
    """Run compare.py; return the finished process."""
    return run("compare.py", *words, **more)


def verdicts(*words):
    """{name of the series: its object in the JSON} of a comparison, with its exit status."""
    done = compare(*words, "--format=json")
    assert done.stdout, done.stderr
    found = json.loads(done.stdout)
    assert found["status"] == done.returncode
    return {each["series"]: each for each in found["series"]}


def refuses(program, words, *wanted):
    """The program must refuse in one line with exit status 2, and print nothing else."""
    done = run(program, *words)
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.count("\n") == 1, done.stderr
    for word in wanted:
        assert word in done.stderr, done.stderr
