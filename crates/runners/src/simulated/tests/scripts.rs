//! The example topics, played whole on the real core: each is believable from the first word to the last.

use std::collections::BTreeSet;

use quorate_contract::*;
use quorate_core::BallotChoice;

use super::play::{Play, spec};
use crate::simulated::phrases::bank;
use crate::simulated::scripts::{self, Script};

/// The meeting that a page starts for an example topic.
fn example(language: Language, script: &Script, seed: u64) -> MeetingSpec {
    let spec = spec(script.format, language, &script.topic, seed);
    let temperaments = crate::simulated::default_temperaments(script.cast.len(), seed);
    let participants = script.cast.iter().zip(temperaments).map(|(member, temperament)| Newcomer {
        name: member.name.clone(),
        role: Role {
            name: member.role.clone(),
            description: member.description.clone(),
            system_prompt: String::new(),
        },
        runner: RunnerSpec::Simulated { temperament },
        skip_list: Vec::new(),
    });
    MeetingSpec { participants: participants.collect(), ..spec }
}

fn each(mut look: impl FnMut(Language, &'static Script, Play)) {
    for (language, script) in scripts::all() {
        for seed in [2, 3, 5, 7, 11, 42] {
            look(*language, script, Play::to_the_end(example(*language, script, seed)));
        }
    }
}

/// Sentences of the phrase bank that have no slot and no choice of words, long enough to be recognized.
fn filler(language: Language) -> Vec<&'static str> {
    let bank = bank(language);
    let all = bank.all_lines();
    all.into_iter().filter(|line| line.chars().count() >= 16 && !line.contains(['{', '<', '|'])).collect()
}

#[test]
fn both_languages_have_a_script_for_each_format() {
    for language in [Language::Zh, Language::En] {
        let own = scripts::all().iter().filter(|(spoken, _)| *spoken == language);
        let formats: BTreeSet<&str> = own.map(|(_, script)| script.format.as_str()).collect();
        assert_eq!(formats, Format::ALL.iter().map(|format| format.as_str()).collect());
    }
}

/// The page's examples and the scripts are written in two places, and belong together.
#[test]
fn the_scripts_are_for_the_examples_of_the_page() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/app/src/i18n");
    for (language, folder) in [(Language::Zh, "zh-CN"), (Language::En, "en")] {
        let text = std::fs::read_to_string(format!("{page}/{folder}/home.json")).expect("the page's texts");
        let text: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let examples = text["ex"].as_object().expect("examples");
        for (name, example) in examples {
            let topic = example["topic"].as_str().unwrap_or_default();
            let script =
                scripts::of(topic, language).unwrap_or_else(|| panic!("{name} has no script: {topic}"));
            for (place, member) in ["p1", "p2", "p3", "p4"].into_iter().zip(&script.cast) {
                let seat = &example[place];
                assert_eq!(
                    (&seat["name"], &seat["role"]),
                    (&member.name.as_str().into(), &member.role.as_str().into())
                );
                assert_eq!(seat["text"], member.description.as_str());
            }
        }
        assert_eq!(examples.len(), scripts::all().iter().filter(|(spoken, _)| *spoken == language).count());
    }
}

#[test]
fn every_answer_of_an_example_is_out_of_its_script_and_fits_the_protocol() {
    each(|language, script, play| {
        let told = || format!("{language:?} {:?}\n{}", script.format, play.told());
        assert!(play.meeting.is_over(), "{}", told());
        assert!(
            play.malformed.is_empty() && play.unfit.is_empty(),
            "{:#?} {:#?}",
            play.malformed,
            play.unfit
        );
        assert_eq!(play.generated, Vec::<String>::new(), "{}", told());
        let log = serde_json::to_string(&play.log).expect("a log");
        for line in filler(language) {
            assert!(!log.contains(line), "{line}\n{}", told());
        }
    });
}

/// What a page promises: a line of a conclusion says what it rests on.
#[test]
fn a_conclusion_and_its_actions_name_the_messages_that_they_rest_on() {
    each(|language, script, play| {
        let told = || format!("{language:?} {:?}\n{}", script.format, play.told());
        let concluded = play.log.iter().find_map(|event| match &event.body {
            EventBody::ConclusionWritten { conclusion, reasons, actions, .. } => {
                Some((if reasons.is_empty() { conclusion } else { reasons }, actions))
            }
            _ => None,
        });
        let (text, actions) = concluded.unwrap_or_else(|| panic!("no conclusion\n{}", told()));
        let marks = |text: &str, mark: &str| text.matches(mark).count();
        let written = &script.conclusion.text;
        assert!(marks(written, "{") > 2, "{written}");
        assert_eq!((marks(text, "[m"), marks(text, "{")), (marks(written, "{"), 0), "{}", told());
        assert!(actions.iter().all(|action| !action.sources.is_empty()), "{}", told());
    });
}

