"""What stands beside the events: the catalogue of meetings, forks, and snapshots."""

from findings import Findings
from meeting import Meeting
from rows import Database, Stored


def check_catalogue(stored: Stored, meeting: Meeting, found: Findings) -> None:
    """The catalogue says of a meeting what its log says."""
    row = stored.catalogue
    if row is None or not meeting.created:
        return
    wanted = {
        "topic": meeting.topic,
        "language": meeting.created["language"],
        "format": meeting.created["format"],
        "created_ms": meeting.forked["ts_ms"] if meeting.forked else meeting.events[0]["ts_ms"],
        "updated_ms": meeting.ts_ms,
        "paused": int(meeting.pause_began),
        "outcome": meeting.outcome(),
        "participants": sum(seat.present for seat in meeting.seats.values()),
        "description": meeting.details.get("description", ""),
    }
    for name, expected in wanted.items():
        found.equal(None, f"`{name}` of the catalogue", number(row[name]), expected)


def check_seats(database: Database, meetings: dict, findings: dict) -> None:
    """It is stored which seats people hold."""
    for stored in database.meetings:
        meeting = meetings.get(stored.id)
        if meeting is None or stored.catalogue is None:
            continue
        kept = {(f"p{row['participant']}", row["person"]) for row in database.seats if row["meeting"] == stored.catalogue["key"]}
        seats = [seat for seat in meeting.seats.values() if seat.present and seat.runner.get("via") == "person"]
        findings[stored.id].equal(None, "the seats of people", sorted(kept), sorted((s.id, s.runner["name"]) for s in seats))


def number(value):
    """Truth values of PostgreSQL, as SQLite has them."""
    return int(value) if isinstance(value, bool) else value


def check_forks(stored: dict, meetings: dict, findings: dict) -> None:
    """A fork begins with the events of the meeting that it comes from."""
    for id, meeting in meetings.items():
        if not meeting.forked:
            continue
        origin, until = stored.get(meeting.forked["from"]), meeting.forked["at"]
        if origin is None:
            continue
        for own, other in zip(meeting.events[:until], meetings[origin.id].events[:until]):
            if (own["type"], own["payload"]) != (other["type"], other["payload"]):
                findings[id].add(own["seq"], f"differs from the event of {origin.id}, from which it was forked at {until}")
        row = stored[id].catalogue
        if row:
            findings[id].equal(None, "`forked_from` of the catalogue", row["forked_from"], origin.id)
            findings[id].equal(None, "`forked_seq` of the catalogue", row["forked_seq"], until)


def check_snapshots(database: Database, stored: dict, findings: dict, strays: Findings) -> None:
    """A snapshot was made of the log that is stored."""
    for row in database.snapshots:
        one = stored.get(row["meeting"])
        if one is None:
            strays.add(None, f"there is a snapshot of {row['meeting']}, which is not there")
            continue
        event = next((event for event in one.events if event.seq == row["seq"]), None)
        hash = event.hash if event else None
        findings[one.id].equal(row["seq"], "the checksum in the snapshot", row["log_hash"], hash)
