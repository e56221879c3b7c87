"""What the rows of the database say about what was acknowledged, read by a program that shares nothing with the product.

Each check takes plain data, so that `tests` can plant wrong histories.
"""

import collections
import json
import pathlib
import re
import sqlite3
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "recheck"))

import rows  # noqa: E402
from history import MARK, canonical, digest  # noqa: E402

# Where the mark of an act stands in the event that it leads to.
PLACES = {
    "user_message": lambda it: it["message"]["content"],
    "agent_message": lambda it: it["message"]["content"],
    "vote_cast": lambda it: json.dumps(it["vote"]),
    "minutes_requested": lambda it: it.get("note", ""),
    "agenda_changed": lambda it: it["item"]["title"] if it["change"] == "added" else "",
    "details_changed": lambda it: it["details"].get("title", ""),
    "file_attached": lambda it: it["file"]["name"],
}
# Which events an act leads to, and whether to exactly one: what has no key may be done again by a repetition.
EVENTS = {
    "say": ("user_message", True), "vote": ("vote_cast", True), "answer": ("agent_message", True),
    "minutes": ("minutes_requested", True), "agenda": ("agenda_changed", True), "rename": ("details_changed", False),
    "attach": ("file_attached", False),
}
# Turns whose answers stand in a message as they were sent.
TURNS = ("blind", "speak", "vote")
# How often a message of a webhook may come: it is sent again after failures, and after kills.
TIMES = 25
# The name of an act in the audit log.
AUDITED = {
    "say": "meetings.messages.post", "create": "meetings.post", "start": "meetings.start.post",
    "pause": "meetings.pause.post", "resume": "meetings.resume.post", "end": "meetings.end.post",
    "fork": "meetings.fork.post", "minutes": "meetings.minutes.post", "agenda": "meetings.agenda.post",
    "rename": "meetings.patch", "rules": "meetings.patch", "budget": "meetings.patch", "password": "meetings.patch",
    "attach": "meetings.files.post", "join": "meetings.join.post", "export": "meetings.export.get",
    "invite": "meetings.invitations.post", "answer": "turns.answer.post", "vote": "turns.answer.post",
    "skip": "turns.skip.post",
}


