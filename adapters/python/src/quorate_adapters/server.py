"""Reads calls, lets a handler answer them, and ends when Quorate does."""

import asyncio
import contextlib
import inspect
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn

from .calls import Answer, BadCall, Call, CallEnded, CallFailed, call_id, encode
from .errors import describe, failure_kind, one_line
from .limits import MAX_CALL_LINE, MAX_OPEN_CALLS
from .lines import read_lines
from .stdio import Stdio, take_stdio

#: What a handler may return: a text, an answer with usage, or an object that is sent as JSON.
Reply = str | Answer | dict[str, Any]
#: Answers one call. Functions that are not `async` run in a thread of their own.
Handler = Callable[[Call], Awaitable[Reply] | AsyncIterator[str] | Reply]

#: When this program began, which is about when the clock of its first call did.
_STARTED = time.monotonic()
#: How long handlers may clean up after their call or this program has ended, in seconds.
_GRACE = 1.0
#: After this time the program exits, also if a handler blocks it, in seconds. Quorate waits for two.
_LAST_GRACE = 1.5
#: A call that was sent when the program was started has arrived after this time, in seconds.
_FIRST_LINE = 0.1
#: Lines that may wait to be handled.
_MAX_WAITING = 256
#: Notes about lines that were ignored; more are not written.
_MAX_NOTES = 20


def run(
    handler: Handler,
    *,
    setup: Callable[[], contextlib.AbstractAsyncContextManager[Any]] | None = None,
    code: int = 0,
) -> NoReturn:
    """Answers calls until standard input closes or SIGTERM arrives, then exits the program.

    Standard output is reserved for the protocol: whatever is printed goes to standard error.

    Args:
        handler: Answers one call. It is cancelled when nobody waits for the answer any more.
        setup: Makes a context that is open while calls are answered, in the same event loop.
        code: The exit code at the end of standard input.
    """
    stdio = take_stdio()
    server = Server(handler, stdio, watched=True)
    server.code = code

    try:
        asyncio.run(server.serve(setup))
    except KeyboardInterrupt:
        server.code = 130
    except BaseException:
        traceback.print_exc()
        server.code = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    # Threads of handlers that did not stop would keep the program alive.
    os._exit(server.code)


async def serve(handler: Handler, stdio: Stdio | None = None) -> None:
    """Answers calls until standard input closes. For programs that have an event loop of their own."""
    await Server(handler, stdio or take_stdio()).serve()


