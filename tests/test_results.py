# SPDX-License-Identifier: GPL-2.0-or-later
"""test_results.py - results/README.md documents every column of the CSV files, each once."""
import re

import wib

NAME = re.compile(r"`([a-z][a-z0-9_]*)`")


def documented(text):
    """Names in backticks at the head of a table row, a list item or a heading."""
    names = []
    for line in text.splitlines():
        head = re.match(r"\s*(?:\|([^|]*)\||[-*] (`[^`]*`(?:, `[^`]*`)*)|#+ (`.*))", line)
        if head:
            names += NAME.findall(next(filter(None, head.groups()), ""))
    return names


def test_every_column_is_documented_once(tmp_path):
    columns = wib.columns(wib.run(tmp_path, "null1", *wib.QUICK, "--output=-").out)
    names = documented((wib.ROOT / "results/README.md").read_text())
    assert [name for name in columns if name not in names] == []
    assert [name for name in names if name not in columns] == []
    assert [name for name in set(names) if names.count(name) > 1] == []


def test_the_reading_of_the_dictionary():
    text = ("| column | what |\n|---|---|\n| `a` | is `b` |\n| `c`, `d_1` | x |\n- `e` - of `f`\n"
            "### `g`\nprose about `h`\n")
    assert documented(text) == ["a", "c", "d_1", "e", "g"]
