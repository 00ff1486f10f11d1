"""What git's hooks run. Nothing here needs click, numpy or libgit2 when there is nothing to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from gitsearch.failing import FOUND, NOTHING, TROUBLE, guarded, report
from gitsearch.git.repository import Repository, find_repository
from gitsearch.tree import NoIndex, Tree, index_tree
from hybridindex.errors import ModelUnavailable

PROGRAM = "git-search-index"
#: Names of hooks that have something to do.
HOOKS = ("pre-commit",)


def pre_commit() -> int:
    """Index what is staged, and stage the new segments beside it.

    A commit is never stopped for want of a model: what is missing is found by keyword, and the
    next commit or the CI adds it. Outside a commit (``pre-commit run``) something missing is a
    failure, so that a CI turns red.
    """
    repository = find_repository()
    try:
        tree = index_tree(repository)
    except NoIndex:
        return FOUND
    if _seen_complete(repository) == tree.name:
        return FOUND
    from gitsearch.model import update_encoder
    from gitsearch.update import update
    from hybridindex.database.local import LocalVectors

    local = LocalVectors(repository.shared / "vectors.db", tree.config.model)
    committing = "GIT_INDEX_FILE" in os.environ
    try:
        done = update(tree, lambda texts: update_encoder(tree, texts), local)
    except ModelUnavailable as error:
        report(PROGRAM, f"committing without new vectors: {error.problem}", error.remedy)
        return FOUND if committing else NOTHING
    if done.segments:
        sys.stderr.write(f"{PROGRAM}: {done.records} files, {done.embedded} chunks embedded\n")
        tree = index_tree(repository)
    _remember_complete(repository, tree)
    return NOTHING if done.segments and not committing else FOUND


def _seen_complete(repository: Repository) -> str:
    try:
        return (repository.private / "complete").read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return ""


def _remember_complete(repository: Repository, tree: Tree) -> None:
    try:
        repository.private.mkdir(parents=True, exist_ok=True)
        (repository.private / "complete").write_text(tree.name, encoding="ascii")
    except OSError:
        return


def main(argv: Sequence[str]) -> int:
    """Run the hook named first; the other arguments are git's and change nothing."""
    if not argv or argv[0] not in HOOKS:
        report(PROGRAM, f"there is no hook {' '.join(argv[:1])!r}", f"one of {', '.join(HOOKS)}")
        return TROUBLE
    return guarded(PROGRAM, pre_commit)