class Server:
    """The calls in progress, and the threads and signals that end them."""

    def __init__(self, handler: Handler, stdio: Stdio, *, watched: bool = False) -> None:
        self.code = 0
        self._handler = handler
        self._stdio = stdio
        self._watched = watched
        self._open: dict[str, tuple[Call, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._write_lock = threading.Lock()
        self._waiting = threading.Semaphore(_MAX_WAITING)
        self._notes = 0
        self._answered_any = False
        self._heard = threading.Event()
        self._watching = threading.Lock()

    async def serve(self, setup: Callable[[], contextlib.AbstractAsyncContextManager[Any]] | None = None) -> None:
        """Returns when standard input has closed and the calls in progress are cancelled."""
        self._loop = asyncio.get_running_loop()
        self._over, self._ready = asyncio.Event(), asyncio.Event()
        with self._signals():
            # The end of the input counts from the beginning, also while the context is being made.
            threading.Thread(target=self._read, name="quorate-calls", daemon=True).start()
            async with setup() if setup else contextlib.nullcontext():
                self._ready.set()
                await self._say_ready()
                await self._over.wait()
                for call, _ in self._open.values():
                    call.close()
                for task in self._tasks:
                    task.cancel()
                if self._tasks:
                    await asyncio.wait(self._tasks, timeout=_GRACE)

    async def _say_ready(self) -> None:
        """Says that the imports and the setup are over, where Quorate waits for that (`ready_ms`) and has sent no call yet."""
        with contextlib.suppress(asyncio.TimeoutError, TimeoutError):
            await asyncio.wait_for(self._over.wait(), _FIRST_LINE)
        if not self._heard.is_set():
            # The clock of the first call begins with the call.
            self._answered_any = True
            self._put({"type": "ready", "id": "", "payload": {}})

    # Lines in.

    def _read(self) -> None:
        """Runs in a thread, so that the end of the input is seen while a handler blocks the event loop."""
        with contextlib.suppress(RuntimeError):  # The event loop has closed.
            for line, whole in read_lines(self._stdio.input, MAX_CALL_LINE):
                self._heard.set()
                self._waiting.acquire()
                self._loop.call_soon_threadsafe(self._take, line, whole)
            self._loop.call_soon_threadsafe(self._over.set)
        self._watch(self.code)

    def _take(self, line: bytes, whole: bool) -> None:
        self._waiting.release()
        if not whole:
            return self._refuse_long(line)
        if not line.strip():
            return None
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return self._note("a line that is not JSON was ignored")
        if not isinstance(said, dict):
            return self._note("a line that is not a JSON object was ignored")
        match said.get("type"):
            case "run":
                self._start(said)
            case "cancel":
                self._cancel(call_id(said))
            case other:
                self._note(f"a line of type {one_line(other, 60)} was ignored")

    def _refuse_long(self, start: bytes) -> None:
        detail = f"the call is longer than {MAX_CALL_LINE >> 20} MB"
        self._note(detail)
        # Quorate writes the id among the first fields.
        before, found, after = start.partition(b'"id":')
        text = after.lstrip()
        if found and text.startswith(b'"') and b'"' in text[1:200]:
            with contextlib.suppress(ValueError):
                self._error(json.loads(text[: text.index(b'"', 1) + 1]), "context_too_long", detail)

    def _start(self, said: dict[str, Any]) -> None:
        try:
            call = Call.read(said)
        except BadCall as bad:
            self._note(str(bad))
            return self._error(bad.id, "bad_request", str(bad)) if bad.id else None
        if call.id in self._open:
            return self._note(f"call {call.id} is in progress already; the second one was ignored")
        if len(self._tasks) >= MAX_OPEN_CALLS:
            return self._error(call.id, "overloaded", f"{MAX_OPEN_CALLS} calls are in progress")
        call._write = self._put
        if not self._answered_any:
            call._since = _STARTED
            self._answered_any = True
        task = self._loop.create_task(self._answer(call))
        self._open[call.id] = (call, task)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _cancel(self, id: str | None) -> None:
        if id in self._open:
            call, task = self._open.pop(id)
            call.close()
            task.cancel()

    # Answers.

    async def _answer(self, call: Call) -> None:
        work = self._loop.create_task(self._work(call))
        try:
            done, _ = await asyncio.wait({work}, timeout=_seconds_left(call))
            if done:
                _finish(call, work)
            else:
                reached = f" ({one_line(call.progress, 200)})" if call.progress else ""
                call.fail(CallFailed("timed_out", f"no answer within {call.max_time_ms} ms{reached}"))
        finally:
            # Nobody waits for the call any more; its handler may clean up.
            call.close()
            if self._open.get(call.id, (None,))[0] is call:
                del self._open[call.id]
            if not work.done():
                work.cancel()
                await asyncio.wait({work}, timeout=_GRACE)
            if work.done() and not work.cancelled():
                work.exception()

    async def _work(self, call: Call) -> Reply:
        await self._ready.wait()
        return await _call(self._handler, call)

    def _error(self, id: str | None, kind: str, detail: str) -> None:
        self._put({"type": "error", "id": id, "payload": {"kind": kind, "detail": detail, "hint": ""}})

    def _put(self, event: dict[str, Any]) -> int:
        """Writes a line. A reader that is slow slows down whoever answers, so nothing piles up here."""
        line = encode(event) + b"\n"
        with self._write_lock:
            left = memoryview(line)
            try:
                while left:
                    left = left[os.write(self._stdio.output, left) :]
            except OSError:
                # Nobody reads any more.
                with contextlib.suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._over.set)
        return len(line)

    def _note(self, what: str) -> None:
        self._notes += 1
        if self._notes <= _MAX_NOTES:
            note(what)

    # The end.

    @contextlib.contextmanager
    def _signals(self) -> Any:
        if not self._watched or threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGTERM, self._terminated)
        try:
            yield
        finally:
            signal.signal(signal.SIGTERM, before)

    def _terminated(self, *_: Any) -> None:
        self.code = 128 + signal.SIGTERM
        self._loop.call_soon_threadsafe(self._over.set)
        threading.Thread(target=self._watch, args=[self.code], daemon=True).start()

    def _watch(self, code: int) -> None:
        """Exits after a while, in case a handler blocks the event loop."""
        if self._watched and self._watching.acquire(blocking=False):
            time.sleep(_LAST_GRACE)
            os._exit(code)


