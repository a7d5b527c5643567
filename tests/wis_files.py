# SPDX-License-Identifier: GPL-2.0-or-later
"""wis_files.py - small testcases in will-it-scale's form, of our own, for the tests."""

HEAD = """#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/types.h>
"""
LOOP = "void testcase(unsigned long long *iterations, unsigned long nr)\n{\n%s\n}\n"

FILES = {
    # Every historical prototype, and a file that leaves out what it may leave out.
    "two": HEAD + 'char *testcase_description = "two arguments";\n'
           + LOOP % "while (1) { getppid(); (*iterations)++; }",
    "one": HEAD + 'char *testcase_description = "one";\n'
           "void testcase(unsigned long long *iterations)\n"
           "{ for (;;) { getppid(); (*iterations)++; } }\n",
    "short_word": HEAD + 'char *testcase_description = "long";\n'
           "void testcase(unsigned long *iteration, unsigned long nr)\n"
           "{ for (;;) { getppid(); (*iteration)++; } }\n",
    "pointer": HEAD + "void *testcase(unsigned long long *iterations, unsigned long nr)\n"
           "{ for (;;) { getppid(); (*iterations)++; } return NULL; }\n",
    # prepare with two arguments, which the tasks see; cleanup sees no task running.
    "prepared": HEAD + 'char *testcase_description = "prepared";\nstatic unsigned long seen;\n'
           "void testcase_prepare(unsigned long nr_tasks, unsigned long nr)\n"
           "{ assert(nr == 0); seen = nr_tasks; }\n"
           + LOOP % "assert(seen > 0 && nr < seen); for (;;) { getppid(); (*iterations)++; }"
           + 'void testcase_cleanup(void)\n{ if (getenv("WIS_CLEANED"))'
             ' fclose(fopen(getenv("WIS_CLEANED"), "w")); }\n',
    # A partner by new_task, at both ends of two pipes on the maker's stack.
    "partner": HEAD + "void new_task(void *(*func)(void *), void *arg);\n"
           "struct ends { int to[2], from[2]; };\n"
           "static void *echo(void *p)\n{ struct ends *e = p; char c;\n"
           " for (;;) { assert(read(e->to[0], &c, 1) == 1);"
           " assert(write(e->from[1], &c, 1) == 1); } return NULL; }\n"
           + LOOP % ("struct ends *e = malloc(sizeof(*e)); char c = 0;\n"
                     "assert(pipe(e->to) == 0 && pipe(e->from) == 0); new_task(echo, e);\n"
                     "for (;;) { assert(write(e->to[1], &c, 1) == 1);"
                     " assert(read(e->from[0], &c, 1) == 1); (*iterations)++; }"),
    # Leaves files and a folder, as many testcases do that are killed before they clear up.
    "leaves": HEAD + 'static char name[] = "/tmp/wib-left.XXXXXX";\n'
           "void testcase_prepare(unsigned long nr_tasks) { assert(mkstemp(name) >= 0); }\n"
           + LOOP % ('char dir[] = "/tmp/wib-left.XXXXXX", file[64]; FILE *f;\n'
                     "assert(mkdtemp(dir)); assert(access(name, F_OK) == 0);\n"
                     'snprintf(file, sizeof(file), "%s/in", dir);\n'
                     'f = fopen(file, "w"); assert(f);\n'
                     "for (;;) { getppid(); (*iterations)++; }"),
    "many_files": HEAD + LOOP % (
        "for (int i = 0; i < 100; i++) assert(dup(1) >= 0);\n"
        "for (;;) { getppid(); (*iterations)++; }"),
    # What goes wrong.
    "asserts": HEAD + LOOP % "(*iterations)++; sleep(0); assert(nr == 77); for (;;);",
    "prepare_asserts": HEAD + "void testcase_prepare(unsigned long nr_tasks)"
           " { assert(nr_tasks == 77); }\n" + LOOP % "for (;;) (*iterations)++;",
    "prepare_hangs": HEAD + "void testcase_prepare(unsigned long nr_tasks) { for (;;) pause(); }\n"
           + LOOP % "for (;;) (*iterations)++;",
    "returns": HEAD + LOOP % "(*iterations)++;",
    "exits": HEAD + LOOP % 'printf("bye\\n"); exit(3);',
    "crashes": HEAD + LOOP % "*(volatile int *)8 = 1;",
    # The compiler need never store a count that nobody else is told of.
    "removed": HEAD + LOOP % "for (;;) (*iterations)++;",
    "stands": HEAD + LOOP % "for (;;) pause();",
    # A process that leaves the group and the parent, as a daemon does.
    "daemon": HEAD + LOOP % (
        "if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); _exit(0); }\n"
        "for (;;) { getppid(); (*iterations)++; }"),
    "kills_group": HEAD + "#include <signal.h>\n" + LOOP % "usleep(20000); kill(0, 9);",
}
BROKEN = {
    "syntax": HEAD + "void testcase(int x)\n{\n\tnonsense here;\n}\n",
    "undefined": HEAD + LOOP % "not_there(); for (;;) (*iterations)++;",
    "no_testcase": HEAD + "int other;\n",
    "no_header": '#include "not/there.h"\n' + LOOP % "for (;;);",
}


def write(folder, names):
    """Writes these of the files into a folder; gives the folder as text."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.c").write_text({**FILES, **BROKEN}[name])
    return str(folder)
