# SPDX-License-Identifier: GPL-2.0-or-later
"""c_rules.py - rules for C: layers, what is banned where, one primitive in an expression."""
import re

from tidy.source import closing, rule

# Left to right; a file may include its own layer and those after it.
LAYERS = ["runner", "testcases", "counters", "machine"]
UNITS = ("counters", "testcases")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(?:"([^"\n]*)"|([A-Za-z_]\w*))', re.MULTILINE)
CALL = r"(?<![\w.>]){}\s*\("

# (folders, or None for all but tests/; pattern; what to use instead)
BANS = [
    (UNITS, r"\b__atomic\w*", "use the primitives of machine/machine.h"),
    (UNITS, r"\b__sync\w*", "use the primitives of machine/machine.h"),
    (UNITS, r"\b_Atomic\b|\batomic_\w+\s*\(", "use m_word and the primitives"),
    (UNITS, r"\bvolatile\b", "use m_word and the primitives"),
    (UNITS, r"\b__thread\b|\b_?[Tt]hread_local\b", "use m_task() or a part of each slot"),
    (UNITS, r"\basm\b|\b__asm(?:__)?\b", "put it into the machine's primitives.h"),
    (UNITS, r"\bpthread_\w+", "tasks are made by the machine; lock with machine/spinlock.h"),
    (UNITS, CALL.format("(?:malloc|calloc|realloc|free)"), "use m_alloc() or m_percpu_alloc()"),
    (UNITS, r"\bclock_\w+|" + CALL.format("gettimeofday"), "use m_now()"),
    (UNITS, CALL.format("(?:s?rand|s?random|rand_r)"), "use m_random()"),
    (UNITS, r"\bsched_getcpu\b", "use m_cpu()"),
    (UNITS, r"^[ \t]*#[ \t]*(?:el)?if[^\n]*\bMACHINE_(?!\w+_H\b)\w+",
     "put what differs into the machine's folder"),
    (UNITS, CALL.format("(?:mmap|munmap|mremap|mprotect|madvise|s?brk|syscall|fork|getppid)"),
     "use m_sys_*, which a simulated machine has too"),
    (None, CALL.format("assert"), "use CHECK, which is never compiled out"),
    (None, CALL.format("(?:strcpy|strcat|stpcpy)"), "use snprintf"),
    (None, CALL.format("v?sprintf"), "use snprintf"),
    (None, CALL.format("gets"), "use getline or fgets"),
]

# These neither touch shared memory nor move time, so their order cannot matter.
PURE = {"m_cpu", "m_node", "m_slots", "m_nodes", "m_notes", "m_task", "m_task_of", "m_site"}
CALLED = re.compile(r"(?!return\b)\b([a-zA-Z_]\w*)\s*$|[\])]\s*$")
SEQUENCE = re.compile(r"&&|\|\||\?|:")
CONDITION = re.compile(r"\b(?:if|while|switch|for)\s*$")


@rule
def layering(file):
    """An include goes only to the right, and to a file that is there."""
    if not file.is_c:
        return
    if file.folder not in LAYERS and file.folder != "tests":
        yield 1, f"C outside the layers: it belongs into {', '.join(LAYERS)} or tests"
        return
    # Names of headers are strings, so the text is read where the code shows a directive.
    for found in INCLUDE.finditer(file.text):
        if "include" not in file.code[found.start():found.end()]:
            continue
        line, target, macro = file.line_of(found.end()), found[1], found[2]
        if macro:
            if file.folder not in UNITS + ("tests",):
                yield line, f"#include {macro}: only counters, testcases and tests may"
            continue
        if target not in file.tree:
            yield line, f'"{target}" does not exist: includes are written from the root'
        layer = target.split("/")[0]
        if file.folder == "tests":
            continue
        allowed = LAYERS[LAYERS.index(file.folder):]
        if layer not in allowed:
            yield line, (f'{file.folder}/ may not include "{target}": '
                         f"only {', '.join(allowed)}")


@rule
def bans(file):
    """What has a better replacement here, by folder."""
    if not file.is_c or file.folder == "tests":
        return
    for folders, pattern, instead in BANS:
        if folders is not None and file.folder not in folders:
            continue
        for found in re.finditer(pattern, file.code, re.MULTILINE):
            what = " ".join(found[0].split())
            where = f"in {file.folder}/" if folders else "outside tests/"
            yield file.line_of(found.start()), f"`{what}` is banned {where}: {instead}"


