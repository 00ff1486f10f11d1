"""The library: `from gitsearch import Repository`, as somebody else's program uses it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gitsearch import Repository
from gitsearch.git.location import NoRepository
from gitsearch.tree import NoIndex
from hybridindex.errors import SearchError
from tests.conftest import PROJECT, Work

Clone = Callable[..., Work]


def test_five_lines_ask_filter_and_read_results(indexed: Work) -> None:
    program = (
        "from gitsearch import Repository\n"
        "for hit in Repository('.').search('backoff', count=2, roles=['source'], paths=['src']):\n"
        "    print(hit.path, hit.start, hit.end, hit.focus, hit.symbol, hit.role, hit.language)\n"
        "    print(sorted(hit.lists), hit.score > 0)\n"
        "    print(hit.snippet)\n"
    )
    ran = indexed.run(sys.executable, "-c", program)
    assert (ran.code, ran.err) == (0, "")
    first, lists, *snippet = ran.out.splitlines()
    assert first == "src/retry.py 1 8 (1, 8) may_retry source python"
    assert lists == "['exact', 'path', 'semantic', 'split', 'symbol'] True"
    assert "def backoff(attempt):" in snippet


def test_importing_the_package_imports_nothing_else(indexed: Work) -> None:
    program = "import sys, gitsearch; print(gitsearch.__version__, *sys.modules)"
    loaded = indexed.run(sys.executable, "-c", program).out.split()
    assert not {"apsw", "numpy", "hybridindex", "gitsearch.repository", "click"} & set(loaded)


def test_an_object_that_stays_open_answers_from_what_is_there_now(indexed: Work) -> None:
    """Files edited, a branch switched, the database deleted or replaced: never an old answer."""
    with Repository(indexed.path) as repository:

        def first(text: str) -> tuple[str, int]:
            hit = repository.search(text, mode="keyword")[0]
            assert text in (indexed.path / hit.path).read_text().split("\n")[hit.start - 1]
            return hit.path, hit.start

        assert repository.search("zebra", mode="keyword").hits == ()
        indexed.write("src/cache.go", "\n\n\nfunc zebra() {}\n")
        assert first("zebra") == ("src/cache.go", 4)
        indexed.write("src/cache.go", "func other() {}\n\n\n\n\nfunc zebra() {}\n")
        hit = repository.search("zebra", mode="keyword")[0]
        assert (hit.path, hit.end) == ("src/cache.go", 6)
        indexed.git("checkout", "-q", "-f", "-b", "side")
        indexed.write("src/retry.py", "def giraffe():\n    pass\n")
        indexed.commit("side", "-a")
        assert first("giraffe") == ("src/retry.py", 1)
        indexed.git("checkout", "-q", "main")
        assert repository.search("giraffe", mode="keyword").hits == ()
        assert repository.search("backoff", mode="keyword")[0].path == "src/retry.py"
        database = indexed.path / ".git/git-search/work.db"
        for suffix in ("", "-wal", "-shm"):
            database.with_name(f"work.db{suffix}").unlink(missing_ok=True)
        assert repository.search("backoff", mode="keyword")[0].path == "src/retry.py"
        indexed.write("src/cache.go", "func zebra() {}\n")
        assert first("zebra") == ("src/cache.go", 1)
        assert database.exists()
        # Another program made it anew meanwhile.
        for suffix in ("", "-wal", "-shm"):
            database.with_name(f"work.db{suffix}").unlink(missing_ok=True)
        assert indexed.search("--mode", "keyword", "zebra").code == 0
        indexed.write("src/cache.go", "func okapi() {}\n")
        assert first("okapi") == ("src/cache.go", 1)
        assert repository.search("zebra", mode="keyword").hits == ()


def test_another_model_in_the_configuration_is_noticed(indexed: Work, tiny_model: Path) -> None:
    with Repository(indexed.path) as repository:
        assert repository.search("backoff")[0].lists["semantic"] is not None
        config = indexed.path / ".search/config.toml"
        config.write_text(config.read_text().replace("max_tokens = 128", "max_tokens = 64"))
        with pytest.raises(SearchError, match="under another fingerprint"):
            repository.search("backoff")
        repository.update()
        found = repository.search("backoff")
        assert found[0].lists["semantic"] is not None
        assert found.notes == ()


def test_trees_are_told_apart(indexed: Work) -> None:
    indexed.write("src/retry.py", "def staged():\n    pass\n")
    indexed.git("add", "-A")
    indexed.write("src/retry.py", "def on_disk():\n    pass\n")
    with Repository(indexed.path) as repository:

        def found(text: str, **tree: object) -> bool:
            answer = repository.search(text, mode="keyword", **tree)  # type: ignore[arg-type]
            return bool(answer)

        assert [found(name) for name in ("on_disk", "staged", "backoff")] == [True, False, True]
        cached = [found(name, cached=True) for name in ("on_disk", "staged")]
        assert cached == [False, True]
        assert found("may_retry", revision="HEAD", paths=["src"])
        assert not found("staged", revision="HEAD")


def test_revisions_take_turns_in_one_object_and_beside_another(indexed: Work) -> None:
    """They share one database file, so each must see its own rows."""
    before = indexed.git("rev-parse", "HEAD")
    indexed.write("src/retry.py", "def giraffe():\n    pass\n")
    indexed.commit("after", "-a")
    wrong = []

    def ask(revision: str, name: str, absent: str) -> None:
        with Repository(indexed.path) as repository:
            for _ in range(6):
                options = {"mode": "keyword", "revision": revision, "paths": ["src"]}
                if not repository.search(name, **options):  # type: ignore[arg-type]
                    wrong.append((revision, name))
                if repository.search(absent, **options):  # type: ignore[arg-type]
                    wrong.append((revision, absent))

    pairs = [("HEAD", "giraffe", "backoff"), (before, "backoff", "giraffe")]
    threads = [threading.Thread(target=ask, args=pair) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_threads_share_one_object(indexed: Work) -> None:
    with Repository(indexed.path) as repository:
        answers: list[str] = []

        def ask(name: str, path: str) -> None:
            for _ in range(10):
                answers.append(f"{path} {repository.search(name)[0].path}")

        asked = [("may_retry", "src/retry.py"), ("EvictOldest", "src/cache.go")] * 2
        threads = [threading.Thread(target=ask, args=pair) for pair in asked]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(answers) == 40
    assert all(one == other for one, other in (answer.split() for answer in answers))


def test_status_chunks_verify_and_update(indexed: Work) -> None:
    with Repository(indexed.path) as repository:
        assert repository.status().coverage == 1.0
        chunks = {chunk.path: chunk for chunk in repository.chunks()}
        assert set(chunks) == set(PROJECT)
        assert chunks["src/cache.go"].symbols == ("EvictOldest",)
        assert chunks["src/cache.go"].text.startswith("src/cache.go\nEvictOldest\npackage cache")
        assert (chunks["docs/retry.md"].role, chunks["docs/retry.md"].language) == (
            "docs", "markdown",
        )  # fmt: skip
        assert len(chunks["docs/retry.md"].key) == 16
        assert repository.verify(sample=None).lies == []
        indexed.write("src/new.py", "def zebra():\n    return 1\n")
        indexed.git("add", "-A")
        assert repository.status().uncovered == ["src/new.py"]
        done = repository.update()
        assert (done.records, done.embedded, len(done.segments)) == (1, 1, 1)
        assert repository.status(cached=True).coverage == 1.0


def test_paths_are_relative_to_the_folder_that_is_named(indexed: Work) -> None:
    with Repository(indexed.path / "docs") as repository:
        (hit,) = repository.search("request", paths=["."], mode="keyword")
        assert hit.path == "docs/retry.md"


def test_a_repository_is_an_error_where_there_is_none(tmp_path: Path, work: Work) -> None:
    with pytest.raises(NoRepository):
        Repository(tmp_path)
    with pytest.raises(NoIndex) as caught:
        Repository(work.path).search("anything")
    assert caught.value.hint == "run `git search-index init`"


def test_the_index_of_a_bare_clone(indexed: Work, tmp_path: Path) -> None:
    """Once `search --cached` answered from HEAD there, and `check --cached` advised init."""
    bare = tmp_path / "bare.git"
    subprocess.run(["git", "clone", "-q", "--bare", str(indexed.path), str(bare)], check=True)
    made = Work(bare)
    assert made.search("may_retry").out.startswith("src/retry.py:")
    assert made.search("may_retry", "--", "src").out.startswith("src/retry.py:")
    assert made.index("check").code == 0
    refusals = [made.search("--cached", "may_retry"), made.index("check", "--cached")]
    refusals.append(made.index("status", "--cached"))
    for ran in refusals:
        assert (ran.code, ran.out) == (2, "")
        assert "a bare repository has no git index" in ran.err
        assert "hint: leave out --cached" in ran.err
    assert made.index("doctor").code == 0


def test_more_results_than_a_list_usually_gives(work: Work, tiny_model: Path) -> None:
    """`-n 500` once gave 131 and said nothing."""
    work.use_model(tiny_model)
    for i in range(450):
        work.write(f"src/part_{i}.py", f"def zebra_{i}():\n    return 'zebra {i}'\n")
    work.git("add", "-A")
    assert work.index("init", "--model", "tiny/model", "--config-only").code == 0
    few = work.search("--mode", "keyword", "-n", "5", "-l", "zebra").out.splitlines()
    many = work.search("--mode", "keyword", "-n", "440", "-l", "zebra").out.splitlines()
    assert (len(few), len(many)) == (5, 440)
    assert many[:5] == few
    assert len(set(many)) == 440
    ran = work.search("--mode", "keyword", "-n", "500", "--json", "zebra")
    assert len(json.loads(ran.out)["results"]) == 450
    assert ran.err.count("\n") == 1
    assert "450 results" in ran.err


def test_the_documents_programs_run(indexed: Work) -> None:
    root = Path(__file__).parents[2]
    texts = [(root / name).read_text("utf-8") for name in ("docs/library.md", "README.md")]
    programs = [code for text in texts for code in re.findall(r"```python\n(.*?)```", text, re.S)]
    assert len(programs) == 3
    for program in programs:
        ran = indexed.run(sys.executable, "-c", program)
        assert (ran.code, ran.err) == (0, ""), program
        assert "src/retry.py" in ran.out
