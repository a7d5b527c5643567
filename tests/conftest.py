# SPDX-License-Identifier: GPL-2.0-or-later
"""conftest.py - what all Python tests share: the root of the project, where they run."""
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.fixture
def root():
    return ROOT


@pytest.fixture(autouse=True)
def at_root(monkeypatch):
    """Tests name files from the root, wherever pytest was started."""
    monkeypatch.chdir(ROOT)
