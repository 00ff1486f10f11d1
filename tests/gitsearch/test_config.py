"""The committed configuration across versions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gitsearch.config import Config, ConfigError, edited, read_config, write_config
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


def test_another_model_leaves_what_people_wrote() -> None:
    text = write_config(CONFIG).replace("[files]", "# Ours.\n[files]  # as well") + "# end\n"
    wanted = CONFIG.with_model(Fingerprint("org/other", "", "cd" * 32, 256, 64))
    changed = edited(text.encode(), wanted)
    assert read_config(changed.encode()) == wanted
    before, after = text.split("\n"), changed.split("\n")
    assert {a.split(" = ")[0] for a, b in zip(before, after, strict=True) if a != b} == {
        "name", "revision", "weights_sha256", "adapter", "dimensions", "max_tokens",
        "document_prompt", "query_prompt",
    }  # fmt: skip


@pytest.mark.parametrize(
    "old",
    [
        first_format(write_config(replace(CONFIG, adapter=""))),  # no line for an adapter
        write_config(CONFIG).replace('name = "org/model"', 'name = """\norg/model"""'),
    ],
)
def test_a_file_that_cannot_be_edited_is_written_anew(old: str) -> None:
    wanted = CONFIG.with_model(Fingerprint("org/other", "", "cd" * 32, 256, 64, adapter="code-1"))
    assert edited(old.encode(), wanted) == write_config(wanted)
