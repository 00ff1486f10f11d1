"""The lines that go into a hook file, for every shell that reads sh.

A commit goes through whatever has become of the program: an interpreter that is gone, a package
that cannot be imported. Python and the shell would fill the terminal with that, so what they say
before our own code runs goes nowhere, and one line says it instead; our code gets the terminal back
as ``GIT_SEARCH_STDERR`` (see ``running``).
"""

from __future__ import annotations

import shlex

#: Our first line begins so; what follows on it has changed between versions.
MARK = "# git-search begin"
BEGIN = f"{MARK}: keeps the committed search index complete"
END = "# git-search end"

_LINES = """\
{begin}
git_search=none
for git_search_program in {programs}; do
  if [ "$git_search" != done ] && command -v "$git_search_program" >/dev/null 2>&1; then
    git_search=failed
    GIT_SEARCH_STDERR=3 "$git_search_program" run-hook {hook} "$@" 3>&2 2>/dev/null \\
      && git_search=done
    if [ "$?" = 130 ]; then exit 130; fi
  fi
done
{said}{end}
"""
_SAID = """\
if [ "$git_search" {unless} ]; then
  echo "git-search-index does not start, so new files are found by keyword alone;" \\
    "install it again, then: git search-index install" >&2
fi
"""


def block(hook: str, program: str | None) -> str:
    """Our lines for a hook.

    ``program`` is the path of the one that is installed here, None for a hook that goes to clones
    of other people: where they have none, nothing is said. What follows a commit says nothing
    either, since the hook before it has.
    """
    programs = " ".join([*([shlex.quote(program)] if program else []), "git-search-index"])
    said = ""
    if hook == "pre-commit":
        said = _SAID.format(unless="!= done" if program else "= failed")
    return _LINES.format(begin=BEGIN, programs=programs, hook=hook, said=said, end=END)
