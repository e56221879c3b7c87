//! A meeting judged once more, from its log alone.

use serde_json::Value;

use crate::app::{App, meeting_of, of_type};

const TOPICS: [&str; 2] =
    ["Should our service use SQLite or PostgreSQL?", "我们的服务应该用 SQLite 还是 PostgreSQL？"];

/// The lines of a simulated meeting in which at least one ballot fails before one passes.
fn simulated(app: &App, topic: &str) -> Vec<Value> {
    let args = ["run", topic, "--simulate", "--seed", "3", "--yes", "--json"];
    app.quorate(&args).ok().events()
}

/// The mean score that each ballot got, and whether it passed, as the log says it.
fn means(events: &[Value]) -> Vec<(f64, bool)> {
    let closed = of_type(events, "ballot_closed").into_iter();
    closed
        .map(|event| {
            let verdict = &event["payload"]["verdict"];
            let clauses = verdict["clauses"].as_array().expect("clauses");
            let mean = clauses.iter().find(|clause| clause["clause"] == "mean_score").expect("a mean score");
            (mean["got"].as_f64().expect("a number"), verdict["passed"] == true)
        })
        .collect()
}

#[test]
fn a_lower_threshold_ends_the_meeting_at_the_first_ballot() {
    for (topic, words) in TOPICS.into_iter().zip([
        [
            "# What if: a mean score of ",
            "It would have ended earlier: ballot 1 after round 1 would have passed",
        ],
        ["# 换规则试算：平均分门槛为 ", "会更早结束：第 1 轮后的第 1 次表决就会通过"],
    ]) {
        let app = App::new();
        let events = simulated(&app, topic);
        let means = means(&events);
        let (first, passed) = means[0];
        assert!(!passed && means.len() > 1, "the first ballot fails: {means:?}");
        let low = (first.floor() as u8).to_string();

        let told = app.quorate(&["whatif", "last", "--threshold", &low]).ok();
        for word in words {
            assert!(told.out.contains(word), "no {word:?}: {told}");
        }
        assert_eq!(told.err, "");
        let report = app.quorate(&["whatif", "last", "--threshold", &low, "--json"]).ok().json();
        let course = &report["course"];
        assert_eq!((&course["kind"], &course["ballot"]), (&Value::from("earlier"), &Value::from("b1")));
        let rounds = of_type(&events, "finished")[0]["payload"]["rounds"].as_u64().expect("a number");
        assert_eq!(course["saved"]["rounds"], rounds - 1);
        let counted = events.iter().position(|event| event["type"] == "ballot_closed").expect("a ballot");
        let closing = events.iter().position(|event| event["type"] == "meeting_closing").expect("an end");
        let ended = of_type(&events[counted..closing], "call_ended");
        assert_eq!(course["saved"]["calls"], ended.len());
        let tokens = |event: &&Value| -> u64 {
            let used = |name: &str| event["payload"]["usage"][name].as_u64().unwrap_or(0);
            used("input_tokens") + used("output_tokens")
        };
        assert_eq!(course["saved"]["tokens"], ended.iter().map(tokens).sum::<u64>());

        // The log stays as it was, and is judged the same again.
        let replayed = app.quorate(&["replay", "last", "--json"]).ok().events();
        assert_eq!(replayed, events);
        let higher = app.quorate(&["whatif", "last", "--threshold", "100", "--json"]).ok().json();
        assert_eq!(higher["course"]["kind"], "later");
        assert!(
            higher["ballots"].as_array().expect("ballots").iter().all(|one| one["after"]["passed"] == false)
        );
    }
}

