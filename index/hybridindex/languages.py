"""Which language a file is in, by its name, else by its first line."""

from __future__ import annotations

import re

#: Language: file extensions, without the dot. `h` is C whatever is in it; the chunker looks which
#: grammar reads it.
_EXTENSIONS = {
    "python": "py pyi pyw pyx pxd",
    "javascript": "js mjs cjs jsx es6",
    "typescript": "ts mts cts",
    "tsx": "tsx",
    "go": "go",
    "rust": "rs",
    "java": "java",
    "c": "c h",
    "cpp": "cpp cc cxx c++ hpp hh hxx h++ ipp tpp inl ixx cppm cu cuh",
    "csharp": "cs csx",
    "ruby": "rb rake gemspec ru rbi",
    "php": "php phtml php3 php4 php5 phps",
    "kotlin": "kt kts",
    "scala": "scala sc sbt",
    "swift": "swift",
    "elixir": "ex exs",
    "haskell": "hs lhs hsc",
    "lua": "lua",
    "bash": "sh bash zsh ksh bats",
    "zig": "zig zon",
    "markdown": "md markdown mdown mkd mdx qmd rmd",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc",
    "org": "org",
    "tex": "tex sty cls bib",
    "text": "txt text",
    "yaml": "yaml yml",
    "toml": "toml",
    "json": "json jsonc json5 jsonl ndjson geojson webmanifest",
    "ini": "ini cfg conf cnf properties editorconfig env",
    "xml": "xml xsd xsl xslt plist csproj vbproj fsproj props targets resx xaml wsdl",
    "html": "html htm xhtml",
    "template": "j2 jinja jinja2 tmpl tpl mustache hbs handlebars ejs erb haml slim"
    " liquid twig njk",
    "css": "css",
    "scss": "scss sass",
    "less": "less",
    "vue": "vue",
    "svelte": "svelte",
    "astro": "astro",
    "sql": "sql psql pgsql ddl",
    "graphql": "graphql gql graphqls",
    "protobuf": "proto",
    "thrift": "thrift",
    "dockerfile": "dockerfile containerfile",
    "make": "mk mak make",
    "cmake": "cmake",
    "bazel": "bzl bazel star",
    "groovy": "groovy gradle gvy",
    "terraform": "tf tfvars hcl",
    "nix": "nix",
    "powershell": "ps1 psm1 psd1",
    "batch": "bat cmd",
    "fish": "fish",
    "perl": "pl pm t pod",
    "r": "r",
    "julia": "jl",
    "matlab": "m",
    "objc": "mm",
    "dart": "dart",
    "clojure": "clj cljs cljc edn",
    "erlang": "erl hrl",
    "fsharp": "fs fsi fsx",
    "visualbasic": "vb vbs",
    "ocaml": "ml mli",
    "elm": "elm",
    "purescript": "purs",
    "lisp": "lisp lsp cl el",
    "scheme": "scm ss rkt",
    "fortran": "f f77 f90 f95 f03 for",
    "pascal": "pas pp dpr",
    "ada": "adb ads",
    "cobol": "cob cbl cpy",
    "assembly": "s asm nasm",
    "verilog": "v sv svh vh",
    "vhdl": "vhd vhdl",
    "solidity": "sol",
    "nim": "nim nims",
    "crystal": "cr",
    "d": "d di",
    "gleam": "gleam",
    "vim": "vim",
    "awk": "awk",
    "jupyter": "ipynb",
    "diff": "diff patch",
    "csv": "csv tsv",
    "svg": "svg",
}

