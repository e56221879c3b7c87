//! The agreement of a meeting: who supports its result, who does not, who abstained and who failed, computed
//! once.
//!
//! The result, its headline and its Markdown, the health, the status of a decision record and the page all
//! read it from here, so that they cannot contradict each other.
//!
//! After a counted ballot, its votes decide; of several, the last. Without a ballot, it is who holds the
//! position that the conclusion states; and where the conclusion states none of them, the position that most
//! participants hold. When several positions have equally many holders, there is no minority: the meeting is
//! divided.

mod numbers;
mod positions;
mod status;

use quorate_contract::{
    BallotId, ClaimKind, ClauseKind, Disagreement, DisagreementSide, FailureKind, MeetingOutcome,
    ParticipantId, Verdict,
};
use serde::Serialize;

use crate::policy::wording::says_the_same;
use crate::state::{Ballot, BallotChoice, Meeting, Seat, SeatFailure, TurnState};

pub use numbers::HEALTH_LIST_MAX;
pub use numbers::{cited, even, share};
pub use positions::{PositionShare, PositionSupport};
pub use positions::{began_blind, voices};
pub(crate) use status::adr_status;

/// The agreement on the result of a meeting, or on its current draft.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Agreement {
    /// The basis of the agreement.
    pub basis: AgreementBasis,
    /// The ballot that the agreement is based on; `null` when it is based on something else.
    pub ballot: Option<BallotId>,
    /// Whether the ballot passed; `null` without a ballot.
    pub passed: Option<bool>,
    /// The number of supporters: they voted to pass, or hold the position.
    pub supports: usize,
    /// The number of supporters with reservations.
    pub reserved: usize,
    /// The number of dissenters: they voted against, or hold another position.
    pub dissents: usize,
    /// The number of participants who chose not to vote.
    pub abstained: usize,
    /// The number of participants who were asked and failed.
    pub failed: usize,
    /// The number of participants without a countable statement, or in a meeting without a minority.
    pub undecided: usize,
    /// Whether no position has the most holders, and the conclusion states none.
    pub divided: bool,
    /// All counted participants, in the order of joining.
    pub seats: Vec<SeatAgreement>,
    /// The position that the draft or the conclusion states, or that most hold: its place in the list of positions.
    #[serde(skip)]
    pub leading: Option<usize>,
}

/// The basis of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AgreementBasis {
    /// The last ballot that was counted.
    Ballot,
    /// The positions as they were summed up.
    Positions,
    /// None: there was no ballot, and no positions were summarized.
    Nothing,
}

/// The side of a participant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeatSide {
    /// The participant voted to pass, or holds the position.
    Supports,
    /// The participant voted against, or holds another position.
    Dissents,
    /// The participant chose not to vote.
    Abstained,
    /// The participant was asked, and its turns or its vote failed.
    Failed,
    /// The participant left before it voted.
    Left,
    /// The participant has made no countable statement, or the meeting has no minority.
    Undecided,
}

/// The side of one counted participant.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatAgreement {
    /// The participant.
    pub participant: ParticipantId,
    /// Its name.
    pub name: String,
    /// The participant's side.
    pub side: SeatSide,
    /// Whether the participant supports the result with reservations: its position differs, it is on the
    /// smaller side of a remaining disagreement, its score is below what the rules ask for, or it
    /// contradicted itself.
    pub reserved: bool,
    /// The participant's position, in its own words.
    pub position: String,
    /// The participant's score in the ballot, 0-100.
    pub score: Option<u8>,
    /// Whether its score and its vote contradict each other.
    pub contradictory: bool,
    /// The participant's reason, in its own words.
    pub reason: String,
}

/// A participant whose turns or votes failed.
#[derive(Debug, Clone, PartialEq)]
pub struct FailedSeat<'m> {
    /// The seat.
    pub seat: &'m Seat,
    /// The number of turns that the participant was given.
    pub turns: usize,
    /// The number of failed turns.
    pub failed_turns: usize,
    /// Votes that failed, in all ballots that were counted.
    pub failed_votes: usize,
    /// Whether the participant sent any message.
    pub spoke: bool,
    /// Whether the participant is missing from the result: it never spoke, or its vote in the deciding ballot
    /// failed.
    pub counts: bool,
    /// The latest failure.
    pub last: Option<SeatFailure>,
}

/// Whether a meeting collects ideas and votes on nothing: then there is nothing to agree on, and nobody dissents.
pub fn collects_ideas(m: &Meeting) -> bool {
    m.rules().turns.ideas && !m.rules().decision.ballots && m.last_counted_ballot().is_none()
}

