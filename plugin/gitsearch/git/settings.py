"""The person's own settings, from git config. Never from the repository's content."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from gitsearch.git.location import Location
from gitsearch.git.process import run

#: Every setting that is read, and what it does; ``docs/settings.md`` is written from this.
SETTINGS: dict[str, str] = {
    "search.modelPath": "Folder with the model's files, looked at before any other place.",
    "search.allowModel": "Name of a model that repositories may choose beside the default one; may"
    " be given several times. `*` allows every model.",
    "search.download": "`true` lets a model be fetched from the Hugging Face hub.",
    "search.hookSeconds": "How long a hook may index, 10 by default; what is left, the next commit,"
    " `git search-index update` or the CI adds.",
    "pager.search": "`false` shows answers without a pager.",
    "core.pager": "Git's own pager, after GIT_PAGER and before PAGER.",
    "color.ui": "Git's own choice of colours; `--color` and NO_COLOR come first.",
}
_TRUE = {"true", "yes", "on", "1"}


@dataclass(frozen=True)
class Settings:
    """Every value of the settings there are, names in lower case."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """The last value of a setting."""
        return self.values.get(name.lower(), [default])[-1]

    def all(self, name: str) -> list[str]:
        """Every value of a setting that may be given several times."""
        return self.values.get(name.lower(), [])

    def number(self, name: str, default: float) -> float:
        """A setting as a number above 0; the default for anything else."""
        try:
            value = float(self.text(name) or default)
        except ValueError:
            return default
        return value if value > 0 else default

    def flag(self, name: str) -> bool:
        """Whether a setting is on."""
        return self.text(name).lower() in _TRUE


def read_settings(location: Location) -> Settings:
    """The settings as git has them now. Raises GitError for a configuration git cannot read."""
    pattern = f"^({'|'.join(re.escape(name.lower()) for name in SETTINGS)})$"
    # Exit code 1 means none.
    given = run(["config", "-z", "--get-regexp", pattern], location.root, ok=(0, 1))
    values: dict[str, list[str]] = {}
    for item in given.decode("utf-8", "surrogateescape").split("\0"):
        if item:
            name, separator, value = item.partition("\n")
            values.setdefault(name.lower(), []).append(value if separator else "true")
    return Settings(values)
