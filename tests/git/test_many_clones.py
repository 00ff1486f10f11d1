"""Many clones asked at once while somebody commits: no wrong answer, no lock error."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.conftest import Work

CLONES = 100
ASKING = 10


def _clone(indexed: Work, target: Path) -> Work:
    indexed.git("clone", "-q", "--shared", str(indexed.path), str(target))
    return Work(target)


@pytest.mark.slow
def test_a_hundred_clones_are_asked_by_ten_at_once_while_another_commits(
    indexed: Work, tmp_path: Path
) -> None:
    clones = [_clone(indexed, tmp_path / f"c{i}") for i in range(CLONES)]
    done = threading.Event()
    commits = []

    def commit() -> None:
        number = 0
        while not done.is_set():
            number += 1
            indexed.write("src/new.py", f"def fresh_{number}():\n    return {number}\n")
            indexed.git("add", "-A")
            commits.append(indexed.commit(f"commit {number}"))

    writer = threading.Thread(target=commit)
    writer.start()
    try:
        with ThreadPoolExecutor(ASKING) as pool:
            answers = list(pool.map(lambda c: c.search("-n", "1", "may_retry"), clones))
    finally:
        done.set()
        writer.join()
    assert {(a.code, a.out.split(":")[0], a.err) for a in answers} == {(0, "src/retry.py", "")}
    assert commits
    assert indexed.index("check").code == 0


def test_ten_questions_at_once_in_one_clone_that_changes(indexed: Work) -> None:
    """All bring the same database along; none waits for ever, none sees half a state."""

    def ask(number: int) -> tuple[int, str, str]:
        if number % 3 == 0:
            indexed.write(f"src/n{number}.py", f"def fresh_{number}():\n    pass\n")
            subprocess.run(["git", "add", "-N", "."], cwd=indexed.path, check=False)
        ran = indexed.search("--mode", "keyword", "-n", "1", "EvictOldest")
        return ran.code, ran.out.split(":")[0], ran.err

    with ThreadPoolExecutor(10) as pool:
        answers = set(pool.map(ask, range(20)))
    assert answers == {(0, "src/cache.go", "")}, sys.version


def test_two_work_trees_have_a_database_each(indexed: Work) -> None:
    linked = Work(indexed.path.parent / "linked")
    indexed.git("worktree", "add", "-q", str(linked.path), "-b", "side")
    linked.write("src/cache.go", "package cache\n\nfunc Zebra() {\n}\n")
    with ThreadPoolExecutor(4) as pool:
        here = pool.map(lambda _: indexed.search("--mode", "keyword", "Zebra"), range(4))
        there = pool.map(lambda _: linked.search("--mode", "keyword", "Zebra"), range(4))
        assert {(ran.code, ran.err) for ran in here} == {(1, "")}
        assert {(ran.code, ran.err) for ran in there} == {(0, "")}
