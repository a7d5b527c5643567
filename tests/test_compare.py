# SPDX-License-Identifier: GPL-2.0-or-later
"""test_compare.py - plot/compare.py: what is matched, what is said of it, and in which form."""
import json
import xml.etree.ElementTree

# First: it makes the modules of plot/ known.
from chart_helpers import ROOT, fields, make, needs_gnuplot
from compare_helpers import HOSTILE, compare, native, noisy, simulated, verdicts
import formats
import pytest


@pytest.fixture
def sides(tmp_path):
    """Two files: slow1 falls by 10 %, fast1 rises by 20 %, same1 stays, noisy1 cannot be told."""
    step = [1 + 0.001 * (i % 5 - 2) for i in range(10)]
    wild = [1, 2, 0.5, 1.5, 0.7, 1.9, 0.6, 1.1, 1.7, 0.9]
    def rates(slow, fast, more):
        return {"slow1": [1e6 * slow * s for s in step], "fast1": [5e5 * fast * s for s in step],
                "same1": [2e5 * s for s in step], "noisy1": [1e3 * w for w in wild],
                more: [7.0] * 10}
    return (native(tmp_path / "base.csv", rates(1, 1, "old1"), header=["commit: aaa", "cpu: A"]),
            native(tmp_path / "new.csv", rates(0.9, 1.2, "new1"), header=["commit: bbb", "cpu: A"]))


def test_text_is_golden(sides):
    done = compare("base.csv", "new.csv", cwd=sides[0].parent)
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout == (ROOT / "tests/data/compare.txt").read_text()


def test_markdown_is_golden(sides):
    done = compare("base.csv", "new.csv", "--format=markdown", cwd=sides[0].parent)
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout == (ROOT / "tests/data/compare.md").read_text()


def test_a_planted_one_percent_is_found_in_simulated_rows(tmp_path):
    rates = {(name, tasks): 1000.0 * tasks for name in ("mmap1", "brk1") for tasks in (1, 16, 144)}
    base = simulated(tmp_path / "a.csv", rates)
    rates["mmap1", 144] *= 0.99
    new = simulated(tmp_path / "b.csv", rates)
    found = verdicts(base, new)
    assert {name for name, each in found.items() if each["verdict"] == "worse"} == {
        "mmap1 percpu_counter 64x 144 tasks"}
    assert found["mmap1 percpu_counter 64x 144 tasks"]["ratio"] == pytest.approx(0.99)
    assert compare(base, new).returncode == 1 and compare(new, base).returncode == 0
    assert "better" in {each["verdict"] for each in verdicts(new, base).values()}


def test_any_simulated_change_is_named_however_small_and_of_other_figures_too(tmp_path):
    base = simulated(tmp_path / "a.csv", {("mmap1", 1): "1000000000.1"}, error_max=5)
    assert verdicts(base, simulated(tmp_path / "b.csv", {("mmap1", 1): "1000000000.0"}, error_max=5)
                    )["mmap1 percpu_counter 64x 1 task"]["verdict"] == "worse"
    again = simulated(tmp_path / "c.csv", {("mmap1", 1): "1000000000.1"}, error_max=9)
    only, = verdicts(base, again).values()
    assert only["verdict"] == "same" and only["reason"] == "error_max 5 -> 9"


def test_a_change_too_small_for_the_steps_of_a_rate_is_found_by_the_operations(tmp_path):
    def of(name, ops, duration="0.005"):
        return simulated(tmp_path / name, {("mmap1", 1): 204001}, ops=ops, duration_s=duration)
    base = of("a.csv", 1220)
    only, = verdicts(base, of("b.csv", 1208)).values()
    assert only["verdict"] == "worse" and only["ratio"] == pytest.approx(1208 / 1220)
    assert only["reason"] == "by the operations of the whole run"
    only, = verdicts(base, of("c.csv", 2400, "0.010")).values()
    assert only["verdict"] == "same" and only["reason"] == "ops differ"


def test_simulated_rows_of_other_seeds_are_not_compared(tmp_path):
    base = simulated(tmp_path / "a.csv", {("mmap1", 1): 10}, seed=1)
    only, = verdicts(base, simulated(tmp_path / "b.csv", {("mmap1", 1): 5}, seed=2)).values()
    assert only["verdict"] == "inconclusive" and "--seed" in only["reason"]


def test_a_simulated_run_that_differs_from_itself_is_said(tmp_path):
    row = fields(machine="m")
    base = make(tmp_path / "a.csv", row, {**row, "run_id": "r2", "ops_per_sec": "99"})
    only, = verdicts(base, make(tmp_path / "b.csv", row)).values()
    assert only["verdict"] == "inconclusive" and "not deterministic" in only["reason"]


