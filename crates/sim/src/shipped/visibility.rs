//! Who may read which words, by code that knows events and nothing of `views::visibility`.
//!
//! The pretended models put a word that occurs once into each answer, vote, note and mark. From the log alone it follows who
//! may see it at a moment; what callers read through the application is searched for the others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

use quorate_app::{
    App, Caller, Denial, Invocation, Principal, ServiceError, StoredResponse, Transport, UseCase, viewer_of,
};
use quorate_contract::*;
use quorate_views::{BallotView, DeliberationHealth, MeetingView, MessageView, Report};
use serde_json::Value;

use super::callers::{AGENT, Who};
use super::entrances::Entrance;
use crate::report::count;
use crate::rng::Rng;

/// What each word begins with.
const BEGINNING: &str = "canary";

/// How many messages a reader asks for.
const MESSAGES: usize = 200;

/// The words that were put into answers.
#[derive(Debug, Default)]
pub(super) struct Canaries(AtomicU64);

impl Canaries {
    fn next(&self) -> String {
        format!("{BEGINNING}{}x", self.0.fetch_add(1, Ordering::Relaxed))
    }

    /// An answer with words that occur once, where its form has a text. A garbled one may have none.
    pub(super) fn plant(&self, kind: AnswerKind, answer: String) -> String {
        let Ok(mut form) = serde_json::from_str::<Value>(&answer) else {
            return match kind {
                AnswerKind::Speak if !answer.trim().is_empty() && !answer.starts_with('[') => {
                    format!("{} {answer}", self.next())
                }
                _ => answer,
            };
        };
        let places: Vec<String> = match kind {
            AnswerKind::Vote => vec!["/reason".into()],
            AnswerKind::Blind => vec!["/position".into()],
            AnswerKind::Contribute => vec!["/statement".into(), "/memory/notes/0".into()],
            AnswerKind::Evaluate => (0..16).map(|place| format!("/marks/{place}/reason")).collect(),
            _ => return answer,
        };
        for place in &places {
            if let Some(Value::String(text)) = form.pointer_mut(place) {
                *text = format!("{text} {}", self.next());
            }
        }
        form.to_string()
    }
}

/// All such words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices(BEGINNING).filter_map(|(at, _)| {
        let rest = &text[at + BEGINNING.len()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (digits > 0 && rest[digits..].starts_with('x')).then(|| &text[at..=at + BEGINNING.len() + digits])
    })
}

/// To whom a word may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Secret {
    /// To everybody who may read the meeting.
    Open,
    /// To those who manage: notes, marks, reasoning, answers that could not be read.
    Private,
    /// To those who manage, while the ballot is open.
    Vote(BallotId),
    /// To nobody else who takes part, while the blind round is open.
    Answer(u32, ParticipantId),
}

/// What the log of one meeting says of who may see what.
#[derive(Debug, Default)]
pub(super) struct Secrets {
    words: BTreeMap<String, Secret>,
    blind_round: Option<u32>,
    ballot: Option<BallotId>,
    voters: BTreeSet<ParticipantId>,
    /// The seats of those who answer from outside, by their participants.
    seats: BTreeMap<ParticipantId, (TurnDelivery, String)>,
    present: BTreeSet<ParticipantId>,
    is_locked: bool,
    /// The longest silence that the meeting allows itself.
    pub(super) silence_ms: Option<u64>,
}

/// What somebody may not see at a moment; `None` where they may not read the meeting at all.
type Hidden = Option<BTreeSet<String>>;

impl Secrets {
    /// Reads one more event, and its line.
    pub(super) fn see(&mut self, event: &Event, line: &str) {
        let secret = match &event.body {
            EventBody::MemoryWritten { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::AnswerMalformed { .. } => Secret::Private,
            EventBody::VoteCast { ballot, .. } | EventBody::VoteAbstained { ballot, .. } => {
                Secret::Vote(*ballot)
            }
            EventBody::AgentMessage { round, participant, .. } => Secret::Answer(*round, *participant),
            _ => Secret::Open,
        };
        for word in words(line) {
            let known = self.words.entry(word.to_owned()).or_insert(secret);
            // An answer that could not be used at first, and is cast or said after all, is as open as the vote or the message.
            if *known == Secret::Private && matches!(secret, Secret::Vote(_) | Secret::Answer(..)) {
                *known = secret;
            }
        }
        match &event.body {
            EventBody::MeetingStarted { silence_max_ms, .. }
            | EventBody::RulesChanged { silence_max_ms, .. } => {
                // A call that runs keeps the time that it was given.
                self.silence_ms = self.silence_ms.max(*silence_max_ms);
            }
            EventBody::RoundStarted { round, kind, .. } => {
                self.blind_round = (*kind == RoundKind::Blind).then_some(*round);
            }
            EventBody::RoundEnded { .. } => self.blind_round = None,
            EventBody::BallotOpened { ballot, voters, .. } => {
                self.ballot = Some(*ballot);
                self.voters = voters.iter().copied().collect();
            }
            EventBody::BallotClosed { .. } | EventBody::BallotInterrupted { .. } => self.ballot = None,
            EventBody::Finished { .. } => (self.blind_round, self.ballot) = (None, None),
            EventBody::ParticipantJoined { participant, .. } => {
                self.present.insert(participant.id);
                if let RunnerSpec::External { via, name } = &participant.runner {
                    self.seats.insert(participant.id, (*via, name.clone()));
                }
            }
            EventBody::ParticipantLeft { participant, .. } => _ = self.present.remove(participant),
            EventBody::AccessChanged { locked, .. } => self.is_locked = *locked,
            _ => {}
        }
    }

    /// The seats that are and were somebody's own.
    fn seats_of(&self, who: Who) -> impl Iterator<Item = ParticipantId> + '_ {
        let is_own = move |(via, name): &(TurnDelivery, String)| match via {
            TurnDelivery::Agent => who == Who::Agent && name == AGENT,
            TurnDelivery::Person => who.person() == Some(name.as_str()),
            TurnDelivery::Webhook => false,
        };
        self.seats.iter().filter(move |(_, seat)| is_own(seat)).map(|(id, _)| *id)
    }

