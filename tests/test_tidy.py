# SPDX-License-Identifier: GPL-2.0-or-later
"""test_tidy.py - the house rules hold over the whole tree, and each rule can fail.

A rule is a function in tidy/ marked @rule. Each has bad samples here, with the message that it must
give, and where it could be too strict, good ones that must pass.
"""
import conftest
import pytest
from tidy import c_rules, source, text_rules  # noqa: F401 - importing registers the rules

RULES = {function.__name__: function for function in source.RULES}
TREE = {"machine/machine.h", "counters/commit.h", "testcases/vm.h", "runner/plan.h"}
SPDX = "// SPDX-License-Identifier: GPL-2.0-or-later\n"
LOOP = "static void testcase(struct task *t)\n{\n\t%s\n}\n"
COUNTER = "counters/commit/x.h"
TESTCASE = "testcases/commit/x.c"

# rule, path, text, part of the message; mode and size are of the sample with such a key
BAD = [
    ("layering", "machine/x.h", '#include "counters/commit.h"\n', 'machine/ may not include "'),
    ("layering", COUNTER, '#include "testcases/vm.h"\n', "counters/ may not include"),
    ("layering", COUNTER, '#include "runner/plan.h"\n', "counters/ may not include"),
    ("layering", TESTCASE, ' # include "runner/plan.h"\n', "testcases/ may not include"),
    ("layering", "runner/x.c", '#include "tests/x.h"\n', "runner/ may not include"),
    ("layering", "runner/x.c", '#include "plan.h"\n', '"plan.h" does not exist'),
    ("layering", "tests/x.c", '#include "machine/gone.h"\n', "does not exist"),
    ("layering", "machine/x.h", "#include COUNTER_FILE\n", "#include COUNTER_FILE: only"),
    ("layering", "runner/x.c", "#include KIND_FILE\n", "#include KIND_FILE: only"),
    ("layering", "src/x.c", "int x;\n", "C outside the layers"),
    ("bans", COUNTER, "\t__atomic_fetch_add(&c->n, 1, 0);\n", "`__atomic_fetch_add` is banned"),
    ("bans", COUNTER, "\t__sync_synchronize();\n", "`__sync_synchronize` is banned"),
    ("bans", COUNTER, "\t_Atomic long n;\n", "`_Atomic` is banned"),
    ("bans", COUNTER, "\tvolatile long n;\n", "`volatile` is banned"),
    ("bans", COUNTER, "static const __thread long n;\n", "`__thread` is banned"),
    ("bans", COUNTER, '\tasm("nop");\n', "`asm` is banned"),
    ("bans", COUNTER, '\t__asm__ __volatile__("nop");\n', "`__asm__` is banned"),
    ("bans", TESTCASE, "\tpthread_mutex_lock(&m);\n", "`pthread_mutex_lock` is banned in"),
    ("bans", TESTCASE, "\tp = malloc(8);\n", "`malloc(` is banned in testcases/: use m_alloc"),
    ("bans", TESTCASE, "\tp = calloc(1, 8);\n", "`calloc(` is banned"),
    ("bans", TESTCASE, "\tfree(p);\n", "`free(` is banned"),
    ("bans", TESTCASE, "\tclock_gettime(0, &ts);\n", "use m_now()"),
    ("bans", TESTCASE, "\tx = rand();\n", "use m_random()"),
    ("bans", TESTCASE, "\tx = sched_getcpu();\n", "use m_cpu()"),
    ("bans", COUNTER, "#ifdef MACHINE_NATIVE\n", "MACHINE_NATIVE` is banned"),
    ("bans", COUNTER, "#if !defined(MACHINE_SIM)\n", "into the machine's folder"),
    ("bans", TESTCASE, "\tp = mmap(NULL, 8, 0, 0, -1, 0);\n", "`mmap(` is banned"),
    ("bans", TESTCASE, "\tbrk(p);\n", "use m_sys_*"),
    ("bans", "runner/x.c", "\tassert(x);\n", "`assert(` is banned outside tests/: use CHECK"),
    ("bans", "runner/x.c", "\tstrcpy(a, b);\n", "`strcpy(` is banned"),
    ("bans", "machine/x.c", "\tstrcat(a, b);\n", "`strcat(` is banned"),
    ("bans", "machine/x.c", '\tsprintf(a, "x");\n', "`sprintf(` is banned"),
    ("bans", "machine/x.c", "\tgets(a);\n", "`gets(` is banned"),
    ("opaque", COUNTER, LOOP % "c->count.opaque++;", "`opaque` is for machine/ alone"),
    ("opaque", "tests/x.c", LOOP % "w->opaque = 1;", "`opaque` is for machine/ alone"),
    ("mutable_data", COUNTER, "static int64_t count;\n", "mutable static data"),
    ("mutable_data", COUNTER, "static struct commit one = { 0 };\n", "mutable static data"),
    ("mutable_data", COUNTER, "static const char *name = \"x\";\n", "mutable static data"),
    ("mutable_data", COUNTER, "static int (*read)(void);\n", "mutable static data"),
    ("mutable_data", COUNTER, "int64_t count[4];\n", "mutable static data"),
    ("mutable_data", TESTCASE, LOOP % "static int calls;", "mutable static data"),
    ("mutable_data", TESTCASE, 'TESTCASE(.about = "x")\n\nstatic int n;\n', "mutable static data"),
    ("one_primitive", COUNTER, LOOP % "x = m_load(a) + m_load(b);", "(m_load, m_load): give each"),
    ("one_primitive", COUNTER, LOOP % "m_store(a, m_load(b));", "(m_store, m_load)"),
    ("one_primitive", COUNTER, LOOP % "f(m_load(a), m_now());", "(m_load, m_now)"),
    ("one_primitive", COUNTER, LOOP % "if (m_load(a) > m_load(b)) x();", "(m_load, m_load)"),
    ("one_primitive", COUNTER, LOOP % "x = y && m_load(a) == m_add(b, 1);", "(m_load, m_add)"),
    ("one_primitive", COUNTER, LOOP % "x = (a && m_load(b)) + m_load(c);", "(m_load, m_load)"),
    ("one_primitive", COUNTER, LOOP % "return m_load(m_my_part(p));", "(m_load, m_my_part)"),
    ("one_primitive", COUNTER, LOOP % "struct x y = { m_load(a), m_load(b) };", "(m_load, m_load)"),
    ("one_primitive", "machine/spinlock.h", LOOP % "m_store(a, m_now());", "(m_store, m_now)"),
    ("c_functions", "runner/x.c", LOOP % ("x();\n" * 69), "a function of 73 lines: 70 at most"),
    ("spdx", "runner/x.c", "/* x.c - a file. */\n", "no `SPDX-License-Identifier"),
    ("spdx", "Makefile", "all:\n", "no `SPDX-License-Identifier"),
    ("spdx", ".ci/run", "#!/bin/sh\ntrue\n", "no `SPDX-License-Identifier"),
    ("first_comment", "runner/x.c", SPDX + "/* Something else. */\n", "begin with `x.c - `"),
    ("first_comment", "runner/x.c", SPDX + "int x;\n", "begin with `x.c - `"),
    ("first_comment", "plot/x.py", '# SPDX-License-Identifier\n"""Plots."""\n', "with `x.py - `"),
    ("long_lines", "runner/x.c", "\t" + "x" * 93 + "\n", "101 columns: 100 at most"),
    ("long_files", "runner/x.c", "\n" * 401, "a file of 401 lines: 400 at most"),
    ("python_functions", "plot/x.py", "def f():\n" + "    x()\n" * 70, "of 71 lines: 70 at most"),
    ("python_functions", "plot/x.py", "def f(:\n", "not Python"),
    ("leftovers", "README.md", "TO" + "DO: write\n", "is left over"),
    ("leftovers", "runner/x.c", "/* XX" + "X */\n", "is left over"),
    ("white_space", "README.md", "word \n", "white space at the end"),
    ("white_space", "README.md", "word", "no newline at the end"),
    ("white_space", "plot/x.py", "if x:\n\ty()\n", "a tab in the indentation"),
    ("large_files", "results/published/x.csv", "x\n" * 102401, "200 KB: 200 KB at most"),
    ("executable", "scripts/x", "#!/bin/sh\n", "chmod +x"),
    ("foreign", "README.md", "see /wo" "rk/x\n", "is not of this project"),
    ("foreign", "README.md", "a sub" "agent said\n", "is not of this project"),
]

