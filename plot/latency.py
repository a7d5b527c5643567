# SPDX-License-Identifier: GPL-2.0-or-later
"""latency - read the latency histograms that stand beside a result file, FILE.latency.csv.

One row is one bucket that is not empty, [low_ns, high_ns), of one phase of one point.
"""

import collections

import results
from results import count, rate, text

COLUMNS = {"schema": count, "run_id": text, "machine": text, "testcase": text, "counter": text,
           "batch": text, "mode": text, "tasks": count, "repeat": count, "phase": text,
           "low_ns": rate, "high_ns": rate, "count": count}

# One bucket; source is its Source, line its line in the file.
Row = collections.namedtuple("Row", [*COLUMNS, "source", "line"])


def is_header(names):
    """Whether column names are those of a latency file."""
    return "low_ns" in names and "count" in names


def read(path):
    """Read one file: (Source, list of Row). Raises ResultsError."""
    return results.read_table(path, COLUMNS, Row, "latency", _check)


def _check(row):
    if row.schema != results.SCHEMA:
        row.source.fail(row.line, f"schema is {str(row.schema)!r}: this program reads schema "
                        f"{results.SCHEMA}")
    for name in ("tasks", "low_ns", "count"):
        if getattr(row, name) is None:
            row.source.fail(row.line, f"{name} is empty: a bucket has one")
    if row.high_ns is not None and row.high_ns <= row.low_ns:
        row.source.fail(row.line, f"high_ns {row.high_ns:g} is not above low_ns {row.low_ns:g}")
