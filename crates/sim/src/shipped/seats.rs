//! Participants that are no models: an agent that fetches its turns, and people with seats. They answer in time, twice, late,
//! after the turn has expired and after a kill, or not at all.

use std::collections::BTreeMap;
use std::sync::Mutex;

use quorate_app::{
    App, Caller, Denial, Invocation, Principal, RequestKey, ServiceError, StoredResponse, Transport,
    TurnAnswer, UseCase,
};
use quorate_contract::*;

use super::callers::{AGENT, SPEAKER, Who};
use super::entrances::Entrance;
use super::vendor::inputs_of;
use super::world::locked;
use crate::report::count;
use crate::rng::Rng;
use crate::world;

/// Those who may have a seat.
const SEATED: [Who; 4] = [Who::Agent, Who::Speaker, Who::Host, Who::Guest(1)];

/// The refusal of an answer that comes too late.
const TOO_LATE: &str = "the turn is over";

/// Gives seats to those who are no models, where no price has to be known.
pub(super) fn seat(rng: &mut Rng, spec: &mut MeetingSpec) {
    let count = spec.participants.len();
    if spec.rules.limits.cost_micros.is_some() || count == 0 {
        return;
    }
    let external = |via, name: &str| RunnerSpec::External { via, name: name.to_owned() };
    let first = rng.place(count);
    if rng.per_mille(350) {
        spec.participants[first].runner = external(TurnDelivery::Agent, AGENT);
    }
    if rng.per_mille(350) && count > 1 {
        let name = rng.pick(&[SPEAKER, "ruth", "guest:1"]);
        spec.participants[(first + 1) % count].runner = external(TurnDelivery::Person, name);
    }
}

/// What is known of a ticket.
#[derive(Debug)]
struct Ticket {
    who: Who,
    meeting: MeetingId,
    /// The answer that ended its turn.
    ended_by: Option<u64>,
}

/// All tickets that were fetched. They outlive processes.
#[derive(Default)]
pub(super) struct Tickets {
    known: Mutex<BTreeMap<String, Ticket>>,
    answers: Mutex<u64>,
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TurnTold {
    status: u16,
    name: String,
    seq: u64,
    asked_again: bool,
}

/// An answer to a turn.
#[derive(Clone)]
struct TurnCall {
    app: App,
    principal: Principal,
    number: u64,
    key: Option<String>,
    ticket: String,
    text: String,
}

impl TurnTold {
    fn refused(name: &str, status: u16) -> Self {
        Self { status, name: name.to_owned(), seq: 0, asked_again: false }
    }

    fn of(error: &ServiceError) -> Self {
        match error.details().get("problem").and_then(|problem| problem.as_str()) {
            Some("turn-is-over") => Self::refused(TOO_LATE, 409),
            Some("cannot-skip") => Self::refused("cannot skip", 409),
            _ if error.fault().is_some() => Self::refused("storage", 503),
            _ => Self::refused("another reason", 409),
        }
    }
}

impl Invocation for TurnCall {
    type Outcome = TurnTold;

    async fn key(&mut self) -> Result<Option<RequestKey>, TurnTold> {
        let mut checksum = [0; 32];
        checksum[..8].copy_from_slice(&self.number.to_le_bytes());
        Ok(self.key.take().map(|key| RequestKey { key, checksum }))
    }

    async fn execute(self) -> TurnTold {
        let answer = TurnAnswer::Text(self.text);
        match self.app.answer_turn(&self.principal, &self.ticket, answer).await {
            Ok(answered) => TurnTold {
                status: 200,
                name: "done".to_owned(),
                seq: answered.seq,
                asked_again: answered.asked_again.is_some(),
            },
            Err(error) => TurnTold::of(&error.into()),
        }
    }

    fn denied(&self, denial: Denial) -> TurnTold {
        match denial {
            Denial::StillRunning => TurnTold::refused("still under way", 409),
            Denial::Interrupted { .. } => TurnTold::refused("interrupted", 409),
            Denial::Failed(error) => TurnTold::of(&error),
            _ => TurnTold::refused("denied", 403),
        }
    }

    fn broken() -> TurnTold {
        TurnTold::refused("internal", 500)
    }

    fn status(told: &TurnTold) -> u16 {
        told.status
    }

    fn is_unknown(told: &TurnTold) -> bool {
        told.status >= 500
    }

    async fn answer(told: TurnTold) -> Result<(StoredResponse, TurnTold), TurnTold> {
        let body = format!("{} {}", told.seq, told.asked_again).into_bytes();
        Ok((StoredResponse { status: told.status, headers: Vec::new(), body, meeting: None }, told))
    }

