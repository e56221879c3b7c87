//! Mentions: found, announced to the participant, and answered next.

use proptest::prelude::*;
use proptest::sample::Index;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::any;
use crate::support::*;

/// Marks that can stand beside a mention, in both scripts.
fn beside() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "", " ", "，", "。", "：", "（", "）", "! ", "?", "\n", "你看", " and ", "<", "[", "'",
    ])
}

fn mentions_of(table: &Transaction) -> Vec<String> {
    let said = table.meeting.said.last().expect("something was said");
    said.mentions.iter().map(|id| table.meeting.name_of(*id)).collect()
}

/// Whether a prompt says that its reader was mentioned.
fn is_told(prompt: &Prompt) -> bool {
    let task = &prompt.messages.last().expect("a prompt has a task").content;
    let task = &task[task.rfind("<task>").expect("a prompt has a task")..];
    task.contains("mentioned by name") || task.contains("点名提及")
}

/// Answers pending calls with messages without mentions, until this participant is asked to speak again;
/// `None` when the meeting ends before.
fn next_turn_of(table: &mut Transaction, id: ParticipantId, but: Option<TaskId>) -> Option<Prompt> {
    for _ in 0..400 {
        let calls = table.calls();
        let own = calls.iter().find(|call| {
            call.participant == Some(id) && matches!(call.id, TaskId::Speak(_)) && Some(call.id) != but
        });
        if let Some(call) = own {
            return Some(context(&table.meeting, call));
        }
        let call = calls.into_iter().next()?;
        table.answers_well(&call, 40);
    }
    panic!("the meeting does not come to an end");
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 55: an @ and a participant's name is a mention.
    #[test]
    fn p55_whoever_is_called_by_name_is_found(
        names in any::names(2..=12),
        picks in prop::collection::vec((any::<Index>(), any::<bool>(), any::<bool>(), beside(), beside()), 1..5),
        by_agent in any::<bool>(),
    ) {
        let mut content = "So: ".to_owned();
        let mut wanted: Vec<&str> = Vec::new();
        for (pick, quoted, wide, before, after) in picks {
            let name = *pick.get(&names);
            let at = if wide { "＠" } else { "@" };
            // A Latin name beside further letters has to be quoted, and a longer name with the same beginning
            // would be meant.
            let longer = names.iter().any(|other| other.len() > name.len() && other.starts_with(name));
            let quoted = quoted || longer || after.starts_with(|c: char| c.is_alphanumeric());
            let called = if quoted { format!("{at}\"{name}\"") } else { format!("{at}{name}") };
            content += &format!("{before}{called}{after} ");
            if !wanted.contains(&name) {
                wanted.push(name);
            }
        }
        let mut table = Transaction::started(discussion(&names, 3));
        match by_agent {
            true => {
                let speaker = table.speaker();
                // No participant mentions itself.
                wanted.retain(|name| *name != speaker);
                table.hears(&speaker, &content);
            }
            false => table.says(&content),
        }
        prop_assert_eq!(mentions_of(&table), wanted, "in {:?}", content);
    }

    /// Feature: ai-agent-meeting, Property 56: whoever was mentioned is told so when it speaks next.
    #[test]
    fn p56_whoever_was_mentioned_is_told_so_when_it_speaks_next(
        spec in any::sound_founding(),
        answers in 0usize..25,
        pick in any::<Index>(),
        by_agent in any::<bool>(),
        drafting in prop::bool::weighted(0.1),
    ) {
        let mut table = if drafting { Transaction::draft(spec) } else { Transaction::started(spec) };
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 40);
            }
        }
        prop_assume!(!matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. }));
        let seats: Vec<_> = table.meeting.present().map(|seat| seat.participant.clone()).collect();
        let called = pick.get(&seats);
        let words = format!("@\"{}\" what do you think?", called.name);
        // The current speaker was asked before the mention; its next turn is the one after.
        let floor = |table: &Transaction| {
            table.calls().into_iter().map(|call| call.id).find(|task| match task {
                TaskId::Speak(turn) => table.meeting.turn(*turn).is_some_and(|t| t.participant == called.id),
                _ => false,
            })
        };
        let has_floor = floor(&table);
        let agent = table.calls().into_iter().find(|call| {
            matches!(call.id, TaskId::Speak(_)) && call.participant != Some(called.id)
        });
        let blind = table.meeting.round().is_some_and(|round| round.kind == RoundKind::Blind);
        match agent.filter(|_| by_agent && !blind) {
            Some(call) => _ = table.answers(&call, &words),
            None => table.says(&words),
        }
        if drafting {
            table.starts();
        }
        if let Some(prompt) = next_turn_of(&mut table, called.id, has_floor) {
            prop_assert!(is_told(&prompt), "{} reads\n{:#?}", called.name, prompt.messages.last());
        }
    }

    /// Feature: ai-agent-meeting, Property 57: whoever is mentioned speaks next.
    #[test]
    fn p57_whoever_is_mentioned_speaks_next(
        names in any::names(2..=7),
        answers in 0usize..8,
        pick in any::<Index>(),
        by_agent in any::<bool>(),
    ) {
        let mut table = Transaction::started(discussion(&names, 3));
        for _ in 0..answers {
            let call = table.calls().remove(0);
            table.answers_well(&call, 60);
            if table.meeting.phase != Phase::Discussion {
                return Ok(());
            }
        }
        let speaker = table.speaker();
        let others: Vec<_> = names.iter().filter(|name| **name != speaker || !by_agent).collect();
        let called = **pick.get(&others);
        match by_agent {
            true => table.hears(&speaker, &format!("@\"{called}\" what do you think?")),
            false => {
                table.says(&format!("@\"{called}\" what do you think?"));
                table.hears(&speaker, "I have spoken.");
            }
        }
        prop_assert_eq!(table.speaker(), called);
    }

    /// Feature: ai-agent-meeting, Property 57: a word between the rounds decides who begins the next.
    #[test]
    fn p57_whoever_is_mentioned_between_rounds_begins_the_next(
        names in any::names(2..=5),
        pick in any::<Index>(),
        when in prop::sample::select(vec![Phase::Summary, Phase::Ballot, Phase::Facilitation]),
        on_steering in prop::sample::select(vec![SteeringRule::Interrupt, SteeringRule::Queue]),
    ) {
        let mut rules = consensus(3);
        rules.turns.mode = TurnMode::SerialTurn;
        rules.decision.on_steering = on_steering;
        let mut table = Transaction::started(spec(&names, rules));
        table.goes_to_round(1);
        table.goes_until(|_, _| 60, |table| table.meeting.phase == when);
        let called = *pick.get(&names);
        table.says(&format!("@\"{called}\" what do you think?"));
        table.goes_to_round(2);
        prop_assert_eq!(table.speaker(), called);
        prop_assert!(is_told(&table.prompt_of(called)));
    }
}
