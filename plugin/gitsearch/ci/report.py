"""What a CI shows people about an index: a summary in Markdown, and a few numbers."""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from gitsearch.ci.job import Job
from gitsearch.maintaining.status import Status
from gitsearch.wording import counted, plain

#: Paths listed at most under one heading: GitHub refuses a summary above 1 MB.
_LISTED = 200


def summary(state: Status) -> str:
    """How complete the index is, what is missing, and what is left out and why."""
    lines = [
        "### Search index",
        "",
        f"Coverage **{state.coverage:.1%}** of {counted(state.files, 'source file')};"
        f" {counted(state.chunks, 'chunk')}, {counted(state.segments, 'segment')},"
        f" {state.segment_bytes / 1e6:.2f} MB,"
        f" model {_code(state.model)}.",
    ]
    if state.uncovered:
        lines.append(
            "What is not covered is found by keyword; the next commit with the hook, or this job on"
            " the default branch, adds it."
        )
        lines += _folded(f"{counted(len(state.uncovered), 'file')} not covered", state.uncovered)
    for damage in state.damaged.values():
        lines += ["", f"Damaged: {_code(damage)}"]
    for model, vectors in state.foreign.items():
        lines += ["", f"Not used: {counted(vectors, 'vector')} of {_code(model)}."]
    by_reason: dict[str, list[str]] = defaultdict(list)
    for path, reason in state.skipped.items():
        by_reason[reason].append(path)
    for reason, paths in sorted(by_reason.items()):
        lines += _folded(f"{counted(len(paths), 'file')} left out: {plain(reason)}", paths)
    return "\n".join(lines) + "\n"


def _code(text: str) -> str:
    # Paths are content of somebody's pull request: no markup of theirs may reach the page.
    return f"<code>{html.escape(plain(text))}</code>"


def _folded(title: str, paths: Sequence[str]) -> Iterator[str]:
    yield ""
    yield f"<details><summary>{html.escape(title)}</summary>"
    yield ""
    for path in paths[:_LISTED]:
        yield f"- {_code(path)}"
    if len(paths) > _LISTED:
        yield f"- and {len(paths) - _LISTED} more"
    yield ""
    yield "</details>"


def publish(job: Job, text: str, outputs: Mapping[str, str]) -> None:
    """Append to the files that the CI reads; nothing where it has none."""
    if job.summary:
        with job.summary.open("a", encoding="utf-8") as file:
            file.write(text)
    if job.outputs:
        with job.outputs.open("a", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in outputs.items())
