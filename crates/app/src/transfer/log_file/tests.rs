//! Logs that were changed after they were signed, in every form in which they are exported.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use proptest::prelude::*;
use quorate_contract::hex::{from_hex, to_hex};
use quorate_contract::signature::{
    ChainEntry, LogChain, LogSignature, Sealing, UnsignedReason, checksums_of,
};
use quorate_contract::{Event, MeetingId, Timestamp};
use quorate_store::{LogSigner, Store, read_line};
use serde_json::{Value, json};

use super::files::PACKED;
use super::{LogFileReport, LogProblem, TrustedKey, closing_line, verify_file};
use crate::use_cases::PublicKeyView;

/// A signed log, and the folder where its exports lie.
struct Signed {
    folder: tempfile::TempDir,
    signer: LogSigner,
    meeting: MeetingId,
    lines: Vec<String>,
}

async fn signer(folder: &Path) -> LogSigner {
    let store = Store::open(folder.join("quorate.db")).expect("a database");
    store.make_log_signer(Timestamp(1)).await.expect("a key")
}

impl Signed {
    /// The first events of a golden meeting.
    async fn of(path: &str, events: usize) -> Self {
        let path = format!("{}/../../fixtures/{path}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let lines: Vec<String> = text.lines().take(events).map(str::to_owned).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let meeting = read_line(&lines[0]).expect("an event").meeting_id;
        Self { signer: signer(folder.path()).await, folder, meeting, lines }
    }

    fn chain(&self) -> LogChain {
        let mut chain = LogChain::of(&self.meeting);
        self.lines.iter().for_each(|line| _ = chain.push(line));
        chain
    }

    fn signature(&self) -> LogSignature {
        self.signer.sign(&self.meeting, &self.chain(), Timestamp(1_772_353_800_000)).expect("a plain id")
    }

    fn closing(&self, signature: LogSignature) -> String {
        closing_line(&self.meeting, self.lines.iter().map(String::as_str), &Sealing::Signed(signature))
    }

    fn jsonl(&self) -> Vec<String> {
        [self.lines.clone(), vec![self.closing(self.signature())]].concat()
    }

    fn json(&self) -> Value {
        let mut chain = LogChain::of(&self.meeting);
        let chain: Vec<Value> = self
            .lines
            .iter()
            .map(|line| json!({ "hash": to_hex(&chain.push(line)), "line": line }))
            .collect();
        let events: Vec<Event> = self.lines.iter().map(|line| read_line(line).expect("an event")).collect();
        json!({ "events": events, "chain": chain, "signature": self.signature(), "unsigned": null })
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    fn verify(&self, name: &str, bytes: impl AsRef<[u8]>) -> LogFileReport {
        one(verify_file(&self.write(name, bytes), None, &[]))
    }

    /// The problems of a log as JSONL.
    fn of_lines(&self, lines: &[String]) -> Vec<LogProblem> {
        self.verify("m.jsonl", lines.join("\n") + "\n").problems
    }

    fn of_json(&self, document: &Value) -> Vec<LogProblem> {
        self.verify("m.json", document.to_string()).problems
    }
}

fn one(reports: Result<Vec<LogFileReport>, crate::ServiceError>) -> LogFileReport {
    let mut reports = reports.expect("it can be verified");
    assert_eq!(reports.len(), 1);
    let report = reports.remove(0);
    assert_eq!(report.ok, report.problems.is_empty());
    report
}

const CHANGED: LogProblem = LogProblem::Changed { event: 7 };

#[tokio::test]
async fn a_log_is_sound_in_every_form() {
    for name in ["meetings/zh/consensus", "meetings/en/room", "contract/v1", "contract/v2"] {
        let log = Signed::of(name, usize::MAX).await;
        let events = log.lines.len() as u64;
        let reports = [
            log.verify("会议 纪要.jsonl", log.jsonl().join("\n") + "\n"),
            // Without the last line end, and with those of another system.
            log.verify("m.jsonl", log.jsonl().join("\r\n")),
            log.verify("无扩展名", log.jsonl().join("\n") + "\n\n"),
            log.verify("m.json", serde_json::to_vec_pretty(&log.json()).expect("JSON")),
            log.verify("也无扩展名", log.json().to_string()),
        ];
        for report in reports {
            assert_eq!(report.problems, [], "{name} as {}", report.file);
            assert_eq!((report.events, report.checked, report.withheld), (events, events, 0));
            assert_eq!((report.signed, report.signature), (true, Some(log.signature())));
            assert_eq!(report.meeting_id.as_ref(), Some(&log.meeting));
        }
    }
}

#[tokio::test]
async fn a_byte_that_was_changed_is_found_with_its_event() {
    let log = Signed::of("meetings/zh/consensus", 30).await;
    let mut lines = log.jsonl();
    lines[6] = lines[6].replacen("\"seq\":7", "\"seq\": 7", 1);
    assert_eq!(log.of_lines(&lines), [CHANGED]);
    let mut document = log.json();
    document["chain"][6]["line"] = json!(lines[6]);
    assert_eq!(log.of_json(&document), [CHANGED]);
}

#[tokio::test]
async fn lines_that_are_missing_moved_doubled_or_added_are_named() {
    let log = Signed::of("meetings/en/consensus", 30).await;
    let (sound, document) = (log.jsonl(), log.json());
    let chain = document["chain"].as_array().expect("a chain").clone();
    let both = |change: &dyn Fn(&mut Vec<Value>), expected: &[LogProblem]| {
        let mut lines: Vec<Value> = sound.iter().map(|line| json!(line)).collect();
        change(&mut lines);
        let lines: Vec<String> =
            lines.iter().map(|line| line.as_str().unwrap_or_default().to_owned()).collect();
        assert_eq!(log.of_lines(&lines), expected);
        let mut entries = chain.clone();
        change(&mut entries);
        let document = json!({ "chain": entries, "signature": document["signature"] });
        assert_eq!(log.of_json(&document), expected);
    };
    both(&|lines| drop(lines.remove(6)), &[LogProblem::Missing { from: 7, to: 7 }]);
    both(&|lines| drop(lines.drain(6..9)), &[LogProblem::Missing { from: 7, to: 9 }]);
    both(&|lines| drop(lines.remove(0)), &[LogProblem::Missing { from: 1, to: 1 }]);
    both(&|lines| lines.swap(6, 7), &[LogProblem::OutOfPlace { event: 7 }]);
    both(&|lines| lines.insert(9, lines[6].clone()), &[LogProblem::OutOfPlace { event: 7 }]);

    let mut lines = sound.clone();
    lines.remove(29);
    assert_eq!(log.of_lines(&lines), [LogProblem::Missing { from: 30, to: 30 }]);
    let longer = Signed { lines: Signed::of("meetings/en/consensus", 31).await.lines, ..log };
    let closing = longer.closing(serde_json::from_value(document["signature"].clone()).expect("a signature"));
    let added = [longer.lines.clone(), vec![closing]].concat();
    assert_eq!(longer.of_lines(&added), [LogProblem::Added { event: 31 }]);
}

#[tokio::test]
async fn whoever_computes_all_checksums_again_cannot_sign_them() {
    let log = Signed::of("meetings/zh/brainstorm", 30).await;
    let signature = log.signature();
    let mut forged = Signed { lines: log.lines.clone(), ..Signed::of("meetings/zh/brainstorm", 30).await };
    forged.lines[6] = forged.lines[6].replacen("\"seq\":7", "\"seq\": 7", 1);
    let lines = [forged.lines.clone(), vec![forged.closing(signature.clone())]].concat();
    assert_eq!(forged.of_lines(&lines), [LogProblem::Checksums]);
    // The same with a signature of the forger's own: sound, and of another key.
    let report = forged.verify("m.jsonl", forged.jsonl().join("\n"));
    assert!(report.ok && report.signed);
    let named =
        verify_file(&forged.write("m.jsonl", forged.jsonl().join("\n")), Some(&signature.key_id), &[]);
    assert_eq!(one(named).problems, [LogProblem::OtherKey]);
    // With what was signed adapted, the signature is not one.
    for changed in [
        LogSignature {
            checksums: forged.signature().checksums,
            hash: forged.signature().hash,
            ..signature.clone()
        },
        LogSignature { meeting_id: MeetingId::new("m2"), ..signature.clone() },
        LogSignature { signed_at: Timestamp(1), ..signature.clone() },
    ] {
        let lines = [forged.lines.clone(), vec![forged.closing(changed)]].concat();
        assert!(forged.of_lines(&lines).contains(&LogProblem::Signature));
    }
    let mut document = log.json();
    document["signature"]["algorithm"] = json!("none");
    assert_eq!(log.of_json(&document), [LogProblem::Signature]);
}

#[tokio::test]
async fn nothing_before_a_withheld_event_can_be_replaced() {
    let log = Signed::of("meetings/zh/brainstorm", 30).await;
    let mut document = log.json();
    document["chain"][19]["line"].take();
    document["events"][19]["payload"] = json!({ "withheld": true });
    let report = log.verify("m.json", document.to_string());
    assert_eq!((report.problems, report.checked, report.withheld), (vec![], 29, 1));
    // A chain of its own up to the withheld event, whose checksum is stated, not computed.
    let mut chain = LogChain::of(&log.meeting);
    for at in 0..19 {
        let line = log.lines[at].replacen("\"ts_ms\":", "\"ts_ms\": ", 1);
        document["chain"][at] = json!({ "hash": to_hex(&chain.push(&line)), "line": line });
    }
    document["events"] = json!([]);
    assert_eq!(log.of_json(&document), [LogProblem::Checksums]);
}

#[tokio::test]
async fn events_that_are_shown_are_those_of_their_lines() {
    let log = Signed::of("meetings/en/consensus", 30).await;
    let mut document = log.json();
    document["events"][6]["ts_ms"] = json!(1);
    assert_eq!(log.of_json(&document), [LogProblem::ShownOtherwise { event: 7 }]);
    let mut document = log.json();
    let last = document["events"][29].clone();
    document["events"].as_array_mut().expect("events").push(last);
    assert_eq!(log.of_json(&document), [LogProblem::Added { event: 30 }]);
    // An older event, as the present version reads it.
    let log = Signed::of("contract/v1", usize::MAX).await;
    let mut document = log.json();
    document["events"][2]["actor"] = json!({ "kind": "system" });
    assert_eq!(log.of_json(&document).len(), 1);
}

#[tokio::test]
async fn an_event_of_another_meeting_is_named() {
    let (log, other) = (Signed::of("meetings/en/consensus", 9).await, Signed::of("contract/v2", 9).await);
    let mut lines = log.lines.clone();
    lines[8] = other.lines[8].clone();
    let mixed = Signed { lines, ..log };
    let stranger = LogProblem::OtherMeeting { event: 9, meeting_id: other.meeting };
    assert_eq!(mixed.of_lines(&mixed.jsonl()), [stranger]);
}

#[tokio::test]
async fn whose_key_it_is_is_known_by_its_id_or_the_key() {
    let log = Signed::of("meetings/en/room", 5).await;
    let (path, signature) = (log.write("m.jsonl", log.jsonl().join("\n")), log.signature());
    let known = PublicKeyView {
        key_id: signature.key_id.clone(),
        public_key: signature.public_key.clone(),
        created_at: Timestamp(1),
    };
    let key =
        |named: Option<String>, known: &[PublicKeyView]| one(verify_file(&path, named.as_deref(), known)).key;
    assert_eq!(key(None, &[]), TrustedKey::Unknown);
    assert_eq!(key(None, std::slice::from_ref(&known)), TrustedKey::Known);
    let other = PublicKeyView { public_key: to_hex(&[1; 32]), ..known };
    assert_eq!(key(None, &[other]), TrustedKey::Unknown);
    assert_eq!(key(Some(signature.key_id.to_uppercase()), &[]), TrustedKey::Named);
    assert_eq!(key(Some(format!(" {}\n", signature.public_key)), &[]), TrustedKey::Named);
    assert_eq!(one(verify_file(&path, Some(&signature.key_id[..30]), &[])).problems, [LogProblem::OtherKey]);
    // Another key cannot bear this id.
    let mut document = log.json();
    document["signature"]["public_key"] = json!(to_hex(&[1; 32]));
    assert_eq!(log.of_json(&document), [LogProblem::Signature]);
}

#[tokio::test]
async fn what_is_not_signed_says_why_and_does_not_pass_for_a_key() {
    let log = Signed::of("meetings/en/room", 5).await;
    let lines = log.lines.iter().map(String::as_str);
    let closing = closing_line(&log.meeting, lines, &Sealing::Unsigned(UnsignedReason::Damaged));
    let text = [log.lines.clone(), vec![closing]].concat().join("\n");
    let report = log.verify("m.jsonl", &text);
    assert!(report.ok && !report.signed && report.signature.is_none());
    assert_eq!(report.unsigned, Some(UnsignedReason::Damaged));
    let named = verify_file(&log.write("m.jsonl", &text), Some(&log.signature().key_id), &[]);
    assert_eq!(one(named).problems, [LogProblem::OtherKey]);
}

#[tokio::test]
async fn a_file_that_is_cut_off_is_found_wherever_it_is_cut() {
    let log = Signed::of("meetings/en/room", 12).await;
    let text = log.jsonl().join("\n") + "\n";
    for at in (0..text.trim_end().len()).step_by(97).filter(|at| text.is_char_boundary(*at)) {
        let report = log.verify("m.jsonl", &text[..at]);
        assert!(report.problems.contains(&LogProblem::CutOff), "{at}: {:?}", report.problems);
    }
    let whole = log.json().to_string();
    for at in [0, 1, whole.len() / 2, whole.len() - 1] {
        let cut = whole.get(..at).unwrap_or(&whole[..10]);
        let error = verify_file(&log.write("m.json", cut), None, &[]).expect_err("it is cut off");
        assert!(error.message().contains("not whole"), "{}", error.message());
    }
}

#[tokio::test]
async fn what_holds_no_log_is_said() {
    let log = Signed::of("meetings/en/room", 2).await;
    for (name, bytes, said) in [
        ("m.json", "{\"report\":{}}", "no log"),
        ("m.html", "<!doctype html><p>nothing", "no log"),
        ("m.md", "# Topic", "no log"),
        ("m.db", "SQLite format 3\0…", "is a database"),
        ("m.html", "<script type=\"application/json\" id=\"record\">{", "not whole"),
    ] {
        let error = verify_file(&log.write(name, bytes), None, &[]).expect_err(name);
        assert!(error.message().contains(said), "{name}: {}", error.message());
    }
    let nothing = log.folder.path().join("nothing.jsonl");
    assert!(verify_file(&nothing, None, &[]).expect_err("no file").hint().contains("name an export"));
    let empty = log.folder.path().join("empty");
    std::fs::create_dir(&empty).expect("a folder");
    assert!(verify_file(&empty, None, &[]).is_err());
}

#[tokio::test]
async fn a_page_whose_data_are_packed_is_verified_like_any_other() {
    let log = Signed::of("meetings/en/room", 9).await;
    let document = log.json();
    let page = |events: &Value| {
        let signature = &document["signature"];
        let record = json!({ "meeting": log.meeting, "events": events, "signature": signature });
        let mut packed = DeflateEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(record.to_string().as_bytes()).expect("memory");
        let packed = BASE64_STANDARD.encode(packed.finish().expect("memory"));
        format!("<!doctype html><script type=\"{PACKED}\" id=\"record\">{packed}</script>")
    };
    let whole = page(&document["chain"]);
    let report = log.verify("m.html", &whole);
    assert!(report.ok && report.signed && report.checked == 9, "{report:?}");
    let mut changed = document["chain"].clone();
    changed[6]["line"] = json!(log.lines[6].replacen("\"round\":1", "\"round\":2", 1));
    assert_eq!(log.verify("m.html", page(&changed)).problems, [CHANGED]);
    // Checksums that are only begun are worked out, up to the next whole one.
    let mut begun = document["chain"].clone();
    for place in [0, 1, 2, 4, 5, 6, 7] {
        begun[place]["hash"] = begun[place]["hash"].as_str().expect("a checksum")[..4].into();
    }
    let report = log.verify("m.html", page(&begun));
    assert!(report.ok && report.signed && report.checked == 9, "{report:?}");
    let mut changed = begun.clone();
    changed[6]["line"] = json!(log.lines[6].replacen("\"round\":1", "\"round\":2", 1));
    assert_eq!(log.verify("m.html", page(&changed)).problems, [CHANGED, LogProblem::NoChecksum { event: 8 }]);
    // The last one has to be whole.
    let whole_last = begun[8]["hash"].as_str().expect("a checksum").to_owned();
    for cut in ["", &whole_last[..4]] {
        let mut last = begun.clone();
        last[8]["hash"] = cut.into();
        assert_eq!(log.verify("m.html", page(&last)).problems, [LogProblem::NoChecksum { event: 9 }]);
    }
    let cut = log.write("m.html", whole.replace("\"record\">", "\"record\">!"));
    let error = verify_file(&cut, None, &[]).expect_err("it is no Base64");
    assert!(error.message().contains("not whole"), "{}", error.message());
}

#[tokio::test]
async fn each_log_of_a_folder_is_verified() {
    let log = Signed::of("meetings/en/room", 8).await;
    let folder = log.folder.path().join("导出");
    std::fs::create_dir_all(folder.join("data/signatures")).expect("folders");
    let mut changed = log.json();
    changed["chain"][3]["hash"] = json!(to_hex(&[0; 32]));
    for (name, document) in [("a.json", log.json()), ("b.json", changed)] {
        std::fs::write(folder.join("data/signatures").join(name), document.to_string()).expect("a file");
    }
    let reports = verify_file(&folder, None, &[]).expect("two logs");
    assert_eq!(reports.iter().map(|report| report.ok).collect::<Vec<_>>(), [true, false]);
    assert_eq!(reports[1].problems, [LogProblem::Changed { event: 4 }, LogProblem::Changed { event: 5 },]);
}

#[tokio::test]
async fn many_problems_are_counted_and_a_last_line_longer_than_a_piece_is_read() {
    let log = Signed::of("meetings/en/room", 1).await;
    let first: Value = serde_json::from_str(&log.lines[0]).expect("an event");
    let line = |seq: u64| {
        let mut event = first.clone();
        event["seq"] = json!(seq);
        event.to_string()
    };
    let long = Signed { lines: (1..=3_000).map(line).collect(), ..log };
    let sound = long.jsonl();
    assert!(sound[3_000].len() > 3 * 65_536);
    assert_eq!(long.of_lines(&sound), []);
    let changed: Vec<String> =
        sound.iter().map(|line| line.replacen("\"ts_ms\":", "\"ts_ms\": ", 1)).collect();
    let report = long.verify("m.jsonl", changed.join("\n"));
    assert_eq!((report.problems.len(), report.further_problems), (1_000, 2_000));
}

/// The list of checksums in the closing line and in a document are the same, and what is signed.
#[tokio::test]
async fn the_signed_digest_is_that_of_the_listed_checksums() {
    let log = Signed::of("meetings/en/room", 8).await;
    let chain: Vec<ChainEntry> = serde_json::from_value(log.json()["chain"].clone()).expect("a chain");
    let hashes: Vec<[u8; 32]> =
        chain.iter().map(|entry| from_hex(&entry.hash).expect("a checksum")).collect();
    assert_eq!(to_hex(&checksums_of(&hashes)), log.signature().checksums);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_byte_of_the_events_can_be_changed(at in any::<prop::sample::Index>(), mask in 1u8..=255) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        static LOG: std::sync::OnceLock<Signed> = std::sync::OnceLock::new();
        let log = LOG.get_or_init(|| runtime.block_on(Signed::of("meetings/zh/consensus", 12)));
        let mut bytes = (log.jsonl().join("\n") + "\n").into_bytes();
        let events = log.lines.iter().map(|line| line.len() + 1).sum();
        bytes[at.index(events)] ^= mask;
        let path = log.folder.path().join(format!("{}-{mask}.jsonl", at.index(events)));
        std::fs::write(&path, &bytes).expect("a file");
        let report = one(verify_file(&path, None, &[]));
        prop_assert!(!report.ok);
        std::fs::remove_file(&path).expect("it goes");
    }
}