    fn replay(stored: StoredResponse) -> TurnTold {
        let body = String::from_utf8(stored.body).unwrap_or_default();
        let (seq, asked_again) = body.split_once(' ').unwrap_or_default();
        let seq = seq.parse().unwrap_or_default();
        TurnTold { status: stored.status, name: "done".to_owned(), seq, asked_again: asked_again == "true" }
    }
}

impl Entrance {
    /// Those with seats look for turns, and answer some.
    pub(super) async fn take_turns(&self, meeting: &MeetingId) {
        let world = &self.world;
        let calm = world.is_calm();
        for who in SEATED {
            let Some(principal) = who.principal(meeting) else { continue };
            let Some(turn) = self.app.open_turns(&principal, Some(meeting)).into_iter().next() else {
                continue;
            };
            let ticket = Ticket { who, meeting: meeting.clone(), ended_by: None };
            locked(&world.tickets.known).entry(turn.ticket.clone()).or_insert(ticket);
            let inputs = inputs_of(&turn.prompt, 1_000);
            let trouble = if calm { 0 } else { world.fault_plan.trouble / 2 };
            let text = {
                let mut rng = world.rng();
                if !calm && rng.per_mille(400) {
                    continue; // perhaps later
                }
                match world::reply(&mut rng, &inputs, trouble).outcome {
                    Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => answer.text,
                    Outcome::Failed(_) => "I cannot.".to_owned(),
                }
            };
            let text = world.canaries.plant(inputs.kind, text);
            let (twice, key) = {
                let mut rng = world.rng();
                (!calm && rng.per_mille(200), !calm && rng.per_mille(500))
            };
            count(&mut world.report().deeds, if twice { "answer a turn twice" } else { "answer a turn" });
            let call = self.call(principal, &turn.ticket, text, key);
            if twice {
                // With a key it is the same request, and without one another answer.
                let again = match key {
                    true => call.clone(),
                    false => self.call(call.principal.clone(), &turn.ticket, call.text.clone(), false),
                };
                let entrance = self.clone();
                let id = meeting.clone();
                tokio::spawn(async move { entrance.answer(&id, again).await });
            }
            self.answer(meeting, call).await;
        }
        if !calm && world.rng().per_mille(150) {
            self.answer_late(meeting).await;
        }
    }

    /// Somebody answers a turn that they were once offered.
    async fn answer_late(&self, meeting: &MeetingId) {
        let old: Vec<(String, Who)> = {
            let known = locked(&self.world.tickets.known);
            let here = known.iter().filter(|(_, ticket)| ticket.meeting == *meeting);
            here.map(|(ticket, known)| (ticket.clone(), known.who)).collect()
        };
        let place = self.world.rng().place(old.len());
        let Some((ticket, who)) = old.get(place) else { return };
        let Some(principal) = who.principal(meeting) else { return };
        count(&mut self.world.report().deeds, "answer an old turn");
        let call = self.call(principal, ticket, "As I said.".to_owned(), false);
        self.answer(meeting, call).await;
    }

    fn call(&self, principal: Principal, ticket: &str, text: String, key: bool) -> TurnCall {
        let number = {
            let mut answers = locked(&self.world.tickets.answers);
            *answers += 1;
            *answers
        };
        let key = key.then(|| format!("turn-{number}"));
        TurnCall { app: self.app.clone(), principal, number, key, ticket: ticket.to_owned(), text }
    }

    async fn answer(&self, meeting: &MeetingId, call: TurnCall) {
        let (world, ticket, number) = (&self.world, call.ticket.clone(), call.number);
        let principal = Some(call.principal.clone());
        let caller = Caller { principal, address: None, transport: Transport::Mcp };
        let told = self.app.perform(UseCase::AnswerTurn, caller, Some(meeting.clone()), call).await;
        if self.process.is_dead() {
            return;
        }
        world.note(format!("{meeting} an answer to {ticket}: {}", told.name));
        if told.status == 500 {
            return world.breach(format!("{meeting}: an answer to {ticket} broke off"));
        }
        if told.status >= 300 {
            let name = [TOO_LATE, "storage", "still under way", "interrupted", "denied", "cannot skip"]
                .into_iter()
                .find(|name| *name == told.name)
                .unwrap_or("another reason");
            return count(&mut world.report().refusals, name);
        }
        world.acknowledge(meeting, told.seq);
        if told.asked_again {
            return;
        }
        let mut known = locked(&world.tickets.known);
        let Some(known) = known.get_mut(&ticket) else { return };
        let before = *known.ended_by.get_or_insert(number);
        if before != number {
            world.breach(format!("{meeting}: {ticket} is answered by {before} and by {number}"));
        }
    }
}
