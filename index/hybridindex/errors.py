"""Every error a person can meet, each with what happened and what mends it."""

from __future__ import annotations


class SearchError(Exception):
    """Something a person can mend.

    ``problem`` says what happened, ``hint`` the command or the edit that mends it.
    Programs turn it into one line and exit code 2; nothing else may reach a person.
    """

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.problem} ({self.hint})" if self.hint else self.problem


class ModelUnavailable(SearchError):
    """The configured model is not on this machine, or not whole."""


class ModelMismatch(SearchError):
    """The model at hand is not the one whose vectors are committed."""


class SegmentDamaged(SearchError):
    """A segment's bytes are not what its name and header promise."""
