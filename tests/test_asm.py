# SPDX-License-Identifier: GPL-2.0-or-later
"""test_asm.py - the hot loop of null1 is what its counter promises, read from the machine code.

An add to a per-CPU part must neither call nor lock, and must look its task up anew each time; one
to a shared word locks exactly once. No timing could tell: a hoisted lookup only looks fast.

The loop is the cheapest way from the increment of t->ops back to itself. Calls and locks weigh much
in that, so what only happens now and then (a spill, a signal) is off the way, while what cannot be
gone around stays on it.
"""
import heapq
import os
import platform
import re
import shutil
import subprocess

import conftest
import pytest

BUILD = conftest.ROOT / os.environ.get("BUILD", "build/plain")
CELLS = BUILD / "cells/native/commit"
HEAVY = 100  # a call or a lock, where any other instruction weighs 1
FUNCTION = re.compile(r"^[0-9a-f]+ <([^>]+)>:$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\t(.*?)\s*$")
RELOCATION = re.compile(r"^\s+[0-9a-f]+: R_X86_64_\w+\s+(\S+)")
PREFIXES = {"lock", "rep", "repz", "repnz", "notrack", "bnd", "cs", "ds", "data16"}
MEMORY = r"(-?(?:0x[0-9a-f]+)?)\((%\w+)\)"

needs_cells = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86_64 code only"),
    pytest.mark.skipif(bool(os.environ.get("SAN")), reason="sanitizers put calls into every loop"),
    pytest.mark.skipif(not shutil.which("objdump"), reason="objdump (binutils) is not installed"),
]


class Instruction:
    """One line of objdump; `target` is where a jump goes, None when it leaves the function."""

    def __init__(self, address, text):
        self.address, self.text = address, text.split("#")[0].split(" <")[0].strip()
        self.relocation = ""
        words = self.text.split(None)
        while words and words[0].split(",")[0] in PREFIXES:
            words.pop(0)
        self.name = words[0].split(",")[0] if words else ""
        self.operands = self.text.split(self.name, 1)[1].strip() if words else ""

    @property
    def is_call(self):
        return self.name.startswith("call")

    @property
    def is_locked(self):
        """Locks the line: by prefix, or by xchg, which needs none when it has memory."""
        return self.text.startswith("lock") or (self.name.startswith("xchg")
                                                and "(" in self.operands)

    @property
    def looks_up_task(self):
        return "%fs:" in self.operands

    @property
    def target(self):
        """Of a jump. A relocation says that it goes elsewhere: out of the function."""
        if not self.name.startswith("j") or self.relocation:
            return None
        found = re.fullmatch(r"([0-9a-f]+)", self.operands)
        return int(found[1], 16) if found else None


def parse(listing, function="testcase"):
    """{address: Instruction} of one function in the output of objdump -d -r."""
    code, inside, last = {}, False, None
    for line in listing.splitlines():
        begins = FUNCTION.match(line)
        if begins:
            inside = begins[1] == function
        elif inside and RELOCATION.match(line) and last:
            last.relocation = RELOCATION.match(line)[1]
        elif inside and INSTRUCTION.match(line):
            address, text = INSTRUCTION.match(line).groups()
            last = code[int(address, 16)] = Instruction(int(address, 16), text)
    return code


def successors(code):
    """{address: [addresses that may come next]}: the control-flow graph, by instruction."""
    order = sorted(code)
    graph = {}
    for address, following in zip(order, order[1:] + [None]):
        instruction = code[address]
        nexts = []
        if following is not None and not re.match(r"jmp|ret|ud2|hlt", instruction.name):
            nexts.append(following)
        if instruction.target in code:
            nexts.append(instruction.target)
        graph[address] = nexts
    return graph


