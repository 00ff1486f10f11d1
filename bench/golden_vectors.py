"""Write tests/data/golden_vectors.json: what sentence-transformers makes of embedding_texts.json.

    python -m bench golden

Needs the bulk extra. Vectors are rounded to six decimals.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from hybridindex.embedding import find_model, fingerprint_of
from hybridindex.embedding.bulk import BulkEncoder

_DATA = Path(__file__).parent.parent / "tests" / "data"


def main(argv: Sequence[str]) -> int:
    """Write the file."""
    argparse.ArgumentParser(prog="python -m bench golden", description=__doc__).parse_args(argv)
    texts = json.loads((_DATA / "embedding_texts.json").read_text("ascii"))
    files = find_model("sentence-transformers/all-MiniLM-L6-v2")
    fingerprint = fingerprint_of(files, adapter="")
    vectors = BulkEncoder(files, fingerprint).encode_documents(texts)
    lines = [json.dumps([round(float(x), 6) for x in vector]) for vector in vectors]
    (_DATA / "golden_vectors.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", "ascii")
    return 0
