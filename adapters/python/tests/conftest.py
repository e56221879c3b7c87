"""Programs that answer calls, and calls for them."""

import json
import os
import queue
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
#: Longer than anything here takes on a slow machine; reached only by a failure.
TIMEOUT = 30


class Program:
    """A program that is running, its events and what it wrote to standard error."""

    def __init__(self, arguments, *, folder, environment=None):
        more = {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **more, **(environment or {})},
        )
        self.events = queue.Queue()
        self.errors = []
        for target in (self._read_events, self._read_errors):
            threading.Thread(target=target, daemon=True).start()

    def _read_events(self):
        for line in self.process.stdout:
            # A line that is not JSON fails the test that waits for an event.
            self.events.put(line)
        self.events.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode("utf-8", "replace"))

    def send(self, line):
        data = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def next(self):
        event = {"type": "ready"}
        while event["type"] == "ready":
            line = self.events.get(timeout=TIMEOUT)
            assert line is not None, f"the program ended: {''.join(self.errors)}"
            event = json.loads(line)
        assert set(event) == {"type", "id", "payload"}
        return event

    def until_end(self, id="1"):
        """The events of a call up to the one that ends it."""
        heard = []
        while not heard or heard[-1]["type"] == "token":
            event = self.next()
            assert event["id"] == id, event
            heard.append(event)
        return heard

    def answer(self, id="1"):
        heard = self.until_end(id)
        assert heard[-1]["type"] == "agent_message", (heard[-1], self.stderr())
        message = heard[-1]["payload"]["message"]
        return message.get("content", "".join(one["payload"]["text"] for one in heard[:-1]))

    def error(self, id="1"):
        last = self.until_end(id)[-1]
        assert last["type"] == "error", last
        return last["payload"]

    def close(self):
        """Closes its input; the exit code."""
        self.process.stdin.close()
        return self.process.wait(TIMEOUT)

    def rest(self):
        """The lines that it wrote until it ended."""
        lines = []
        while (line := self.events.get(timeout=TIMEOUT)) is not None:
            if json.loads(line)["type"] != "ready":
                lines.append(line)
        return lines

    def stderr(self):
        return "".join(self.errors)

    def wrote(self, words):
        """Waits until it has written something to standard error."""
        end = time.monotonic() + TIMEOUT
        while words not in self.stderr():
            assert time.monotonic() < end, self.stderr()
            time.sleep(0.01)


@pytest.fixture
def start(tmp_path):
    """Starts programs, and ends them with the test."""
    running = []

    def start(arguments, **more):
        program = Program(arguments, folder=more.pop("folder", tmp_path), **more)
        running.append(program)
        return program

    yield start
    for program in running:
        program.process.kill()
        program.process.wait()


@pytest.fixture
def handler(start, tmp_path):
    """A program with a handler: the code of a module that defines `answer`."""

    def handler(code, **more):
        path = tmp_path / "program.py"
        path.write_text(f"from quorate_adapters import *\n{textwrap.dedent(code)}\nrun(answer)\n", encoding="utf-8")
        return start([str(path)], **more)

    return handler


@pytest.fixture
def adapter(start):
    """The adapter of the framework with something of `seats_for_tests`."""

    def adapter(name, *more, **how):
        spelled = name if ":" in name else f"seats_for_tests:{name}"
        return start(["-m", "quorate_adapters.agent_framework", spelled, *more], **how)

    return adapter


def a_call(id="1", **fields):
    """A call as Quorate writes it."""
    return {
        "type": "run",
        "protocol": 1,
        "id": id,
        "meeting_id": "m",
        "run_id": "r",
        "task": "speak:r1t2",
        "attempt": 1,
        "kind": "speak",
        "language": "en",
        "round": 1,
        "speaker": "Rev",
        "can_skip": False,
        "context_mode": "shared",
        "public_messages": [{"role": "user", "content": "<meeting>\nTopic: ?\n</meeting>"}],
        "private_memory": {"assumptions": []},
        "system_instructions": "You are a participant.",
        "user_task": "<task>\nYou have the floor.\n</task>",
        "answer_schema": None,
        "limits": {"max_tokens": 1500, "max_time_ms": 60000},
        **fields,
    }


VOTE = {
    "name": "vote",
    "schema": {"type": "object", "required": ["score", "pass"], "properties": {"score": {"type": "integer"}}},
}