impl Agreement {
    /// Computes the agreement of a meeting in its present state.
    pub fn of(m: &Meeting) -> Self {
        Self::with(m, &positions::of(m))
    }

    /// The same, where the positions are known already.
    pub fn with(m: &Meeting, positions: &[PositionSupport]) -> Self {
        let stated = stated(m, positions);
        match m.last_counted_ballot() {
            Some((ballot, verdict)) => by_ballot(m, positions, stated, ballot, verdict),
            None if m.rules().turns.ideas || m.positions().is_empty() => by_disagreements(m),
            None => by_positions(m, positions, stated),
        }
    }

    /// All positions that are held, the most held first.
    pub fn positions(m: &Meeting) -> Vec<PositionSupport> {
        positions::of(m)
    }

    /// Whether the result was agreed on: a ballot has accepted it, or all holders of a position hold the one
    /// that the meeting converged on.
    pub fn is_agreed(&self, outcome: Option<&MeetingOutcome>) -> bool {
        match outcome {
            Some(MeetingOutcome::Accepted { .. }) => true,
            Some(MeetingOutcome::Converged { .. }) => {
                self.dissents == 0 && self.undecided == 0 && self.failed < self.supports
            }
            Some(MeetingOutcome::Completed | MeetingOutcome::Aborted(_)) | None => false,
        }
    }

    /// Whether it is known that supporters are not more than dissenters.
    pub fn lacks_majority(&self) -> bool {
        let is_known = self.basis != AgreementBasis::Nothing && self.passed != Some(true);
        is_known && (self.divided || self.supports <= self.dissents + self.undecided)
    }

    /// The side of a participant; `None` when it is not counted.
    pub fn side_of(&self, id: ParticipantId) -> Option<SeatSide> {
        self.seats.iter().find(|seat| seat.participant == id).map(|seat| seat.side)
    }

    fn counted(mut self) -> Self {
        let count = |side: SeatSide| self.seats.iter().filter(|seat| seat.side == side).count();
        let (supports, dissents) = (count(SeatSide::Supports), count(SeatSide::Dissents));
        let (abstained, failed) = (count(SeatSide::Abstained), count(SeatSide::Failed));
        let undecided = count(SeatSide::Undecided);
        let reserved = self.seats.iter().filter(|seat| seat.reserved).count();
        self = Self { supports, reserved, dissents, abstained, failed, undecided, ..self };
        self
    }

    fn blank(basis: AgreementBasis, leading: Option<usize>) -> Self {
        Self {
            basis,
            ballot: None,
            passed: None,
            supports: 0,
            reserved: 0,
            dissents: 0,
            abstained: 0,
            failed: 0,
            undecided: 0,
            divided: false,
            seats: Vec::new(),
            leading,
        }
    }
}

fn by_ballot(
    m: &Meeting,
    positions: &[PositionSupport],
    stated: Option<usize>,
    ballot: &Ballot,
    verdict: &Verdict,
) -> Agreement {
    let needed = verdict.clauses.iter().find(|clause| clause.clause == ClauseKind::MeanScore);
    let needed = needed.map_or(0.0, |clause| clause.needed);
    let seats = ballot.voters.iter().map(|id| {
        let mut seat = blank_seat(m, *id);
        match ballot.cast.get(id) {
            Some(BallotChoice::Vote(vote)) => {
                seat.side = if vote.pass { SeatSide::Supports } else { SeatSide::Dissents };
                seat.score = Some(vote.score);
                seat.reason.clone_from(&vote.reason);
                seat.contradictory = vote.contradicts_itself();
                let elsewhere = stated.is_some_and(|place| !holds(positions, place, *id));
                let low = f64::from(vote.score) < needed || seat.contradictory;
                let outnumbered = smaller_side(m, text_of(positions, stated), *id).is_some();
                seat.reserved = vote.pass && (elsewhere || low || outnumbered);
            }
            Some(BallotChoice::Abstained(_)) => seat.side = SeatSide::Abstained,
            Some(BallotChoice::Failed(failure)) if failure.kind == Some(FailureKind::Left) => {
                seat.side = SeatSide::Left;
            }
            Some(BallotChoice::Failed(_)) => seat.side = SeatSide::Failed,
            None => {}
        }
        seat
    });
    let (id, passed) = (Some(ballot.id), Some(verdict.passed));
    let seats = seats.collect();
    Agreement { ballot: id, passed, seats, ..Agreement::blank(AgreementBasis::Ballot, stated) }.counted()
}

