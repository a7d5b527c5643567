# SPDX-License-Identifier: GPL-2.0-or-later
"""source.py - the project's files as the rules see them, read once."""
import os
import pathlib
import re
import subprocess
from functools import cached_property

BUILT = {".git", "build", "__pycache__", ".pytest_cache"}
TOKENS = re.compile(
    r"""//(?:[^\n\\]|\\.)*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.MULTILINE)
UNIT_MACRO = re.compile(r"^[A-Z][A-Z0-9_]*(?=\()", re.MULTILINE)
RULES = []


def rule(function):
    """Makes a function a rule: given a File, it yields (line, message) for each finding."""
    RULES.append(function)
    return function


def blank(text):
    return re.sub(r"[^\n]", " ", text)


def closing(text, start):
    """Index just past the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i + 1
    return len(text)


class File:
    """One file: path from the root, text, and C seen without comments, strings, directives."""

    def __init__(self, path, text, tree=(), mode=0o644, size=None):
        self.path, self.text, self.tree, self.mode = path, text, tree, mode
        self.size = len(text) if size is None else size
        self.lines = text.splitlines()
        self.name = os.path.basename(path)
        self.folder = path.split("/")[0] if "/" in path else ""
        self.is_c = path.endswith((".c", ".h"))
        self.is_script = text.startswith("#!")
        first = self.lines[0] if self.lines else ""
        self.is_python = path.endswith(".py") or (self.is_script and "python" in first)
        self.is_shell = path.endswith(".sh") or bool(self.is_script and re.search(r"sh\b", first))

    def line_of(self, index, text=None):
        return (text or self.text).count("\n", 0, index) + 1

    @cached_property
    def code(self):
        """C with comments, and what is inside strings, blanked; every character keeps its place."""
        return TOKENS.sub(lambda found: found[0][0] + blank(found[0][1:-1]) + found[0][-1]
                          if found[0][0] in "\"'" else blank(found[0]), self.text)

    @cached_property
    def body(self):
        """`code` without directives, and without macros that stand alone, as TESTCASE(...)."""
        text = DIRECTIVE.sub(lambda found: blank(found[0]), self.code)
        for found in UNIT_MACRO.finditer(text):
            end = closing(text, found.end())
            if not text[end:].lstrip().startswith((";", "=", "{", ",")):
                text = text[:found.start()] + blank(text[found.start():end]) + text[end:]
        return text

    def statements(self):
        """(start, end, depth) of each stretch between `;`, `{` and `}` outside parentheses."""
        start = depth = parens = 0
        for i, char in enumerate(self.body):
            parens += (char == "(") - (char == ")")
            if parens == 0 and char in ";{}":
                yield start, i, depth
                depth += (char == "{") - (char == "}")
                start = i + 1


def names(root):
    """What git tracks or would track; without git what is there, less what is built."""
    try:
        listed = subprocess.run(
            ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
            cwd=root, capture_output=True, check=True, text=True).stdout
        return sorted(set(filter(None, listed.split("\0"))))
    except (OSError, subprocess.CalledProcessError):
        found = []
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if name not in BUILT]
            found += [os.path.relpath(os.path.join(folder, name), root) for name in files]
        return sorted(found)


def read_tree(root):
    paths = [path for path in names(root) if (pathlib.Path(root) / path).is_file()]
    tree = frozenset(paths)
    files = []
    for path in paths:
        full = pathlib.Path(root) / path
        data = full.read_bytes()
        text = "" if b"\0" in data else data.decode("utf-8", errors="replace")
        files.append(File(path, text, tree, full.stat().st_mode, len(data)))
    return files
