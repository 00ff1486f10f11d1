"""Prompts of models that have them: put before the text, each on its own side."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hybridindex.embedding import find_model, open_encoder
from hybridindex.embedding.encoder import SwitchingEncoder
from tests.tiny import make_model

TEXT = "def may_retry(request): pass"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("prompts") / "tiny")


def opened(folder: Path, query: str = "", document: str = "") -> SwitchingEncoder:
    files = find_model("tiny/model", directory=folder)
    return open_encoder(files, query_prompt=query, document_prompt=document)


def test_a_query_prompt_stands_before_the_question_and_no_document(folder: Path) -> None:
    plain, prompted = opened(folder), opened(folder, query="find code: ")
    np.testing.assert_allclose(
        prompted.encode_question(TEXT), plain.encode_question("find code: " + TEXT), atol=1e-6
    )
    assert not np.allclose(prompted.encode_question(TEXT), plain.encode_question(TEXT), atol=1e-3)
    np.testing.assert_array_equal(
        prompted.encode_documents([TEXT, "b"]), plain.encode_documents([TEXT, "b"])
    )


def test_a_document_prompt_stands_before_each_document_and_no_question(folder: Path) -> None:
    plain, prompted = opened(folder), opened(folder, document="code: ")
    np.testing.assert_allclose(
        prompted.encode_documents([TEXT, "b"]),
        plain.encode_documents(["code: " + TEXT, "code: b"]),
        atol=1e-6,
    )
    assert not np.allclose(
        prompted.encode_documents([TEXT])[0], plain.encode_documents([TEXT])[0], atol=1e-3
    )
    np.testing.assert_array_equal(prompted.encode_question(TEXT), plain.encode_question(TEXT))


def test_prompts_are_part_of_the_fingerprint(folder: Path) -> None:
    """Vectors that were made with another prompt mean something else."""
    encoders = [opened(folder), opened(folder, query="q: "), opened(folder, document="q: ")]
    assert len({encoder.fingerprint.id for encoder in encoders}) == 3
