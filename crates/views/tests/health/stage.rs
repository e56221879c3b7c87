//! A meeting that is told event by event, with its seats in whichever order.

use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;
use serde_json::{Value, json};

/// A meeting with named participants; their seats may be in another order.
pub struct Stage {
    pub m: Meeting,
    /// The seat of each named participant.
    seats: Vec<u32>,
    names: Vec<String>,
    claims: u32,
    turns: u32,
    ballots: u32,
}

/// A message of a participant.
#[derive(Debug, Clone, Default)]
pub struct Word<'t> {
    pub position: &'t str,
    pub fact: Option<&'t str>,
    pub claim: Option<&'t str>,
    /// Whether it gave up its position.
    pub moved: bool,
    /// The claim that moved it.
    pub by: Option<u32>,
    pub answers: Option<u32>,
}

pub fn holds(position: &str) -> Word<'_> {
    Word { position, ..Word::default() }
}

impl Stage {
    /// A table at which each is asked of another provider.
    pub fn of(names: &[&str]) -> Self {
        let providers: Vec<&str> = names.to_vec();
        Self::seated(names, &providers, &(0..names.len()).collect::<Vec<_>>())
    }

    /// A meeting in which the `n`th name takes the seat `order[n]`, with the provider `providers[n]`.
    pub fn seated(names: &[&str], providers: &[&str], order: &[usize]) -> Self {
        let mut stage = Self {
            m: Meeting::blank(MeetingId::new("m"), RunId::new("r")),
            seats: order.iter().map(|seat| *seat as u32 + 1).collect(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            claims: 0,
            turns: 0,
            ballots: 0,
        };
        stage.emit(
            "meeting_created",
            json!({
                "topic": "Is SQLite enough?", "language": "en", "format": "consensus", "rules": Rules::default(),
                "seed": 1, "facilitator": null, "by": Actor::owner(),
            }),
        );
        for seat in 0..names.len() {
            let who = order.iter().position(|taken| *taken == seat).expect("a permutation");
            let runner = RunnerSpec::Model {
                provider: providers[who].into(),
                model: format!("{} one", providers[who]),
                parameters: ModelParameters::default(),
                price: None,
                fallback: None,
            };
            let participant = Participant {
                id: ParticipantId(seat as u32 + 1),
                name: names[who].into(),
                role: Role { name: "r".into(), description: "d".into(), system_prompt: String::new() },
                runner,
                skip_list: Vec::new(),
            };
            stage.emit("participant_joined", json!({ "participant": participant, "by": Actor::owner() }));
        }
        stage.emit("meeting_started", json!({ "by": Actor::owner() }));
        stage
    }

    pub fn emit(&mut self, kind: &str, payload: Value) {
        let body = json!({ "type": kind, "payload": payload });
        let body: EventBody = serde_json::from_value(body).unwrap_or_else(|error| panic!("{kind}: {error}"));
        let event = Event {
            version: ContractVersion,
            seq: self.m.seq + 1,
            meeting_id: self.m.id.clone(),
            run_id: self.m.run.clone(),
            ts_ms: Timestamp(self.m.seq as i64),
            actor: Actor::System,
            cause: "test".into(),
            body,
        };
        apply(&mut self.m, &event);
    }

    pub fn id(&self, who: usize) -> ParticipantId {
        ParticipantId(self.seats[who])
    }

    /// A round in which each who is named says something, in that order; the first round is blind.
    pub fn round(&mut self, words: &[(usize, Word)]) {
        self.begins_round(words);
        let round = self.m.round_number();
        self.emit("round_ended", json!({ "round": round }));
        let mut positions: Vec<(String, Vec<ParticipantId>)> = Vec::new();
        for who in 0..self.names.len() {
            let stance = self.m.seat(self.id(who)).and_then(|seat| seat.stance.clone());
            let Some(text) = stance.map(|stance| stance.position) else { continue };
            match positions.iter_mut().find(|(other, _)| *other == text) {
                Some((_, holders)) => holders.push(self.id(who)),
                None => positions.push((text, vec![self.id(who)])),
            }
        }
        let positions: Vec<Value> =
            positions.iter().map(|(text, holders)| json!({ "text": text, "holders": holders })).collect();
        let summary =
            json!({ "round": round, "by": Actor::System, "text": "so far", "positions": positions });
        self.emit("summary_written", summary);
    }

    /// The same, and it is not over.
    pub fn begins_round(&mut self, words: &[(usize, Word)]) {
        let round = self.m.rounds.len() as u32;
        let kind = if round == 0 { "blind" } else { "serial" };
        let order: Vec<ParticipantId> = words.iter().map(|(who, _)| self.id(*who)).collect();
        self.emit("round_started", json!({ "round": round, "kind": kind, "order": order }));
        self.turns = 0;
        for (who, word) in words {
            self.says(*who, word);
        }
    }

    fn says(&mut self, who: usize, word: &Word) {
        let (round, id) = (self.m.round_number(), self.id(who));
        self.turns += 1;
        let turn = format!("r{round}t{}", self.turns);
        self.emit(
            "speaker_selected",
            json!({ "turn": turn, "participant": id, "why": "rotation", "can_skip": false }),
        );
        let mut claims = Vec::new();
        for (kind, text) in [("fact", word.fact), ("claim", word.claim)] {
            if let Some(text) = text {
                self.claims += 1;
                claims.push(json!({ "id": format!("c{}", self.claims), "kind": kind, "text": text }));
            }
        }
        let named = |claim: Option<u32>| claim.map(|claim| format!("c{claim}"));
        let answered: Vec<String> = named(word.answers).into_iter().collect();
        let mut stance = json!({ "position": word.position, "changed": word.moved, "claims": claims, "answered": answered });
        if let Some(by) = named(word.by) {
            stance["changed_by"] = by.into();
        }
        let message = format!("m{}", self.m.said.len() + 1);
        let words = json!({ "role": "assistant", "name": self.names[who], "content": word.position });
        self.emit(
            "agent_message",
            json!({ "message_id": message, "round": round, "turn": turn, "participant": id, "message": words,
                "stance": stance }),
        );
    }

    /// A ballot with a score of each named participant; from 75 on it passes the draft, below it is an
    /// objection. The ballot passes when all votes do.
    pub fn votes(&mut self, scores: &[(usize, u8)]) {
        self.ballot(scores, scores.iter().all(|(_, score)| *score >= 75));
    }

    /// A ballot that the rules count like this.
    pub fn ballot(&mut self, scores: &[(usize, u8)], passed: bool) {
        let ballot = self.open_ballot(scores);
        let verdict = json!({ "passed": passed, "clauses": [], "votes": scores.len(), "abstentions": 0 });
        self.emit("ballot_closed", json!({ "ballot": ballot, "verdict": verdict }));
    }

    /// A ballot that is not counted yet.
    pub fn open_ballot(&mut self, scores: &[(usize, u8)]) -> String {
        self.ballots += 1;
        let (ballot, round) = (format!("b{}", self.ballots), self.m.round_number());
        let voters: Vec<ParticipantId> = scores.iter().map(|(who, _)| self.id(*who)).collect();
        self.emit(
            "ballot_opened",
            json!({ "ballot": ballot, "round": round, "draft_version": 1, "voters": voters }),
        );
        for (who, score) in scores {
            let pass = *score >= 75;
            let mut payload = json!({ "ballot": ballot, "participant": self.id(*who),
                "vote": { "score": score, "pass": pass, "reason": "it grows" } });
            if !pass {
                self.claims += 1;
                payload["objection"] =
                    json!({ "id": format!("c{}", self.claims), "kind": "objection", "text": "it grows" });
            }
            self.emit("vote_cast", payload);
        }
        ballot
    }

    /// The facilitator explains why the last ballot failed.
    pub fn facilitates(&mut self, disagreement: &str) {
        let said = self.m.said.len() + 1;
        self.emit(
            "facilitation_written",
            json!({
                "ballot": format!("b{}", self.ballots), "message_id": format!("m{said}"),
                "message": { "role": "system", "name": "", "content": disagreement },
                "disagreements": [disagreement], "proposed_patch": "", "next_focus": ["What does it cost?"],
            }),
        );
    }

    /// The meeting ends without a consensus.
    pub fn ends_without_consensus(&mut self) {
        self.emit("meeting_closing", json!({ "outcome": "aborted", "reason": "round_limit" }));
        self.emit(
            "finished",
            json!({ "outcome": "aborted", "reason": "round_limit", "rounds": 2, "usage": {}, "cost_micros": 0 }),
        );
    }

    pub fn health(&self) -> DeliberationHealth {
        DeliberationHealth::of(&self.m)
    }

    pub fn standing(&self) -> HealthGrade {
        self.health().verdict.standing
    }

    /// The rules that led to the verdict.
    pub fn because(&self) -> Vec<Measure> {
        self.health().verdict.because.iter().map(|finding| finding.rule).collect()
    }
}
