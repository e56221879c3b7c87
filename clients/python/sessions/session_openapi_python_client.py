"""A whole meeting with the client of openapi-python-client."""

import json
import uuid
from os import environ

from quorate_client import AuthenticatedClient
from quorate_client.api.export import export_meeting
from quorate_client.api.lifecycle import start_meeting
from quorate_client.api.meetings import create_meeting, get_meeting
from quorate_client.api.messages import list_messages
from quorate_client.api.minutes import get_minutes
from quorate_client.api.results import get_report
from quorate_client.models import (
    CreatedMeeting,
    ExportDocument,
    Format,
    MeetingState,
    CreateMeetingRequest,
    Problem,
    Report,
    RoundStartedEvent,
    RulesInput,
    SimulatedPace,
    TurnRulesInput,
)
from quorate_client.types import UNSET

client = AuthenticatedClient(environ["QUORATE_URL"], environ["QUORATE_TOKEN"], timeout=None)

rules = RulesInput(turns=TurnRulesInput(pace=SimulatedPace.INSTANT))
body = CreateMeetingRequest(
    topic="SQLite or PostgreSQL?", format_=Format.DISCUSSION, simulate=True, seed=5, rules=rules
)
meeting = create_meeting.sync(client=client, body=body, idempotency_key=str(uuid.uuid4()))
assert isinstance(meeting, CreatedMeeting), meeting
assert meeting.state is MeetingState.DRAFT and len(meeting.participants) > 1
print(f"created {meeting.id}: {', '.join(seat.name for seat in meeting.participants)}")

started = start_meeting.sync(meeting.id, client=client)
assert started.state is MeetingState.DISCUSSION, started

# Server-sent events, line by line.
last_seq, kinds, seq = 0, {}, None
with client.get_httpx_client().stream("GET", f"/api/v1/meetings/{meeting.id}/events") as stream:
    for line in stream.iter_lines():
        field, _, value = line.partition(": ")
        if field == "id":
            seq = int(value)
        elif line == "":
            seq = None
        elif field == "data" and seq is not None:
            event = json.loads(value)
            assert event["seq"] == last_seq + 1, "events without a hole"
            last_seq = event["seq"]
            kinds[event["type"]] = kinds.get(event["type"], 0) + 1
            if event["type"] == "round_started":
                print(f"round {RoundStartedEvent.from_dict(event).payload.round_}")
assert kinds["finished"] == 1
assert kinds["round_started"] == 3, "rules that were left out are those of the format"
print(f"followed {last_seq} events of {len(kinds)} types")

report = get_report.sync(meeting.id, client=client)
assert isinstance(report, Report) and report.simulated and report.meeting_id == meeting.id
print(f"report: {report.outcome.outcome}, {report.rounds} rounds, {len(report.costs)} rows of costs")

minutes = get_minutes.sync(meeting.id, client=client)
assert minutes.minutes.content and minutes.version >= 1
print(f"minutes: version {minutes.version}, written at {minutes.written_at}")

messages, cursor = [], UNSET
while cursor is not None:
    page = list_messages.sync(meeting.id, client=client, limit=5, cursor=cursor)
    messages += page.items
    cursor = page.next_cursor
assert len(messages) == kinds["agent_message"]
print(f"messages: {len(messages)}, {messages[0].name}: {messages[0].said_at}")

export = export_meeting.sync(meeting.id, client=client, format_="json")
assert isinstance(export, ExportDocument) and len(export.events) == last_seq
print(f"export: {len(export.events)} events, {export.report.headline}")

problem = get_meeting.sync("nowhere", client=client)
assert isinstance(problem, Problem) and (problem.status, problem.resource_type) == (404, "meeting")
print(f"problem: {problem.status} {problem.title}: {problem.detail}")