#[test]
fn an_example_has_a_turn_of_opinion_a_dissent_and_a_conclusion() {
    each(|language, script, play| {
        let told = || format!("{language:?} {:?}\n{}", script.format, play.told());
        let mut turned = 0;
        let mut concluded = None;
        for event in &play.log {
            match &event.body {
                EventBody::AgentMessage { stance: Some(stance), message, .. } => {
                    turned += u32::from(stance.changed);
                    // A change names the claim that caused it; one without is called suspicious.
                    let names_cause = stance.changed_by.is_some();
                    assert!(!stance.changed || names_cause, "{}\n{}", message.content, told());
                }
                EventBody::ConclusionWritten { conclusion, disagreements, actions, .. } => {
                    concluded = Some((conclusion.clone(), disagreements.len(), actions.len()));
                }
                _ => {}
            }
        }
        assert!(turned >= 1, "nobody changed their mind\n{}", told());
        let (text, disagreements, actions) = concluded.unwrap_or_else(|| panic!("no conclusion\n{}", told()));
        assert!(!text.is_empty() && disagreements >= 1 && actions >= 3, "{}", told());
    });
}

#[test]
fn the_votes_of_an_example_have_reasons_and_one_of_them_dissents() {
    each(|language, script, play| {
        if script.votes.is_empty() {
            return;
        }
        let ballots: Vec<_> = play.meeting.ballots.iter().collect();
        assert!(ballots.len() >= 2, "the first ballot fails\n{}", play.told());
        let outcome = play.meeting.outcome();
        assert!(matches!(outcome, Some(MeetingOutcome::Accepted { .. })), "{language:?} {outcome:?}");
        let last = play.meeting.ballots.last().expect("a ballot");
        let votes: Vec<&Vote> = last
            .cast
            .values()
            .filter_map(|choice| match choice {
                BallotChoice::Vote(vote) => Some(vote),
                _ => None,
            })
            .collect();
        assert!(votes.iter().all(|vote| vote.reason.chars().count() >= 20), "{votes:?}");
        assert!(votes.iter().any(|vote| !vote.pass) && votes.iter().any(|vote| vote.pass), "{votes:?}");
    });
}

/// What nobody has written is generated, and the meeting goes on to its end.
#[test]
fn a_script_gives_way_where_the_meeting_goes_another_way() {
    for (language, script) in scripts::all() {
        let spec = example(*language, script, 5);
        // Somebody joins.
        let mut play = Play::of(spec.clone());
        let guest = Newcomer {
            name: language.pick("新来的", "Newcomer").to_owned(),
            role: Role { name: "?".into(), description: "?".into(), system_prompt: String::new() },
            runner: RunnerSpec::Simulated { temperament: Temperament::Balanced },
            skip_list: Vec::new(),
        };
        for _ in 0..7 {
            play.step();
        }
        play.execute(Command::Join { by: Actor::owner(), newcomer: Box::new(guest) });
        play.finish();
        assert!(
            play.malformed.is_empty() && play.unfit.is_empty(),
            "{:#?} {:#?}",
            play.malformed,
            play.unfit
        );
        assert!(!play.generated.is_empty(), "{} {language:?}", script.format);
        // A person speaks.
        let mut play = Play::of(spec.clone());
        for _ in 0..6 {
            play.step();
        }
        let words = language.pick("预算只有一半，请重新考虑", "The budget is halved, think again");
        play.says(words);
        play.finish();
        assert!(
            play.malformed.is_empty() && play.unfit.is_empty(),
            "{:#?} {:#?}",
            play.malformed,
            play.unfit
        );
        // Others sit down.
        let strangers = super::play::spec(script.format, *language, &script.topic, 5);
        let play = Play::to_the_end(strangers);
        assert!(
            play.malformed.is_empty() && play.unfit.is_empty(),
            "{:#?} {:#?}",
            play.malformed,
            play.unfit
        );
    }
}

#[test]
fn another_format_plays_the_same_topic() {
    for (language, script) in scripts::all() {
        for format in Format::ALL {
            let play = Play::to_the_end(MeetingSpec {
                format,
                rules: format.rules(),
                ..example(*language, script, 3)
            });
            assert!(play.meeting.is_over());
            assert!(
                play.malformed.is_empty() && play.unfit.is_empty(),
                "{:#?} {:#?}",
                play.malformed,
                play.unfit
            );
        }
    }
}

/// For people: `cargo test -p quorate-runners examples_to_read -- --ignored --nocapture`.
#[test]
#[ignore = "prints the examples for people to read"]
fn examples_to_read() {
    for (language, script) in scripts::all() {
        let play = Play::to_the_end(example(*language, script, 5));
        eprintln!("{}\n{:#?}", play.told(), play.generated);
    }
}
