"""Shows long answers through the person's pager, chosen as git chooses it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable

from gitsearch.git.settings import Settings
from gitsearch.terminal.output import write


def pager_command(settings: Settings) -> str:
    """GIT_PAGER, then core.pager, then PAGER, then less; '' or ``cat`` for none."""
    chosen = os.environ.get("GIT_PAGER")
    if chosen is None:
        chosen = settings.text("core.pager") or os.environ.get("PAGER", "less")
    wanted = settings.text("pager.search", "true").lower()
    return "" if chosen in ("", "cat") or wanted in ("false", "no", "off", "0") else chosen


def page(lines: Iterable[str], settings: Settings) -> None:
    """Write lines through the pager; straight to standard output where there is none."""
    text = "".join(line + "\n" for line in lines)
    command = pager_command(settings)
    if command and text:
        # less ends at once when the text fits the screen, as git asks of it.
        env = {"LESS": "FRX", "LV": "-c", **os.environ}
        try:
            done = subprocess.run(
                command, shell=True, env=env, input=text.encode("utf-8", "backslashreplace")
            )
        except OSError:
            done = None
        if done is not None and done.returncode not in (126, 127):
            return
    write(text)
