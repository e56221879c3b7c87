"""A meeting, rebuilt from its events (docs/events.md), and what cannot be as its events say.

Each method `on_…` reads the events of that type. What an event contradicts is noted, and the reading goes on.
"""

from dataclasses import dataclass, field

from ballots import Ballot, compare_verdicts, count
from bills import Bills
from findings import Findings

# What people ask for goes on while a meeting is paused.
REQUESTS = ("minutes:", "artifact:", "invite:")
# The person-like ends of a turn, by type of event.
TURN_ENDS = {"agent_message": "said", "turn_skipped": "skipped", "turn_failed": "failed"}


@dataclass
class Seat:
    """A participant."""

    id: str
    name: str
    runner: dict
    joined_seq: int
    present: bool = True
    # The stances that it took, in order: (seq, round, stance).
    stances: list = field(default_factory=list)
    messages: list = field(default_factory=list)
    turns: int = 0
    failed_turns: int = 0
    last_score: int | None = None


@dataclass
class Turn:
    """A turn, from its offer to its one end."""

    id: str
    seq: int
    participant: str
    why: str
    can_skip: bool
    ended: str | None = None
    ended_seq: int | None = None


@dataclass
class Round:
    """A round."""

    number: int
    kind: str
    seq: int
    turns: list = field(default_factory=list)
    ended: bool = False


