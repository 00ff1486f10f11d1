from __future__ import annotations

import pytest

from hybridindex.languages import language_of


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.py", "python"),
        ("a/b.PYI", "python"),
        ("web/app.mjs", "javascript"),
        ("web/app.ts", "typescript"),
        ("web/App.tsx", "tsx"),
        ("main.go", "go"),
        ("src/lib.rs", "rust"),
        ("A.java", "java"),
        ("x.c", "c"),
        ("x.h", "c"),
        ("x.hpp", "cpp"),
        ("X.cs", "csharp"),
        ("x.rb", "ruby"),
        ("Gemfile", "ruby"),
        ("x.php", "php"),
        ("build.gradle.kts", "kotlin"),
        ("x.scala", "scala"),
        ("x.swift", "swift"),
        ("x.exs", "elixir"),
        ("x.hs", "haskell"),
        ("x.lua", "lua"),
        ("x.sh", "bash"),
        ("build.zig", "zig"),
        ("README.md", "markdown"),
        ("index.rst", "rst"),
        (".github/workflows/ci.yml", "yaml"),
        ("Cargo.toml", "toml"),
        ("package.json", "json"),
        ("schema.sql", "sql"),
        ("deploy/Dockerfile", "dockerfile"),
        ("Dockerfile.dev", "dockerfile"),
        ("Makefile", "make"),
        ("Makefile.am", "make"),
        ("CMakeLists.txt", "cmake"),
        ("BUILD", "bazel"),
        ("go.mod", "gomod"),
        ("LICENSE", "text"),
        ("unknown", None),
        ("a.unheard-of", None),
        ("a.py/unknown", None),
        ("bad\udcff.py", "python"),
    ],
)
def test_by_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("head", "language"),
    [
        (b"#!/bin/sh\n", "bash"),
        (b"#!/usr/bin/env python3.11\n", "python"),
        (b"#!/usr/bin/env -S node --no-warnings\n", "javascript"),
        (b"#! /usr/bin/perl -w\n", "perl"),
        (b"#!/usr/bin/env FOO=1 ruby\n", "ruby"),
        (b"#!/usr/bin/env\n", None),
        (b"#!\n", None),
        (b"<?php echo 1;", "php"),
        (b"\xff\xfe", None),
        (b"", None),
    ],
)
def test_by_first_line(head: bytes, language: str | None) -> None:
    assert language_of("bin/tool", head) == language


def test_the_name_goes_before_the_first_line() -> None:
    assert language_of("tool.py", b"#!/bin/sh\n") == "python"


def test_objective_c_shares_its_extension() -> None:
    assert language_of("a.m", b"// x\n#import <A.h>\n") == "objc"
    assert language_of("a.m", b"% matrix\n") == "matlab"
