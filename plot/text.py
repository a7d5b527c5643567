# SPDX-License-Identifier: GPL-2.0-or-later
"""text - text from results made safe to show: on a terminal, in a picture, in a file name."""

import hashlib
import re

_PREFIXES = ["", "k", "M", "G", "T", "P", "E", "Z", "Y"]


def clean(value):
    """Printable text on one line: whatever could move a cursor or end a line becomes `?`."""
    if value.isprintable():
        return value
    return "".join(char if char.isprintable() else "?" for char in value)


def shorten(value, width):
    """clean(value), with its middle left out where it is longer than `width` characters."""
    value = clean(value)
    if len(value) <= width:
        return value
    head = (width - 1) * 2 // 3
    return value[:head] + "…" + value[len(value) - (width - 1 - head):]


def sort_key(value):
    """A key that sorts text with the numbers in it by their value: 4M before 128M."""
    parts = re.split(r"([0-9]+)", value)
    return [(int(part[:100]), "") if i % 2 else (-1, part) for i, part in enumerate(parts)]


def si_scale(largest):
    """(factor, prefix) that bring `largest` between 1 and 1000; (1, "") below 1000."""
    step = 0
    while largest >= 10.0 ** (3 * step + 3):
        step += 1
    prefix = _PREFIXES[step] if step < len(_PREFIXES) else f"1e{3 * step}"
    return 10.0 ** (3 * step), prefix


def file_stem(*names):
    """A file name, without suffix, made of names of any content: no separator, no leading dot.

    Where that changes a name, or where the joints would be in doubt, a digest of the names keeps
    different names apart.
    """
    stem = "-".join(re.sub(r"[^A-Za-z0-9_.-]+", "_", name) for name in names)
    plain = all(re.fullmatch(r"[A-Za-z0-9_.-]+", name) for name in names)
    joints = all("-" not in name for name in names[:-1])
    if plain and joints and len(stem) <= 120 and not stem.startswith("."):
        return stem
    digest = hashlib.sha256("\0".join(names).encode()).hexdigest()[:8]
    return f"{stem[:100].lstrip('.')}-{digest}"
