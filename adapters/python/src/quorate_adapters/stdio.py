"""Standard input and output, reserved for the protocol.

Libraries print, and programs that they start inherit what is open. So the protocol moves to descriptors of its own:
whatever is printed goes to standard error, and whatever else reads standard input finds it empty.
"""

import os
import sys
import threading
from dataclasses import dataclass


@dataclass(frozen=True)
class Stdio:
    """The two descriptors of the protocol. Programs that are started do not inherit them."""

    input: int
    output: int


_taken: Stdio | None = None
_lock = threading.Lock()


def take_stdio() -> Stdio:
    """Reserves standard input and output, once per process. Call it before libraries are imported that print.

    Raises:
        OSError: If standard input or output is closed.
    """
    global _taken
    with _lock:
        if _taken is None:
            _taken = _take()
        return _taken


def _take() -> Stdio:
    if sys.stdout is not None:
        sys.stdout.flush()
    own = Stdio(os.dup(0), os.dup(1))
    _binary(own.input)
    _binary(own.output)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        # Standard error is closed: what is printed is discarded.
        os.dup2(nothing, 1)
    os.close(nothing)
    # What is printed and what a library writes to the descriptor then come in order.
    sys.stdout = sys.stderr if sys.stderr is not None else sys.stdout
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    return own


def _binary(descriptor: int) -> None:
    try:
        import msvcrt
    except ImportError:
        return
    msvcrt.setmode(descriptor, os.O_BINARY)
