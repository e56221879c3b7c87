//! Participation, and the number of seats that count as independent.

use quorate_contract::{ParticipantId, RunnerSpec};
use quorate_core::{BallotChoice, Meeting, Seat, TurnState};
use serde::Serialize;

use super::{HEALTH_LIST_MAX, RHO_OTHER, RHO_SAME_FAMILY, RHO_SAME_MODEL, cited, even, evidence, share};

/// The participation of the seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Participation {
    /// All participants, past and present, in the order of joining.
    pub seats: Vec<SeatParticipation>,
    /// The Gini coefficient of the claims among the participants who had a turn, 0-1: 0 when all raised
    /// equally many, near 1 when one raised all. `null` when there are no claims.
    pub gini: Option<f64>,
}

/// The participation of one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SeatParticipation {
    /// The participant.
    pub participant: ParticipantId,
    /// Whether the participant is still in the meeting.
    pub present: bool,
    /// The number of claims, facts and risks that the participant raised; where ideas are collected, of ideas, too.
    pub claims: usize,
    /// The number of turns.
    pub turns: usize,
    /// The number of skipped turns.
    pub skips: usize,
    /// The number of failed turns and votes.
    pub failures: usize,
    /// The number of votes.
    pub votes: usize,
    /// The number of ballots in which the participant did not vote.
    pub abstentions: usize,
    /// The sequence numbers of the latest events that gave the participant the floor.
    pub seqs: Vec<u64>,
}

/// The independence of the seats.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Independence {
    /// The number of present participants.
    pub seats: usize,
    /// The effective number of independent seats: n / (1 + (n - 1) ρ), where ρ is `rho`.
    pub effective: f64,
    /// The assumed mean correlation of errors between two seats, 0-1. It is not measured.
    pub rho: f64,
    /// The model families at the table, the one with the most seats first.
    pub families: Vec<ModelFamily>,
    /// Whether some seats are simulated; all simulated seats count as one model.
    pub simulated: bool,
    /// Whether all seats are simulated.
    #[serde(skip)]
    pub all_simulated: bool,
}

/// A family of models, and the participants that its models answer for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelFamily {
    /// The name: the provider, or the maker if the provider serves models of several makers: `openai`,
    /// `simulated`. All people are `person`, and each of them counts as independent.
    pub name: String,
    /// The participants.
    pub seats: Vec<ParticipantId>,
}

pub(super) fn of(m: &Meeting) -> Participation {
    let seats: Vec<SeatParticipation> = m.seats.iter().map(|seat| took_part(m, seat)).collect();
    let claims: Vec<usize> = seats.iter().filter(|seat| seat.turns > 0).map(|seat| seat.claims).collect();
    Participation { gini: gini(claims), seats: seats.into_iter().take(HEALTH_LIST_MAX).collect() }
}

fn took_part(m: &Meeting, seat: &Seat) -> SeatParticipation {
    let id = seat.participant.id;
    let turns = || m.rounds.iter().flat_map(|round| &round.turns).filter(move |turn| turn.participant == id);
    let casts = || {
        m.ballots.iter().filter(|ballot| ballot.closed_seq.is_some()).filter_map(move |one| one.cast.get(&id))
    };
    SeatParticipation {
        participant: id,
        present: seat.present,
        claims: m.claims.iter().filter(|claim| claim.owner == id && evidence::is_point(m, claim)).count(),
        turns: turns().count(),
        skips: turns().filter(|turn| turn.state == TurnState::Skipped).count(),
        failures: turns().filter(|turn| matches!(turn.state, TurnState::Failed(_))).count()
            + casts().filter(|cast| matches!(cast, BallotChoice::Failed(_))).count(),
        votes: casts().filter(|cast| matches!(cast, BallotChoice::Vote(_))).count(),
        abstentions: casts().filter(|cast| matches!(cast, BallotChoice::Abstained(_))).count(),
        seqs: cited(turns().map(|turn| turn.seq)),
    }
}

/// The Gini coefficient of some counts.
fn gini(mut counts: Vec<usize>) -> Option<f64> {
    let (all, n) = (counts.iter().sum::<usize>(), counts.len());
    if all == 0 {
        return None;
    }
    counts.sort_unstable();
    let weighted: usize = counts.iter().enumerate().map(|(place, count)| (place + 1) * count).sum();
    Some(even((2 * weighted) as f64 / (n * all) as f64 - (n + 1) as f64 / n as f64))
}

