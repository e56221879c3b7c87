"""The raw rows of a database: of its events, and of its catalogue of meetings.

A database is a SQLite file, a PostgreSQL database (read with `psql`), or a file of events, one line each.
"""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
from dataclasses import dataclass, field


class Unreadable(Exception):
    """The database cannot be read at all, or is none."""


@dataclass
class Row:
    """One row of the table of events."""

    seq: int
    ts_ms: int
    kind: str
    line: str
    hash: bytes | None
    place: int = 0


@dataclass
class Stored:
    """One meeting: its row in the catalogue, which a file of events does not have, and its events."""

    id: str
    catalogue: dict | None
    events: list[Row] = field(default_factory=list)
    # The title that was given after the end, beside the log.
    given_title: str | None = None


@dataclass
class Database:
    """All that was read."""

    meetings: list[Stored]
    # What fits no meeting.
    strays: list[str] = field(default_factory=list)
    # One row for each meeting that has a snapshot: meeting, seq, log_hash.
    snapshots: list[dict] = field(default_factory=list)
    # Which person holds a seat: meeting (its key), participant, person.
    seats: list[dict] = field(default_factory=list)


def read(address: str) -> Database:
    """Reads a database, and changes nothing in it."""
    if address.startswith(("postgres://", "postgresql://")):
        return from_tables(lambda table: psql(address, table))
    if not os.path.exists(address):
        raise Unreadable(f"{address}: there is no such file")
    if address.endswith(".jsonl"):
        return from_lines(address)
    try:
        return from_file(address)
    except sqlite3.Error as error:
        raise Unreadable(f"{address}: {error}") from error


def from_file(path: str) -> Database:
    """Reads a SQLite file in one transaction."""
    with tempfile.TemporaryDirectory() as folder:
        connection = connect(path, folder)
        connection.row_factory = sqlite3.Row
        connection.execute("BEGIN")
        try:
            return from_tables(lambda table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")])
        finally:
            connection.close()


def connect(path: str, folder: str) -> sqlite3.Connection:
    """Opens a file for reading. What a killed process left beside it may need a folder in which to write."""
    try:
        connection = sqlite3.connect(f"{pathlib.Path(path).absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        return connection
    except sqlite3.OperationalError:
        copy = os.path.join(folder, "copy.db")
        shutil.copy(path, copy)
        for beside in ("-wal",):
            if os.path.exists(path + beside):
                shutil.copy(path + beside, copy + beside)
        return sqlite3.connect(copy, isolation_level=None)


def psql(address: str, table: str) -> list[dict]:
    """The rows of a table as JSON; bytes come as `\\x…`."""
    query = f"SELECT row_to_json(t) FROM {table} t"
    command = [os.environ.get("PSQL", "psql"), "-X", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", query, address]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    except OSError as error:
        raise Unreadable(f"psql cannot be run: {error}") from error
    if done.returncode != 0:
        raise Unreadable(f"psql: {done.stderr.strip()}")
    return [json.loads(line) for line in done.stdout.splitlines() if line]


def as_bytes(value) -> bytes:
    """Bytes, however the database gave them."""
    return bytes.fromhex(value.removeprefix("\\x")) if isinstance(value, str) else bytes(value)


def from_tables(table) -> Database:
    """Puts the rows of both kinds of databases together."""
    catalogue = table("meeting")
    by_key = {row["key"]: Stored(row["id"], row) for row in catalogue}
    found = Database(list(by_key.values()))
    for row in table("event"):
        owner = by_key.get(row["meeting"])
        if owner is None:
            found.strays.append(f"event {row['seq']} belongs to meeting {row['meeting']}, which is not there")
            continue
        one = Row(row["seq"], row["ts_ms"], row["kind"], row["line"], as_bytes(row["hash"]), row.get("place", 0))
        owner.events.append(one)
    for stored in found.meetings:
        stored.events.sort(key=lambda one: one.seq)
        stored.catalogue["last_hash"] = as_bytes(stored.catalogue["last_hash"])
    found.snapshots = [{**row, "log_hash": as_bytes(row["log_hash"])} for row in table("snapshot")]
    found.seats = table("person_seat")
    by_id = {stored.id: stored for stored in found.meetings}
    for name in ("meeting_label", "result_link"):
        for row in unless_older(table, name):
            owner = by_id.get(row["meeting"])
            if owner is None:
                found.strays.append(f"a row of {name} belongs to meeting {row['meeting']}, which is not there")
            elif name == "meeting_label":
                owner.given_title = row["title"]
    return found


def unless_older(table, name: str) -> list[dict]:
    """The rows of a table that a database of an older version does not have."""
    try:
        return table(name)
    except (sqlite3.OperationalError, Unreadable):
        return []


def from_lines(path: str) -> Database:
    """Reads a file of events, such as an export: its last line may hold the checksums."""
    stored = Stored("", None)
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            if not line:
                continue
            try:
                event = json.loads(line)
                if "chain" in event:
                    for row, checksum in zip(stored.events, event["chain"]):
                        row.hash = bytes.fromhex(checksum)
                    continue
                stored.id = stored.id or event["meeting_id"]
                stored.events.append(Row(event["seq"], event["ts_ms"], event["type"], line, None))
            except (ValueError, KeyError, TypeError) as error:
                raise Unreadable(f"{path}: no line of an event: {error!r}") from error
    return Database([stored])
