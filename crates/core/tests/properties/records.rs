//! Records of a meeting: messages, the log, the report.

use proptest::prelude::*;
use quorate_contract::*;
use quorate_core::*;
use quorate_views::*;

use super::cases;
use crate::support::any;
use crate::support::*;

/// Plays a meeting in which the participants answer in these manners, one after the other.
fn played(spec: MeetingSpec, manners: &[Manner]) -> Transaction {
    let mut table = Transaction::started(spec);
    for step in 0..400 {
        let Some(call) = table.calls().into_iter().next() else { break };
        let outcome = manners[step % manners.len()].outcome(&table.meeting, &call);
        let command = interpret(&table.meeting, &call, outcome);
        table.execute(command);
    }
    table
}

fn any_played() -> impl Strategy<Value = Transaction> {
    (any::sound_founding(), prop::collection::vec(any_manner(), 1..12))
        .prop_map(|(spec, manners)| played(spec, &manners))
}

/// The headings of a Markdown text that do not stand in code.
fn headings(markdown: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with('#') {
            found.push(line.trim_start_matches('#').trim().to_owned());
        }
    }
    found
}

/// The number of cells of a table row; an escaped bar is part of a cell.
fn cells(row: &str) -> usize {
    row.replace("\\|", "").matches('|').count() - 1
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 21: a blank message is refused and changes nothing.
    #[test]
    fn p21_a_blank_message_is_refused(
        spec in any::sound_founding(),
        answers in 0usize..12,
        blank in "[ \\n\\t\\r\u{3000}\u{7}\u{202e}\u{feff}]{0,30}",
    ) {
        let mut table = Transaction::started(spec);
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 60);
            }
        }
        prop_assume!(!matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. }));
        let refusal = table.is_refused(Command::Say { by: Actor::owner(), content: blank });
        let Refusal::Invalid { field, hint, .. } = refusal else {
            return Err(TestCaseError::fail(format!("refused for another reason: {refusal}")));
        };
        prop_assert_eq!(field, "content");
        prop_assert!(!hint.is_empty());
    }

    /// Feature: ai-agent-meeting, Property 22: every message says who, what and when.
    #[test]
    fn p22_every_message_says_who_what_and_when(mut table in any_played(), words in any::plain_words(50)) {
        if !matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. }) {
            table.says(&words);
        }
        for said in &table.meeting.said {
            let event = &table.log[said.seq as usize - 1];
            prop_assert_eq!((event.seq, event.ts_ms), (said.seq, said.at));
            prop_assert!(!said.speaker_name(table.meeting.language()).trim().is_empty());
            prop_assert!(!said.content.trim().is_empty(), "an empty message: {:?}", event);
            match &said.speaker {
                Actor::Participant { id } => {
                    prop_assert_eq!(&said.name, &table.meeting.name_of(*id));
                    prop_assert_eq!(&event.actor, &said.speaker);
                }
                Actor::Person { .. } | Actor::Facilitator => prop_assert_eq!(&event.actor, &said.speaker),
                Actor::System => prop_assert!(false, "the rules say nothing"),
            }
        }
    }

    /// Feature: ai-agent-meeting, Property 24: a log that is read back is the same meeting.
    #[test]
    fn p24_a_log_that_is_read_back_is_the_same_meeting(mut table in any_played(), words in any::words()) {
        if !matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. }) {
            _ = table.tries(Command::Say { by: Actor::owner(), content: words });
        }
        for event in &table.log {
            let line = event.to_json();
            prop_assert!(!line.contains('\n'));
            let read = Event::from_json(&line).map_err(|error| TestCaseError::fail(format!("{error}: {line}")))?;
            prop_assert_eq!(&read, event);
            prop_assert_eq!(read.to_json(), line);
        }
        let replayed = table.replayed();
        prop_assert_eq!(&replayed, &table.meeting);
        prop_assert_eq!(replayed.state_hash(), table.meeting.state_hash());
    }

    /// Feature: ai-agent-meeting, Property 25: the result is valid Markdown, and valid JSON.
    #[test]
    fn p25_the_result_is_valid_markdown_and_json(table in any_played()) {
        let mut report = Report::of(&table.meeting);
        let json: serde_json::Value = serde_json::from_str(&report.to_json())
            .map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&json["topic"], &report.topic);
        prop_assert_eq!(json["ballots"].as_array().map(Vec::len), Some(table.meeting.ballots.len()));
        prop_assert_eq!(json["messages"].as_u64(), Some(table.meeting.said.len() as u64));

        // The conclusion is Markdown of its own; outside of it, no participant's text may make a heading or a
        // cell.
        report.conclusion = "Words.".into();
        let markdown = report.to_markdown();
        let found = headings(&markdown);
        let known: Vec<&str> = quorate_messages::keys(report.language, "report")
            .filter_map(|id| quorate_messages::keyed(report.language, id))
            .collect();
        for heading in &found[1..] {
            let ours = known.contains(&heading.as_str()) || heading.starts_with("Ballot ") || heading.starts_with("第 ");
            prop_assert!(ours, "{heading:?} is none of ours in\n{markdown}");
        }
        let mut once = found.clone();
        once.sort_unstable();
        once.dedup();
        prop_assert_eq!(once.len(), found.len(), "a heading stands twice in\n{}", markdown);
        prop_assert_eq!(&found[0], &report.topic);
        let mut width = None;
        for line in markdown.lines() {
            let is_row = line.starts_with('|');
            let wanted = *width.get_or_insert_with(|| cells(if is_row { line } else { "||" }));
            if is_row {
                prop_assert_eq!(cells(line), wanted, "{}", line);
            } else {
                width = None;
            }
        }
    }

    /// Feature: ai-agent-meeting, Property 29: a message that is too long is cut, and says so.
    #[test]
    fn p29_a_long_message_is_cut_and_marked(
        max in prop_oneof![50u32..200, Just(10_000)],
        language in any::language(),
        sign in prop::sample::select(vec!["x", "字", "🦉", "a b"]),
        times in 1usize..15_000,
    ) {
        let mut spec = MeetingSpec { language, ..discussion(&["Ada"], 1) };
        spec.rules.turns.max_message_chars = max;
        let mut table = Transaction::started(spec);
        let words = sign.repeat(times);
        table.hears("Ada", &words);
        let said = &table.meeting.said[0];
        let chars = words.chars().count();
        if chars <= max as usize {
            prop_assert_eq!(&said.content, &words);
        } else {
            let kept: String = words.chars().take(max as usize).collect();
            prop_assert_eq!(&said.content, &kept);
            let mark = match language {
                Language::Zh => format!("〔已截断：原文 {chars} 字〕"),
                Language::En => format!("[cut: {chars} characters in all]"),
            };
            prop_assert_eq!(said.text(language), format!("{kept}\n\n{mark}"));
        }
        let told = table.log.iter().find_map(|event| match event.body {
            EventBody::AgentMessage { cut_from_chars, .. } => Some(cut_from_chars),
            _ => None,
        });
        prop_assert_eq!(told, Some((chars > max as usize).then_some(chars as u32)));
    }
}
