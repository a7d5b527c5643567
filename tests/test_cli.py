# SPDX-License-Identifier: GPL-2.0-or-later
"""test_cli.py - the command line: plans and their order, subcommands, where rows and words go."""
import csv
import json
import os
import pathlib
import re
import subprocess
import time

import pytest
import wib
from wib import (CPUS, MODE, QUICK, RUNTEST, SAN, Program, needs_plain, needs_processes,
                 needs_two_cpus, params, parse, rows, run, warnings_of)

COLUMNS = """schema,run_id,time,host,machine,testcase,counter,kind,batch,batch_used,policy,mode,
placement,tasks,repeat,seed,duration_s,ops,ops_per_sec,ops_low,ops_high,task_min,task_median,
task_max,speedup,efficiency,lock_acquisitions,lock_contended,lock_wait_pct,lock_sites,spills,
error_max,error_bound,read_ns,sum_ns,refused,idle_pct,steal_pct,params,status,reason"""
COLUMNS = COLUMNS.replace("\n", "").split(",")
NUMBERS = {"ops", "ops_per_sec", "tasks", "batch_used", "spills", "duration_s", "schema"}
SERVER = "--machine=synthetic:package:4 core:18 pu:2"


def plan(cwd, *args):
    """The points of a dry run: testcase, counter, batch, mode, tasks, repeat."""
    result = run(cwd, *args, "--dry-run")
    assert (result.code, result.err) == (0, ""), result
    return [tuple(line.split()[1:]) for line in result.out.splitlines() if line[:1].isdigit()
            and "point" not in line.split()[1]]


def powers_up_to(count):
    return sorted({2**i for i in range(20) if 2**i < count} | {count})


def test_help_and_version(tmp_path):
    result = run(tmp_path, "--help")
    assert (result.code, result.err) == (0, ""), result
    text = result.out
    for option in ("--counter", "--tasks", "--policy", "--policy-switch", "--dry-run", "list"):
        assert option in text
    result = run(tmp_path, "--version")
    assert result.code == 0 and re.search(r"\d", result.out)


def test_default_plan(tmp_path):
    points = plan(tmp_path, "null1")
    assert sorted(int(point[4]) for point in points) == powers_up_to(len(CPUS))
    assert {point[:4] for point in points} == {("null1", "percpu_counter", "default", "process")}


def test_plan_is_a_product(tmp_path):
    points = plan(tmp_path, "null1", "mmap1", "--counter=percpu_counter,atomic", "--batch=1x,64x",
                  "--tasks=1,2", "--mode=both", "--repeat=3")
    assert len(points) == len(set(points))
    # percpu_counter runs with each batch, atomic once: 3 of each testcase.
    assert len(points) == 2 * 3 * 2 * 2 * 3


def test_all_counters(tmp_path):
    counters = {path.stem for path in (wib.ROOT / "counters/commit").glob("*.h")}
    assert {point[1] for point in plan(tmp_path, "null1", "--counter=all")} == counters


def test_dry_run_runs_and_writes_nothing(tmp_path):
    began = time.monotonic()
    result = run(tmp_path, "null1", "--tasks=1,2", "--duration=1h", "--warmup=0s", "--dry-run",
                 "--output=rows.csv")
    assert result.code == 0 and time.monotonic() - began < 10
    assert re.search(r"2 points.* (7200 s|2 ?h|120 ?m)", result.out), result
    assert os.listdir(tmp_path) == []


def test_one_point_is_no_plural(tmp_path):
    assert "1 point," in run(tmp_path, "null1", "--tasks=1", "--dry-run").out


def test_one_task_first_then_shuffled_by_seed(tmp_path):
    wide = ("null1", "--tasks=1..8", "--batch=1,2,3")
    points = plan(tmp_path, *wide)
    tasks = [int(point[4]) for point in points]
    assert tasks[:3] == [1, 1, 1] and 1 not in tasks[3:]
    assert tasks[3:] != sorted(tasks[3:]) and sorted(points) == sorted(set(points))
    assert points == plan(tmp_path, *wide, "--seed=1") == plan(tmp_path, *wide)
    other = plan(tmp_path, *wide, "--seed=2")
    assert other != points and sorted(other) == sorted(points)


