"""How the code is laid out, as CONTRIBUTING.md says: where doors are, what may look where."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = {"hybridindex": ROOT / "index", "gitsearch": ROOT / "plugin"}

#: The doors of the engine: what the plugin may import.
DOORS = {
    "embedding", "errors", "evaluation", "indexing", "searcher", "segments", "skipping", "types",
    "vectors", "verifying",
}  # fmt: skip
MAX_LINES, MIN_LINES = 300, 30
#: Modules below MIN_LINES that are no package's front page, and why.
SHORT = {
    "gitsearch.layout": "names of paths, which everything else imports",
    "gitsearch.wording": "words for people, below everything that speaks to them",
    "gitsearch.commands.check": "one command a file",
    "gitsearch.commands.doctor": "one command a file",
    "gitsearch.commands.entry": "what a hook starts must import nothing else",
    "gitsearch.commands.install": "one command a file",
    "gitsearch.commands.uninstall": "one command a file",
}


def modules() -> Iterator[tuple[str, Path]]:
    for folder in FOLDERS.values():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path


MODULES = dict(modules())


def imports_of(path: Path, at_once: bool = False) -> set[str]:
    """Our modules that a module imports; ``at_once``: when it is imported itself."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    if at_once:
        nodes = [node for node in tree.body if not isinstance(node, ast.If)]
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name for name in inside if name in MODULES} or {node.module}
    return {name for name in found if name in MODULES}


def in_package(package: str) -> dict[str, Path]:
    return {n: p for n, p in MODULES.items() if n.split(".")[0] == package}


def test_the_engine_looks_at_nothing_above_it() -> None:
    for name, path in in_package("hybridindex").items():
        assert not any(i.startswith("gitsearch") for i in imports_of(path)), name
        text = path.read_text("utf-8")
        assert "os.environ" not in text, name
        assert "subprocess" not in text, name
        assert not re.search(r"\bprint\(", text), name


def test_the_plugin_comes_in_through_the_doors() -> None:
    used = set()
    for path in in_package("gitsearch").values():
        used |= {i for i in imports_of(path) if i.startswith("hybridindex")}
    assert {name.removeprefix("hybridindex.") for name in used} == DOORS
    assert len(DOORS) <= 10


def test_all_sql_lies_in_sql_files_of_the_database() -> None:
    statement = re.compile(r"\b(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|COMMIT)\s+\w")
    for name, path in MODULES.items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not statement.match(node.value.strip()), (name, node.value)
    for folder in FOLDERS.values():
        where = {path.parent.name for path in folder.rglob("*.sql")}
        assert where <= {"database"}


def test_what_writes_an_index_needs_no_database() -> None:
    seen, queue = set(), ["hybridindex.indexing", "hybridindex.verifying", "hybridindex.vectors"]
    while queue:
        name = queue.pop()
        if name not in seen:
            seen.add(name)
            queue += imports_of(MODULES[name])
    assert not any(name.startswith("hybridindex.database") for name in seen)
    assert not any("apsw" in MODULES[name].read_text("utf-8") for name in seen)


def test_only_what_starts_programs_knows_terminals() -> None:
    for name, path in in_package("gitsearch").items():
        starts = name.startswith(("gitsearch.terminal", "gitsearch.commands"))
        if starts or name == "gitsearch.hooks.running":
            continue
        assert not any(i.startswith("gitsearch.terminal") for i in imports_of(path)), name


def test_no_module_imports_itself_by_way_of_others() -> None:
    edges = {name: imports_of(path, at_once=True) - {name} for name, path in MODULES.items()}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way, name))
        if name not in done:
            for following in edges[name]:
                visit(following, (*way, name))
            done.add(name)

    for name in edges:
        visit(name, ())


@pytest.mark.parametrize("name", sorted(MODULES))
def test_a_module_is_about_one_thing(name: str) -> None:
    lines = MODULES[name].read_text("utf-8").count("\n")
    assert lines <= MAX_LINES
    if MODULES[name].name != "__init__.py":
        assert lines >= MIN_LINES or name in SHORT


def test_every_command_has_a_file_named_like_it() -> None:
    from gitsearch.commands.maintain import maintain

    for name in maintain.commands:
        assert f"gitsearch.commands.{name}" in MODULES


INSTALL = re.compile(r"pip install (?:--\S+ )*([^\n]*)")


def named(line: str) -> list[str]:
    """Names of distributions in the rest of an install line."""
    words = re.findall(r"[^\s'\"`&|]+", re.split(r"\s{2,}#|&&|`|\bonce\b", line)[0])
    return [re.split(r"[\[=<>@]", word)[0] for word in words if not word.startswith("-")]


def test_documents_install_what_this_project_is_called() -> None:
    """`git-search` on PyPI is somebody else's package."""
    project = re.search(r'^name = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert project is not None
    assert project[1] == "gitsearch"
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md")]
    texts = [path.read_text("utf-8") for path in (*documents, *MODULES.values())]
    lines = [line for text in texts for line in INSTALL.findall(text)]
    assert len(lines) >= 8
    for line in lines:
        assert "git-search" not in named(line), line
        assert "git_search" not in named(line), line
    ours = [line for line in lines if "gitsearch" in named(line)]
    assert len(ours) >= 4
