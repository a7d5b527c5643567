# SPDX-License-Identifier: GPL-2.0-or-later
"""text_rules.py - rules for every text file: headers, lengths, leftovers, modes."""
import ast
import re

from tidy.source import rule

COLUMNS, LINES, FUNCTION_LINES, BYTES = 100, 400, 70, 200 * 1024
SOURCES = (".c", ".h", ".py", ".sh", ".gp", ".mk", ".yml", ".yaml", ".ini")
SOURCE_NAMES = {"Makefile", ".clang-format", ".editorconfig"}
# Put together here, since this file is held to the rule as well.
LEFTOVERS = ["TO" + "DO", "FIX" + "ME", "X" * 3]
FOREIGN = ["/" + "work/", "/" + "root/", "sub" + "agent", "far" + "m-"]


def is_source(file):
    return file.path.endswith(SOURCES) or file.name in SOURCE_NAMES or file.is_script


@rule
def spdx(file):
    """Every source file says its licence."""
    if is_source(file) and not any("SPDX-License-Identifier: GPL-2.0-or-later" in line
                                   for line in file.lines[:3]):
        yield 1, "no `SPDX-License-Identifier: GPL-2.0-or-later` in the first 3 lines"


@rule
def first_comment(file):
    """The first comment of a file is its name and what it is."""
    if not (file.is_c or file.is_python or file.is_shell or file.path.endswith(".gp")):
        return
    head = [line for line in file.lines
            if not line.startswith("#!") and "SPDX-License-Identifier" not in line]
    stem = re.escape(file.name.rsplit(".", 1)[0] if file.name.rsplit(".", 1)[0] else file.name)
    ending = re.escape(file.name)[len(stem):]
    said = re.compile(rf'^\s*(?://|/?\*|#|r?""")?\s*{stem}(?:{ending})? - \S')
    while head and re.fullmatch(r"\s*(?:/\*|#|\"\"\")?\s*", head[0]):
        head.pop(0)
    if not head or not said.match(head[0]):
        yield 1, f"the first comment does not begin with `{file.name} - ` and what it is"


@rule
def long_lines(file):
    if not (file.is_c or file.is_python or file.is_shell):
        return
    for number, line in enumerate(file.lines, 1):
        columns = len(line.expandtabs(8))
        if columns > COLUMNS:
            yield number, f"{columns} columns: {COLUMNS} at most (a tab counts to the next 8th)"


@rule
def long_files(file):
    if (file.is_c or file.is_python) and len(file.lines) > LINES:
        yield LINES + 1, f"a file of {len(file.lines)} lines: {LINES} at most"


@rule
def python_functions(file):
    if not file.is_python:
        return
    try:
        tree = ast.parse(file.text)
    except SyntaxError as error:
        yield error.lineno or 1, f"not Python: {error.msg}"
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            length = node.end_lineno - node.lineno + 1
            if length > FUNCTION_LINES:
                yield node.lineno, f"a function of {length} lines: {FUNCTION_LINES} at most"


@rule
def leftovers(file):
    for number, line in enumerate(file.lines, 1):
        for word in LEFTOVERS:
            if re.search(rf"\b{word}\b", line):
                yield number, f"`{word}` is left over: do it, or say it in the documentation"


@rule
def white_space(file):
    for number, line in enumerate(file.lines, 1):
        if line != line.rstrip():
            yield number, "white space at the end of the line"
        if file.is_python and "\t" in line[:len(line) - len(line.lstrip())]:
            yield number, "a tab in the indentation of Python"
    if file.text and not file.text.endswith("\n"):
        yield len(file.lines), "no newline at the end of the file"


@rule
def large_files(file):
    if file.size > BYTES:
        yield 1, f"{file.size // 1024} KB: {BYTES // 1024} KB at most"


@rule
def executable(file):
    """What has a shebang can be run, and nothing else pretends to."""
    if file.is_script and not file.mode & 0o111:
        yield 1, "a shebang, but not executable: chmod +x"
    if file.mode & 0o111 and not file.is_script:
        yield 1, "executable, but no shebang: chmod -x"


@rule
def foreign(file):
    """The project speaks of itself alone, not of the place where it was written."""
    for number, line in enumerate(file.lines, 1):
        for word in FOREIGN:
            if re.search(rf"(?<!\w){re.escape(word)}", line):
                yield number, f"`{word}` is not of this project"
