"""What the commands of the product say about the same meetings."""

import hashlib
import json
import os
import subprocess
from datetime import datetime, timedelta, timezone

import ed25519
import views
from bills import public_label
from findings import Findings
from rows import Unreadable

# A signed log ends with its signature, which covers this text (docs/export.md, "Format").
SIGNED = "quorate log signature 1\nmeeting_id {meeting_id}\nseq {seq}\nhash {hash}\nchecksums {checksums}\nsigned_at {signed_at}\nkey_id {key_id}\n"


class Binary:
    """The command `quorate` on one database."""

    def __init__(self, path: str, database: str):
        self.path, self.database = path, database
        self.environment = {**os.environ, "QUORATE_LANG": "en"}

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        """Runs one command."""
        command = [self.path, "--db", self.database, *arguments]
        try:
            return subprocess.run(command, capture_output=True, env=self.environment, timeout=300, text=True)
        except OSError as error:
            raise Unreadable(f"{self.path} cannot be run: {error}") from error

    def json(self, *arguments: str):
        """The answer of a command, or the reason why there is none."""
        done = self.run(*arguments)
        if done.returncode != 0:
            return None, (done.stderr.strip() or done.stdout.strip())[-300:]
        try:
            return json.loads(done.stdout), ""
        except ValueError as error:
            return None, f"no JSON: {error}"


def rfc3339(ms: int | None) -> str | None:
    """A time as the API writes it."""
    if ms is None:
        return None
    at = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(milliseconds=ms)
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def owner_viewer(meeting) -> views.Viewer:
    """The person at this machine, with the seat that it has."""
    own = [s.id for s in meeting.seats.values() if s.present and is_owner(s.runner)]
    ballot = meeting.ballot_open()
    if not own and ballot:
        own = [s.id for s in meeting.seats.values() if s.id in ballot.voters and is_owner(s.runner)]
    return views.Viewer("the owner", True, own[0] if own else None)


def is_owner(runner: dict) -> bool:
    """Whether a seat is that of the person at this machine."""
    return runner.get("kind") == "external" and runner.get("via") == "person" and runner.get("name") == "owner"


def compare(binary: Binary, stored, meeting, found: Findings) -> None:
    """Compares what the commands print about a meeting with what its rows say."""
    viewer, moment = owner_viewer(meeting), views.Moment(meeting)
    if viewer.seat and moment.blind is not None:
        return  # A person with a seat waits for the others' answers.
    done = binary.run("replay", stored.id, "--json")
    if done.returncode != 0:
        found.add(None, f"`replay` fails: {done.stderr.strip()[-300:]}")
        return
    views.check(viewer, [moment], stored.events, meeting.events, done.stdout.splitlines(), found)
    report, why = binary.json("show", stored.id, "--json", "--lang", "en")
    if report is None:
        found.add(None, f"`show` fails: {why}")
        return
    compare_report(report, meeting, found, hides=viewer.seat is not None, given_title=stored.given_title)
    exported, why = binary.json("export", stored.id, "--format", "json", "--lang", "en")
    if exported is None:
        found.add(None, f"`export --format json` fails: {why}")
        return
    if not (viewer.seat and moment.ballot):
        compare_export(exported, report, stored, meeting, found)