class Stored:
    """The rows, as far as the checks need them."""

    def __init__(self, path=None):
        # Meeting → list of (seq, line, event); meeting → row of the catalogue.
        self.events, self.catalogue = {}, {}
        # Rows of the audit log, of webhooks and of what is to be sent.
        self.audit, self.messages, self.webhooks = [], [], []
        # Meeting → the title that it was given after its end, which stands beside its log.
        self.titles = {}
        if path is not None:
            self.read(path)

    def read(self, path):
        """Reads a database file."""
        connection = sqlite3.connect(f"{pathlib.Path(path).absolute().as_uri()}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        for stored in rows.read(str(path)).meetings:
            self.catalogue[stored.id] = stored.catalogue
            self.events[stored.id] = [(row.seq, row.line, json.loads(row.line)) for row in stored.events]
        self.audit = [dict(row) for row in connection.execute("SELECT * FROM audit ORDER BY place")]
        self.messages = [dict(row) for row in connection.execute("SELECT * FROM webhook_message")]
        self.webhooks = [dict(row) for row in connection.execute("SELECT * FROM webhook")]
        self.titles = dict(connection.execute("SELECT meeting, title FROM meeting_label WHERE title IS NOT NULL").fetchall())
        connection.close()

    def marks(self):
        """(kind of event, mark) → the events that have it. What a fork has copied is not counted."""
        found = collections.defaultdict(list)
        for meeting, events in self.events.items():
            copied = (self.catalogue[meeting] or {}).get("forked_seq") or 0
            for seq, _, event in events:
                place = PLACES.get(event["type"])
                if place is None or seq <= copied:
                    continue
                for mark in set(MARK.findall(place(event["payload"]))):
                    if event["type"] != "agent_message" or is_own(events, event):
                        found[(event["type"], mark)].append((meeting, seq))
        for meeting, title in self.titles.items():
            for mark in set(MARK.findall(title)):
                found[("details_changed", mark)].append((meeting, 0))
        return found


def is_own(events, event):
    """Whether a message is the words of an agent or a person, and not of a simulated participant that quotes them."""
    for _, _, one in events:
        if one["type"] == "participant_joined" and one["payload"]["participant"]["id"] == event["payload"]["participant"]:
            return one["payload"]["participant"]["runner"]["kind"] == "external"
    return False


def check_marks(acts, stored):
    """What was acknowledged is there once; what was refused is not there; nothing is there twice."""
    found, wrong = stored.marks(), []
    for act in acts:
        if act.kind not in EVENTS or not act.mark:
            continue
        event, is_once = EVENTS[act.kind]
        turn = act.more.get("turn")
        if act.kind == "answer" and turn not in TURNS:
            continue
        places = found.get((event, act.mark), [])
        what = f"{act.kind} {act.mark} of {act.who} (key {act.key or 'none'}) at {act.meeting}"
        # An answer that cannot be used is asked for again.
        is_void = isinstance(act.answer, dict) and act.answer.get("asked_again")
        if act.outcome == "acknowledged" and not places and not is_void and not is_replaced(act, acts):
            wrong.append(f"{what} was acknowledged with {short(act.answer)}, and is lost")
        if act.outcome == "refused" and places:
            wrong.append(f"{what} was refused with {act.status} {short(act.answer)}, and is there: {places}")
        if is_once and len(places) > 1:
            wrong.append(f"{what} is there {len(places)} times: {places}")
        if any(meeting != act.meeting for meeting, _ in places):
            wrong.append(f"{what} is at another meeting: {places}")
        # The number in the answer is that of the last event that it led to.
        seq = act.answer.get("seq") if isinstance(act.answer, dict) else None
        if act.outcome == "acknowledged" and act.kind == "say" and places and seq < places[0][1]:
            wrong.append(f"{what} was acknowledged with event {seq}, and is event {places[0][1]}")
    return wrong


def is_replaced(act, acts):
    """Whether a title that was given after the end of a meeting may have made room for a later one."""
    if act.kind != "rename" or not isinstance(act.answer, dict) or act.answer.get("state") != "ended":
        return False
    later = [one for one in acts if one.kind == "rename" and one.meeting == act.meeting and one.at > act.at]
    return any(one.outcome != "refused" for one in later)


def check_numbers(acts, stored):
    """What an answer says of the log is in the log."""
    wrong = []
    for act in acts:
        if act.outcome != "acknowledged" or not isinstance(act.answer, dict):
            continue
        meeting = act.answer.get("id") if act.kind in ("create", "fork") else act.meeting
        seq = act.answer.get("seq") or act.answer.get("last_seq")
        last = len(stored.events.get(meeting, ()))
        if seq is not None and last < seq:
            wrong.append(f"{act.kind} of {act.who} was acknowledged with event {seq} of {meeting}, which has {last}")
    return wrong


def check_meetings(acts, stored):
    """Each meeting that was acknowledged is there once, and each fork."""
    topics, titles, wrong = collections.defaultdict(list), collections.defaultdict(list), []
    for meeting, events in stored.events.items():
        # A fork of a fork has the events of both.
        forked = next((event["payload"] for _, _, event in reversed(events) if event["type"] == "meeting_forked"), None)
        for mark in MARK.findall((forked or {}).get("title") or ""):
            titles[mark].append(meeting)
        for mark in MARK.findall(events[0][2]["payload"]["topic"]) if events and not forked else ():
            topics[mark].append(meeting)
    for act in acts:
        if act.kind not in ("create", "fork"):
            continue
        found = (topics if act.kind == "create" else titles).get(act.mark, [])
        what = f"{act.kind} {act.mark} of {act.who} (key {act.key})"
        if act.outcome == "acknowledged" and act.answer["id"] not in found:
            wrong.append(f"{what} was acknowledged as {act.answer['id']}, and is {found}")
        if act.outcome == "refused" and found:
            wrong.append(f"{what} was refused with {act.status} {short(act.answer)}, and is there: {found}")
        if len(found) > 1:
            wrong.append(f"{what} is there {len(found)} times: {found}")
    return wrong


def check_commands(acts, stored):
    """Starts, pauses, resumes and ends of each person: as many as were acknowledged, and no more than may have been done."""
    done = collections.Counter()
    for meeting, events in stored.events.items():
        copied = (stored.catalogue[meeting] or {}).get("forked_seq") or 0
        for seq, _, event in events:
            who, kind = event["actor"].get("id"), event["type"]
            if seq <= copied or event["actor"].get("kind") != "person":
                continue
            if kind in ("resume", "meeting_started") and event["cause"] in ("resume", "start"):
                done[(event["cause"], meeting, who)] += 1
    wanted, possible, wrong = collections.Counter(), collections.Counter(), []
    for act in acts:
        if act.kind not in ("resume", "start"):
            continue
        key = (act.kind, act.meeting, act.more["account"].removeprefix("user:"))
        wanted[key] += act.outcome == "acknowledged"
        possible[key] += act.outcome != "refused"
    for key in set(wanted) | set(done):
        kind, meeting, who = key
        if kind == "start" and done[key] < wanted[key] or kind == "resume" and done[key] < wanted[key]:
            wrong.append(f"{wanted[key]} × {kind} of {who} at {meeting} were acknowledged, and {done[key]} are there")
        if key in possible and done[key] > possible[key]:
            wrong.append(f"{done[key]} × {kind} of {who} at {meeting} are there, and {possible[key]} can have been done")
    return wrong


def check_pauses(acts, stored):
    """A pause that was acknowledged held at that event, or was about to; an end led to one."""
    wrong = []
    for act in acts:
        if act.kind not in ("pause", "end") or act.outcome != "acknowledged":
            continue
        events = [event for _, _, event in stored.events.get(act.meeting, ())]
        what = f"{act.kind} of {act.who} (key {act.key}) at {act.meeting} was acknowledged"
        if act.kind == "end":
            if not any(event["type"] in ("end_requested", "meeting_closing") for event in events):
                wrong.append(f"{what}, and nothing ended")
            continue
        turns = ("pause", "pause_requested", "resume")
        last = [event["type"] for event in events[: act.answer["last_seq"]] if event["type"] in turns][-1:]
        if last not in (["pause"], ["pause_requested"]):
            wrong.append(f"{what} with event {act.answer['last_seq']}, and the last that is there is {last}")
    return wrong


def check_rules(acts, stored):
    """Each change of a rule that was acknowledged is in the log."""
    values, wrong = collections.defaultdict(set), []
    for meeting, events in stored.events.items():
        for _, _, event in events:
            if event["type"] in ("rules_changed", "meeting_created"):
                for name, value in event["payload"]["rules"]["limits"].items():
                    values[meeting].add(f"{name} {value}")
    for act in acts:
        if act.kind in ("rules", "budget") and act.outcome == "acknowledged" and act.mark not in values[act.meeting]:
            wrong.append(f"{act.kind} of {act.who}: {act.mark} was acknowledged at {act.meeting}, and is not in the log")
    return wrong


def check_audit(acts, stored, faults=()):
    """Each change that was acknowledged has a line in the audit log.

    A line is written right after the answer, and waits in memory while nothing can be written: a kill in that moment takes
    it along."""
    lines, wanted, taken, wrong = collections.Counter(), collections.Counter(), collections.Counter(), []
    for row in stored.audit:
        status = json.loads(row["detail"]).get("status", 0)
        if 200 <= status < 300:
            lines[(row["who"], row["action"], row["meeting"])] += 1
    for act in acts:
        account = act.more.get("account", "")
        if act.outcome != "acknowledged" or act.kind not in AUDITED or not account.startswith(("user:", "agent:")):
            continue
        key = (account, AUDITED[act.kind], act.meeting)
        wanted[key] += 1
        ended = act.more.get("ended", 0)
        taken[key] += any("kill" in name and begun - 1 < ended < end for name, begun, end in faults)
    for key, count in wanted.items():
        if lines[key] < count - taken[key]:
            wrong.append(f"the audit log has {lines[key]} lines of {key[0]}, {key[1]}, {key[2]}: {count} were acknowledged")
    return wrong


def check_listener(heard, stored, waits=True):
    """A listener heard every event once, in order, as it is stored."""
    name = f"a listener of {heard.meeting} over {heard.over}"
    wrong = [f"{name} heard {what}" for what in heard.wrong[:3]]
    events = stored.events.get(heard.meeting, [])
    names = {seq: canonical(event) if heard.over == "WebSocket" else digest(line) for seq, line, event in events}
    other = [seq for seq, line in heard.lines.items() if names.get(seq) != line]
    if other:
        wrong.append(f"{name} heard events that are not stored as it heard them: {other[:5]}")
    missing = [seq for seq in names if seq not in heard.lines]
    if waits and missing:
        wrong.append(f"{name} did not hear {len(missing)} of {len(names)} events: {missing[:5]}")
    return wrong


def check_webhooks(hook, paths, stored):
    """What was sent came at least once, and has one id and one content, however often it came."""
    wrong = []
    for (path, id), contents in hook.ids.items():
        if sum(contents.values()) > TIMES:
            wrong.append(f"the webhook message {id} came {sum(contents.values())} times")
        if len(contents) > 1:
            wrong.append(f"the webhook message {id} has {len(contents)} contents")
    for (path, meeting, seq), ids in hook.events.items():
        if len(ids) > 1:
            wrong.append(f"event {seq} of {meeting} came to {path} under {len(ids)} ids: {sorted(ids)}")
    of_webhook = {row["key"]: row for row in stored.webhooks}
    made = set()
    for row in stored.messages:
        webhook = of_webhook.get(row["webhook"])
        path = webhook and paths.get(webhook["id"])
        if path is None or row["seq"] is None:
            continue
        made.add((path, row["meeting"], row["seq"]))
        if row["state"] == "delivered" and row["id"] not in {id for there, id in hook.ids if there == path}:
            wrong.append(f"the webhook message {row['id']} counts as delivered, and did not come")
    for row in stored.webhooks:
        path = paths.get(row["id"])
        kinds = json.loads(row["events"]) if row["events"].startswith("[") else row["events"].split(",")
        if path is None or not kinds or not row["enabled"]:
            continue
        for meeting, events in stored.events.items():
            # A webhook has not entered a meeting with a password.
            if any(event["type"] == "access_changed" for _, _, event in events):
                continue
            copied = (stored.catalogue[meeting] or {}).get("forked_seq") or 0
            for seq, _, event in events:
                if event["type"] in kinds and seq > copied and (path, meeting, seq) not in made:
                    if (path, meeting, seq) not in hook.events:
                        wrong.append(f"event {seq} of {meeting} ({event['type']}) was not sent to {path}")
    return wrong


def check_secrets(secrets, files):
    """What is secret stands in no file."""
    wrong = []
    values = [(value.encode(), name) for value, name in secrets.items()]
    for path in files:
        content = pathlib.Path(path).read_bytes()
        wrong += [f"{name} stands in {pathlib.Path(path).name}" for value, name in values if value in content]
    return wrong


def check_slow(slow, faults, late, bound):
    """Each request was answered within its bound, unless the process or its link stood still."""
    stands = ("kill", "stop", "terminate", "read-only", "link: hang", "link: delay", "link: cut")
    wrong = []
    for kind, status, begun, ended, allowance in slow:
        excused = any(any(one in name for one in stands) and start - 1 < ended and begun < end + 3 for name, start, end in faults)
        full = any(name.startswith("full disk") and start < ended and begun < end for name, start, end in faults)
        limit = (bound if not full else max(2.0, bound / 4)) * allowance + 2 * late
        waits = kind in ("turns", "mcp wait", "export")
        if not excused and not waits and (ended - begun > limit or status == -1):
            wrong.append(f"{kind} was answered with {status} after {ended - begun:.1f} s")
    return wrong


def check_log(text):
    """What a server may not write: that something of it has panicked."""
    lines = [line for line in text.splitlines() if re.search(r"panicked at|quarantined=[1-9]|assertion .*failed", line)]
    return [f"the server wrote: {line[:300]}" for line in lines[:5]]


def short(answer):
    """An answer for a message."""
    text = str(answer)
    return text if len(text) <= 160 else text[:159] + "…"
