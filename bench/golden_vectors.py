"""Write tests/data/golden_vectors.json: what sentence-transformers makes of the tests' texts.

    PYTHONPATH=index:tests/hybridindex python bench/golden_vectors.py

Needs the bulk extra. Vectors are rounded to six decimals.
"""

from __future__ import annotations

import json
from pathlib import Path

from embedding_texts import TEXTS

from hybridindex.embedding import find_model, fingerprint_of
from hybridindex.embedding.bulk import BulkEncoder

_TARGET = Path(__file__).parent.parent / "tests" / "data" / "golden_vectors.json"


def main() -> None:
    files = find_model("sentence-transformers/all-MiniLM-L6-v2")
    fingerprint = fingerprint_of(files)
    vectors = BulkEncoder(files, fingerprint).encode_documents(TEXTS)
    lines = [json.dumps([round(float(x), 6) for x in vector]) for vector in vectors]
    _TARGET.parent.mkdir(exist_ok=True)
    _TARGET.write_text("[\n" + ",\n".join(lines) + "\n]\n", "ascii")


if __name__ == "__main__":
    main()
