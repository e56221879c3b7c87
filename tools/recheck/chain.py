"""The rows of one meeting: sequence, times, and the chain of checksums (docs/export.md, "Format")."""

import hashlib
import json

from findings import Findings
from rows import Stored

NEWEST_VERSION = 5


def parse(stored: Stored, found: Findings) -> list[dict]:
    """The events of the rows; a line that is no event is noted and left out."""
    events = []
    for row in stored.events:
        try:
            event = json.loads(row.line)
            for name in ("version", "seq", "meeting_id", "ts_ms", "actor", "type", "payload"):
                if name not in event:
                    raise ValueError(f"`{name}` is missing")
        except ValueError as error:
            found.add(row.seq, f"the line is no event: {error}")
            continue
        found.equal(row.seq, "the number in the line", event["seq"], row.seq)
        found.equal(row.seq, "the type in the line", event["type"], row.kind)
        found.equal(row.seq, "the time in the line", event["ts_ms"], row.ts_ms)
        found.equal(row.seq, "the meeting in the line", event["meeting_id"], stored.id)
        events.append(event)
    return events


def check_rows(stored: Stored, found: Findings) -> None:
    """Numbers have no gap, times never go back, and each checksum follows from the one before it."""
    before = hashlib.sha256(stored.id.encode()).digest()
    last_ms, last_place, expected = 0, 0, 1
    for row in stored.events:
        if row.seq != expected:
            found.add(row.seq, f"follows event {expected - 1}, expected event {expected}")
        expected = row.seq + 1
        if row.ts_ms < last_ms:
            found.add(row.seq, f"its time {row.ts_ms} is before that of the previous event, {last_ms}")
        last_ms = row.ts_ms
        if row.place and row.place <= last_place:
            found.add(row.seq, f"is stored at place {row.place}, before the event that it follows ({last_place})")
        last_place = row.place
        if row.hash is None:
            continue
        if hashlib.sha256(before + row.line.encode()).digest() != row.hash:
            found.add(row.seq, "the checksum does not follow from the line and the previous checksum")
        before = row.hash
    if stored.catalogue is not None:
        last = stored.events[-1] if stored.events else None
        found.equal(None, "`last_seq` of the catalogue", stored.catalogue["last_seq"], last.seq if last else 0)
        found.equal(None, "`last_hash` of the catalogue", stored.catalogue["last_hash"], before)


def check_versions(events: list[dict], found: Findings) -> None:
    """What is appended to a log has the version of the program that appends it, and it is never an older one."""
    last = 1
    for event in events:
        version = event["version"]
        if not isinstance(version, int) or not 1 <= version <= NEWEST_VERSION:
            found.add(event["seq"], f"has version {version!r}, expected 1 to {NEWEST_VERSION}")
        elif version < last:
            found.add(event["seq"], f"has version {version}, after an event of version {last}")
        else:
            last = version
