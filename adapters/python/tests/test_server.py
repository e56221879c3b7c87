"""The library of the protocol, as programs that read and write lines."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from conftest import TIMEOUT, TESTS, a_call

ECHO = """
    async def answer(call):
        call.piece("piece ")
        return f"{call.kind} {call.speaker} {len(call.public_messages)}"
"""


def test_a_call_is_answered_with_pieces_and_a_message(handler):
    program = handler(ECHO)
    program.send(a_call())
    token, answer = program.until_end()
    assert token == {"type": "token", "id": "1", "payload": {"text": "piece "}}
    assert answer["payload"] == {"message": {"role": "assistant", "name": "Rev", "content": "speak Rev 1"}}
    assert program.close() == 0


def test_a_program_that_waits_for_its_first_call_says_that_it_is_ready(handler):
    program = handler(ECHO)
    assert json.loads(program.events.get(timeout=TIMEOUT)) == {"type": "ready", "id": "", "payload": {}}
    program.send(a_call())
    assert program.answer() == "speak Rev 1"
    assert program.close() == 0


def test_answers_come_in_any_order(handler):
    program = handler(
        """
        import asyncio
        gate = asyncio.Event()
        async def answer(call):
            if call.id == "1":
                await gate.wait()
            gate.set()
            return call.id
        """
    )
    program.send(a_call("1"))
    program.send(a_call("2"))
    assert [program.next()["id"], program.next()["id"]] == ["2", "1"]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("def answer(call): return 'plain'", "plain"),
        ("async def answer(call):\n    yield 'a'\n    yield 'b'", "ab"),
        ("async def answer(call): return {'score': 1, 'reason': '众议'}", '{"score": 1, "reason": "众议"}'),
        ("async def answer(call): return Answer('text')", "text"),
        ("async def answer(call): return '\\ud800 众议 🙂\\u2028\\x00'", "? 众议 🙂\u2028\x00"),
        ("async def answer(call): return call.prompt()", None),
    ],
)
def test_handlers_of_every_kind(handler, code, text):
    program = handler(f"\n{code}\n")
    program.send(a_call())
    said = program.answer()
    assert said == text or (text is None and said.startswith("You are a participant.\n\n<meeting>"))


def test_usage_and_reasoning_are_passed_on_and_nonsense_is_not(handler):
    program = handler(
        """
        async def answer(call):
            return Answer("text", "because", Usage(input_tokens=3, output_tokens=-1, cached_tokens=True))
        """
    )
    program.send(a_call())
    payload = program.until_end()[-1]["payload"]
    assert payload["usage"] == {"input_tokens": 3} and payload["reasoning"] == "because"


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("raise CallFailed('rate_limit', 'slow\\ndown', 'Wait')", "rate_limit", "slow down"),
        ("raise KeyError('x')", "agent_failed", "KeyError: 'x'"),
        ("raise ConnectionResetError('gone')", "network", "ConnectionResetError: gone"),
        ("raise TimeoutError()", "timed_out", "TimeoutError"),
        ("raise RuntimeError('y' * 100000)", "agent_failed", "RuntimeError: yyy"),
        ("import nowhere", "not_configured", "No module named 'nowhere'"),
        ("import sys; sys.exit(3)", "agent_failed", "the handler tried to exit with 3"),
        ("import asyncio; raise asyncio.CancelledError()", "agent_failed", "the handler cancelled itself"),
        ("return '  '", "empty", "the answer is blank"),
        ("return None", "empty", "the handler returned nothing"),
        ("return 5", "malformed", "a value of type int"),
        ("return {'x': float('nan')}", "agent_failed", "ValueError"),
        ("call.piece(b'bytes')", "agent_failed", "text, not bytes"),
        ("raise CallFailed('no_such_kind', 'x')", "agent_failed", "is not a kind of error"),
        ("raise type('E', (Exception,), {'status_code': 429, 'code': 'insufficient_quota'})()", "quota", "E"),
    ],
)
def test_what_goes_wrong_in_a_handler_is_an_error(handler, code, kind, words):
    program = handler(f"\nasync def answer(call):\n    if call.id == '2': return 'still here'\n    {code}\n")
    program.send(a_call())
    error = program.error()
    assert error["kind"] == kind and words in error["detail"]
    assert len(error["detail"]) <= 600 and "\n" not in error["detail"]
    program.send(a_call("2"))
    assert program.answer("2") == "still here"


@pytest.mark.parametrize(
    "line",
    [
        b"not JSON",
        b"",
        b"[]",
        b'"text"',
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"type": "greeting", "id": "1"}',
        b'{"type": null}',
        b'{"type": "run"}',
        b'{"type": "run", "id": ["1"]}',
        b'{"type": "run", "id": "' + b"1" * 500 + b'"}',
        b'{"type": "cancel"}',
        b'{"type": "cancel", "id": "unknown"}',
    ],
)
def test_lines_that_are_no_calls_are_ignored(handler, line):
    program = handler(ECHO)
    program.send(line)
    program.send(a_call())
    assert program.answer() == "speak Rev 1"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"protocol": 2}, "protocol 2 is not known"),
        ({"user_task": 5}, "user_task of the call is of type int"),
        ({"round": True}, "round of the call is of type bool"),
        ({"public_messages": [{"role": "system", "content": "x"}]}, "public_messages[0] is not a message"),
        ({"answer_schema": {"name": "vote"}}, "answer_schema has no schema"),
        ({"kind": None}, "kind of the call is of type NoneType"),
    ],
)
def test_a_call_that_cannot_be_read_is_answered_with_what_is_wrong(handler, fields, words):
    program = handler(ECHO)
    program.send(a_call(**fields))
    error = program.error()
    assert error["kind"] == "bad_request" and words in error["detail"]


def test_unknown_fields_and_odd_limits_are_left_alone(handler):
    program = handler("async def answer(call): return f'{call.max_tokens} {call.max_time_ms} {call.raw[\"new\"]}'")
    program.send(a_call(new="field", limits={"max_tokens": -1, "max_time_ms": "soon", "other": 1}))
    assert program.answer() == "None None field"


def test_a_line_that_is_too_long_is_refused_by_its_id(handler):
    program = handler(ECHO)
    program.send(json.dumps(a_call("9", user_task="x" * (65 << 20))).encode())
    error = program.error("9")
    assert error["kind"] == "context_too_long" and "longer than 64 MB" in error["detail"]
    program.send(a_call())
    assert program.answer() == "speak Rev 1"


def test_a_long_call_in_one_line_is_read(handler):
    program = handler("async def answer(call): return str(len(call.user_task))")
    program.send(a_call(user_task="众" * (4 << 20)))
    assert program.answer() == str(4 << 20)


PRINTS = """
    import os, subprocess, sys
    take_stdio()
    print("at import")
    async def answer(call):
        print("printed")
        sys.stdout.write("written\\n")
        sys.stdout.flush()
        os.write(1, b"to descriptor 1\\n")
        subprocess.run(["sh", "-c", "echo by a child; cat"], check=True)
        return "input: " + repr(sys.stdin.read()) + repr(os.read(0, 10))
