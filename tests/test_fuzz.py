# SPDX-License-Identifier: GPL-2.0-or-later
"""test_fuzz.py - 200 option lines by chance, from one seed: each ends as the manual says."""
import random

import pytest
from wib import QUICK, Program

LINES = 200
VALUES = ["", "0", "1", "2", "-1", "abc", "1,2", "1..2", "64x", "all", "none", "process", "thread",
          "both", "50%", "1%", "20ms", "4K", "128M", "999999999999999999999", "guess", "never",
          "csv", "json", "will-it-scale", "=", ",", "%s", "/", ".", "x" * 300, "\u00e4", "native"]
NAMES = ["counter", "batch", "tasks", "mode", "size", "placement", "cpus", "machine", "memory",
         "cpu-count", "readers", "read", "precision", "repeat", "seed", "timeout", "format",
         "progress", "aslr", "dry-run", "policy", "wis", "tmpdir", "resume", "nonsense"]
WORDS = ["mmap1", "null1", "getppid1", "brk1", "all", "list", "topo", "", "nope", "1"]


def lines():
    chance = random.Random(6)
    for _ in range(LINES):
        line = [chance.choice(WORDS) for _ in range(chance.choice((0, 1, 1, 1, 2)))]
        for _ in range(chance.randrange(4)):
            value = chance.choice(VALUES)
            line.append(f"--{chance.choice(NAMES)}" + (f"={value}" if chance.random() < .9 else ""))
        yield line


@pytest.mark.parametrize("part", range(4))
def test_any_line_ends_well(tmp_path, part):
    tmpdir = tmp_path / "tmp"
    tmpdir.mkdir()
    for line in list(lines())[part::4]:
        with Program(tmp_path, *QUICK, "--output=o.csv", "--duration=5ms", *line,
                     env={"TMPDIR": str(tmpdir)}) as program:
            result = program.end(120)
            assert program.alive() == [], line
        assert result.code in (0, 1, 2, 130), (line, result)
        assert "Sanitizer" not in result.err and "runtime error" not in result.err, (line, result)
        if result.code == 2:
            assert len(result.err.splitlines()) == 1, (line, result)
        assert list(tmpdir.iterdir()) == [], line
        assert {path.name for path in tmp_path.iterdir()} <= {"tmp", "o.csv"}, line
