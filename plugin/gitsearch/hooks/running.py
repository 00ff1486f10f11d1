"""What git's hooks run. Nothing here needs click, numpy or libgit2 when there is nothing to do."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence

from gitsearch.git.listing import list_index
from gitsearch.git.location import locate
from gitsearch.hooks.covered import covered_before, is_known, remember_covered
from gitsearch.terminal.failing import FOUND, INTERRUPTED, NOTHING, TROUBLE, guarded, report
from gitsearch.tree import NoIndex, index_tree
from gitsearch.wording import counted, plain
from hybridindex.errors import SearchError

PROGRAM = "git-search-index"
#: Seconds of indexing in a hook, where `search.hookSeconds` does not say otherwise.
SECONDS = 10.0


def _say(text: str, why: SearchError | None = None) -> None:
    """One line, since it stands between others' lines in a commit."""
    told = f": {why}" if why else ""
    sys.stderr.write(plain(f"{PROGRAM}: {text}{told}") + "\n")


def pre_commit() -> int:
    """Index what is staged, and stage the new segments beside it.

    What is missing for want of a model, a grammar or time is found by keyword, and the next commit
    or the CI adds it. Outside a commit (``pre-commit run``) something missing is a failure, so that
    a CI turns red.
    """
    location = locate()
    try:
        tree = index_tree(location)
    except NoIndex:
        return FOUND
    # What is squashed brings along segments of the commits that it squashes.
    if is_known(tree) and not (location.git_dir / "SQUASH_MSG").exists():
        return FOUND
    from gitsearch.hooks.stale import drop_stale
    from gitsearch.repository import Repository
    from gitsearch.terminal.progress import Progress

    repository = Repository(location, watch=Progress)
    if drop_stale(tree, repository.local_vectors(tree)):
        tree = index_tree(location)
    committing = "GIT_INDEX_FILE" in os.environ
    seconds = repository.settings.number("search.hookSeconds", SECONDS)
    done = repository.update_tree(tree, known=covered_before(tree), seconds=seconds)
    if done.embedded or (done.segments and not done.left):
        files, chunks = counted(done.records, "file"), counted(done.embedded, "chunk")
        _say(f"{files}, {chunks} embedded", done.why)
    elif done.why:
        _say("committing without new vectors", done.why)
    if not done.left:
        remember_covered(index_tree(location) if done.segments else tree)
    return NOTHING if not committing and (done.segments or done.left) else FOUND


def post_commit() -> int:
    """Put back into the git index the segments that the commit has and the index lost.

    ``git commit -- path`` commits a temporary index; what the hook staged there may be missing in
    the real one, and the next commit would delete it.
    """
    from gitsearch.git.listing import added_by_head
    from gitsearch.git.staging import stage
    from gitsearch.layout import SEGMENTS

    location = locate()
    added = added_by_head(location, SEGMENTS)
    if added:
        known = {entry.path for entry in list_index(location)}
        stage(location, [(e.path, e.blob_id) for e in added if e.path not in known])
    return FOUND


def tell_uncovered() -> int:
    """Say how many files a merge or a rebase has left uncovered: no hook runs in it.

    Nothing is staged, since that would be a surprise in whatever is committed next; the hook of the
    next commit completes the index.
    """
    location = locate()
    try:
        tree = index_tree(location)
    except NoIndex:
        return FOUND
    if is_known(tree):
        return FOUND
    from hybridindex.indexing import uncovered

    missing = uncovered(tree, covered_before(tree))
    if missing:
        files = counted(len(missing), "file")
        _say(f"{files} found by keyword alone until the next commit, or git search-index update")
    return FOUND


#: What each hook runs. Only pre-commit stages something new; post-checkout has nothing to do, since
#: the next question applies the difference by itself.
HOOKS: dict[str, Callable[[], int]] = {
    "pre-commit": pre_commit,
    "post-commit": post_commit,
    "post-merge": tell_uncovered,
    "post-rewrite": tell_uncovered,
}


def _take_terminal() -> None:
    """Write to where the hook file has put the terminal, now that this program runs at all."""
    handle = os.environ.pop("GIT_SEARCH_STDERR", "")
    if handle.isdecimal():
        with contextlib.suppress(OSError):
            os.dup2(int(handle), 2)
            os.close(int(handle))


def main(argv: Sequence[str]) -> int:
    """Run the hook named first; the other arguments are git's and change nothing.

    In a commit the exit code is 0 whatever happens, but for an interrupt: no commit is stopped.
    """
    _take_terminal()
    if not argv or argv[0] not in HOOKS:
        report(PROGRAM, f"there is no hook {' '.join(argv[:1])!r}", f"one of {', '.join(HOOKS)}")
        return TROUBLE
    code = guarded(PROGRAM, HOOKS[argv[0]])
    return code if code == INTERRUPTED or "GIT_INDEX_FILE" not in os.environ else FOUND
