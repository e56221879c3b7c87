//! The five formats, played completely in both languages: each reaches its purpose.

use std::collections::BTreeSet;

use quorate_contract::*;

use super::play::{Play, all_of, spec};

const SEEDS: u64 = 20;

fn topic(format: Format, language: Language) -> &'static str {
    match (format, language) {
        (Format::Brainstorm, Language::Zh) => "怎样让更多人读完我们的周报？",
        (Format::Brainstorm, Language::En) => "How can we get more people to read our newsletter?",
        (Format::Decision, Language::Zh) => "新项目的事件日志用 SQLite 还是 PostgreSQL？",
        (Format::Decision, Language::En) => "Should we use SQLite or PostgreSQL for the journal?",
        (_, Language::Zh) => "我们要不要把单体拆成微服务？",
        (_, Language::En) => "Should we adopt a four-day week?",
    }
}

/// Plays a format with all its seeds in both languages; each must end, in order.
fn each(format: Format, change: impl Fn(MeetingSpec) -> MeetingSpec, mut look: impl FnMut(&Play)) {
    for language in [Language::Zh, Language::En] {
        for seed in 0..SEEDS {
            let play = Play::to_the_end(change(spec(format, language, topic(format, language), seed)));
            assert!(play.meeting.is_over(), "{format} {seed}\n{}", play.told());
            assert!(play.malformed.is_empty(), "{format} {seed}: {:#?}", play.malformed);
            assert!(play.unfit.is_empty(), "{format} {seed}: {:#?}", play.unfit);
            look(&play);
        }
    }
}

fn count(play: &Play, is: impl Fn(&EventBody) -> bool) -> usize {
    play.log.iter().filter(|event| is(&event.body)).count()
}

#[test]
fn a_consensus_is_reached_or_given_up() {
    let mut accepted = 0;
    each(
        Format::Consensus,
        |spec| spec,
        |play| {
            accepted += u32::from(matches!(play.meeting.outcome(), Some(MeetingOutcome::Accepted { .. })));
        },
    );
    assert!(accepted >= 28, "{accepted} of 40");
}

#[test]
fn a_discussion_ends_with_minutes_that_pass_the_gate() {
    let agenda = |spec: MeetingSpec| {
        let moderator = spec.participants.first().map(|one| one.name.clone());
        let agenda = ["范围", "第一步"].map(|title| (title.to_owned(), String::new())).to_vec();
        MeetingSpec { moderator, agenda, ..spec }
    };
    let (mut done, mut called) = (0, 0);
    each(Format::Discussion, agenda, |play| {
        let minutes = play.meeting.current_minutes().expect("minutes");
        assert!(
            !minutes.minutes.decisions.is_empty() && !minutes.minutes.actions.is_empty(),
            "{}",
            play.told()
        );
        assert!(minutes.minutes.actions.iter().all(|item| item.quote.is_some()));
        done += play.meeting.agenda.iter().filter(|item| item.completed).count();
        called += count(
            play,
            |body| matches!(body, EventBody::AgentMessage { mentions, .. } if !mentions.is_empty()),
        );
    });
    assert!(done >= 60, "{done} of 80 items were dealt with");
    assert!(called >= 20, "{called} messages called somebody");
}

#[test]
fn a_decision_converges_and_leaves_artifacts() {
    let (mut converged, mut asked, mut remembered, mut moved) = (0, 0, 0, 0);
    each(
        Format::Decision,
        |spec| spec,
        |play| {
            converged += u32::from(matches!(play.meeting.outcome(), Some(MeetingOutcome::Converged { .. })));
            asked += u32::from(play.pauses.contains(&PauseReason::MissingInfo));
            let open: Vec<u32> =
                play.meeting.metrics.iter().map(|metric| metric.open_questions_count).collect();
            assert!(open.windows(2).all(|pair| pair[1] <= pair[0]), "{open:?}");
            remembered += play
                .meeting
                .seats
                .iter()
                .filter(|seat| seat.memory.as_ref().is_some_and(|memory| memory.notes.len() >= 2))
                .count();
            moved += count(
                play,
                |body| matches!(body, EventBody::AgentMessage { stance: Some(stance), .. } if stance.changed),
            );
            for kind in [ArtifactKind::Adr, ArtifactKind::Tasks, ArtifactKind::Risks] {
                assert!(play.meeting.artifact(kind).is_some(), "{kind:?}\n{}", play.told());
            }
        },
    );
    assert!(converged >= 32, "{converged} of 40 converged");
    assert!(asked >= 35, "{asked} of 40 were asked something first");
    assert!(remembered >= 100, "{remembered} participants had notes of two rounds");
    assert!(moved >= 30, "{moved} changes of mind");
}

