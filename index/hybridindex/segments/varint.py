"""Whole numbers in as few bytes as they need (LEB128), read with bounds."""

from __future__ import annotations

from hybridindex.errors import SegmentDamaged

#: A number of more bytes than this is damage: 2**63 fits.
_LONGEST = 9


def append_unsigned(out: bytearray, value: int) -> None:
    """Append ``value`` ≥ 0, seven bits a byte, least significant first."""
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def append_signed(out: bytearray, value: int) -> None:
    """Append any number, small ones of either sign in one byte (zigzag)."""
    append_unsigned(out, value << 1 if value >= 0 else (-value << 1) - 1)


def append_bytes(out: bytearray, data: bytes) -> None:
    """Append a length and the bytes."""
    append_unsigned(out, len(data))
    out += data


class Reader:
    """Reads values from ``data[at:end]``; whatever would pass ``end`` raises SegmentDamaged."""

    __slots__ = ("at", "data", "end")

    def __init__(self, data: bytes, at: int = 0, end: int | None = None) -> None:
        self.data = data
        self.at = at
        self.end = len(data) if end is None else end
        if not 0 <= at <= self.end <= len(data):
            raise SegmentDamaged("a length points outside the segment")

    def unsigned(self) -> int:
        """A number ≥ 0."""
        data, at, end = self.data, self.at, self.end
        value = shift = 0
        for _ in range(_LONGEST):
            if at >= end:
                break
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                self.at = at
                return value
            shift += 7
        raise SegmentDamaged("a number is cut off or too long")

    def signed(self) -> int:
        """A number of either sign."""
        value = self.unsigned()
        return value >> 1 if not value & 1 else -((value + 1) >> 1)

    def take(self, length: int) -> bytes:
        """The next ``length`` bytes."""
        at = self.at
        if length > self.end - at:
            raise SegmentDamaged("a text or key is cut off")
        self.at = at + length
        return self.data[at : at + length]

    def counted(self) -> bytes:
        """Bytes behind their length."""
        return self.take(self.unsigned())

    @property
    def exhausted(self) -> bool:
        """Whether everything was read."""
        return self.at >= self.end
