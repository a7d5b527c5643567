# SPDX-License-Identifier: GPL-2.0-or-later
"""results - read and check result CSV files: rows with types, or one clear error.

Every reader of results goes through read(). It knows the file format and nothing of charts.
"""

import codecs
import collections
import csv
import itertools
import re

SCHEMA = 1
STATUSES = ("ok", "failed", "skipped")
LIMIT = 1e100  # far beyond any rate; products of two such numbers still fit a double
_PART_ROWS = 5000  # converted at a time: few enough that their text stays in the caches
_DIGITS = set("0123456789")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class ResultsError(Exception):
    """A file that cannot be used. str() is one line: where, what is wrong, what would be right."""


def text(value):
    """Any text; empty stays the empty string."""
    return value


def number(value):
    """A finite decimal number as float; None where empty."""
    if value == "":
        return None
    if not _NUMBER.fullmatch(value):
        raise ValueError("is not a finite number")
    result = float(value)
    if abs(result) > LIMIT:
        raise ValueError(f"is out of range: at most {LIMIT:g}")
    return result


def rate(value):
    """A number of at least 0, as float; None where empty."""
    result = number(value)
    if result is not None and result < 0:
        raise ValueError("is negative: it must be at least 0")
    return result


def count(value):
    """A whole number of at least 0, as int; None where empty."""
    if value == "":
        return None
    if re.fullmatch(r"-[0-9]+", value):
        raise ValueError("is negative: it must be at least 0")
    if not re.fullmatch(r"[0-9]{1,100}", value):
        raise ValueError("is not a whole number")
    return int(value)


def settings(value):
    """`key=value` joined by `;` as a dict of text to text; a bare `key` has the value ''."""
    pairs = (item.partition("=") for item in value.split(";") if item)
    return {key: val for key, _, val in pairs}


# The columns of schema 1 and how a field of each is read. Rates are in ops per second, *_s in
# seconds, *_ns in nanoseconds, *_pct in percent, errors in pages or events. The bounds of an
# interval may be negative: a wide interval round a small rate is.
COLUMNS = {
    "schema": count, "run_id": text, "time": text, "host": text, "machine": text,
    "testcase": text, "counter": text, "kind": text, "batch": text, "batch_used": count,
    "policy": text, "mode": text, "placement": text, "tasks": count, "repeat": count,
    "seed": count, "duration_s": rate, "ops": count, "ops_per_sec": rate, "ops_low": number,
    "ops_high": number, "task_min": rate, "task_median": rate, "task_max": rate,
    "speedup": rate, "efficiency": rate, "lock_acquisitions": count, "lock_contended": count,
    "lock_wait_pct": rate, "lock_sites": text, "spills": count, "error_max": number,
    "error_bound": number, "read_ns": rate, "sum_ns": rate, "refused": count, "idle_pct": rate,
    "steal_pct": rate, "params": settings, "status": text, "reason": text,
}

# One measured point. Beside the columns: extra, a dict of later columns (text to text); source,
# its Source; line, its first line in the file, from 1.
Row = collections.namedtuple("Row", [*COLUMNS, "extra", "source", "line"])


class Source:
    """A file read: path, header (dict of lower-case key to list of values), notes (list of text).

    Notes say what was left out of the rows, for the user.
    """

    def __init__(self, path):
        self.path = path
        self.header = collections.defaultdict(list)
        self.notes = []

    def fail(self, line, what):
        """Raise the error `path:line: what`; line 0 is the file as a whole."""
        where = f"{self.path}:{line}" if line else self.path
        raise ResultsError(f"{where}: {what}")


def _load(source):
    """The lines of the file with their ends, a list of text."""
    try:
        with open(source.path, "rb") as file:
            data = file.read()
    except (OSError, ValueError) as error:
        source.fail(0, f"cannot be read: {getattr(error, 'strerror', None) or error}")
    if not data.strip():
        source.fail(0, "is empty: a result CSV with a header row is needed")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        source.fail(line, "is not UTF-8 text: a result CSV is needed")
    return [line.decode() for line in data.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)]


def _take_header(source, lines):
    """Read the `# key: value` lines at the top into source; return how many lines they are."""
    for index, line in enumerate(lines):
        if line.strip() and not line.startswith("#"):
            return index
        key, colon, value = line.lstrip("#").partition(":")
        if colon:
            source.header[key.strip().lower()].append(value.strip())
    source.fail(len(lines), "has comments only: a header row that begins with schema is needed")


def _records(source, lines, skip):
    """Yield (first line number, fields) for each CSV record after the first `skip` lines.

    A record that the end of the file cut off is noted and not yielded. The header row is: without
    it nothing can be said about the file.
    """
    reader = csv.reader(lines[skip:], strict=True)
    complete = lines[-1].endswith(("\n", "\r"))
    end = max(index for index, line in enumerate(lines, 1) if line.strip())
    width = 0
    while True:
        line = skip + reader.line_num + 1
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            _check_cut(source, lines, line, skip + reader.line_num, str(error), width)
            return
        if not fields:
            continue
        last = skip + reader.line_num >= end
        if width and last and (not complete or len(fields) < width):
            source.notes.append(f"{source.path}:{line}: last line is cut off, dropped")
            return
        width = width or len(fields)
        yield line, fields


