"""What a CI says of the job that runs: which branch was pushed to, and where reports go."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Host = Literal["github", "gitlab", ""]

#: Events that stand for a state of a branch; every other one is somebody's proposal, or a tag.
_GITHUB_EVENTS = ("push", "schedule", "workflow_dispatch", "repository_dispatch")
_HEADS = "refs/heads/"


@dataclass(frozen=True)
class Job:
    """``branch`` is the branch whose state is checked out, '' for a pull request or a tag.

    ``summary`` is a Markdown file shown to people, ``outputs`` one of ``name=value`` lines.
    """

    host: Host = ""
    branch: str = ""
    default_branch: str = ""
    summary: Path | None = None
    outputs: Path | None = None

    @property
    def on_default_branch(self) -> bool:
        """Whether the default branch itself is checked out."""
        return bool(self.branch) and self.branch == self.default_branch


def read_job(env: Mapping[str, str]) -> Job:
    """The job that the environment of GitHub or GitLab describes; an empty one elsewhere."""
    if env.get("GITHUB_ACTIONS") == "true":
        ref = env.get("GITHUB_REF", "")
        whole = env.get("GITHUB_EVENT_NAME") in _GITHUB_EVENTS and ref.startswith(_HEADS)
        return Job(
            host="github",
            branch=ref.removeprefix(_HEADS) if whole else "",
            default_branch=_default_branch(env.get("GITHUB_EVENT_PATH", "")),
            summary=_file(env.get("GITHUB_STEP_SUMMARY")),
            outputs=_file(env.get("GITHUB_OUTPUT")),
        )
    if env.get("GITLAB_CI") == "true":
        # A merge request's pipeline has no CI_COMMIT_BRANCH.
        branch = env.get("CI_COMMIT_BRANCH", "")
        return Job("gitlab", branch, env.get("CI_DEFAULT_BRANCH", ""))
    return Job()


def _file(name: str | None) -> Path | None:
    return Path(name) if name else None


def _default_branch(event: str) -> str:
    try:
        name = json.loads(Path(event).read_text(encoding="utf-8"))["repository"]["default_branch"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""  # then nothing is pushed
    return name if isinstance(name, str) else ""