def test_runs_in_the_order_of_the_plan(tmp_path):
    wide = ("--tasks=1,2,3", "--batch=1,2,3", f"--mode={MODE}", "--seed=7")
    done = rows(tmp_path, "null1", *wide, "--duration=5ms")
    assert [(row["batch"], row["tasks"]) for row in done] == \
        [(point[2], point[4]) for point in plan(tmp_path, "null1", *wide)]
    assert {row["seed"] for row in done} == {"7"} and len({row["run_id"] for row in done}) == 1


def names_of(pattern):
    return {path.stem for path in wib.ROOT.glob(pattern)}


def test_list(tmp_path):
    result = run(tmp_path, "list")
    assert (result.code, result.err) == (0, "")
    for name in names_of("testcases/*/*.c") | names_of("counters/*/*.h") | {"native"}:
        assert re.search(rf"^  {name} ", result.out, re.MULTILINE), name
    result = run(tmp_path, "list", "--format=csv")
    table = list(csv.DictReader(result.out.splitlines(), strict=True))
    found = {what: {row["name"] for row in table if row["what"] == what}
             for what in ("testcase", "counter", "machine")}
    assert found["testcase"] == names_of("testcases/*/*.c")
    assert found["counter"] == names_of("counters/*/*.h")
    assert "native" in found["machine"]
    assert all(row["about"] and None not in row for row in table)


def topo_table(result):
    lines = result.out.splitlines()
    head = next(i for i, line in enumerate(lines) if line.split()[:2] == ["task", "PU"])
    return [line.split()[:6] for line in lines[head + 1:]]


def test_topo_of_a_described_machine(tmp_path):
    result = run(tmp_path, "topo", SERVER, "--tasks=4")
    assert (result.code, result.err) == (0, ""), result
    assert "4 packages, 72 cores, 144 PUs" in result.out
    assert [line[:4] for line in topo_table(result)] == [
        [str(task), str(2 * task), str(task), "0"] for task in range(4)]
    for placement, pus in [("pu", "0123"), ("spread", ["0", "36", "72", "108"])]:
        result = run(tmp_path, "topo", SERVER, "--tasks=4", f"--placement={placement}")
        assert [line[1] for line in topo_table(result)] == list(pus)
    result = run(tmp_path, "topo", SERVER, "--tasks=2", "--cpus=100-143")
    assert [line[1] for line in topo_table(result)] == ["100", "102"]
    assert "144" in run(tmp_path, "topo", SERVER).out
    assert os.listdir(tmp_path) == []


def test_a_described_machine_runs_nothing(tmp_path):
    result = run(tmp_path, "null1", SERVER, "--duration=10ms")
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert os.listdir(tmp_path) == []


def test_rows_land_in_results(tmp_path):
    result = run(tmp_path, "null1", *QUICK)
    assert result.code == 0
    name = re.search(r"^Rows: (results/null1-\d{8}-\d{6}\.csv)$", result.out, re.MULTILINE)
    assert name, result
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.csv")] == [name[1]]
    assert len(parse((tmp_path / name[1]).read_text())) == 1
    assert re.search(r"^null1 +percpu_counter +default=\d+ ", result.out, re.MULTILINE)
    run(tmp_path, "null1", *QUICK)
    assert len(list(tmp_path.glob("results/*.csv"))) == 2


def test_output_to_a_file_or_to_stdout(tmp_path):
    result = run(tmp_path, "null1", *QUICK, "-o", "mine.csv")
    assert os.listdir(tmp_path) == ["mine.csv"] and "Rows: mine.csv" in result.out
    text = (tmp_path / "mine.csv").read_text()
    result = run(tmp_path, "null1", *QUICK, "-o", "-")
    assert result.out.startswith("# ") and wib.columns(result.out) == wib.columns(text)
    assert len(parse(result.out)) == 1
    assert re.search(r"^testcase +counter", result.err, re.MULTILINE), "the table goes to stderr"
    assert os.listdir(tmp_path) == ["mine.csv"]


