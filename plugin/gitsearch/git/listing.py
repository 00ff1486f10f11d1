"""Lists what a tree holds: the git index, a revision, or the work tree's edits."""

from __future__ import annotations

import itertools
import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gitsearch.git.location import Location
from gitsearch.git.objects import object_id_of
from gitsearch.git.process import GitError, finish, run, start
from hybridindex.errors import SearchError

REGULAR = ("100644", "100755")
SYMLINK = "120000"
SUBMODULE = "160000"


@dataclass(frozen=True)
class Entry:
    """One path of a tree: its mode as git writes it, and its object's name in hex."""

    path: str
    mode: str
    blob_id: str


class NoRevision(SearchError):
    """The revision asked for does not exist."""


def start_index(location: Location) -> subprocess.Popen[bytes]:
    """Begin to list the git index (the one ``GIT_INDEX_FILE`` names, in a hook)."""
    return start(["ls-files", "-s", "-z", "--full-name"], location.root)


def read_index(output: bytes) -> Iterator[Entry]:
    """Entries of the git index; of an unmerged path the first stage there is, once."""
    seen = ""
    for line in output.split(b"\0"):
        if not line:
            continue
        head, _, name = line.partition(b"\t")
        mode, blob_id, stage = head.decode().split(" ")
        path = os.fsdecode(name)
        if stage != "0":
            if path == seen:
                continue
            seen = path
        yield Entry(path, mode, blob_id)


def list_index(location: Location) -> list[Entry]:
    """Entries of the git index."""
    return list(read_index(finish(start_index(location))))


def list_revision(location: Location, revision: str) -> list[Entry]:
    """Entries of a commit or tree. Raises NoRevision for a name git does not know."""
    if revision.startswith("-"):
        raise NoRevision(f"{revision!r} is not a revision", "name a commit, a branch or a tag")
    try:
        name = run(
            ["rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{tree}"],
            location.root,
        )
    except GitError as error:
        raise NoRevision(
            f"there is no revision {revision!r} here", "see `git log --all`, or `git fetch` first"
        ) from error
    listing = run(["ls-tree", "-r", "-z", "--full-tree", name.strip()], location.root)
    entries = []
    for line in listing.split(b"\0"):
        if line:
            head, _, path = line.partition(b"\t")
            mode, _, blob_id = head.decode().split(" ")
            entries.append(Entry(os.fsdecode(path), mode, blob_id))
    return entries


def names_in(location: Location, revisions: Sequence[str], folder: str) -> set[str]:
    """Paths below a folder that any of the commits has; names that git does not know have none.

    A name may stand for several commits, as ``HEAD^@`` does for the parents of HEAD.
    """
    commits: list[str] = []
    for revision in revisions:
        command = ["rev-parse", "--quiet", "--revs-only", revision]
        commits += run(command, location.root, ok=(0, 1, 128)).decode().split()
    paths: set[str] = set()
    for commit in commits:
        command = ["ls-tree", "-r", "-z", "--full-tree", "--name-only", commit, "--", f"{folder}/"]
        paths |= {os.fsdecode(path) for path in run(command, location.root).split(b"\0") if path}
    return paths


def merged_heads(location: Location) -> list[str]:
    """The commits that are being merged into HEAD, none where nothing is."""
    try:
        return (location.git_dir / "MERGE_HEAD").read_text("ascii").split()
    except OSError:
        return []


def recent_blobs(location: Location, commits: int) -> set[tuple[str, str]]:
    """(path, blob id) of every file that one of the last ``commits`` commits changed, both sides.

    Of HEAD's history and of what is not committed yet; empty for an unborn branch.
    """
    try:
        run(["rev-parse", "--verify", "--quiet", "HEAD"], location.root)
    except GitError:
        return set()
    command = ["log", f"-{commits}", "--format=", "--raw", "-z", "--no-abbrev", "--no-renames"]
    fields = run([*command, "-m", "HEAD"], location.root).split(b"\0")
    pairs = set()
    for head, path in itertools.pairwise(fields):
        if head.lstrip(b"\n").startswith(b":"):
            for blob_id in head.decode("ascii", "replace").split(" ")[2:4]:
                pairs.add((os.fsdecode(path), blob_id))
    return pairs


def added_by_head(location: Location, folder: str) -> list[Entry]:
    """Entries below a folder that HEAD has and none of its parents had."""
    command = ["diff-tree", "--root", "-r", "-z", "-c", "--no-commit-id", "--no-renames"]
    command += ["--diff-filter=A", "HEAD", "--", f":(top,literal){folder}"]
    fields = run(command, location.root).split(b"\0")
    entries = []
    for head, path in itertools.pairwise(fields):
        if head.startswith(b":"):
            # Before the status letters: as many parents as colons, then the result, twice over.
            parts = head.decode("ascii", "replace").lstrip(":").split(" ")
            middle = (len(parts) - 1) // 2
            entries.append(Entry(os.fsdecode(path), parts[middle - 1], parts[2 * middle - 1]))
    return entries


def matching_refs(location: Location, patterns: list[str]) -> list[str]:
    """Full names of the refs that patterns as of ``for-each-ref`` select."""
    if not patterns:
        return []
    output = run(["for-each-ref", "--format=%(refname)", *patterns], location.root)
    return [os.fsdecode(name) for name in output.split(b"\n") if name]


def is_shallow(location: Location) -> bool:
    """Whether history is cut off here."""
    return run(["rev-parse", "--is-shallow-repository"], location.root).strip() == b"true"


def start_edits(location: Location) -> subprocess.Popen[bytes]:
    """Begin to list the paths whose work tree file differs from the git index."""
    return start(
        ["diff-files", "-z", "--name-status", "--no-renames", "--ignore-submodules=all"],
        location.root,
    )


def read_edits(output: bytes) -> dict[str, str]:
    """Status letter by path: ``D`` for a file that is gone, else edited."""
    fields = output.split(b"\0")
    return {
        os.fsdecode(path): status.decode()
        for status, path in zip(fields[::2], fields[1::2], strict=False)
    }


def matching_paths(
    location: Location, patterns: list[str], revision: str | None = None
) -> list[str]:
    """Paths that git pathspecs, relative to the current folder, select; relative to the root.

    Raises GitError for a pathspec git does not understand.
    """
    folder = location.root / location.prefix
    if revision is None:
        command = ["ls-files", "-z", "--full-name", "--", *patterns]
    else:
        # Only a comparison takes every pathspec there is, so the tree is compared with nothing.
        tree = run(["rev-parse", "--verify", revision + "^{tree}"], location.root).decode()
        nothing = object_id_of(b"", "tree", len(tree.strip()))
        command = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", nothing, tree.strip()]
        command += ["--", *patterns]
    return [os.fsdecode(path) for path in run(command, folder).split(b"\0") if path]
