//! Complete prompts in both languages: a changed word shows up in review.

mod support;

use quorate_contract::*;
use quorate_core::*;
use support::*;

/// A prompt as one text.
fn whole(prompt: &Prompt) -> String {
    let mut text = format!("=== system\n{}", prompt.system);
    for message in &prompt.messages {
        text += &format!("\n=== {}\n{}", format!("{:?}", message.role).to_lowercase(), message.content);
    }
    let schema = prompt.schema.as_ref().map_or("none", |schema| schema.name);
    text + &format!("\n=== schema: {schema}, at most {} tokens", prompt.max_tokens)
}

/// A meeting in either language with everything in it that a prompt can show.
fn meeting(language: Language) -> Transaction {
    let pick = |zh: &str, en: &str| if language == Language::Zh { zh.to_owned() } else { en.to_owned() };
    let mut spec = spec(&[], consensus(3));
    spec.language = language;
    spec.topic = pick("要不要用 SQLite？", "Is SQLite enough?");
    spec.background = pick("团队三个人。\n数据 2 GB。", "A team of three.\n2 GB of data.");
    for (name, role, description) in [
        (
            pick("林晚", "Ada"),
            pick("后端工程师", "Backend engineer"),
            pick("关心数据一致性", "cares for consistent data"),
        ),
        (pick("周远", "Ben"), pick("运维", "Operator"), pick("关心备份和恢复", "cares for backups")),
        (
            pick("苏禾", "Cid"),
            pick("产品经理", "Product manager"),
            pick("关心交付时间", "cares for the date"),
        ),
    ] {
        let system_prompt =
            if spec.participants.is_empty() { pick("说话要短。", "Be brief.") } else { String::new() };
        spec.participants
            .push(Newcomer { role: Role { name: role, description, system_prompt }, ..newcomer(&name) });
    }
    Transaction::started(spec)
}

fn first(table: &Transaction) -> String {
    table.names()[0].clone()
}

/// Goes through a meeting and keeps the prompt of every kind of task.
fn every_kind(language: Language) -> Vec<(&'static str, String)> {
    let mut table = meeting(language);
    let name = first(&table);
    let read = |table: &Transaction, name: &str| whole(&table.prompt_of(name));
    let kept = |table: &Transaction| whole(&context(&table.meeting, &table.facilitator_call()));
    let mut kinds = vec![("blind", read(&table, &name))];
    table.hears(&name, "prose");
    kinds.push(("blind_repair", read(&table, &name)));
    table.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Summary);
    kinds.push(("summarize_first", kept(&table)));
    table.facilitator_answers("no JSON");
    kinds.push(("summarize_repair", kept(&table)));
    table.goes_to_round(1);
    kinds.push(("speak", read(&table, &name)));
    table.hears(&name, "[SKIP]");
    kinds.push(("speak_repair", read(&table, &name)));
    table.goes_to_ballot();
    kinds.push(("vote", read(&table, &name)));
    table.hears(&name, "yes");
    kinds.push(("vote_repair", read(&table, &name)));
    table.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Facilitation);
    kinds.push(("facilitate", kept(&table)));
    table.facilitator_answers("no JSON");
    kinds.push(("facilitate_repair", kept(&table)));
    table.says(&format!(
        "@{name} {}",
        if language == Language::Zh { "两个进程同时写呢？" } else { "what of two writers?" }
    ));
    table.goes_to_round(2);
    kinds.push(("speak_mentioned_with_focus", read(&table, &name)));
    table.goes_until(|_, _| 60, |table| table.meeting.phase == Phase::Summary);
    kinds.push(("summarize_with_patch", kept(&table)));
    let mut aborted = table.clone();
    table.goes_until(|_, _| 90, |table| matches!(table.meeting.phase, Phase::Closing { .. }));
    kinds.push(("conclude_accepted", kept(&table)));
    aborted.ends("");
    kinds.push(("conclude_aborted", kept(&aborted)));
    aborted.facilitator_answers("no JSON");
    kinds.push(("conclude_repair", kept(&aborted)));
    kinds
}

#[test]
fn every_kind_in_chinese() {
    for (kind, prompt) in every_kind(Language::Zh) {
        insta::assert_snapshot!(format!("zh_{kind}"), prompt);
    }
}

#[test]
fn every_kind_in_english() {
    for (kind, prompt) in every_kind(Language::En) {
        insta::assert_snapshot!(format!("en_{kind}"), prompt);
    }
}

#[test]
fn a_discussion_without_ballots_speaks_of_none() {
    for language in [Language::Zh, Language::En] {
        let mut spec = discussion(&["Ada", "Ben"], 2);
        spec.language = language;
        spec.rules.turns.may_skip = true;
        let mut table = Transaction::started(spec);
        table.goes_to_round(2);
        let prompt = whole(&table.prompt_of("Ada"));
        for word in ["ballot", "draft", "vote", "score", "表决", "草案", "打分"] {
            assert!(!prompt.contains(word), "{word:?} in {prompt}");
        }
        insta::assert_snapshot!(format!("{language:?}_discussion"), prompt);
    }
}