fn by_positions(m: &Meeting, positions: &[PositionSupport], stated: Option<usize>) -> Agreement {
    let most = match positions {
        [only] => (only.now.count > 0).then_some(0),
        [first, second, ..] => (first.now.count > second.now.count).then_some(0),
        [] => None,
    };
    let leading = stated.or(most);
    let seats = m.present().map(|seat| {
        let id = seat.participant.id;
        let mut row = blank_seat(m, id);
        let holds_one = positions.iter().any(|position| position.now.holders.contains(&id));
        row.side = match leading {
            _ if !holds_one && never_answered(m, seat) => SeatSide::Failed,
            Some(place) if holds(positions, place, id) => SeatSide::Supports,
            Some(_) if holds_one => SeatSide::Dissents,
            Some(_) | None => SeatSide::Undecided,
        };
        let outnumbered = smaller_side(m, text_of(positions, leading), id);
        row.reserved = row.side == SeatSide::Supports && outnumbered.is_some();
        row.reason = outnumbered.map(why).or_else(|| last_claim(m, id)).unwrap_or_default();
        row
    });
    let seats: Vec<SeatAgreement> = seats.collect();
    let divided = leading.is_none() && positions.first().is_some_and(|most| most.now.count > 0);
    Agreement { divided, seats, ..Agreement::blank(AgreementBasis::Positions, leading) }.counted()
}

/// The agreement without a ballot and without summarized positions: only the disagreements of the conclusion
/// are known.
fn by_disagreements(m: &Meeting) -> Agreement {
    let seats = m.present().map(|seat| {
        let mut row = blank_seat(m, seat.participant.id);
        if never_answered(m, seat) {
            row.side = SeatSide::Failed;
        // An idea is no objection to the ideas of others, and a choice among them no position.
        } else if let Some(side) = smaller_side(m, None, seat.participant.id).filter(|_| !collects_ideas(m)) {
            row.side = SeatSide::Dissents;
            row.position.clone_from(&side.view);
            row.reason.clone_from(&side.why);
        }
        row
    });
    let seats = seats.collect();
    Agreement { seats, ..Agreement::blank(AgreementBasis::Nothing, None) }.counted()
}

fn blank_seat(m: &Meeting, id: ParticipantId) -> SeatAgreement {
    let stance = m.seat(id).and_then(|seat| seat.stance.as_ref());
    SeatAgreement {
        participant: id,
        name: m.name_of(id),
        side: SeatSide::Undecided,
        reserved: false,
        position: stance.map(|stance| stance.position.clone()).unwrap_or_default(),
        score: None,
        contradictory: false,
        reason: String::new(),
    }
}

fn text_of(positions: &[PositionSupport], place: Option<usize>) -> Option<&str> {
    place.and_then(|place| positions.get(place)).map(|position| position.text.as_str())
}

fn holds(positions: &[PositionSupport], place: usize, id: ParticipantId) -> bool {
    positions.get(place).is_some_and(|position| position.now.holders.contains(&id))
}

/// The last claim of a participant.
fn last_claim(m: &Meeting, id: ParticipantId) -> Option<String> {
    let own = m.claims.iter().rev().find(|claim| claim.owner == id && claim.claim.kind != ClaimKind::Idea);
    own.map(|claim| claim.claim.text.clone())
}

/// The side of a participant in the disagreements of the conclusion, when it is neither the conclusion's own
/// nor the majority's.
fn smaller_side<'m>(m: &'m Meeting, stated: Option<&str>, id: ParticipantId) -> Option<&'m DisagreementSide> {
    let left_open = m.conclusion.iter().flat_map(|conclusion| &conclusion.disagreements);
    let smaller = |issue: &'m Disagreement| {
        let own = issue.sides.iter().find(|side| side.holders.contains(&id))?;
        let is_stated = |view: &str| stated.is_some_and(|stated| says_the_same(stated, view));
        let most = issue.sides.iter().map(|side| side.holders.len()).max().unwrap_or(0);
        let smaller = match issue.sides.iter().any(|side| is_stated(&side.view)) {
            true => !is_stated(&own.view),
            // When all sides are equally strong, there is no minority.
            false => own.holders.len() < most,
        };
        smaller.then_some(own)
    };
    left_open.into_iter().find_map(smaller)
}

/// The reason of a side: the stated one, or its view.
fn why(side: &DisagreementSide) -> String {
    if side.why.is_empty() { side.view.clone() } else { side.why.clone() }
}