def test_columns_and_header(tmp_path):
    text = run(tmp_path, "null1", *QUICK, "-o", "-").out
    assert wib.columns(text)[:len(COLUMNS)] == COLUMNS
    assert len(set(wib.columns(text))) == len(wib.columns(text))
    header = wib.header(text)
    for key in ("commit", "compiler", "kernel", "cpu", "topology", "governor", "smt"):
        values = [value for found, value in header if found == key]
        assert len(values) == 1 and values[0].strip(), key
    assert os.uname().release in dict(header)["kernel"]
    row, = parse(text)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["time"])
    assert (row["schema"], row["machine"], row["host"]) == ("1", "native", os.uname().nodename)
    assert float(row["ops_low"]) <= float(row["ops_per_sec"]) <= float(row["ops_high"])
    assert float(row["task_min"]) <= float(row["task_median"]) <= float(row["task_max"])
    keys = [item.split("=")[0] for item in row["params"].split(";")]
    assert keys == sorted(keys) and {"size", "memory", "cpu_count", "aslr"} <= set(keys)


def test_json(tmp_path):
    result = run(tmp_path, "null1", "getppid1", *QUICK, "--format=json", "-o", "-")
    data = json.loads(result.out, parse_constant=lambda word: pytest.fail(word))
    assert wib.columns(run(tmp_path, "null1", *QUICK, "-o", "-").out) == list(data["rows"][0])
    by_name = {row["testcase"]: row for row in data["rows"]}
    assert all(isinstance(by_name["null1"][name], (int, float)) for name in NUMBERS)
    assert by_name["getppid1"]["spills"] is None
    assert any(key.startswith("kernel") for key in data["header"])
    run(tmp_path, "null1", *QUICK, "--format=json")
    file, = tmp_path.glob("results/*.json")
    json.loads(file.read_text())


def test_rfc_4180(tmp_path):
    cpus = f"{CPUS[0]},{CPUS[-1]}"
    text = run(tmp_path, "null1", *QUICK, f"--cpus={cpus}", "-o", "-").out
    assert f"cpus={cpus}" in text and f',"aslr=' in text, "a value with a comma is in quotes"
    row, = parse(text)
    assert params(row)["cpus"] == cpus


def test_rows_are_on_disk_as_they_are_made(tmp_path):
    file = tmp_path / "rows.csv"
    args = ("null1", *QUICK, "--duration=700ms", "--repeat=3", "-o", file)
    with Program(tmp_path, *args) as program:
        program.wait_for(lambda: file.exists() and file.read_text().count(",ok,") == 1)
        program.wait_for_workers(1)
        assert len(parse(file.read_text())) == 1
        assert program.end().code == 0
    assert len(parse(file.read_text())) == 3


def test_progress(tmp_path):
    bar = re.compile(r"\[#*\.*\] 1/1  null1 percpu_counter default, 1 task  \d+:\d\d left")
    result = run(tmp_path, "null1", *QUICK, "--duration=200ms", "--progress=always")
    assert bar.search(result.err) and "left" not in result.out, result
    assert re.search(r"\[#+\.+\]", result.err), "it moves"
    for when in ("never", "auto"):
        result = run(tmp_path, "null1", *QUICK, f"--progress={when}")
        assert "left" not in result.err and "\r" not in result.err + result.out


def test_stderr_is_warnings_only(tmp_path):
    result = run(tmp_path, "null1", *QUICK)
    assert result.err.splitlines() == warnings_of(result)
    assert "warning" not in result.out


def test_precision_stops_early(tmp_path):
    full, = rows(tmp_path, "getppid1", "--duration=300ms")
    early, = rows(tmp_path, "getppid1", "--duration=10s", "--precision=100%")
    assert int(full["intervals"]) == 30 and 10 <= int(early["intervals"]) <= 400
    assert 0.4 < float(early["duration_s"]) < 9


