//! The course of a meeting: speaking order, rounds, pauses, ends, and failures.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::any;
use crate::support::*;

/// A sound meeting that has come some way: so many calls were answered properly.
fn under_way() -> impl Strategy<Value = Transaction> {
    (any::sound_founding(), 0usize..40).prop_map(|(spec, answers)| {
        let mut table = Transaction::started(spec);
        comes_some_way(&mut table, answers);
        table
    })
}

/// Answers so many calls, but leaves the last one open.
fn comes_some_way(table: &mut Transaction, answers: usize) {
    for _ in 0..answers {
        let before = table.clone();
        let Some(call) = table.calls().into_iter().next() else { return };
        table.answers_well(&call, 60);
        if table.meeting.is_over() || matches!(table.meeting.phase, Phase::Closing { .. }) {
            *table = before;
            return;
        }
    }
}

/// The speakers of a round, in the order of the log.
fn spoken(table: &Transaction, round: u32) -> Vec<String> {
    let said = table.meeting.said.iter().filter(|said| said.round == round && said.turn.is_some());
    said.map(|said| said.name.clone()).collect()
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 7: a failed call becomes a clear event, never a crash.
    #[test]
    fn p07_a_failed_call_becomes_a_clear_event(
        mut table in under_way(),
        kind in prop::sample::select(TROUBLES.to_vec()),
        pick in any::<prop::sample::Index>(),
    ) {
        let calls = table.calls();
        prop_assume!(!calls.is_empty());
        let call = pick.get(&calls).clone();
        let before = table.log.len();
        table.fails(&call, kind);
        // A context that does not fit is made shorter first, until nothing is left to cut.
        for shortened in 1..10 {
            let again = |other: &Call| other.id == call.id && other.attempt == call.attempt + shortened;
            let Some(again) = table.calls().into_iter().find(again) else { break };
            table.fails(&again, kind);
        }
        let told = table.log[before..].iter().any(|event| match &event.body {
            EventBody::TurnFailed { kind: told, detail, hint, .. }
            | EventBody::Error { kind: told, detail, hint, .. } => {
                *told == kind && !detail.is_empty() && !hint.is_empty()
            }
            EventBody::VoteAbstained { kind, detail, .. } => {
                *kind == AbstentionKind::Failed && !detail.is_empty()
            }
            _ => false,
        });
        prop_assert!(told, "nothing tells of the failure: {:?}", &table.log[before..]);
        let goes_on = !table.calls().is_empty() || table.meeting.is_paused() || table.meeting.is_over();
        prop_assert!(goes_on, "the meeting is stuck");
    }

    /// Feature: ai-agent-meeting, Property 13: in sequential order they speak as they joined.
    #[test]
    fn p13_sequential_speakers_follow_the_order_of_the_table(names in any::names(1..=8), rounds in 1u32..=4) {
        let mut table = Transaction::started(discussion(&names, rounds));
        table.goes_on(|_, _| 60);
        for round in 1..=rounds {
            prop_assert_eq!(spoken(&table, round), names.clone());
        }
    }

    /// Feature: ai-agent-meeting, Property 15: whoever speaks, the stream grows by one message.
    #[test]
    fn p15_each_message_grows_the_stream_by_one(names in any::names(1..=5), lines in any::lines(1..12)) {
        let mut table = Transaction::started(discussion(&names, 4));
        for (place, line) in lines.iter().enumerate() {
            let before = table.meeting.said.len();
            if table.meeting.phase != Phase::Discussion {
                break;
            }
            match place % 3 {
                2 => table.says(line),
                _ => _ = table.answers(&table.calls()[0].clone(), &format!("I say: {line}")),
            }
            prop_assert_eq!(table.meeting.said.len(), before + 1);
            let last = table.meeting.said.last().expect("somebody has just spoken");
            prop_assert_eq!(last.id, MessageId(before as u32 + 1));
        }
    }

    /// Feature: ai-agent-meeting, Property 16: when all have spoken, the round number grows by one.
    #[test]
    fn p16_a_round_is_over_when_everybody_has_spoken(names in any::names(1..=6), failing in any::<u8>()) {
        let mut table = Transaction::started(discussion(&names, 3));
        for round in 1..=3u32 {
            for place in 0..names.len() {
                prop_assert_eq!(table.meeting.round_number(), round);
                let call = table.calls().remove(0);
                // The first speaks, so that the table is not silent; of the others some fail.
                match place > 0 && failing >> (place % 8) & 1 == 1 {
                    true => table.fails(&call, FailureKind::TimedOut),
                    false => table.answers_well(&call, 60),
                }
            }
        }
        prop_assert_eq!(table.meeting.outcome(), Some(&MeetingOutcome::Completed));
        prop_assert_eq!(table.meeting.round_number(), 3);
    }

    /// Feature: ai-agent-meeting, Property 17: while it is paused, no agent says anything.
    #[test]
    fn p17_a_paused_meeting_stays_as_it_is(mut table in under_way(), at_once in any::<bool>()) {
        prop_assume!(!table.meeting.is_over() && !table.meeting.is_paused());
        let owed = table.calls();
        table.execute(Command::Pause { by: Actor::owner(), at_once });
        // Asked for politely, the pause waits for those who have the floor.
        for call in table.calls() {
            prop_assert!(!at_once, "{} is still owed", call.id);
            table.answers_well(&call, 60);
        }
        prop_assert!(table.meeting.is_paused());
        let said = table.meeting.said.len();
        for call in owed {
            let late = interpret(&table.meeting, &call, Outcome::Answered(answer("late words")));
            prop_assert_eq!(table.is_refused(late), Refusal::TurnIsOver { task: call.id });
        }
        table.waits_ms(1_000_000);
        table.recovers();
        prop_assert!(table.meeting.is_paused() && table.calls().is_empty());
        prop_assert_eq!(table.meeting.said.len(), said);
    }

    /// Feature: ai-agent-meeting, Property 18: what is ended is over, and stays so when it is read back.
    #[test]
    fn p18_an_ended_meeting_is_over_for_good(mut table in under_way(), started in any::<bool>()) {
        if !started {
            table = Transaction::draft(discussion(&["Ada", "Ben"], 3));
        }
        prop_assume!(!table.meeting.is_over());
        table.ends("that will do");
        table.goes_on(|_, _| 60);
        prop_assert!(table.meeting.is_over());
        prop_assert!(table.meeting.conclusion.is_some());
        prop_assert!(table.replayed().is_over());
        prop_assert!(table.calls().is_empty());
        let more = Command::Say { by: Actor::owner(), content: "one more thing".into() };
        prop_assert_eq!(table.is_refused(more), Refusal::MeetingIsOver);
    }

    /// Feature: ai-agent-meeting, Property 20: whom the user asks for is the next to speak.
    #[test]
    fn p20_whom_the_user_asks_for_speaks_next(
        names in any::names(2..=6),
        answers in 0usize..10,
        pick in any::<prop::sample::Index>(),
        by_id in any::<bool>(),
    ) {
        let mut table = Transaction::started(discussion(&names, 4));
        comes_some_way(&mut table, answers);
        let asked = pick.get(&names);
        match by_id {
            true => {
                let id = table.meeting.find(asked).expect("it is at the table").participant.id;
                table.asks_for(&id.to_string());
            }
            false => table.asks_for(asked),
        }
        let speaking = table.call_of(&table.speaker());
        table.answers(&speaking, "I have spoken.");
        prop_assert_eq!(&table.speaker(), asked);
    }

    /// Feature: ai-agent-meeting, Property 28: at the round limit the meeting ends by itself.
    #[test]
    fn p28_at_the_round_limit_the_meeting_is_over(spec in any::sound_founding(), score in 0u8..=100) {
        let max_rounds = spec.rules.limits.max_rounds;
        let ballots = spec.rules.decision.ballots;
        let mut table = Transaction::started(spec);
        table.goes_on(|_, _| score);
        prop_assert!(table.meeting.is_over(), "it rests in {:?}", table.meeting.phase);
        prop_assert!(table.meeting.rounds_held() <= max_rounds);
        match table.meeting.outcome() {
            Some(MeetingOutcome::Completed) => prop_assert!(!ballots),
            Some(MeetingOutcome::Accepted { .. }) => prop_assert!(ballots),
            Some(MeetingOutcome::Aborted(AbortReason::RoundLimit)) => {
                prop_assert!(ballots && table.meeting.rounds_held() == max_rounds);
            }
            other => prop_assert!(false, "it ended as {other:?}"),
        }
    }

    /// Feature: ai-agent-meeting, Property 30: random orders do not all repeat the table's.
    #[test]
    fn p30_a_random_order_is_not_always_that_of_the_table(
        names in any::names(3..=8),
        seed in any::<u64>(),
        blind_round in any::<bool>(),
    ) {
        let mut spec = discussion(&names, 3);
        spec.seed = seed;
        spec.rules.turns = TurnRules { order: SpeakingOrder::Random, blind_round, ..spec.rules.turns };
        let mut table = Transaction::started(spec);
        table.goes_on(|_, _| 60);
        let orders: Vec<_> = (1..=3).map(|round| spoken(&table, round)).collect();
        prop_assert!(orders.iter().any(|order| *order != names), "{orders:?}");
        for mut order in orders {
            let mut all = names.clone();
            order.sort_unstable();
            all.sort_unstable();
            prop_assert_eq!(order, all, "everybody speaks once");
        }
    }
}
