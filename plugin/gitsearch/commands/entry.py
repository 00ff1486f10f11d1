"""Where ``git-search-index`` starts: a hook goes straight to its work, past the command line.

Every commit runs a hook, and most have nothing to do; importing click would double their cost.
So this is a module of its own, however short.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["run-hook"]:
        from gitsearch.hooks.running import main as run_hook

        return run_hook(arguments[1:])
    from gitsearch.commands.maintain import main as run_maintain

    return run_maintain(arguments)
