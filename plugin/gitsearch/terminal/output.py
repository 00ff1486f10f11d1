"""Everything that is printed of an answer: for a terminal, for a pipe, as JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator

from gitsearch.git.settings import Settings
from gitsearch.wording import plain, printable
from hybridindex.searcher import Answer, Hit

#: Version of the JSON form; a key is only ever added within one.
JSON_VERSION = 2

_PATH, _LINE, _SYMBOL, _MATCH, _DIM = "35", "32", "1", "1;31", "2"


def wants_color(choice: str, settings: Settings, terminal: bool) -> bool:
    """``--color`` first, then NO_COLOR, then git's color.ui."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    setting = settings.text("color.ui", "auto").lower()
    if setting == "always":
        return True
    return terminal and setting not in ("false", "never", "no", "off", "0")


class Paint:
    """Wraps text in colour, or leaves it."""

    def __init__(self, on: bool) -> None:
        self._on = on

    def __call__(self, code: str, text: str) -> str:
        """The text in the colour of an SGR code."""
        return f"\x1b[{code}m{text}\x1b[m" if self._on and text else text


def for_terminal(answer: Answer, paint: Paint, explain: bool = False) -> Iterator[str]:
    """Lines for a person: a heading for each hit, then the lines that answer best."""
    for i, hit in enumerate(answer):
        if i:
            yield ""
        heading = paint(_PATH, plain(hit.path)) + paint(_LINE, f":{hit.start}-{hit.end}")
        if hit.symbols:
            heading += "  " + paint(_SYMBOL, plain(", ".join(hit.symbols[:3])))
            heading += paint(_DIM, f" +{len(hit.symbols) - 3}") if len(hit.symbols) > 3 else ""
        yield heading + "  " + paint(_DIM, f"[{hit.role}]")
        if explain:
            yield from (paint(_DIM, f"  {line}") for line in explained(hit))
        yield from _snippet_lines(hit, paint)


def explained(hit: Hit) -> Iterator[str]:
    """Why a hit is where it is: rank in every list, closeness to their best, each prior's part.

    All of them are of its best lines.
    """
    ranks = [f"{name} {rank or 'absent'}" for name, rank in hit.lists.items()]
    yield f"score {hit.score:.4f}; ranks: {', '.join(ranks)}"
    if hit.closeness:
        near = (f"{name} {part:.2f}" for name, part in sorted(hit.closeness.items()))
        yield f"closeness to the best: {', '.join(near)}"
    if hit.focus != (hit.start, hit.end):
        yield f"best lines: {hit.focus[0]}-{hit.focus[1]}"
    if hit.priors:
        yield "priors: " + ", ".join(f"{name} x{part:.2f}" for name, part in hit.priors.items())


def _snippet_lines(hit: Hit, paint: Paint) -> Iterator[str]:
    snippet = hit.snippet
    if snippet is None:
        return
    last = snippet.start + len(snippet.lines) - 1
    width = len(str(last))
    for number, line in enumerate(snippet.lines, snippet.start):
        shown = plain(line.expandtabs(4))
        mark = ":" if number in snippet.matched else "-"
        label = paint(_MATCH if mark == ":" else _DIM, f"{number:>{width}}{mark}")
        yield f"  {label} {shown}".rstrip()


def for_pipe(answer: Answer) -> Iterator[str]:
    """One line a hit, fields apart by tabs: path:start-end, symbols, role, the best line."""
    for hit in answer:
        fields = (", ".join(hit.symbols), hit.role, _best_line(hit))
        where = f"{_piped_path(hit.path)}:{hit.start}-{hit.end}"
        yield "\t".join((where, *(plain(field) for field in fields)))


def files_of(answer: Answer) -> Iterator[str]:
    """The path of each file with a hit, once, best first."""
    yield from dict.fromkeys(hit.path for hit in answer)


def _best_line(hit: Hit) -> str:
    snippet = hit.snippet
    if snippet is None:
        return ""
    matched = [snippet.lines[number - snippet.start] for number in sorted(snippet.matched)]
    candidates = [line for line in (*matched, *snippet.lines) if line.strip()]
    return candidates[0].strip().replace("\t", " ") if candidates else ""


def _piped_path(path: str) -> str:
    # A path may hold tabs and line breaks; its other bytes go out as git has them.
    return "".join(ascii(c)[1:-1] if c < " " or c == "\x7f" else c for c in path)


def as_json(answer: Answer, explain: bool = False) -> str:
    """The answer as one JSON object, paths relative to the repository root."""
    return json.dumps(
        {
            "version": JSON_VERSION,
            "query": answer.query.text.encode("utf-8", "replace").decode(),
            "coverage": round(answer.coverage.share, 4),
            "results": [_json_hit(hit, explain) for hit in answer],
        },
        ensure_ascii=False,
        indent=None,
    )


def _json_hit(hit: Hit, explain: bool) -> dict[str, object]:
    told = {"closeness": hit.closeness, "priors": hit.priors}
    parts = {key: {n: round(part, 4) for n, part in of.items()} for key, of in told.items()}
    return {
        "path": printable(hit.path),
        "start": hit.start,
        "end": hit.end,
        "focus": list(hit.focus),
        "symbol": hit.symbol,
        "language": hit.language or None,
        "role": hit.role,
        "score": round(hit.score, 6),
        "lists": hit.lists,
        "snippet": printable(str(hit.snippet or "")),
        **(parts if explain else {}),
    }


def write(text: str) -> None:
    """Text to standard output; bytes of a path that are not UTF-8 go out as they are."""
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