/// The position that the accepted draft, the conclusion, or the present draft states: its first line of prose
/// begins with it, or says the same.
fn stated(m: &Meeting, positions: &[PositionSupport]) -> Option<usize> {
    let accepted = m.accepted_draft().map(|draft| draft.text.as_str());
    let text = accepted
        .or_else(|| m.conclusion.as_ref().map(|conclusion| conclusion.text.as_str()))
        .or_else(|| m.draft().map(|draft| draft.text.as_str()))?;
    let own = |position: &PositionSupport| -> Vec<String> {
        let holders = position.now.holders.iter().filter_map(|id| m.seat(*id)?.stance.as_ref());
        let words = holders.map(|stance| stance.position.as_str()).chain([position.text.as_str()]);
        words.map(folded).filter(|words| !words.is_empty()).collect()
    };
    let words: Vec<Vec<String>> = positions.iter().map(own).collect();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    // A list names several positions; the statement comes before it.
    let line = lines.map(|line| line.trim_start_matches(['>', '*', '_', '“', '"', ' '])).next()?;
    let line = folded(line);
    let begins = |words: &String| {
        line.strip_prefix(words.as_str()).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let longest = |words: &[String]| words.iter().filter(|words| begins(words)).map(String::len).max();
    let found = (0..positions.len()).filter_map(|place| Some((longest(&words[place])?, place)));
    let found = found.max_by_key(|&(length, place)| (length, std::cmp::Reverse(place)));
    let same = || words.iter().position(|words| words.iter().any(|words| says_the_same(words, &line)));
    found.map(|(_, place)| place).or_else(same)
}

/// A text in lower case with single spaces, without its final punctuation mark.
fn folded(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words
        .join(" ")
        .trim_start_matches(['#', '>', ' '])
        .trim_end_matches(['.', '。', '!', '！', '*', '_', ' '])
        .to_owned()
}

/// Whether a participant had turns, never spoke, and failed at least once.
fn never_answered(m: &Meeting, seat: &Seat) -> bool {
    let mut failed = false;
    for turn in turns_of(m, seat.participant.id) {
        match turn {
            TurnState::Said(_) => return false,
            TurnState::Failed(kind) => failed |= kind != FailureKind::Left,
            TurnState::Open | TurnState::Skipped => {}
        }
    }
    failed
}

fn turns_of(m: &Meeting, id: ParticipantId) -> impl Iterator<Item = TurnState> {
    let turns = m.rounds.iter().flat_map(|round| &round.turns);
    turns.filter(move |turn| turn.participant == id).map(|turn| turn.state)
}

/// All participants whose turns or votes failed, in the order of joining. A participant who left does not
/// count.
pub fn failures<'m>(m: &'m Meeting, agreement: &Agreement) -> Vec<FailedSeat<'m>> {
    let failed = |seat: &'m Seat| {
        let id = seat.participant.id;
        let turns: Vec<TurnState> = turns_of(m, id).collect();
        let is_failed =
            |turn: &&TurnState| matches!(turn, TurnState::Failed(kind) if *kind != FailureKind::Left);
        let failed_turns = turns.iter().filter(is_failed).count();
        let counted = m.ballots.iter().filter(|ballot| ballot.closed_seq.is_some());
        let votes: Vec<&SeatFailure> = counted
            .filter_map(|ballot| match ballot.cast.get(&id) {
                Some(BallotChoice::Failed(failure)) if failure.kind != Some(FailureKind::Left) => {
                    Some(failure)
                }
                Some(BallotChoice::Failed(_) | BallotChoice::Vote(_) | BallotChoice::Abstained(_)) | None => {
                    None
                }
            })
            .collect();
        if failed_turns + votes.len() == 0 {
            return None;
        }
        let own = seat.failure.as_ref().filter(|failure| failure.kind != Some(FailureKind::Left));
        let last = votes.iter().copied().chain(own).max_by_key(|failure| failure.seq);
        let never = never_answered(m, seat);
        Some(FailedSeat {
            seat,
            turns: turns.len(),
            failed_turns,
            failed_votes: votes.len(),
            spoke: turns.iter().any(|turn| matches!(turn, TurnState::Said(_))),
            counts: never || agreement.side_of(id) == Some(SeatSide::Failed),
            last: last.cloned(),
        })
    };
    m.seats.iter().filter_map(|seat| failed(seat)).collect()
}

/// The number of participants that the result lacks, and of all, when that is most of them.
pub fn mostly_failed(m: &Meeting, agreement: &Agreement) -> Option<(usize, usize)> {
    let failed = failures(m, agreement);
    let without = failed.iter().filter(|one| one.counts).count();
    let present = m.present().map(|seat| seat.participant.id);
    let mut everybody: Vec<ParticipantId> = present.collect();
    everybody.extend(failed.iter().filter(|one| one.counts).map(|one| one.seat.participant.id));
    everybody.sort_unstable();
    everybody.dedup();
    (2 * without > everybody.len()).then_some((without, everybody.len()))
}

#[cfg(test)]
mod tests;
