//! Hidden contents in each format and each context, and the parts of the layered context.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use crate::support::any;
use crate::support::*;

/// Any format with any view, notes and marks.
pub(super) fn any_format() -> impl Strategy<Value = MeetingSpec> {
    let view = select(vec![
        ContextScope::Record,
        ContextScope::SinceOwnWord,
        ContextScope::Round,
        ContextScope::Layered,
    ]);
    let mode = select(vec![TurnMode::SerialTurn, TurnMode::ParallelRound]);
    let answer = select(vec![AnswerForm::Prose, AnswerForm::Structured]);
    (any::names(2..=5), select(Format::ALL.to_vec()), (view, mode, answer), any::language(), any::<u64>())
        .prop_map(|(names, format, (view, mode, answer), language, seed)| {
            let mut rules = format.rules();
            rules.context.view = view;
            rules.context.private_memory = true;
            rules.turns.mode = mode;
            rules.turns.answer = answer;
            rules.roster.evaluate = true;
            rules.intake.when = IntakeTiming::Never;
            rules.limits.max_rounds = 3;
            rules.limits.rounds_alone = 0;
            rules.limits.rounds_stale = 0;
            rules.decision.min_rounds = rules.decision.min_rounds.min(2);
            MeetingSpec { format, language, seed, ..spec(&names, rules) }
        })
}

fn notes_of(owner: ParticipantId, round: u32) -> String {
    format!("notes-of-{owner}-{round}-end")
}

/// An answer with reasoning, notes and marks that can be recognized anywhere.
pub(super) fn answered(table: &Transaction, call: &Call) -> Answer {
    let m = &table.meeting;
    let reasoning = Some("thought-of-somebody".to_owned());
    let text = match (call.id, call.participant) {
        (TaskId::Speak(turn), Some(owner)) if m.round().is_some_and(|one| one.kind != RoundKind::Blind) => {
            let place = m.said.len();
            let record = serde_json::json!({
                "position": format!("{owner} recommends {place}"), "confidence": 60, "changed_by": null,
                "claims": [format!("claim {place} of {owner}")], "risks": [format!("risk {place} of {owner}")],
                "open_questions": [format!("question {place} of {owner}?")],
                "memory": { "notes": [notes_of(owner, turn.round)] },
            });
            let words = format!("First {place} of {owner} is said. Then {place} of {owner} is said.");
            match m.rules().turns.answer {
                AnswerForm::Prose => format!("{words}\n```json\n{record}\n```"),
                AnswerForm::Structured => {
                    let mut record = record;
                    record["statement"] = words.into();
                    record["recommendation"] = format!("{owner} recommends {place}").into();
                    record.to_string()
                }
            }
        }
        (TaskId::Evaluate(_), _) => {
            let mark =
                |name: String| serde_json::json!({ "name": name, "score": 7, "reason": "mark-of-somebody" });
            let marks: Vec<_> = table.names().into_iter().map(mark).collect();
            serde_json::json!({ "marks": marks }).to_string()
        }
        (_, _) => good_answer(m, call, 60),
    };
    Answer { reasoning, ..answer(&text) }
}