#[test]
fn whoever_said_enough_is_asked_nothing() {
    let long = |spec: MeetingSpec| MeetingSpec { background: "已知的情况。".repeat(50), ..spec };
    each(Format::Decision, long, |play| assert!(!play.pauses.contains(&PauseReason::MissingInfo)));
}

#[test]
fn a_brainstorm_builds_on_ideas_and_people_come_and_go() {
    let (mut built, mut left, mut came, mut asked) = (0, 0, 0, 0);
    each(
        Format::Brainstorm,
        |spec| spec,
        |play| {
            let names: BTreeSet<_> = play.meeting.seats.iter().map(|seat| &seat.participant.name).collect();
            let roles: BTreeSet<_> =
                play.meeting.seats.iter().take(4).map(|seat| &seat.participant.role.name).collect();
            assert!(names.len() == play.meeting.seats.len() && roles.len() == 4, "{}", play.told());
            let runners: BTreeSet<_> =
                play.meeting.seats.iter().take(4).map(|seat| seat.participant.runner.label()).collect();
            assert!(runners.len() >= 3, "{runners:?}");
            let texts: BTreeSet<_> = play.meeting.ideas().map(|idea| idea.claim.text.clone()).collect();
            let ideas = play.meeting.ideas().count();
            assert!(ideas >= 6 && texts.len() + 1 >= ideas, "{ideas} ideas\n{}", play.told());
            built += play.meeting.ideas().filter(|idea| !idea.claim.builds_on.is_empty()).count();
            left += play.meeting.seats.iter().filter(|seat| !seat.present).count();
            came += play.meeting.seats.len() - 4;
            asked += count(
                play,
                |body| matches!(body, EventBody::IntakeWritten { questions, .. } if !questions.is_empty()),
            );
            let best = count(
                play,
                |body| matches!(body, EventBody::ConclusionWritten { best, wildcard: Some(_), .. } if best.len() == 3),
            );
            assert_eq!(best, 1, "{}", play.told());
        },
    );
    eprintln!("{built} built, {left} left, {came} came, {asked} asked");
    assert!(built >= 120, "{built} ideas were built on others");
    assert!((8..=60).contains(&left), "{left} had to leave");
    assert!((10..=60).contains(&came), "{came} newcomers");
    assert!(asked >= 40, "{asked}");
}

#[test]
fn a_room_of_agents_stops_by_itself() {
    let (mut stale, mut called) = (0, 0);
    each(
        Format::Room,
        |spec| spec,
        |play| {
            assert_eq!(play.pauses, [PauseReason::NothingNew], "{}", play.told());
            stale += u32::from(play.meeting.round_number() < 12);
            called += count(
                play,
                |body| matches!(body, EventBody::AgentMessage { mentions, .. } if !mentions.is_empty()),
            );
            assert!(
                count(play, |body| matches!(body, EventBody::TurnSkipped { .. })) >= 3,
                "{}",
                play.told()
            );
        },
    );
    assert!(stale >= 34, "{stale} of 40 stopped because nothing new was said");
    assert!(called >= 40, "{called} messages called somebody");
}

/// A room that its first participant leads.
fn hosted(spec: MeetingSpec) -> MeetingSpec {
    let mut rules = spec.rules.clone();
    rules.turns.floor = FloorMode::Host;
    let moderator = spec.participants.first().map(|one| one.name.clone());
    let agenda = ["目标", "做法"].map(|title| (title.to_owned(), String::new())).to_vec();
    MeetingSpec { rules, moderator, agenda, ..spec }
}

#[test]
fn a_host_gives_everybody_the_floor_and_sums_up() {
    each(Format::Room, hosted, |play| {
        for seat in &play.meeting.seats {
            let said = play
                .meeting
                .said
                .iter()
                .filter(|said| said.speaker == Actor::Participant { id: seat.participant.id });
            assert!(said.count() >= 2, "{}\n{}", seat.participant.name, play.told());
        }
        assert!(play.meeting.agenda.iter().all(|item| item.completed), "{}", play.told());
        assert!(play.meeting.round_number() <= 12, "{}", play.told());
    });
}

