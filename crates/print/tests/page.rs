//! The page that is handed on: it holds what it should, nothing that it should not, and says of itself
//! whether it is what was written.

mod browser;
mod log;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use browser::Seen;
use log::{Log, hostile, hostile_once};
use quorate_contract::EventBody;
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
        assert!(!payload.contains_key("marks"));
    }
    let mark = log.mark_reason();
    let inside = |page: &str| page.contains(&mark);
    assert!(!inside(&hidden), "{mark}");
    let open = log.page(&Options { with_marks: true, ..Options::default() });
    assert!(inside(&open) && written(&open) > 0);
    // A resume token names a pause and is no secret: its line can be checked like any other.
    let pauses = log.lines.iter().filter(|line| line.contains("\"type\":\"pause\"")).count();
    let whole = events.iter().filter_map(|event| event["line"].as_str());
    assert!(pauses > 0 && whole.filter(|line| line.contains("resume_token")).count() == pauses);
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
        assert!(seen.of_replay("data-played").parse::<usize>().expect("a number") > 5, "{name}");
        assert_eq!(seen.of_replay("data-place"), seen.of_replay("data-played"), "{name}");
    }
}

/// A meeting whose messages are long enough that its page is compressed.
fn long() -> Log {
    let mut events = Log::golden("zh/consensus").events;
    for event in &mut events {
        if let quorate_contract::EventBody::AgentMessage { message, .. } = &mut event.body {
            message.content =
                "We keep **one writer** and measure it before anything else is changed. ".repeat(2_000);
        }
    }
    Log::of(events)
}

const PACKED: &str = "<script type=\"application/vnd.quorate.deflate\" id=\"record\">";

/// The data of a compressed page.
fn unpacked(page: &str) -> Value {
    let packed = BASE64_STANDARD.decode(between(page, PACKED, "</script>")).expect("Base64");
    serde_json::from_reader(flate2::read::DeflateDecoder::new(packed.as_slice())).expect("JSON")
}

/// The page with other data.
fn repacked(page: &str, record: &Value) -> String {
    let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
    serde_json::to_writer(&mut packed, record).expect("memory");
    let packed = BASE64_STANDARD.encode(packed.finish().expect("memory"));
    page.replacen(between(page, PACKED, "</script>"), &packed, 1)
}

/// The number of the event that is found changed, and the change.
type Change<'c> = (usize, &'c dyn Fn(&mut Value));