class Meeting:
    """The state of a meeting after its events."""

    def __init__(self, events: list[dict], found: Findings):
        self.found, self.events = found, events
        self.seq, self.ts_ms, self.version = 0, 0, 1
        self.created, self.rules, self.topic, self.details = {}, {}, "", {}
        self.started_ms = self.finished = self.closing = self.conclusion = None
        self.conclusion_seq = self.pause = self.imported = self.forked = None
        self.pause_began = self.pause_asked = self.waits_for_provider = False
        self.seats, self.people, self.agenda, self.files = {}, {}, {}, {}
        self.rounds, self.ballots, self.turns = [], [], {}
        self.messages, self.claims, self.drafts, self.summaries = [], {}, [], []
        self.metrics, self.evaluations, self.minutes, self.artifacts = [], [], [], []
        self.minutes_asked, self.minutes_withdrawn, self.artifacts_asked = {}, set(), set()
        self.attempts, self.open_calls, self.ended_calls, self.lost_calls = {}, {}, {}, 0
        self.tools, self.resume_tokens, self.invitations = {}, set(), {}
        self.bills = Bills(self)
        for event in events:
            self.read(event)
        self.check_end()

    # Reading

    def read(self, event: dict) -> None:
        """Reads one event."""
        self.seq, self.ts_ms, self.version = event["seq"], event["ts_ms"], event["version"]
        self.cause, self.actor = event.get("cause", ""), event["actor"]
        kind, payload = event["type"], event["payload"]
        if self.finished and not self.copied(event):
            self.wrong(f"{kind} after `finished`")
        if self.seq == 1 and kind != "meeting_created":
            self.wrong(f"the first event is {kind}, expected meeting_created")
        read = getattr(self, f"on_{kind}", None)
        try:
            if read is not None:
                read(payload)
            elif kind not in PLAIN:
                self.wrong(f"has the type {kind}, which the contract does not have")
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            self.wrong(f"{kind} cannot be read: {error!r}")

    def copied(self, event: dict) -> bool:
        """Whether the event is one that a fork of a finished meeting begins with."""
        return event["type"] == "meeting_forked"

    def wrong(self, what: str) -> None:
        """Notes what the event that is being read contradicts."""
        self.found.add(self.seq, what)

    def need(self, holds: bool, what: str) -> None:
        """Notes it unless it holds."""
        if not holds:
            self.wrong(what)

    def seat(self, id: str, what: str) -> Seat | None:
        """A participant that has to be present."""
        seat = self.seats.get(id)
        self.need(seat is not None and seat.present, f"{what} {id}, who is not at the table")
        return seat

    def new_number(self, id: str, letter: str, known, what: str) -> None:
        """Ids are counted without a gap."""
        self.need(id == f"{letter}{len(known) + 1}", f"{what} is {id}, expected {letter}{len(known) + 1}")

    # Beginning, people, details

    def on_meeting_created(self, it):
        self.need(self.seq == 1, "a meeting is created once")
        self.created, self.rules, self.topic = it, it["rules"], it["topic"]
        self.details = it.get("details", {})

    def on_meeting_imported(self, it):
        self.imported = it

    def on_meeting_forked(self, it):
        self.need(it["at"] == self.seq - 1, f"is a fork at {it['at']}, expected {self.seq - 1}, the event before")
        self.forked = {**it, "ts_ms": self.ts_ms}
        self.people, self.finished = {}, None
        self.open_calls_of_origin(it.get("carried"))

    def open_calls_of_origin(self, carried):
        """A fork makes the calls again that were in progress; their lost attempts are not charged."""
        if carried is not None:
            self.found.equal(self.seq, "`asked_anew`", sorted(carried.get("asked_anew", [])), sorted(self.open_calls))
            self.bills.check_carried(carried)
        self.open_calls = {}

    def on_participant_joined(self, it):
        who = it["participant"]
        self.new_number(who["id"], "p", self.seats, "the participant")
        same = [seat.id for seat in self.seats.values() if seat.present and seat.name == who["name"]]
        self.need(not same, f"the name {who['name']} is already that of {same}")
        self.seats[who["id"]] = Seat(who["id"], who["name"], who["runner"], self.seq)
        invitation = it.get("invitation")
        if invitation is not None:
            self.need(self.invitations.get(invitation) is False, f"invitation {invitation} is not open")
            self.invitations[invitation] = True

    def on_participant_left(self, it):
        seat = self.seat(it["participant"], "leaves:")
        if seat:
            seat.present = False

    def on_participant_invited(self, it):
        self.need(it["invitation"] not in self.invitations, "the invitation is not new")
        self.invitations[it["invitation"]] = False

    def on_presence_changed(self, it):
        self.seat(it["participant"], "the presence is that of")

    def on_participant_changed(self, it):
        self.seat(it["participant"], "changed:")

    def on_person_joined(self, it):
        person = it["person"]
        others = [one["name"] for one in self.people.values() if one["id"] != person["id"]]
        self.need(person["name"] not in others, f"the name {person['name']} is already at the table")
        self.people[person["id"]] = person

    def on_person_left(self, it):
        self.need(it["person"]["id"] in self.people, "leaves, and was not at the table")
        self.people.pop(it["person"]["id"], None)

    def on_meeting_started(self, it):
        self.need(self.started_ms is None, "a meeting starts once")
        self.started_ms = self.ts_ms

    def on_rules_changed(self, it):
        self.rules = it["rules"]

    def on_topic_changed(self, it):
        self.topic = it["topic"]
        if not self.details.get("title"):
            self.fork_title_ends()

    def on_details_changed(self, it):
        self.details = it["details"]
        self.fork_title_ends()

    def fork_title_ends(self):
        """A fork has a title of its own until it is given another one."""
        if self.forked:
            self.forked["title"] = ""

    def on_agenda_changed(self, it):
        item, change = it.get("item"), it["change"]
        if change == "added":
            self.need(item["id"] not in self.agenda, f"the item {item['id']} is not new")
            self.agenda[item["id"]] = dict(item)
        elif change in ("completed", "reopened"):
            id = item if isinstance(item, str) else item["id"]
            self.need(id in self.agenda, f"there is no item {id}")
            self.agenda.get(id, {})["completed"] = change == "completed"
        elif change == "removed":
            id = item if isinstance(item, str) else item["id"]
            self.need(self.agenda.pop(id, None) is not None, f"there is no item {id}")

    def on_file_attached(self, it):
        self.need(it["file"]["id"] not in self.files, f"the file {it['file']['id']} is not new")
        self.files[it["file"]["id"]] = {**it["file"], "seq": self.seq}

    def on_file_removed(self, it):
        self.need(self.files.pop(it["file"], None) is not None, f"there is no file {it['file']}")

    def on_preparation_started(self, it):
        # A fork from the end of the last round opens another one; then the last one has no end of its own.
        current = self.round_open()
        if current and self.forked and self.cause == "fork":
            self.need(all(turn.ended for turn in current.turns), "another round is prepared while turns are open")
            current.ended = True

    # Rounds and turns

    def round_open(self) -> Round | None:
        """The round that is open."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].ended else None

    def on_round_started(self, it):
        self.need(self.round_open() is None, "begins while another round is open")
        self.need(not self.pause_began, "begins while the meeting is paused")
        number, last = it["round"], self.rounds[-1].number if self.rounds else None
        first = 0 if it["kind"] == "blind" else 1
        expected = first if last is None else last + 1
        if not (self.imported and last is None):
            self.need(number == expected, f"the round is {number}, expected {expected}")
        for id in it["order"]:
            self.seat(id, "the order names")
        self.need(len(set(it["order"])) == len(it["order"]), "the order names somebody twice")
        self.rounds.append(Round(number, it["kind"], self.seq))

    def on_round_ended(self, it):
        current = self.round_open()
        self.need(current is not None and current.number == it["round"], f"round {it['round']} is not open")
        if current:
            still = [turn.id for turn in current.turns if turn.ended is None]
            self.need(not still, f"the round ends before its turns {still}")
            current.ended = True

    def on_speaker_selected(self, it):
        current, id = self.round_open(), it["turn"]
        self.need(current is not None, "no round is open")
        self.need(id not in self.turns, f"the turn {id} was offered before")
        self.need(not self.pause_began, "a turn is offered while the meeting is paused")
        seat = self.seat(it["participant"], "the turn is that of")
        if current is None or id in self.turns:
            return
        expected = f"r{current.number}t{len(current.turns) + 1}"
        self.need(id == expected, f"the turn is {id}, expected {expected}")
        others = [turn.id for turn in current.turns if turn.ended is None]
        if current.kind == "serial":
            self.need(not others, f"the turn is offered before {others} ended")
        turn = Turn(id, self.seq, it["participant"], it.get("why", ""), it.get("can_skip", False))
        for target in it.get("reply_targets", []):
            self.need(target["claim"] in self.claims, f"the reply target {target['claim']} is no claim so far")
        current.turns.append(turn)
        self.turns[id] = turn
        if seat:
            seat.turns += 1

    def end_turn(self, kind: str, it: dict) -> None:
        """A turn ends once, by whom it was offered to."""
        turn = self.turns.get(it["turn"])
        if turn is None:
            self.wrong(f"the turn {it['turn']} was never offered")
            return
        self.need(turn.ended is None, f"the turn {turn.id} ended before, with event {turn.ended_seq}")
        self.found.equal(self.seq, "the participant of the turn", it["participant"], turn.participant)
        turn.ended, turn.ended_seq = turn.ended or TURN_ENDS[kind], turn.ended_seq or self.seq
        self.need(f"speak:{turn.id}" not in self.open_calls, f"the turn {turn.id} ends while its call is in flight")

    def on_agent_message(self, it):
        self.end_turn("agent_message", it)
        turn, seat = self.turns.get(it["turn"]), self.seats.get(it["participant"])
        self.need(it["turn"].startswith(f"r{it['round']}t"), f"the round {it['round']} is not that of {it['turn']}")
        self.answered(f"speak:{it['turn']}")
        self.message(it["message_id"], it["message"])
        stance = it.get("stance")
        if seat is None:
            return
        seat.messages.append(it["message_id"])
        if stance:
            for claim in stance.get("claims", []):
                self.claim(claim, it["message_id"], seat)
            self.known_claims(stance.get("answered", []), "answers")
            if stance.get("changed_by"):
                self.known_claims([stance["changed_by"]], "was changed by")
            seat.stances.append((self.seq, it["round"], stance))
        if turn and turn.ended_seq == self.seq:
            self.found.equal(self.seq, "the actor", self.actor, {"kind": "participant", "id": it["participant"]})

    def on_user_message(self, it):
        self.message(it["message_id"], it["message"])
        reply = it.get("reply_to")
        self.need(reply is None or reply in self.messages[:-1], f"replies to {reply}, which is not there")

    def message(self, id: str, message: dict) -> None:
        """Messages of all kinds are counted together."""
        self.new_number(id, "m", self.messages, "the message")
        self.messages.append(id)

    def claim(self, claim: dict, message: str | None, seat: Seat) -> None:
        """Claims are counted over the meeting, and build on earlier ones."""
        self.new_number(claim["id"], "c", self.claims, "the claim")
        self.known_claims(claim.get("builds_on", []), "builds on")
        self.claims[claim["id"]] = {**claim, "source": message, "by": seat.id}

    def known_claims(self, ids: list, what: str) -> None:
        """What is referred to has been raised."""
        for id in ids:
            self.need(id in self.claims, f"{what} {id}, which nobody raised")

    def on_turn_skipped(self, it):
        self.end_turn("turn_skipped", it)
        turn, reason = self.turns.get(it["turn"]), it.get("reason", it.get("because", "chosen"))
        if turn and reason == "chosen":
            self.need(turn.can_skip, f"the turn {turn.id} is skipped by choice, and could not be")
        if reason == "skip_list":
            self.need(f"speak:{it['turn']}" not in self.attempts, "a call was made for what the skip list skips")

    def on_turn_failed(self, it):
        self.end_turn("turn_failed", it)
        seat = self.seats.get(it["participant"])
        if seat and it["kind"] != "left":
            seat.failed_turns += 1

    def on_queue_changed(self, it):
        for one in it["queue"]:
            self.seat(one["participant"], "the queue names")

    def on_speaker_requested(self, it):
        self.seat(it["participant"], "requests")

    def on_memory_written(self, it):
        self.need(it["participant"] in self.seats, "the memory is nobody's")

    # Calls

    def on_call_started(self, it):
        task, attempt = it["task"], it["attempt"]
        self.need(task not in self.open_calls, f"{task} is already asked, since event {self.open_calls.get(task)}")
        if self.pause_began:
            self.need(task.startswith(REQUESTS), f"{task} is asked while the meeting is paused")
        before = self.attempts.get(task, 0)
        self.need(attempt in (1, before + 1), f"attempt {attempt} follows attempt {before}")
        if task.startswith("speak:"):
            turn = self.turns.get(task[6:])
            self.need(turn is not None and turn.ended is None, f"{task} is asked, and its turn is not open")
        elif task.startswith("vote:"):
            _, ballot, voter = task.split(":")
            open_one = self.ballot_open()
            self.need(open_one is not None and open_one.id == ballot, f"{task} is asked, and the ballot is not open")
            if open_one:
                self.need(voter in open_one.voters, f"{voter} is asked, and is no voter")
                self.need(voter not in open_one.cast, f"{voter} is asked, and has voted")
        self.attempts[task] = attempt
        self.open_calls[task] = it
        self.bills.started(it)

    def on_call_retried(self, it):
        self.need(self.is_current(it), f"{it['task']} attempt {it['attempt']} is not in flight")
        self.bills.retried(it)

    def on_call_ended(self, it):
        task = it["task"]
        self.need(self.is_current(it), f"{task} attempt {it['attempt']} ends, and is not in flight")
        call = self.open_calls.pop(task, None)
        self.ended_calls[f"{task}#{it['attempt']}"] = it["ended"]
        self.lost_calls += it["ended"] == "lost"
        self.bills.ended(it, call)

    def is_current(self, it: dict) -> bool:
        """Whether a call of this task and attempt is in flight."""
        return self.open_calls.get(it["task"], {}).get("attempt") == it["attempt"]

    def on_agent_action(self, it):
        self.need(it["task"] in self.attempts, f"{it['task']} was never asked")

    def answered(self, task: str) -> None:
        """What an answer leads to names the call that was answered; the rules need none."""
        if self.cause.startswith(task + "#") and self.actor["kind"] != "system":
            ended = self.ended_calls.get(self.cause)
            self.need(ended == "answered", f"comes of {self.cause}, which ended {ended or 'never'}")

    # Records

    def on_summary_written(self, it):
        self.answered(f"summarize:r{it['round']}")
        holders = [holder for one in it.get("positions", []) for holder in one["holders"]]
        self.need(len(holders) == len(set(holders)), "somebody holds two positions")
        for seat in self.seats.values():
            stated = seat.stances and seat.stances[-1][2].get("position")
            if seat.present and stated:
                self.need(seat.id in holders, f"{seat.id} holds a position and is left out")
        for id in holders:
            self.need(id in self.seats, f"{id} holds a position and never joined")
        self.summaries.append({**it, "seq": self.seq})

    def on_draft_revised(self, it):
        expected = len(self.drafts) + 1
        self.need(it["version"] == expected, f"the draft has version {it['version']}, expected {expected}")
        self.drafts.append({**it, "seq": self.seq})

    def on_metric(self, it):
        self.need(0 <= it["convergence_score"] <= 100, "the score is not from 0 to 100")
        self.metrics.append(it)

    def on_evaluation_written(self, it):
        for mark in it["marks"]:
            self.need(mark["participant"] in self.seats, f"{mark['participant']} is marked and never joined")
            self.need(0 <= mark["score"] <= 10, f"the mark {mark['score']} is not from 0 to 10")
        self.evaluations.append(it)

    def on_facilitation_written(self, it):
        self.answered(f"facilitate:{it['ballot']}")
        ballot = self.ballot(it["ballot"])
        # A folder of another program has words of the facilitator without a ballot.
        if not (self.imported and it["ballot"] == "b0"):
            self.need(ballot is not None and ballot.state == "failed", f"{it['ballot']} has not failed")
        self.message(it["message_id"], it["message"])

    def on_minutes_requested(self, it):
        known = it["version"] in self.minutes_asked and it["version"] not in self.minutes_withdrawn
        self.need(not known, f"version {it['version']} was asked for before")
        self.minutes_asked[it["version"]] = it
        self.minutes_withdrawn.discard(it["version"])

    def on_error(self, it):
        # What was asked for and is withdrawn may be asked for again, under the same number.
        kind, _, version = (it.get("task") or "").partition(":v")
        if kind == "minutes" and it.get("then") == "withdrawn":
            self.minutes_withdrawn.add(int(version))

    def on_minutes_written(self, it):
        expected = len(self.minutes) + 1
        known = {one["version"] for one in self.minutes}
        self.need(it["version"] not in known, f"version {it['version']} was written before, expected {expected}")
        self.minutes.append({**it, "seq": self.seq})

    def on_artifact_requested(self, it):
        self.artifacts_asked.add((it["artifact_type"], it["version"]))

    def on_artifact_written(self, it):
        known = [one for one in self.artifacts if one["artifact_type"] == it["artifact_type"]]
        expected = f"v{len(known) + 1}"
        self.need(it["version"] == expected, f"{it['artifact_type']} is {it['version']}, expected {expected}")
        self.artifacts.append({**it, "seq": self.seq})

    # Tools

    def on_tool_called(self, it):
        self.new_number(it["call"], "t", self.tools, "the call of a tool")
        turn = self.turns.get(it["turn"])
        self.need(turn is not None and turn.ended is None, f"the turn {it['turn']} is not open")
        self.tools[it["call"]] = {**it, "returned": None, "reviewed": False}

    def on_tool_reviewed(self, it):
        call = self.tools[it["call"]]
        self.need(call.get("effects", False), f"{it['call']} has no effects to be reviewed")
        self.need(not call["reviewed"], f"{it['call']} was reviewed before")
        call["reviewed"] = True

    def on_tool_returned(self, it):
        call = self.tools[it["call"]]
        self.need(call["returned"] is None, f"{it['call']} returned before, with event {call['returned']}")
        call["returned"] = self.seq

    # Ballots

    def ballot_open(self) -> Ballot | None:
        """The ballot that is open."""
        return self.ballots[-1] if self.ballots and self.ballots[-1].state == "open" else None

    def ballot(self, id: str) -> Ballot | None:
        """A ballot."""
        return next((one for one in self.ballots if one.id == id), None)

    def on_ballot_opened(self, it):
        self.need(self.ballot_open() is None, "opens while another ballot is open")
        self.new_number(it["ballot"], "b", self.ballots, "the ballot")
        self.need(1 <= it["draft_version"] <= len(self.drafts), f"there is no draft {it['draft_version']}")
        for voter in it["voters"]:
            self.seat(voter, "a voter is")
        self.need(len(set(it["voters"])) == len(it["voters"]), "a voter is named twice")
        voters = list(it["voters"])
        self.ballots.append(Ballot(it["ballot"], it["round"], it["draft_version"], voters, self.seq))

    def cast(self, it: dict) -> None:
        """A voter votes, or does not, once."""
        ballot = self.ballot(it["ballot"])
        if ballot is None or ballot.state != "open":
            self.wrong(f"the ballot {it['ballot']} is not open")
            return
        voter = it["participant"]
        self.need(voter in ballot.voters, f"{voter} is no voter of {ballot.id}")
        if voter in ballot.cast:
            self.wrong(f"{voter} voted before in {ballot.id}, with event {ballot.cast[voter][0]}")
            return
        self.need(f"vote:{ballot.id}:{voter}" not in self.open_calls, f"{voter} votes while its call is in flight")
        ballot.cast[voter] = (self.seq, it)

    def on_vote_cast(self, it):
        self.cast(it)
        self.answered(f"vote:{it['ballot']}:{it['participant']}")
        score, seat = it["vote"]["score"], self.seats.get(it["participant"])
        self.need(isinstance(score, int) and 0 <= score <= 100, f"the score {score} is not from 0 to 100")
        if seat:
            seat.last_score = score
            if it.get("objection"):
                self.claim(it["objection"], None, seat)

    def on_vote_abstained(self, it):
        self.cast(it)

    def on_ballot_interrupted(self, it):
        ballot = self.ballot_open()
        self.need(ballot is not None and ballot.id == it["ballot"], f"the ballot {it['ballot']} is not open")
        self.need(it.get("by") is None or it["by"] in self.messages, f"is interrupted by {it.get('by')}, no message")
        if ballot:
            ballot.state = "interrupted"

    def on_ballot_closed(self, it):
        ballot = self.ballot_open()
        self.need(ballot is not None and ballot.id == it["ballot"], f"the ballot {it['ballot']} is not open")
        if ballot is None:
            return
        waiting = [voter for voter in ballot.voters if voter not in ballot.cast]
        self.need(not waiting, f"the ballot closes before {waiting} voted or abstained")
        expected = count(self.rules["decision"], ballot)
        compare_verdicts(self.found, self.seq, it["verdict"], expected)
        ballot.state = "passed" if it["verdict"]["passed"] else "failed"
        ballot.closed_seq, ballot.verdict = self.seq, it["verdict"]

    # Pauses and the end

    def on_pause(self, it):
        self.need(not self.pause_began, "the meeting is already paused")
        token = it["resume_token"]
        self.need(token not in self.resume_tokens, "the resume token names an earlier pause")
        self.resume_tokens.add(token)
        self.pause_began, self.pause, self.pause_asked = True, it, False

    def on_pause_requested(self, it):
        self.pause_asked = True

    def on_provider_wait_started(self, it):
        self.waits_for_provider = True

    def on_provider_wait_ended(self, it):
        self.waits_for_provider = False

    def on_resume(self, it):
        known = self.pause_began or self.pause_asked or self.waits_for_provider or self.forked or self.imported
        self.need(bool(known), "resumes, and nothing had paused or was about to")
        self.pause_began = self.pause_asked = False

    def on_meeting_closing(self, it):
        self.need(self.closing is None, "closes a second time")
        self.closing = it
        self.pause_began = self.pause_asked = False
        for turn in self.turns.values():
            if turn.ended is None:
                turn.ended, turn.ended_seq = "closing", self.seq
        if it["outcome"] == "accepted":
            ballot = self.ballot(it["ballot"])
            self.need(ballot is not None and ballot.state == "passed", f"accepted by {it['ballot']}, which has not passed")

    def on_conclusion_written(self, it):
        # When no call gave one, an accepted draft is the conclusion, in the name of its author.
        accepted = self.closing and self.closing["outcome"] == "accepted"
        draft = self.drafts[self.ballot(self.closing["ballot"]).draft - 1] if accepted else {}
        if (it["conclusion"], it["by"]) != (draft.get("text"), draft.get("by")):
            self.answered("conclude")
        self.need(self.conclusion is None, "the conclusion was written before")
        self.conclusion, self.conclusion_seq = it, self.seq

    def on_finished(self, it):
        self.need(not self.open_calls, f"ends while calls are in flight: {sorted(self.open_calls)}")
        open_turns = [turn.id for turn in self.turns.values() if turn.ended is None]
        self.need(not open_turns, f"ends while turns are open: {open_turns}")
        if self.closing:
            for name in ("outcome", "reason", "ballot", "by", "budget"):
                self.found.equal(self.seq, f"`{name}`", it.get(name), self.closing.get(name))
        self.found.equal(self.seq, "`rounds`", it["rounds"], self.round_count())
        self.bills.check_finished(it)
        self.finished = it

    def outcome(self) -> str | None:
        """The outcome in one word, as lists have it."""
        if not self.finished:
            return None
        outcome, reason = self.finished["outcome"], self.finished.get("reason")
        if outcome != "aborted":
            return outcome
        budgets = {"tokens": "token_budget", "cost": "cost_budget", "wall_time": "time_budget"}
        return f"aborted({budgets[self.finished['budget']] if reason == 'budget' else reason})"

    def round_count(self) -> int:
        """How many discussion rounds there were; the blind round is none."""
        return sum(one.kind != "blind" for one in self.rounds)

    def check_end(self) -> None:
        """What the log as a whole has to hold."""
        if not self.created:
            self.found.add(None, "the meeting was never created")


# Types of which this reader computes nothing.
PLAIN = set(
    "host_changed announcement_published access_changed intake_written team_proposed"
    " team_reviewed answer_malformed tools_allowed recovered budget_reached end_requested".split()
)