@pytest.mark.parametrize("column, values", [
    ("testcase", ["a", "b"]), ("counter", ["a", "b"]), ("batch", ["1x", "64x"]),
    ("policy", ["guess", "never"]), ("mode", ["process", "thread"]), ("placement", ["core", "pu"]),
    ("tasks", [1, 2]), ("machine", ["m", "n"]), ("params", ["size=4M", "size=8M"])])
def test_each_column_of_the_key_makes_a_series(tmp_path, column, values):
    def rows(*rates):
        return [fields(**{"machine": "m", column: value, "ops_per_sec": rate})
                for value, rate in zip(values, rates)]
    found = verdicts(make(tmp_path / "a.csv", *rows(10, 20)),
                     make(tmp_path / "b.csv", *rows(10, 19)))
    assert len(found) == (1 if column == "machine" else 2)  # machines are no part of a name
    done = compare(tmp_path / "a.csv", tmp_path / "b.csv")
    assert "2 series compared: 1 worse, 1 same" in done.stdout


@pytest.mark.parametrize("column, values", [("host", ["a", "b"]), ("run_id", ["a", "b"]),
                                            ("time", ["x", "y"])])
def test_other_columns_do_not(tmp_path, column, values):
    paths = [make(tmp_path / f"{value}.csv", fields(machine="m", **{column: value}))
             for value in values]
    assert "1 series compared: 1 same" in compare(*paths).stdout


def test_a_batch_that_comes_to_another_number_is_compared_and_said(tmp_path):
    base = native(tmp_path / "a.csv", {"mmap1": noisy(1, 10)}, batch_used=4096)
    new = native(tmp_path / "b.csv", {"mmap1": noisy(1, 10, 5e5)}, batch_used=100)
    only, = verdicts(base, new).values()
    assert only["verdict"] == "worse" and only["reason"] == "batch 4096 -> 100 pages"


def test_a_point_that_fails_now_is_worse_and_one_that_is_skipped_is_said(tmp_path):
    row = fields(machine="m", ops_per_sec=5)
    lost = {**row, "ops_per_sec": "", "policy": "", "batch_used": "", "reason": "task 0 died"}
    base = make(tmp_path / "a.csv", row)
    only, = verdicts(base, make(tmp_path / "b.csv", {**lost, "status": "failed"})).values()
    assert only["verdict"] == "worse" and only["reason"] == "failed: task 0 died"
    only, = verdicts(base, make(tmp_path / "c.csv", {**lost, "status": "skipped"})).values()
    assert only["verdict"] == "inconclusive" and only["reason"] == "skipped: task 0 died"


def test_repeats_that_fail_are_said_beside_those_that_do_not(tmp_path):
    rates = {"mmap1": noisy(1, 10)}
    base = native(tmp_path / "a.csv", rates)
    new = native(tmp_path / "b.csv", rates, run_id="n")
    with open(new, "a", encoding="utf-8") as file:
        row = {**fields(ops_per_sec="", policy="", status="failed", reason="timeout", repeat=11)}
        file.write(",".join(row.values()) + "\n")
    only, = verdicts(base, new).values()
    assert (only["verdict"], only["new_repeats"]) == ("same", 10)
    assert only["reason"] == "1 repeat failed: timeout"


def test_ignored_params_are_not_in_the_key(tmp_path):
    base = make(tmp_path / "a.csv", fields(machine="m", params="profile=1;size=4M"))
    new = make(tmp_path / "b.csv", fields(machine="m", params="profile=2;size=4M"))
    assert compare(base, new).returncode == 3
    assert compare(base, new, "--ignore=profile").returncode == 0


def test_a_folder_is_all_its_files_and_a_copy_counts_once(tmp_path):
    (tmp_path / "base").mkdir()
    rates = noisy(1, 12)
    native(tmp_path / "base/1.csv", {"mmap1": rates[:6]}, run_id="a")
    native(tmp_path / "base/2.csv", {"mmap1": rates[6:]}, run_id="b")
    native(tmp_path / "base/copy.csv", {"mmap1": rates[:6]}, run_id="a")
    new = native(tmp_path / "new.csv", {"mmap1": rates})
    done = compare(tmp_path / "base", new, "--format=json")
    only, = json.loads(done.stdout)["series"]
    assert only["base_repeats"] == only["new_repeats"] == 12 and only["verdict"] == "same"
    assert "counted once: 6" in done.stdout