#[test]
fn without_a_change_it_says_what_it_would_take() {
    let app = App::new();
    let events = simulated(&app, TOPICS[0]);
    let report = app.quorate(&["whatif", "last", "--json"]).ok().json();
    let means = means(&events);
    // The outcome stays above what failed last, up to what passed.
    let passed = means.iter().position(|(_, passed)| *passed).expect("a ballot passes");
    let failed = means[..passed].iter().map(|(mean, _)| *mean).fold(0.0, f64::max);
    let range = [failed.floor() as u64 + 1, means[passed].0.floor() as u64];
    assert_eq!(report["sensitivity"]["mean_score"], Value::from(range.to_vec()));
    assert_eq!(report["course"]["kind"], "same");

    // Exactly the participants that are called pivotal are pivotal.
    let participants = report["sensitivity"]["participants"].as_array().expect("a list").clone();
    assert_eq!(participants.len(), of_type(&events, "participant_joined").len());
    for participant in &participants {
        let name = participant["name"].as_str().expect("a name");
        let alone = app.quorate(&["whatif", "last", "--without", name, "--json"]).ok().json();
        assert_eq!(participant["course"], alone["course"]);
        assert_eq!(participant["pivotal"], alone["course"]["kind"] != "same");
    }
    let told = app.quorate(&["whatif", &meeting_of(&events[0].to_string())]).ok();
    let sentence = format!("The outcome stays with {} to {}", range[0], range[1]);
    assert!(told.out.contains(&sentence) && told.out.contains("| as it was |"), "{told}");
}

#[test]
fn all_changes_go_together_and_each_is_weighed_alone() {
    let app = App::new();
    let events = simulated(&app, TOPICS[0]);
    let name = of_type(&events, "participant_joined")[0]["payload"]["participant"]["name"].clone();
    let name = name.as_str().expect("a name");
    let args = ["whatif", "last", "--threshold", "0", "--mode", "average", "--without", name, "--json"];
    let report = app.quorate(&args).ok().json();
    let changes: Vec<&str> = report["changes"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["change"].as_str())
        .collect();
    assert_eq!(changes, ["mean_score", "mode", "without"]);
    let alone: Vec<bool> = report["ballots"][0]["alone"]
        .as_array()
        .expect("b1 turns")
        .iter()
        .filter_map(|one| one["enough"].as_bool())
        .collect();
    assert_eq!(alone[..2], [true, false], "the mode was that one: {report:#}");
    let unanimous = app.quorate(&["whatif", "last", "--mode", "unanimous", "--quorum", "0.5"]).ok();
    assert!(unanimous.out.contains("(needed ≥ 100%)"), "{unanimous}");
}

#[test]
fn what_cannot_be_judged_is_refused_in_both_languages() {
    let mut app = App::new();
    let events = simulated(&app, TOPICS[0]);
    let joined = of_type(&events, "participant_joined");
    let name = joined[0]["payload"]["participant"]["name"].as_str().expect("a name");
    let whatif = |app: &App, more: &[&str]| app.quorate(&[&["whatif", "last"], more].concat());
    whatif(&app, &["--without", "Nobody"])
        .fails(2, &["there is no participant \"Nobody\"", "at the table: ", name]);
    whatif(&app, &["--threshold", "101"]).ends(2).says(&["'101' for '--threshold", "0-100"]);
    whatif(&app, &["--pass-ratio", "75"]).fails(2, &["--pass-ratio 75", "such as 0.75"]);
    whatif(&app, &["--quorum", "NaN"]).fails(2, &["--quorum NaN"]);
    assert_eq!(whatif(&app, &["--mode", "loudest"]).ends(2).out, "");

    app.quorate(&["run", TOPICS[0], "--simulate", "--format", "discussion", "--yes"]).ok();
    whatif(&app, &[]).fails(2, &["nothing to judge again", "consensus"]);
    app.set("QUORATE_LANG", "zh");
    let refused = whatif(&app, &["--threshold", "70"]).ends(2);
    assert!(refused.err.contains("没有可以重新判定的内容") && refused.err.contains("consensus"), "{refused}");
    let help = app.quorate(&["whatif", "--help"]).ok();
    assert!(help.out.contains("不计此参会者的票") && help.out.contains("unanimous"), "{help}");
}