def increments(code, offset):
    """Addresses where 1 is added to the word at `offset` from some register: in one instruction, or
    loaded, added to and stored, as the compiler must where the word is volatile."""
    loaded, found = {}, []
    for address in sorted(code):
        name, operands = code[address].name, code[address].operands
        one = re.fullmatch(r"(?:\$0x1,)?" + MEMORY, operands)
        load = re.fullmatch(MEMORY + r",(%\w+)", operands)
        store = re.fullmatch(r"(%\w+)," + MEMORY, operands)
        add = re.fullmatch(r"(?:\$0x1,|0x1\((%\w+)\),)?(%\w+)", operands)
        if one and (name == "incq" or (name == "addq" and operands.startswith("$0x1,"))):
            if int(one[1] or "0", 16) == offset:
                found.append(address)
        elif load and name == "mov":
            loaded[load[3]] = (load[1], load[2], 0)
        elif add and name in ("add", "inc", "lea") and (add[1] or add[2]) in loaded:
            displacement, base, added = loaded[add[1] or add[2]]
            loaded[add[2]] = (displacement, base, added + 1)
        elif store and name == "mov" and loaded.get(store[1]) == (store[2], store[3], 1):
            if int(store[2] or "0", 16) == offset:
                found.append(address)
    return found


def cheapest_cycle(code, start):
    """The instructions of the cheapest way from `start` back to it; [] when there is none."""
    graph = successors(code)
    heap = [(0, start, [])]
    done = set()
    while heap:
        weight, address, path = heapq.heappop(heap)
        if address == start and path:
            return [code[step] for step in path]
        if address in done:
            continue
        if path:
            done.add(address)
        heavy = code[address].is_call or code[address].is_locked
        cost = HEAVY if heavy else 1
        for following in graph[address]:
            heapq.heappush(heap, (weight + cost, following, path + [address]))
    return []


def hot_loop(listing, offset):
    code = parse(listing)
    assert code, "no function `testcase` in the listing"
    cycles = [cycle for start in increments(code, offset)
              if (cycle := cheapest_cycle(code, start))]
    assert cycles, f"no loop that adds 1 to t->ops (offset {offset})"
    return min(cycles, key=len)


def faults(loop, locked, looks_up_task):
    """What is wrong with a loop that should lock so many times."""
    found = [f"a call in the loop: {i.text} {i.relocation}" for i in loop if i.is_call]
    locks = [i.text for i in loop if i.is_locked]
    if len(locks) != locked:
        found.append(f"{len(locks)} locked instructions instead of {locked}: {locks}")
    if looks_up_task and not any(i.looks_up_task for i in loop):
        found.append("the task is not looked up in the loop (%fs): hoisted out of it")
    return found


@pytest.fixture(scope="module")
def ops_offset(tmp_path_factory):
    """Of `ops` in struct task, from the headers themselves."""
    work = tmp_path_factory.mktemp("offset")
    source = work / "offset.c"
    source.write_text('#include <stddef.h>\n#include <stdio.h>\n#include "machine/task.h"\n'
                      'int main(void) { printf("%zu", offsetof(struct task, ops)); }\n')
    subprocess.run([os.environ.get("CC", "cc"), "-I.", "-o", str(work / "offset"), str(source)],
                   cwd=conftest.ROOT, check=True)
    return int(subprocess.run([str(work / "offset")], check=True, capture_output=True).stdout)


def disassemble(path):
    if not path.exists():
        pytest.fail(f"{path} is not there: build it with `make`")
    listing = subprocess.run(["objdump", "-d", "-r", "--no-show-raw-insn", str(path)], check=True,
                             capture_output=True, text=True).stdout
    if "<m_load>:" in listing:
        pytest.skip("built without optimisation: not even m_load is inlined")
    return listing


@pytest.mark.parametrize("counter, locked, looks_up_task", [
    ("none", 0, False), ("percpu_counter", 0, True), ("percpu_sum", 0, True), ("atomic", 1, False)])
class TestCells:
    pytestmark = needs_cells

    def test_hot_loop(self, counter, locked, looks_up_task, ops_offset):
        loop = hot_loop(disassemble(CELLS / f"null1+{counter}.o"), ops_offset)
        assert faults(loop, locked, looks_up_task) == [], "\n".join(i.text for i in loop)