def test_junit_has_a_case_for_each_series(sides):
    suite = xml.etree.ElementTree.fromstring(compare(*sides, "--format=junit").stdout)
    assert suite.attrib == {"name": "will-it-batch compare", "tests": "4", "failures": "1",
                            "errors": "0", "skipped": "1"}
    cases = {case.get("name").split()[0]: case for case in suite}
    said = cases["slow1"].find("failure").get("message")
    assert said.startswith("1000000 -> 900000 ops/s, -10.0%")
    assert cases["noisy1"].find("skipped") is not None
    assert cases["same1"].find("failure") is None
    assert cases["same1"].get("classname") == "native.same1"


def test_json_for_the_action_has_its_fields(sides):
    found = json.loads(compare(*sides, "--format=action").stdout)
    assert [set(each) for each in found] == [{"name", "unit", "value", "range", "extra"}] * 4
    first = found[0]
    assert first["name"] == "native: slow1 percpu_counter 64x 1 task" and first["unit"] == "ops/s"
    assert first["value"] == pytest.approx(9e5) and first["extra"] == "worse -10.0%"


@needs_gnuplot
def test_a_folder_gets_every_format_and_the_chart(sides, tmp_path):
    done = compare(*sides, "-o", tmp_path / "deep/out")
    assert done.returncode == 1, done.stderr
    assert {path.name for path in (tmp_path / "deep/out").iterdir()} == {
        "regression.png", "regression.svg", *(name for _, name in formats.FORMATS.values())}
    assert (tmp_path / "deep/out/compare.txt").read_text() == done.stdout


def test_long_tables_are_cut_and_can_be_had_whole(tmp_path):
    rates = {(f"t{i}", 1): 10 for i in range(70)}
    base = simulated(tmp_path / "a.csv", rates)
    done = compare(base, base)
    assert done.stdout.count(" same ") == 50 and "20 more series (--all shows them)" in done.stdout
    assert compare(base, base, "--all").stdout.count(" same ") == 70
    assert len(verdicts(base, base)) == 70


@needs_gnuplot
def test_the_chart_leaves_the_same_out_first_and_says_so(tmp_path):
    rates = {(f"t{i}", 1): 10 for i in range(70)}
    base = simulated(tmp_path / "a.csv", rates)
    rates["t69", 1], rates["t68", 1] = 5, 20
    done = compare(base, simulated(tmp_path / "b.csv", rates), "-o", tmp_path / "out")
    assert done.returncode == 1, done.stderr
    root = xml.etree.ElementTree.parse(tmp_path / "out/regression.svg").getroot()
    shown = ["".join(item.itertext()).strip() for item in root.iter()
             if item.tag.endswith("}text")]
    names = [words for words in shown if words.endswith("64x 1 task")]
    assert len(names) == 60 and {"t69 percpu_counter 64x 1 task",
                                 "t68 percpu_counter 64x 1 task"} <= set(names)
    assert "10 more series are not drawn, such as are the same first." in shown
    assert "≡ -50.0%  worse" in shown and "≡ +100.0%  better" in shown


@needs_gnuplot
def test_hostile_text_stays_text_in_every_format(tmp_path):
    names = dict.fromkeys(["testcase", "counter", "batch", "policy", "mode", "placement", "params",
                           "run_id", "kind"], HOSTILE)
    rows = [fields(**{**names, "machine": machine, "tasks": tasks, "ops_per_sec": 100})
            for machine in ("native", HOSTILE) for tasks in (1, 2)]
    lost = {**rows[3], "status": "failed", "reason": HOSTILE, "ops_per_sec": "", "policy": ""}
    flat = HOSTILE.replace("\n", " ").replace("\x00", "")
    base = make(tmp_path / "a.csv", *rows, header=[f"commit: {flat}", f"cpu: {flat}"])
    new = make(tmp_path / "b.csv", *rows[:3], lost, header=["commit: b", f"cpu: {flat}"])
    out = tmp_path / "out"
    done = compare(base, new, "-o", out)
    assert done.returncode == 1, done.stderr
    assert not list(tmp_path.rglob("PWNED")) and not (ROOT / "PWNED").exists()
    for name in ("compare.txt", "compare.md"):
        written = (out / name).read_text()
        assert not {char for char in written if not char.isprintable()} - {"\n"}
    markdown = (out / "compare.md").read_text()
    rows_ = [line for line in markdown.splitlines() if line.startswith("|")]
    assert all(line.count("|") == 10 for line in rows_) and len(rows_) == 8
    for bad in ("<img", "](http", "@B", "`touch", "|c|"):
        assert bad not in markdown
    suite = xml.etree.ElementTree.parse(out / "compare.xml").getroot()
    assert len(suite) == 4 and "<img src=x" in suite[0].get("name")
    assert json.loads((out / "compare.json").read_text())["series"][0]["key"]["testcase"] == HOSTILE
    svg = xml.etree.ElementTree.parse(out / "regression.svg").getroot()
    assert not [item for item in svg.iter() if item.tag.endswith(("img", "script"))]