pub(super) fn independence(m: &Meeting) -> Independence {
    let seats: Vec<&Seat> = m.present().collect();
    let mut families: Vec<ModelFamily> = Vec::new();
    for seat in &seats {
        let name = shown(&seat.participant.runner);
        match families.iter_mut().find(|family| family.name == name) {
            Some(family) => family.seats.push(seat.participant.id),
            None => families.push(ModelFamily { name, seats: vec![seat.participant.id] }),
        }
    }
    families.sort_by(|a, b| b.seats.len().cmp(&a.seats.len()).then_with(|| a.name.cmp(&b.name)));
    families.truncate(HEALTH_LIST_MAX);
    families.iter_mut().for_each(|family| family.seats.truncate(HEALTH_LIST_MAX));
    let rho = mean_rho(&seats);
    let n = seats.len() as f64;
    let effective = if seats.is_empty() { 0.0 } else { n / (1.0 + (n - 1.0) * rho) };
    let is_simulated = |seat: &&Seat| matches!(seat.participant.runner, RunnerSpec::Simulated { .. });
    let count = seats.iter().filter(|seat| is_simulated(seat)).count();
    Independence {
        seats: seats.len(),
        effective: even(effective),
        rho: even(rho),
        families,
        simulated: count > 0,
        all_simulated: count > 0 && count == seats.len(),
    }
}

fn mean_rho(seats: &[&Seat]) -> f64 {
    let (mut sum, mut pairs) = (0.0, 0);
    for (place, one) in seats.iter().enumerate() {
        for other in &seats[place + 1..] {
            sum += rho(&one.participant.runner, &other.participant.runner);
            pairs += 1;
        }
    }
    if pairs == 0 { 0.0 } else { sum / f64::from(pairs) }
}

fn rho(one: &RunnerSpec, other: &RunnerSpec) -> f64 {
    match () {
        () if model(one) == model(other) => RHO_SAME_MODEL,
        () if family(one) == family(other) => RHO_SAME_FAMILY,
        () => RHO_OTHER,
    }
}

fn model(runner: &RunnerSpec) -> String {
    match runner {
        RunnerSpec::Model { model, .. } => model.clone(),
        // However they behave, one program speaks for all of them.
        RunnerSpec::Simulated { .. } => "simulated".to_owned(),
        RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. } => runner.label(),
    }
}

/// The maker that the model's name begins with, `anthropic/…`; the provider where it begins with none.
pub(super) fn family(runner: &RunnerSpec) -> String {
    match runner {
        RunnerSpec::Model { provider, model, .. } => match model.split_once('/') {
            Some((maker, _)) if !maker.is_empty() => maker.to_lowercase(),
            Some(_) | None => provider.to_lowercase(),
        },
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => model(runner),
    }
}

/// The family as readers know it: who a person is by the log is nobody else's to know.
fn shown(runner: &RunnerSpec) -> String {
    let label = runner.public_label();
    if label == runner.label() { family(runner) } else { label }
}

/// The largest share of a model family among the holders of a position, with its name.
pub(super) fn largest_family(m: &Meeting, holders: &[ParticipantId]) -> Option<(String, f64)> {
    let runners = || holders.iter().filter_map(|id| m.seat(*id)).map(|seat| &seat.participant.runner);
    let names: Vec<String> = runners().map(family).collect();
    let supplied = |name: &String| names.iter().filter(|other| *other == name).count();
    let largest = names.iter().max_by(|a, b| supplied(a).cmp(&supplied(b)).then_with(|| b.cmp(a)))?;
    let name = runners().find(|runner| family(runner) == *largest).map_or_else(String::new, shown);
    Some((name, share(supplied(largest), names.len())))
}

#[cfg(test)]
mod tests {
    use quorate_contract::TurnDelivery;

    use super::*;

    #[test]
    fn what_all_do_alike_is_even_and_what_one_does_alone_is_not() {
        assert_eq!(gini(vec![3, 3, 3]), Some(0.0));
        assert_eq!(gini(vec![0, 0, 0, 8]), Some(0.75));
        assert_eq!(gini(vec![0, 8, 0, 0]), Some(0.75), "in whichever order");
        assert_eq!(gini(vec![0, 0]), None);
        assert_eq!(gini(vec![]), None);
    }

    #[test]
    fn a_maker_is_known_by_the_name_of_its_model() {
        let model = |provider: &str, model: &str| RunnerSpec::Model {
            provider: provider.into(),
            model: model.into(),
            parameters: Default::default(),
            price: None,
            fallback: None,
        };
        assert_eq!(family(&model("router", "Maker/big")), "maker");
        assert_eq!(family(&model("Maker", "big")), "maker");
        let (big, small) = (model("maker", "big"), model("maker", "small"));
        assert_eq!((rho(&big, &big), rho(&big, &small)), (RHO_SAME_MODEL, RHO_SAME_FAMILY));
        assert_eq!(rho(&big, &model("other", "large")), RHO_OTHER);
    }

    #[test]
    fn people_are_independent_and_their_ids_are_not_shown() {
        let person = |id: &str| RunnerSpec::External { via: TurnDelivery::Person, name: id.into() };
        let (one, other) = (person("guest:1"), person("owner"));
        assert_eq!(rho(&one, &other), RHO_OTHER);
        assert_eq!([shown(&one), shown(&other)], ["person", "person"]);
    }
}
