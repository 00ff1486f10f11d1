"""Chunks per second of the built-in and the bulk encoder, and the cost of one cold question.

    python -m bench encoder path/to/code [--chunks 200] [--rounds 7]

Cuts the Python files below a directory into chunks of 800 characters. The two encoders take turns
within every round, so that their ratio holds on a machine that does other work too; all numbers
are medians of the rounds. The bulk encoder is skipped where it is not installed.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hybridindex.embedding import find_model
from hybridindex.embedding.builtin import BuiltinEncoder
from hybridindex.embedding.bulk import BulkEncoder, bulk_installed
from hybridindex.embedding.description import describe
from hybridindex.embedding.fingerprints import fingerprint_of
from hybridindex.types import Encoder

_CHARACTERS = 800

_COLD_QUESTION = """
import sys
from pathlib import Path
from hybridindex.embedding import find_model, open_encoder
directory = Path(sys.argv[2]) if sys.argv[2] else None
files = find_model(sys.argv[1], directory=directory)
encoder = open_encoder(files, hash_cache=Path(sys.argv[3]))
encoder.encode_question("where is the session cookie set after a redirect?")
"""


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def process_seconds(code: str, *arguments: str) -> float:
    command = [sys.executable, "-c", code, *arguments]
    return seconds(lambda: subprocess.run(command, check=True))


def read_chunks(directory: Path, wanted: int) -> list[str]:
    chunks: list[str] = []
    for path in sorted(directory.rglob("*.py")):
        text = path.read_text("utf-8", "replace")
        chunks += [text[i : i + _CHARACTERS] for i in range(0, len(text), _CHARACTERS)]
        if len(chunks) >= wanted:
            break
    return chunks[:wanted]


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("code", type=Path, help="a directory with Python files")
    parser.add_argument("--model", default="sentence-transformers/all-MiniLM-L6-v2")
    parser.add_argument("--directory", type=Path, help="where the model is, if not installed")
    parser.add_argument("--chunks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--hash-cache", type=Path, default=Path("/tmp/git-search-hashes.json"))
    options = parser.parse_args(argv)

    files = find_model(options.model, directory=options.directory)
    facts = describe(files)
    fingerprint = fingerprint_of(files, hash_cache=options.hash_cache)
    chunks = read_chunks(options.code, options.chunks)
    print(f"{len(chunks)} chunks, at most {fingerprint.max_tokens} tokens each")

    arguments = (options.model, str(options.directory or ""), str(options.hash_cache))
    cold, bare, numpy = [], [], []
    for _ in range(options.rounds):
        bare.append(process_seconds("pass"))
        numpy.append(process_seconds("import numpy, tokenizers"))
        cold.append(process_seconds(_COLD_QUESTION, *arguments))
    print(f"bare Python                 {statistics.median(bare) * 1e3:7.0f} ms")
    print(f"... importing numpy, tokenizers {statistics.median(numpy) * 1e3:3.0f} ms")
    print(f"... answering one question  {statistics.median(cold) * 1e3:7.0f} ms")

    encoders: dict[str, Encoder] = {"numpy": BuiltinEncoder(files, fingerprint, facts)}
    opening = 0.0
    if bulk_installed():
        code = "import torch, sentence_transformers"
        imports = statistics.median(process_seconds(code) for _ in range(options.rounds))
        start = time.perf_counter()
        encoders["torch"] = BulkEncoder(files, fingerprint)
        encoders["torch"].encode_documents(chunks[:1])
        first = time.perf_counter() - start
        opening = max(imports, first)
        print(f"torch: import in a process of its own {imports:.1f} s, first opening {first:.1f} s")

    rates: dict[str, list[float]] = {name: [] for name in encoders}
    for encoder in encoders.values():
        encoder.encode_documents(chunks[:32])
    for _ in range(options.rounds):
        for name, encoder in encoders.items():
            taken = seconds(lambda encoder=encoder: encoder.encode_documents(chunks))  # type: ignore[misc]
            rates[name].append(len(chunks) / taken)
    median = {name: statistics.median(found) for name, found in rates.items()}
    for name, rate in median.items():
        print(f"{name}: {rate:.1f} chunks/s (best {max(rates[name]):.1f})")
    if "torch" in median and median["torch"] > median["numpy"]:
        crossing = opening / (1 / median["numpy"] - 1 / median["torch"])
        print(f"torch repays its import from {crossing:.0f} chunks")
    elif "torch" in median:
        print("torch never repays its import here")
    return 0
