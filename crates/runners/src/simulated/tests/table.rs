//! A table for tests: it hands out briefs as a meeting does and keeps what comes back.
//!
//! It is far simpler than the real core (serial rounds, one rule, no faults), and that is its
//! use: the simulation is judged without depending on the engine.

use quorate_contract::{
    Brief, BriefBlind, BriefConclusion, BriefParticipant, BriefSummary, BriefTarget, BriefTask, BriefTurn,
    Language, RunnerSpec, Temperament,
};
use serde::Deserialize;

use crate::simulated::{answer_text, default_cast};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlindAnswer {
    pub(super) position: String,
    pub(super) claims: Vec<String>,
    pub(super) confidence: u8,
    pub(super) would_change_my_mind: String,
    pub(super) unshared_facts: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Trailer {
    pub(super) position: String,
    pub(super) confidence: u8,
    pub(super) changed_by: Option<String>,
    pub(super) claims: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct VoteAnswer {
    pub(super) score: u8,
    pub(super) pass: bool,
    pub(super) reason: String,
    pub(super) missing: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeldAnswer {
    pub(super) text: String,
    pub(super) holders: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SummaryAnswer {
    pub(super) summary: String,
    pub(super) positions: Vec<HeldAnswer>,
    pub(super) draft: String,
    #[serde(default)]
    pub(super) open_questions: Vec<String>,
    #[serde(default)]
    pub(super) disagreements: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FacilitationAnswer {
    pub(super) disagreements: Vec<String>,
    pub(super) proposed_patch: String,
    pub(super) next_focus: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SideAnswer {
    pub(super) view: String,
    pub(super) why: String,
    pub(super) holders: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DisagreementAnswer {
    pub(super) issue: String,
    pub(super) sides: Vec<SideAnswer>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ActionAnswer {
    pub(super) what: String,
    pub(super) who: Option<String>,
    pub(super) sources: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConclusionAnswer {
    pub(super) conclusion: String,
    pub(super) disagreements: Vec<DisagreementAnswer>,
    pub(super) actions: Vec<ActionAnswer>,
}

/// A brief without messages and without a draft.
pub(super) fn brief(task: BriefTask, language: Language, topic: &str) -> Brief {
    Brief { seed: 1, ..Brief::new(task, language, topic) }
}

/// A turn in prose.
pub(super) fn speak(turn: BriefTurn) -> BriefTask {
    BriefTask::Speak(BriefTurn { last_round: 8, ..turn })
}

/// The turn that a brief asks for.
pub(super) fn asked(brief: &Brief) -> &BriefTurn {
    brief.task.turn().expect("a turn in a discussion")
}

/// Splits a message into what people read and its trailer.
pub(super) fn split(message: &str) -> (String, Trailer) {
    let at = message.rfind("```json").unwrap_or_else(|| panic!("no trailer in {message:?}"));
    let json = message[at..].trim_start_matches("```json").trim_end_matches("```");
    let trailer = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {message:?}"));
    (message[..at].trim().to_owned(), trailer)
}

pub(super) struct Claim {
    pub(super) id: String,
    pub(super) owner: String,
    pub(super) text: String,
    pub(super) answered: u32,
}

/// One message of the transcript.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) who: String,
    pub(super) text: String,
}

/// A meeting of simulated participants.
pub(super) struct Table {
    pub(super) language: Language,
    pub(super) topic: String,
    pub(super) seed: u64,
    pub(super) seats: Vec<(String, String, Temperament)>,
    pub(super) participants: Vec<BriefParticipant>,
    pub(super) claims: Vec<Claim>,
    pub(super) draft: Option<String>,
    pub(super) focus: Vec<String>,
    pub(super) lines: Vec<Line>,
    /// Each ballot's votes, in the order of the seats.
    pub(super) ballots: Vec<Vec<VoteAnswer>>,
    pub(super) conclusion: Option<ConclusionAnswer>,
    tasks: u64,
}

impl Table {
    pub(super) fn new(language: Language, topic: &str, temperaments: &[Temperament], seed: u64) -> Self {
        let cast = default_cast(language, temperaments.len(), seed, |seat| RunnerSpec::Simulated {
            temperament: temperaments[seat],
        });
        let seats: Vec<_> = cast
            .into_iter()
            .zip(temperaments)
            .map(|(seat, temperament)| {
                let role = format!("{}：{}", seat.role.name, seat.role.description);
                (seat.name, role, *temperament)
            })
            .collect();
        let participants = seats
            .iter()
            .map(|(name, ..)| BriefParticipant {
                name: name.clone(),
                position: None,
                score: None,
                vote_reason: None,
            })
            .collect();
        Self {
            language,
            topic: topic.to_owned(),
            seed,
            seats,
            participants,
            claims: Vec::new(),
            draft: None,
            focus: Vec::new(),
            lines: Vec::new(),
            ballots: Vec::new(),
            conclusion: None,
            tasks: 0,
        }
    }

    fn brief(&mut self, task: BriefTask, round: u32, seat: Option<usize>) -> Brief {
        self.tasks += 1;
        let (name, role) = seat
            .map_or_else(Default::default, |seat| (self.seats[seat].0.clone(), self.seats[seat].1.clone()));
        Brief {
            name,
            role,
            round,
            participants: self.participants.clone(),
            draft: self.draft.clone(),
            seed: self.seed.wrapping_mul(0x9e37_79b9).wrapping_add(self.tasks * 7919),
            ..brief(task, self.language, &self.topic)
        }
    }

    /// Two points of others: one that disagrees if there is one, and the least answered.
    fn targets(&mut self, seat: usize) -> Vec<BriefTarget> {
        let own = self.participants[seat].clone();
        let position_of = |name: &str| {
            self.participants
                .iter()
                .find(|participant| participant.name == name)
                .and_then(|participant| participant.position.clone())
        };
        let mut open: Vec<(u32, usize, bool)> = self
            .claims
            .iter()
            .enumerate()
            .filter(|(_, claim)| claim.owner != own.name)
            .map(|(place, claim)| (claim.answered, place, position_of(&claim.owner) != own.position))
            .collect();
        open.sort_by_key(|(answered, place, _)| (*answered, usize::MAX - place));
        let mut chosen: Vec<(u32, usize, bool)> =
            open.iter().find(|(.., disagrees)| *disagrees).copied().into_iter().collect();
        let second =
            open.into_iter().find(|(_, place, _)| !chosen.iter().any(|(_, known, _)| known == place));
        chosen.extend(second);
        chosen
            .into_iter()
            .map(|(_, place, disagrees)| {
                let claim = &mut self.claims[place];
                claim.answered += 1;
                BriefTarget {
                    claim: claim.id.clone(),
                    owner: claim.owner.clone(),
                    text: claim.text.clone(),
                    disagrees,
                }
            })
            .collect()
    }

    fn raise(&mut self, owner: &str, texts: Vec<String>) {
        for text in texts {
            let id = format!("c{}", self.claims.len() + 1);
            self.claims.push(Claim { id, owner: owner.to_owned(), text, answered: 0 });
        }
    }

    fn note(&mut self, who: &str, text: &str) {
        self.lines.push(Line { who: who.to_owned(), text: text.to_owned() });
    }

    /// The first answers of all participants, and the first draft.
    pub(super) fn blind_round(&mut self) {
        let participants = self.participants.clone();
        for seat in 0..self.seats.len() {
            let task = BriefTask::Blind(BriefBlind::default());
            let brief = Brief { participants: participants.clone(), ..self.brief(task, 0, Some(seat)) };
            let text = answer_text(&brief, self.seats[seat].2, 1);
            let answer: BlindAnswer = serde_json::from_str(&text).expect("a blind answer");
            self.note(
                &brief.name,
                &format!(
                    "{}\n{}\n{}",
                    answer.position,
                    answer.claims.join("\n"),
                    answer.would_change_my_mind
                ),
            );
            self.participants[seat].position = Some(answer.position);
            self.raise(&brief.name, answer.claims.into_iter().chain(answer.unshared_facts).collect());
        }
        self.sum_up(0);
    }

    /// One serial round, rotating.
    pub(super) fn round(&mut self, round: u32) {
        for step in 0..self.seats.len() {
            let seat = (step + round as usize) % self.seats.len();
            let targets = self.targets(seat);
            let task = speak(BriefTurn { targets, focus: self.focus.clone(), ..BriefTurn::default() });
            let brief = self.brief(task, round, Some(seat));
            let (prose, trailer) = split(&answer_text(&brief, self.seats[seat].2, 1));
            self.note(&brief.name, &prose);
            self.participants[seat].position = Some(trailer.position);
            self.raise(&brief.name, trailer.claims);
        }
        self.sum_up(round);
    }

    fn sum_up(&mut self, round: u32) {
        let brief = self.brief(BriefTask::Summarize(BriefSummary::default()), round, None);
        let text = answer_text(&brief, Temperament::Balanced, 1);
        let answer: SummaryAnswer = serde_json::from_str(&text).expect("a summary");
        self.note("—", &format!("{}\n\n{}", answer.summary, answer.draft));
        self.draft = Some(answer.draft);
    }

    /// A ballot; whether the mean reached 80. When it did not, the facilitator speaks.
    pub(super) fn ballot(&mut self, round: u32) -> bool {
        let mut votes = Vec::new();
        for seat in 0..self.seats.len() {
            let brief = self.brief(BriefTask::Vote, round, Some(seat));
            let text = answer_text(&brief, self.seats[seat].2, 1);
            let vote: VoteAnswer = serde_json::from_str(&text).expect("a vote");
            self.note(&brief.name, &format!("{} {}", vote.score, vote.reason));
            votes.push(vote);
        }
        for (participant, vote) in self.participants.iter_mut().zip(&votes) {
            participant.score = Some(vote.score);
            participant.vote_reason = Some(vote.reason.clone());
        }
        let total: u32 = votes.iter().map(|vote| u32::from(vote.score)).sum();
        let passed = total >= 80 * votes.len() as u32;
        self.ballots.push(votes);
        if !passed {
            let brief = self.brief(BriefTask::Facilitate, round, None);
            let text = answer_text(&brief, Temperament::Balanced, 1);
            let answer: FacilitationAnswer = serde_json::from_str(&text).expect("a facilitation");
            self.note(
                "—",
                &format!(
                    "{}\n{}\n{}",
                    answer.disagreements.join("\n"),
                    answer.proposed_patch,
                    answer.next_focus.join("\n")
                ),
            );
            self.focus = answer.next_focus;
        }
        passed
    }

    /// A whole meeting; the round in which a ballot passed.
    pub(super) fn meet(&mut self, last_round: u32) -> Option<u32> {
        self.blind_round();
        let passed = (1..=last_round).find(|round| {
            self.round(*round);
            self.ballot(*round)
        });
        let task = BriefTask::Conclude(BriefConclusion::default());
        let brief = self.brief(task, passed.unwrap_or(last_round), None);
        let text = answer_text(&brief, Temperament::Balanced, 1);
        let answer: ConclusionAnswer = serde_json::from_str(&text).expect("a conclusion");
        self.note("—", &answer.conclusion);
        self.conclusion = Some(answer);
        passed
    }
}
