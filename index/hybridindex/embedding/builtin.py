"""The built-in encoder: tokenizers and numpy, no torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from hybridindex.embedding.description import ModelDescription
from hybridindex.embedding.models import ModelFiles
from hybridindex.types import Advance, Fingerprint

if TYPE_CHECKING:
    from hybridindex.types import Float32

#: Tokens laid end to end in one pack. 1,024 was the fastest of 512, 1,024 and 2,048 with two
#: threads; it bounds a thread's memory to about 20 MB for a model of 384 dimensions.
_PACK_TOKENS = 1024

#: A thread's scratch and its share of the memory bus are worth less and less beyond this.
_MAX_THREADS = 16


class BuiltinEncoder:
    """Encodes with a numpy forward pass. Implements ``hybridindex.types.Encoder``."""

    def __init__(
        self, files: ModelFiles, fingerprint: Fingerprint, facts: ModelDescription
    ) -> None:
        """Open the tokenizer and map the weights. ``facts.unsupported`` must be empty.

        Raises ModelUnavailable where one is damaged.
        """
        from hybridindex.embedding.adapting import open_adapter
        from hybridindex.embedding.bert import BertEncoder
        from hybridindex.embedding.tensors import open_tensors
        from hybridindex.embedding.tokens import Tokens

        self._fingerprint = fingerprint
        adapter = open_adapter(fingerprint.adapter)
        self._model = BertEncoder(open_tensors(files.weights), facts, files.directory, adapter)
        self._tokens = Tokens(
            files.directory / "tokenizer.json",
            fingerprint.max_tokens,
            facts.lower_case,
            facts.pad_token_id,
        )

    @property
    def fingerprint(self) -> Fingerprint:
        """What the vectors mean."""
        return self._fingerprint

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        """Shape (len(texts), dimensions), in the order given."""
        return self._encode([self._fingerprint.document_prompt + t for t in texts], advance)

    def encode_question(self, question: str) -> Float32:
        """Shape (dimensions,)."""
        vector: Float32 = self._encode([self._fingerprint.query_prompt + question], None)[0]
        return vector

    def _encode(self, texts: Sequence[str], advance: Advance | None) -> Float32:
        import numpy as np

        from hybridindex.embedding.blas import one_thread_per_product

        vectors = np.empty((len(texts), self._fingerprint.dimensions), np.float32)
        if not texts:
            return vectors
        ids = self._tokens.ids(texts)

        def encode(pack: list[int]) -> int:
            vectors[pack] = self._model.encode([ids[i] for i in pack])
            return len(pack)

        with one_thread_per_product() as threads:
            threads = min(threads, _MAX_THREADS)
            packs = list(_packs([len(i) for i in ids], threads))
            for done in _run(encode, packs, threads):
                if advance:
                    advance(done)
        return vectors


def _run(encode: Callable[[list[int]], int], packs: list[list[int]], threads: int) -> Iterator[int]:
    """Call ``encode`` for every pack, on several threads if that can help."""
    if threads == 1 or len(packs) == 1:
        yield from map(encode, packs)
        return
    # Imported here, because a question never comes here.
    from concurrent.futures import ThreadPoolExecutor, as_completed

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(encode, pack) for pack in packs]
        try:
            for future in as_completed(futures):
                yield future.result()
        except BaseException:
            # An error or an interrupt must not wait for the packs that have not begun.
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _packs(lengths: Sequence[int], threads: int) -> Iterator[list[int]]:
    """Indices of texts, longest first, in packs of about equal work for every thread."""
    limit = min(_PACK_TOKENS, -(-sum(lengths) // threads))
    pack: list[int] = []
    tokens = 0
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        if pack and tokens + lengths[index] > limit:
            yield pack
            pack, tokens = [], 0
        pack.append(index)
        tokens += lengths[index]
    yield pack