    /// Whether somebody has or had a seat.
    pub(super) fn had_seat(&self, who: Who) -> bool {
        self.seats_of(who).next().is_some()
    }

    /// Whether a ballot is open.
    pub(super) fn is_voting(&self) -> bool {
        self.ballot.is_some()
    }

    /// What somebody may not see now.
    fn hidden_from(&self, who: Who) -> Hidden {
        let seat = self.seats_of(who).find(|seat| self.present.contains(seat));
        let is_let_in = match who {
            Who::Owner | Who::Host | Who::Guest(_) => true,
            Who::Speaker | Who::Reader | Who::Agent => !self.is_locked || seat.is_some(),
            Who::Stranger => false,
        };
        let is_voter = self.seats_of(who).any(|seat| self.voters.contains(&seat));
        let is_blind = self.blind_round.is_some() && seat.is_some();
        let waits = self.ballot.is_some() && (seat.is_some() || is_voter);
        let sees_all = matches!(who, Who::Owner | Who::Host) && !is_blind && !waits;
        let may_see = |secret: Secret| match secret {
            Secret::Open => true,
            Secret::Private => sees_all,
            Secret::Vote(ballot) => sees_all || self.ballot != Some(ballot),
            Secret::Answer(round, speaker) => {
                !is_blind || self.blind_round != Some(round) || seat == Some(speaker)
            }
        };
        let hidden = self.words.iter().filter(|(_, secret)| !may_see(**secret));
        is_let_in.then(|| hidden.map(|(word, _)| word.clone()).collect())
    }
}

/// What can be read of a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Log,
    Meeting,
    Messages,
    Report,
    Votes,
    Health,
}

impl Reading {
    const ALL: [Self; 6] =
        [Self::Log, Self::Meeting, Self::Messages, Self::Report, Self::Votes, Self::Health];

    fn use_case(self) -> UseCase {
        match self {
            Self::Log => UseCase::ReadLog,
            Self::Meeting => UseCase::ShowMeeting,
            Self::Messages => UseCase::ListMessages,
            Self::Report => UseCase::ShowReport,
            Self::Votes => UseCase::ListVotes,
            Self::Health => UseCase::ShowHealth,
        }
    }
}

/// One reading of a caller.
struct ReadCall {
    app: App,
    principal: Option<Principal>,
    meeting: MeetingId,
    reading: Reading,
}

impl ReadCall {
    async fn read(&self) -> Result<String, ServiceError> {
        let (app, id) = (&self.app, &self.meeting);
        // Nobody without a name is let through to here.
        let principal = self.principal.clone().unwrap_or_else(Principal::owner);
        if self.reading == Reading::Log {
            let (viewer, records) = (app.viewer(&principal, id).await?, app.records(id, 0).await?);
            let shown = records.iter().map(|record| match viewer.line(&record.event) {
                Some(line) => line,
                None => record.line.to_string(),
            });
            return Ok(shown.collect());
        }
        let mut meeting = app.load(id).await?;
        let viewer = viewer_of(&meeting, &principal);
        let as_json = |value: serde_json::Result<String>| value.unwrap_or_default();
        Ok(match self.reading {
            Reading::Log | Reading::Meeting => {
                as_json(serde_json::to_string(&MeetingView::of(&meeting, viewer, MESSAGES)))
            }
            Reading::Messages => {
                viewer.redact(&mut meeting);
                let said = meeting.said.iter().map(|said| MessageView::of(said.clone(), viewer));
                as_json(serde_json::to_string(&said.collect::<Vec<_>>()))
            }
            Reading::Report => {
                viewer.redact(&mut meeting);
                as_json(serde_json::to_string(&Report::of(&meeting)))
            }
            Reading::Votes => {
                let ballots = meeting.ballots.iter().map(|ballot| BallotView::of(ballot, viewer));
                as_json(serde_json::to_string(&ballots.collect::<Vec<_>>()))
            }
            Reading::Health => {
                viewer.redact(&mut meeting);
                as_json(serde_json::to_string(&DeliberationHealth::of(&meeting)))
            }
        })
    }
}

