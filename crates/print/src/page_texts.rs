//! What the exported page says itself, from the catalogue, in the language of the meeting.
//!
//! A text with fields keeps a gap for each, `{name}`, which the page fills (`page/words.js`).

use std::collections::BTreeMap;

use quorate_contract::{ClauseRule, Language, clause_name};
use quorate_messages::text;

/// Each text by the name under which the page asks for it.
pub(crate) fn page_words(language: Language) -> BTreeMap<String, String> {
    let plain = plain(language).into_iter().map(|(name, text)| (name.to_owned(), text.to_owned()));
    let with_gaps = with_gaps(language).into_iter().map(|(name, text)| (name.to_owned(), text));
    let clauses = ClauseRule::ALL
        .iter()
        .map(|rule| (format!("clause-{}", rule.name()), clause_name(language, rule.kind).to_owned()));
    plain.chain(with_gaps).chain(clauses).collect()
}

fn plain(language: Language) -> Vec<(&'static str, &'static str)> {
    vec![
        ("result", text!(language, "print-page-result")),
        ("record", text!(language, "print-page-record")),
        ("check", text!(language, "print-page-check")),
        ("skip", text!(language, "print-page-skip")),
        ("conclusion-differs", text!(language, "print-page-conclusion-differs")),
        ("about-chain", text!(language, "print-page-about-chain")),
        ("signature-checking", text!(language, "print-page-signature-checking")),
        ("signature-valid", text!(language, "print-page-signature-valid")),
        ("signature-invalid", text!(language, "print-page-signature-invalid")),
        ("signature-unsupported", text!(language, "print-page-signature-unsupported")),
        ("about-signature", text!(language, "print-page-about-signature")),
        ("signed-at", text!(language, "print-page-signed-at")),
        ("key-id", text!(language, "print-page-key-id")),
        ("unsigned-damaged", text!(language, "print-page-unsigned-damaged")),
        ("unsigned-withheld", text!(language, "print-page-unsigned-withheld")),
        ("unsigned-off-record", text!(language, "print-page-unsigned-off-record")),
        ("unsigned-no-key", text!(language, "print-page-unsigned-no-key")),
        ("about-withheld", text!(language, "print-page-about-withheld")),
        ("events", text!(language, "print-page-events")),
        ("last", text!(language, "print-page-last")),
        ("meeting", text!(language, "print-page-meeting")),
        ("blind-round", text!(language, "print-page-blind-round")),
        ("person", text!(language, "print-page-person")),
        ("summary", text!(language, "print-page-summary")),
        ("conclusion", text!(language, "print-page-conclusion")),
        ("reasons", text!(language, "print-page-reasons")),
        ("announcement", text!(language, "print-page-announcement")),
        ("passes", text!(language, "print-page-passes")),
        ("fails", text!(language, "print-page-fails")),
        ("abstains", text!(language, "print-page-abstains")),
        ("missing", text!(language, "print-page-missing")),
        ("ballot-passed", text!(language, "print-page-ballot-passed")),
        ("ballot-failed", text!(language, "print-page-ballot-failed")),
        ("interrupted", text!(language, "print-page-interrupted")),
        ("paused", text!(language, "print-page-paused")),
        ("resumed", text!(language, "print-page-resumed")),
        ("recovered", text!(language, "print-page-recovered")),
        ("idle", text!(language, "print-page-idle")),
        ("reachable", text!(language, "print-page-reachable")),
        ("budget", text!(language, "print-page-budget")),
        ("finished", text!(language, "print-page-finished")),
        ("position", text!(language, "print-page-position")),
        ("early", text!(language, "print-page-early")),
        ("reasoning", text!(language, "print-page-reasoning")),
        ("withheld-evaluation", text!(language, "print-page-withheld-evaluation")),
        ("withheld-memory", text!(language, "print-page-withheld-memory")),
        ("withheld-other", text!(language, "print-page-withheld-other")),
        ("tool-arguments", text!(language, "print-page-tool-arguments")),
        ("tool-result", text!(language, "print-page-tool-result")),
        ("tool-once", text!(language, "labels-tool-once")),
        ("tool-meeting", text!(language, "labels-tool-meeting")),
        ("tool-refused", text!(language, "labels-tool-refused")),
        ("tool-denied", text!(language, "labels-tool-denied")),
        ("tool-unknown_tool", text!(language, "labels-tool-unknown")),
        ("tool-invalid_arguments", text!(language, "labels-tool-invalid-arguments")),
        ("tool-failed", text!(language, "labels-tool-failed")),
        ("tool-timed_out", text!(language, "labels-timed-out")),
        ("tool-too_many", text!(language, "labels-tool-too-many")),
        ("tool-budget", text!(language, "labels-out-budget")),
        ("tool-lost", text!(language, "labels-tool-lost")),
        ("tool-cancelled", text!(language, "labels-tool-cancelled")),
        ("partly", text!(language, "print-page-partly")),
        ("play", text!(language, "print-page-play")),
        ("pause", text!(language, "print-page-pause")),
        ("again", text!(language, "print-page-again")),
        ("back", text!(language, "print-page-back")),
        ("next", text!(language, "print-page-next")),
        ("speed", text!(language, "print-page-speed")),
        ("place", text!(language, "print-page-place")),
        ("keys", text!(language, "print-page-keys")),
        ("comma", text!(language, "print-page-comma")),
        ("colon", text!(language, "print-page-colon")),
    ]
}

