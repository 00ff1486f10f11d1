"""``git-search-index model``: from one model to another, in one step."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from gitsearch.config import DEFAULT_MODEL, EARLIER_DEFAULT
from tests.conftest import PROJECT, Work

CONFIG = ".search/config.toml"


def lists_of(work: Work, question: str) -> dict[str, int | None]:
    ran = work.search("--json", "-n", "1", question)
    assert ran.code == 0, ran.err
    lists: dict[str, int | None] = json.loads(ran.out)["results"][0]["lists"]
    return lists


def test_what_is_configured_is_shown_and_whether_it_is_here(
    indexed: Work, tiny_model: Path
) -> None:
    ran = indexed.index("model")
    assert ran.code == 0
    assert ran.out == (
        "configured  tiny/model\n"
        "vectors     5 of 32 dimensions\n"
        f"here        {tiny_model}\n"
        f"default     {DEFAULT_MODEL}: git search-index model default\n"
    )
    indexed.git("config", "--global", "search.modelPath", "/nowhere")
    ran = indexed.index("model")
    assert ran.code == 0
    assert "here        no: /nowhere does not hold the model tiny/model" in ran.out
    assert ran.err.startswith("hint: ")


def test_another_model_is_taken_up_in_one_commit(indexed: Work, clone: Callable[..., Work]) -> None:
    config = (indexed.path / CONFIG).read_text()
    written = config.replace("exclude = []", 'exclude = ["*.gen"]  # ours') + "# the end\n"
    indexed.write(CONFIG, written)
    indexed.git("add", CONFIG)
    indexed.commit("exclude", "--no-verify")
    before = indexed.segments()

    ran = indexed.index("model", "default", "--dry-run")
    assert (ran.code, ran.out) == (0, "")
    assert "5 chunks to embed, about 0 s here; about 0.0 MB come into the tree" in ran.err
    assert indexed.git("status", "--porcelain") == ""

    ran = indexed.index("model", "default")
    assert (ran.code, ran.out) == (0, ""), ran.err
    assert "5 chunks embedded, 1 segment of other models taken out" in ran.err
    assert f'Commit it: git commit -m "Search with {DEFAULT_MODEL}"' in ran.err
    changed = indexed.git("diff", "--cached", "--name-status", "--no-renames").split("\n")
    assert sorted(line.split("\t")[0] for line in changed) == ["A", "D", "M"]
    assert not set(indexed.segments()) & set(before)
    # What people wrote beside the model's lines stays.
    text = (indexed.path / CONFIG).read_text()
    assert 'exclude = ["*.gen"]  # ours' in text
    assert text.endswith("# the end\n")
    assert f'name = "{DEFAULT_MODEL}"' in text
    indexed.commit("Search with the model that comes with it", "--no-verify")
    assert indexed.index("check").code == 0
    assert indexed.index("verify", "--all").code == 0

    indexed.git("config", "--global", "--unset", "search.modelPath")
    indexed.git("config", "--global", "--unset", "search.allowModel")
    asked = clone(indexed)
    assert lists_of(asked, "when is a request sent again")["semantic"] == 1
    ran = asked.index("model", "default")
    assert (ran.code, ran.out) == (0, "")
    assert "is configured already" in ran.err
    ran = asked.index("model")
    assert f"configured  {DEFAULT_MODEL}\n" in ran.out
    assert "here        comes with git-search\n" in ran.out
    assert "default" not in ran.out


def test_a_change_that_was_cut_off_answers_as_before_and_goes_on(indexed: Work) -> None:
    """The configuration is written after all segments are there."""
    (old,) = indexed.segments()
    assert indexed.index("model", "default").code == 0
    (new,) = indexed.segments()
    data = (indexed.path / ".search/segments" / new).read_bytes()
    indexed.git("restore", "--staged", "--worktree", "--source=HEAD", "--", ".search")
    indexed.write(f".search/segments/{new}", data)
    indexed.git("add", ".search")
    assert set(indexed.segments()) == {old, new}
    assert indexed.index("check", "--cached").code == 0
    assert lists_of(indexed, "when is a request sent again")["semantic"] is not None
    ran = indexed.index("model", "default")
    assert ran.code == 0, ran.err
    assert "0 chunks embedded" in ran.err
    assert indexed.segments() == [new]
    assert indexed.index("check", "--cached").code == 0


def test_a_model_that_is_not_here_changes_nothing(indexed: Work) -> None:
    indexed.git("config", "--global", "--unset", "search.modelPath")
    ran = indexed.index("model", "org/other")
    assert (ran.code, ran.out) == (2, "")
    assert "the model org/other is not on this machine" in ran.err
    assert indexed.git("status", "--porcelain") == ""
    ran = indexed.index("model", "--dry-run")
    assert ran.code == 2
    assert "--dry-run goes with the NAME of a model" in ran.err


def test_an_index_of_the_earlier_default_asks_for_its_weights_or_the_change(work: Work) -> None:
    """Its vectors are never compared with those of today's default: without the weights it is
    asked by keyword, and both ways to mend that are named."""
    for path, content in PROJECT.items():
        work.write(path, content)
    work.git("add", "-A")
    work.commit("project")
    assert work.index("init", "--config-only").code == 0
    text = (work.path / CONFIG).read_text()
    work.write(CONFIG, text.replace(DEFAULT_MODEL, EARLIER_DEFAULT))
    work.git("config", "--global", "search.modelPath", "/nowhere")
    ran = work.search("may_retry")
    assert ran.code == 0
    assert "searching by keyword alone: /nowhere does not hold the model" in ran.err
    assert "git search-index model default" in ran.err
    # What comes with git-search is found whatever folder is set for other models.
    assert work.index("model", "default").code == 0
    assert lists_of(work, "when is a request sent again")["semantic"] is not None