impl Invocation for ReadCall {
    type Outcome = Result<String, &'static str>;

    async fn execute(self) -> Self::Outcome {
        self.read().await.map_err(|_| "cannot be read")
    }

    fn denied(&self, denial: Denial) -> Self::Outcome {
        Err(match denial {
            Denial::BlindRound => "a blind round",
            Denial::OpenBallot => "an open ballot",
            Denial::Locked => "asks for a password",
            Denial::NotSignedIn => "not signed in",
            Denial::Forbidden { .. } => "forbidden",
            _ => "no reading",
        })
    }

    fn broken() -> Self::Outcome {
        Err("internal")
    }

    fn status(outcome: &Self::Outcome) -> u16 {
        if outcome.is_ok() { 200 } else { 403 }
    }

    async fn answer(outcome: Self::Outcome) -> Result<(StoredResponse, Self::Outcome), Self::Outcome> {
        Err(outcome)
    }

    fn replay(_: StoredResponse) -> Self::Outcome {
        Err("internal")
    }
}

impl Entrance {
    /// Somebody reads a meeting, and finds no word that is hidden from them.
    pub(super) async fn look_through(&self, meeting: &MeetingId) {
        let (who, reading) = {
            let mut rng: std::sync::MutexGuard<'_, Rng> = self.world.rng();
            (rng.pick(&Who::ALL), rng.pick(&Reading::ALL))
        };
        let hidden = || self.world.known().get(meeting).and_then(|known| known.secrets.hidden_from(who));
        let before = hidden();
        let principal = who.principal(meeting);
        let caller = Caller { principal: principal.clone(), address: None, transport: Transport::Rest };
        let call = ReadCall { app: self.app.clone(), principal, meeting: meeting.clone(), reading };
        let told = self.app.perform(reading.use_case(), caller, Some(meeting.clone()), call).await;
        let after = hidden();
        let text = match told {
            Ok(text) => text,
            Err(name) => return count(&mut self.world.report().refusals, name),
        };
        count(&mut self.world.report().deeds, "read");
        if before.is_none() && after.is_none() {
            return self.world.breach(format!("{meeting}: {who:?} reads {reading:?}, and may not"));
        }
        // What changed meanwhile may have been read either way.
        let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
        let hidden: BTreeSet<&str> = before.intersection(&after).map(String::as_str).collect();
        if !hidden.is_empty() {
            count(&mut self.world.report().deeds, "read where words are hidden");
        }
        if let Some(word) = words(&text).find(|word| hidden.contains(word)) {
            self.world.breach(format!("{meeting}: {who:?} reads {word} in {reading:?}, and may not"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let found: Vec<&str> = words("a canary12x, \"canary3x\" and canary4 canaryx").collect();
        assert_eq!(found, ["canary12x", "canary3x"]);
        let canaries = Canaries::default();
        let vote = canaries.plant(AnswerKind::Vote, r#"{"score":7,"reason":"so"}"#.to_owned());
        assert_eq!(words(&vote).collect::<Vec<_>>(), ["canary0x"]);
    }

    #[test]
    fn who_has_a_seat_waits_for_the_votes_and_the_others_do_not() {
        let mut secrets = Secrets { ballot: Some(BallotId(1)), ..Secrets::default() };
        secrets.words.insert("canary1x".to_owned(), Secret::Vote(BallotId(1)));
        secrets.words.insert("canary2x".to_owned(), Secret::Private);
        let hidden = |secrets: &Secrets, who| secrets.hidden_from(who).map(|words| words.len());
        assert_eq!(hidden(&secrets, Who::Owner), Some(0));
        assert_eq!(hidden(&secrets, Who::Reader), Some(2));
        secrets.seats.insert(ParticipantId(1), (TurnDelivery::Person, "ruth".to_owned()));
        secrets.present.insert(ParticipantId(1));
        assert_eq!(hidden(&secrets, Who::Host), Some(2), "a manager with a seat");
        secrets.ballot = None;
        assert_eq!(hidden(&secrets, Who::Host), Some(0));
        assert_eq!(hidden(&secrets, Who::Reader), Some(1));
        secrets.is_locked = true;
        assert_eq!(hidden(&secrets, Who::Reader), None);
        assert_eq!(hidden(&secrets, Who::Stranger), None);
    }
}