/// The meeting ends with any mixture of temperaments; the gate and the repair are reached.
#[test]
fn odd_tables_end_as_well() {
    use Temperament::*;
    let mut stopped = 0;
    for format in Format::ALL {
        for temperament in [Copycat, Verbose, Silent, Malformed, Injecting] {
            for seed in 0..3 {
                let language = if seed == 1 { Language::En } else { Language::Zh };
                let mut spec = all_of(spec(format, language, topic(format, language), seed), temperament);
                let runner = RunnerSpec::Simulated { temperament };
                spec.models.iter_mut().for_each(|offer| offer.runner = runner.clone());
                spec.facilitator.iter_mut().for_each(|facilitator| facilitator.runner = runner.clone());
                let play = Play::to_the_end(spec);
                assert!(play.meeting.is_over(), "{format} {temperament:?} {seed}\n{}", play.told());
                let about_sources =
                    |problem: &&String| problem.contains("m99") || problem.contains("as everybody agreed");
                stopped += play.malformed.iter().filter(about_sources).count();
                if temperament != Malformed {
                    assert!(
                        play.malformed.is_empty(),
                        "{format} {temperament:?} {seed}: {:#?}",
                        play.malformed
                    );
                }
            }
        }
    }
    assert!(stopped >= 1, "the gate was never reached");
}

#[test]
fn somebody_is_made_of_a_sentence() {
    let cases = [
        (Language::Zh, "请来一位懂税务的会计，帮我们看成本", "会计"),
        (Language::Zh, "我想找一个做过十年急诊的护士长", "护士长"),
        (Language::Zh, "律师", "律师"),
        (Language::En, "a tax lawyer who has seen audits", "Tax lawyer"),
        (Language::En, "an emergency nurse with ten years of practice", "Emergency nurse"),
    ];
    for (language, command, role) in cases {
        let mut play = Play::of(spec(Format::Room, language, topic(Format::Room, language), 5));
        play.execute(Command::Invite { by: Actor::owner(), description: command.into() });
        while play.meeting.seats.len() < 5 && play.step() {}
        let guest = &play.meeting.seats[4].participant;
        assert_eq!(guest.role.name, role, "{command}");
        assert!(guest.role.description.contains(&command[command.len() - 6..]), "{}", guest.role.description);
        assert!(play.malformed.is_empty() && play.unfit.is_empty(), "{:?} {:?}", play.malformed, play.unfit);
        let names: BTreeSet<_> = play.meeting.seats.iter().map(|seat| &seat.participant.name).collect();
        assert_eq!(names.len(), 5);
    }
}

#[test]
fn minutes_are_brought_up_to_date_from_what_was_said() {
    let topic = topic(Format::Discussion, Language::Zh);
    let mut play = Play::of(spec(Format::Discussion, Language::Zh, topic, 2));
    let ask = |note: &str| Command::WriteMinutes { by: Actor::owner(), writer: None, note: note.into() };
    while play.meeting.said.len() < 5 && play.step() {}
    play.execute(ask(""));
    while play.meeting.current_minutes().is_none() && play.step() {}
    let first = play.meeting.current_minutes().cloned().expect("the first version");
    play.execute(ask("请多写风险"));
    while play.meeting.current_minutes().is_some_and(|now| now.version == first.version) && play.step() {}
    let second = play.meeting.current_minutes().cloned().expect("the second version");
    let course = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains("（m")).map(str::to_owned).collect()
    };
    let (before, after) = (course(&first.minutes.content), course(&second.minutes.content));
    assert!(!before.is_empty() && before.iter().all(|line| after.contains(line)), "{before:#?}\n{after:#?}");
    assert!(second.minutes.content.contains("特别关注"), "{}", second.minutes.content);
    assert!(play.malformed.is_empty() && play.unfit.is_empty(), "{:?} {:?}", play.malformed, play.unfit);
}

#[test]
fn marks_spread() {
    let (mut high, mut low, mut all) = (0, 0, 0);
    each(
        Format::Brainstorm,
        |spec| spec,
        |play| {
            for event in &play.log {
                if let EventBody::EvaluationWritten { marks, .. } = &event.body {
                    all += marks.len();
                    high += marks.iter().filter(|mark| mark.score >= 8).count();
                    low += marks.iter().filter(|mark| mark.score < 5).count();
                }
            }
        },
    );
    assert!(high * 5 > all && low * 50 > all && low * 3 < all, "{high} high and {low} low of {all}");
}

/// For people: `cargo test -p quorate-runners formats_to_read -- --ignored --nocapture`.
#[test]
#[ignore = "prints a meeting of each format for people to read"]
fn formats_to_read() {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(3);
    for language in [Language::Zh, Language::En] {
        for format in [Format::Discussion, Format::Decision, Format::Room, Format::Brainstorm] {
            let spec = spec(format, language, topic(format, language), seed);
            eprintln!("{}", Play::to_the_end(spec.clone()).told());
            if format == Format::Room {
                eprintln!("{}", Play::to_the_end(hosted(spec)).told());
            }
        }
    }
}
