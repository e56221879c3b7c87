//! What of each event is hidden, field by field: one event of each type, with every field that it can have.

use std::collections::BTreeSet;

use quorate_contract::{
    BallotId, ContractVersion, Event, EventBody, Format, Language, MeetingId, MessageId, Moderator,
    ParticipantId, RoundKind, RunId, TaskId, Timestamp,
};
use quorate_core::{Meeting, apply};
use quorate_views::{Moment, Viewer, Visibility};
use serde_json::Value;

const ONE_OF_EACH: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/events.jsonl"));

/// What every viewer without a permission for more lacks of an event, by its type.
const HIDDEN: &[(&str, &[&str])] = &[
    ("agent_message", &["reasoning"]),
    ("answer_malformed", &["excerpt"]),
    ("evaluation_written", &["by", "marks"]),
    ("memory_written", &["memory"]),
    ("participant_left", &["reason"]),
    ("team_proposed", &["departures/0/reason/text"]),
    ("tool_called", &["continuation"]),
];

/// The same while the ballot is open.
const HIDDEN_IN_A_BALLOT: &[(&str, &[&str])] =
    &[("vote_abstained", &["detail", "failure", "hint", "kind"]), ("vote_cast", &["objection", "vote"])];

/// What else who has a seat lacks while a blind round is open.
const WITHHELD_IN_A_BLIND_ROUND: &[(&str, &[&str])] = &[
    ("agent_action", &["action"]),
    (
        "agent_message",
        &[
            "cut_from_chars",
            "ended_early",
            "mentioned_people",
            "mentions",
            "message/content",
            "reasoning",
            "stance",
        ],
    ),
    ("tool_called", &["arguments", "continuation", "text", "tool"]),
    ("tool_returned", &["sources", "text", "truncated"]),
];

fn events() -> Vec<Event> {
    let event = |(place, line): (usize, &str)| Event {
        version: ContractVersion,
        seq: place as u64 + 1,
        meeting_id: MeetingId::new("m"),
        run_id: RunId::new("r"),
        ts_ms: Timestamp(1),
        actor: quorate_contract::Actor::System,
        cause: "test".to_owned(),
        body: serde_json::from_str(line).expect(line),
    };
    ONE_OF_EACH.lines().enumerate().map(event).collect()
}

/// The paths of a payload that are missing in what is shown, or say something else there: the shortest of each.
fn lacking(whole: &Value, shown: &Value) -> BTreeSet<String> {
    fn walk(path: &str, whole: &Value, shown: Option<&Value>, lacking: &mut BTreeSet<String>) {
        let at = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") };
        match (whole, shown) {
            (Value::Object(fields), Some(Value::Object(other))) => {
                fields.iter().for_each(|(key, value)| walk(&at(key), value, other.get(key), lacking));
            }
            (Value::Array(items), Some(Value::Array(others))) if items.len() == others.len() => {
                let both = items.iter().zip(others).enumerate();
                both.for_each(|(place, (one, other))| {
                    walk(&at(&place.to_string()), one, Some(other), lacking)
                });
            }
            (whole, Some(shown)) if whole == shown => {}
            (_, _) => _ = lacking.insert(path.to_owned()),
        }
    }
    let mut paths = BTreeSet::new();
    walk("", &whole["payload"], Some(&shown["payload"]), &mut paths);
    paths
}

fn shown(viewer: Viewer, event: &Event) -> Value {
    let line = viewer.line(event).unwrap_or_else(|| event.to_json());
    serde_json::from_str(&line).expect("a line is JSON")
}

/// Checks what a viewer lacks of each event against a table; what is not in it, nobody lacks.
fn check(viewer: Viewer, hidden: impl Fn(&str) -> BTreeSet<String>) {
    for event in events() {
        let whole: Value = serde_json::from_str(&event.to_json()).expect("JSON");
        let (shown, kind) = (shown(viewer, &event), event.body.kind());
        assert_eq!(lacking(&whole, &shown), hidden(kind), "{kind}: {shown}");
        // Nothing is told in another place either.
        let added: Vec<_> = lacking(&shown, &whole).difference(&hidden(kind)).cloned().collect();
        assert!(added.iter().all(|path| path == "withheld"), "{kind} has {added:?}: {shown}");
        assert_eq!((&whole["seq"], &whole["type"]), (&shown["seq"], &shown["type"]));
        assert_eq!(viewer.hides(&event), !hidden(kind).is_empty(), "{kind}");
    }
}

