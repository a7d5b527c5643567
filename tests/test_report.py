# SPDX-License-Identifier: GPL-2.0-or-later
"""test_report.py - the page of plot/report.py: whole, self-contained, and no name becomes markup.

What only a browser can tell is in tests/browser/.
"""
import html.parser
import re
import subprocess

from chart_helpers import (ALL_CHARTS, DATA, HOSTILE, MARKUP, ROOT, fields, hostile_files, make)
import pytest

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """Elements of a page as (tag, attributes), its words, and whether all is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self.open = [], [], []
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.words.append(data)

    def count(self, tag):
        return sum(name == tag for name, _ in self.elements)

    def attributes(self, name):
        return [attrs[name] for _, attrs in self.elements if name in attrs]


def report(*arguments, cwd=None):
    """Run report.py; return the finished process."""
    return subprocess.run([ROOT / "plot/report.py", *map(str, arguments)], cwd=cwd, text=True,
                          capture_output=True, check=False, timeout=120)


def page_of(tmp_path, *files):
    """The Page of files."""
    done = report(*files, "-o", tmp_path / "r.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tmp_path}/r.html\n", "")
    return Page((tmp_path / "r.html").read_text())


def test_the_page_has_charts_rows_warnings_and_where(tmp_path):
    page = page_of(tmp_path, DATA / "many_core.csv", DATA / "scaling_native.csv",
                   DATA / "scaling_sim.csv")
    text = "".join(page.words)
    assert {kind for kind in page.attributes("data-kind")} == ALL_CHARTS - {"latency",
                                                                           "reproduction"}
    for words in ("turbo is on: 1-task rates may be high", "timeout: task 3, no answer in 60 s",
                  "AMD EPYC 7763 64-Core Processor", "4s72c144t (simulated)", "144 tasks",
                  "profile xeon-4s has no cost for brk", "brk1, process, xeon-4s: no chart"):
        assert words in text, words
    assert text.index("turbo is on") < text.index("What ran where", 400) < text.index("effic.")
    assert page.count("tr") > 100 + 35


def test_every_series_links_to_its_rows_and_every_row_back(tmp_path):
    page = page_of(tmp_path, DATA / "many_core.csv", DATA / "scaling_native.csv")
    ids = page.attributes("id")
    assert len(ids) == len(set(ids))
    links = [link[1:] for link in page.attributes("href") if link.startswith("#")]
    assert set(links) <= set(ids)
    rows = {attrs["data-s"] for tag, attrs in page.elements if tag == "tr" and "data-s" in attrs}
    series = {name for tag, attrs in page.elements if tag in ("li", "g") and "data-s" in attrs
              for name in attrs["data-s"].split()}
    assert rows == series and len(rows) == 8 + 3


def test_the_page_is_self_contained(tmp_path):
    page = page_of(tmp_path, DATA / "many_core.csv")
    text = (tmp_path / "r.html").read_text()
    assert page.attributes("src") == []
    assert all(link.startswith(("#", "data:")) for link in page.attributes("href"))
    assert not re.search(r"url\(|@import|https?://", text)
    policy = next(attrs["content"] for tag, attrs in page.elements
                  if attrs.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy
    assert page.attributes("style") == [] and not any(
        name.startswith("on") for _, attrs in page.elements for name in attrs)


@pytest.mark.parametrize("text", [HOSTILE, MARKUP, "'\"><svg onload=alert(1)>", "]]>-->{% x %}"])
def test_hostile_names_are_words(tmp_path, text):
    files = hostile_files(tmp_path, text)
    plain = page_of(tmp_path, *hostile_files(tmp_path, "plain"))
    shape = [(tag, sorted(attrs)) for tag, attrs in plain.elements if tag in ("script", "img", "a")]
    page = page_of(tmp_path, *hostile_files(tmp_path, text))
    assert [(tag, sorted(attrs)) for tag, attrs in page.elements
            if tag in ("script", "img", "a")] == shape
    shown = "".join(char if char.isprintable() else "?" for char in text)
    assert shown in "".join(page.words) and len(files) == 2
    assert set(page.attributes("data-kind")) == ALL_CHARTS


def test_rows_beyond_the_most_are_counted(tmp_path):
    rows = [fields(tasks=tasks, repeat=repeat) for tasks in range(1, 201)
            for repeat in range(1, 12)]
    page = page_of(tmp_path, make(tmp_path / "a.csv", *rows))
    assert page.count("tr") == 2000 + 1
    assert "200 more rows are in the charts and in the files." in "".join(page.words)


def test_without_warnings_it_says_so(tmp_path):
    page = page_of(tmp_path, make(tmp_path / "a.csv", fields()))
    assert "None: no run warned of anything" in "".join(page.words)


@pytest.mark.parametrize("content,wanted", [
    ("", "is empty"), ("name,age\nme,5\n", "missing columns"),
    ("schema,x\n2,x\n", "schema is '2'")])
def test_bad_files_are_one_line_and_leave_the_old_page(tmp_path, content, wanted):
    path = tmp_path / "a.csv"
    path.write_text(content)
    (tmp_path / "r.html").write_text("old")
    done = report(DATA / "many_core.csv", path, "-o", tmp_path / "r.html")
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"report.py: {path}") and wanted in done.stderr
    assert (tmp_path / "r.html").read_text() == "old"


@pytest.mark.parametrize("changes,wanted", [({"ops_per_sec": "nan"}, "'nan' is not a finite"),
                                            ({"ops_per_sec": "-1"}, "is negative")])
def test_bad_fields_are_refused_with_their_line(tmp_path, changes, wanted):
    path = make(tmp_path / "a.csv", fields(), fields(**changes))
    done = report(path, "-o", tmp_path / "r.html")
    assert done.returncode == 2 and f"{path}:3: ops_per_sec" in done.stderr
    assert wanted in done.stderr and not (tmp_path / "r.html").exists()


def test_a_cut_last_line_is_told_on_the_page(tmp_path):
    path = make(tmp_path / "a.csv", fields(), fields(tasks=2))
    path.write_bytes(path.read_bytes()[:-20])
    page = page_of(tmp_path, path)
    assert f"{path}:3: last line is cut off, dropped" in "".join(page.words)


@pytest.mark.parametrize("output", ["none/r.html", "."])
def test_a_page_that_cannot_be_written_is_one_line(tmp_path, output):
    done = report(DATA / "many_core.csv", "-o", output, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["a.csv"], ["-o", "x"], ["a.csv", "-o"],
                                       ["a.csv", "-x"]])
def test_a_wrong_command_line_is_one_line(arguments, tmp_path):
    done = report(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and done.stdout == ""
