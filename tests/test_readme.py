# SPDX-License-Identifier: GPL-2.0-or-later
"""test_readme.py - what the documents say is true: examples, options, names, files, columns, diffs.

The two diffs of README.md are applied to a copy of the tree, which is built and run.
"""
import csv
import glob
import os
import re
import shlex
import shutil
import subprocess

import pytest
import wib
from tidy import source

README = (wib.ROOT / "README.md").read_text()
DOCUMENTS = ["README.md", "CHANGELOG.md", "docs/ARCHITECTURE.md", "results/README.md"]
DIFFS = {path.name: path.read_text() for path in sorted((wib.ROOT / "docs/diffs").glob("*.diff"))}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
FOLDERS = r"(?:\.ci|counters|docs|machine|plot|results|runner|scripts|testcases|tests)"
# Files that only a run makes.
MADE = re.compile(r"results/(?!README\.md|published/)")


def blocks(language, text=README):
    return [body for name, body in BLOCK.findall(text) if name == language]


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def tables(text):
    """(cells of the head, cells of each row) of every table."""
    for table in re.findall(r"(?:^\|.*\n){3,}", text, re.MULTILINE):
        lines = table.splitlines()
        yield cells(lines[0]), [cells(line) for line in lines[2:]]


def quoted(text):
    return re.findall(r"`([^`]+)`", text)


def unit_of(diff):
    """Path, kind and name of the file that a diff adds."""
    path = re.search(r"^\+\+\+ b/(\S+)$", diff, re.MULTILINE)[1]
    kind, name = path.split("/")[1:]
    return path, kind, name.split(".")[0]


def commands():
    """Each ./runtest line of the examples as (words, the diff that it needs or None)."""
    for block in blocks("sh"):
        for line in block.splitlines():
            if not line.startswith("./runtest"):
                continue
            needs = [name for name, diff in DIFFS.items()
                     if re.search(rf"\b{unit_of(diff)[2]}\b", line)]
            yield shlex.split(line, comments=True), needs[0] if needs else None


def plain_run(program, words, cwd, *more):
    return subprocess.run([program, *words, *more], cwd=cwd, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=60 * wib.SLOW)


def dry(words):
    return () if words[0] in ("list", "topo", "check-host") else ("--dry-run",)


def listed(what):
    text = plain_run(wib.RUNTEST, ["list", "--format=csv"], wib.ROOT).stdout
    return {row["name"] for row in csv.DictReader(text.splitlines()) if row["what"] == what}


def test_there_are_examples_and_diffs():
    assert len(list(commands())) >= 10 and len(DIFFS) == 2
    assert all(any(needs == name for _, needs in commands()) for name in DIFFS)


@pytest.mark.parametrize("words", [words[1:] for words, needs in commands() if not needs],
                         ids=" ".join)
def test_examples_run(words, tmp_path):
    own = wib.ROOT / "machine/sim/profiles/8c16t.ini"
    (tmp_path / "mine.ini").write_text(own.read_text())
    result = plain_run(wib.RUNTEST, words, tmp_path, *dry(words))
    # 1 is a verdict there, not a fault.
    assert result.returncode in ((0, 1) if words == ["check-host"] else (0,)), result.stderr
    assert result.stdout and not result.stderr


def test_options_exist():
    known = set(OPTION.findall(plain_run(wib.RUNTEST, ["--help"], wib.ROOT).stdout))
    chart = "".join(plain_run(f"plot/{name}.py", [*words, "--help"], wib.ROOT).stdout
                    for name, *words in (["chart"], ["report"], ["compare"], ["ab"],
                                         ["history", "add"], ["history", "gate"],
                                         ["history", "trend"]))
    for document in DOCUMENTS:
        named = set(OPTION.findall((wib.ROOT / document).read_text()))
        assert named <= known | set(OPTION.findall(chart)), document


def test_names_in_tables_exist():
    found = 0
    for head, rows in tables(README):
        if head[0] in ("testcase", "counter"):
            names = {name for row in rows for name in quoted(row[0])}
            assert names and names <= listed(head[0])
            found += 1
    assert found


def titles(text):
    """Of the table in what runtest prints."""
    line = next(line for line in text.splitlines() if line.startswith("testcase  "))
    return re.split(r"\s{2,}", line.strip())


