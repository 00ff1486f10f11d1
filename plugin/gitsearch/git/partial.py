"""Fetches what a partial clone left with its remote, all at once.

Git fetches a missing blob by itself when it is read, but each in a connection of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from gitsearch.git.location import Location
from gitsearch.git.process import GitError, run


def is_partial(location: Location) -> bool:
    """Whether some object of the repository was promised by a remote and may be missing."""
    return any((location.common_dir / "objects/pack").glob("*.promisor"))


def fetch_missing(location: Location, object_ids: Iterable[str]) -> None:
    """Fetch those objects that are not here. Raises GitError where no remote gives them."""
    # A look at the objects themselves would fetch them one by one, so all there are are listed.
    listing = ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname)"]
    here = set(run(listing, location.root).decode().split("\n"))
    missing = sorted(set(object_ids) - here)
    if not missing:
        return
    given = "".join(object_id + "\n" for object_id in missing).encode()
    refusal = "no remote promised them"
    for remote in _promisors(location):
        # As git itself does it: no negotiation, no refs, no tags.
        command = ["-c", "fetch.negotiationAlgorithm=noop", "fetch", remote, "--no-tags", "--quiet"]
        command.append("--no-auto-gc")
        command += ["--no-write-fetch-head", "--recurse-submodules=no", "--filter=blob:none"]
        try:
            run([*command, "--stdin"], location.root, given=given)
            return
        except GitError as error:
            refusal = error.problem
    raise GitError(
        f"{len(missing)} files of this partial clone were never fetched: {refusal}",
        "connect to its remote and try again",
    )


def _promisors(location: Location) -> list[str]:
    found = run(
        ["config", "-z", "--get-regexp", r"^remote\..*\.promisor$"], location.root, ok=(0, 1)
    )
    names = [item.partition("\n")[0] for item in os.fsdecode(found).split("\0") if item]
    return [name.removeprefix("remote.").removesuffix(".promisor") for name in names]
