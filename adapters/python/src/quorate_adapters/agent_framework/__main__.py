"""`python3 -m quorate_adapters.agent_framework MODULE:NAME`: a process that takes a seat."""

import argparse
import asyncio
import contextlib
import os
import sys
from typing import Any

from ..calls import Call, CallFailed
from ..server import note, run
from ..stdio import take_stdio
from .loading import LoadError, load, require_framework

_DESCRIPTION = """\
Answers the calls of Quorate with an agent, a group chat or another workflow of Microsoft Agent Framework.

MODULE:NAME is an agent, a workflow, a builder of one, or a function without arguments (async or not) that makes one.
Quorate starts this program as [processes.NAME] says; see docs/guides/frameworks.md."""


def main(arguments: list[str] | None = None) -> int:
    """Answers calls until standard input closes."""
    parser = argparse.ArgumentParser(
        prog="python3 -m quorate_adapters.agent_framework",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("name", metavar="MODULE:NAME", help="such as agents:critic, or agents.py:critic")
    parser.add_argument(
        "--messages",
        choices=["all", "output", "last"],
        default="all",
        help="which messages of a workflow become the answer: all that it shows (default), those of its output, or "
        "only the last one",
    )
    parser.add_argument("--try", metavar="TEXT", dest="text", help="answer this text once, print the answer, and exit")
    parser.add_argument("--check", action="store_true", help="load it, say what it is, and exit")
    given = parser.parse_args(arguments)
    interactive = sys.stdin is not None and sys.stdin.isatty()
    alone = given.check or given.text is not None
    # Before anything is imported that may print.
    stdio = take_stdio()
    try:
        require_framework()
        from .seats import seat

        found = load(given.name)
    except LoadError as error:
        return _refuse(error, serving=not (alone or interactive))
    if alone:
        return asyncio.run(_alone(seat, found, given, stdio.output))
    if interactive:
        note("waiting for calls of Quorate on standard input; to try the agent, use --try TEXT")
    return _serve(seat, found, given)


def _serve(seat: Any, found: Any, given: argparse.Namespace) -> int:
    """Makes the seat in the loop that uses it, and answers with the reason if that fails."""
    made: dict[str, Any] = {}

    @contextlib.asynccontextmanager
    async def setup() -> Any:
        async with contextlib.AsyncExitStack() as stack:
            try:
                made["seat"] = await seat(found, given.name, given.messages)
                await _entered(stack, made["seat"])
            except LoadError as error:
                made["error"] = error
                note(_sentence(error.detail, error.hint))
            yield

    async def answer(call: Call) -> Any:
        if error := made.get("error"):
            raise CallFailed("not_configured", error.detail, error.hint)
        return await made["seat"].answer(call)

    run(answer, setup=setup)
    return 0


def _refuse(error: LoadError, *, serving: bool) -> int:
    """Says what is wrong; started by Quorate, to each call as well, so that no call is repeated in vain."""
    note(_sentence(error.detail, error.hint))
    if serving:
        async def answer(call: Call) -> Any:
            raise CallFailed("not_configured", error.detail, error.hint)

        run(answer, code=2)
    return 2


async def _entered(stack: contextlib.AsyncExitStack, opened: Any) -> None:
    try:
        await stack.enter_async_context(opened.open())
    except LoadError:
        raise
    except Exception as error:
        raise LoadError(f"{opened.title} cannot be opened: {type(error).__name__}: {error}", "Check its tools") from error


async def _alone(seat: Any, found: Any, given: argparse.Namespace, output: int) -> int:
    """Answers one text, or only says what was loaded."""

    def say(text: str) -> None:
        os.write(output, text.encode("utf-8", "replace"))

    try:
        async with contextlib.AsyncExitStack() as stack:
            made = await seat(found, given.name, given.messages)
            await _entered(stack, made)
            if given.check:
                say(f"{given.name} is {made.title}\n")
                return 0
            call = Call.read({"id": "try", "kind": "try", "user_task": given.text})
            answer = await made.answer(call)
            say(answer.text.rstrip("\n") + "\n")
            return 0
    except LoadError as error:
        return _refuse(error, serving=False)
    except CallFailed as failure:
        note(_sentence(f"{failure.kind}: {failure.detail}", failure.hint))
        return 1


def _sentence(*parts: str) -> str:
    return " ".join(f"{part.rstrip('.')}{'' if part.endswith(('?', '!')) else '.'}" for part in parts if part)


if __name__ == "__main__":
    sys.exit(main())
