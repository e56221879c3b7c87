"""Whole meetings of the real server with agents of the framework in its seats.

`QUORATE_BIN` names the program `quorate`; without it, `target/debug/quorate` of this repository is used.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import TESTS

_NAMED = os.environ.get("QUORATE_BIN")
QUORATE = Path(_NAMED) if _NAMED else TESTS.parents[2] / "target/debug/quorate"

pytestmark = pytest.mark.skipif(
    not _NAMED and not QUORATE.is_file(),
    reason=f"no program at {QUORATE}: build it with `cargo build`, or set QUORATE_BIN",
)

MEETING = """
topic = "Should our service use SQLite or PostgreSQL?"
lang = "en"
seed = 5

[[participants]]
name = "Ada"
temperament = "balanced"

[[participants]]
name = "Rev"
process = "reviewer"

[[participants]]
name = "Pan"
process = "panel"

[rules.limits]
max_rounds = 2

[processes.reviewer]
command = [{python}, "-m", "quorate_adapters.agent_framework", "seats_for_tests:critic"]
cwd = {folder}
mode = "{mode}"

[processes.panel]
command = [{python}, "-m", "quorate_adapters.agent_framework", "seats_for_tests:{panel}"]
cwd = {folder}
mode = "{mode}"
timeout_ms = {timeout_ms}
"""


class Meetings:
    """A database of its own."""

    def __init__(self, folder):
        self.folder = folder

    def quorate(self, *arguments):
        done = subprocess.run(
            [QUORATE, *arguments, "--db", self.folder / "quorate.db"],
            capture_output=True,
            text=True,
            cwd=self.folder,
            timeout=180,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "QUORATE_LANG": "en"},
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def hold(self, *arguments, mode="persistent", panel="panel", timeout_ms=60000):
        """The events of a meeting."""
        file = self.folder / "meeting.toml"
        fields = {"python": json.dumps(sys.executable), "folder": json.dumps(str(TESTS))}
        text = MEETING.format(**fields, mode=mode, panel=panel, timeout_ms=timeout_ms)
        file.write_text(text, encoding="utf-8")
        out = self.quorate("run", "--config", str(file), "--yes", "--json", *arguments)
        return [json.loads(line) for line in out.splitlines() if line.startswith("{")]


@pytest.fixture
def meetings(tmp_path):
    return Meetings(tmp_path)


def of(events, type):
    return [event["payload"] for event in events if event["type"] == type]


def said(events, seat):
    messages = [event for event in events if event["type"] == "agent_message" and event["actor"].get("id") == seat]
    return [event["payload"]["message"]["content"] for event in messages]


@pytest.mark.parametrize("mode", ["persistent", "per_call"])
def test_an_agent_and_a_group_chat_take_part_to_the_end(meetings, mode):
    events = meetings.hold(mode=mode)
    assert of(events, "turn_failed") == [] and len(of(events, "finished")) == 1
    assert any("The draft lacks a reason." in text for text in said(events, "p2"))
    assert any("**Writer:** SQLite will do.\n\n**Critic:** The draft lacks a reason." in text for text in said(events, "p3"))
    voters = {vote["participant"] for vote in of(events, "vote_cast")}
    assert voters >= {"p2", "p3"}, voters
    scores = {vote["vote"]["score"] for vote in of(events, "vote_cast") if vote["participant"] != "p1"}
    assert scores == {88}
    text = json.dumps(events)
    for word in ("AgentResponse", "WorkflowEvent", "AgentExecutor", "agent_framework", "m-1"):
        assert word not in text, f"the log names {word}"
    record = meetings.quorate("export", "last", "--format", "markdown")
    assert "**Writer:** SQLite will do." in record
    assert "It says why." in meetings.quorate("show", "last"), "the result has the reasons of its votes"


def test_usage_of_the_framework_is_in_the_log(meetings):
    events = meetings.hold()
    ends = [payload for payload in of(events, "call_ended") if "usage" in payload]
    usages = [payload["usage"] for payload in ends]
    assert any((one["input_tokens"], one["output_tokens"]) == (10, 5) for one in usages), usages
    assert any((one["input_tokens"], one["output_tokens"]) == (20, 10) for one in usages), usages


@pytest.mark.parametrize(
    ("panel", "kind", "words"),
    [
        ("no_such_panel", "not_configured", "has no 'no_such_panel'"),
        ("silent", "empty", "ended without a message"),
        ("asks", "bad_request", "waits for input from outside"),
    ],
)
def test_a_seat_that_fails_does_not_stop_the_meeting(meetings, panel, kind, words):
    events = meetings.hold(panel=panel)
    failed = of(events, "turn_failed")
    assert failed and failed[0]["kind"] == kind and words in json.dumps(failed[0]), failed[0]
    assert len(of(events, "finished")) == 1 and said(events, "p3") == []


def test_a_group_chat_that_never_ends_is_ended_by_the_meeting(meetings):
    events = meetings.hold(panel="endless", timeout_ms=2000)
    failed = of(events, "turn_failed")
    assert failed and {one["kind"] for one in failed} == {"timed_out"}, failed
    assert len(of(events, "finished")) == 1
