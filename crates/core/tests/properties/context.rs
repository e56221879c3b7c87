//! The context of a speaker: moderation, agenda, style, minutes.

use proptest::prelude::*;
use proptest::sample::select;
use quorate_contract::*;
use quorate_core::*;

use super::cases;
use super::reading::{every_prompt, text_of};
use crate::support::any;
use crate::support::*;

const DUTIES: [[&str; 5]; 2] = [
    [
        "1. 引导讨论围绕议题进行",
        "2. 确保所有参与者有机会发言",
        "3. 总结关键观点和决策",
        "4. 在讨论偏离主题时及时提醒",
        "5. 推动会议向结论前进",
    ],
    [
        "1. keep the discussion on the agenda",
        "2. see that everybody has a chance to speak",
        "3. sum up the main views and decisions",
        "4. say so when the discussion leaves the topic",
        "5. lead the meeting towards a conclusion",
    ],
];

fn style_line(language: Language, style: Style) -> &'static str {
    match (language, style) {
        (Language::Zh, Style::Formal) => "请保持正式、专业的讨论风格",
        (Language::Zh, Style::Casual) => "请使用轻松、友好的讨论风格",
        (Language::Zh, Style::Debate) => "请采用辩论式风格，清晰表达观点并提供论据",
        (Language::En, Style::Formal) => "Keep a formal, professional style.",
        (Language::En, Style::Casual) => "Keep a relaxed, friendly style.",
        (Language::En, Style::Debate) => "Debate: state your view clearly",
    }
}

fn length_line(language: Language, length: SpeakingLength) -> &'static str {
    match (language, length) {
        (Language::Zh, SpeakingLength::Brief) => "请保持发言简短，直接表达要点",
        (Language::Zh, SpeakingLength::Moderate) => "请适度展开，提供必要的细节",
        (Language::Zh, SpeakingLength::Detailed) => "请详细阐述，提供充分的分析和例子",
        (Language::En, SpeakingLength::Brief) => "Speak briefly and come straight to the point.",
        (Language::En, SpeakingLength::Moderate) => "Speak at moderate length",
        (Language::En, SpeakingLength::Detailed) => "Speak in detail",
    }
}

fn any_style() -> impl Strategy<Value = Option<Style>> {
    select(vec![None, Some(Style::Formal), Some(Style::Casual), Some(Style::Debate)])
}

fn any_length() -> impl Strategy<Value = Option<SpeakingLength>> {
    select(vec![
        None,
        Some(SpeakingLength::Brief),
        Some(SpeakingLength::Moderate),
        Some(SpeakingLength::Detailed),
    ])
}

fn any_view() -> impl Strategy<Value = ContextScope> {
    select(vec![ContextScope::Record, ContextScope::SinceOwnWord, ContextScope::Round, ContextScope::Layered])
}

/// Any meeting, in any view, that one of its participants or a person leads.
fn led_founding() -> impl Strategy<Value = MeetingSpec> {
    (any::sound_founding(), any_view(), any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(mut spec, view, who, by_agent)| {
            spec.rules.context.view = view;
            let who = &spec.participants[who.index(spec.participants.len())];
            spec.moderator = by_agent.then(|| who.name.clone());
            spec
        },
    )
}

/// Whether an instruction contains the moderator's part; all of it, or nothing.
fn is_told_to_lead(prompt: &Prompt, language: Language) -> bool {
    let duties = DUTIES[usize::from(language == Language::En)];
    let told = duties.iter().filter(|duty| prompt.system.contains(**duty)).count();
    assert!(told == 0 || told == duties.len(), "{}", prompt.system);
    told > 0
}

/// Whether people can still act on the meeting.
fn is_under_way(table: &Transaction) -> bool {
    !matches!(table.meeting.phase, Phase::Closing { .. } | Phase::Ended { .. })
}

/// A person writes the minutes of what was said until now.
fn is_minuted(table: &mut Transaction, content: &str, summary: &str) {
    let minutes = Minutes { content: content.into(), summary: summary.into(), ..Minutes::default() };
    table.execute(Command::EditMinutes { by: Actor::owner(), based_on: None, minutes: Box::new(minutes) });
}

/// A number of messages, each with a recognizable text.
fn goes_on_for(table: &mut Transaction, words: &str, count: usize) {
    for _ in 0..count {
        let Some(call) = table.calls().into_iter().find(|call| call.participant.is_some()) else { return };
        let number = table.meeting.said.len();
        let record = "```json\n{\"position\": \"one file is enough\"}\n```";
        table.answers(&call, &format!("{words} (=n{number}=)\n{record}"));
    }
}

