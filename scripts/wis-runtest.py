#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""wis-runtest.py - stands where will-it-scale's script of that name stood: runtest does the work.

Arguments, as others give them: TESTCASE [SECONDS [MODE [NO_AFFINITY [SMT [TASKS...]]]]]. MODE is
process, thread or both; NO_AFFINITY and SMT are 0 or 1. Options of runtest may follow them.
"""
import os
import sys

program = os.path.join(os.path.dirname(os.path.realpath(__file__)), "runtest")
os.execv(program, ["runtest.py", *sys.argv[1:]])