fn in_table(table: &[(&str, &[&str])], kind: &str) -> BTreeSet<String> {
    let rows = table.iter().filter(|(of, _)| *of == kind);
    rows.flat_map(|(_, paths)| paths.iter().map(|path| (*path).to_owned())).collect()
}

fn ballot_open() -> Moment {
    let opened = EventBody::BallotOpened {
        ballot: BallotId(1),
        round: 1,
        draft_version: 1,
        voters: vec![ParticipantId(1)],
    };
    Moment::default().after(&opened)
}

/// In the fixture the answer is one of round 1 by p1.
fn blind_round_open() -> Moment {
    let started = EventBody::RoundStarted {
        round: 1,
        kind: RoundKind::Blind,
        order: vec![],
        focus: vec![],
        context_from: None,
    };
    Moment::default().after(&started)
}

fn seated(permission: Visibility, seat: u32) -> Viewer {
    let blank = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    Viewer::of(&blank, permission, Some(ParticipantId(seat)))
}

#[test]
fn each_field_of_each_event_is_hidden_or_not() {
    assert_eq!(events().iter().map(|event| event.body.kind()).collect::<Vec<_>>(), EventBody::KINDS);
    check(Viewer::everything(), |_| BTreeSet::new());
    check(Viewer::public(Moment::default()), |kind| in_table(HIDDEN, kind));
    check(Viewer::public(ballot_open()), |kind| {
        &in_table(HIDDEN, kind) | &in_table(HIDDEN_IN_A_BALLOT, kind)
    });
}

#[test]
fn in_a_blind_round_only_its_seats_lack_the_answers_whatever_they_may_do_otherwise() {
    let withheld = |kind: &str| &in_table(HIDDEN, kind) | &in_table(WITHHELD_IN_A_BLIND_ROUND, kind);
    let open = blind_round_open();
    for permission in [Visibility::Everything, Visibility::Public] {
        check(seated(permission, 2).at(open), withheld);
        check(seated(permission, 1).at(open), |kind| in_table(HIDDEN, kind));
    }
    check(Viewer::everything().at(open), |_| BTreeSet::new());
    check(Viewer::public(open), |kind| in_table(HIDDEN, kind));
    check(Viewer::public(open).as_participant(), withheld);
    check(seated(Visibility::Everything, 2), |_| BTreeSet::new());
}

#[test]
fn while_a_ballot_is_open_its_seats_lack_what_every_reader_lacks_whatever_they_may_do_otherwise() {
    let hidden = |kind: &str| &in_table(HIDDEN, kind) | &in_table(HIDDEN_IN_A_BALLOT, kind);
    for permission in [Visibility::Everything, Visibility::Public] {
        for seat in [1, 2] {
            let viewer = seated(permission, seat).at(ballot_open());
            check(viewer, hidden);
            assert!(viewer.awaits_ballot() && !viewer.is_blind());
        }
    }
    let owner = Viewer::everything().at(ballot_open());
    check(owner, |_| BTreeSet::new());
    assert!(!owner.awaits_ballot());
    let vote = TaskId::Vote(BallotId(1), ParticipantId(2));
    let seat = seated(Visibility::Everything, 1);
    assert!(!seat.at(ballot_open()).fragment(vote, false) && owner.fragment(vote, false));
    // What is withheld is shown when the ballot closes.
    let closed = ballot_open().after(&EventBody::BallotInterrupted { ballot: BallotId(1), by: MessageId(1) });
    check(seat.at(closed), |_| BTreeSet::new());
}

