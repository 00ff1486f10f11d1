"""What git's hooks run. Nothing here needs click, numpy or libgit2 when there is nothing to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from gitsearch.git.listing import list_index
from gitsearch.git.location import locate
from gitsearch.hooks.covered import covered_before, is_known, remember_covered
from gitsearch.terminal.failing import FOUND, NOTHING, TROUBLE, guarded, report
from gitsearch.tree import NoIndex, index_tree
from gitsearch.wording import counted
from hybridindex.errors import ModelUnavailable

PROGRAM = "git-search-index"


def pre_commit() -> int:
    """Index what is staged, and stage the new segments beside it.

    A commit is never stopped for want of a model: what is missing is found by keyword, and the
    next commit or the CI adds it. Outside a commit (``pre-commit run``) something missing is a
    failure, so that a CI turns red.
    """
    location = locate()
    try:
        tree = index_tree(location)
    except NoIndex:
        return FOUND
    if is_known(tree):
        return FOUND
    from gitsearch.hooks.pending import drop_stale, remember
    from gitsearch.repository import Repository
    from gitsearch.terminal.progress import Progress

    repository = Repository(location, watch=Progress)
    if drop_stale(tree, repository.local_vectors(tree)):
        tree = index_tree(location)
    committing = "GIT_INDEX_FILE" in os.environ
    try:
        done = repository.update_tree(tree, known=covered_before(tree))
    except ModelUnavailable as error:
        report(PROGRAM, f"committing without new vectors: {error.problem}", error.hint)
        return FOUND if committing else NOTHING
    if done.segments:
        remember(location, done.segments)
        files, chunks = counted(done.records, "file"), counted(done.embedded, "chunk")
        sys.stderr.write(f"{PROGRAM}: {files}, {chunks} embedded\n")
        tree = index_tree(location)
    remember_covered(tree)
    return NOTHING if done.segments and not committing else FOUND


def post_commit() -> int:
    """Put back into the git index the segments that the commit has and the index lost.

    ``git commit -- path`` commits a temporary index; what the hook staged there may be missing in
    the real one, and the next commit would delete it.
    """
    from gitsearch.git.listing import added_by_head
    from gitsearch.git.staging import stage
    from gitsearch.hooks.pending import forget
    from gitsearch.layout import SEGMENTS

    location = locate()
    added = added_by_head(location, SEGMENTS)
    if added:
        known = {entry.path for entry in list_index(location)}
        stage(location, [(e.path, e.blob_id) for e in added if e.path not in known])
    forget(location)
    return FOUND


#: What each hook runs. Only pre-commit stages something new. post-merge, post-checkout and
#: post-rewrite have nothing to do: the next question applies the difference by itself.
HOOKS: dict[str, Callable[[], int]] = {"pre-commit": pre_commit, "post-commit": post_commit}


def main(argv: Sequence[str]) -> int:
    """Run the hook named first; the other arguments are git's and change nothing."""
    if not argv or argv[0] not in HOOKS:
        report(PROGRAM, f"there is no hook {' '.join(argv[:1])!r}", f"one of {', '.join(HOOKS)}")
        return TROUBLE
    return guarded(PROGRAM, HOOKS[argv[0]])