/// Plays a meeting and looks at every prompt on the way; the meeting is judged by what its log says.
fn every_call(
    spec: MeetingSpec,
    mut look: impl FnMut(&Transaction, &Call, &Prompt) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError> {
    let mut table = Transaction::started(spec);
    let mut looked_at = BTreeSet::new();
    for step in 0..400 {
        let calls = table.calls();
        for call in calls.iter().filter(|call| looked_at.insert((call.id, call.attempt))) {
            look(&table, call, &context(&table.meeting, call))?;
        }
        let Some(call) = calls.into_iter().next() else { break };
        let command = interpret(&table.meeting, &call, Outcome::Answered(answered(&table, &call)));
        table.execute(command);
        if step % 7 == 3 && table.meeting.phase == Phase::Discussion {
            table.says(&format!("A person says {step}. And more of {step}."));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    /// Marks and their reasons are in no prompt at all, and no participant reads the reasoning of another.
    #[test]
    fn marks_and_thoughts_are_never_read(spec in any_format()) {
        every_call(spec, |_, call, prompt| {
            let all = format!("{prompt:?}");
            prop_assert!(!all.contains("mark-of-somebody"), "{} reads a mark: {all}", call.id);
            prop_assert!(!all.contains("thought-of-somebody"), "{} reads a thought: {all}", call.id);
            Ok(())
        })?;
    }

    /// Notes are read by their owner alone, as they were last written, also after the log is replayed.
    #[test]
    fn private_notes_are_read_by_their_owner_alone(spec in any_format()) {
        every_call(spec, |table, call, prompt| {
            let all = format!("{prompt:?}");
            for seat in &table.meeting.seats {
                let owner = seat.participant.id;
                let own = call.participant == Some(owner) && matches!(call.id, TaskId::Speak(_));
                if !own {
                    prop_assert!(!all.contains(&format!("notes-of-{owner}-")), "{} reads them: {all}", call.id);
                } else if let Some(note) = seat.memory.as_ref().and_then(|memory| memory.notes.first())
                    && !table.meeting.round().is_some_and(|round| round.kind == RoundKind::Blind)
                {
                    let task = &prompt.messages.last().expect("there is a task").content;
                    prop_assert!(task.contains(note), "{note} is missing in {task}");
                }
            }
            prop_assert_eq!(&context(&table.replayed(), call), prompt);
            Ok(())
        })?;
    }

    /// The layered context holds messages of people, positions and a few quotes, never the dialogue, and
    /// nothing that its reader said itself.
    #[test]
    fn the_layered_view_is_not_the_dialogue(spec in any_format(), quotes in 0u32..12) {
        let mut spec = spec;
        spec.rules.context.view = ContextScope::Layered;
        spec.rules.context.quotes = quotes;
        every_call(spec, |table, call, prompt| {
            let Some(reader) = call.participant else { return Ok(()) };
            if matches!(call.id, TaskId::Minutes(_)) {
                return Ok(());
            }
            prop_assert_eq!(prompt.messages.len(), 1, "nothing is its own words");
            let text = &prompt.messages[0].content;
            prop_assert!(text.matches("<quote ").count() <= quotes as usize);
            for said in &table.meeting.said {
                match &said.speaker {
                    Actor::Person { .. } => prop_assert!(text.contains(&said.content), "{} is missing", said.id),
                    Actor::Participant { .. } => {
                        prop_assert!(!text.contains(&said.content), "{} is read whole: {text}", said.id);
                    }
                    Actor::Facilitator | Actor::System => {}
                }
            }
            let own_quote = format!("from=\"{}\" kind=", table.meeting.name_of(reader));
            prop_assert!(!text.lines().any(|line| line.starts_with("<quote ") && line.contains(&own_quote)));
            Ok(())
        })?;
    }

    /// In the view since a reader's own word, every visible message is read once it is new to the reader.
    #[test]
    fn whoever_reads_since_its_own_word_misses_nothing(spec in any_format()) {
        let mut spec = spec;
        spec.rules.context.view = ContextScope::SinceOwnWord;
        spec.rules.context.recent_messages = 0;
        let mut read: BTreeSet<(ParticipantId, MessageId)> = BTreeSet::new();
        every_call(spec, |table, call, prompt| {
            let Some(reader) = call.participant else { return Ok(()) };
            let hidden = table.meeting.round().filter(|one| one.kind != RoundKind::Serial && one.ended_seq.is_none());
            let text = prompt.messages.iter().map(|one| one.content.as_str()).collect::<Vec<_>>().join("\n");
            for said in &table.meeting.said {
                let others = said.speaker != Actor::Participant { id: reader };
                let visible = hidden.is_none_or(|round| said.turn.is_none_or(|turn| turn.round != round.number));
                if others && visible && text.contains(&format!("<message id=\"{}\"", said.id)) {
                    read.insert((reader, said.id));
                } else if others && visible {
                    prop_assert!(read.contains(&(reader, said.id)), "{} never read {}", reader, said.id);
                }
            }
            Ok(())
        })?;
    }
}
