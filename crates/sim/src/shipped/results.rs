//! Whether what people read of a meeting, its report and its health, says what its log says. Nothing here asks the core who
//! agrees with whom.

use std::collections::{BTreeMap, BTreeSet};

use quorate_contract::*;
use quorate_core::Meeting;
use quorate_core::policy::agreement::AgreementBasis;
use quorate_views::{CallTotals, DeliberationHealth, HealthGrade, Report};

/// What a log says of the result, by events alone.
#[derive(Debug, Default)]
struct Told {
    names: BTreeMap<ParticipantId, String>,
    there: BTreeSet<ParticipantId>,
    spoke: BTreeSet<ParticipantId>,
    /// Participants whose turns failed, other than by leaving.
    failed: BTreeSet<ParticipantId>,
    /// The votes of each ballot: whether they pass, or how they failed.
    cast: BTreeMap<BallotId, BTreeMap<ParticipantId, Cast>>,
    /// The last ballot that was counted, and whether it passed.
    counted: Option<(BallotId, bool)>,
    counted_ballots: BTreeSet<BallotId>,
    conclusion: String,
    /// The positions of the last summary.
    summed_up: Vec<String>,
    /// All positions that participants have ever stated.
    stated: BTreeSet<String>,
    asked_again: u32,
    shortened: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cast {
    Passes,
    Fails,
    Abstains,
    Failed,
    Left,
}

impl Told {
    fn read<'e>(events: impl IntoIterator<Item = &'e Event>) -> Self {
        let mut told = Self::default();
        events.into_iter().for_each(|event| told.see(&event.body));
        told
    }

    fn see(&mut self, body: &EventBody) {
        match body {
            EventBody::ParticipantJoined { participant, .. } => {
                self.names.insert(participant.id, participant.name.clone());
                self.there.insert(participant.id);
            }
            EventBody::ParticipantLeft { participant, .. } => _ = self.there.remove(participant),
            EventBody::AgentMessage { participant, stance, .. } => {
                self.spoke.insert(*participant);
                self.stated.extend(stance.iter().map(|stance| stance.position.clone()));
            }
            EventBody::TurnFailed { participant, kind, .. } if *kind != FailureKind::Left => {
                self.failed.insert(*participant);
            }
            EventBody::VoteCast { ballot, participant, vote, .. } => {
                self.cast(*ballot, *participant, if vote.pass { Cast::Passes } else { Cast::Fails });
            }
            EventBody::VoteAbstained { ballot, participant, kind, failure, .. } => {
                let cast = match (kind, failure) {
                    (AbstentionKind::Chosen, _) => Cast::Abstains,
                    (_, Some(FailureKind::Left)) => Cast::Left,
                    _ => Cast::Failed,
                };
                self.cast(*ballot, *participant, cast);
            }
            EventBody::BallotClosed { ballot, verdict } => {
                self.counted = Some((*ballot, verdict.passed));
                self.counted_ballots.insert(*ballot);
            }
            EventBody::SummaryWritten { positions, .. } => {
                self.summed_up = positions.iter().map(|position| position.text.clone()).collect();
            }
            EventBody::ConclusionWritten { conclusion, .. } => self.conclusion.clone_from(conclusion),
            EventBody::CallEnded { then, .. } => {
                self.asked_again += u32::from(*then == Some(FailureAction::Again));
                self.shortened += u32::from(*then == Some(FailureAction::Shorter));
            }
            EventBody::AnswerMalformed { .. } => self.asked_again += 1,
            _ => {}
        }
    }

    fn cast(&mut self, ballot: BallotId, voter: ParticipantId, cast: Cast) {
        self.cast.entry(ballot).or_default().insert(voter, cast);
    }

    /// The names of those who voted so in the last ballot that was counted.
    fn who(&self, wanted: Cast) -> Vec<String> {
        let cast = self.counted.and_then(|(ballot, _)| self.cast.get(&ballot));
        let voters = cast.into_iter().flatten().filter(|(_, cast)| **cast == wanted);
        let mut names: Vec<String> = voters.filter_map(|(id, _)| self.names.get(id).cloned()).collect();
        names.sort();
        names
    }
}

