"""A repository and its committed index, for programs: every command is a caller of it."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from gitsearch.git.location import Location, locate
from gitsearch.git.settings import Settings, read_settings
from gitsearch.tree import Tree, tree_of
from hybridindex.types import Fingerprint, Method, Mode, Role, Watch, unwatched

if TYPE_CHECKING:
    from gitsearch.maintaining.compacting import Compacted
    from gitsearch.maintaining.doctor import Finding
    from gitsearch.maintaining.evaluating import Evaluation
    from gitsearch.maintaining.sharding import Shard
    from gitsearch.maintaining.status import Status
    from gitsearch.maintaining.switching import Switching
    from gitsearch.maintaining.updating import Update
    from gitsearch.model import ModelChoice
    from hybridindex.embedding import SwitchingEncoder
    from hybridindex.evaluation import Question
    from hybridindex.indexing import KnownCovered, PlacedChunk
    from hybridindex.searcher import Answer, Searcher
    from hybridindex.vectors import LocalVectors
    from hybridindex.verifying import Verified


class Repository:
    """The git repository around a folder.

    Opening finds the repository and nothing more; what else a method needs is opened when it is
    first asked for and stays open: the database, the model. Trees are looked at anew in every call,
    so that an object that stays open answers from what is there now. The work tree is meant by
    default (of a bare repository, HEAD), with ``cached`` the git index, with ``revision`` a commit,
    branch or tag. Raises NoRepository; methods raise SearchError, whose ``hint`` is what mends it.

    ``search`` may be called from several threads, which take turns. What writes (``initialise``,
    ``update``, ``compact``, ``switching``) may not run beside itself.
    """

    def __init__(self, folder: Path | str | Location = ".", *, watch: Watch = unwatched) -> None:
        """Find the repository; ``watch`` is told of what takes long."""
        self.location = folder if isinstance(folder, Location) else locate(Path(folder))
        self._watch = watch
        self._searchers: dict[str, tuple[str | None, Searcher]] = {}
        self._opening = threading.Lock()

    def __enter__(self) -> Repository:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close databases; the next search opens them again."""
        for _, searcher in self._searchers.values():
            searcher.close()
        self._searchers.clear()

    @cached_property
    def settings(self) -> Settings:
        """The person's own settings, from git config, as they were when first asked for."""
        return read_settings(self.location)

    def tree(self, *, cached: bool = False, revision: str | None = None) -> Tree:
        """A tree as it is now."""
        return tree_of(self.location, cached, revision)

    def encoder(self, fingerprint: Fingerprint) -> SwitchingEncoder:
        """The model of a fingerprint, if this person allows it."""
        from gitsearch.model import open_model

        return open_model(fingerprint, self.settings)

    def local_vectors(self, tree: Tree) -> LocalVectors:
        """Vectors of the tree's model that no commit has yet."""
        from hybridindex.vectors import LocalVectors

        return LocalVectors(self._vectors, tree.fingerprint)

    @property
    def _vectors(self) -> Path:
        return self.location.shared / "vectors"

    def searcher(self, *, cached: bool = False, revision: str | None = None) -> Searcher:
        """What answers queries about a tree; for many questions of one tree."""
        if revision is None and self.location.bare and not cached:
            revision = "HEAD"
        slot = "revision" if revision is not None else "index" if cached else "work"
        with self._opening:
            known = self._searchers.get(slot)
            if known is not None and known[0] == revision:
                return known[1]
            if known is not None:
                known[1].close()
            made = self._searcher(lambda: self.tree(cached=cached, revision=revision), slot)
            self._searchers[slot] = (revision, made)
        return made

    def _searcher(self, current: Callable[[], Tree], slot: str) -> Searcher:
        from hybridindex.searcher import Searcher

        database = self.location.private / f"{slot}.db"
        return Searcher(current, database, self._vectors, self.encoder, self._watch)

    def search(
        self,
        text: str,
        *,
        count: int = 10,
        mode: Mode = "hybrid",
        roles: Sequence[Role] | None = None,
        languages: Sequence[str] | None = None,
        paths: Sequence[str] = (),
        context: int | None = None,
        cached: bool = False,
        revision: str | None = None,
    ) -> Answer:
        """The places that answer a question, best first: iterate over the answer for its hits.

        ``mode`` is "hybrid", "keyword" or "semantic". ``roles``, ``languages`` and ``paths`` (git
        pathspecs, relative to the folder) narrow the search. Snippets show the best four lines, or
        with ``context`` the whole hit and so many lines around it. Finding nothing is no error.
        """
        from gitsearch.git.listing import matching_paths
        from hybridindex.searcher import Note, Query

        query = Query(text, count, mode, roles, languages, None, context)
        if paths:
            listed = "HEAD" if revision is None and self.location.bare else revision
            query = replace(query, paths=matching_paths(self.location, list(paths), listed))
        searcher = self.searcher(cached=cached, revision=revision)
        answer = searcher.search(query)
        if revision is not None and self._is_older_than_the_index(revision):
            text = f"{revision} has no index: searched by keyword, with the configuration of today"
            answer = replace(answer, notes=(Note(text), *answer.notes))
        return answer

    def _is_older_than_the_index(self, revision: str) -> bool:
        from gitsearch.git.listing import names_in
        from gitsearch.layout import CONFIG, FOLDER

        return CONFIG not in names_in(self.location, [revision], FOLDER)

    def chunks(self, *, cached: bool = False, revision: str | None = None) -> Iterator[PlacedChunk]:
        """Every chunk of the source files, with the text that is embedded for it and its key."""
        from hybridindex.indexing import chunks_of

        return chunks_of(self.tree(cached=cached, revision=revision))

    def status(self, *, cached: bool = False, revision: str | None = None) -> Status:
        """How complete the index is, and what it leaves out. Needs no model."""
        from gitsearch.maintaining.status import status_of

        return status_of(self.tree(cached=cached, revision=revision))

    def verify(
        self,
        *,
        sample: int | None = 100,
        seed: int = 0,
        since: str | None = None,
        cached: bool = False,
    ) -> Verified:
        """Check every chunk key, and embed a sample (all for None) again.

        ``since`` is a revision: only segments that came after it are looked at.
        """
        from gitsearch.git.listing import list_revision
        from hybridindex.verifying import verify

        tree = self.tree(cached=cached)
        segments = None
        if since is not None:
            before = {
                entry.path.rpartition("/")[2] for entry in list_revision(self.location, since)
            }
            segments = frozenset(tree.segments) - before
        return verify(
            tree,
            lambda texts: self.encoder(tree.fingerprint).sized(texts),
            sample,
            seed,
            segments,
            self._watch,
        )

    def initialise(self, model: ModelChoice | None = None, chunking: Method = "syntax") -> bool:
        """Write and stage the configuration of a new index; False where there is one already."""
        from gitsearch.maintaining.initialising import initialise, is_initialised

        if is_initialised(self.location):
            return False
        initialise(self.location, self.describe(model), chunking)
        return True

    def describe(self, model: ModelChoice | None = None) -> Fingerprint:
        """What vectors of a model mean, by default those of a new index. Allows it here."""
        from gitsearch.model import ModelChoice, describe_model

        fingerprint = describe_model(self.location, self.settings, model or ModelChoice())
        self.__dict__.pop("settings", None)  # naming a model may have allowed it
        return fingerprint

    def switching(self, model: Fingerprint) -> Switching:
        """The change of the index to another model: first its ``cost()``, then ``run()``."""
        from gitsearch.maintaining.switching import Switching
        from hybridindex.vectors import LocalVectors

        local = LocalVectors(self._vectors, model)
        return Switching(self.tree(), model, self.encoder(model).sized, local, self._watch)

    def update(self, *, cached: bool = False, shard: Shard | None = None) -> Update:
        """Index what the tree wants and its segments lack; write and stage new segments.

        Attributes that an older version wrote are brought up to date.
        """
        from gitsearch.maintaining.initialising import mend_attributes

        tree = self.tree(cached=cached)
        mend_attributes(tree)
        return self.update_tree(tree, shard=shard)

    def update_tree(
        self,
        tree: Tree,
        *,
        shard: Shard | None = None,
        known: KnownCovered | None = None,
        seconds: float = math.inf,
    ) -> Update:
        """As :meth:`update`, of a tree that is listed; ``known`` names files that are covered.

        After ``seconds`` the rest is left.
        """
        from gitsearch.maintaining.updating import update

        return update(
            tree,
            lambda texts: self.encoder(tree.fingerprint).sized(texts),
            self.local_vectors(tree),
            shard,
            known,
            self._watch,
            seconds,
        )

    def compact(
        self,
        *,
        above: int = 64,
        keep_commits: int = 100,
        keep_refs: Sequence[str] = (),
        drop_foreign: bool = False,
    ) -> Compacted:
        """Merge small segments of the git index and drop what nobody uses; stage the result."""
        from gitsearch.maintaining.compacting import compact_tree

        tree = self.tree(cached=True)
        return compact_tree(tree, above, keep_commits, keep_refs, drop_foreign)

    def examine(self) -> Iterator[Finding]:
        """What is wrong in this clone, each with the line that mends it."""
        from gitsearch.maintaining.doctor import examine

        return examine(self.location, self.encoder)

    def evaluate(
        self,
        questions: Sequence[Question],
        *,
        mode: Mode = "hybrid",
        cached: bool = False,
        revision: str | None = None,
        source: Path | None = None,
    ) -> Evaluation:
        """Ask every question and score the answers; ``source`` is the file they were read from."""
        from gitsearch.maintaining.evaluating import evaluate

        tree = self.tree(cached=cached, revision=revision)
        slot = "revision" if tree.revision is not None else "index" if cached else "work"
        # Of a tree that does not change while questions are asked, so it is listed once.
        searcher = self._searcher(lambda: tree, slot)
        try:
            return evaluate(searcher, tree, questions, mode, source, self._watch)
        finally:
            searcher.close()