/// A meeting of a format, in either language, with everything beside the talk that a prompt can show.
fn furnished(language: Language, format: Format) -> Transaction {
    let pick = |zh: &str, en: &str| if language == Language::Zh { zh.to_owned() } else { en.to_owned() };
    let names = [pick("林晚", "Ada"), pick("周远", "Ben"), pick("苏禾", "Cid")];
    let mut rules = format.rules();
    rules.intake.when = IntakeTiming::Never;
    rules.roster.newcomers = false;
    rules.context.private_memory = format == Format::Decision;
    rules.talk.style = Some(Style::Debate);
    rules.talk.lengths.insert(names[0].clone(), SpeakingLength::Brief);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut spec = spec(&names, rules);
    spec.language = language;
    spec.format = format;
    spec.moderator = Some(names[0].to_owned());
    spec.agenda = vec![
        (pick("备份", "Backups"), pick("多久一次", "how often")),
        (pick("迁移", "The way out"), String::new()),
    ];
    Transaction::started(spec)
}

/// The prompts of a meeting of this format, from its second round on.
fn of_format(language: Language, format: Format) -> Vec<(&'static str, String)> {
    let mut table = furnished(language, format);
    let name = first(&table);
    let pick = |zh: &str, en: &str| if language == Language::Zh { zh.to_owned() } else { en.to_owned() };
    let read = |table: &Transaction| whole(&context(&table.meeting, &table.calls()[0]));
    let mut kinds = Vec::new();
    while table.meeting.round_number() < 2 && !table.calls().is_empty() {
        let call = table.calls()[0].clone();
        match call.id {
            TaskId::Speak(_) => {
                let place = table.meeting.said.len();
                let record = serde_json::json!({
                    "statement": pick("先用一个文件。备份每天一次。", "One file to begin with. A backup each day."),
                    "recommendation": pick("先用 SQLite", "begin with SQLite"), "position": pick("先用 SQLite", "begin with SQLite"),
                    "confidence": 70, "claims": [pick("一个文件容易备份", "one file is easy to back up")],
                    "risks": [pick("写入会排队", "writers will queue")], "open_questions": [pick("多少写入？", "how many writers?")],
                    "ideas": [{ "text": pick("每晚演练恢复", "restore each night"), "builds_on": if place > 0 { vec!["c1"] } else { vec![] } }],
                    "memory": { "to_verify": [pick("恢复要多久", "how long a restore takes")] },
                });
                let words =
                    pick("先用一个文件。备份每天一次。", "One file to begin with. A backup each day.");
                let text = match format {
                    Format::Decision => record.to_string(),
                    _ => format!("{words}\n```json\n{record}\n```"),
                };
                table.answers(&call, &text);
            }
            TaskId::Summarize(_) => {
                kinds.push(("summarize", read(&table)));
                table.answers_well(&call, 60);
            }
            TaskId::Evaluate(_) => {
                kinds.push(("evaluate", read(&table)));
                table.answers_well(&call, 60);
            }
            _ => {
                table.answers_well(&call, 60);
            }
        }
        if table.meeting.said.len() == 2 && table.meeting.announcements.is_empty() {
            let text = pick("明天发布。", "We ship tomorrow.");
            table.execute(Command::Announce { by: Actor::owner(), text });
            table.execute(Command::CompleteAgendaItem {
                by: Actor::owner(),
                item: "a1".into(),
                completed: true,
            });
            table.says(&pick("数据有 2 GB。", "There are 2 GB of data."));
        }
    }
    kinds.push(("speak", whole(&table.prompt_of(&name))));
    let minutes = Minutes {
        content: pick("谈了备份。", "Backups were talked about."),
        summary: pick("先用 SQLite。", "SQLite to begin with."),
        decisions: vec![MinutesItem {
            text: pick("每天备份", "a backup each day"),
            who: Some(name.clone()),
            sources: vec![MessageId(1)],
            quote: None,
        }],
        ..Minutes::default()
    };
    table.execute(Command::EditMinutes { by: Actor::owner(), based_on: None, minutes: Box::new(minutes) });
    table.says(&pick("迁移呢？", "And the way out?"));
    kinds.push(("speak_after_minutes", whole(&table.prompt_of(&name))));
    table.ends("");
    if let Some(call) = table.calls().into_iter().find(|call| call.id == TaskId::Conclude) {
        kinds.push(("conclude", whole(&context(&table.meeting, &call))));
    }
    kinds
}

#[test]
fn the_formats_in_both_languages() {
    for language in [Language::Zh, Language::En] {
        for format in [Format::Discussion, Format::Decision, Format::Room, Format::Brainstorm] {
            for (kind, prompt) in of_format(language, format) {
                insta::assert_snapshot!(format!("{language:?}_{format}_{kind}"), prompt);
            }
        }
    }
}