def test_the_table_is_explained(tmp_path):
    """Every column that a table can have has its line, in order; the one shown has no others."""
    explained = [name for head, rows in tables(README) if head[0] == "column"
                 for row in rows for name in quoted(row[0])]
    written = (wib.ROOT / "runner/table_columns.c").read_text()
    assert explained == re.findall(r'\.title = "([^"]+)"', written)
    result = wib.run(tmp_path, "mmap1", *wib.QUICK, "--tasks=1,2", "--batch=1x", "--output=r.csv")
    assert result.code == 0, result
    assert set(titles(result.out)) - {"by site"} == set(titles(blocks("text")[0])) - {"by site"}


def test_columns_are_the_writers(tmp_path):
    """results/README.md has every column once, in order, and every key of the header lines."""
    text = (wib.ROOT / "results/README.md").read_text()
    result = wib.run(tmp_path, "getppid1", *wib.QUICK, "--output=-")
    assert result.code == 0, result
    described = [quoted(row[0])[0] for head, rows in tables(text) if head[0] == "column"
                 for row in rows]
    assert described == wib.columns(result.out)
    assert {key for key, _ in wib.header(result.out)} <= set(quoted(text))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_exist(document):
    """Links, and paths in back quotes."""
    path = wib.ROOT / document
    text = BLOCK.sub("", path.read_text())
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", text):
        if not link.startswith("https://"):
            assert (path.parent / link).exists(), link
    for name in quoted(text):
        if not re.fullmatch(rf"(?:\./)?{FOLDERS}/[\w*./-]*", name) or MADE.match(name):
            continue
        pattern = re.sub("KIND|NAME", "*", name)
        assert glob.glob(str(wib.ROOT / pattern)), name
    for word in re.findall(r"\bmake ([a-z]\w*)`", text):
        assert re.search(rf"^{word}:", (wib.ROOT / "Makefile").read_text(), re.MULTILINE), word


def test_make_targets_exist():
    makefile = (wib.ROOT / "Makefile").read_text()
    for line in "".join(blocks("sh")).splitlines():
        if line.split()[:1] == ["make"]:
            for word in shlex.split(line, comments=True)[1:]:
                name, is_variable, _ = word.partition("=")
                found = f"$({name})" in makefile if is_variable else f"\n{name}:" in makefile
                assert found, line


def test_diffs_are_in_the_readme():
    assert blocks("diff") == list(DIFFS.values())


def copy_tree(to):
    """The tree with what is built of it: so that little is compiled anew."""
    for name in source.names(wib.ROOT):
        if (wib.ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(wib.ROOT / name, to / name)
    shutil.copytree(wib.ROOT / "build/plain", to / "build/plain",
                    ignore=shutil.ignore_patterns("tests", "mutants"))


def apply(tree, diff):
    tool = ["patch", "-p1", "-s"] if shutil.which("patch") else ["git", "apply"]
    # A folder that is in a git repository by chance must not make git look there.
    subprocess.run(tool, cwd=tree, input=diff, text=True, check=True, timeout=60,
                   env={**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.parent)})


def build(tree):
    env = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    result = subprocess.run(["make", "-j4", "all"], cwd=tree, env=env, capture_output=True,
                            text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.mark.skipif(not (shutil.which("patch") or shutil.which("git")), reason="no patch, no git")
@wib.needs_plain
@pytest.mark.parametrize("name", DIFFS)
def test_diffs_replay(name, tmp_path):
    path, kind, unit = unit_of(DIFFS[name])
    is_counter = path.startswith("counters/")
    copy_tree(tmp_path)
    assert not (tmp_path / path).exists()
    apply(tmp_path, DIFFS[name])
    printed = build(tmp_path)
    assert re.search(rf"CELL +\w+/{kind}/[^\n]*\b{unit}\b", printed), printed

    runtest = str(tmp_path / "runtest")
    what = ["null1", f"--counter={unit}"] if is_counter else [unit]
    result = plain_run(runtest, [*what, "-d", "50ms", "--warmup=0s", "--batch=1x,64x", "--output=-",
                                 "--tasks=1,2"], tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr
    rows = wib.parse(result.stdout)
    assert len(rows) == 4
    for row in rows:
        assert row["status"] == "ok" and unit in (row["counter"], row["testcase"])
        assert int(row["ops"]) > 0
        assert int(row["charges"]) % int(row["ops"]) == 0
        assert int(row["error_max"]) <= int(row["error_bound"])
    for words, needs in commands():
        if needs == name:
            assert plain_run(runtest, words[1:], tmp_path, "--dry-run").returncode == 0
