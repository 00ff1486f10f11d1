"""The person's own settings, from wherever git keeps them."""

from __future__ import annotations

import pytest

from gitsearch.git.location import locate
from gitsearch.git.process import GitError
from gitsearch.git.settings import read_settings
from tests.conftest import Work


def test_a_repository_without_any_has_none(work: Work) -> None:
    settings = read_settings(locate(work.path))
    assert settings.values == {}
    assert settings.text("core.pager", "less") == "less"
    assert settings.all("search.allowModel") == []
    assert not settings.flag("search.download")


def test_the_last_value_counts_and_all_are_there(work: Work) -> None:
    work.git("config", "--global", "search.allowModel", "one/model")
    work.git("config", "--add", "search.allowModel", "two/model")
    work.git("config", "--add", "search.allowModel", "with\nline/model")
    work.git("config", "search.modelPathology", "x")
    settings = read_settings(locate(work.path))
    assert settings.all("search.allowModel") == ["one/model", "two/model", "with\nline/model"]
    assert settings.text("SEARCH.ALLOWMODEL") == "with\nline/model"
    assert list(settings.values) == ["search.allowmodel"]


@pytest.mark.parametrize(
    ("value", "on"),
    [("true", True), ("Yes", True), ("on", True), ("1", True), ("false", False), ("no", False),
     ("0", False), ("", False)],
)  # fmt: skip
def test_what_is_on(work: Work, value: str, on: bool) -> None:
    work.git("config", "search.download", value)
    assert read_settings(locate(work.path)).flag("search.download") is on


def test_a_name_without_a_value_is_on_as_git_says(work: Work) -> None:
    with (work.path / ".git/config").open("a") as file:
        file.write("[search]\n\tdownload\n")
    assert read_settings(locate(work.path)).flag("search.download")


def test_a_file_of_the_repository_is_no_setting(work: Work) -> None:
    """A clone's content must not choose a model or a folder."""
    for name in (".gitconfig", "config", ".git-search"):
        work.write(name, "[search]\n\tallowModel = evil/model\n\tmodelPath = /evil\n")
    work.git("add", "-A")
    work.commit("evil")
    assert read_settings(locate(work.path)).values == {}


def test_a_configuration_git_cannot_read_is_told(work: Work) -> None:
    with (work.path / ".git/config").open("a") as file:
        file.write("[search\n")
    with pytest.raises(GitError):
        read_settings(locate(work.path))
