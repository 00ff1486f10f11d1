"""The committed configuration across versions."""

from __future__ import annotations

import pytest

from gitsearch.config import Config, ConfigError, read_config, write_config
from hybridindex.types import Fingerprint
from tests.conftest import Work

CONFIG = Config.of(
    Fingerprint("org/model", "v1", "ab" * 32, 384, 128, "doc: ", "ask: ", adapter="code-1"),
    "lines",
    ("src/",),
    ("*.gen.go", 'a "b"'),
)


def first_format(text: str) -> str:
    """What the first version would have written."""
    lines = text.replace("format = 2", "format = 1").split("\n")
    return "\n".join(line for line in lines if not line.startswith("adapter = "))


def test_what_is_written_is_read() -> None:
    assert read_config(write_config(CONFIG).encode()) == CONFIG


def test_an_index_of_the_first_format_stays_whole(indexed: Work) -> None:
    config = indexed.path / ".search/config.toml"
    config.write_text(first_format(config.read_text()))
    indexed.git("add", ".search/config.toml")
    assert "adapter =" not in config.read_text()
    assert indexed.index("check", "--cached").code == 0
    assert indexed.search("may_retry").code == 0


def test_the_first_format_knew_no_adapters() -> None:
    text = write_config(CONFIG).replace("format = 2", "format = 1")
    with pytest.raises(ConfigError, match=r"unknown key model\.adapter"):
        read_config(text.encode())
