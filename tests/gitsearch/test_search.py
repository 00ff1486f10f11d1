"""What `git search` prints and returns, asked through the real program."""

from __future__ import annotations

import json
import os
import pty
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import PROJECT, Work

Clone = Callable[..., Work]


def paths(output: str) -> list[str]:
    return [line.partition(":")[0] for line in output.splitlines()]


def test_a_clone_answers_from_the_committed_index_alone(indexed: Work, clone: Clone) -> None:
    asked = clone(indexed)
    found = asked.search("EvictOldest")
    assert found.code == 0
    assert found.err == ""
    assert found.out.splitlines()[0].split("\t") == [
        "src/cache.go:1-5", "EvictOldest", "source", "// EvictOldest drops one entry.",
    ]  # fmt: skip
    answer = json.loads(asked.search("--json", "may a request be retried").out)
    assert answer["coverage"] == 1.0
    assert not (asked.path / ".git/git-search/vectors").exists()  # nothing was embedded


def test_json_has_the_documented_form(indexed: Work) -> None:
    answer = json.loads(indexed.search("--json", "-n", "2", "may_retry").out)
    assert answer["version"] == 2
    assert answer["query"] == "may_retry"
    first = answer["results"][0]
    assert set(first) == {
        "path", "start", "end", "focus", "symbol", "language", "role", "score", "lists", "snippet",
    }  # fmt: skip
    assert (first["path"], first["symbol"], first["language"], first["role"]) == (
        "src/retry.py", "may_retry", "python", "source",
    )  # fmt: skip
    assert first["lists"]["exact"] == 1
    assert set(first["lists"]) >= {"exact", "semantic"}
    assert "def may_retry(request):" in first["snippet"]
    assert len(answer["results"]) == 2


def test_exit_codes_are_those_of_grep(indexed: Work) -> None:
    assert indexed.search("may_retry").code == 0
    nothing = indexed.search("--mode", "keyword", "zebra")
    assert (nothing.code, nothing.out) == (1, "")
    assert indexed.search("--mode", "nonsense", "x").code == 2
    assert indexed.search().code == 2


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--lang", "go"], {"src/cache.go"}),
        (["--role", "test"], {"tests/test_retry.py"}),
        (["--role", "test", "--role", "docs"], {"tests/test_retry.py", "docs/retry.md"}),
        (["--no-tests", "--no-docs", "--lang", "python"], {"src/retry.py"}),
        (["--lang", "PYTHON"], {"src/retry.py", "tests/test_retry.py"}),
    ],
)
def test_filters_narrow(indexed: Work, options: list[str], expected: set[str]) -> None:
    found = indexed.search("-l", *options, "how is an attempt sent again")
    assert set(found.out.splitlines()) == expected


def test_pathspecs_are_gits_and_relative_to_the_folder(indexed: Work) -> None:
    found = indexed.search("-l", "attempt", "--", "src", ":!*.go")
    assert found.out == "src/retry.py\n"
    inside = indexed.run("git", "search", "-l", "attempt", "--", ".", cwd=indexed.path / "docs")
    assert inside.out == "docs/retry.md\n"
    assert indexed.search("attempt", "--", ":(nonsense)x").code == 2


def test_the_work_tree_is_searched_as_it_is_on_disk(indexed: Work) -> None:
    indexed.write("src/retry.py", "moved = 1\n" * 300 + PROJECT["src/retry.py"])
    found = indexed.search("--mode", "keyword", "-n", "1", "may_retry")
    start, _, end = found.out.split("\t")[0].partition(":")[2].partition("-")
    assert 200 < int(start) <= 301
    assert end == "308"
    cached = indexed.search("--mode", "keyword", "-n", "1", "--cached", "may_retry")
    assert cached.out.startswith("src/retry.py:1-")
    (indexed.path / "src/retry.py").unlink()
    assert "src/retry.py" not in paths(indexed.search("may_retry").out)


def test_untracked_files_are_not_searched(indexed: Work) -> None:
    indexed.write("secret.py", "zebra = 1\n")
    assert indexed.search("--mode", "keyword", "zebra").code == 1
    indexed.git("add", "secret.py")
    assert indexed.search("--mode", "keyword", "zebra").code == 0


def test_a_revision_is_searched(indexed: Work) -> None:
    indexed.write("src/retry.py", "def gone():\n    pass\n")
    indexed.git("add", "-A")
    indexed.commit("rewrite")
    options = ("--mode", "keyword", "-l")
    assert indexed.search(*options, "backoff", "--", "src").code == 1
    old = indexed.search(*options, "--rev", "HEAD~1", "backoff", "--", "src")
    assert old.out == "src/retry.py\n"
    unknown = indexed.search("--rev", "nowhere", "x")
    assert unknown.code == 2
    assert "no revision 'nowhere'" in unknown.err
    assert indexed.search("--rev", "--output=x", "x").code == 2
    assert indexed.search("--rev", "HEAD", "--cached", "x").code == 2


def test_context_shows_whole_results(indexed: Work) -> None:
    found = indexed.search("-C", "1", "--role", "docs", "idempotent")
    assert found.out.splitlines() == [
        "docs/retry.md:1-3  Retrying  [docs]",
        "  1- # Retrying",
        "  2-",
        "  3: A request is sent again when its method is idempotent.",
    ]


def test_null_ends_each_result(indexed: Work) -> None:
    found = indexed.search("-z", "-l", "attempt")
    assert found.out.endswith("\0")
    assert "\n" not in found.out


