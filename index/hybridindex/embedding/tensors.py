"""Reading safetensors files without copying them.

A file is mapped and its tensors are views of the map: a question then reads the layers and the
few embedding rows of its words. Measured over ``safetensors.safe_open`` with numpy, which copies
every tensor: 40 ms against 80 ms for a cold process that touches every layer of a 91 MB file.

Format (https://github.com/huggingface/safetensors#format): the header's length as 8 bytes, little
endian; the header, a JSON object of name -> dtype, shape, data_offsets; then the bytes.

Of ours is that a tensor of int8 may have another beside it, ``<name>.scale``, with a number for
each of its rows: it then stands for the products of the two.
"""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hybridindex.errors import ModelUnavailable

if TYPE_CHECKING:
    import numpy.typing as npt

    from hybridindex.types import Float32

#: safetensors' own limit on a header, in bytes.
_MAX_HEADER = 100_000_000

# bfloat16 is the upper half of a float32; numpy has no such type, so it is read as integers.
_DTYPES = {"F32": "<f4", "F16": "<f2", "BF16": "<u2", "F64": "<f8", "I8": "<i1"}

_SCALE = ".scale"


@dataclass(frozen=True)
class Tensor:
    """A view of one tensor, of any floating type or of int8, that is read as float32.

    ``scale``, shape (rows,), float32, is there for int8 alone: what each row is multiplied by.
    """

    raw: npt.NDArray[Any]
    dtype: str
    scale: Float32 | None = None

    def float32(self) -> Float32:
        """The whole tensor: a read-only view if it is stored as float32, else a copy."""
        return _float32(self.raw, self.dtype, self.scale)

    def rows(self, indices: npt.NDArray[np.intp]) -> Float32:
        """A copy, shape (len(indices), …), of the named rows only.

        Raises IndexError for a row that does not exist.
        """
        scale = None if self.scale is None else self.scale[indices]
        return _float32(self.raw[indices], self.dtype, scale)


def _float32(raw: npt.NDArray[Any], dtype: str, scale: Float32 | None) -> Float32:
    if dtype == "BF16":
        return (raw.astype(np.uint32) << 16).view(np.float32)
    values: Float32 = raw.astype(np.float32, copy=False)
    if scale is not None:
        values *= scale.reshape(-1, *(1,) * (raw.ndim - 1))
    return values


def open_tensors(paths: Sequence[Path]) -> dict[str, Tensor]:
    """Map safetensors files; tensors of integers are left out, but for int8 with a scale.

    Raises ModelUnavailable for a file that is not whole and well formed.
    """
    tensors: dict[str, Tensor] = {}
    for path in paths:
        try:
            tensors.update(_open(path))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError) as error:
            raise ModelUnavailable(
                f"the weights {path} are damaged: {error}", "install the model again"
            ) from error
    return tensors


def _open(path: Path) -> dict[str, Tensor]:
    with path.open("rb") as file:
        # The arrays keep the map alive, and the map keeps the file.
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    length = int.from_bytes(data[:8], "little")
    start = 8 + length
    if length > _MAX_HEADER or start > len(data):
        raise ValueError("the header's length is impossible")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        dtype = entry["dtype"]
        if dtype not in _DTYPES:
            continue
        shape = tuple(int(size) for size in entry["shape"])
        begin, end = entry["data_offsets"]
        numpy_dtype = np.dtype(_DTYPES[dtype])
        count = math.prod(shape)
        if (
            min(shape, default=0) < 0
            or not 0 <= begin <= end <= len(data) - start
            or count * numpy_dtype.itemsize != end - begin
        ):
            raise ValueError(f"{name} does not fit in the file")
        raw = np.frombuffer(data, numpy_dtype, count, start + begin).reshape(shape)
        tensors[str(name)] = Tensor(raw, dtype)
    return _scaled(tensors)


def _scaled(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors with their scales, which are no more tensors of their own."""
    whole = {n: t for n, t in tensors.items() if t.dtype != "I8"}
    for name, tensor in tensors.items():
        scale = whole.pop(name + _SCALE, None) if tensor.dtype == "I8" else None
        if scale is None:
            continue
        if scale.raw.ndim != 1 or scale.raw.shape != tensor.raw.shape[:1]:
            raise ValueError(f"{name} has {tensor.raw.shape}, its scale {scale.raw.shape}")
        whole[name] = Tensor(tensor.raw, tensor.dtype, scale.float32())
    return whole
