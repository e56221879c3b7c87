//! The speaking order, and the only random numbers of the core, drawn from the seed.

use quorate_contract::{ParticipantId, RoundKind, SpeakingOrder, TurnMode};

use crate::state::Meeting;

/// Mixes numbers into one that looks random; the same numbers give the same one everywhere.
pub fn mix(numbers: &[u64]) -> u64 {
    // SplitMix64 (Steele, Lea, Flood 2014), one step for each number.
    numbers.iter().fold(0x9E37_79B9_7F4A_7C15, |state, number| {
        let z = (state ^ number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    })
}

/// The way in which the turns of a round run.
pub(crate) fn kind(meeting: &Meeting, round: u32) -> RoundKind {
    let turns = &meeting.rules().turns;
    if round == 0 {
        return RoundKind::Blind;
    }
    match turns.mode {
        TurnMode::SerialTurn => RoundKind::Serial,
        TurnMode::ParallelRound => RoundKind::Parallel,
        TurnMode::Auto if meeting.online().count() >= turns.parallel_from as usize => RoundKind::Parallel,
        TurnMode::Auto => RoundKind::Serial,
    }
}

/// The order of a round's turns (P13, P30).
pub(crate) fn order(meeting: &Meeting, round_number: u32) -> Vec<ParticipantId> {
    let mut ids: Vec<_> = meeting.online().map(|seat| seat.participant.id).collect();
    if ids.is_empty() || kind(meeting, round_number) != RoundKind::Serial {
        return ids;
    }
    match meeting.rules().turns.order {
        SpeakingOrder::Sequential => {}
        SpeakingOrder::Rotating => {
            // The first round begins with the first seat, each later one a place further on.
            let step = round_number.saturating_sub(1) as usize % ids.len();
            ids.rotate_left(step);
        }
        SpeakingOrder::Random => {
            let seated = ids.clone();
            for last in (1..ids.len()).rev() {
                let draw = mix(&[meeting.settings.seed, u64::from(round_number), last as u64]);
                ids.swap(last, (draw % (last as u64 + 1)) as usize);
            }
            // A shuffle may give back what it got; the first one must not (P30).
            if round_number <= 1 && ids == seated && ids.len() >= 3 {
                ids.rotate_left(1);
            }
        }
    }
    if meeting.rules().turns.mention_ends_round {
        // Participants without a turn in a round that a mention cut short come first.
        if let Some(cut) = meeting.round().filter(|round| round.number + 1 == round_number) {
            let asked = |id: &ParticipantId| cut.turns.iter().any(|turn| turn.participant == *id);
            let passed_over = |id: &ParticipantId| cut.order.contains(id) && !asked(id);
            ids.sort_by_key(|id| !passed_over(id));
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::tests::{seated, settings};

    /// The orders that 64 seeds draw.
    fn drawn(participants: u32, round: u32) -> BTreeSet<Vec<ParticipantId>> {
        let of = |seed| {
            let mut m = seated(participants);
            settings(&mut m).rules.turns.order = SpeakingOrder::Random;
            settings(&mut m).seed = seed;
            order(&m, round)
        };
        (0..64).map(of).collect()
    }

    #[test]
    fn every_order_is_drawn_except_that_of_the_seats_in_a_first_round_of_three() {
        let seats: Vec<_> = (1..=3).map(ParticipantId).collect();
        let (first, second) = (drawn(3, 1), drawn(3, 2));
        assert_eq!((first.len(), first.contains(&seats)), (5, false));
        assert_eq!((second.len(), second.contains(&seats)), (6, true));
        assert_eq!(drawn(2, 1).len(), 2);
    }

    #[test]
    fn where_all_speak_at_once_the_order_is_that_of_the_seats() {
        let mut m = seated(3);
        let turns = &mut settings(&mut m).rules.turns;
        (turns.order, turns.mode) = (SpeakingOrder::Rotating, TurnMode::SerialTurn);
        let ids = |order: &[u32]| order.iter().copied().map(ParticipantId).collect::<Vec<_>>();
        assert_eq!(order(&m, 2), ids(&[2, 3, 1]));
        settings(&mut m).rules.turns.mode = TurnMode::ParallelRound;
        assert_eq!(order(&m, 2), ids(&[1, 2, 3]));
        settings(&mut m).rules.turns.mode = TurnMode::SerialTurn;
        m.seats.clear();
        assert_eq!(order(&m, 2), [], "nobody can be asked");
    }

    #[test]
    fn numbers_are_mixed_into_the_same_one_everywhere() {
        assert_eq!(mix(&[]), 0x9E37_79B9_7F4A_7C15);
        assert_eq!(mix(&[7]), 0xEC77_9C36_93F8_8501);
        assert_eq!(mix(&[7, 1, 2]), 0xADE7_2180_17DC_5638);
    }
}
