"""`verify` tells an honest index from a poisoned one."""

from __future__ import annotations

from dataclasses import replace

from gitsearch.git.location import locate
from gitsearch.maintaining.updating import write_and_stage
from gitsearch.tree import Tree, index_tree
from hybridindex.segments.writing import new_segments
from hybridindex.types import FileRecord
from tests.conftest import PROJECT, Work


def contents(tree: Tree) -> tuple[list[FileRecord], dict[bytes, bytes]]:
    records, vectors = [], {}
    for path, blob_id in tree.files.items():
        record = tree.catalogue.record(path, blob_id)
        assert record is not None
        records.append(record)
        for chunk in record.chunks:
            vector = tree.catalogue.vector(chunk.key)
            assert vector is not None
            vectors[chunk.key] = vector
    return records, vectors


def rewrite(tree: Tree, records: list[FileRecord], vectors: dict[bytes, bytes]) -> None:
    segments = list(new_segments(tree.fingerprint, records, vectors))
    names = {name for name, _ in segments}
    write_and_stage(tree, segments, [name for name in tree.segments if name not in names])


def test_an_honest_index_is_verified(indexed: Work) -> None:
    ran = indexed.index("verify", "--all")
    assert (ran.code, ran.out) == (0, "")
    assert "5 chunk keys checked, 5 chunks embedded again" in ran.err
    some = indexed.index("verify", "--sample", "2", "--seed", "7")
    assert "2 chunks embedded again (seed 7)" in some.err


def test_a_swapped_vector_is_found(indexed: Work) -> None:
    tree = index_tree(locate(indexed.path))
    records, vectors = contents(tree)
    first, second = sorted(vectors)[:2]
    vectors[first], vectors[second] = vectors[second], vectors[first]
    rewrite(tree, records, vectors)
    assert indexed.index("check", "--cached").code == 0  # it looks whole
    ran = indexed.index("verify", "--all")
    assert ran.code == 1
    assert len(ran.out.splitlines()) == 2


def test_a_record_that_gives_lines_another_texts_key_is_found(indexed: Work) -> None:
    tree = index_tree(locate(indexed.path))
    records, vectors = contents(tree)
    victim = next(i for i, r in enumerate(records) if r.path == "src/cache.go")
    other = next(r for r in records if r.path == "docs/retry.md").chunks[0].key
    chunk = replace(records[victim].chunks[0], key=other)
    records[victim] = replace(records[victim], chunks=(chunk,))
    rewrite(tree, records, vectors)
    ran = indexed.index("verify", "--sample", "1")
    assert ran.code == 1
    assert ran.out == "src/cache.go:1-5\tthe key is not that of these lines\n"


def test_since_verifies_what_a_branch_added(indexed: Work) -> None:
    indexed.write("src/retry.py", PROJECT["src/retry.py"] + "\n\ndef more():\n    return 1\n")
    indexed.commit("more", "-a")
    ran = indexed.index("verify", "--all", "--since", "HEAD~1")
    assert ran.code == 0
    assert "1 chunk key checked, 1 chunk embedded again" in ran.err
    assert indexed.index("verify", "--since", "nowhere").code == 2