GOOD = [
    ("layering", "machine/x.h", '#include "machine/machine.h"\n#include <stdio.h>\n'),
    ("layering", TESTCASE, '#include "machine/machine.h"\n#include TESTCASE_FILE\n'),
    ("layering", "runner/x.c", '/*\n#include "gone.h"\n*/\n#include "testcases/vm.h"\n'),
    ("bans", COUNTER, "/* volatile */\n\tx = m_random(); ops->free(p); m_sys_mmap(t);\n"),
    ("bans", COUNTER, '\terror_set(error, "no malloc(");\n#ifndef MACHINE_X_H\n'),
    ("bans", "tests/x.c", "\tassert(x);\n"),
    ("bans", "runner/x.c", "static_assert(sizeof(x) == 8);\n\tsnprintf(a, 1, \"x\");\n"),
    ("opaque", "machine/word.h", LOOP % "w->opaque = 1;"),
    ("mutable_data", COUNTER, "static const char *const names[] = { \"x\" };\nstruct commit;\n"),
    ("mutable_data", COUNTER, "struct commit {\n\tm_word count;\n};\nenum site { A, B };\n"),
    ("mutable_data", COUNTER, "static inline int *f(int a);\nextern const int x;\n" + LOOP % "a;"),
    ("mutable_data", COUNTER, "static void each(void (*fn)(void *));\ntypedef int kind_t;\n"),
    ("mutable_data", TESTCASE, 'TESTCASE(.about = "x",\n\t .size = 1)\n' + LOOP % "int x;"),
    ("one_primitive", COUNTER, LOOP % "if (m_load(a) && m_cas_acquire(b, 0, 1)) m_add(c, 1);"),
    ("one_primitive", COUNTER, LOOP % "for (m_load(a); m_load(b); m_add(c, 1)) m_store(d, 1);"),
    ("one_primitive", COUNTER, LOOP % "return m_load(a) ? m_load(b) : m_load(c);"),
    ("one_primitive", COUNTER, LOOP % "int64_t x = m_load(a), y = m_load(b);"),
    ("one_primitive", "machine/run.c", LOOP % "m_store(a, m_load(b));"),
    ("c_functions", "runner/x.c", "static const int x[] = {\n" + "\t1,\n" * 80 + "};\n"),
    ("c_functions", "runner/x.c", LOOP % ("x();\n" * 66)),
    ("first_comment", "machine/x.h", "/* SPDX-License-Identifier */\n/*\n * x.h - it is.\n */\n"),
    ("first_comment", COUNTER, "/* SPDX-License-Identifier: x */\n/* x - it is. */\n"),
    ("long_lines", "runner/x.c", "\t" + "x" * 92 + "\n"),
    ("leftovers", "scripts/x", 'mktemp "x.XXXXXX"\n'),
    ("white_space", "plot/x.py", "if x:\n    y()  # \tz\n"),
    ("executable", "README.md", "text\n"),
    ("foreign", "README.md", "the network/ and me/wo" "rk/ folders\n"),
]