/// Checks the report and the health of a meeting against its log.
pub(super) fn check<'e>(
    meeting: &Meeting,
    events: impl IntoIterator<Item = &'e Event> + Clone,
) -> Result<(), String> {
    let told = Told::read(events.clone());
    let (report, health) = (Report::of(meeting), DeliberationHealth::of(meeting));
    same("the conclusion", &report.conclusion, &told.conclusion)?;
    let agreement = &report.agreement;
    if let Some((ballot, passed)) = told.counted {
        let counts = (agreement.ballot, agreement.passed);
        same("the deciding ballot", &counts, &(Some(ballot), Some(passed)))?;
        let numbers = (agreement.supports, agreement.dissents, agreement.abstained, agreement.failed);
        let who = |cast| told.who(cast).len();
        let counted = (who(Cast::Passes), who(Cast::Fails), who(Cast::Abstains), who(Cast::Failed));
        same("who passed it, did not, abstained and failed", &numbers, &counted)?;
        let mut dissent: Vec<String> = report.dissent.iter().map(|one| one.name.clone()).collect();
        dissent.sort();
        same("dissent", &dissent, &told.who(Cast::Fails))?;
        let contests = matches!(
            health.verdict.standing,
            HealthGrade::Open | HealthGrade::Contested | HealthGrade::Converging
        );
        if passed && (contests || health.dissent.blocking > 0) {
            let (standing, blocking) = (health.verdict.standing, health.dissent.blocking);
            return Err(format!("{ballot} has passed, and health says {standing:?}, {blocking} in its way"));
        }
    }
    same("the number of reservations", &report.reservations.len(), &agreement.reserved)?;
    check_minority(&report, &told)?;
    let failed_votes = told.counted_ballots.iter().filter_map(|ballot| told.cast.get(ballot)).flatten();
    let failed_votes = failed_votes.filter(|(_, cast)| **cast == Cast::Failed).map(|(voter, _)| *voter);
    let failed: BTreeSet<ParticipantId> = told.failed.iter().copied().chain(failed_votes).collect();
    let named: BTreeSet<&str> = report.failures.iter().map(|one| one.name.as_str()).collect();
    if let Some(name) =
        failed.iter().filter_map(|id| told.names.get(id)).find(|name| !named.contains(name.as_str()))
    {
        return Err(format!("{name} failed, and the report does not say so"));
    }
    let silent = told.failed.iter().filter(|id| told.there.contains(id) && !told.spoke.contains(id)).count();
    if 2 * silent > told.there.len() && report.incomplete.is_none() {
        let all = told.there.len();
        return Err(format!("{silent} of {all} failed and never spoke, and the report is complete"));
    }
    let totals = CallTotals::of(meeting, events);
    same("tasks asked again", &(totals.asked_again, totals.shortened), &(told.asked_again, told.shortened))
}

/// Where positions decide, a minority is smaller than those it is a minority to, unless the result says what fewer hold.
fn check_minority(report: &Report, told: &Told) -> Result<(), String> {
    let agreement = &report.agreement;
    if agreement.basis != AgreementBasis::Positions || agreement.dissents == 0 {
        return Ok(());
    }
    let named = |name: &str| report.dissent.iter().any(|one| one.name == name);
    let holders = agreement.seats.iter().filter(|seat| named(&seat.name));
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    holders.for_each(|seat| *groups.entry(seat.position.as_str()).or_default() += 1);
    let largest = groups.values().copied().max().unwrap_or_default();
    let states = |position: &str| {
        let words = |text: &str| -> BTreeSet<String> {
            text.split(|c: char| !c.is_alphanumeric())
                .map(str::to_lowercase)
                .filter(|word| word.len() > 2)
                .collect()
        };
        words(position).intersection(&words(&report.conclusion)).next().is_some()
    };
    let supporters = agreement.seats.iter().filter(|seat| !named(&seat.name));
    // Models may sum up a position in words that are not those of its holders, who have words of their own that occur once.
    // It is what fewer hold when the result begins with it and no dissent does; so is what somebody held before, and nobody does
    // any more.
    let begins = |text: &str, with: &str| text.trim().to_lowercase().starts_with(&with.trim().to_lowercase());
    let is_of_dissent = |text: &str| groups.keys().any(|position| begins(position, text));
    let is_summed_up = told
        .summed_up
        .iter()
        .chain(&told.stated)
        .any(|text| !text.trim().is_empty() && begins(&report.conclusion, text) && !is_of_dissent(text));
    let is_stated = is_summed_up || supporters.clone().any(|seat| states(&seat.position));
    if agreement.supports > largest || is_stated {
        return Ok(());
    }
    Err(format!(
        "{} hold the result {:?}, and {largest} who agree with each other are its dissent: {groups:?}; summed up: {:?}",
        agreement.supports, report.conclusion, told.summed_up
    ))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, told: &T, known: &T) -> Result<(), String> {
    if told == known {
        Ok(())
    } else {
        Err(format!("{what}: the report says {told:?}, and the log {known:?}"))
    }
}