"""


def test_what_is_printed_never_reaches_the_protocol(handler):
    program = handler(PRINTS)
    program.send(a_call())
    assert program.answer() == "input: ''b''"
    for words in ("at import", "printed", "written", "to descriptor 1", "by a child"):
        program.wrote(words)


def test_a_child_does_not_keep_the_protocol_open(handler):
    program = handler(
        """
        import subprocess
        async def answer(call):
            subprocess.Popen(["sleep", "30"], stderr=subprocess.DEVNULL)
            return "started"
        """
    )
    program.send(a_call())
    assert program.answer() == "started"
    began = time.monotonic()
    assert program.close() == 0 and program.rest() == []
    assert time.monotonic() - began < 10, "a child holds the pipe"


def test_a_flood_is_an_error_and_ends(handler):
    program = handler(
        """
        async def answer(call):
            while True:
                call.piece("众" * 100_000)
        """
    )
    program.send(a_call())
    heard = program.until_end()
    assert heard[-1]["type"] == "error" and heard[-1]["payload"]["kind"] == "malformed"
    assert sum(len(one["payload"]["text"].encode()) for one in heard[:-1]) <= 4 << 20


def test_every_line_is_one_that_quorate_takes(handler):
    program = handler(
        """
        async def answer(call):
            text = "\\x01" * (3 << 20)
            if call.id == "2":
                call.piece(text)
            if call.id == "3":
                call.piece("something else")
            return text if call.id != "4" else text * 2
        """
    )
    for id in "1234":
        program.send(a_call(id))
    lines = {id: [] for id in "1234"}
    ended = 0
    while ended < 4:
        line = program.events.get(timeout=TIMEOUT)
        assert len(line) <= 1 << 20
        event = json.loads(line)
        lines[event["id"]].append(event)
        ended += event["type"] != "token"
    for id in "12":
        assert "content" not in lines[id][-1]["payload"]["message"]
        assert "".join(one["payload"]["text"] for one in lines[id][:-1]) == "\x01" * (3 << 20)
    assert "differs from what was streamed" in lines["3"][-1]["payload"]["detail"]
    assert "longer than 4 MB" in lines["4"][-1]["payload"]["detail"]


CLEANS_UP = """
    import asyncio, sys
    async def answer(call):
        call.piece("begun")
        try:
            await asyncio.sleep(60)
        finally:
            print("cleaned up", call.id, file=sys.stderr, flush=True)
            try:
                call.piece("too late")
            except CallEnded:
                print("ended", call.id, file=sys.stderr, flush=True)
