# SPDX-License-Identifier: GPL-2.0-or-later
"""__init__.py - the house rules as functions over files; test_tidy.py runs them."""