fn with_gaps(language: Language) -> Vec<(&'static str, String)> {
    vec![
        ("verified", text!(language, "print-page-verified", n = "{n}")),
        ("verified-one", text!(language, "print-page-verified-one", n = "{n}")),
        ("withheld-too", text!(language, "print-page-withheld-too", n = "{n}")),
        ("withheld-too-one", text!(language, "print-page-withheld-too-one", n = "{n}")),
        (
            "tool-called",
            text!(language, "print-page-tool-called", id = "{id}", name = "{name}", tool = "{tool}"),
        ),
        ("tool-reviewed", text!(language, "print-page-tool-reviewed", id = "{id}", decision = "{decision}")),
        ("tool-returned", text!(language, "print-page-tool-returned", id = "{id}")),
        ("tool-returned-cut", text!(language, "print-page-tool-returned-cut", id = "{id}")),
        (
            "tool-no-result",
            text!(language, "print-page-tool-no-result", id = "{id}", why = "{why}", detail = "{detail}"),
        ),
        ("called", text!(language, "print-page-called", text = "{text}")),
        ("before-noon", text!(language, "print-page-before-noon", time = "{time}")),
        ("after-noon", text!(language, "print-page-after-noon", time = "{time}")),
        ("broken-at", text!(language, "print-page-broken-at", n = "{n}")),
        ("round", text!(language, "print-page-round", n = "{n}")),
        ("draft", text!(language, "print-page-draft", n = "{n}")),
        ("minutes", text!(language, "print-page-minutes", n = "{n}")),
        ("artifact", text!(language, "print-page-artifact", kind = "{kind}", version = "{version}")),
        ("ballot", text!(language, "print-page-ballot", n = "{n}")),
        ("vote-failed", text!(language, "print-page-vote-failed", name = "{name}", why = "{why}")),
        ("joined", text!(language, "print-page-joined", name = "{name}")),
        ("arrived", text!(language, "print-page-arrived", name = "{name}")),
        ("departed", text!(language, "print-page-departed", name = "{name}")),
        ("hosts", text!(language, "print-page-hosts", name = "{name}")),
        ("left", text!(language, "print-page-left", name = "{name}")),
        ("skipped", text!(language, "print-page-skipped", name = "{name}")),
        ("not-asked", text!(language, "print-page-not-asked", name = "{name}", phrases = "{phrases}")),
        ("not-asked-list", text!(language, "print-page-not-asked-list", name = "{name}")),
        ("timed-out", text!(language, "print-page-timed-out", name = "{name}")),
        ("failed", text!(language, "print-page-failed", name = "{name}", why = "{why}")),
        ("forked", text!(language, "print-page-forked", from = "{from}", at = "{at}")),
        ("file-attached", text!(language, "print-page-file-attached", id = "{id}", name = "{name}")),
        ("file-removed", text!(language, "print-page-file-removed", id = "{id}")),
        ("topic", text!(language, "print-page-topic", text = "{text}")),
        ("agenda-added", text!(language, "print-page-agenda-added", text = "{text}")),
        ("outage", text!(language, "print-page-outage", names = "{names}")),
        ("error", text!(language, "print-page-error", why = "{why}")),
        ("metric", text!(language, "print-page-metric", score = "{score}")),
        ("confidence", text!(language, "print-page-confidence", n = "{n}")),
        ("marks", text!(language, "print-page-marks", n = "{n}")),
        ("memory", text!(language, "print-page-memory", name = "{name}")),
        ("step", text!(language, "print-page-step", n = "{n}", all = "{all}")),
        ("needs", text!(language, "labels-needed", name = "{name}", got = "{got}", needed = "{needed}")),
    ]
}