"""


def test_a_cancelled_call_ends_without_a_word_and_others_go_on(handler):
    program = handler(
        CLEANS_UP.replace("await asyncio.sleep(60)", "await asyncio.sleep(60) if call.id == '1' else None")
        + "\n        return 'done'"
    )
    program.send(a_call("1"))
    assert program.next()["payload"] == {"text": "begun"}
    program.send({"type": "cancel", "protocol": 1, "id": "1"})
    program.wrote("ended 1")
    program.send(a_call("2"))
    assert [program.next()["id"] for _ in range(3)] == ["2", "2", "2"]
    assert program.close() == 0 and program.rest() == []


def test_cancelling_in_a_thread_stops_it_at_its_next_piece(handler):
    program = handler(
        """
        import sys, time
        def answer(call):
            try:
                while True:
                    call.piece("x")
                    time.sleep(0.01)
            except CallEnded:
                print("stopped", file=sys.stderr, flush=True)
                raise
        """
    )
    program.send(a_call())
    program.next()
    program.send({"type": "cancel", "id": "1"})
    program.wrote("stopped")


def test_the_end_of_the_input_cancels_calls(handler):
    program = handler(CLEANS_UP)
    program.send(a_call())
    program.next()
    assert program.close() == 0
    assert program.rest() == [] and "ended 1" in program.stderr()


@pytest.mark.parametrize("sleep", ["time.sleep(60)", "threading.Event().wait(60)", "all(True for _ in iter(int, 1))"])
@pytest.mark.parametrize("how", ["async def", "def"])
def test_a_handler_that_blocks_does_not_outlive_the_input(handler, sleep, how):
    program = handler(f"\nimport threading, time\n{how} answer(call):\n    call.piece('x')\n    {sleep}\n")
    program.send(a_call())
    program.next()
    began = time.monotonic()
    assert program.close() == 0
    assert time.monotonic() - began < 10


def test_a_handler_that_ignores_its_cancellation_does_not_outlive_the_input(handler):
    program = handler(
        """
        import asyncio
        async def answer(call):
            call.piece("x")
            while True:
                try:
                    await asyncio.sleep(60)
                except asyncio.CancelledError:
                    pass
        """
    )
    program.send(a_call())
    program.next()
    assert program.close() == 0


@pytest.mark.parametrize("blocks", [False, True])
def test_sigterm_ends_it_with_its_calls(handler, blocks):
    code = "\nimport time\nasync def answer(call):\n    call.piece('x')\n    time.sleep(60)\n"
    program = handler(code if blocks else CLEANS_UP)
    program.send(a_call())
    program.next()
    began = time.monotonic()
    program.process.send_signal(signal.SIGTERM)
    assert program.process.wait(TIMEOUT) == 143
    assert time.monotonic() - began < 10
    if not blocks:
        assert "cleaned up 1" in program.stderr()


def test_nobody_reads_any_more(tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import asyncio\nfrom quorate_adapters import run\n"
        "async def answer(call):\n    while True:\n        call.piece('x' * 1000)\n        await asyncio.sleep(0)\n"
        "run(answer)\n"
    )
    read, write = os.pipe()
    process = subprocess.Popen([sys.executable, str(path)], stdin=subprocess.PIPE, stdout=write)
    os.close(write)
    os.close(read)
    process.stdin.write(json.dumps(a_call()).encode() + b"\n")
    process.stdin.flush()
    try:
        assert process.wait(TIMEOUT) == 0
    finally:
        process.kill()
        process.stdin.close()


def test_the_time_of_a_call_ends_it_and_not_the_program(handler):
    program = handler(
        """
        import asyncio
        async def answer(call):
            if call.id == "2":
                return "still here"
            call.progress = "3 of 4 steps"
            await asyncio.sleep(60)
        """
    )
    program.send(a_call("2"))
    assert program.answer("2") == "still here"
    program.send(a_call(limits={"max_time_ms": 300}))
    error = program.error()
    assert error["kind"] == "timed_out" and error["detail"] == "no answer within 300 ms (3 of 4 steps)"
    program.send(a_call("2"))
    assert program.answer("2") == "still here"


def test_calls_in_progress_are_bounded_and_an_id_is_used_once(handler):
    program = handler(
        """
        import asyncio
        async def answer(call):
            call.piece(call.id)
            await asyncio.sleep(60)
        """
    )
    for number in range(64):
        program.send(a_call(str(number)))
        program.next()
    program.send(a_call("5"))
    program.send(a_call("one too many"))
    assert program.error("one too many")["kind"] == "overloaded"
    program.wrote("call 5 is in progress already")


def test_a_context_is_open_while_calls_are_answered(start, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(
        "import contextlib, sys\nfrom quorate_adapters import run\nopened = []\n"
        "@contextlib.asynccontextmanager\nasync def setup():\n    opened.append(1)\n    yield\n"
        "    print('closed', file=sys.stderr)\n"
        "async def answer(call): return f'{opened}'\nrun(answer, setup=setup)\n"
    )
    program = start([str(path)])
    program.send(a_call())
    assert program.answer() == "[1]"
    assert program.close() == 0
    program.wrote("closed")


def test_standard_input_that_is_closed_is_an_error(tmp_path):
    path = tmp_path / "program.py"
    path.write_text("from quorate_adapters import run\nrun(lambda call: 'x')\n")
    done = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" "{path}" <&-'], capture_output=True, timeout=TIMEOUT, check=False
    )
    assert done.returncode != 0 and b"Bad file descriptor" in done.stderr


def test_the_library_needs_only_the_standard_library():
    source = TESTS.parent / "src"
    code = f"import sys; sys.path.insert(0, {str(source)!r}); import quorate_adapters"
    # Without site-packages, nothing that is installed can be imported.
    subprocess.run([sys.executable, "-S", "-I", "-c", code], check=True, timeout=TIMEOUT)
