//! The page that is handed on: it holds what it should, nothing that it should not, and says of itself
//! whether it is what was written.

mod browser;
mod log;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use browser::Seen;
use log::{Log, hostile};
use quorate_print::Options;
use serde_json::Value;
use sha2::{Digest, Sha256};

fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = page.split_once(before).expect("the page has it");
    rest.split_once(after).expect("it ends").0
}

fn record(page: &str) -> Value {
    serde_json::from_str(between(page, "id=\"record\">", "</script>")).expect("the record is JSON")
}

#[test]
fn the_policy_lets_nothing_run_but_the_pages_own_script() {
    let page = Log::golden("zh/consensus").page(&Options::default());
    let script = between(&page, "<script>", "</script>");
    let digest = BASE64_STANDARD.encode(Sha256::digest(script));
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    assert!(policy.starts_with("default-src 'none'"), "{policy}");
    assert!(policy.contains(&format!("script-src 'sha256-{digest}'")), "{policy}");
    assert_eq!(page.matches("<script").count(), 2, "the record and the script");
    for outside in ["src=", "<link ", "@import", "url(", "innerHTML", "eval("] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn no_text_becomes_markup() {
    let text = "</script><script>document.title='owned'</script><!--<script> \u{2028}\u{2029} ]]> <img src=x onerror=alert(1)>";
    let page = hostile(text).page(&Options::default());
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(!page.contains("<!--") && !page.contains("<img"));
    assert!(!between(&page, "id=\"record\">", "</script>").contains('\u{2028}'));
    // And yet the line is the one that was written, to the last byte.
    let events = record(&page)["events"].as_array().expect("events").clone();
    let kept = events.iter().filter_map(|event| event["line"].as_str());
    assert!(
        kept.into_iter().any(|line| line.contains("document.title='owned'") && line.contains('\u{2028}'))
    );
}

#[test]
fn marks_on_texts_are_a_small_part_of_the_page() {
    // As models like to write.
    let text = "## Position\n\nWe should keep **one writer** and measure it before anything else is changed [m1].\n\n\
        - **Cost**: a second writer needs locks in `store.rs`, and nobody has asked for one so far.\n\
        - **Risk**: the log is the truth; two writers can fork it, and a fork is found late.\n\
        - Time: about two days, tests included.\n\n\
        | option | days | risk |\n|---|---:|---|\n| one writer | 2 | low |\n| two writers | 9 | high |\n\n\
        1. Measure appends per second with 1, 10 and 100 meetings.\n2. Decide by the numbers.\n";
    let mut logs: Vec<(&str, Log)> = ["zh/consensus", "zh/brainstorm", "en/decision", "en/room"]
        .into_iter()
        .map(|name| (name, Log::golden(name)))
        .collect();
    logs.push(("all Markdown", hostile(text)));
    for (name, log) in logs {
        let page = log.page(&Options::default());
        let record = record(&page);
        let marks = record["marks"].to_string().len() + record["report_marks"].to_string().len();
        assert!(marks * 6 < page.len(), "{name}: {marks} bytes of {}", page.len());
        eprintln!("{name}: {marks} bytes of {}", page.len());
    }
}

#[test]
fn texts_come_with_the_marks_of_their_markdown() {
    let page = hostile("# T\n\n- **a** [m1]\n- b <i>x</i>").page(&Options::default());
    let record = record(&page);
    let marked = record["marks"].as_array().expect("marks");
    let sorts = [["h"], ["u"]];
    let found = marked.iter().find(|one| one[2][0][0] == sorts[0][0] && one[2][1][0] == sorts[1][0]);
    let [place, pointer, _] = found.and_then(Value::as_array).map(Vec::as_slice).expect("the text") else {
        panic!("three parts")
    };
    let line = record["events"][place.as_u64().expect("a place") as usize]["line"].as_str().expect("a line");
    let event: Value = serde_json::from_str(line).expect("an event");
    let text = event.pointer(pointer.as_str().expect("a pointer")).and_then(Value::as_str);
    assert!(text.is_some_and(|text| text.starts_with("# T")), "{pointer}: {text:?}");
}

#[test]
fn what_is_hidden_leaves_its_checksum_alone() {
    let log = Log::golden("zh/brainstorm");
    let written = |page: &str| page.matches("evaluation_written").count();
    let hidden = log.page(&Options::default());
    let events = record(&hidden)["events"].as_array().expect("events").clone();
    let withheld: Vec<&Value> = events.iter().filter(|event| event.get("line").is_none()).collect();
    assert!(!withheld.is_empty(), "a brainstorm has marks");
    assert_eq!(events.len(), log.lines.len());
    for event in &withheld {
        assert_eq!(event["hash"].as_str().map(str::len), Some(64));
        let payload = event["shown"]["payload"].as_object().expect("a payload");
        assert!(!payload.contains_key("marks") && !payload.contains_key("resume_token"));
    }
    let mark = log.mark_reason();
    let inside = |page: &str| page.contains(&mark);
    assert!(!inside(&hidden), "{mark}");
    let open = log.page(&Options { with_marks: true, ..Options::default() });
    assert!(inside(&open) && written(&open) > 0);
    assert!(!open.contains("resume_token"), "a token is a key");
}

#[test]
fn a_browser_finds_the_page_whole_and_replays_it_to_its_end() {
    for name in ["zh/consensus", "zh/brainstorm", "en/decision", "en/room"] {
        let log = Log::golden(name);
        let Some(seen) = Seen::of(&log.page(&Options::default()), "#play=16") else { return };
        assert_eq!(seen.attribute("check", "data-state"), "verified", "{name}");
        let number = |attribute| seen.attribute("check", attribute).parse::<usize>().expect("a number");
        assert_eq!(number("data-fit") + number("data-withheld"), log.lines.len(), "{name}");
        assert_eq!(seen.of_replay("data-state"), "ended", "{name}");
        assert!(seen.of_replay("data-played").parse::<usize>().expect("a number") > 10, "{name}");
        assert_eq!(seen.of_replay("data-place"), seen.of_replay("data-played"), "{name}");
    }
}

#[test]
fn a_browser_finds_the_event_that_was_changed() {
    let page = Log::golden("en/consensus").page(&Options::default());
    // One character of an event's line; the checksums after it no longer fit, and it is the first.
    let changed = page.replacen("\\\"seq\\\":40,", "\\\"seq\\\": 40,", 1);
    let Some(seen) = Seen::of(&changed, "") else { return };
    assert_eq!(seen.attribute("check", "data-state"), "broken");
    assert_eq!(seen.attribute("check", "data-broken"), "40");
    assert!(seen.dom.contains("Event 40 does not fit"));
}

#[test]
fn a_browser_shows_hostile_texts_as_texts() {
    let text = "</script><img src=x onerror=\"document.title='owned'\"> [no](javascript:alert(1)) **注意：**必须 `a<b`";
    let Some(seen) = Seen::of(&hostile(text).page(&Options::default()), "") else { return };
    assert!(!seen.dom.contains("<title>owned"));
    assert!(!seen.dom.contains("href=\"javascript"));
    assert!(!seen.dom.contains("<img"));
    assert!(seen.dom.contains("<strong>注意：</strong>必须"));
    assert!(seen.dom.contains("<code>a&lt;b</code>"));
}
