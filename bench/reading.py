"""Reads the files of ``--data``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hybridindex.errors import SearchError


def read_json(path: Path) -> Any:
    """The parsed file. Raises SearchError."""
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise SearchError(
            f"{path} cannot be read: {error.strerror}", "see bench/README.md for the layout"
        ) from error
    except ValueError as error:
        raise SearchError(f"{path} is not JSON", "see bench/README.md for the layout") from error
