"""Lines of bytes from a descriptor, bounded in length."""

import os
from collections.abc import Iterator

_CHUNK = 64 << 10
#: How much of a line that is too long is kept, to find out which call it is.
KEPT = 4096


def read_lines(descriptor: int, longest: int) -> Iterator[tuple[bytes, bool]]:
    """Lines without their ends, and whether each is whole: of one that is longer, only the beginning is given.

    The last line needs no end. An error of the descriptor counts as its end.
    """
    buffer = bytearray()
    looked_at = 0
    skipping = False
    while True:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            chunk = b""
        if not chunk:
            if buffer and not skipping:
                yield bytes(buffer), True
            return
        buffer += chunk
        while (end := buffer.find(b"\n", looked_at)) >= 0:
            if not skipping:
                yield (bytes(buffer[:KEPT]), False) if end > longest else (bytes(buffer[:end]), True)
            del buffer[: end + 1]
            looked_at, skipping = 0, False
        if skipping:
            buffer.clear()
        elif len(buffer) > longest:
            yield bytes(buffer[:KEPT]), False
            buffer.clear()
            skipping = True
        looked_at = len(buffer)