def test_warmup(tmp_path):
    fixed, = rows(tmp_path, "null1", "--warmup=100ms")
    assert 0.1 <= float(fixed["warmup_s"])
    auto, = rows(tmp_path, "null1", "--warmup=auto")
    assert 0 < float(auto["warmup_s"])


def test_repeats_are_rows(tmp_path):
    found = rows(tmp_path, "null1", "--repeat=3")
    assert sorted(row["repeat"] for row in found) == ["1", "2", "3"]
    assert len({row["ops"] for row in found}) > 1


def test_a_counter_runs_where_it_fits(tmp_path):
    found = rows(tmp_path, "null1", "getppid1", "--counter=atomic")
    assert {(row["testcase"], row["counter"]) for row in found} == \
        {("null1", "atomic"), ("getppid1", "")}
    result = run(tmp_path, "getppid1", *QUICK, "--counter=atomic")
    assert result.code == 2 and "atomic" in result.err


@needs_two_cpus
def test_only_allowed_cpus(tmp_path):
    last, first = str(CPUS[-1]), str(CPUS[0])
    only = {"prefix": ["taskset", "-c", last]}
    assert {line[1] for line in topo_table(run(tmp_path, "topo", **only))} == {last}
    assert [point[4] for point in plan(tmp_path, "null1", "--tasks=all")] == [str(len(CPUS))]
    result = run(tmp_path, "null1", "--duration=60ms", f"--mode={MODE}", "-o", "-", **only)
    assert [row["tasks"] for row in parse(result.out)] == ["1"], "all that it may use"
    result = run(tmp_path, "null1", *QUICK, f"--cpus={first}", **only)
    assert result.code == 2 and f"CPU {first} " in result.err and f"{last}" in result.err
    assert os.listdir(tmp_path) == []


def allowed(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    return re.search(r"^Cpus_allowed_list:\s*(\S+)$", status, re.MULTILINE)[1]


@needs_processes
@needs_two_cpus
def test_tasks_are_where_they_should_be(tmp_path):
    for prefix, tasks, want in [([], 2, {str(CPUS[0]), str(CPUS[1])}),
                                (["taskset", "-c", str(CPUS[-1])], 2, {str(CPUS[-1])})]:
        args = ("null1", *QUICK, f"--tasks={tasks}", "--duration=1s", "-o", "-")
        with Program(tmp_path, *args, prefix=prefix) as program:
            pids = program.wait_for_workers(tasks, 0.2)
            placed = [allowed(pid) for pid in pids]
            assert program.end().code == 0
        assert set(placed) == want, "one CPU each, and none but those allowed"


def test_more_tasks_than_cpus_is_warned_of(tmp_path):
    many = len(CPUS) + 1
    result = run(tmp_path, "null1", *QUICK, f"--tasks={many}", "-o", "-")
    said = [line for line in warnings_of(result) if f"{many} tasks" in line]
    assert result.code == 0 and len(said) == 1, result
    assert said[0].removeprefix("warning: ") in [
        value for key, value in wib.header(result.out) if key == "warning"]


@pytest.mark.skipif(SAN == "thread", reason="setarch -R has switched randomisation off for all")
def test_aslr_is_recorded(tmp_path):
    off, = rows(tmp_path, "null1")
    on, = rows(tmp_path, "null1", "--aslr=on")
    assert (params(off)["aslr"], params(on)["aslr"]) == ("off", "on")


SHIM = """
#include <errno.h>
int personality(unsigned long persona) {
    if (persona == 0xffffffff) return 0;
    errno = EPERM;
    return -1;
}
"""


@needs_plain
def test_a_host_that_refuses_personality_is_warned_of(tmp_path):
    shim = tmp_path / "shim.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-x", "c", "-o", shim, "-"], input=SHIM, text=True,
                   check=True)
    result = run(tmp_path, "null1", *QUICK, "-o", "-", env={"LD_PRELOAD": str(shim)})
    assert result.code == 0, result
    assert len([line for line in warnings_of(result) if "randomis" in line]) == 1
    row, = parse(result.out)
    assert params(row)["aslr"] == "on"


def test_the_binary_is_the_one_asked_for():
    assert os.access(RUNTEST, os.X_OK)
