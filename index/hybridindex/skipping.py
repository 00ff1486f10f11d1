"""Why a file is not indexed. Every reason is a stable text: file records and counts carry it."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


LOCK_FILE = "lock file"
VENDORED = "vendored folder"
BUILT = "build output folder"
CACHE = "cache folder"
OWN_INDEX = "the committed index itself"
MINIFIED = "minified"
MEDIA = "binary or media file"
KEYS = "key or certificate"
TOO_LARGE = "larger than 1 MB"
BINARY = "binary content"
LFS_POINTER = "git LFS pointer"
EMPTY = "empty"

#: Code a person wrote does not reach this size; dumps and bundles do.
MAX_BYTES = 1_000_000

#: Where a NUL byte tells binary content. Git looks at 8,000 bytes; fonts, images and archives have
#: one within the first few.
SNIFFED_BYTES = 512

#: An average above this over a file of at least `_MINIFIED_BYTES` is no text for people. Prose
#: without line breaks stays below, as its paragraphs are separated by blank lines.
_MINIFIED_LINE = 1_000
_MINIFIED_BYTES = 5_000
_MINIFIABLE = (".js", ".mjs", ".cjs", ".css", ".html", ".htm", ".json", ".svg", ".xml", ".map")

_LOCKS = _words(
    "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock"
    " cargo.lock poetry.lock pdm.lock uv.lock pipfile.lock pixi.lock conda-lock.yml pylock.toml"
    " gemfile.lock gems.locked composer.lock go.sum go.work.sum mix.lock rebar.lock pubspec.lock"
    " podfile.lock package.resolved cartfile.resolved packages.lock.json paket.lock"
    " project.assets.json gradle.lockfile buildscript-gradle.lockfile verification-metadata.xml"
    " flake.lock stack.yaml.lock cabal.project.freeze .terraform.lock.hcl chart.lock"
    " module.bazel.lock buf.lock elm-stuff.lock shard.lock manifest.toml.lock"
)

#: Folders of other people's code, at any depth. `lib`, `deps` and `external` are not here: most
#: of them hold a project's own code.
_VENDORED = _words(
    "node_modules bower_components jspm_packages vendor vendors vendored _vendor third_party"
    " third-party thirdparty 3rdparty 3rd_party site-packages pods carthage .yarn .pnp"
    " elm-stuff web_modules"
)

#: Folders of derived files. `build`, `out`, `bin`, `target`, `obj` and `coverage` are not here:
#: a build system's own sources, Go commands and Rust crates live under these names, and a tracked
#: build output is rare; what is one is mostly minified, large or marked for linguist.
_BUILT = _words("dist .next .nuxt .svelte-kit .output .docusaurus _site htmlcov")
_CACHES = _words(
    "__pycache__ .mypy_cache .pytest_cache .ruff_cache .tox .nox .venv .gradle .eggs"
    " .ipynb_checkpoints .terraform .idea .parcel-cache .turbo .cache .dart_tool .stack-work"
    " .bloop .metals .hypothesis"
)

#: `.svg` is text, but of coordinates.
_MEDIA = _words(
    "png jpg jpeg gif bmp ico icns webp avif tif tiff heic psd ai eps xcf sketch svg svgz"
    " mp3 mp4 m4a m4v wav ogg oga ogv flac aac mov avi mkv webm mid midi"
    " ttf otf woff woff2 eot pfb pdf ps djvu doc docx xls xlsx ppt pptx odt ods odp epub mobi"
    " zip gz tgz bz2 xz zst lz4 7z rar tar jar war ear whl egg gem nupkg deb rpm apk ipa dmg iso"
    " exe dll so dylib a o obj lib pyc pyo pyd class wasm node beam hi rlib pdb elc"
    " bin dat db sqlite sqlite3 mdb parquet arrow feather avro orc npy npz pkl pickle h5 hdf5"
    " pt pth onnx safetensors gguf ggml tflite pb ckpt mo gmo"
    " fbx glb blend stl dwg swf"
)

#: Noise to an encoder, and private ones have no place in an index.
_KEYS = _words("pem key crt cer csr der p12 pfx jks keystore pub asc gpg")

_MINIFIED = re.compile(
    r"[.-]min\.(?:js|mjs|cjs|css|html|json|svg)$|\.(?:bundle|chunk)\.(?:js|css)$"
)
_MAPS = re.compile(r"\.(?:js|mjs|cjs|css|ts)\.map$")
_LFS = re.compile(rb"version https://git-lfs\.github\.com/spec/v\d+\r?\n")


def skip_by_path(path: str) -> str:
    """Why a file of this path is not indexed, or "" when the path says nothing against it.

    >>> skip_by_path("web/node_modules/x/a.js"), skip_by_path("src/a.js")
    ('vendored folder', '')
    """
    *folders, name = path.lower().split("/")
    if folders and folders[0] == ".search":
        return OWN_INDEX
    for folder in folders:
        if folder in _VENDORED:
            return VENDORED
        if folder in _BUILT:
            return BUILT
        if folder in _CACHES:
            return CACHE
    if name in _LOCKS:
        return LOCK_FILE
    _, dot, extension = name.rpartition(".")
    if dot and extension in _MEDIA:
        return MEDIA
    if dot and extension in _KEYS:
        return KEYS
    if _MINIFIED.search(name) or _MAPS.search(name):
        return MINIFIED
    return ""


def skip_by_content(path: str, data: bytes) -> str:
    """Why a file of this content is not indexed, or "". White space alone is empty."""
    if len(data) > MAX_BYTES:
        return TOO_LARGE
    if b"\0" in data[:SNIFFED_BYTES]:
        return BINARY
    if _LFS.match(data):
        return LFS_POINTER
    if not data.strip():
        return EMPTY
    if path.lower().endswith(_MINIFIABLE) and len(data) >= _MINIFIED_BYTES:
        lines = data.count(b"\n") + (not data.endswith(b"\n"))
        if len(data) / lines > _MINIFIED_LINE:
            return MINIFIED
    return ""