#[test]
fn a_long_page_begins_most_checksums_and_a_browser_finds_the_event_that_was_changed() {
    let log = long();
    let page = log.signed_page(true);
    let record = unpacked(&page);
    let events = record["events"].as_array().expect("events");
    let digits = |place: usize| events[place]["hash"].as_str().map(str::len);
    assert_eq!(digits(events.len() - 1), Some(64), "the last is whole");
    assert_eq!(digits(63), Some(64), "and one in 64");
    assert!((0..events.len()).filter(|place| digits(*place) == Some(4)).count() > events.len() / 2);
    for (place, event) in events.iter().enumerate() {
        let is_before_withheld = events.get(place + 1).is_some_and(|next| next["line"].is_null());
        if is_before_withheld || event["line"].is_null() {
            assert_eq!(digits(place), Some(64), "{place}");
        }
    }
    let begun = (20..60).find(|place| digits(*place) == Some(4)).expect("one that is begun");
    let cut = |record: &mut Value| record["events"][events.len() - 1]["hash"] = "0000".into();
    let reword = |record: &mut Value| {
        let line = events[begun]["line"].as_str().expect("a line");
        record["events"][begun]["line"] = line.replacen("\"seq\":", "\"seq\": ", 1).into();
    };
    let empty = |record: &mut Value| record["events"][begun]["hash"] = "".into();
    let changes: [Change<'_>; 3] = [(events.len(), &cut), (begun + 1, &reword), (begun + 1, &empty)];
    for (seq, change) in changes {
        let mut record = record.clone();
        change(&mut record);
        let Some(seen) = Seen::of(&repacked(&page, &record), "") else { return };
        assert_eq!(seen.attribute("check", "data-broken"), seq.to_string());
        assert_eq!(seen.of_signature("data-signature"), "invalid");
    }
}

#[test]
fn a_long_meeting_is_packed_and_the_page_is_a_third_of_it() {
    let log = long();
    let page = log.signed_page(false);
    let lines: usize = log.lines.iter().map(String::len).sum();
    // The result stands there for readers without scripts, too.
    assert!(page.len() * 3 < lines, "{} bytes of {lines}", page.len());
    let record = unpacked(&page);
    let events = record["events"].as_array().expect("events");
    let kept: Vec<&str> = events.iter().filter_map(|event| event["line"].as_str()).collect();
    assert!(kept.len() > 10 && kept.iter().all(|line| log.lines.iter().any(|stored| stored == line)));
    let Some(seen) = Seen::of(&page, "") else { return };
    assert_eq!(seen.attribute("check", "data-state"), "verified");
    assert_eq!(seen.of_signature("data-signature"), "valid");
}

/// What a browser makes of the signature; one without Ed25519 has to say that it cannot verify it.
fn signature_in(page: &str) -> Option<String> {
    let seen = Seen::of(page, "")?;
    Some(seen.of_signature("data-signature").to_owned())
}

#[test]
fn a_browser_verifies_the_signature_also_where_parts_are_withheld() {
    for (name, with_marks) in [("zh/brainstorm", false), ("zh/brainstorm", true), ("en/room", false)] {
        let page = Log::golden(name).signed_page(with_marks);
        let Some(found) = signature_in(&page) else { return };
        assert_eq!(found, "valid", "{name}");
    }
}

#[test]
fn a_browser_finds_what_does_not_fit_the_signature() {
    let page = Log::golden("en/room").signed_page(true);
    let signature = between(&page, "\"signature\":\"", "\"").to_owned();
    let last = record(&page)["events"].as_array().and_then(|events| events.last().cloned()).expect("events");
    let hash = last["hash"].as_str().expect("a checksum").to_owned();
    for changed in [
        page.replacen("2026-03-01T08:30:00.000Z", "2026-03-02T08:30:00.000Z", 1),
        page.replacen(&signature, &signature.chars().rev().collect::<String>(), 1),
        page.replacen("\"key_id\":\"", "\"key_id\":\"0", 1),
        page.replacen("\\\"seq\\\":9,", "\\\"seq\\\": 9,", 1),
        // An event less, and what is stated of the last one adapted to it.
        page.replacen(&hash, &"0".repeat(64), 2),
    ] {
        assert_ne!(changed, page);
        let Some(found) = signature_in(&changed) else { return };
        assert_eq!(found, "invalid");
    }
}

#[test]
fn a_page_without_a_signature_says_why_where_that_is_known() {
    let sealing = Some(quorate_contract::signature::Sealing::Unsigned(
        quorate_contract::signature::UnsignedReason::Withheld,
    ));
    let page = Log::golden("en/room").page(&Options { sealing, ..Options::default() });
    let Some(seen) = Seen::of(&page, "") else { return };
    assert_eq!(seen.of_signature("data-signature"), "absent");
    assert!(seen.dom.contains("hidden from the person who exported it"));
}

#[test]
fn a_page_shows_events_of_older_versions_and_checks_them_as_they_are_stored() {
    let path = format!("{}/../../fixtures/contract/v1.jsonl", env!("CARGO_MANIFEST_DIR"));
    let stored: Vec<String> =
        std::fs::read_to_string(path).expect("a golden log").lines().map(str::to_owned).collect();
    // The reading of each line is that of another meeting: where it comes from does not matter here.
    let mut log = Log::golden("en/room");
    log.events.truncate(stored.len().min(9));
    log.lines = stored.into_iter().take(log.events.len()).collect();
    let events = record(&log.page(&Options::default()))["events"].as_array().expect("events").clone();
    for (kept, (line, event)) in events.iter().zip(log.lines.iter().zip(&log.events)) {
        assert_eq!(kept["line"].as_str(), Some(line.as_str()));
        assert_eq!(kept["shown"]["type"].as_str(), Some(event.body.kind()));
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

#[test]
fn a_claim_leads_to_where_it_was_raised_and_to_nothing_where_nobody_raised_it() {
    let mut events = Log::golden("en/consensus").events;
    let raised = events.iter().find_map(|event| match &event.body {
        EventBody::AgentMessage { message_id, stance: Some(stance), .. } => {
            Some((*message_id, stance.claims.first()?.id))
        }
        _ => None,
    });
    let (message, claim) = raised.expect("somebody raises a claim");
    let objection = events.iter().find_map(|event| match &event.body {
        EventBody::VoteCast { objection, .. } => Some(objection.as_ref()?.id),
        _ => None,
    });
    let objection = objection.expect("somebody objects");
    let last = events.iter_mut().rev().find_map(|event| match &mut event.body {
        EventBody::AgentMessage { message, .. } => Some(message),
        _ => None,
    });
    last.expect("a message").content = format!("So [{claim}], [{message}, {objection}] and [c999].");
    let Some(seen) = Seen::of(&Log::of(events).page(&Options::default()), "") else { return };
    assert!(
        seen.dom.contains(&format!("<a href=\"#{message}\" class=\"ref\">{claim}</a>")),
        "to its message"
    );
    assert!(seen.dom.contains(&format!("<a href=\"#{objection}\" class=\"ref\">{objection}</a>")));
    assert!(seen.dom.contains(&format!("<p id=\"{objection}\">")), "to the vote");
    assert!(!seen.dom.contains("#c999"), "no dead link");
    assert!(
        seen.dom.contains(&format!("<span class=\"meta\">{message}</span>")),
        "messages have their numbers"
    );
}

#[test]
fn a_citation_leads_to_the_lines_of_a_file_and_to_nothing_where_there_is_none() {
    let mut events = hostile_once("It is [f1#2], see f1#9; [f7#1] is no file.").events;
    let file = r#"{"type":"file_attached","payload":{"file":{"id":"f1","name":"a.txt","media_type":"text/plain","size":9,"sha256":"aa","text":{"lines":2,"excerpt":"```one\n<b>two"}},"by":{"kind":"person","id":"u","name":"U"}}}"#;
    let body: EventBody = serde_json::from_str(file).expect("an event");
    let mut attached = events.last().expect("events").clone();
    attached.body = body;
    attached.seq += 1;
    events.push(attached);
    let Some(seen) = Seen::of(&Log::of(events).page(&Options::default()), "") else { return };
    assert!(seen.dom.contains("href=\"#f1-L2\""), "to the line");
    assert!(seen.dom.contains("href=\"#f1\""), "a line that is not there leads to the file");
    assert!(!seen.dom.contains("#f7"), "no dead link");
    assert!(
        seen.dom.contains("<span id=\"f1-L1\">1| ```one\n</span><span id=\"f1-L2\">2| &lt;b&gt;two\n</span>")
    );
}