def _check_cut(source, lines, first, last, error, width):
    """Note a record the end of the file cut off inside quotes; any other bad quoting fails.

    A quote left open in the middle swallows whole rows: that is damage, not an interrupted run.
    """
    swallowed = any(rest.count(",") >= width - 1 for rest in lines[first:])
    if last < len(lines) or "end of data" not in error or not width or swallowed:
        source.fail(first, f"bad CSV quoting ({error}): RFC 4180 quotes are needed")
    source.notes.append(f"{source.path}:{first}: last line is cut off, dropped")


def _check_columns(source, line, names, first_row):
    """Fail unless the header row has every column once and the schema is ours."""
    if "schema" in names and first_row:
        _check_schema(source, *first_row, names.index("schema"))
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        source.fail(line, f"not a result CSV of schema {SCHEMA}: missing columns: "
                    + ", ".join(missing))
    twice = [name for name, times in collections.Counter(names).items() if times > 1]
    if twice:
        source.fail(line, f"columns are there twice: {', '.join(map(repr, twice))}")


def _check_schema(source, line, fields, index):
    found = fields[index] if index < len(fields) else ""
    if found != str(SCHEMA):
        source.fail(line, f"schema is {found!r}: this program reads schema {SCHEMA}")


def _row(source, line, names, fields):
    """One Row from the fields of one record."""
    if len(fields) != len(names):
        source.fail(line, f"has {len(fields)} fields: the header row has {len(names)}")
    named = dict(zip(names, fields))
    _check_schema(source, line, fields, names.index("schema"))
    values = {}
    for name, read_field in COLUMNS.items():
        field = named.pop(name)
        try:
            values[name] = read_field(field)
        except ValueError as error:
            source.fail(line, f"{name} {field[:40]!r} {error}")
    row = Row(**values, extra=named, source=source, line=line)
    _check_row(row)
    return row


def _column(read_field, fields):
    """All fields of one column, as read_field reads each. Raises ValueError.

    Of a column without a sign, exponent or empty field Python's own readers say the same, faster.
    """
    if read_field is text:
        same = {}
        return [same.setdefault(field, field) for field in fields]
    used = set("".join(fields))
    if "" not in fields and max(map(len, fields)) <= 100:
        if read_field is count and used <= _DIGITS:
            return list(map(int, fields))
        if read_field in (rate, number) and used <= _DIGITS | {"."}:
            return list(map(float, fields))
    meaning = {field: read_field(field) for field in set(fields)}
    return [meaning[field] for field in fields]


def _rows(source, names, records):
    """The Rows of all records. They are read column by column, since there may be very many; rows
    of equal params share one dict. What is wrong is left to _row(), which says what and where."""
    columns = dict(zip(names, zip(*(fields for _, fields in records))))
    if (any(len(fields) != len(names) for _, fields in records)
            or set(columns["schema"]) != {str(SCHEMA)}):
        return [_row(source, line, names, fields) for line, fields in records]
    values = []
    for name, read_field in COLUMNS.items():
        try:
            values.append(_column(read_field, columns.pop(name)))
        except ValueError:
            return [_row(source, line, names, fields) for line, fields in records]
    later = zip(*columns.values()) if columns else [()] * len(records)
    rows = [Row(*value, dict(zip(columns, extra)), source, line)
            for *value, extra, (line, _) in zip(*values, later, records)]
    for row in rows:
        _check_row(row)
    return rows


def _check_row(row):
    """Fail where fields that are right by themselves are wrong together."""
    fail = row.source.fail
    if row.status not in STATUSES:
        fail(row.line, f"status {row.status[:40]!r} is none of {', '.join(STATUSES)}")
    if row.status != "ok":
        return
    if not row.tasks:
        fail(row.line, "tasks is empty or 0: an ok row has at least 1")
    if row.ops_per_sec is None:
        fail(row.line, "ops_per_sec is empty: an ok row has a rate")
    if (row.ops_low is None) != (row.ops_high is None):
        fail(row.line, "has one of ops_low and ops_high: an interval has both or none")
    if row.ops_low is not None and row.ops_low > row.ops_high:
        fail(row.line, f"ops_low {row.ops_low:g} is above ops_high {row.ops_high:g}")


def read(path):
    """Read one file: (Source, list of Row in file order). Raises ResultsError."""
    source = Source(path)
    lines = _load(source)
    records = _records(source, lines, _take_header(source, lines))
    line, names = next(records, (len(lines), []))
    first_row = next(records, None)
    _check_columns(source, line, names, first_row)
    rows, part = [], [first_row] if first_row else []
    while part:
        rows += _rows(source, names, part)
        part = list(itertools.islice(records, _PART_ROWS))
    return source, rows


def read_table(path, columns, row_type, kind, check):
    """Read a CSV of other columns with header lines: (Source, list of row_type).

    columns is {name: reader of a field}; row_type has those, source and line; check(row) fails
    through row.source where a row is wrong. Further columns are not read. Raises ResultsError.
    """
    source = Source(path)
    lines = _load(source)
    records = _records(source, lines, _take_header(source, lines))
    line, names = next(records, (len(lines), []))
    missing = [name for name in columns if name not in names]
    if missing:
        source.fail(line, f"not a {kind} CSV: missing columns: {', '.join(missing)}")
    rows = []
    for line, fields in records:
        if len(fields) != len(names):
            source.fail(line, f"has {len(fields)} fields: the header row has {len(names)}")
        named = dict(zip(names, fields))
        values = []
        for name, read_field in columns.items():
            try:
                values.append(read_field(named[name]))
            except ValueError as error:
                source.fail(line, f"{name} {named[name][:40]!r} {error}")
        rows.append(row_type(*values, source=source, line=line))
        check(rows[-1])
    return source, rows