def compare_export(exported: dict, report: dict, stored, meeting, found: Findings) -> None:
    """An export has the report, every event, the checksums of the rows, and a signature of both."""
    for name in report:
        found.equal(None, f"`{name}` of the report in the export", exported["report"].get(name), report[name])
    found.equal(None, "the number of exported events", len(exported["events"]), len(stored.events))
    for row, event, shown, link in zip(stored.events, meeting.events, exported["events"], exported["chain"]):
        found.equal(row.seq, "the exported checksum", link["hash"], row.hash.hex())
        found.equal(row.seq, "the exported line", link.get("line"), row.line)
        if event["version"] == shown["version"]:
            found.equal(row.seq, "the exported payload", views.bare(shown["payload"]), views.bare(event["payload"]))
    signature = exported.get("signature")
    if signature is None:
        found.equal(None, "`unsigned`", exported.get("unsigned") in ("no_key", "off_record", "damaged"), True)
        return
    key = bytes.fromhex(signature["public_key"])
    checksums = hashlib.sha256(b"".join(row.hash for row in stored.events)).hexdigest()
    found.equal(None, "`seq` of the signature", signature["seq"], stored.events[-1].seq)
    found.equal(None, "`hash` of the signature", signature["hash"], stored.events[-1].hash.hex())
    found.equal(None, "`checksums` of the signature", signature["checksums"], checksums)
    found.equal(None, "`key_id` of the signature", signature["key_id"], hashlib.sha256(key).hexdigest()[:32])
    if not ed25519.verify(key, SIGNED.format(**signature).encode(), bytes.fromhex(signature["signature"])):
        found.add(None, "the signature is not that of its key")


def compare_report(report: dict, meeting, found: Findings, hides: bool, given_title: str | None = None) -> None:
    """Compares the report with what the events say."""

    def equal(name: str, expected) -> None:
        found.equal(None, f"`{name}` of the report", report.get(name), expected)

    created = meeting.created
    equal("meeting_id", found.meeting)
    equal("topic", meeting.topic)
    equal("format", created["format"])
    equal("language", "en")  # That of its texts, which was asked for.
    title = (meeting.forked or {}).get("title") or meeting.details.get("title") or meeting.topic
    equal("title", given_title or title)
    equal("description", meeting.details.get("description", "")) if "description" in report else None
    equal("started_at", rfc3339(meeting.started_ms))
    equal("updated_at", rfc3339(meeting.ts_ms))
    equal("messages", len(meeting.messages))
    equal("rounds", meeting.round_count())
    equal("lost_calls", meeting.lost_calls)
    equal("outcome", outcome(meeting))
    drafts = meeting.drafts
    if meeting.conclusion:
        accepted = meeting.closing and meeting.closing["outcome"] == "accepted"
        text = draft_of(meeting, meeting.closing["ballot"]) if accepted else meeting.conclusion["conclusion"]
        equal("conclusion", text)
        equal("conclusion_seq", meeting.conclusion_seq)
    else:
        equal("conclusion", drafts[-1]["text"] if drafts else "")
        equal("conclusion_seq", drafts[-1]["seq"] if drafts else None)
    # A decided meeting holds the minutes and artifacts of the last version.
    minutes = max(meeting.minutes, key=lambda one: one["version"], default=None)
    equal_part(found, "minutes", report.get("minutes"), minutes and minutes["minutes"]["content"], "content")
    latest = {}
    for one in meeting.artifacts:
        latest[one["artifact_type"]] = (one["version"], one["content"])
    shown = {one["type"]: (one["version"], one["content"]) for one in report["artifacts"]}
    found.equal(None, "`artifacts` of the report", views.bare(pairs(shown)), views.bare(pairs(latest)))
    equal_list(found, "agenda", report["agenda"], meeting.agenda.values(), ("id", "title", "completed"))
    equal_list(found, "files", report["files"], meeting.files.values(), ("id", "name", "size", "sha256", "seq"))
    names = ("round", "open_questions_count", "disagreements_count", "convergence_score", "stable_rounds")
    equal_list(found, "convergence", report["convergence"], meeting.metrics, names)
    compare_ballots(report, meeting, found, hides)
    compare_costs(report, meeting, found)
    compare_failures(report, meeting, found)
    compare_evaluations(report, meeting, found)
    compare_positions(report, meeting, found)


def pairs(by_name: dict) -> list:
    """A mapping in a certain order."""
    return [[name, *by_name[name]] for name in sorted(by_name)]


