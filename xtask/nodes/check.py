"""What the rows of the database say, read by a program that shares nothing with the product.

Triggers note for each append and each change of hands what stood in the database at that moment.
"""

import collections
import hashlib
import json
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "recheck"))

import reader  # noqa: E402

# Beside the tables of the product. What they note is part of the transaction that they watch.
WATCH = """
CREATE TABLE watched_append (
    meeting BIGINT, seq BIGINT, epoch BIGINT, owner TEXT, node TEXT, at DOUBLE PRECISION
);
CREATE TABLE watched_owner (
    meeting BIGINT, epoch BIGINT, before TEXT, after TEXT, lease_left DOUBLE PRECISION, at DOUBLE PRECISION,
    phase TEXT
);
CREATE FUNCTION watch_append() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_append
    SELECT added.meeting, added.seq, meeting.epoch, meeting.owner, current_setting('quorate.node', true),
           extract(epoch FROM clock_timestamp())
    FROM added JOIN meeting ON meeting.key = added.meeting;
    RETURN NULL;
END $$;
CREATE FUNCTION watch_owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO watched_owner
    SELECT NEW.key, NEW.epoch, OLD.owner, NEW.owner,
           (SELECT extract(epoch FROM lease_until - clock_timestamp()) FROM node WHERE token = OLD.owner),
           extract(epoch FROM clock_timestamp()), NEW.phase;
    RETURN NULL;
END $$;
CREATE TRIGGER watch_append AFTER INSERT ON event REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION watch_append();
CREATE TRIGGER watch_owner AFTER UPDATE OF owner ON meeting
    FOR EACH ROW WHEN (OLD.owner IS DISTINCT FROM NEW.owner) EXECUTE FUNCTION watch_owner();
"""
# A lease that was renewed while a claim was on its way looks younger than this.
JUST_RENEWED_S = 9.0


class Rows:
    """The rows, and what is wrong with them."""

    def __init__(self, cluster):
        self.wrong, self.lines = [], {}
        self.said, self.kinds = collections.Counter(), collections.Counter()
        self.last, self.ids = collections.Counter(), {}
        self.read_events(cluster)
        self.read_appends(cluster)
        self.read_owners(cluster)
        # Numbers, checksums, turns, votes, bills, the catalogue: the second reader looks at all of it.
        os.environ["PSQL"] = cluster.options.psql
        self.wrong += [str(one) for one in reader.check(cluster.database, None, False)]
        self.wrong += [f"a message twice: {one}" for one, count in self.said.items() if count > 1]

    def read_events(self, cluster):
        rows = cluster.sql(
            "SELECT meeting.key, meeting.id, event.seq, event.line FROM event"
            " JOIN meeting ON meeting.key = event.meeting ORDER BY meeting.key, event.seq"
        )
        for row in rows.split("\n"):
            if not row:
                continue
            key, meeting, seq, line = row.split("\t", 3)
            self.last[meeting], self.ids[int(key)] = int(seq), meeting
            self.lines[(meeting, int(seq))] = hashlib.sha256(line.encode()).digest()[:8]
            event = json.loads(line)
            self.kinds[event["type"]] += 1
            if event["type"] == "user_message":
                self.said[(meeting, event["payload"]["message"]["content"])] += 1

    def read_appends(self, cluster):
        """Whoever appends owns the meeting at that moment, and what an owner has appended is not gone back behind."""
        owners, epochs, appended, told = {}, collections.Counter(), collections.Counter(), set()
        for line in cluster.sql(
            "SELECT meeting, seq, epoch, coalesce(owner, ''), coalesce(node, '') FROM watched_append"
            " ORDER BY meeting, seq"
        ).splitlines():
            key, seq, epoch, owner, node = line.split("\t")
            meeting = self.ids.get(int(key), key)
            appended[meeting] += 1
            if owner != node and (meeting, node) not in told:
                told.add((meeting, node))
                self.wrong.append(f"{meeting}: event {seq} was appended by {node or 'nobody'}; it is owned by {owner}")
            if int(epoch) < epochs[meeting]:
                self.wrong.append(f"{meeting}: event {seq} of epoch {epoch} follows epoch {epochs[meeting]}")
            epochs[meeting] = int(epoch)
            if owners.setdefault((meeting, epoch), owner) != owner:
                self.wrong.append(f"{meeting}: epoch {epoch} is of two owners")
        # What was created before there were triggers may lack its first events.
        self.watched = sum(appended.values())

    def read_owners(self, cluster):
        """A meeting is taken only from an owner whose lease has passed."""
        self.takeovers, before = [], {}
        for line in cluster.sql(
            "SELECT meeting, epoch, coalesce(before, ''), coalesce(after, ''), coalesce(lease_left, -1), at,"
            " phase"
            " FROM watched_owner ORDER BY at"
        ).splitlines():
            key, epoch, last, next_one, left, at, phase = line.split("\t")
            meeting = self.ids.get(int(key), key)
            if next_one and last and 0 < float(left) < JUST_RENEWED_S:
                self.wrong.append(f"{meeting}: {next_one} took it from {last}, whose lease had {left} s left")
            if next_one and int(epoch) <= before.get(meeting, 0):
                self.wrong.append(f"{meeting}: epoch {epoch} follows epoch {before[meeting]}")
            before[meeting] = int(epoch)
            if next_one and last:
                self.takeovers.append((float(at), phase, last))

    def taken_after(self, killed):
        """The seconds from each kill of a process until another one owned a meeting of that process.

        Meetings that have not begun are taken over when somebody asks for them."""
        return [
            taken - killed[last]
            for taken, phase, last in self.takeovers
            if phase != "draft" and taken > killed.get(last, taken)
        ]

    def check_acknowledged(self, acknowledged):
        self.wrong += [f"an acknowledged message is lost: {one}" for one in acknowledged if self.said[one] == 0]

    def check_listener(self, listener):
        name = f"a listener of {listener.meeting}"
        self.wrong += [f"{name} heard {what}" for what in listener.wrong]
        for seq, heard in listener.heard.items():
            if self.lines.get((listener.meeting, seq)) != heard:
                self.wrong.append(f"{name} heard an event {seq} that is not the one that is stored")
