//! The result of a meeting: for people as Markdown, for programs as JSON. Every line can be traced
//! to who said it, by the numbers of messages and ballots.

use std::sync::OnceLock;

use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use serde::Serialize;

use super::words::{clause_text, outcome_text, trimmed};
use crate::event::{AbstentionKind, ActionItem, MeetingOutcome};
use crate::ids::{BallotId, MeetingId, MessageId, Moment, ParticipantId};
use crate::meeting::{Ballot, BallotState, Cast, Meeting, Speaker, Spent};
use crate::rules::{ClauseKind, Format, Language, Verdict};

/// The result of a meeting, or how it stands when it is not over.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Which meeting.
    pub meeting_id: MeetingId,
    /// The question.
    pub topic: String,
    /// Its format.
    pub format: Format,
    /// Its language.
    pub language: Language,
    /// Whether participants were simulated: then the words are pretence.
    pub simulated: bool,
    /// How it ended; `None` while it has not.
    pub outcome: Option<MeetingOutcome>,
    /// The same in a sentence.
    pub outcome_text: String,
    /// Discussion rounds that took place.
    pub rounds: u32,
    /// Markdown; the draft while there is no conclusion.
    pub conclusion: String,
    /// Why there is no consensus, when there is none.
    pub why_no_consensus: Vec<String>,
    /// What is left open, who holds what, and why.
    pub disagreements: Vec<ReportDisagreement>,
    /// Who did not let the last draft pass, or held another position; always there.
    pub dissent: Vec<DissentRow>,
    /// What is to be done.
    pub actions: Vec<ActionItem>,
    /// What voters said was still missing.
    pub missing: Vec<String>,
    /// Every ballot with every vote.
    pub ballots: Vec<BallotRow>,
    /// From the blind answer to the end, per participant.
    pub shifts: Vec<ShiftRow>,
    /// What each participant's calls used, and the facilitator's.
    pub costs: Vec<CostRow>,
    /// What all calls used.
    pub total: CostRow,
    /// Calls whose answer was lost with a process; what they used is not known.
    pub lost_calls: u32,
    /// How many messages there are.
    pub messages: usize,
    /// When it started.
    pub started_at: Option<Moment>,
    /// The moment of its last event.
    pub updated_at: Moment,
}

/// A disagreement with names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportDisagreement {
    /// What it is about.
    pub issue: String,
    /// Who stands where.
    pub sides: Vec<ReportSide>,
}

/// One side of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportSide {
    /// What it holds.
    pub view: String,
    /// Why.
    pub why: String,
    /// Who.
    pub holders: Vec<String>,
    /// The last messages in which they said so.
    pub sources: Vec<MessageId>,
}

/// Somebody who does not agree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DissentRow {
    /// Who.
    pub name: String,
    /// Its score in the last ballot.
    pub score: Option<u8>,
    /// Why, in its own words.
    pub reason: String,
    /// What it holds.
    pub position: String,
    /// The ballot, when there was one.
    pub ballot: Option<BallotId>,
    /// Its last message.
    pub source: Option<MessageId>,
}

/// A ballot.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BallotRow {
    /// Which.
    pub id: BallotId,
    /// After which round.
    pub round: u32,
    /// On which version of the draft.
    pub draft_version: u32,
    /// `open`, `interrupted`, `passed` or `failed`.
    pub state: &'static str,
    /// The verdict, when it was counted.
    pub verdict: Option<Verdict>,
    /// Each clause in words.
    pub clauses: Vec<String>,
    /// Each vote.
    pub votes: Vec<VoteRow>,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VoteRow {
    /// Whose.
    pub name: String,
    /// 0-100; `None` when it abstained.
    pub score: Option<u8>,
    /// Whether the meeting may end with the draft.
    pub pass: Option<bool>,
    /// Why.
    pub reason: String,
    /// What is missing.
    pub missing: Vec<String>,
    /// Why there is no vote.
    pub abstained: Option<AbstentionKind>,
}

/// How somebody moved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShiftRow {
    /// Who.
    pub name: String,
    /// Its first position.
    pub first: String,
    /// How sure it was, 0-100.
    pub first_confidence: Option<u8>,
    /// Its last position.
    pub last: String,
    /// How sure it is, 0-100.
    pub last_confidence: Option<u8>,
    /// Its last score.
    pub last_score: Option<u8>,
    /// How often it moved and named what moved it.
    pub moved_by_argument: u32,
    /// How often it moved without.
    pub moved_without: u32,
}

/// What calls used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostRow {
    /// Whose.
    pub name: String,
    /// What answered.
    pub runner: String,
    /// Calls.
    pub calls: u32,
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Of those read, the ones the provider had cached.
    pub cached_tokens: u64,
    /// Whether some of it is an estimate.
    pub estimated: bool,
    /// Millionths; `None` when a price is not known.
    pub cost_micros: Option<u64>,
}

