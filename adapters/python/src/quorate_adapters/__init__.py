"""Programs of your own as participants of Quorate: a small library for the runner protocol.

    from quorate_adapters import run

    async def answer(call):
        call.piece("SQLite ")
        return "SQLite will do."

    run(answer)

The protocol is described in `docs/runner-protocol.md`. This package needs only the standard library; its subpackages
seat agents of frameworks and need these.
"""

from .calls import SKIP, Answer, BadCall, Call, CallEnded, CallFailed, Usage
from .errors import failure_kind
from .server import run, serve
from .stdio import Stdio, take_stdio

__all__ = [
    "SKIP",
    "Answer",
    "BadCall",
    "Call",
    "CallEnded",
    "CallFailed",
    "Stdio",
    "Usage",
    "failure_kind",
    "run",
    "serve",
    "take_stdio",
]
