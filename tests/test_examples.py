"""The examples in docstrings are true."""

from __future__ import annotations

import doctest
import importlib

import pytest

from tests.test_house import MODULES

WITH_EXAMPLES = sorted(name for name, path in MODULES.items() if ">>>" in path.read_text("utf-8"))


def test_public_functions_have_examples() -> None:
    assert len(WITH_EXAMPLES) >= 10


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples(name: str) -> None:
    done = doctest.testmod(importlib.import_module(name))
    assert done.attempted
    assert done.failed == 0
