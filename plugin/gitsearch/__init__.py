"""The git side: hooks, commands, output. Depends on ``hybridindex``, never the reverse.

The door for programs is :class:`Repository`:

    from gitsearch import Repository

    for hit in Repository(".").search("when is a request sent again", count=5):
        print(hit.path, hit.start, hit.end, hit.symbol)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitsearch.repository import Repository

__version__ = "0.1.0"
__all__ = ["Repository", "__version__"]


def __getattr__(name: str) -> object:
    # At first use: a program that only wants the version should not wait for the rest.
    if name == "Repository":
        from gitsearch.repository import Repository

        return Repository
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
