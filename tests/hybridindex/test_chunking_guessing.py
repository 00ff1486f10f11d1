"""Definitions that a grammar does not show are named all the same."""

from __future__ import annotations

import pytest

from hybridindex.chunking import _grammar_of, chunk
from hybridindex.syntax.guessing import guessed
from tests.hybridindex.parsing import definitions_of

#: tree-sitter-kotlin knows no comment before a constructor's property: the class is an error.
KOTLIN = """class AutoIncrement<T>(
    /** The base. */
    val delegate: Type<T>,
    private val fallback: String
) : Column<T> by delegate {

    constructor(delegate: Type<T>) : this(delegate, "")
}
"""
RUST = """cfg_rt! {
    /// Runs a future on the current thread.
    pub(crate) struct LocalRuntime<T> {
        queue: Vec<T>,
    }

    impl<T> LocalRuntime<T> {
        pub async fn run_until(&self) {}
    }
}
"""
HEADER = """#ifndef STORE_H
#define STORE_H
#include <string>

/** Where values are kept. */
template <typename Value> class Store {
 public:
  auto find(const std::string& key) const -> const Value* { return nullptr; }
};

#endif
"""


def symbols(text: str, language: str) -> list[str]:
    return [symbol for part in chunk(text, language) for symbol in part.symbols]


def test_what_stands_in_a_macro_is_named() -> None:
    found = definitions_of(RUST, "rust")
    assert not found, "the grammar sees it now: guess something else here"
    assert symbols(RUST, "rust") == ["LocalRuntime", "run_until"]


def test_what_stands_after_an_error_is_named() -> None:
    assert "AutoIncrement" in symbols(KOTLIN, "kotlin")


def test_a_header_that_is_cplusplus_is_read_as_such() -> None:
    """`.h` was always C's: a template class had no name, and the class itself was an error."""
    assert symbols(HEADER, "c") == ["Store", "Store.find"]


@pytest.mark.parametrize(
    "text",
    [
        "struct store { int class; };\nint using = 1;\n",
        "/*\n * class of a value\n * namespace of it\n */\nint private;\n",
        "// public: for all\nenum kind { A };\n",
    ],
)
def test_a_header_that_is_c_stays_so(text: str) -> None:
    assert _grammar_of(text, "c") == "c"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("class Cache:", "Cache"),
        ("    private fun <T> List<T>.second(): T = get(1)", "List.second"),
        ("    override fun QueryBuilder.where(op: Op) {", "QueryBuilder.where"),
        ("pub(crate) unsafe fn steal<'a>(&self)", "steal"),
        ("enum class Color : uint32_t {", "Color"),
        ("export default async function retry(request) {", "retry"),
        ("module Data.Aeson.Types", "Data.Aeson.Types"),
        ("public sealed record Point(int X);", "Point"),
        (" * class of the values that are kept", ""),
        ("class of the values that are kept", ""),
        ("the function returns", ""),
        ("x = class_of(y)", ""),
    ],
)
def test_a_line_names_what_it_defines(line: str, name: str) -> None:
    assert guessed([line]) == ((name,) if name else ())
