//! Meetings for the tests beside the code.

use std::sync::Arc;

use quorate_contract::*;

use crate::state::{Meeting, MeetingMessage, MeetingSettings, Phase, Round, Seat, Summary, Turn, TurnState};
use crate::{Origin, apply, step};

/// One micro per input token, two per output token.
pub(crate) const PRICE: Price = Price::new(1_000_000, 2_000_000);

pub(crate) fn model(parameters: ModelParameters, price: Price) -> RunnerSpec {
    let (provider, model, price) = ("local".into(), "small".into(), Some(price));
    RunnerSpec::Model { provider, model, parameters, price, fallback: None }
}

pub(crate) fn simulated() -> RunnerSpec {
    RunnerSpec::Simulated { temperament: Temperament::Balanced }
}

/// A meeting in discussion that nothing has happened in, with so many participants at the table.
pub(crate) fn seated(count: u32) -> Meeting {
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    meeting.phase = Phase::Discussion;
    for number in 1..=count {
        let participant = Participant {
            id: ParticipantId(number),
            name: format!("p{number}"),
            role: Role { name: "r".into(), description: "d".into(), system_prompt: String::new() },
            runner: simulated(),
            skip_list: Vec::new(),
        };
        meeting.seats.push(Arc::new(Seat::taken_by(participant, 0)));
    }
    meeting
}

/// Ada has the floor of a discussion with a facilitator.
pub(crate) fn started(runner: RunnerSpec) -> (Meeting, TaskId) {
    let mut meeting = Meeting::blank(MeetingId::new("m"), RunId::new("r"));
    let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
    let facilitator = model(ModelParameters::default(), PRICE);
    let spec = MeetingSpec {
        topic: "t".into(),
        background: String::new(),
        details: Default::default(),
        tools: Vec::new(),
        language: Language::En,
        format: Format::Discussion,
        rules: Format::Discussion.rules(),
        seed: 1,
        facilitator: Some(Facilitator { runner: facilitator, system_prompt: String::new() }),
        moderator: None,
        agenda: Vec::new(),
        models: Vec::new(),
        participants: vec![Newcomer { name: "Ada".into(), role, runner, skip_list: Vec::new() }],
    };
    let create = Command::Create { by: Actor::owner(), spec: Box::new(spec) };
    for command in [create, Command::Start { by: Actor::owner() }] {
        let events = step(&meeting, &meeting.run, Origin::Fresh, command, Timestamp(1));
        events.expect("it is allowed").iter().for_each(|event| apply(&mut meeting, event));
    }
    let task = *meeting.calls.keys().next().expect("Ada is asked");
    (meeting, task)
}

pub(crate) fn settings(meeting: &mut Meeting) -> &mut MeetingSettings {
    Arc::make_mut(&mut meeting.settings)
}

/// A serial round that is over; each of its turns belongs to a participant and ended like this.
pub(crate) fn round_of(number: u32, turns: &[(u32, TurnState)]) -> Arc<Round> {
    let turn = |(place, (participant, state)): (usize, &(u32, TurnState))| Turn {
        id: TurnId { round: number, place: place as u32 + 1 },
        seq: 1,
        participant: ParticipantId(*participant),
        reason: TurnReason::Rotation,
        can_skip: true,
        targets: Vec::new(),
        state: *state,
    };
    Arc::new(Round {
        number,
        kind: RoundKind::Serial,
        order: Vec::new(),
        focus: Vec::new(),
        queue: Vec::new(),
        turns: turns.iter().enumerate().map(turn).collect(),
        offered_again: 0,
        ended_seq: Some(1),
    })
}

/// Somebody says this in this round, as the next event.
pub(crate) fn says(meeting: &mut Meeting, round: u32, speaker: Actor, name: &str, content: &str) {
    meeting.seq += 1;
    let id = MessageId(meeting.said.len() as u32 + 1);
    meeting.said.push(Arc::new(MeetingMessage {
        id,
        seq: meeting.seq,
        round,
        at: Timestamp(1),
        speaker,
        name: name.into(),
        content: content.into(),
        cut_from_chars: None,
        ended_early: None,
        mentions: Vec::new(),
        mentioned_people: Vec::new(),
        turn: None,
        claims: Vec::new(),
        citations: Vec::new(),
        evidence: Vec::new(),
        reply_to: None,
    }));
}

/// What the facilitator sums a round up to, with these positions and nothing open.
pub(crate) fn summary_of(round: u32, positions: Vec<SummaryPosition>) -> Summary {
    Summary {
        round,
        seq: 1,
        text: String::new(),
        positions,
        open_questions: Vec::new(),
        disagreements: Vec::new(),
        by: Actor::Facilitator,
    }
}
