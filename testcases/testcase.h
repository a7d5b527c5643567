/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * testcase.h - what every testcase says of itself, beside its function
 *
 *     static void testcase(struct task *t)
 *
 * which loops while task_running(t), does one operation each time round, counts it in t->ops, and
 * leaves the counter as it found it. Nothing may be allocated, printed or locked in the loop.
 */
#ifndef TESTCASES_TESTCASE_H
#define TESTCASES_TESTCASE_H

#include "testcases/testcase_info.h"

#define PROCESS M_PROCESS
#define THREAD M_THREAD

#define KIB(n) ((int64_t)(n) << 10)
#define MIB(n) ((int64_t)(n) << 20)

/* Once in every testcase, as TESTCASE(.about = "...", .modes = PROCESS | THREAD). */
#define TESTCASE(...) static const struct testcase_info testcase_info = { __VA_ARGS__ };

static void testcase(struct task *t);

#endif
