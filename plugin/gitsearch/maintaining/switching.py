"""Gives an index another model: what that costs, and the change itself, in one step."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gitsearch.config import edited
from gitsearch.edits import read_regular
from gitsearch.layout import CONFIG
from gitsearch.maintaining.compacting import Compacted, compact_tree
from gitsearch.maintaining.initialising import write_and_stage_text
from gitsearch.maintaining.updating import GRAMMARS_HINT, Update, update
from gitsearch.tree import Tree, index_tree
from gitsearch.wording import counted
from hybridindex.errors import SearchError
from hybridindex.indexing import missing_of
from hybridindex.types import Encoder, Fingerprint, Watch, unwatched
from hybridindex.vectors import LocalVectors

#: Chunks that are embedded to tell how long all of them take: under a second.
_SAMPLE = 24
#: Bytes of a segment for each of its vectors beside the vector: key, lines, names.
_BESIDE = 40


@dataclass(frozen=True)
class Cost:
    """What it takes to give a tree the vectors of a model.

    ``chunks`` have to be embedded, in about ``seconds`` on this machine; about ``added`` bytes are
    committed, ``dropped`` bytes of other models' segments leave the tree, not its history.
    """

    chunks: int
    seconds: float
    added: int
    dropped: int


@dataclass(frozen=True)
class Switched:
    """What a change of model did: the new segments, and what left the tree."""

    update: Update
    compacted: Compacted


@dataclass(frozen=True)
class Switching:
    """The change of a tree's index from its model to another."""

    tree: Tree
    model: Fingerprint
    encoder: Callable[[int], Encoder]
    local: LocalVectors
    watch: Watch = unwatched

    @property
    def _wanted(self) -> Tree:
        return replace(self.tree, config=self.tree.config.with_model(self.model))

    def cost(self) -> Cost:
        """What :meth:`run` takes, by embedding a few chunks.

        Raises what the encoder does, and SearchError for a grammar that is not installed: files
        would be found by keyword alone that were found by meaning.
        """
        wanted = self._wanted
        missing = missing_of(wanted, sorted(wanted.files), self.watch)
        if missing.without_grammar:
            grammars = ", ".join(sorted({*missing.without_grammar.values()}))
            files = counted(len(missing.without_grammar), "file")
            raise SearchError(f"no grammar here for {grammars}, which {files} need", GRAMMARS_HINT)
        here = self.local.snapshot()
        texts = [text for key, text in missing.texts.items() if here.vector(key) is None]
        return Cost(
            chunks=len(texts),
            seconds=self._seconds(texts),
            added=len(missing.texts) * (self.model.dimensions + _BESIDE),
            dropped=self.tree.catalogue.bytes_read,
        )

    def _seconds(self, texts: Sequence[str]) -> float:
        sample = texts[:: max(1, len(texts) // _SAMPLE)][:_SAMPLE]
        if not sample:
            return 0.0
        opened = self.encoder(len(sample))
        opened.encode_documents(sample[:1])  # what opening costs is paid once
        started = time.perf_counter()
        opened.encode_documents(sample)
        return (time.perf_counter() - started) * len(texts) / len(sample)

    def run(self) -> Switched:
        """Embed everything, configure the model, take the other vectors out of the tree.

        Everything is staged, nothing committed. In this order, so that an index that is left half
        way answers as before, and asking again goes on where it was. Raises SearchError.
        """
        location = self.tree.location
        if location.bare:
            raise SearchError("a bare repository has no work tree", "run it in a clone")
        wanted = self._wanted
        done = update(wanted, self.encoder, self.local, watch=self.watch)
        if done.trouble is not None:
            raise done.trouble
        before = read_regular(location.root, CONFIG) or b""
        write_and_stage_text(location, {CONFIG: edited(before, wanted.config).encode()})
        return Switched(done, compact_tree(index_tree(location), drop_foreign=True))
