//! The interface for scripts: the lines of `--json`, their replay, and every command that reads.

use serde_json::Value;

use crate::app::{App, Said, check_whole, meeting_of, of_type};

const TOPICS: [&str; 2] =
    ["Should our service use SQLite or PostgreSQL?", "我们的服务应该用 SQLite 还是 PostgreSQL？"];

fn simulated(app: &App, topic: &str, more: &[&str]) -> Said {
    let args = [&["run", topic, "--simulate", "--seed", "5", "--yes", "--json"], more].concat();
    app.quorate(&args).ok()
}

#[test]
fn a_meeting_is_replayed_byte_for_byte() {
    for topic in TOPICS {
        let app = App::new();
        let run = simulated(&app, topic, &[]);
        check_whole(&run.out);
        assert_eq!(run.events()[0]["payload"]["topic"], topic);
        assert!(!run.err.contains("no model was found"), "it was asked for, so nothing is said of it: {run}");

        let id = meeting_of(&run.out);
        for name in ["last", &id, &id[..12]] {
            assert_eq!(app.quorate(&["replay", name, "--json"]).ok().out, run.out);
        }
        // With the pauses of the meeting, a thousand times faster.
        assert_eq!(app.quorate(&["replay", &id, "--json", "--speed", "1000"]).ok().out, run.out);
        let verified = app.quorate(&["verify", "--json"]).ok().json();
        assert_eq!(verified["ok"], true);
        assert_eq!((&verified["meetings"], &verified["ended"]), (&Value::from(1), &Value::from(1)));
        assert_eq!(verified["events"], run.lines().len());
        assert!(app.quorate(&["verify"]).ok().out.starts_with("sound: 1 meeting (1 ended)"));
    }
}

/// The messages and votes, without ids and times.
fn words(events: &[Value]) -> Vec<String> {
    let word = |event: &Value| match event["type"].as_str()? {
        "agent_message" | "facilitation_written" => Some(event["payload"]["message"].to_string()),
        "vote_cast" => Some(event["payload"]["vote"].to_string()),
        "conclusion_written" => Some(event["payload"]["conclusion"].to_string()),
        _ => None,
    };
    events.iter().filter_map(word).collect()
}

#[test]
fn the_same_seed_says_the_same_words() {
    let app = App::new();
    for topic in TOPICS {
        let first = words(&simulated(&app, topic, &[]).events());
        assert!(first.len() > 10, "something was said: {first:?}");
        for _ in 0..4 {
            assert_eq!(words(&simulated(&app, topic, &[]).events()), first, "in the same order");
        }
        let other = app.quorate(&["run", topic, "--simulate", "--seed", "6", "--yes", "--json"]).ok();
        assert_ne!(first, words(&other.events()), "another seed, other words");
    }
}

#[test]
fn a_meeting_can_be_listed_shown_and_exported() {
    let app = App::new();
    let [en, zh] = TOPICS.map(|topic| simulated(&app, topic, &[]));
    let (en_id, zh_id) = (meeting_of(&en.out), meeting_of(&zh.out));

    let list = app.quorate(&["list"]).ok();
    let lines = list.lines();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with(&zh_id) && lines[1].starts_with(&en_id), "newest first: {list}");
    assert!(lines[1].contains(TOPICS[0]) && lines[1].ends_with("(simulated)"), "{list}");
    let rows = app.quorate(&["list", "--json", "-n", "1"]).ok().events();
    assert_eq!(rows.len(), 1);
    assert_eq!((&rows[0]["id"], &rows[0]["topic"]), (&Value::from(zh_id.as_str()), &Value::from(TOPICS[1])));

    let shown = app.quorate(&["show", &en_id]).ok();
    assert!(shown.out.contains(TOPICS[0]), "{shown}");
    let report = app.quorate(&["show", &en_id, "--json"]).ok().json();
    let finished = &en.events()[en.lines().len() - 1];
    assert!(report.to_string().contains(finished["payload"]["outcome"].as_str().expect("an outcome")));

    let markdown = app.quorate(&["export", &zh_id]).ok().out;
    let last_word = of_type(&zh.events(), "agent_message").last().expect("somebody spoke")["payload"]["message"]
        ["content"]
        .as_str()
        .expect("words")
        .to_owned();
    let quoted = last_word.lines().map(|line| format!("> {line}").trim_end().to_owned());
    let quoted = quoted.collect::<Vec<_>>().join("\n");
    assert!(markdown.contains("## 会议记录") && markdown.contains(&quoted), "{markdown}");
    let exported = app.quorate(&["export", &en_id, "--format", "json"]).ok().json();
    assert_eq!(exported["report"], report);
    assert_eq!(exported["events"], Value::from(en.events()), "all events, as they are in the log");

    let file = app.path("result.md");
    let to_file = app.quorate(&["export", &zh_id, "--out", file.to_str().expect("a plain path")]).ok();
    assert_eq!(to_file.out, "");
    assert_eq!(std::fs::read_to_string(file).expect("it was written").trim_end(), markdown.trim_end());

    let replayed = app.quorate(&["replay", &zh_id]).ok();
    assert!(replayed.out.contains(&last_word) && replayed.err.is_empty(), "{replayed}");
}

