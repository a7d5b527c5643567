# SPDX-License-Identifier: GPL-2.0-or-later
"""published - read what `make reproduce` writes: published figures beside simulated ones.
"""

import collections

import results
from results import number, text

COLUMNS = {"block": text, "row": text, "metric": text, "published_low": number,
           "published_high": number, "simulated": number, "ratio": number, "basis": text}
BASES = ("given", "fitted", "predicted")

# One figure; source is its Source, line its line in the file.
Row = collections.namedtuple("Row", [*COLUMNS, "source", "line"])


def is_header(names):
    """Whether column names are those of such a file."""
    return "published_low" in names and "simulated" in names


def read(path):
    """Read one file: (Source, list of Row). Raises ResultsError."""
    return results.read_table(path, COLUMNS, Row, "reproduction", _check)


def _check(row):
    fail = row.source.fail
    if row.basis not in BASES:
        fail(row.line, f"basis {row.basis[:40]!r} is none of {', '.join(BASES)}")
    for name in ("published_low", "published_high", "simulated"):
        value = getattr(row, name)
        if value is None:
            fail(row.line, f"{name} is empty: a row has one")
        if value < 0:
            fail(row.line, f"{name} {value:g} is negative: it must be at least 0")
    if row.published_low > row.published_high:
        fail(row.line, f"published_low {row.published_low:g} is above published_high "
             f"{row.published_high:g}")
