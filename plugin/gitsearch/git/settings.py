"""The person's own settings, from git config. Never from the repository's content."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field

from gitsearch.git.process import finish, start
from gitsearch.git.repository import Repository

_TRUE = {"true", "yes", "on", "1"}


@dataclass(frozen=True)
class Settings:
    """Every value of ``search.*`` and of the few git settings we honour, names in lower case."""

    values: dict[str, list[str]] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """The last value of a setting."""
        return self.values.get(name.lower(), [default])[-1]

    def all(self, name: str) -> list[str]:
        """Every value of a setting that may be given several times."""
        return self.values.get(name.lower(), [])

    def flag(self, name: str) -> bool:
        """Whether a setting is on."""
        return self.text(name).lower() in _TRUE


def start_settings(repository: Repository) -> subprocess.Popen[bytes]:
    """Begin to read the settings."""
    pattern = r"^(search\..*|color\.ui|core\.pager|pager\.search|core\.hookspath)$"
    return start(["config", "-z", "--get-regexp", pattern], repository.root)


def read_settings(process: subprocess.Popen[bytes]) -> Settings:
    """The settings that a started git printed; exit code 1 means none."""
    values: dict[str, list[str]] = {}
    for item in finish(process, ok=(0, 1)).decode("utf-8", "surrogateescape").split("\0"):
        if item:
            name, separator, value = item.partition("\n")
            values.setdefault(name.lower(), []).append(value if separator else "true")
    return Settings(values)