#[test]
fn a_fork_goes_another_way_from_the_same_past() {
    let app = App::new();
    let run = simulated(&app, TOPICS[0], &[]);
    let (id, events) = (meeting_of(&run.out), run.events());
    let opened = of_type(&events, "ballot_opened")[0]["seq"].as_u64().expect("a number");
    for at in [1, 6, opened, events.len() as u64 - 1] {
        let at_text = at.to_string();
        let fork = app.quorate(&["fork", &id, "--at", &at_text, "--json"]).ok().json();
        assert_eq!((&fork["from"], &fork["at"]), (&Value::from(id.as_str()), &Value::from(at)));
        let fork_id = fork["meeting_id"].as_str().expect("an id");
        let resumed = app.quorate(&["resume", fork_id, "--json", "--yes", "--after", "0"]).ok();
        check_whole(&resumed.out);
        assert_eq!(app.quorate(&["replay", fork_id, "--json"]).ok().out, resumed.out);
        let taken_over = usize::try_from(at).expect("a small number");
        for (mine, theirs) in resumed.events().iter().zip(&events).take(taken_over) {
            let part =
                |event: &Value| (event["type"].clone(), event["payload"].clone(), event["ts_ms"].clone());
            assert_eq!(part(mine), part(theirs), "the past is the same, word for word");
        }
        assert_eq!(resumed.events()[taken_over]["type"], "meeting_forked");
    }
    assert_eq!(app.quorate(&["replay", &id, "--json"]).ok().out, run.out, "the first meeting is as it was");
    app.quorate(&["verify"]).ok();

    let longer =
        app.quorate(&["fork", &id, "--title", "The other way", "--rounds", "5", "--json"]).ok().json();
    assert_eq!(longer["title"], "The other way");
    assert!(longer["at"].as_u64().is_some_and(|at| at < events.len() as u64), "{longer}");
    let longer = longer["meeting_id"].as_str().expect("an id").to_owned();
    assert!(app.quorate(&["list"]).ok().out.contains("The other way"));
    let rounds = |log: &[Value]| of_type(log, "round_started").len();
    let resumed = app.quorate(&["resume", &longer, "--json", "--yes", "--after", "0"]).ok();
    assert!(rounds(&resumed.events()) > rounds(&events), "it goes on where the other one ended");
    let shown = app.quorate(&["show", &longer]).ok();
    assert!(shown.out.contains("The other way") && shown.out.contains(&id), "{shown}");

    let human = app.quorate(&["fork", &id, "--at", "6"]).ok();
    let command = format!("to continue: quorate resume {}", human.out.trim());
    assert!(human.err.contains(&command), "{human}");
    app.quorate(&["fork", &id, "--at", "100000"]).fails(2, &["event 100000 is not in the log", "from 1 to"]);
    app.quorate(&["fork", &id, "--at", "0"]).fails(2, &["from 1 to"]);
}

#[test]
fn a_person_reads_the_meeting_on_stderr_and_its_result_on_stdout() {
    let app = App::new();
    let run = app.quorate(&["run", TOPICS[0], "--seed", "5", "--yes"]).ok();
    assert!(run.err.contains("no model was found, so simulated participants hold this meeting"), "{run}");
    let notices = run.err.lines().filter(|line| line.contains("simulated participants")).count();
    assert_eq!(notices, 1, "one visible line: {run}");
    assert!(run.err.contains("Round 0") && run.err.contains("Ballot 1"), "{run}");
    assert_eq!(run.out.trim_end(), app.quorate(&["show", "last"]).ok().out.trim_end());
    assert!(!run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'), "no colours where no terminal is");
}

#[test]
fn what_is_over_needs_no_resuming() {
    let app = App::new();
    let run = simulated(&app, TOPICS[0], &[]);
    let resumed = app.quorate(&["resume", "last", "--json"]).ok();
    assert_eq!(resumed.out, "");
    assert!(resumed.err.contains("the meeting is over") && resumed.err.contains("quorate show"), "{resumed}");
    let after = run.lines().len() - 3;
    let rest = app.quorate(&["resume", "last", "--json", "--after", &after.to_string()]).ok();
    assert_eq!(rest.lines(), run.lines()[after..]);
}