def equal_part(found: Findings, name: str, shown, expected, part: str) -> None:
    """Compares one field of something that may be absent."""
    found.equal(None, f"`{name}` of the report", shown and shown.get(part), expected)


def equal_list(found: Findings, name: str, shown, expected, parts: tuple) -> None:
    """Compares some fields of all items of a list."""

    def only(items):
        return [{part: item.get(part) for part in parts} for item in items]

    found.equal(None, f"`{name}` of the report", only(shown), only(expected))


def outcome(meeting) -> dict | None:
    """The outcome in a report: it is decided when the meeting begins to close."""
    if not meeting.closing:
        return None
    names = ("outcome", "reason", "note", "ballot", "by", "budget")
    return {name: meeting.closing[name] for name in names if name in meeting.closing}


def draft_of(meeting, ballot: str) -> str:
    """The draft that a ballot was about."""
    return meeting.drafts[meeting.ballot(ballot).draft - 1]["text"]


def compare_ballots(report: dict, meeting, found: Findings, hides: bool) -> None:
    """Every ballot, with every vote."""
    found.equal(None, "the ballots of the report", [b["id"] for b in report["ballots"]], [b.id for b in meeting.ballots])
    for shown, ballot in zip(report["ballots"], meeting.ballots):
        draft = meeting.drafts[ballot.draft - 1]["seq"]
        # A meeting may end in the middle of a ballot.
        state = "interrupted" if ballot.state == "open" and meeting.finished else ballot.state
        wanted = (ballot.round, ballot.draft, draft, ballot.closed_seq, state)
        names = ("round", "draft_version", "draft_seq", "seq", "state")
        found.equal(ballot.seq, f"{ballot.id} in the report", tuple(shown[name] for name in names), wanted)
        if (shown["verdict"] is None) != (ballot.verdict is None):
            found.equal(ballot.seq, f"the verdict of {ballot.id} in the report", shown["verdict"], ballot.verdict)
        elif ballot.verdict:
            same = views.bare(shown["verdict"]) == views.bare(ballot.verdict)
            found.equal(ballot.seq, f"the verdict of {ballot.id} in the report", shown["verdict"] if not same else "", ballot.verdict if not same else "")
        if ballot.state == "open" and hides:
            continue
        votes = {}
        for voter, (_, payload) in ballot.cast.items():
            vote = payload.get("vote", {})
            kind = payload.get("kind")
            chosen, failed = kind == "chosen", kind is not None and kind != "chosen"
            votes[meeting.seats[voter].name] = (vote.get("score"), vote.get("pass"), vote.get("missing", []), chosen, failed)
        seen = {}
        for vote in shown["votes"]:
            if vote["score"] is None and not vote["abstained"] and not vote["failed"]:
                continue  # A voter who has not voted yet.
            seen[vote["name"]] = (vote["score"], vote["pass"], vote["missing"], vote["abstained"] is not None, vote["failed"] is not None)
        found.equal(ballot.seq, f"the votes of {ballot.id} in the report", seen, votes)


def compare_costs(report: dict, meeting, found: Findings) -> None:
    """The usage of each participant and model, and of all of them."""

    def row(bill) -> tuple:
        usage = bill.usage
        return (bill.calls, bill.retries, bill.fallbacks, usage["input_tokens"], usage["output_tokens"],
                usage["cached_tokens"], bill.estimated, bill.cost())

    def shown_row(one) -> tuple:
        names = ("calls", "retries", "fallbacks", "input_tokens", "output_tokens", "cached_tokens", "estimated", "cost_micros")
        return tuple(one[name] for name in names)

    found.equal(None, "`total` of the report", shown_row(report["total"]), row(meeting.bills.total))
    wanted = []
    for (who, model), bill in meeting.bills.models.items():
        wanted.append((meeting.seats[who].name if who else "Facilitator", public_label(model), *row(bill)))
    seen = [(one["name"], one["runner"], *shown_row(one)) for one in report["costs"]]
    for one in wanted:
        if one not in seen:
            near = [other for other in seen if other[:2] == one[:2]] or seen
            found.add(None, f"the bill of {one[0]} ({one[1]}) is {near}, expected {one}")
    for one in seen:
        if one not in wanted and any(one[2:6]):
            found.add(None, f"the report has a bill {one}, which no call led to")
    parts = [sum(one[place] for one in seen) for place in (2, 5, 6)]
    total = shown_row(report["total"])
    found.equal(None, "the sum of the bills in the report", parts, [total[0], total[3], total[4]])


