from __future__ import annotations

import pytest

from hybridindex.skipping import skip_by_content, skip_by_path


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("uv.lock", "lock file"),
        ("web/package-lock.json", "lock file"),
        ("go.sum", "lock file"),
        ("web/node_modules/a/index.js", "vendored folder"),
        ("vendor/github.com/a/b.go", "vendored folder"),
        ("third_party/zlib/z.c", "vendored folder"),
        ("dist/bundle.js", "build output folder"),
        ("a/__pycache__/a.py", "cache folder"),
        ("static/jquery.min.js", "minified"),
        ("static/app.css.map", "minified"),
        ("logo.PNG", "binary or media file"),
        ("font.woff2", "binary or media file"),
        ("icon.svg", "binary or media file"),
        ("tests/certs/server.key", "key or certificate"),
        (".search/segments/00.seg", "the committed index itself"),
        # True sources that look like one of the above.
        ("build/builder.go", ""),
        ("cmd/target/main.rs", ""),
        ("src/bin/tool.rs", ""),
        ("src/lock.py", ""),
        ("src/flock.lock.py", ""),
        ("src/vendor.py", ""),
        ("src/distance/dist.py", ""),
        ("src/admin.js", ""),
        ("src/min.js", ""),
        ("png", ""),
        ("src/png.rs", ""),
        ("a/.search/x.py", ""),
        ("bad\udcff.py", ""),
    ],
)
def test_by_path(path: str, reason: str) -> None:
    assert skip_by_path(path) == reason


@pytest.mark.parametrize(
    ("path", "data", "reason"),
    [
        ("a.py", b"", "empty"),
        ("a.py", b" \n\t\n", "empty"),
        ("a.py", b"x\n" * 500_000, ""),
        ("a.py", b"x\n" * 500_000 + b"x", "larger than 1 MB"),
        ("a.py", b"x" * 511 + b"\0", "binary content"),
        ("a.py", b"x" * 512 + b"\0", ""),
        (
            "a.bin",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
            "git LFS pointer",
        ),
        ("a.js", b"x=1;" * 2_000, "minified"),
        ("a.js", b"x=1;\n" * 2_000, ""),
        ("a.js", b"x=1;" * 500, ""),
        ("a.md", b"word " * 2_000, ""),
        ("a.py", b"\xff\xfe\n", ""),
    ],
)
def test_by_content(path: str, data: bytes, reason: str) -> None:
    assert skip_by_content(path, data) == reason
