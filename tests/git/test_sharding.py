"""Jobs that index one tree at the same time: no file twice, none forgotten, no conflict."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitsearch.maintaining.sharding import Shard, parse_shard
from hybridindex.errors import SearchError
from tests.conftest import Work
from tests.git.seen import assert_whole, coverage_found, function, missing

Clone = Callable[..., Work]


@given(st.lists(st.binary(min_size=1).filter(lambda b: b"\0" not in b)), st.integers(1, 50))
def test_every_path_falls_into_one_share(names: list[bytes], count: int) -> None:
    paths = [os.fsdecode(name) for name in names]
    shares = [Shard(number, count).paths_of(paths) for number in range(1, count + 1)]
    assert sorted(path for share in shares for path in share) == sorted(paths)
    assert not any(set(a) & set(b) for i, a in enumerate(shares) for b in shares[:i])


def test_shares_are_of_about_one_size() -> None:
    sizes = [sum(Shard(n, 8).takes(f"src/{i}.py") for i in range(8000)) for n in range(1, 9)]
    assert min(sizes) > 900


def test_a_share_is_the_same_everywhere() -> None:
    """Another version that divides differently would leave files out in a mixed matrix."""
    paths = ("src/retry.py", "src/cache.go", "docs/retry.md", "setup.cfg")
    assert [Shard(1, 2).takes(path) for path in paths] == [True, False, True, False]


@pytest.mark.parametrize(
    "text",
    ["", "1", "0/4", "5/4", "-1/4", "1/0", "a/b", "1/4/2", " 1/4", "1/4\n", "01/4", "1/99999"],
)
def test_what_names_no_share_is_refused(text: str) -> None:
    with pytest.raises(SearchError, match="is not a share"):
        parse_shard(text)


def test_the_command_says_what_is_wrong(indexed: Work) -> None:
    ran = indexed.index("update", "--shard", "3/2")
    assert ran.code == 2
    assert "'3/2' is not a share" in ran.err
    assert "1/4" in ran.err


def test_the_union_of_all_shares_is_the_index(indexed: Work, clone: Clone) -> None:
    for number in range(9):
        indexed.write(f"src/part_{number}.py", function(f"part_{number}_name"))
    indexed.git("add", "-A")
    indexed.commit("parts", "--no-verify")
    assert len(missing(indexed)) == 9
    seen: list[str] = []
    for number in (1, 2, 3):
        job = clone(indexed)
        before = set(job.segments())
        assert job.index("update", "--shard", f"{number}/3").code == 0
        for name in set(job.segments()) - before:
            path = f".search/segments/{name}"
            indexed.write(path, (job.path / path).read_bytes())
            seen.append(name)
        again = job.index("update", "--shard", f"{number}/3")
        assert f"share {number}/3 is complete" in again.err
    assert len(seen) == len(set(seen)) == 3
    indexed.git("add", ".search/segments")
    done = indexed.index("update")
    assert "nothing to do" in done.err
    indexed.commit("index")
    assert_whole(indexed)
    assert coverage_found(indexed, "part_7_name", "src/part_7.py") == 1.0


def test_a_configuration_alone_is_enough_for_jobs_to_begin(work: Work, tiny_model: Path) -> None:
    work.use_model(tiny_model)
    work.write("src/part.py", function("part_name"))
    work.git("add", "-A")
    assert work.index("init", "--model", "tiny/model", "--config-only").code == 0
    assert work.segments() == []
    assert work.git("diff", "--cached", "--name-only", ".search").split("\n") == [
        ".search/.gitattributes", ".search/config.toml",
    ]  # fmt: skip
    work.commit("configured")
    assert missing(work) == ["src/part.py"]
    for number in (1, 2):
        assert work.index("update", "--cached", "--shard", f"{number}/2").code == 0
    work.commit("index")
    assert missing(work) == []