#: Language: whole file names, lower case.
_NAMES = {
    "dockerfile": "dockerfile containerfile",
    "make": "makefile gnumakefile bsdmakefile kbuild justfile",
    "cmake": "cmakelists.txt",
    "bazel": "build workspace build.bazel workspace.bazel buck tiltfile sconstruct sconscript",
    "ruby": "gemfile rakefile guardfile podfile fastfile brewfile vagrantfile capfile berksfile"
    " appraisals dangerfile",
    "groovy": "jenkinsfile",
    "bash": ".bashrc .bash_profile .profile .zshrc .zshenv .envrc pkgbuild apkbuild",
    "json": ".babelrc .eslintrc .jshintrc .prettierrc .swcrc composer.lock",
    "ini": ".gitconfig .gitmodules .coveragerc .flake8 .pylintrc .npmrc .env .flaskenv",
    "toml": "pipfile cargo.lock poetry.lock uv.lock",
    "yaml": ".clang-format .clang-tidy .yamllint",
    "gomod": "go.mod go.work",
    "text": "license licence copying notice authors contributors maintainers codeowners"
    " readme changelog changes news history todo install manifest.in",
    "ignore": ".gitignore .dockerignore .npmignore .eslintignore .prettierignore .gitattributes",
    "vim": ".vimrc",
}

#: Language: interpreters named in a shebang, without version.
_INTERPRETERS = {
    "python": "python pypy uv",
    "bash": "sh bash dash zsh ksh ash bats",
    "javascript": "node nodejs bun",
    "typescript": "deno ts-node tsx",
    "ruby": "ruby jruby",
    "php": "php",
    "perl": "perl",
    "lua": "lua luajit",
    "elixir": "elixir",
    "haskell": "runhaskell runghc stack",
    "kotlin": "kotlin kotlinc",
    "scala": "scala scala-cli amm",
    "swift": "swift",
    "make": "make",
    "awk": "awk gawk mawk",
    "fish": "fish",
    "powershell": "pwsh powershell",
    "groovy": "groovy",
    "julia": "julia",
    "r": "rscript",
}


def _reverse(table: dict[str, str]) -> dict[str, str]:
    return {word: language for language, words in table.items() for word in words.split()}


_BY_EXTENSION = _reverse(_EXTENSIONS)
_BY_NAME = _reverse(_NAMES)
_BY_INTERPRETER = _reverse(_INTERPRETERS)

#: `Dockerfile.dev`, `Makefile.am` and the like.
_PREFIXES = ("dockerfile", "containerfile", "makefile", "jenkinsfile")

_SHEBANG = re.compile(rb"#![ \t]*(\S+)([^\n]*)")
_PHP = re.compile(rb"\s*<\?php\b")


def language_of(path: str, head: bytes = b"") -> str | None:
    """The language of a file, lower case, or None when it is not known.

    ``head`` is the file's first bytes; it is asked only when the name says nothing.

    >>> language_of("src/App.tsx"), language_of("bin/run", b"#!/usr/bin/env python3\\n")
    ('tsx', 'python')
    """
    name = path.rpartition("/")[2].lower()
    if found := _BY_NAME.get(name):
        return found
    stem, dot, extension = name.rpartition(".")
    if stem in _PREFIXES or name.split(".", 1)[0] in ("dockerfile", "containerfile"):
        return _BY_NAME[name.split(".", 1)[0]]
    if dot and (found := _BY_EXTENSION.get(extension)):
        return _objective_c(found, head)
    return _by_content(head)


def _objective_c(language: str, head: bytes) -> str:
    """`.m` is Objective-C when it says so."""
    objective = language == "matlab" and re.search(
        rb"^\s*[#@](?:import|interface|implem)", head, re.M
    )
    return "objc" if objective else language


def _by_content(head: bytes) -> str | None:
    shebang = _SHEBANG.match(head)
    if shebang is None:
        return "php" if _PHP.match(head) else None
    words = [shebang[1], *shebang[2].split()]
    for word in words:
        program = word.rpartition(b"/")[2].decode("ascii", "replace").lower()
        # Options and assignments of `env`, which come before the program.
        if program == "env" or program.startswith("-") or "=" in program:
            continue
        return _BY_INTERPRETER.get(program) or _BY_INTERPRETER.get(program.rstrip("0123456789."))
    return None
