//! The prompt of a participant.

use std::collections::BTreeSet;

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::any;
use crate::support::*;

/// All that a prompt says, in order.
pub(super) fn text_of(prompt: &Prompt) -> String {
    let messages = prompt.messages.iter().map(|message| message.content.as_str());
    std::iter::once(prompt.system.as_str()).chain(messages).collect::<Vec<_>>().join("\n")
}

/// Plays a meeting to its end and looks at every prompt of a participant on the way.
pub(super) fn every_prompt(table: &mut Transaction, mut look: impl FnMut(&Transaction, &Seat, &Prompt)) {
    let mut looked_at = BTreeSet::new();
    for _ in 0..2_000 {
        let calls = table.calls();
        for call in calls.iter().filter(|call| looked_at.insert((call.id, call.attempt))) {
            if let Some(seat) = call.participant.and_then(|id| table.meeting.seat(id)) {
                look(table, seat, &context(&table.meeting, call));
            }
        }
        let Some(call) = calls.into_iter().next() else { return };
        table.answers_well(&call, 60);
    }
    panic!("the meeting does not come to an end");
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 10: the role is part of what the model is told first.
    #[test]
    fn p10_the_role_is_the_system_prompt(
        mut spec in any::sound_founding(),
        role in any::plain_words(50),
        description in any::plain_words(1990),
        instruction in any::plain_words(1990),
    ) {
        // Marked, so that a short word does not occur in another prompt by chance.
        let (description, instruction) = (format!("=D={description}"), format!("=I={instruction}"));
        spec.participants[0].role =
            Role { name: role, description: description.clone(), system_prompt: instruction.clone() };
        let name = spec.participants[0].name.clone();
        let mut table = Transaction::started(spec);
        every_prompt(&mut table, |_, seat, prompt| {
            let own = seat.participant.name == name;
            for part in [&description, &instruction] {
                assert_eq!(prompt.system.contains(part.as_str()), own, "{}", prompt.system);
            }
        });
    }

    /// Feature: ai-agent-meeting, Property 14: in the discussion format a speaker reads all that was said.
    #[test]
    fn p14_a_speaker_reads_the_whole_history(names in any::names(2..=5), words in any::plain_words(60)) {
        let mut table = Transaction::started(discussion(&names, 4));
        while let Some(call) = table.calls().into_iter().find(|call| call.participant.is_some()) {
            let prompt = context(&table.meeting, &call);
            let mut from = 0;
            let text = text_of(&prompt);
            for said in &table.meeting.said {
                let at = text[from..].find(&said.content);
                prop_assert!(at.is_some(), "{} is missing or out of order", said.content);
                from += at.unwrap_or(0) + said.content.len();
            }
            let number = table.meeting.said.len();
            table.answers(&call, &format!("{words} ({number}.)"));
            if number % 4 == 3 && table.meeting.phase == Phase::Discussion {
                table.says(&format!("A person adds {words} ({number}b)"));
            }
        }
        prop_assert!(table.meeting.said.len() >= 4 * names.len());
    }

    /// Feature: ai-agent-meeting, Property 19: what a person says is read by whoever answers next.
    #[test]
    fn p19_a_persons_word_reaches_the_next_speaker(
        spec in any::sound_founding(),
        answers in 0usize..30,
        words in any::plain_words(300),
    ) {
        let mut table = Transaction::started(spec);
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 60);
            }
        }
        let say = Command::Say { by: Actor::owner(), content: words.clone() };
        let closing = matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. });
        if closing {
            prop_assert_eq!(table.is_refused(say), Refusal::MeetingIsOver);
            return Ok(());
        }
        let before = table.calls();
        table.execute(say);
        for call in table.calls() {
            // A participant that was asked before would read it as well, if it were asked again.
            prop_assert!(text_of(&context(&table.meeting, &call)).contains(&words));
        }
        // And it stays: it is still read by the next who is asked something new.
        for call in before {
            let still_owed = table.calls().iter().any(|owed| owed.id == call.id);
            if still_owed {
                table.answers_well(&call, 60);
            }
        }
        if let Some(next) = table.calls().into_iter().next() {
            prop_assert!(text_of(&context(&table.meeting, &next)).contains(&words));
        }
    }

    /// Feature: ai-agent-meeting, Property 43: the role's description is in the system prompt of every call.
    #[test]
    fn p43_every_call_carries_the_description(spec in any::sound_founding()) {
        let mut table = Transaction::started(spec);
        every_prompt(&mut table, |_, seat, prompt| {
            assert!(prompt.system.contains(&seat.participant.role.description));
            assert!(prompt.system.contains(&seat.participant.role.name));
            assert!(prompt.system.contains(&seat.participant.name));
        });
    }

    /// Feature: ai-agent-meeting, Property 45: everybody's name and role is in the context.
    #[test]
    fn p45_everybody_at_the_table_is_introduced(
        mut spec in any::sound_founding(),
        roles in prop::collection::vec(any::plain_words(50), 7),
        late in prop::option::of(Just("Late Comer")),
    ) {
        for (newcomer, role) in spec.participants.iter_mut().zip(roles) {
            newcomer.role.name = role;
        }
        let mut table = Transaction::started(spec);
        if let Some(name) = late {
            table.joins(name);
        }
        every_prompt(&mut table, |table, _, prompt| {
            let opening = &prompt.messages[0].content;
            for seat in table.meeting.present() {
                let Participant { name, role, .. } = &seat.participant;
                let line = match table.meeting.language() {
                    Language::Zh => format!("- {name}（{}）", role.name),
                    Language::En => format!("- {name} ({})", role.name),
                };
                assert!(opening.lines().any(|had| had == line), "{line:?} is missing in {opening}");
            }
        });
    }
}
