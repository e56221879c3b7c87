"""What a viewer may see of each event (docs/access.md, "Who sees what")."""

import json
from dataclasses import dataclass

from findings import Findings, short

WITHHELD = "…"


@dataclass(frozen=True)
class Viewer:
    """Somebody who reads a meeting."""

    name: str
    # Whether the permission is `manage` or `owner`.
    everything: bool
    # The participant whose seat it has.
    seat: str | None = None


class Moment:
    """What is open at the end of a log: it hides something until it is over."""

    def __init__(self, meeting):
        ballot, current = meeting.ballot_open() if not meeting.finished else None, meeting.round_open()
        self.ballot = ballot.id if ballot else None
        self.voters = ballot.voters if ballot else []
        self.blind = current.number if current and current.kind == "blind" and not meeting.finished else None


def expected(viewer: Viewer, moment: Moment, event: dict) -> dict:
    """The payload of an event as the viewer gets it."""
    kind, it = event["type"], event["payload"]
    waits = viewer.seat is not None and (moment.blind is not None or moment.ballot is not None)
    if viewer.everything and not waits:
        return it
    if kind == "evaluation_written":
        return withheld(it, "round")
    if kind == "memory_written":
        return withheld(it, "participant")
    if kind in ("vote_cast", "vote_abstained"):
        return withheld(it, "ballot", "participant") if it["ballot"] == moment.ballot else it
    if kind == "answer_malformed":
        return without(it, "excerpt")
    if kind == "team_proposed":
        gone = [{"participant": one["participant"]} for one in it.get("departures", [])]
        return {**it, "departures": gone} if gone else it
    if kind == "participant_left" and it["by"]["kind"] == "system":
        return without(it, "reason")
    if kind == "agent_action":
        hidden = is_blind(viewer, moment, it["task"].removeprefix("speak:"), it.get("participant"))
        hidden = hidden or it["task"].startswith(f"vote:{moment.ballot}:")
        return withheld(it, "participant", "task", "attempt") if hidden else it
    if kind == "agent_message":
        if is_blind(viewer, moment, it["turn"], it["participant"]):
            told = {name: it[name] for name in ("message_id", "round", "turn", "participant")}
            message = {"role": it["message"]["role"], "name": it["message"]["name"], "content": WITHHELD}
            return {**told, "message": message, "withheld": True}
        return without(it, "reasoning")
    if kind == "tool_called":
        shown = without(it, "continuation")
        if is_blind(viewer, moment, it["turn"], it["participant"]):
            hidden = {name: WITHHELD for name in ("tool", "arguments", "text") if it.get(name)}
            return {**shown, **hidden, "withheld": True}
        return shown
    if kind == "tool_returned" and is_blind(viewer, moment, it["turn"], it["participant"]):
        shown = without(it, "detail", "truncated", "sources")
        return {**shown, **({"text": WITHHELD} if "text" in it else {}), "withheld": True}
    return it


def is_blind(viewer: Viewer, moment: Moment, turn: str, speaker: str | None) -> bool:
    """Whether the words of a turn are hidden from somebody who is to answer in the same blind round."""
    hides = viewer.seat is not None and moment.blind is not None and speaker != viewer.seat
    return hides and turn.startswith(f"r{moment.blind}t")


def withheld(it: dict, *names: str) -> dict:
    """Only what an event is about."""
    return {**{name: it.get(name) for name in names}, "withheld": True}


def without(it: dict, *names: str) -> dict:
    """All but some fields."""
    return {name: value for name, value in it.items() if name not in names}


def same(shown: dict, wanted: dict) -> bool:
    """Whether a payload is the expected one; what is empty may be absent."""
    return bare(shown) == bare(wanted)


def bare(value):
    """A value without what is empty."""
    if isinstance(value, dict):
        bared = {name: bare(one) for name, one in value.items()}
        return {name: one for name, one in bared.items() if one not in (None, "", [], {}, False)}
    return [bare(one) for one in value] if isinstance(value, list) else value


def check(viewer: Viewer, moments: list[Moment], stored: list, events: list[dict], lines: list[str], found: Findings) -> None:
    """Compares the lines that a viewer got with those that it may get, at one of the moments at which it read."""
    if len(lines) < len(events):
        found.add(len(lines) + 1, f"{viewer.name} got {len(lines)} of {len(events)} events")
    for row, event, line in zip(stored, events, lines):
        if line == row.line:
            allowed = [moment for moment in moments if same(expected(viewer, moment, event), event["payload"])]
            if not allowed:
                found.add(row.seq, f"{viewer.name} is shown {event['type']} in full, expected {short(expected(viewer, moments[-1], event))}")
            continue
        shown = json.loads(line)
        head = without(shown, "payload")
        if head != without(event, "payload") and event["version"] == shown.get("version"):
            found.add(row.seq, f"{viewer.name} is shown the head {short(head)}, expected {short(without(event, 'payload'))}")
        wanted = [expected(viewer, moment, event) for moment in moments]
        # What an older version wrote is shown as the present one would write it.
        if event["version"] == shown["version"] and not any(same(shown["payload"], one) for one in wanted):
            found.add(row.seq, f"{viewer.name} is shown {short(shown['payload'])}, expected {short(wanted[-1])}")