@rule
def opaque(file):
    """Only the machine looks into an m_word."""
    if not file.is_c or file.folder == "machine":
        return
    for found in re.finditer(r"(?:\.|->)\s*opaque\b", file.code):
        yield file.line_of(found.start()), "`opaque` is for machine/ alone: use m_load and m_store"


def is_mutable(statement):
    """Whether a declaration makes data that can be written."""
    text = re.sub(r"__attribute__\s*\(\(.*?\)\)", " ", statement, flags=re.DOTALL).strip()
    if re.match(r"(?:typedef|extern|return|goto|case|_?[Ss]tatic_assert)\b", text):
        return False
    declarator = re.split(r"=|\[", text)[0]
    if "(" in declarator:
        pointer = re.match(r"[^(]*\(\s*\*\s*(const\b)?", declarator)
        return bool(pointer and not pointer[1])
    if re.match(r"(?:static\s+)?(?:const\s+)?(?:struct|union|enum)\s+\w*\s*$", declarator):
        return False
    if "*" in declarator:
        return not re.search(r"\bconst\b", declarator.rsplit("*", 1)[1])
    return bool(declarator) and not re.search(r"\bconst\b", declarator)


@rule
def mutable_data(file):
    """Counters and testcases keep no state of their own: each process would have its own copy."""
    if not file.is_c or file.folder not in UNITS:
        return
    for start, end, depth in file.statements():
        text = file.body[start:end]
        if not re.match(r"\s*static\b", text) and (depth or not re.match(r"\s*\w+[\s*]", text)):
            continue
        if file.body[end:end + 1] == "}" or not is_mutable(text):
            continue
        line = file.line_of(start + len(text) - len(text.lstrip()))
        yield line, "mutable static data: put it into the arena (m_alloc) or make it const"


def is_primitive(name):
    return bool(name and name.startswith("m_") and name not in PURE)


def split(text, separator):
    """Cuts at separators that are outside parentheses."""
    pieces, start, depth, i = [], 0, 0, 0
    while i < len(text):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        found = separator.match(text, i) if depth == 0 else None
        if found:
            pieces.append(text[start:i])
            i = start = found.end()
        else:
            i += 1
    return pieces + [text[start:]]


def unordered(text, is_arguments=False):
    """The most primitives in `text` that no `&&`, `||`, `?:` or comma operator puts in order."""
    counts = []
    for argument in split(text, re.compile(",")):
        operands = []
        for operand in split(argument, SEQUENCE):
            count, i = 0, 0
            while i < len(operand):
                if operand[i] != "(":
                    i += 1
                    continue
                end = closing(operand, i)
                called = CALLED.search(operand, 0, i)
                count += bool(called and is_primitive(called[1]))
                count += unordered(operand[i + 1:end - 1], called is not None)
                i = end
            operands.append(count)
        counts.append(max(operands))
    return sum(counts) if is_arguments else max(counts)


def expressions(text):
    """A statement's full expressions: conditions are their own, and so are the parts of a for."""
    i = 0
    while (paren := text.find("(", i)) >= 0:
        end = closing(text, paren)
        if CONDITION.search(text[:paren]):
            for part in split(text[paren + 1:end - 1], re.compile(";")):
                yield part
            text, i = " " * end + text[end:], end
        else:
            i = end
    yield text


@rule
def one_primitive(file):
    """Compilers order operands differently: two primitives there give two machines' results."""
    if not file.is_c or (file.folder not in UNITS and file.path != "machine/spinlock.h"):
        return
    for start, end, _ in file.statements():
        text = file.body[start:end]
        found = [name for name in re.findall(r"\b(m_\w+)\s*\(", text) if is_primitive(name)]
        if len(found) < 2:
            continue
        # Braces without a `;` in them are an initializer, whose parts come in any order.
        is_list = file.body[start - 1:start] == "{" and file.body[end:end + 1] == "}"
        if any(unordered(part, is_list) > 1 for part in expressions(text)):
            line = file.line_of(start + len(text) - len(text.lstrip()))
            yield line, (f"more than one primitive in an expression ({', '.join(found)}): "
                         "give each its own statement")


@rule
def c_functions(file):
    """Functions stay at a length that one screen shows."""
    if not file.is_c:
        return
    opened = None
    for start, end, depth in file.statements():
        text, mark = file.body[start:end], file.body[end:end + 1]
        if depth == 0 and mark == "{":
            is_function = "(" in text and "=" not in text
            opened = start + len(text) - len(text.lstrip()) if is_function else None
        if depth == 1 and mark == "}" and opened is not None:
            length = file.body.count("\n", opened, end) + 1
            if length > 70:
                yield file.line_of(opened), f"a function of {length} lines: 70 at most"
            opened = None