def compare_failures(report: dict, meeting, found: Findings) -> None:
    """Whose turns and votes failed."""
    seen = {one["name"]: (one["turns"], one["failed_turns"], one["failed_votes"]) for one in report["failures"]}
    wanted = {}
    for seat in meeting.seats.values():
        cast = [ballot.cast.get(seat.id, (0, {}))[1] for ballot in meeting.ballots if ballot.closed_seq]
        votes = sum(it.get("kind", "chosen") != "chosen" and it.get("failure") != "left" for it in cast)
        if seat.failed_turns + votes:
            wanted[seat.name] = (seat.turns, seat.failed_turns, votes)
    found.equal(None, "`failures` of the report", seen, wanted)


def compare_evaluations(report: dict, meeting, found: Findings) -> None:
    """Hidden marks are shown after the end."""
    wanted = []
    for one in meeting.evaluations if meeting.finished else []:
        wanted.append((one["round"], [(meeting.seats[m["participant"]].name, m["score"]) for m in one["marks"]]))
    seen = [(one["round"], [(m["name"], m["score"]) for m in one["marks"]]) for one in report["evaluations"]]
    found.equal(None, "`evaluations` of the report", seen, wanted)


def compare_positions(report: dict, meeting, found: Findings) -> None:
    """The first and the last position of everybody who stated one."""
    seen = {one["name"]: (one["first"], one["last"]) for one in report["shifts"] if one["first"]}
    wanted = {}
    for seat in meeting.seats.values():
        stated = [stance["position"] for _, _, stance in seat.stances if stance.get("position")]
        if stated:
            wanted[seat.name] = (stated[0], stated[-1])
    found.equal(None, "the positions in the report", seen, wanted)


def compare_list(binary: Binary, meetings: dict) -> list:
    """The list of meetings has all of them, with their number of events."""
    done = binary.run("list", "--json", "--limit", "100000")
    found = Findings("the list of meetings")
    if done.returncode != 0:
        found.add(None, f"`list` fails: {done.stderr.strip()[-300:]}")
        return found
    listed = {one["id"]: one for one in map(json.loads, filter(None, done.stdout.splitlines()))}
    for missing in meetings.keys() - listed.keys():
        found.add(None, f"{missing} is left out")
    for more in listed.keys() - meetings.keys():
        found.add(None, f"{more} is listed, and is not stored")
    for id, meeting in meetings.items():
        one = listed.get(id)
        if one is None:
            continue
        total = meeting.bills.total
        state = "ended" if meeting.finished else "paused" if meeting.pause_began else None
        wanted = {
            "events": meeting.seq, "topic": meeting.topic, "updated_at": rfc3339(meeting.ts_ms),
            "participants": sum(seat.present for seat in meeting.seats.values()),
            "outcome": meeting.outcome(),
        }
        for name, expected in wanted.items():
            found.equal(None, f"`{name}` of {id}", one[name], expected)
        if state:
            found.equal(None, f"`state` of {id}", one["state"], state)
        calls = {"calls": total.calls, "retries": total.retries, "by_fallback": total.fallbacks, "cost_micros": total.cost(),
                 "input_tokens": total.usage["input_tokens"], "output_tokens": total.usage["output_tokens"]}
        for name, expected in calls.items():
            found.equal(None, f"`calls.{name}` of {id}", one["calls"][name], expected)
    return found