#[test]
fn who_gives_up_a_seat_while_a_ballot_is_open_waits_for_its_votes() {
    let hidden = |kind: &str| &in_table(HIDDEN, kind) | &in_table(HIDDEN_IN_A_BALLOT, kind);
    let nobody_new = |_: &quorate_contract::RunnerSpec| false;
    let open = |ballot| EventBody::BallotOpened {
        ballot: BallotId(ballot),
        round: 1,
        draft_version: 1,
        voters: vec![ParticipantId(1)],
    };
    let left = |seat| EventBody::ParticipantLeft {
        leaves_queue: false,
        participant: ParticipantId(seat),
        by: quorate_contract::Actor::owner(),
        reason: quorate_contract::Phrase::default(),
    };
    let follows = |viewer: Viewer, moment: Moment, body: &EventBody| {
        let moment = moment.after(body);
        (viewer.at(moment).after(body, nobody_new), moment)
    };
    let (viewer, moment) = follows(seated(Visibility::Everything, 1), Moment::default(), &open(1));
    let (viewer, moment) = follows(viewer, moment, &left(1));
    check(viewer, hidden);
    assert!(viewer.awaits_ballot());
    let vote = TaskId::Vote(BallotId(1), ParticipantId(2));
    assert!(!viewer.fragment(vote, false));
    // It sees them when the ballot closes, and those of the next one, in which it has no seat.
    let interrupted = EventBody::BallotInterrupted { ballot: BallotId(1), by: MessageId(1) };
    let (viewer, moment) = follows(viewer, moment, &interrupted);
    check(viewer, |_| BTreeSet::new());
    let (viewer, _) = follows(viewer, moment, &open(2));
    check(viewer, |_| BTreeSet::new());
    // Who had given up the seat before sees everything, as before.
    let (viewer, moment) = follows(seated(Visibility::Everything, 1), Moment::default(), &left(1));
    let (viewer, _) = follows(viewer, moment, &open(1));
    check(viewer, |_| BTreeSet::new());
}

#[test]
fn the_votes_of_a_ballot_that_was_open_at_the_end_are_shown_after_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/meetings/en/consensus.jsonl");
    let log = std::fs::read_to_string(path).expect("a log");
    let log: Vec<Event> = log.lines().map(|line| Event::from_json(line).expect("an event")).collect();
    let is = |kind: &'static str| move |event: &&Event| event.body.kind() == kind;
    let vote = log.iter().find(is("vote_cast")).expect("a vote");
    let last = log.iter().find(is("finished")).expect("an end");
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    let mut moment = Moment::default();
    let mut follow = |meeting: &mut Meeting, event: &Event| {
        apply(meeting, event);
        moment = moment.after(&event.body);
        assert_eq!(moment, Moment::of(meeting), "after {}", event.body.kind());
    };
    log.iter().take_while(|event| event.seq <= vote.seq).for_each(|event| follow(&mut meeting, event));
    let sees = |meeting: &Meeting| {
        let reader = Viewer::of(meeting, Visibility::Public, None);
        let mut shown = meeting.clone();
        reader.redact(&mut shown);
        let ballot = shown.ballots.last().expect("a ballot");
        assert_eq!(reader.votes(ballot), !ballot.cast.is_empty());
        (!reader.hides(vote), reader.votes(ballot))
    };
    let waits = |meeting: &Meeting| {
        Viewer::of(meeting, Visibility::Everything, Some(ParticipantId(1))).awaits_ballot()
    };
    assert_eq!((sees(&meeting), waits(&meeting)), ((false, false), true));
    // Somebody ends the meeting in the middle of the ballot.
    let body = EventBody::MeetingClosing {
        outcome: quorate_contract::MeetingOutcome::Completed,
        asked_again: Some(Vec::new()),
    };
    follow(&mut meeting, &Event { seq: vote.seq + 1, body, ..last.clone() });
    follow(&mut meeting, &Event { seq: vote.seq + 2, ..last.clone() });
    assert_eq!((sees(&meeting), waits(&meeting)), ((true, true), false));
    let report = quorate_views::Report::of(&meeting);
    assert_eq!(report.ballots.last().expect("a ballot").state, "interrupted");
}

