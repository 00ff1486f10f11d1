"""`compact` in a repository: staged for a commit of its own, merging with whatever it meets."""

from __future__ import annotations

from tests.conftest import Work
from tests.git.test_pre_commit import committed_coverage


def grow(work: Work, commits: int, name: str = "src/retry.py") -> None:
    for number in range(commits):
        path = work.path / name
        text = path.read_text() if path.exists() else ""
        work.write(name, text + f"\n\ndef more_{number}_{len(text)}():\n    return {number}\n")
        work.git("add", "-A")
        work.commit(f"{name} {number}")


def test_compact_stages_fewer_segments_and_loses_nothing(indexed: Work) -> None:
    grow(indexed, 12)
    before = indexed.segments()
    assert indexed.index("compact").err == f"{len(before)} segments: nothing to do\n"
    ran = indexed.index("compact", "--above", "6", "--keep-commits", "2")
    assert (ran.code, "put in" in ran.err) == (0, True)
    after = indexed.segments()
    assert len(after) <= 6
    on_disk = sorted(path.name for path in (indexed.path / ".search/segments").iterdir())
    assert on_disk == sorted(after)
    indexed.commit("Compact the index")
    assert committed_coverage(indexed) == 1.0
    assert indexed.git("status", "--porcelain") == ""


def test_a_branch_that_knows_nothing_of_a_compaction_merges(indexed: Work) -> None:
    grow(indexed, 10)
    indexed.git("branch", "side")
    indexed.index("compact", "--above", "4", "--keep-commits", "0")
    indexed.commit("Compact the index")
    indexed.git("checkout", "-q", "side")
    grow(indexed, 3, "src/other.py")
    indexed.index("compact", "--above", "5", "--keep-commits", "1")
    indexed.commit("Compact the index on the side")
    indexed.git("checkout", "-q", "main")
    indexed.git("merge", "-q", "--no-edit", "side")
    indexed.commit("next", "--allow-empty")
    assert committed_coverage(indexed) == 1.0


def test_a_compaction_is_picked_and_reverted(indexed: Work) -> None:
    grow(indexed, 8)
    indexed.git("branch", "side")
    indexed.index("compact", "--above", "3")
    compaction = indexed.commit("Compact the index")
    indexed.git("revert", "--no-edit", compaction)
    assert committed_coverage(indexed) == 1.0
    indexed.git("checkout", "-q", "side")
    grow(indexed, 2, "src/other.py")
    indexed.git("cherry-pick", compaction)
    indexed.commit("next", "--allow-empty")
    assert committed_coverage(indexed) == 1.0


def test_refs_that_are_kept_lose_nothing(indexed: Work) -> None:
    indexed.git("checkout", "-q", "-b", "release")
    grow(indexed, 1)
    indexed.git("checkout", "-q", "main")
    indexed.git("merge", "-q", "--no-edit", "release")
    indexed.git("branch", "old-way", "HEAD~1")
    grow(indexed, 8)
    options = ("compact", "--above", "3", "--keep-commits", "0")
    indexed.index(*options, "--keep-refs", "refs/heads/old-*", "--keep-refs", "refs/heads/release")
    indexed.commit("Compact the index")
    # What the release used is still known: bringing its file back embeds nothing.
    indexed.git("checkout", "release", "--", "src/retry.py")
    ran = indexed.run("git", "commit", "-m", "as in the release")
    assert ran.code == 0
    assert "chunks embedded" not in ran.err


def test_foreign_segments_are_dropped_when_asked(indexed: Work) -> None:
    config = indexed.path / ".search/config.toml"
    config.write_text(config.read_text().replace("max_tokens = 128", "max_tokens = 64"))
    indexed.git("add", "-A")
    indexed.index("update")
    assert len(indexed.segments()) == 2
    indexed.index("compact", "--drop-foreign")
    assert len(indexed.segments()) == 1
    indexed.commit("new model")
    assert committed_coverage(indexed) == 1.0
