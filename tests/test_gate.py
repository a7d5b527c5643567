# SPDX-License-Identifier: GPL-2.0-or-later
"""test_gate.py - scripts/gate on a repository with a stand-in for runtest: verdict, errors, and
that nothing is left behind."""
import json
import os
import signal
import subprocess
import time

import conftest
from chart_helpers import needs_gnuplot
from gate_repo import commit, gate, git, make_repo
import pytest

ROOT = conftest.ROOT


@pytest.fixture
def repo(tmp_path):
    folder = tmp_path / "repo"
    folder.mkdir()
    make_repo(folder)
    return folder


@pytest.fixture
def temporary(tmp_path):
    folder = tmp_path / "tmp"
    folder.mkdir()
    return folder


def clean(repo, temporary):
    """Nothing of the gate is left: no worktree, no temporary file, no change in the repository."""
    assert git(repo, "worktree", "list").count("\n") == 0
    assert list(temporary.iterdir()) == []
    assert git(repo, "status", "--porcelain") == ""
    return True


def verdicts(repo):
    found = json.loads((repo / "results/gate/compare.json").read_text())
    return {(each["key"]["machine"], each["key"]["testcase"], each["key"]["tasks"]):
            each["verdict"] for each in found["series"]}


@needs_gnuplot
def test_a_planted_slow_down_of_one_percent_is_found_with_chart_and_markdown(repo, temporary):
    commit(repo, rates_txt="mmap1:16 15840\n")
    done = gate(repo, "HEAD~1", TMPDIR=str(temporary))
    assert done.returncode == 1, done.stderr
    assert verdicts(repo) == {
        (machine, testcase, tasks): "worse" if (testcase, tasks) == ("mmap1", 16) else "same"
        for machine in ("small", "large") for testcase in ("mmap1", "brk1") for tasks in (1, 16)}
    assert "16000 -1.0% 15840 worse mmap1" in " ".join(done.stdout.split())
    assert "8 series compared: 2 worse, 6 same" in done.stdout
    out = {path.name for path in (repo / "results/gate").iterdir()}
    assert {"regression.png", "regression.svg", "compare.md", "compare.xml"} <= out
    assert clean(repo, temporary)


def test_the_same_program_is_the_same_and_what_is_not_committed_is_not_looked_at(repo, temporary):
    (repo / "rates.txt").write_text("mmap1:16 1\n")
    done = gate(repo, "HEAD", TMPDIR=str(temporary))
    assert done.returncode == 0 and "8 series compared: 8 same" in done.stdout
    git(repo, "checkout", "-q", "rates.txt")
    assert clean(repo, temporary)


def test_the_two_commits_can_both_be_named(repo, temporary):
    commit(repo, rates_txt="mmap1:16 17000\n")
    commit(repo, rates_txt="mmap1:16 15000\n")
    assert gate(repo, "HEAD~2", "HEAD~1").returncode == 0
    assert "better" in verdicts(repo).values()


def test_what_only_the_base_cannot_run_is_said_and_left_out(repo, temporary):
    with open(repo / "scripts/gate.set", "a", encoding="utf-8") as file:
        file.write("run later\n")
    commit(repo, later="")
    done = gate(repo, "HEAD~1", TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    assert "base cannot run: later --machine=small: runtest: no testcase named later" in done.stderr
    assert "only in new: later" in done.stdout
    assert clean(repo, temporary)


def test_what_the_new_commit_cannot_run_is_an_error(repo, temporary):
    commit(repo, later="")
    git(repo, "rm", "-q", "later")
    (repo / "scripts/gate.set").write_text("machine small\nrun later\n")
    commit(repo)
    done = gate(repo, "HEAD~1", TMPDIR=str(temporary))
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == ("gate: new: ./runtest later --machine=small: runtest: "
                                            "no testcase named later: there are mmap1")
    assert clean(repo, temporary)


def test_a_run_that_leaves_no_rows_is_an_error_though_its_status_is_1(repo, temporary):
    (repo / "scripts/gate.set").write_text("machine small\nrun crash\n")
    commit(repo)
    done = gate(repo, "HEAD", TMPDIR=str(temporary))
    assert done.returncode == 2
    assert "new: ./runtest crash --machine=small: out of memory" in done.stderr.splitlines()[-1]
    assert clean(repo, temporary)


def test_a_base_that_can_run_nothing_is_not_comparable(repo, temporary):
    (repo / "scripts/gate.set").write_text("machine small\nrun later\n")
    commit(repo, later="")
    assert gate(repo, "HEAD~1", TMPDIR=str(temporary)).returncode == 3
    assert clean(repo, temporary)


def test_a_commit_that_does_not_build_is_named(repo, temporary):
    commit(repo, broken="")
    done = gate(repo, "HEAD~1", TMPDIR=str(temporary))
    assert done.returncode == 2
    assert "(new) does not build: see" in done.stderr.splitlines()[-1]
    assert "boom" in (repo / "results/gate/build-new.log").read_text()
    assert clean(repo, temporary)


@pytest.mark.parametrize("words, wanted", [
    ([], "which commit"), ([""], "which commit"), (["no-such"], "no-such is no commit here"),
    (["--upload-pack=x"], "is no commit here"), (["HEAD", "gone"], "gone is no commit"),
    (["a", "b", "c"], "which commit")])
def test_a_wrong_command_line_is_one_line(repo, temporary, words, wanted):
    done = gate(repo, *words, TMPDIR=str(temporary))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and wanted in done.stderr
    assert clean(repo, temporary)


def test_a_set_without_runs_is_one_line(repo, temporary):
    (repo / "scripts/gate.set").write_text("machine small\n")
    commit(repo)
    done = gate(repo, "HEAD", TMPDIR=str(temporary))
    assert done.returncode == 2 and "no 'run' or no 'machine' line" in done.stderr
    assert clean(repo, temporary)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_leaves_nothing(repo, temporary, number):
    commit(repo, slow="")
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    process = subprocess.Popen(["scripts/gate", "HEAD"], cwd=repo, start_new_session=True,
                               env={**env, "TMPDIR": str(temporary)}, stderr=subprocess.PIPE,
                               # A shell that starts tests in the background has it ignored.
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    try:
        until = time.monotonic() + 60
        while len(list(temporary.rglob("building"))) < 2:
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert clean(repo, temporary)


@needs_gnuplot
def test_native_runs_by_turns_and_only_advises(repo, temporary):
    done = gate(repo, "--native", "HEAD", TMPDIR=str(temporary), GATE_ROUNDS="5")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("### 2 series compared: 2 same")
    assert (repo / "results/gate/regression.png").exists()
    assert clean(repo, temporary)


def test_the_set_is_read_by_everyone_as_written():
    """Only known words begin its lines, and the machines are those that the project promises."""
    lines = [line.split() for line in (ROOT / "scripts/gate.set").read_text().splitlines()
             if line and not line.startswith("#")]
    assert {line[0] for line in lines} == {"machine", "run", "native"}
    assert [line[1] for line in lines if line[0] == "machine"] == [
        "8c16t", "2s44c88t", "4s72c144t"]
    assert all(not word.startswith(("--machine", "--output", "-o"))
               for line in lines for word in line)


@pytest.mark.parametrize("path", [".github/workflows/gate.yml", ".gitlab-ci.yml"])
def test_ci_uses_the_gate_as_it_is(path):
    text = (ROOT / path).read_text()
    assert "make gate BASE=" in text and "make gate NATIVE=1 BASE=" in text
    assert "results/gate" in text and ("continue-on-error: true" in text
                                       or "allow_failure: true" in text)