#[test]
fn an_answer_that_is_withheld_says_so_and_one_that_says_as_little_does_not() {
    let body = EventBody::MeetingCreated {
        topic: "t".to_owned(),
        background: String::new(),
        details: quorate_contract::MeetingDetails::default(),
        language: Language::En,
        format: Format::Consensus,
        rules: Box::new(Format::Consensus.rules()),
        seed: 1,
        facilitator: None,
        moderator: Moderator::User,
        models: Vec::new(),
        by: quorate_contract::Actor::System,
    };
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    let first = events().swap_remove(0);
    apply(&mut meeting, &Event { body, ..first.clone() });
    let round = EventBody::RoundStarted {
        round: 1,
        kind: RoundKind::Blind,
        order: vec![ParticipantId(1), ParticipantId(2)],
        focus: vec![],
        context_from: None,
    };
    apply(&mut meeting, &Event { seq: 2, body: round, ..first.clone() });
    let mut answer =
        events().into_iter().find(|event| event.body.kind() == "agent_message").expect("an answer");
    let EventBody::AgentMessage { message, .. } = &mut answer.body else { panic!("an answer") };
    message.content = "…".to_owned();
    answer.seq = 3;
    apply(&mut meeting, &answer);
    let own = Viewer::of(&meeting, Visibility::Public, Some(ParticipantId(1)));
    let other = Viewer::of(&meeting, Visibility::Public, Some(ParticipantId(2)));
    assert_eq!(shown(own, &answer)["payload"]["message"]["content"], "…");
    assert_eq!(shown(own, &answer)["payload"]["withheld"], Value::Null, "somebody says just that");
    assert_eq!(shown(other, &answer)["payload"]["withheld"], true);
    assert_eq!((own.is_withheld(&meeting.said[0]), other.is_withheld(&meeting.said[0])), (false, true));
}

#[test]
fn whoever_reads_a_result_by_a_link_learns_no_name_of_a_person_and_reads_no_event() {
    use std::sync::Arc;

    use quorate_contract::{ActionItem, Actor, RunnerSpec, TurnDelivery};

    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/meetings/en/consensus.jsonl");
    let log = std::fs::read_to_string(path).expect("a log");
    let log: Vec<Event> = log.lines().map(|line| Event::from_json(line).expect("an event")).collect();
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    log.iter().for_each(|event| apply(&mut meeting, event));
    let (account, name) = ("zebra@example.org", "Zebra Person");
    let seat = Arc::make_mut(&mut meeting.seats[0]);
    seat.participant.name = name.to_owned();
    let runner = RunnerSpec::External { via: TurnDelivery::Person, name: account.to_owned() };
    seat.participant.runner = runner;
    meeting.host_person = Some(quorate_contract::Person { id: account.to_owned(), name: name.to_owned() });
    meeting.ended_by = Some(quorate_core::MeetingEndedBy {
        by: Actor::person(account, name),
        note: "enough".to_owned(),
        seq: 1,
    });
    let conclusion = Arc::make_mut(meeting.conclusion.as_mut().expect("a conclusion"));
    let action = ActionItem { what: "Write it down".to_owned(), who: Some(name.to_owned()), sources: vec![] };
    conclusion.actions.push(action);
    conclusion.reasons.push_str(" Ask the users [c1, m2].");
    let told =
        |meeting: &Meeting| serde_json::to_string(&quorate_views::SharedResult::of(meeting)).expect("plain");
    assert!(told(&meeting).contains(name));

    let reader = Viewer::of(&meeting, Visibility::Result, None);
    let mut shown = meeting.clone();
    reader.redact(&mut shown);
    let told = told(&shown);
    assert!(!told.contains("ebra"), "{told}");
    assert!(told.contains("Person 1") && told.contains("Write it down"), "{told}");
    assert!(told.contains("Ask the users."), "references lead nowhere there: {told}");
    let numbered = told.split('[').filter(|rest| {
        rest.starts_with(['m', 'c']) && rest[1..].starts_with(|sign: char| sign.is_ascii_digit())
    });
    assert_eq!(numbered.count(), 0, "{told}");
    let whole = format!("{shown:?}");
    assert!(!whole.contains(account), "nowhere in what is left of the meeting");
    assert!(events().iter().all(|event| reader.hides(event)), "events are for those who are known");
    assert!(shown.evaluations.is_empty() && shown.seats.iter().all(|seat| seat.memory.is_none()));
    let text = TaskId::Conclude;
    assert!(!reader.fragment(text, false));
}
