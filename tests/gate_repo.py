# SPDX-License-Identifier: GPL-2.0-or-later
"""gate_repo.py - a git repository with the gate and a stand-in for runtest, for test_gate.py."""
import os
import shutil
import subprocess

from chart_helpers import ROOT, columns, fields

MAKEFILE = """all:
\tif test -e broken; then echo boom >&2; exit 1; fi
\tif test -e slow; then touch building; sleep 60; fi
\tcp standin runtest && chmod +x runtest
"""
# Rows as of a simulated machine: rates.txt says what a point gives. It knows no testcase `later`
# unless a file of that name is there.
STANDIN = """#!/usr/bin/python3
import csv, os, sys, uuid
options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
names = [word for word in sys.argv[1:] if not word.startswith("--")]
if "later" in names and not os.path.exists("later"):
    print("runtest: no testcase named later: there are mmap1", file=sys.stderr)
    sys.exit(2)
if "crash" in names:
    print("out of memory", file=sys.stderr)
    sys.exit(1)
rates = dict(line.split() for line in open(os.path.join(os.path.dirname(__file__), "rates.txt")))
row = ROW
row["run_id"] = uuid.uuid4().hex
with open(options["output"], "w", newline="") as file:
    writer = csv.DictWriter(file, list(row))
    writer.writeheader()
    for tasks in (1, 16):
        for name in names:
            writer.writerow({**row, "testcase": name, "tasks": tasks,
                             "machine": options.get("machine", "native"), "params": "size=128M",
                             "ops_per_sec": rates.get(f"{name}:{tasks}", "1000")})
"""
SET = "machine small\nmachine large\nrun mmap1 --batch=64x\nrun brk1\nnative mmap1\n"


def git(folder, *words):
    """Run git in a repository; return what it printed."""
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", *words], cwd=folder,
                          env=env, check=True, capture_output=True, text=True).stdout.strip()


def commit(folder, **files):
    """Write files (name to text) and commit; return the commit."""
    for name, text in files.items():
        (folder / name.replace("_txt", ".txt")).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x", "--allow-empty")
    return git(folder, "rev-parse", "HEAD")


def make_repo(folder):
    """The repository with one commit; returns it."""
    for part in ("scripts", "plot"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "scripts/gate.set").write_text(SET)
    (folder / ".gitignore").write_text("/results/\n/runtest\n__pycache__/\n")
    git(folder, "init", "-q")
    assert set(fields()) == set(columns())
    standin = STANDIN.replace("ROW", repr(fields(machine="", batch="64x")))
    return commit(folder, Makefile=MAKEFILE, standin=standin, rates_txt="mmap1:16 16000\n")


def gate(folder, *words, **env):
    """Run the gate; return the finished process."""
    env = {name: value for name, value in {**os.environ, **env}.items()
           if not name.startswith("GIT_")}
    return subprocess.run(["scripts/gate", *words], cwd=folder, env=env, capture_output=True,
                          text=True, check=False, timeout=120, stdin=subprocess.DEVNULL)