# The analyser itself, on loops written by hand. Each begins as objdump does.
HEAD = "\n0000000000000000 <testcase>:\n"
GOOD = HEAD + """\
   0:\tmov    %rdi,%rbx
   3:\tjmp    40 <testcase+0x40>
  10:\tmov    %fs:0x0,%rax
\t\t\t15: R_X86_64_TPOFF32\tnative_self
  19:\tmov    (%rax),%rdx
  1c:\tcmp    $0x40,%rdx
  20:\tjg     60 <testcase+0x60>
  22:\tmov    %rdx,(%rax)
  30:\tmov    (%rbx),%rax
  33:\taddq   $0x1,0x38(%rbx)
  38:\tadd    $0x1,%rax
  3c:\tmov    %rax,(%rbx)
  40:\tmov    0x10(%rbx),%rax
  44:\tcmp    %rax,0x8(%rbx)
  48:\tje     10 <testcase+0x10>
  4a:\tcall   4f <testcase+0x4f>
\t\t\t4b: R_X86_64_PLT32\tnative_attend-0x4
  4f:\ttest   %al,%al
  51:\tjne    10 <testcase+0x10>
  53:\tret
  60:\tlock cmpxchg %r14,(%rdi)
  65:\tjne    6b <testcase+0x6b>
\t\t\t67: R_X86_64_PC32\t.text.unlikely+0x1a3
  6b:\tmovq   $0x0,(%rdi)
  70:\tjmp    30 <testcase+0x30>
"""
# The slow way is the shorter one: the call must still be seen as off the way.
SHORT_COLD = GOOD.replace("  60:\tlock cmpxchg %r14,(%rdi)\n  65:\tjne    6b <testcase+0x6b>\n"
                          "\t\t\t67: R_X86_64_PC32\t.text.unlikely+0x1a3\n"
                          "  6b:\tmovq   $0x0,(%rdi)\n", "  60:\tcall   65 <testcase+0x65>\n")


def wrong(listing, locked=0, looks_up_task=True):
    return " ".join(faults(hot_loop(listing, 0), locked, looks_up_task))


def test_good_loop_passes():
    loop = hot_loop(GOOD, 0)
    assert faults(loop, 0, True) == []
    assert sorted(i.address for i in loop) == [0x10, 0x19, 0x1c, 0x20, 0x22, 0x30, 0x33, 0x38, 0x3c,
                                               0x40, 0x44, 0x48]


def test_call_off_the_way_passes():
    assert SHORT_COLD != GOOD and wrong(SHORT_COLD) == ""


@pytest.mark.parametrize("before, after, message", [
    ("22:\tmov    %rdx,(%rax)", "22:\tcall   27 <f>\n\t\t\t23: R_X86_64_PLT32\tcommit_add-0x4",
     "a call in the loop: call   27 commit_add"),
    ("22:\tmov    %rdx,(%rax)", "22:\tcall   *0x8(%rdi)", "a call in the loop"),
    ("10:\tmov    %fs:0x0,%rax", "10:\tmov    %r12,%rax", "hoisted"),
    ("22:\tmov    %rdx,(%rax)", "22:\tlock add %rdx,(%rax)", "1 locked"),
    ("22:\tmov    %rdx,(%rax)", "22:\txchg   %rdx,(%rax)", "1 locked"),
    ("20:\tjg     60", "20:\tjmp    60", "1 locked"),
], ids=["call", "indirect", "hoisted", "lock", "xchg", "always-spills"])
def test_bad_loop_is_found(before, after, message):
    assert before in GOOD and message in wrong(GOOD.replace(before, after))


def test_exchange_of_registers_does_not_lock():
    assert wrong(GOOD.replace("22:\tmov    %rdx,(%rax)", "22:\txchg   %rdx,%rcx")) == ""


def test_atomic_must_lock_once():
    locks = GOOD.replace("22:\tmov    %rdx,(%rax)", "22:\tlock add %rdx,(%rax)")
    assert wrong(locks, locked=1) == "" and "0 locked" in wrong(GOOD, locked=1)


@pytest.mark.parametrize("increment", ["incq   (%rbx)", "addq   $0x1,(%rbx)"])
def test_ops_may_grow_in_one_instruction(increment):
    assert wrong(GOOD.replace("3c:\tmov    %rax,(%rbx)", "3c:\t" + increment)) == ""


def test_ops_must_grow():
    with pytest.raises(AssertionError, match="no loop that adds 1"):
        hot_loop(GOOD.replace("38:\tadd    $0x1,%rax", "38:\tadd    $0x2,%rax"), 0)
    with pytest.raises(AssertionError, match="no loop that adds 1"):
        hot_loop(GOOD, 0x8)
