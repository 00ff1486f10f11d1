"""Names of definitions that a syntax tree does not show.

Inside a macro's braces there is no syntax, and after an error there may be none for the rest of a
class: a new keyword is enough. Its lines still say what they define.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hybridindex.syntax.naming import dotted

_DEFINES = re.compile(
    r"\s*(?:@\w+\s+)*(?:(?:export|default|public|private|protected|internal|open|abstract|sealed"
    r"|final|static|async|unsafe|const|inline|override|suspend|data|virtual|partial|local"
    r"|pub(?:\([^)]*\))?)\s+)*"
    r"(?:enum\s+class|class|interface|struct|enum|trait|union|object|protocol|record|module|fun|fn"
    r"|func|function|def|macro_rules!)\s+(?:<[^>]*>\s*)?"
    r"(?P<name>[A-Za-z_$][\w$]*(?:(?:<[^<>]*>)?(?:\.|::)[\w$]+)*)"
    r"\s*(?:[(<{:=\[|;,].*|(?:extends|implements|where|do|for)\b.*)?$"
)
#: Of one chunk.
_MAX_NAMES = 5


def guessed(lines: Sequence[str]) -> tuple[str, ...]:
    """What these lines define by the look of them, in their order."""
    found = (dotted(match["name"]) for match in map(_DEFINES.match, lines) if match)
    return tuple(dict.fromkeys(name for name in found if name))[:_MAX_NAMES]
