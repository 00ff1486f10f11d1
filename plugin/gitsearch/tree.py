"""The source files and segments of one tree: the work tree, the git index, or a revision."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from gitsearch.config import MEND, Config, ConfigError, read_config
from gitsearch.edits import Edits, read_edits, read_regular
from gitsearch.git import attributes, listing
from gitsearch.git.listing import Entry
from gitsearch.git.location import Location
from gitsearch.git.objects import EMPTY_BLOBS, read_blob, read_blobs
from gitsearch.git.process import finish
from gitsearch.layout import CONFIG, FOLDER, SEGMENTS, segment_path
from hybridindex.errors import SearchError
from hybridindex.segments import MAX_BYTES, NAME, Catalogue
from hybridindex.skipping import EMPTY, skip_by_path
from hybridindex.types import Fingerprint, Method

#: Reasons that only git can tell; the other ones are of ``hybridindex.skipping``.
SYMLINK = "symbolic link"
SUBMODULE = "submodule"
EXCLUDED = "excluded by the configuration"


class NoIndex(ConfigError):
    """The tree has no committed index: there is nothing to search or maintain."""


@dataclass(frozen=True)
class _Sorted:
    files: Mapping[str, str]
    skipped: Mapping[str, str]
    segments: Mapping[str, str]


@cache
def _rules() -> bytes:
    """The code that tells source files from other ones: another one may make other rows."""
    return b"".join(Path(file).read_bytes() for file in (__file__, attributes.__file__))


@dataclass(frozen=True)
class Tree:
    """One tree as listed: a ``hybridindex.source.Source``.

    What costs more than listing is done when it is first asked for. ``edits`` are the files whose
    bytes are on disk and, as yet, nowhere in git. ``revision`` is the commit or tree that was
    listed, None for the git index; ``checked_out`` tells that the files on disk are these.
    """

    location: Location
    entries: Sequence[Entry]
    edits: Edits
    config: Config
    revision: str | None = None
    checked_out: bool = False

    @cached_property
    def name(self) -> str:
        """Stands for all that decides the rows of the database: equal names, equal rows."""
        digest = hashlib.blake2b(repr(self.config).encode() + _rules(), digest_size=16)
        for entry in self.entries:
            line = f"{entry.mode} {entry.blob_id} {entry.path}\0"
            digest.update(line.encode("utf-8", "surrogateescape"))
        for path, blob_id in sorted(self.edits.ids.items()):
            digest.update(f"{blob_id} {path}\0".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What its vectors mean."""
        return self.config.fingerprint

    @property
    def chunking(self) -> Method:
        """How files without a file record are cut."""
        return self.config.chunking

    @property
    def files(self) -> Mapping[str, str]:
        """Blob id by path of each source file."""
        return self._sorted.files

    @property
    def skipped(self) -> Mapping[str, str]:
        """The reason by path of each tracked file that is no source file."""
        return self._sorted.skipped

    @property
    def segments(self) -> Mapping[str, str]:
        """Blob id by name of each segment."""
        return self._sorted.segments

    @cached_property
    def _sorted(self) -> _Sorted:
        """The tracked paths, told apart by rules that need no content."""
        files: dict[str, str] = {}
        skipped: dict[str, str] = {}
        segments: dict[str, str] = {}
        for entry in self.entries:
            path = entry.path
            if path.startswith(f"{FOLDER}/"):
                name = path.removeprefix(f"{SEGMENTS}/")
                if entry.mode in listing.REGULAR and NAME.match(name):
                    segments[name] = entry.blob_id
            elif entry.mode == listing.SYMLINK:
                skipped[path] = SYMLINK
            elif entry.mode not in listing.REGULAR:
                skipped[path] = SUBMODULE
            elif reason := skip_by_path(path):
                skipped[path] = reason
            else:
                blob_id = self.edits.ids.get(path, entry.blob_id)
                # No file record for nothing; `git add -N` stages names whose content is nothing.
                if blob_id in EMPTY_BLOBS:
                    skipped[path] = EMPTY
                else:
                    files[path] = blob_id
        for reasons in (
            _left_out(self.config, files),
            attributes.linguist_skips(self.location, self.entries, files, self.revision),
        ):
            skipped.update(reasons)
            for path in reasons:
                files.pop(path, None)
        return _Sorted(files, skipped, segments)

    def read(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The bytes of source files, in any order; files that cannot be read are left out."""
        wanted: dict[str, list[str]] = {}
        for path in paths:
            data = self.edits.converted.get(path)
            if data is None and path in self.edits.ids:
                data = read_regular(self.location.root, path)
            if data is not None:
                yield path, data
            else:
                wanted.setdefault(self.files[path], []).append(path)
        for blob_id, data in read_blobs(self.location, list(wanted)):
            for path in wanted[blob_id]:
                yield path, data

    @cached_property
    def _segment_blobs(self) -> dict[str, bytes]:
        """The segments as git has them, by blob id; read together, when the disk has not all."""
        return dict(read_blobs(self.location, list(self.segments.values())))

    def read_shown(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """As :meth:`read`, for showing: what is checked out has the same lines and is nearer."""
        rest = []
        for path in paths:
            data = read_regular(self.location.root, path) if self.checked_out else None
            # A NUL tells an encoding that git holds as UTF-8 and checks out as something else.
            if data is None or b"\0" in data:
                rest.append(path)
            else:
                yield path, data
        if rest:
            yield from self.read(rest)

    def read_segment(self, name: str) -> Iterator[bytes]:
        """File bytes of a segment from disk, then from git. Whoever decodes them checks them."""
        data = read_regular(self.location.root, segment_path(name), MAX_BYTES + 1)
        if data is not None:
            yield data
        blob = self._segment_blobs.get(self.segments[name])
        if blob is not None:
            yield blob

    @cached_property
    def catalogue(self) -> Catalogue:
        """What the tree's segments know, under the configured model."""
        return Catalogue(self.fingerprint, self.segments, self.read_segment)


def tree_of(location: Location, cached: bool = False, revision: str | None = None) -> Tree:
    """The work tree, the git index, or a revision; of a bare repository HEAD where none is named.

    Raises NoRevision, ConfigError, or SearchError where there is no such tree.
    """
    if revision is not None:
        return revision_tree(location, revision)
    if cached:
        return index_tree(location)
    return revision_tree(location, "HEAD") if location.bare else work_tree(location)


def index_tree(location: Location) -> Tree:
    """The tree that a commit of the git index would make. Raises ConfigError without a config."""
    if location.bare:
        raise SearchError("a bare repository has no git index", "leave out --cached: HEAD is taken")
    entries = listing.list_index(location)
    return Tree(location, entries, Edits(), _committed_config(location, entries))


def revision_tree(location: Location, revision: str) -> Tree:
    """The tree of a revision; one from before the index goes by the configuration of today.

    Raises NoRevision, or ConfigError where there is no configuration today either.
    """
    entries = listing.list_revision(location, revision)
    try:
        config = _committed_config(location, entries)
    except NoIndex:
        config = _config_of_today(location)
    return Tree(location, entries, Edits(), config, revision)


def _config_of_today(location: Location) -> Config:
    """The configuration of the work tree, else of the git index, else of HEAD."""
    if location.bare:
        return _committed_config(location, listing.list_revision(location, "HEAD"))
    data = read_regular(location.root, CONFIG)
    entries = listing.list_index(location)
    return _committed_config(location, entries) if data is None else read_config(data)


def work_tree(location: Location) -> Tree:
    """The tracked files as they are on disk, edits included. Raises ConfigError."""
    # Two programs at once: the hot path of every question.
    listed, edited = listing.start_index(location), listing.start_edits(location)
    data = read_regular(location.root, CONFIG)
    entries = list(listing.read_index(finish(listed)))
    changed = {
        path for path in listing.read_edits(finish(edited)) if not path.startswith(f"{FOLDER}/")
    }
    staged = {entry.path: entry.blob_id for entry in entries if entry.path in changed}
    edits = read_edits(location, sorted(changed), staged)
    config = _committed_config(location, entries) if data is None else read_config(data)
    present = [entry for entry in entries if entry.path not in edits.gone]
    return Tree(location, present, edits, config, checked_out=True)


def _committed_config(location: Location, entries: Sequence[Entry]) -> Config:
    for entry in entries:
        if entry.path == CONFIG:
            data = read_blob(location, entry.blob_id)
            if data is not None:
                return read_config(data)
    raise NoIndex(f"there is no {CONFIG} here", "run `git search-index init`")


def _left_out(config: Config, paths: Iterable[str]) -> dict[str, str]:
    """Reasons of the paths that the configuration leaves out."""
    if not config.include and not config.exclude:
        return {}
    from pathspec import GitIgnoreSpec

    try:
        include = GitIgnoreSpec.from_lines(config.include)
        exclude = GitIgnoreSpec.from_lines(config.exclude)
    except (ValueError, RecursionError, re.error) as error:
        raise ConfigError(f"a pattern in {CONFIG} cannot be read: {error}", MEND) from error
    return {
        path: EXCLUDED
        for path in paths
        if (config.include and not include.match_file(path)) or exclude.match_file(path)
    }
