"""Faults that are planted in a database are found, and nothing else is.

The databases are made of the logs in `fixtures/meetings`. Those whose checksums are made anew show that a fault is found
by what the events say, and not only because a line was changed.
"""

import hashlib
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "recheck"))

import ed25519  # noqa: E402
import product  # noqa: E402
import reader as recheck  # noqa: E402
import rows  # noqa: E402
import views  # noqa: E402

TABLES = """
CREATE TABLE meeting (key INTEGER PRIMARY KEY, id TEXT, topic TEXT, language TEXT, format TEXT, created_ms INTEGER,
    phase TEXT, paused INTEGER, outcome TEXT, participants INTEGER, updated_ms INTEGER, last_seq INTEGER, last_hash BLOB,
    title TEXT, forked_from TEXT, forked_seq INTEGER, description TEXT);
CREATE TABLE event (place INTEGER PRIMARY KEY, meeting INTEGER, seq INTEGER, ts_ms INTEGER, kind TEXT, line TEXT, hash BLOB);
CREATE TABLE snapshot (meeting TEXT, seq INTEGER, log_hash BLOB);
CREATE TABLE person_seat (meeting INTEGER, participant INTEGER, person TEXT);
"""


def events_of(name: str) -> list[dict]:
    """A log of the fixtures."""
    with open(ROOT / "fixtures" / "meetings" / f"{name}.jsonl", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def seal(events: list[dict]) -> list[rows.Row]:
    """The rows of a log, with checksums that fit."""
    before, sealed = hashlib.sha256(events[0]["meeting_id"].encode()).digest(), []
    for event in events:
        line = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        before = hashlib.sha256(before + line.encode()).digest()
        sealed.append(rows.Row(event["seq"], event["ts_ms"], event["type"], line, before, event["seq"]))
    return sealed


class Planted(unittest.TestCase):
    """A database of one meeting, and the command that reads it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "quorate.db")

    def write(self, events: list[dict], change=lambda connection: None) -> list[str]:
        """Stores a meeting, changes rows, and gives what the reader finds."""
        sealed = seal(events)
        found = recheck.Findings(events[0]["meeting_id"])
        meeting = recheck.Meeting(events, found)
        if os.path.exists(self.path):
            os.remove(self.path)
        connection = sqlite3.connect(self.path)
        connection.executescript(TABLES)
        row = {
            "key": 1, "id": found.meeting, "topic": meeting.topic, "language": meeting.created["language"],
            "format": meeting.created["format"], "created_ms": (meeting.forked or events[0])["ts_ms"], "phase": "", "paused": int(meeting.pause_began),
            "outcome": meeting.outcome(), "participants": sum(seat.present for seat in meeting.seats.values()),
            "updated_ms": meeting.ts_ms, "last_seq": sealed[-1].seq, "last_hash": sealed[-1].hash, "title": None,
            "description": meeting.details.get("description", ""),
        }
        names = ", ".join(row)
        connection.execute(f"INSERT INTO meeting ({names}) VALUES ({', '.join('?' * len(row))})", list(row.values()))
        for one in sealed:
            values = (one.place, 1, one.seq, one.ts_ms, one.kind, one.line, one.hash)
            connection.execute("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        change(connection)
        connection.commit()
        connection.close()
        return [str(one) for one in recheck.check(self.path, None, False)]

    def assert_found(self, differences: list[str], *texts: str):
        """Each text stands in one of the differences."""
        for text in texts:
            self.assertTrue(any(text in one for one in differences), f"{text!r} is not among {differences}")

    def sql(self, statement: str):
        """A change of rows behind the product's back."""
        return lambda connection: connection.execute(statement)


def first(events: list[dict], kind: str, holds=lambda payload: True) -> dict:
    """The first event of a type."""
    return next(event for event in events if event["type"] == kind and holds(event["payload"]))


def repeat(events: list[dict], event: dict) -> list[dict]:
    """The same log in which one event stands twice, numbered anew."""
    at = events.index(event) + 1
    return renumber(events[:at] + [json.loads(json.dumps(event))] + events[at:])


def renumber(events: list[dict]) -> list[dict]:
    """Numbers without a gap."""
    return [{**event, "seq": at + 1} for at, event in enumerate(events)]


class Rows(Planted):
    """What is changed without new checksums."""

    def test_a_sound_database_has_no_differences(self):
        for path in sorted((ROOT / "fixtures" / "meetings").glob("*/*.jsonl")):
            with self.subTest(path.stem):
                self.assertEqual(self.write(events_of(f"{path.parent.name}/{path.stem}")), [])

    def test_a_removed_row(self):
        found = self.write(events_of("en/consensus"), self.sql("DELETE FROM event WHERE seq = 20"))
        self.assert_found(found, "event 21: follows event 19", "event 21: the checksum does not follow")

    def test_the_last_row_removed(self):
        last = "DELETE FROM event WHERE seq = (SELECT max(seq) FROM event)"
        self.assert_found(self.write(events_of("en/consensus"), self.sql(last)), "`last_seq` of the catalogue")

    def test_a_changed_line(self):
        change = "UPDATE event SET line = replace(line, 'SQLite', 'MySQL') WHERE seq = 17"
        self.assert_found(self.write(events_of("en/consensus"), self.sql(change)), "event 17: the checksum")

    def test_columns_that_differ_from_the_line(self):
        found = self.write(events_of("en/room"), self.sql("UPDATE event SET kind = 'error', ts_ms = 5 WHERE seq = 9"))
        self.assert_found(found, "event 9: the type in the line", "event 9: the time in the line")

    def test_a_row_of_no_meeting(self):
        found = self.write(events_of("en/room"), self.sql("UPDATE event SET meeting = 7 WHERE seq = 9"))
        self.assert_found(found, "belongs to meeting 7")

    def test_the_catalogue(self):
        found = self.write(events_of("en/room"), self.sql("UPDATE meeting SET participants = 9, outcome = 'accepted'"))
        self.assert_found(found, "`participants` of the catalogue", "`outcome` of the catalogue")

    def test_a_snapshot_of_another_log(self):
        found = self.write(events_of("en/room"), self.sql("INSERT INTO snapshot VALUES ('meeting', 9, x'00')"))
        self.assert_found(found, "event 9: the checksum in the snapshot")


    def test_a_seat_of_nobody(self):
        found = self.write(events_of("en/room"), self.sql("INSERT INTO person_seat VALUES (1, 2, 'ada')"))
        self.assert_found(found, "the seats of people")


class Contents(Planted):
    """What is changed with new checksums."""

    def test_a_vote_doubled(self):
        events = events_of("en/consensus")
        found = self.write(repeat(events, first(events, "vote_cast")))
        self.assert_found(found, "voted before in b1")

    def test_a_vote_changed(self):
        events = events_of("en/consensus")
        vote = first(events, "vote_cast")["payload"]["vote"]
        vote["score"] = 0 if vote["score"] else 100
        self.assert_found(self.write(events), "`got` of mean_score")

    def test_a_vote_removed(self):
        events = events_of("en/consensus")
        events.remove(first(events, "vote_cast"))
        self.assert_found(self.write(renumber(events)), "the ballot closes before ['p1'] voted", "`votes` of the verdict")

    def test_a_verdict_changed(self):
        events = events_of("en/consensus")
        verdict = first(events, "ballot_closed")["payload"]["verdict"]
        verdict["passed"] = not verdict["passed"]
        self.assert_found(self.write(events), "`passed` of the verdict")

    def test_a_vote_after_the_end_of_the_ballot(self):
        events = events_of("en/consensus")
        vote = first(events, "vote_cast")
        events.remove(vote)
        events.insert(events.index(first(events, "ballot_closed")) + 1, vote)
        self.assert_found(self.write(renumber(events)), "the ballot b1 is not open")

    def test_a_cost_changed(self):
        events = events_of("en/faults-741")
        call = first(events, "call_ended", lambda it: (it["cost_micros"] or 0) > 0)
        call["payload"]["cost_micros"] += 1
        found = self.write(events)
        self.assert_found(found, f"event {call['seq']}: `cost_micros`")

    def test_tokens_changed(self):
        events = events_of("en/consensus")
        first(events, "call_ended")["payload"]["usage"]["input_tokens"] += 1
        self.assert_found(self.write(events), "`usage.input_tokens`")

    def test_a_budget_overrun(self):
        events = events_of("en/consensus")
        events[0]["payload"]["rules"]["limits"]["tokens"] = 5000
        self.assert_found(self.write(events), "are more than the budget of 5000 tokens")

    def test_a_turn_ended_twice(self):
        events = events_of("en/consensus")
        turn = first(events, "agent_message")
        end = {"turn": turn["payload"]["turn"], "participant": turn["payload"]["participant"], "reason": "timed_out"}
        events.insert(events.index(turn) + 1, {**turn, "type": "turn_skipped", "payload": end})
        self.assert_found(self.write(renumber(events)), "ended before, with event")

    def test_a_turn_without_an_end(self):
        events = events_of("en/room")
        events.remove(first(events, "agent_message"))
        self.assert_found(self.write(renumber(events)), "the round ends before its turns", "expected m")

    def test_a_turn_offered_twice(self):
        events = events_of("en/consensus")
        self.assert_found(self.write(repeat(events, first(events, "speaker_selected"))), "was offered before")

    def test_a_call_without_an_end(self):
        events = events_of("en/room")
        events.remove(first(events, "call_ended"))
        self.assert_found(self.write(renumber(events)), "while its call is in flight")

    def test_a_position_left_out(self):
        events = events_of("en/consensus")
        first(events, "summary_written")["payload"]["positions"][0]["holders"].pop()
        self.assert_found(self.write(events), "holds a position and is left out")

    def test_minutes_asked_for_twice(self):
        events = events_of("en/faults-154")
        asked = first(events, "minutes_requested")
        again = renumber(repeat(events, asked))
        self.assert_found(self.write(again), "was asked for before")
        # A request that was withdrawn may be made again.
        task = f"minutes:v{asked['payload']['version']}"
        error = {"task": task, "kind": "malformed", "detail": {"code": "x"}, "hint": {"code": "x"}, "then": "withdrawn"}
        again.insert(asked["seq"], {**asked, "type": "error", "payload": error})
        self.assertFalse([one for one in self.write(renumber(again)) if "was asked for before" in one])

    def test_an_event_after_the_end(self):
        events = events_of("en/room")
        self.assert_found(self.write(repeat(events, events[-1])), "finished after `finished`")

    def test_an_unknown_type(self):
        events = events_of("en/room")
        events[8] = {**events[8], "type": "nonsense"}
        self.assert_found(self.write(events), "event 9: has the type nonsense")


class Shown(unittest.TestCase):
    """What a caller is shown."""

    def found(self, name: str, until, viewer: views.Viewer, change) -> list[str]:
        """Shows a viewer what it may see of the beginning of a log, after a change, and gives what is found."""
        events = events_of(name)
        events = events[: events.index(first(events, *until)) + 1]
        found = recheck.Findings("meeting")
        moment = views.Moment(recheck.Meeting(events, found))
        shown = [{**event, "payload": views.expected(viewer, moment, event)} for event in events]
        change(shown, events)
        lines = [json.dumps(event, ensure_ascii=False, separators=(",", ":")) for event in shown]
        views.check(viewer, [moment], seal(events), events, lines, found)
        return [str(one) for one in found]

    def swap(self, kind: str):
        """Shows the first event of a type in full."""

        def change(shown, events):
            at = events.index(first(events, kind))
            shown[at] = events[at]

        return change

    def test_what_may_be_shown_is_no_difference(self):
        for viewer in (views.Viewer("a reader", False), views.Viewer("a manager", True), views.Viewer("p1", False, "p1")):
            self.assertEqual(self.found("en/decision", ("finished",), viewer, lambda *_: None), [])

    def test_a_private_note_shown(self):
        found = self.found("en/decision", ("finished",), views.Viewer("a reader", False), self.swap("memory_written"))
        self.assertIn("a reader is shown memory_written in full", found[0])

    def test_a_hidden_mark_shown(self):
        found = self.found("en/brainstorm", ("finished",), views.Viewer("a reader", False), self.swap("evaluation_written"))
        self.assertIn("a reader is shown evaluation_written in full", found[0])

    def test_a_score_shown_before_the_ballot_closes(self):
        for viewer in (views.Viewer("a reader", False), views.Viewer("the owner", True, "p2")):
            found = self.found("en/consensus", ("vote_cast",), viewer, self.swap("vote_cast"))
            self.assertIn("is shown vote_cast in full", found[0])

    def test_a_blind_answer_shown_before_the_round_ends(self):
        found = self.found("en/consensus", ("agent_message",), views.Viewer("p2", False, "p2"), self.swap("agent_message"))
        self.assertIn("p2 is shown agent_message in full", found[0])

    def test_an_event_left_out(self):
        found = self.found("en/room", ("finished",), views.Viewer("a reader", False), lambda shown, _: shown.pop())
        self.assertIn("a reader got", found[0])


class Command(Planted):
    """The command itself."""

    def run_it(self, *arguments: str) -> int:
        """Its exit code."""
        command = [sys.executable, str(ROOT / "tools" / "recheck"), *arguments]
        return subprocess.run(command, capture_output=True).returncode

    def test_exit_codes(self):
        self.write(events_of("en/room"))
        self.assertEqual(self.run_it(self.path), 0)
        self.write(events_of("en/room"), self.sql("DELETE FROM event WHERE seq = 3"))
        self.assertEqual(self.run_it(self.path), 1)
        self.assertEqual(self.run_it(self.path + ".missing"), 2)
        pathlib.Path(self.path).write_text("no database")
        self.assertEqual(self.run_it(self.path), 2)

    def test_reading_changes_nothing(self):
        self.write(events_of("en/room"))
        before = pathlib.Path(self.path).read_bytes()
        self.run_it(self.path)
        self.assertEqual(before, pathlib.Path(self.path).read_bytes())

    def test_signatures(self):
        # RFC 8032, section 7.1, test 2.
        key = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        signature = bytes.fromhex(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        self.assertTrue(ed25519.verify(key, b"\x72", signature))
        self.assertFalse(ed25519.verify(key, b"\x73", signature))

    def test_times(self):
        self.assertEqual(product.rfc3339(1790000000007), "2026-09-21T14:13:20.007Z")


if __name__ == "__main__":
    unittest.main()