def ids(samples):
    return [f"{sample[0]}-{number}" for number, sample in enumerate(samples)]


def findings(rule, path, text, **more):
    return list(RULES[rule](source.File(path, text, TREE, **more)))


@pytest.fixture(scope="module")
def tree():
    files = source.read_tree(conftest.ROOT)
    assert len(files) > 10, "the project's files were not found"
    return files


def test_every_rule_has_a_bad_sample():
    assert {rule for rule, *_ in BAD} == set(RULES)


@pytest.mark.parametrize("rule, path, text, message", BAD, ids=ids(BAD))
def test_rule_finds(rule, path, text, message):
    found = findings(rule, path, text)
    assert any(message in said for _, said in found), f"{rule} said {found}"


@pytest.mark.parametrize("rule, path, text", GOOD, ids=ids(GOOD))
def test_rule_lets_pass(rule, path, text):
    assert findings(rule, path, text) == []


def test_finding_is_on_its_line():
    text = SPDX + "/* x */\n" + LOOP % 'f("a;{",\n\t  m_load(a) + m_load(b));'
    assert [line for line, _ in findings("one_primitive", COUNTER, text)] == [5]


def test_executable_needs_a_shebang():
    assert findings("executable", "README.md", "text\n", mode=0o755)
    assert not findings("executable", "scripts/x", "#!/bin/sh\n", mode=0o755)


@pytest.mark.parametrize("rule", RULES)
def test_tree(rule, tree):
    found = [f"{file.path}:{line}: {said}" for file in tree for line, said in RULES[rule](file)]
    assert not found, f"{len(found)} findings of {rule}:\n" + "\n".join(found)