proptest! {
    #![proptest_config(cases())]

    /// Feature: ai-agent-meeting, Property 32: the instruction of the agent that moderates holds its duties.
    #[test]
    fn p32_the_moderator_is_told_its_duties(spec in led_founding()) {
        let (language, moderator) = (spec.language, spec.moderator.clone());
        let mut table = Transaction::started(spec);
        every_prompt(&mut table, |_, seat, prompt| {
            let leads = moderator.as_ref() == Some(&seat.participant.name);
            assert_eq!(is_told_to_lead(prompt, language), leads, "{}", prompt.system);
        });
    }

    /// Feature: ai-agent-meeting, Property 37: the agenda, with its state, is in every speaker's context.
    #[test]
    fn p37_a_speaker_reads_the_agenda(
        mut spec in led_founding(),
        items in prop::collection::vec((any::plain_words(60), any::plain_words(60)), 1..4),
        done in any::<prop::sample::Index>(),
        answers in 0usize..6,
    ) {
        spec.agenda = items.clone();
        let mut table = Transaction::started(spec);
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 60);
            }
        }
        let done = done.index(items.len());
        let is_done = is_under_way(&table);
        if is_done {
            let item = table.meeting.agenda[done].id.to_string();
            table.execute(Command::CompleteAgendaItem { by: Actor::owner(), item, completed: true });
        }
        every_prompt(&mut table, |table, _, prompt| {
            let task = &prompt.messages.last().expect("there is a task").content;
            for (place, (title, description)) in items.iter().enumerate() {
                let state = if is_done && place == done { '✓' } else { '○' };
                let colon = if table.meeting.language() == Language::Zh { "：" } else { ": " };
                let line = format!("{state} {} {title}{colon}{description}", table.meeting.agenda[place].id);
                assert!(task.lines().any(|had| had == line), "{line:?} is missing in {task}");
            }
        });
    }

    /// Feature: ai-agent-meeting, Property 40: the instruction holds the style and the speaker's own length.
    #[test]
    fn p40_style_and_length_are_in_the_instruction(
        mut spec in led_founding(),
        style in any_style(),
        lengths in prop::collection::vec(any_length(), 7),
    ) {
        let talk = &mut spec.rules.talk;
        talk.style = style;
        for (one, length) in spec.participants.iter().zip(&lengths) {
            talk.lengths.extend(length.map(|length| (one.name.clone(), length)));
        }
        let (language, talk) = (spec.language, talk.clone());
        let mut table = Transaction::started(spec);
        every_prompt(&mut table, |_, seat, prompt| {
            for one in [Style::Formal, Style::Casual, Style::Debate] {
                assert_eq!(prompt.system.contains(style_line(language, one)), talk.style == Some(one));
            }
            let own = talk.lengths.get(&seat.participant.name).copied();
            for one in [SpeakingLength::Brief, SpeakingLength::Moderate, SpeakingLength::Detailed] {
                assert_eq!(prompt.system.contains(length_line(language, one)), own == Some(one));
            }
        });
    }

    /// Feature: ai-agent-meeting, Property 41: rules that were changed hold for whoever speaks next.
    #[test]
    fn p41_changed_rules_are_in_the_next_instruction(
        spec in led_founding(),
        answers in 0usize..8,
        style in any_style(),
        length in any_length(),
    ) {
        let language = spec.language;
        let mut table = Transaction::started(spec);
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 60);
            }
        }
        if !is_under_way(&table) {
            return Ok(());
        }
        let mut rules = table.meeting.rules().clone();
        rules.talk.style = style;
        for name in table.names() {
            match length {
                Some(length) => _ = rules.talk.lengths.insert(name, length),
                None => _ = rules.talk.lengths.remove(&name),
            }
        }
        table.execute(Command::ChangeRules { by: Actor::owner(), rules: Box::new(rules) });
        every_prompt(&mut table, |_, _, prompt| {
            for one in [Style::Formal, Style::Casual, Style::Debate] {
                assert_eq!(prompt.system.contains(style_line(language, one)), style == Some(one));
            }
            for one in [SpeakingLength::Brief, SpeakingLength::Moderate, SpeakingLength::Detailed] {
                assert_eq!(prompt.system.contains(length_line(language, one)), length == Some(one));
            }
        });
    }

    /// Feature: ai-agent-meeting, Property 42: when there are minutes, what they conclude is in every context.
    #[test]
    fn p42_what_the_minutes_hold_is_read(
        spec in led_founding(),
        answers in 0usize..8,
        summary in any::plain_words(200),
    ) {
        let mut table = Transaction::started(spec);
        for _ in 0..answers {
            if let Some(call) = table.calls().into_iter().next() {
                table.answers_well(&call, 60);
            }
        }
        if !is_under_way(&table) {
            return Ok(());
        }
        let summary = format!("=S={summary}");
        is_minuted(&mut table, "What was said.", &summary);
        every_prompt(&mut table, |_, _, prompt| assert!(text_of(prompt).contains(&summary)));
    }

    /// Feature: ai-agent-meeting, Property 44: who moderates reads its duties whenever it speaks, also later on.
    #[test]
    fn p44_the_moderators_duties_stay(spec in led_founding(), words in any::plain_words(60)) {
        let language = spec.language;
        let Some(moderator) = spec.moderator.clone() else { return Ok(()) };
        let mut table = Transaction::started(spec);
        table.goes_until(|_, _| 60, |table| table.meeting.said.len() > 3);
        if is_under_way(&table) {
            table.says(&format!("{words} @\"{moderator}\""));
        }
        every_prompt(&mut table, |_, seat, prompt| {
            assert_eq!(is_told_to_lead(prompt, language), seat.participant.name == moderator);
        });
    }

    /// Feature: ai-agent-meeting, Property 46: every speaker reads who moderates.
    #[test]
    fn p46_everybody_reads_who_moderates(spec in led_founding()) {
        let named = spec.moderator.clone();
        let line = match (spec.language, &named) {
            (Language::Zh, Some(name)) => format!("主持人：{name}"),
            (Language::Zh, None) => "主持人：提问者（用户）".to_owned(),
            (Language::En, Some(name)) => format!("Moderator: {name}"),
            (Language::En, None) => "Moderator: the user, who asks".to_owned(),
        };
        let mut table = Transaction::started(spec);
        every_prompt(&mut table, |_, _, prompt| {
            let opening = &prompt.messages[0].content;
            assert!(opening.lines().any(|had| had == line), "{line:?} is missing in {opening}");
        });
    }

    /// Feature: ai-agent-meeting, Property 49: minutes are read in place of what they cover.
    #[test]
    fn p49_minutes_stand_for_what_they_cover(
        names in any::names(2..=5),
        view in any_view(),
        words in any::plain_words(60),
        (before, after) in (1usize..6, 0usize..6),
        content in any::plain_words(300),
    ) {
        let mut spec = discussion(&names, 6);
        spec.rules.context.view = view;
        let mut table = Transaction::started(spec);
        goes_on_for(&mut table, &words, before);
        let content = format!("=C={content}");
        is_minuted(&mut table, &content, "");
        goes_on_for(&mut table, &words, after);
        every_prompt(&mut table, |_, _, prompt| {
            let text = text_of(prompt);
            assert!(text.contains(&content));
            for covered in 0..before {
                assert!(!text.contains(&format!("=n{covered}=")), "message {covered} is read again: {text}");
            }
        });
    }

    /// Feature: ai-agent-meeting, Property 50: what was said after the minutes is read, all of it.
    #[test]
    fn p50_what_comes_after_the_minutes_is_read(
        names in any::names(2..=5),
        view in select(vec![ContextScope::Record, ContextScope::SinceOwnWord, ContextScope::Round]),
        words in any::plain_words(60),
        (before, after) in (0usize..6, 1usize..8),
    ) {
        let mut spec = discussion(&names, 6);
        spec.rules.context.view = view;
        let mut table = Transaction::started(spec);
        goes_on_for(&mut table, &words, before);
        is_minuted(&mut table, "What was said.", "");
        for _ in 0..after {
            goes_on_for(&mut table, &words, 1);
            let Some(call) = table.calls().into_iter().find(|call| call.participant.is_some()) else { break };
            let text = text_of(&context(&table.meeting, &call));
            for number in before..table.meeting.said.len() {
                prop_assert!(text.contains(&format!("=n{number}=")), "message {number} is not read: {text}");
            }
        }
        prop_assert!(table.meeting.said.len() > before);
    }
}
