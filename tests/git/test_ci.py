"""The steps of action.yml in order, in the environment that GitHub would give them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitsearch.ci.contributing import AUTHORS
from gitsearch.ci.job import read_job
from tests.conftest import Ran, Work
from tests.git.seen import coverage_found, function, missing, state

ROOT = Path(__file__).parent.parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text())
_INPUT = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}\Z")


@dataclass
class Runner:
    """A machine of GitHub's: a checkout of ``origin``, and files that steps write to."""

    folder: Path
    origin: Path
    inputs: dict[str, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    @property
    def work(self) -> Work:
        return Work(self.folder / "workspace")

    @property
    def summary(self) -> str:
        return (self.folder / "summary").read_text()

    @property
    def outputs(self) -> dict[str, str]:
        lines = (self.folder / "output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def checkout(self, revision: str = "main", *options: str) -> None:
        """As actions/checkout leaves it: one branch, and a remote that can be pushed to."""
        shutil.rmtree(self.work.path, ignore_errors=True)
        self.folder.mkdir(exist_ok=True)
        command = ["git", "clone", "-q", *options, f"file://{self.origin}", str(self.work.path)]
        subprocess.run(command, check=True)
        if revision != "main":
            self.work.git("checkout", "-q", "--detach", f"origin/{revision}")

    def event(self, name: str, ref: str) -> None:
        path = self.folder / "event.json"
        path.write_text(json.dumps({"repository": {"default_branch": "main"}}))
        self.env.update(
            GITHUB_ACTIONS="true",
            GITHUB_EVENT_NAME=name,
            GITHUB_EVENT_PATH=str(path),
            GITHUB_REF=ref,
            GITHUB_ACTION_PATH=str(ROOT),
            GITHUB_STEP_SUMMARY=str(self.folder / "summary"),
            GITHUB_OUTPUT=str(self.folder / "output"),
            RUNNER_TEMP=str(self.folder),
        )

    def run(self) -> Ran:
        """The bash steps in order; the install step finds its programs installed already."""
        for name in ("summary", "output"):
            (self.folder / name).write_text("")
        programs = self.folder / "git-search/bin"
        programs.mkdir(parents=True, exist_ok=True)
        target = programs / "git-search-index"
        if not target.exists():
            target.symlink_to(Path(sys.executable).with_name("git-search-index"))
        ran = Ran(0, "", "")
        for step in ACTION["runs"]["steps"]:
            if "run" not in step or step.get("id") == "install":
                continue
            env = {name: self.value(text) for name, text in step.get("env", {}).items()}
            command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
            done = subprocess.run(
                command,
                cwd=self.work.path,
                env={**os.environ, **self.env, **env},
                capture_output=True,
                text=True,
                check=False,
            )
            ran = Ran(done.returncode, done.stdout, done.stderr)
            if ran.code:
                break
        return ran

    def value(self, text: str) -> str:
        found = _INPUT.match(text)
        if found is None:
            return ""
        return self.inputs.get(found[1], str(ACTION["inputs"][found[1]]["default"]))


@pytest.fixture
def runner(indexed: Work, tmp_path: Path) -> Runner:
    """A push to the default branch by somebody without the hook: one file is not covered."""
    origin = tmp_path / "origin.git"
    indexed.git("clone", "-q", "--bare", str(indexed.path), str(origin))
    indexed.git("remote", "add", "origin", str(origin))
    push(indexed, "web")
    made = Runner(tmp_path / "runner", origin)
    made.checkout()
    made.event("push", "refs/heads/main")
    return made


def push(work: Work, name: str, branch: str = "main") -> None:
    """A commit from a web editor, which runs no hook."""
    work.write(f"src/{name}.py", function(f"{name}_name"))
    work.git("add", "-A")
    work.git("commit", "-q", "--no-verify", "-m", name)
    work.git("push", "-q", "origin", f"HEAD:refs/heads/{branch}")


def log(runner: Runner, revision: str = "main") -> list[str]:
    return Work(runner.origin).git("log", "--format=%s", revision).split("\n")


def test_the_default_only_reports(runner: Runner) -> None:
    before = log(runner)
    ran = runner.run()
    assert ran.code == 0, ran
    assert log(runner) == before
    assert runner.outputs == {"coverage": "83.33", "pushed": "false", "commit": ""}
    assert "Coverage **83.3%** of 6 source files" in runner.summary
    assert "<code>src/web.py</code>" in runner.summary
    assert "missing  src/web.py" in ran.out


def test_a_push_is_completed_and_pushed(runner: Runner) -> None:
    runner.inputs["push"] = "branch"
    before = runner.work.git("rev-parse", "HEAD")
    ran = runner.run()
    assert ran.code == 0, ran
    assert log(runner)[:2] == ["Update the search index", "web"]
    origin = Work(runner.origin)
    assert missing(origin, "main") == []
    assert runner.outputs["coverage"] == "100.00"
    assert runner.outputs["commit"] == origin.git("rev-parse", "main")
    assert origin.git("log", "-1", "--format=%an <%ae>", "main") == "{} <{}>".format(
        *AUTHORS["github"]
    )
    changed = origin.git("show", "--name-only", "--format=", "main").split("\n")
    assert all(path.startswith(".search/segments/") for path in changed)
    # What is checked out, later steps of the job may still work on.
    assert runner.work.git("rev-parse", "HEAD") == before
    assert runner.work.git("status", "--porcelain") == ""
    assert runner.work.git("worktree", "list").count("\n") == 0


def test_its_own_commit_starts_nothing(runner: Runner) -> None:
    runner.inputs["push"] = "branch"
    assert runner.run().code == 0
    after = log(runner)
    runner.checkout()
    assert runner.run().code == 0
    assert log(runner) == after
    assert runner.outputs["pushed"] == "false"
    # Not even where compaction would find something: else two of them could play ping-pong.
    runner.inputs["compact-above"] = "1"
    assert runner.run().code == 0
    assert log(runner) == after


def test_somebody_pushes_in_between(runner: Runner, indexed: Work) -> None:
    """The index of the new tip is made, without embedding anything twice."""
    runner.inputs["push"] = "branch"
    push(indexed, "second")
    ran = runner.run()
    assert ran.code == 0, ran
    assert log(runner)[:3] == ["Update the search index", "second", "web"]
    assert missing(Work(runner.origin), "main") == []
    assert coverage_found(Work(runner.origin), "web_name", "src/web.py") == 1.0


def test_somebody_pushes_in_between_in_a_shallow_checkout(runner: Runner, indexed: Work) -> None:
    runner.inputs["push"] = "branch"
    runner.checkout("main", "--depth", "1")
    push(indexed, "second")
    assert runner.run().code == 0
    assert missing(Work(runner.origin), "main") == []
    assert log(runner)[:3] == ["Update the search index", "second", "web"]


def test_many_segments_are_compacted_in_a_commit_of_their_own(
    runner: Runner, indexed: Work
) -> None:
    for name in "abcdef":
        indexed.write(f"src/{name}.py", function(f"{name}_name"))
        indexed.git("add", "-A")
        indexed.commit(name)
    indexed.git("push", "-q", "origin", "main")
    runner.inputs.update({"push": "branch", "compact-above": "4"})
    push(indexed, "last")
    runner.checkout()
    ran = runner.run()
    assert ran.code == 0, ran
    assert log(runner)[:3] == ["Compact the search index", "Update the search index", "last"]
    assert missing(Work(runner.origin), "main") == []
    assert state(Work(runner.origin), "main").segments <= 4


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ``gh`` that notes how it was called, and has pull requests that a file says."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "open").write_text("[]")
    program = folder / "gh"
    program.write_text(
        "#!/bin/sh\n"
        f"printf '%s\\n' \"$*\" >> {folder}/calls\n"
        f"case \"$2\" in list) cat {folder}/open;; create) echo '[1]' > {folder}/open;; esac\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder


def test_a_pull_request_is_opened_once(runner: Runner, indexed: Work, gh: Path) -> None:
    runner.inputs["push"] = "pr"
    before = log(runner)
    assert runner.run().code == 0
    assert log(runner) == before
    assert log(runner, "search-index")[0] == "Update the search index"
    calls = (gh / "calls").read_text().splitlines()
    assert calls[0].startswith("pr list --head search-index --base main")
    assert calls[1].startswith("pr create --head search-index --base main --title Update the")
    # The branch moves on, and so does the pull request there is.
    push(indexed, "second")
    runner.checkout()
    assert runner.run().code == 0
    assert log(runner, "search-index")[:2] == ["Update the search index", "second"]
    assert missing(Work(runner.origin), "search-index") == []
    assert (gh / "calls").read_text().count("pr create") == 1


def test_a_pull_request_is_reported_and_nothing_is_pushed(runner: Runner, indexed: Work) -> None:
    indexed.git("checkout", "-q", "-b", "topic")
    push(indexed, "topic", "topic")
    runner.checkout("topic")
    runner.event("pull_request", "refs/pull/1/merge")
    runner.inputs["push"] = "branch"
    before = [log(runner), log(runner, "topic")]
    assert runner.run().code == 0
    assert [log(runner), log(runner, "topic")] == before
    assert "files not covered" in runner.summary
    assert "files left out: binary" not in runner.summary
    assert runner.outputs["coverage"] == "71.43"


@pytest.mark.parametrize(("below", "code"), [("71", 0), ("90", 1), ("100", 1), ("", 0)])
def test_it_fails_only_where_that_is_asked(runner: Runner, below: str, code: int) -> None:
    runner.event("pull_request", "refs/pull/1/merge")
    runner.inputs["fail-below"] = below
    ran = runner.run()
    assert ran.code == code, ran
    assert ("coverage is below" in ran.err) == bool(code)


def test_a_fork_has_no_model_and_may_write_nothing(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner.event("pull_request", "refs/pull/1/merge")
    runner.inputs["push"] = "branch"
    hook = runner.origin / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho read only >&2\nexit 1\n")
    hook.chmod(0o755)
    (tmp_path / "none").mkdir()
    runner.work.git("config", "search.modelPath", str(tmp_path / "none"))
    before = log(runner)
    assert runner.run().code == 0
    assert log(runner) == before
    assert "Coverage **83.3%**" in runner.summary


def test_a_push_to_a_protected_branch_says_what_mends_it(runner: Runner) -> None:
    hook = runner.origin / "hooks/pre-receive"
    hook.write_text("#!/bin/sh\necho protected branch >&2\nexit 1\n")
    hook.chmod(0o755)
    runner.inputs["push"] = "branch"
    ran = runner.run()
    assert ran.code == 2
    assert "the push to main was refused" in ran.err
    assert "contents: write" in ran.err
    assert runner.work.git("worktree", "list").count("\n") == 0


@pytest.mark.parametrize(
    ("name", "ref"),
    [
        ("push", "refs/heads/topic"),
        ("push", "refs/tags/v1"),
        ("pull_request", "refs/heads/main"),
        ("pull_request_target", "refs/heads/main"),
        ("merge_group", "refs/heads/main"),
    ],
)
def test_only_the_default_branch_is_pushed_to(runner: Runner, name: str, ref: str) -> None:
    runner.event(name, ref)
    assert not read_job(runner.env).on_default_branch


def test_an_event_that_tells_no_default_branch_pushes_nothing(runner: Runner) -> None:
    for content in ("", "[]", '{"repository": 1}', '{"repository": {"default_branch": 3}}'):
        (runner.folder / "event.json").write_text(content)
        assert not read_job(runner.env).on_default_branch


def test_a_tree_without_an_index_is_no_failure_of_a_pull_request(runner: Runner) -> None:
    runner.event("pull_request", "refs/pull/1/merge")
    runner.work.git("rm", "-rq", ".search")
    runner.work.git("commit", "-q", "-m", "none")
    assert runner.run().code == 0
    assert "This tree has none" in runner.summary
    runner.inputs["fail-below"] = "50"
    assert runner.run().code == 2


def test_markup_in_a_path_stays_text(runner: Runner, indexed: Work) -> None:
    indexed.write("src/<img src=x>`a`.py", function("marked_name"))
    push(indexed, "marked")
    runner.checkout()
    assert runner.run().code == 0
    assert "<img" not in runner.summary
    assert "&lt;img src=x&gt;" in runner.summary


def test_gitlab_pushes_and_skips_its_own_pipeline(runner: Runner) -> None:
    Work(runner.origin).git("config", "receive.advertisePushOptions", "true")
    seen = runner.folder / "options"
    hook = runner.origin / "hooks/pre-receive"
    hook.write_text(f'#!/bin/sh\necho "$GIT_PUSH_OPTION_0 $GIT_PUSH_OPTION_1" >> {seen}\n')
    hook.chmod(0o755)
    env = {"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main"}
    ran = runner.work.run("git-search-index", "ci", "--push", "pr", **env)  # type: ignore[arg-type]
    assert ran.code == 0, ran
    assert log(runner)[0] == "web"
    ran = runner.work.run("git-search-index", "ci", "--push", "branch", **env)  # type: ignore[arg-type]
    assert ran.code == 0, ran
    assert log(runner)[0] == "Update the search index"
    assert seen.read_text() == "merge_request.create merge_request.target=main\nci.skip \n"


def test_the_action_is_pinned_and_takes_inputs_through_the_environment_alone() -> None:
    for step in ACTION["runs"]["steps"]:
        if "uses" in step:
            assert re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", step["uses"])
        else:
            assert step["shell"] == "bash"
            assert "${{" not in step["run"]
            assert subprocess.run(["bash", "-n", "-c", step["run"]], check=False).returncode == 0
    for step in ACTION["runs"]["steps"]:
        for text in step.get("env", {}).values():
            assert _INPUT.match(text) or text.startswith("${{ steps.python.outputs.")


def test_the_documented_workflows_are_yaml_and_pinned() -> None:
    text = (ROOT / "docs/ci.md").read_text()
    blocks = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        assert isinstance(yaml.safe_load(block), dict)
    for used in re.findall(r"uses: (\S+)", text):
        assert used == "OWNER/git-search@COMMIT" or re.search(r"@[0-9a-f]{40}\Z", used)
    for name in ACTION["inputs"]:
        assert f"`{name}`" in text


def test_every_input_is_an_option_or_used_by_another_step() -> None:
    used = json.dumps(ACTION["runs"])
    for name in ACTION["inputs"]:
        assert f"inputs.{name} " in used, name
