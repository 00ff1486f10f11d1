"""Opening the encoder of a model: numpy for questions and small batches, torch where it pays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hybridindex.embedding.builtin import BuiltinEncoder
from hybridindex.embedding.bulk import HINT, BulkEncoder, bulk_installed
from hybridindex.embedding.description import ModelDescription, describe
from hybridindex.embedding.fingerprints import fingerprint_of, require_same
from hybridindex.embedding.models import ModelFiles
from hybridindex.errors import ModelUnavailable
from hybridindex.types import Advance, Encoder, Fingerprint

if TYPE_CHECKING:
    from hybridindex.types import Float32

#: Texts from which torch repays its import. Measured with bench/encoder.py on two processors, 128
#: tokens a text, each at its best of seven rounds: numpy 51 texts/s, torch 60, and 6.9 s to import
#: and open it, repaid after 2,500 texts. By the medians, with other programs busy, numpy was the
#: faster (44 to 31; 18 to 17) and torch never repaid it. It also takes 646 MB at its peak against
#: 131 MB, so the doubt goes to numpy.
BULK_FROM = 3000


def open_encoder(
    files: ModelFiles,
    *,
    max_tokens: int | None = None,
    revision: str = "",
    query_prompt: str | None = None,
    document_prompt: str | None = None,
    adapter: str | None = None,
    expected: Fingerprint | None = None,
    hash_cache: Path | None = None,
) -> SwitchingEncoder:
    """Check a model and open it; nothing heavy is loaded before the first text.

    The arguments are those of ``fingerprint_of``. With ``expected``, the fingerprint at hand must
    equal it.

    Raises ModelMismatch for another model than expected; ModelUnavailable for damaged files, and
    for a model the built-in encoder does not know while sentence-transformers is not installed.
    """
    facts = describe(files)
    fingerprint = fingerprint_of(
        files,
        max_tokens,
        revision=revision,
        query_prompt=query_prompt,
        document_prompt=document_prompt,
        adapter=adapter,
        hash_cache=hash_cache,
        description=facts,
    )
    if expected is not None:
        require_same(fingerprint, expected)
    return SwitchingEncoder(files, fingerprint, facts)


def open_expected(
    files: ModelFiles, expected: Fingerprint, hash_cache: Path | None = None
) -> SwitchingEncoder:
    """Open a model as an index wants it. Raises ModelMismatch or ModelUnavailable."""
    return open_encoder(
        files,
        max_tokens=expected.max_tokens,
        revision=expected.revision,
        query_prompt=expected.query_prompt,
        document_prompt=expected.document_prompt,
        adapter=expected.adapter,
        expected=expected,
        hash_cache=hash_cache,
    )


class SwitchingEncoder:
    """Takes the built-in encoder or the bulk one, whichever is done first.

    Implements ``hybridindex.types.Encoder``.
    """

    def __init__(
        self, files: ModelFiles, fingerprint: Fingerprint, facts: ModelDescription
    ) -> None:
        """Raise ModelUnavailable if neither encoder can run the model."""
        if facts.unsupported and not bulk_installed():
            raise ModelUnavailable(
                f"the built-in encoder cannot run {files.name} ({facts.unsupported}), "
                "and sentence-transformers is not installed",
                HINT,
            )
        self._files = files
        self._fingerprint = fingerprint
        self._facts = facts
        self._builtin: Encoder | None = None
        self._bulk: Encoder | None = None

    @property
    def fingerprint(self) -> Fingerprint:
        """What the vectors mean."""
        return self._fingerprint

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        """Shape (len(texts), dimensions), in the order given."""
        return self.sized(len(texts)).encode_documents(texts, advance)

    def encode_question(self, question: str) -> Float32:
        """Shape (dimensions,)."""
        return self.sized(1).encode_question(question)

    def sized(self, texts: int) -> Encoder:
        """The encoder that is done first with so many texts, for a caller that gives them in parts.

        Raises ModelUnavailable.
        """
        if self._facts.unsupported:
            return self._open_bulk()
        # A question stays with numpy even after a bulk run: both give the same vectors.
        if texts >= BULK_FROM and bulk_installed():
            try:
                return self._open_bulk()
            except ModelUnavailable:
                pass  # a broken torch is no reason to stop: numpy is only slower
        if self._builtin is None:
            self._builtin = BuiltinEncoder(self._files, self._fingerprint, self._facts)
        return self._builtin

    def _open_bulk(self) -> Encoder:
        if self._bulk is None:
            self._bulk = BulkEncoder(self._files, self._fingerprint)
        return self._bulk