def on_a_terminal(work: Work, *command: str, **env: str) -> str:
    main, side = pty.openpty()
    process = subprocess.Popen(
        command, cwd=work.path, stdin=side, stdout=side, stderr=side,
        env={**os.environ, "TERM": "xterm", "PAGER": "cat", **env},
    )  # fmt: skip
    os.close(side)
    output = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:
            break
        if not part:
            break
        output += part
    process.wait()
    os.close(main)
    return output.decode()


def test_a_terminal_gets_colour_headings_and_lines(indexed: Work) -> None:
    shown = on_a_terminal(indexed, "git", "search", "-n", "1", "may_retry")
    assert "\x1b[35msrc/retry.py\x1b[m" in shown
    assert "may_retry" in shown
    assert "[source]" in shown
    plain = on_a_terminal(indexed, "git", "search", "-n", "1", "may_retry", NO_COLOR="1")
    assert "\x1b[35m" not in plain
    indexed.git("config", "color.ui", "never")
    assert "\x1b[35m" not in on_a_terminal(indexed, "git", "search", "-n", "1", "may_retry")


def test_a_pager_is_used_on_a_terminal_only(indexed: Work) -> None:
    indexed.git("config", "core.pager", "sed s/^/PAGED/")
    shown = on_a_terminal(indexed, "git", "search", "-n", "1", "may_retry")
    assert shown.startswith("PAGED")
    assert "PAGED" not in indexed.search("may_retry").out
    indexed.git("config", "pager.search", "false")
    assert "PAGED" not in on_a_terminal(indexed, "git", "search", "-n", "1", "may_retry")


def test_a_closed_pipe_is_success(indexed: Work) -> None:
    script = "git search attempt | true; exit ${PIPESTATUS[0]}"
    done = indexed.run("bash", "-c", script)
    assert (done.code, done.err) == (0, "")


def test_control_characters_of_a_file_never_reach_the_output(indexed: Work) -> None:
    indexed.write("src/evil.py", "# zebra \x1b]0;owned\x07 \x1b[31m\nzebra = 1\n")
    indexed.git("add", "-A")
    for options in ([], ["-C", "0"], ["--color=always", "-C", "0"]):
        found = indexed.search(*options, "--mode", "keyword", "zebra")
        assert found.code == 0
        for forbidden in ("\x1b]", "\x07", "\x1b[31m"):
            assert forbidden not in found.out


def test_without_a_model_keywords_still_answer_and_one_line_says_so(
    indexed: Work, clone: Clone, tmp_path: Path
) -> None:
    asked = clone(indexed)
    asked.git("config", "search.modelPath", str(tmp_path / "nowhere"))
    found = asked.search("may_retry")
    assert found.code == 0
    assert found.out.startswith("src/retry.py:")
    assert found.err.count("searching by keyword alone") == 1
    semantic = asked.search("--mode", "semantic", "may_retry")
    assert semantic.code == 2
    assert "Traceback" not in semantic.err


def test_new_chunks_are_embedded_when_they_are_few_and_kept(indexed: Work) -> None:
    indexed.write("src/new.py", "def zebra():\n    return 1\n")
    indexed.git("add", "-A")
    first = json.loads(indexed.search("--json", "zebra").out)
    (hit,) = (r for r in first["results"] if r["path"] == "src/new.py")
    assert hit["lists"]["semantic"] is not None
    assert first["coverage"] == round(5 / 6, 4)
    # The commit takes the vector that the search made, and embeds nothing.
    committed = indexed.run("git", "commit", "-m", "new")
    assert "1 file, 0 chunks embedded" in committed.err


def test_explain_tells_ranks_and_priors(indexed: Work) -> None:
    found = indexed.search("--explain", "-n", "1", "may_retry")
    heading, ranks, near, priors = found.out.splitlines()[:4]
    assert heading.startswith("src/retry.py:1-")
    assert "exact 1" in ranks
    assert "symbol 1" in ranks
    assert "closeness to the best: semantic " in near
    assert "split 1.00" in near
    assert "subject x1.25" in priors
    tests = json.loads(indexed.search("--json", "--explain", "--role", "test", "backoff").out)
    assert tests["results"][0]["priors"]["role"] == 0.5
    asked = json.loads(indexed.search("--json", "--explain", "--role", "test", "backoff test").out)
    assert "role" not in asked["results"][0]["priors"]
    assert asked["results"][0]["closeness"]["split"] == 1
    plain = json.loads(indexed.search("--json", "backoff").out)["results"][0]
    assert plain.keys().isdisjoint({"closeness", "priors"})


def test_other_scripts_are_found_by_keyword(indexed: Work) -> None:
    indexed.write("docs/ja.md", "# 再試行\n\nリクエストは自動的に再試行されます。\n")
    indexed.write("docs/th.md", "# ลองใหม่\n\nคำขอจะถูกส่งใหม่โดยอัตโนมัติ\n")
    indexed.write("docs/de.md", "# Wiederholen\n\nEine Anfrage wird nach Größe wiederholt.\n")
    indexed.git("add", "-A")
    for question, path in (
        ("自動的に再試行", "docs/ja.md"),
        ("ส่งใหม่โดยอัตโนมัติ", "docs/th.md"),
        ("groesse Größe", "docs/de.md"),
    ):
        found = indexed.search("-l", "-n", "1", "--mode", "keyword", question)
        assert found.out == f"{path}\n", question