impl Report {
    /// The result of a meeting, or how it stands.
    pub fn of(m: &Meeting) -> Self {
        let language = m.language();
        let conclusion = match (&m.conclusion, m.draft()) {
            (Some(conclusion), _) => conclusion.text.clone(),
            (None, Some(draft)) => draft.text.clone(),
            (None, None) => String::new(),
        };
        let disagreements = m.conclusion.iter().flat_map(|conclusion| &conclusion.disagreements);
        let actions = m.conclusion.iter().flat_map(|conclusion| &conclusion.actions);
        Self {
            meeting_id: m.id.clone(),
            topic: m.charter.topic.clone(),
            format: m.charter.format,
            language,
            simulated: m.is_simulated(),
            outcome: m.outcome().cloned(),
            outcome_text: outcome_text(m),
            rounds: m.rounds_held(),
            conclusion,
            why_no_consensus: why_no_consensus(m),
            disagreements: disagreements
                .map(|one| ReportDisagreement {
                    issue: one.issue.clone(),
                    sides: one
                        .sides
                        .iter()
                        .map(|side| ReportSide {
                            view: side.view.clone(),
                            why: side.why.clone(),
                            holders: side.holders.iter().map(|id| m.name_of(*id)).collect(),
                            sources: side.holders.iter().filter_map(|id| last_message(m, *id)).collect(),
                        })
                        .collect(),
                })
                .collect(),
            dissent: dissent(m),
            actions: actions.cloned().collect(),
            missing: missing(m),
            ballots: m.ballots.iter().map(|ballot| ballot_row(m, ballot)).collect(),
            shifts: shifts(m),
            costs: costs(m),
            total: cost_row(language.pick("合计", "Total").to_owned(), String::new(), &m.spent),
            lost_calls: m.lost_calls,
            messages: m.said.len(),
            started_at: m.started_at,
            updated_at: m.updated_at,
        }
    }

    /// The report as Markdown.
    pub fn to_markdown(&self) -> String {
        let name = self.language.pick("zh", "en");
        let template = environment().get_template(name).expect("the template is built in");
        template.render(Serde(self)).expect("the template renders")
    }

    /// The report as JSON, indented.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a report has only text keys")
    }
}

fn environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        // Money in units of the currency, from millionths.
        environment.add_filter("money", |micros: u64| format!("{:.4}", micros as f64 / 1e6));
        environment.add_filter("number", trimmed);
        environment.add_filter("counted", |count: u64, one: String| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {one}s"),
        });
        // Somebody's words are one line of the report; a line feed would let them make headings.
        let line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        environment.add_filter("line", move |text: String| line(&text));
        // A bar would end a table cell.
        environment.add_filter("cell", move |text: String| line(&text).replace('|', "\\|"));
        let lines = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(lines.expect("the marks are Jinja's own"));
        for (name, source) in [
            ("zh", include_str!("templates/result.zh.md.jinja")),
            ("en", include_str!("templates/result.en.md.jinja")),
        ] {
            environment.add_template(name, source).expect("a built-in template is well formed");
        }
        environment
    })
}

fn last_message(m: &Meeting, id: ParticipantId) -> Option<MessageId> {
    m.said.iter().rev().find(|said| said.speaker == Speaker::Participant(id)).map(|said| said.id)
}

fn why_no_consensus(m: &Meeting) -> Vec<String> {
    let Some(MeetingOutcome::Aborted(_)) = m.outcome() else { return Vec::new() };
    let mut why = vec![outcome_text(m)];
    match m.last_counted_ballot() {
        Some((_, verdict)) => {
            let failed = verdict.clauses.iter().filter(|clause| !clause.met);
            why.extend(failed.map(|clause| clause_text(m.language(), clause)));
        }
        None if m.rules().decision.ballots => {
            why.push(m.language().pick("没有一次表决得出结果", "no ballot was counted").to_owned());
        }
        None => {}
    }
    let points = m.facilitations.last().map(|f| f.disagreements.clone()).unwrap_or_default();
    why.extend(points);
    why
}