def note(what: str) -> None:
    """A line for people, on standard error."""
    with contextlib.suppress(Exception):
        print(f"quorate-adapters: {what}", file=sys.stderr, flush=True)


def _seconds_left(call: Call) -> float | None:
    """The time of a call, a little less than Quorate waits, so that the reason is told and the process survives."""
    if call.max_time_ms is None:
        return None
    limit = call.max_time_ms / 1000
    return max(0.0, limit - min(1.0, limit / 10) - (time.monotonic() - call._since))


async def _call(handler: Handler, call: Call) -> Reply:
    """Calls the handler, of whatever kind it is."""
    try:
        if inspect.iscoroutinefunction(handler) or inspect.isasyncgenfunction(handler):
            reply: Any = handler(call)
        else:
            reply = await _in_thread(handler, call)
        if hasattr(reply, "__aiter__"):
            pieces: list[str] = []
            async for piece in reply:
                call.piece(piece)
                pieces.append(piece)
            return "".join(pieces)
        return await reply if inspect.isawaitable(reply) else reply
    except SystemExit as exit:
        # A library must not end the program, with other calls in progress.
        raise CallFailed("agent_failed", f"the handler tried to exit with {one_line(exit.code, 100)}") from exit


async def _in_thread(handler: Handler, call: Call) -> Any:
    """Like `asyncio.to_thread`, but a thread that does not stop keeps nothing alive."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_exception(error) if error else future.set_result(result)

    def work() -> None:
        result, error = None, None
        try:
            result = handler(call)
        except StopIteration as stop:
            error = RuntimeError(f"the handler raised {stop!r}")
        except BaseException as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # The event loop has closed.
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=work, name=f"quorate-{call.id}", daemon=True).start()
    return await future


def _finish(call: Call, work: asyncio.Task[Reply]) -> None:
    """Sends what a handler returned, or why it did not."""
    try:
        call.finish(_as_answer(work.result()))
    except CallEnded:
        pass
    except CallFailed as failure:
        call.fail(failure)
    except asyncio.CancelledError:
        call.fail(CallFailed("agent_failed", "the handler cancelled itself"))
    except Exception as error:
        with contextlib.suppress(Exception):
            traceback.print_exception(error)
        call.fail(CallFailed(failure_kind(error), describe(error)))


def _as_answer(reply: object) -> Answer:
    match reply:
        case Answer():
            return reply
        case str():
            return Answer(reply)
        case dict():
            return Answer(json.dumps(reply, ensure_ascii=False, allow_nan=False))
        case None:
            raise CallFailed("empty", "the handler returned nothing", "Return the text of the answer.")
    detail = f"the handler returned a value of type {type(reply).__name__}"
    raise CallFailed("malformed", detail, "Return a text, an Answer, or a dict where JSON is asked for.")
