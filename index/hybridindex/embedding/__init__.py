"""Text to vectors: find a model, check it, and encode documents and questions with it.

``models`` finds the files, ``description`` reads what they say of themselves, ``fingerprints``
names what their vectors mean, ``adapting`` has what this package adds to weights, ``encoder`` opens
them all. ``builtin`` is a numpy forward pass of BERT encoders; ``bulk`` is sentence-transformers,
imported only for batches that repay it.

Nothing heavy is imported here or by importing any of these modules: numpy and tokenizers come
with the first text that is encoded, torch only inside ``bulk``.
"""

from hybridindex.embedding.adapting import adapter_called
from hybridindex.embedding.encoder import SwitchingEncoder, open_encoder, open_expected
from hybridindex.embedding.fingerprints import fingerprint_of
from hybridindex.embedding.models import BUILTIN_MODELS, ModelFiles, find_model

__all__ = [
    "BUILTIN_MODELS",
    "ModelFiles",
    "SwitchingEncoder",
    "adapter_called",
    "find_model",
    "fingerprint_of",
    "open_encoder",
    "open_expected",
]
