from __future__ import annotations

from pathlib import Path

from gitsearch.commands.reference import files, main
from tests.conftest import Work

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_is_what_the_commands_say(tmp_path: Path) -> None:
    """Mended by `make docs`."""
    main([str(tmp_path)])
    for name, text in files().items():
        assert (DOCS / name).read_text(encoding="utf-8") == text, name
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def test_help_needs_no_repository_and_imports_nothing_heavy(tmp_path: Path) -> None:
    work = Work(tmp_path)
    for program in ("git-search", "git-search-index"):
        ran = work.run(program, "-h")
        assert ran.code == 0
        assert "Usage: git search" in ran.out
    script = (
        "import sys; from gitsearch.commands.search import main; code = main(['--help']);"
        "sys.stderr.write(repr(sorted({'numpy', 'torch', 'apsw', 'pygit2'} & set(sys.modules))))"
    )
    assert work.run("python", "-c", script).err == "[]"
    assert work.run("git-search-index", "--version").out.startswith("git-search, version ")