/// Whoever did not let the last counted draft pass or scored it below what was asked, and whoever
/// holds another position than the leading one when there was no ballot.
fn dissent(m: &Meeting) -> Vec<DissentRow> {
    let row = |id: ParticipantId, score, reason: String, ballot| DissentRow {
        name: m.name_of(id),
        score,
        reason,
        position: m.seat(id).and_then(|s| s.stance.as_ref()).map(|s| s.position.clone()).unwrap_or_default(),
        ballot,
        source: last_message(m, id),
    };
    if let Some((ballot, verdict)) = m.last_counted_ballot() {
        let wanted = verdict.clauses.iter().find(|clause| clause.clause == ClauseKind::MeanScore);
        let wanted = wanted.map_or(0.0, |clause| clause.needed);
        let against = ballot.votes().filter(|(_, vote)| !vote.pass || f64::from(vote.score) < wanted);
        return against
            .map(|(id, vote)| row(id, Some(vote.score), vote.reason.clone(), Some(ballot.id)))
            .collect();
    }
    let leading = m.positions().iter().max_by_key(|position| position.holders.len());
    let Some(leading) = leading else { return Vec::new() };
    let others = m.positions().iter().filter(|position| *position != leading);
    let holders = others.flat_map(|position| position.holders.iter());
    holders
        .map(|id| {
            let claim = m.claims.iter().rev().find(|claim| claim.owner == *id);
            row(*id, None, claim.map(|claim| claim.claim.text.clone()).unwrap_or_default(), None)
        })
        .collect()
}

fn missing(m: &Meeting) -> Vec<String> {
    let mut missing: Vec<String> = Vec::new();
    if let Some((ballot, _)) = m.last_counted_ballot() {
        for text in ballot.votes().flat_map(|(_, vote)| &vote.missing) {
            if !missing.contains(text) {
                missing.push(text.clone());
            }
        }
    }
    missing
}

fn ballot_row(m: &Meeting, ballot: &Ballot) -> BallotRow {
    let (state, verdict) = match &ballot.state {
        BallotState::Open => ("open", None),
        BallotState::Interrupted(_) => ("interrupted", None),
        BallotState::Closed(verdict) if verdict.passed => ("passed", Some(verdict.clone())),
        BallotState::Closed(verdict) => ("failed", Some(verdict.clone())),
    };
    let vote = |id: &ParticipantId, cast: &Cast| match cast {
        Cast::Vote(vote) => VoteRow {
            name: m.name_of(*id),
            score: Some(vote.score),
            pass: Some(vote.pass),
            reason: vote.reason.clone(),
            missing: vote.missing.clone(),
            abstained: None,
        },
        Cast::Abstained(kind) => VoteRow {
            name: m.name_of(*id),
            score: None,
            pass: None,
            reason: String::new(),
            missing: Vec::new(),
            abstained: Some(*kind),
        },
    };
    let clauses = verdict.iter().flat_map(|verdict| &verdict.clauses);
    BallotRow {
        id: ballot.id,
        round: ballot.round,
        draft_version: ballot.draft_version,
        state,
        clauses: clauses.map(|clause| clause_text(m.language(), clause)).collect(),
        votes: ballot.cast.iter().map(|(id, cast)| vote(id, cast)).collect(),
        verdict,
    }
}

fn shifts(m: &Meeting) -> Vec<ShiftRow> {
    let last_score = |id: ParticipantId| {
        m.ballots.iter().rev().find_map(|ballot| match ballot.cast.get(&id) {
            Some(Cast::Vote(vote)) if ballot.closed_seq.is_some() => Some(vote.score),
            Some(_) | None => None,
        })
    };
    let row = |seat: &crate::meeting::Seat| {
        let (first, last) = (seat.first.as_ref()?, seat.stance.as_ref()?);
        Some(ShiftRow {
            name: seat.participant.name.clone(),
            first: first.position.clone(),
            first_confidence: first.confidence,
            last: last.position.clone(),
            last_confidence: last.confidence,
            last_score: last_score(seat.participant.id),
            moved_by_argument: seat.changes.evidenced,
            moved_without: seat.changes.unevidenced,
        })
    };
    m.seats.iter().filter_map(|seat| row(seat)).collect()
}

fn costs(m: &Meeting) -> Vec<CostRow> {
    let mut rows: Vec<CostRow> = m
        .seats
        .iter()
        .map(|seat| cost_row(seat.participant.name.clone(), seat.participant.runner.label(), &seat.spent))
        .collect();
    if let Some(facilitator) = &m.charter.facilitator {
        let name = m.language().pick("收敛器", "Facilitator").to_owned();
        rows.push(cost_row(name, facilitator.runner.label(), &m.facilitator_spent));
    }
    rows
}

fn cost_row(name: String, runner: String, spent: &Spent) -> CostRow {
    CostRow {
        name,
        runner,
        calls: spent.calls,
        input_tokens: spent.usage.input_tokens,
        output_tokens: spent.usage.output_tokens,
        cached_tokens: spent.usage.cached_tokens,
        estimated: spent.usage.estimated,
        cost_micros: spent.known_cost_micros(),
    }
}
