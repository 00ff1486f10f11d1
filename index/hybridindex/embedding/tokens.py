"""Text to token ids, by the model's own tokenizer.json."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hybridindex.errors import ModelUnavailable


def clean(text: str) -> str:
    """``text`` as Unicode that can be encoded.

    Pairs of surrogates become the character they spell, lone ones U+FFFD: the tokenizers library
    refuses them, and paths decoded with ``surrogateescape`` have them.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class Tokens:
    """A tokenizer that truncates and never pads."""

    def __init__(self, path: Path, max_tokens: int, lower_case: bool, empty_id: int) -> None:
        """Read ``tokenizer.json``.

        ``max_tokens`` counts special tokens. ``empty_id`` stands for a text without any token.
        Raises ModelUnavailable for a file that is not a tokenizer.
        """
        from tokenizers import Tokenizer

        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exception
            raise ModelUnavailable(
                f"{path} is not a tokenizer: {error}", "install the model again"
            ) from error
        # The file may carry the settings of its training, such as padding to 128.
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)
        self._lower_case = lower_case
        self._empty_id = empty_id

    def ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Token ids of each text, special tokens included, at most ``max_tokens``, at least one.

        One text a call: ``encode_batch`` starts a thread pool that prints a warning when the
        process forks later, and the model costs fifty times as much as its tokens.
        """
        found = []
        for text in texts:
            text = clean(text)
            if self._lower_case:
                text = text.lower()
            found.append(list(self._tokenizer.encode(text).ids) or [self._empty_id])
        return found
