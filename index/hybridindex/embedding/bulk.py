"""The bulk encoder: sentence-transformers and torch, imported only when one is opened."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hybridindex.embedding.adapting import LowRank, open_adapter
from hybridindex.embedding.models import ModelFiles
from hybridindex.embedding.tokens import clean
from hybridindex.errors import ModelUnavailable
from hybridindex.types import Advance, Fingerprint

if TYPE_CHECKING:
    from hybridindex.types import Float32

HINT = "pip install 'gitsearch[bulk]'"

#: Texts a forward pass: 32, 64 and 128 were equally fast here, 16 a third as fast.
_BATCH = 32

#: Texts between two calls of ``advance``; sentence-transformers sorts by length within them.
_STRIDE = 16 * _BATCH


def bulk_installed() -> bool:
    """Whether sentence-transformers and torch can be found; imports neither."""
    from importlib.util import find_spec

    return find_spec("torch") is not None and find_spec("sentence_transformers") is not None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep the libraries' bars and notes off the terminal: this package prints nothing."""
    from transformers.utils import logging as bars

    loggers = [logging.getLogger(name) for name in ("transformers", "sentence_transformers")]
    levels = [logger.level for logger in loggers]
    shown = bars.is_progress_bar_enabled()
    bars.disable_progress_bar()
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
        if shown:
            bars.enable_progress_bar()


def _adapt(model: Any, adapter: Mapping[str, LowRank]) -> None:
    """Add an adapter to the weights of a loaded model."""
    if not adapter:
        return
    import torch

    layers = model[0].auto_model
    with torch.no_grad():
        for name, low in adapter.items():
            layers.get_parameter(f"{name}.weight").add_(torch.from_numpy(low.product()))


class BulkEncoder:
    """Encodes with sentence-transformers. Implements ``hybridindex.types.Encoder``."""

    def __init__(self, files: ModelFiles, fingerprint: Fingerprint) -> None:
        """Import torch and load the model, from its directory only and without its code.

        Raises ModelUnavailable where either fails, and for weights of int8: torch would take them
        for what they are multiplied by their scales to get.
        """
        from hybridindex.embedding.tensors import open_tensors

        if any(tensor.scale is not None for tensor in open_tensors(files.weights).values()):
            raise ModelUnavailable(
                f"sentence-transformers cannot read the int8 weights of {files.name}",
                "use the built-in encoder, which can",
            )
        try:
            from sentence_transformers import SentenceTransformer
        except (ImportError, OSError) as error:  # OSError: a shared library torch cannot load
            raise ModelUnavailable(
                f"the model {files.name} needs sentence-transformers and torch, "
                f"which cannot be imported: {error}",
                HINT,
            ) from error
        try:
            with _quiet():
                self._model: Any = SentenceTransformer(
                    str(files.directory),
                    local_files_only=True,
                    trust_remote_code=False,
                    # Without it transformers would fall back to unpickling pytorch_model.bin.
                    model_kwargs={"use_safetensors": True},
                )
        except Exception as error:  # whatever a damaged or foreign model makes torch raise
            raise ModelUnavailable(
                f"sentence-transformers cannot load {files.directory}: {error}",
                "install the model again",
            ) from error
        # As the built-in encoder computes, whatever the type the weights are stored in.
        self._model.float()
        _adapt(self._model, open_adapter(fingerprint.adapter))
        self._model.max_seq_length = fingerprint.max_tokens
        self._fingerprint = fingerprint

    @property
    def fingerprint(self) -> Fingerprint:
        """What the vectors mean."""
        return self._fingerprint

    def encode_documents(self, texts: Sequence[str], advance: Advance | None = None) -> Float32:
        """Shape (len(texts), dimensions), in the order given."""
        return self._encode(texts, self._fingerprint.document_prompt, advance)

    def encode_question(self, question: str) -> Float32:
        """Shape (dimensions,)."""
        vector: Float32 = self._encode([question], self._fingerprint.query_prompt, None)[0]
        return vector

    def _encode(self, texts: Sequence[str], prompt: str, advance: Advance | None) -> Float32:
        import numpy as np

        vectors = np.empty((len(texts), self._fingerprint.dimensions), np.float32)
        # Longest first, so that the texts of one batch need little padding.
        order = sorted(range(len(texts)), key=lambda i: -len(texts[i]))
        for start in range(0, len(order), _STRIDE):
            indices = order[start : start + _STRIDE]
            vectors[indices] = self._model.encode(
                [clean(texts[i]) for i in indices],
                # Not None, which would mean the model's own default prompt.
                prompt=prompt,
                batch_size=_BATCH,
                show_progress_bar=False,
                convert_to_numpy=True,
                normalize_embeddings=True,
            )
            if advance:
                advance(len(indices))
        return vectors
