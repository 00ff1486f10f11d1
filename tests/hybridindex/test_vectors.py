"""Vectors kept on this machine: bounded, shared by processes, and never worth an error."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from hybridindex import vectors as module
from hybridindex.types import Fingerprint
from hybridindex.vectors import LocalVectors
from tests.hybridindex.sources import FINGERPRINT, vector_of

Pair = tuple[bytes, bytes]


def pairs(numbers: Iterable[int]) -> list[Pair]:
    keys = [number.to_bytes(16, "big") for number in numbers]
    return [(key, vector_of(key)) for key in keys]


def known(folder: Path, wanted: Iterable[Pair]) -> int:
    """How many of the vectors a process that opens the folder now has, each the right one."""
    here = LocalVectors(folder, FINGERPRINT).snapshot()
    found = [(here.vector(key), vector) for key, vector in wanted]
    assert all(one in (None, vector) for one, vector in found)
    return sum(one is not None for one, _ in found)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_was_put_is_there_for_whoever_opens_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "a/b"
    local = LocalVectors(folder, FINGERPRINT)
    assert local.snapshot().keys == {}
    local.put(pairs(range(3)))
    assert known(folder, pairs(range(4))) == 3
    local.put(pairs(range(2, 5)))
    assert known(folder, pairs(range(5))) == 5
    assert all(name.endswith(".seg") for name in names(folder))


def test_nothing_that_cannot_be_written_or_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    local = LocalVectors(tmp_path / "file", FINGERPRINT)
    local.put(pairs(range(3)))
    assert local.snapshot().keys == {}
    local.discard([bytes(16)])


def test_vectors_of_another_model_are_not_given_out(tmp_path: Path) -> None:
    LocalVectors(tmp_path, Fingerprint("other", "", "", 16, 128)).put(pairs(range(3)))
    assert known(tmp_path, pairs(range(3))) == 0


def test_a_vector_of_another_length_is_not_given_out(tmp_path: Path) -> None:
    """It would end the search: the vector table refuses it."""
    local = LocalVectors(tmp_path, FINGERPRINT)
    local.put([(bytes(16), bytes(15))])
    local.put(pairs([1]))
    assert local.snapshot().vector(bytes(16)) is None
    assert known(tmp_path, pairs([1])) == 1


def test_a_damaged_file_gives_nothing_and_spares_the_others(tmp_path: Path) -> None:
    local = LocalVectors(tmp_path, FINGERPRINT)
    local.put(pairs([1]))
    (name,) = names(tmp_path)
    local.put(pairs([2]))
    whole = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert known(tmp_path, pairs([1])) == 0
    assert known(tmp_path, pairs([2])) == 1


def test_the_oldest_files_go_first_when_the_folder_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    local = LocalVectors(tmp_path, FINGERPRINT)
    for number in range(5):
        local.put(pairs([number]))
        newest = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, ns=(10**9 * (number + 1), 10**9 * (number + 1)))
    size = sum(path.stat().st_size for path in tmp_path.iterdir())
    each = size // 5
    monkeypatch.setattr(module, "MAX_FOLDER_BYTES", 3 * each)
    local.put(pairs([5]))
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 3 * each
    assert [known(tmp_path, pairs([number])) for number in range(6)] == [0, 0, 0, 1, 1, 1]
    # Exactly full is not too full.
    monkeypatch.setattr(module, "MAX_FOLDER_BYTES", 4 * each)
    local.put(pairs([6]))
    assert known(tmp_path, pairs(range(7))) == 4


def test_a_folder_of_128_mb_is_full() -> None:
    assert module.MAX_FOLDER_BYTES == 128_000_000


def test_after_64_searches_that_left_a_vector_the_files_are_joined(tmp_path: Path) -> None:
    local = LocalVectors(tmp_path, FINGERPRINT)
    for number in range(64):
        local.put(pairs([number]))
    assert len(names(tmp_path)) == 64
    local.put(pairs([64]))
    assert len(names(tmp_path)) == 1
    assert known(tmp_path, pairs(range(65))) == 65


def test_only_files_of_few_vectors_are_joined(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of 256 vectors or more is not written again for every search."""
    monkeypatch.setattr(module, "MAX_SMALL_FILES", 2)
    local = LocalVectors(tmp_path, FINGERPRINT)
    local.put(pairs(range(256)))
    (large,) = names(tmp_path)
    local.put(pairs(range(300, 555)))
    local.put(pairs([600]))
    assert len(names(tmp_path)) == 3
    local.put(pairs([601]))
    assert large in names(tmp_path)
    assert len(names(tmp_path)) == 2
    assert known(tmp_path, pairs([*range(256), *range(300, 555), 600, 601])) == 513


def test_joining_what_one_file_already_holds_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_SMALL_FILES", 2)
    local = LocalVectors(tmp_path, FINGERPRINT)
    for numbers in ([1], [2], [1, 2]):
        local.put(pairs(numbers))
    assert len(names(tmp_path)) == 1
    assert known(tmp_path, pairs([1, 2])) == 2


def test_what_is_committed_now_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    local = LocalVectors(tmp_path, FINGERPRINT)
    local.put(pairs([1, 2]))
    local.put(pairs([3, 4]))
    local.discard([key for key, _ in pairs([1, 2, 3])])
    assert known(tmp_path, pairs([1, 2])) == 0
    assert known(tmp_path, pairs([3, 4])) == 2


def test_files_that_are_no_segments_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    local = LocalVectors(tmp_path, FINGERPRINT)
    local.put(pairs([1]))
    assert (tmp_path / "notes.txt").read_text() == "mine"
    assert known(tmp_path, pairs([1])) == 1
