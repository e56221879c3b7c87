"""A whole meeting with the client of OpenAPI Generator."""

import uuid
from os import environ

import quorate_sdk as sdk

client = sdk.ApiClient(
    sdk.Configuration(host=environ["QUORATE_URL"], access_token=environ["QUORATE_TOKEN"])
)
meetings, lifecycle, results = sdk.MeetingsApi(client), sdk.LifecycleApi(client), sdk.ResultsApi(client)

rules = sdk.RulesInput(turns=sdk.TurnRulesInput(pace=sdk.SimulatedPace.INSTANT))
new = sdk.CreateMeetingRequest(
    topic="SQLite or PostgreSQL?", format=sdk.Format.DISCUSSION, simulate=True, seed=5, rules=rules
)
meeting = meetings.create_meeting(create_meeting_request=new, idempotency_key=str(uuid.uuid4()))
assert meeting.state is sdk.MeetingState.DRAFT and len(meeting.participants) > 1
print(f"created {meeting.id}: {', '.join(seat.name for seat in meeting.participants)}")

started = lifecycle.start_meeting(meeting.id)
assert started.state is sdk.MeetingState.DISCUSSION, started

# Server-sent events, line by line.
last_seq, kinds, seq = 0, {}, None
stream = sdk.LiveApi(client).stream_events_without_preload_content(meeting.id)
for frame in b"".join(stream.stream()).decode().split("\n\n"):
    fields = dict(line.split(": ", 1) for line in frame.splitlines() if ": " in line)
    if "id" not in fields or "data" not in fields:
        continue
    event = sdk.Event.from_json(fields["data"]).actual_instance
    assert event.seq == last_seq + 1, "events without a hole"
    last_seq = event.seq
    kinds[event.type] = kinds.get(event.type, 0) + 1
    if isinstance(event, sdk.RoundStartedEvent):
        print(f"round {event.payload.round}")
assert kinds["finished"] == 1
assert kinds["round_started"] == 3, "rules that were left out are those of the format"
print(f"followed {last_seq} events of {len(kinds)} types")

report = results.get_report(meeting.id)
assert report.simulated and report.meeting_id == meeting.id
outcome = report.outcome.actual_instance.outcome
print(f"report: {outcome}, {report.rounds} rounds, {len(report.costs)} rows of costs")

minutes = sdk.MinutesApi(client).get_minutes(meeting.id)
assert minutes.minutes.content and minutes.version >= 1
print(f"minutes: version {minutes.version}, written at {minutes.written_at}")

messages, cursor = [], None
while True:
    page = sdk.MessagesApi(client).list_messages(meeting.id, limit=5, cursor=cursor)
    messages += page.items
    cursor = page.next_cursor
    if cursor is None:
        break
assert len(messages) == kinds["agent_message"]
print(f"messages: {len(messages)}, {messages[0].name}: {messages[0].said_at}")

export = sdk.ExportApi(client).export_meeting(meeting.id, format="json")
assert len(export.events) == last_seq
print(f"export: {len(export.events)} events, {export.report.headline}")

try:
    meetings.get_meeting("nowhere")
    raise AssertionError("a meeting that does not exist was found")
except sdk.exceptions.NotFoundException as error:
    problem = sdk.Problem.from_json(error.body)
    assert problem.status == 404 and problem.resource_type == "meeting"
    print(f"problem: {problem.status} {problem.title}: {problem.detail}")
