//! The forms in which a log is exported, as they are read again: JSONL line by line, JSON, the HTML page, and a folder.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::DeflateDecoder;
use quorate_contract::chain::{self, Hash};
use quorate_contract::hex::{from_hex, to_hex};
use quorate_contract::signature::{ChainEntry, LogChain, LogSignature, Sealing, UnsignedReason};
use quorate_contract::{MeetingId, Wording};
use quorate_messages::message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::check::{Check, EventPosition};
use super::{LogFileReport, LogProblem, TrustedKey};
use crate::error::ServiceError;
use crate::use_cases::PublicKeyView;

/// The longest line of a log; the last one holds all checksums.
const LINE_MAX: u64 = 256 << 20;
/// The largest JSON file or page, which is read whole.
const WHOLE_MAX: u64 = 512 << 20;
/// The bytes that are read at a time to find the last line.
const PIECE: u64 = 64 << 10;
/// The beginning of a database.
const DATABASE: &[u8] = b"SQLite format 3\0";
/// The folder of the signed logs in an export as a folder.
const SIGNATURES: &str = "signatures";

/// The last line of a log as JSONL.
#[derive(Debug, Serialize)]
struct Closing<'a> {
    chain: Vec<String>,
    signature: Option<&'a LogSignature>,
    unsigned: Option<UnsignedReason>,
}

/// The last line of a log as JSONL: the checksums of all lines before it, and the signature.
pub fn closing_line<'a>(
    meeting: &MeetingId,
    lines: impl Iterator<Item = &'a str>,
    sealing: &Sealing,
) -> String {
    let mut log = LogChain::of(meeting);
    let chain = lines.map(|line| to_hex(&log.push(line))).collect();
    let (signature, unsigned) = sealing.parts();
    serde_json::to_string(&Closing { chain, signature, unsigned }).expect("a line has only text keys")
}

/// What is read of a document that holds a log. A signature that is none is a problem, and no error.
#[derive(Deserialize)]
struct Document {
    #[serde(alias = "meeting")]
    meeting_id: Option<MeetingId>,
    chain: Option<Vec<ChainEntry>>,
    #[serde(default)]
    events: Vec<Value>,
    signature: Option<Value>,
    #[serde(default)]
    unsigned: Option<UnsignedReason>,
}

/// The last line of a log as JSONL, as it is read.
#[derive(Default, Deserialize)]
struct ClosingLine {
    chain: Vec<String>,
    signature: Option<Value>,
    unsigned: Option<UnsignedReason>,
}

/// Verifies the logs in an export: a file as JSONL, JSON or HTML, or a folder. `named` is the key that it has to be signed
/// with, by its id or as itself; `known` are keys of which it is known whose they are.
///
/// # Errors
/// When there is nothing at the path, it cannot be read, or it holds no log that can be verified.
pub fn verify_file(
    path: &Path,
    named: Option<&str>,
    known: &[PublicKeyView],
) -> Result<Vec<LogFileReport>, ServiceError> {
    let keys = Keys { named, known };
    if !path.is_dir() {
        return Ok(vec![of_file(path, &keys)?]);
    }
    let folders = [path.join(SIGNATURES), path.join("data").join(SIGNATURES)];
    let folder = folders.into_iter().find(|folder| folder.is_dir()).ok_or_else(|| no_log(path))?;
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .map_err(|error| unreadable(&folder, &error))?;
    files.retain(|file| file.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    match files.is_empty() {
        true => Err(no_log(path)),
        false => files.iter().map(|file| of_file(file, &keys)).collect(),
    }
}

/// The keys to compare with.
struct Keys<'a> {
    named: Option<&'a str>,
    known: &'a [PublicKeyView],
}

fn of_file(path: &Path, keys: &Keys<'_>) -> Result<LogFileReport, ServiceError> {
    let failed = |error: &Error| unreadable(path, error);
    let mut file = File::open(path).map_err(|error| failed(&error))?;
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_lines = match ending.as_deref() {
        Some("jsonl") => true,
        Some("json" | "html" | "htm") => false,
        _ => begins_with_event(&mut file).map_err(|error| failed(&error))?,
    };
    if is_lines {
        return lines(path, file, keys).map_err(|error| failed(&error));
    }
    if file.metadata().map_err(|error| failed(&error))?.len() > WHOLE_MAX {
        let message = message!("app-log-too-large", file = %path.display(), megabytes = WHOLE_MAX >> 20);
        return Err(ServiceError::usage(message, message!("app-log-too-large-hint")).with("field", "file"));
    }
    let mut bytes = Vec::new();
    file.take(WHOLE_MAX).read_to_end(&mut bytes).map_err(|error| failed(&error))?;
    if bytes.starts_with(DATABASE) {
        let message = message!("app-log-database", file = %path.display());
        let command = message!("app-log-database-hint-terminal", file = %path.display());
        let hint = Wording::from(message!("app-log-database-hint")).at_terminal(command);
        return Err(ServiceError::usage(message, hint).with("field", "file"));
    }
    let content = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes).trim_ascii_start();
    let reads: fn(&Path, &str, &Keys<'_>) -> Result<LogFileReport, ServiceError> = match content.first() {
        Some(b'<') => page,
        Some(b'{') => document,
        None => return Err(cut_short(path, "0 B")),
        Some(_) => return Err(no_log(path)),
    };
    let text = std::str::from_utf8(content).map_err(|error| cut_short(path, &error.to_string()))?;
    reads(path, text, keys)
}

/// Whether the first line is an event, as in a log line by line.
fn begins_with_event(file: &mut File) -> Result<bool, Error> {
    Ok(first_place(file)?.is_some())
}

/// Where the first line says that it belongs; `None` when it is no event. The file is then at its beginning again.
fn first_place(file: &mut File) -> Result<Option<EventPosition>, Error> {
    let mut first = Vec::new();
    BufReader::new(&mut *file).take(LINE_MAX).read_until(b'\n', &mut first)?;
    file.rewind()?;
    Ok(std::str::from_utf8(&first).ok().and_then(EventPosition::of))
}

/// A log line by line. Its last line, with the checksums, is read first, so that no more than a line is in memory.
fn lines(path: &Path, mut file: File, keys: &Keys<'_>) -> Result<LogFileReport, Error> {
    let (closing_at, closing) = last_line(&mut file)?;
    let closed: Option<ClosingLine> = serde_json::from_slice(&closing).ok();
    // A file without its last line is events to its end.
    let until = if closed.is_some() { closing_at } else { u64::MAX };
    let is_cut_off = closed.is_none();
    let ClosingLine { chain, signature, unsigned } = closed.unwrap_or_default();
    let hashes = (1..).zip(&chain).filter_map(|(seq, hash)| Some((seq, from_hex(hash)?)));
    let meeting = first_place(&mut file)?.map(|place| place.meeting_id);
    let mut check = Checked::begin(meeting, hashes.collect(), signature, unsigned);
    let mut reader = BufReader::new(file.take(until));
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut reader).take(LINE_MAX).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        check.events.line(text.trim_end_matches(['\n', '\r']), None);
    }
    if is_cut_off {
        check.events.add(LogProblem::CutOff);
    }
    Ok(check.report(path, keys))
}

/// The last line of a file that is not empty, and where it begins.
fn last_line(file: &mut File) -> Result<(u64, Vec<u8>), Error> {
    let mut begins_at = file.seek(SeekFrom::End(0))?;
    let mut line: Vec<u8> = Vec::new();
    while begins_at > 0 && (line.len() as u64) < LINE_MAX {
        let bytes = begins_at.min(PIECE);
        begins_at -= bytes;
        file.seek(SeekFrom::Start(begins_at))?;
        let mut piece = vec![0; bytes as usize];
        file.read_exact(&mut piece)?;
        let ends = piece.iter().rposition(|byte| !byte.is_ascii_whitespace());
        let begins = match (line.is_empty(), ends) {
            // Nothing but line ends so far.
            (true, None) => continue,
            (true, Some(ends)) => {
                piece.truncate(ends + 1);
                piece.iter().rposition(|byte| *byte == b'\n')
            }
            (false, _) => piece.iter().rposition(|byte| *byte == b'\n'),
        };
        let begins = begins.map(|at| at + 1);
        line.splice(0..0, piece.drain(begins.unwrap_or(0)..));
        if let Some(begins) = begins {
            begins_at += begins as u64;
            break;
        }
    }
    file.rewind()?;
    Ok((begins_at, line))
}

/// A JSON file: an export, or a file of the folder `signatures`.
fn document(path: &Path, text: &str, keys: &Keys<'_>) -> Result<LogFileReport, ServiceError> {
    let document: Document =
        serde_json::from_str(text).map_err(|error| cut_short(path, &error.to_string()))?;
    let chain = document.chain.ok_or_else(|| no_log(path))?;
    let shown = document.events;
    let entries: Vec<Entry> = (chain.into_iter().enumerate())
        .map(|(at, ChainEntry { hash, line })| Entry { hash, line, shown: shown.get(at).cloned() })
        .collect();
    let mut check = whole(document.meeting_id, entries, document.signature, document.unsigned);
    for added in shown.iter().skip(check.events.events as usize) {
        let event = added["seq"].as_u64().unwrap_or(check.events.events + 1);
        check.events.add(LogProblem::Added { event });
    }
    Ok(check.report(path, keys))
}

/// The page of a meeting: its data stand in one element.
fn page(path: &Path, text: &str, keys: &Keys<'_>) -> Result<LogFileReport, ServiceError> {
    #[derive(Deserialize)]
    struct Record {
        meeting: MeetingId,
        events: Vec<Entry>,
        signature: Option<Value>,
        unsigned: Option<UnsignedReason>,
    }
    let (before, record) = text.split_once("\" id=\"record\">").ok_or_else(|| no_log(path))?;
    let (_, kind) = before.rsplit_once("<script type=\"").ok_or_else(|| no_log(path))?;
    let (record, _) = record.split_once("</script>").ok_or_else(|| cut_short(path, "</script>"))?;
    let record = match kind {
        "application/json" => Cow::Borrowed(record),
        PACKED => unpacked(record).map_err(|error| cut_short(path, &error.to_string()))?.into(),
        _ => return Err(no_log(path)),
    };
    let record: Record =
        serde_json::from_str(&record).map_err(|error| cut_short(path, &error.to_string()))?;
    let Record { meeting, mut events, signature, unsigned } = record;
    complete(&meeting, &mut events);
    Ok(whole(Some(meeting), events, signature, unsigned).report(path, keys))
}

/// The type of the element that holds the data of a long meeting (`crates/print/src/html.rs`).
pub(super) const PACKED: &str = "application/vnd.quorate.deflate";

/// Data that were compressed; no more of them than of a file that is not.
fn unpacked(record: &str) -> Result<String, Error> {
    let bytes = BASE64_STANDARD.decode(record).map_err(|error| Error::new(ErrorKind::InvalidData, error))?;
    let mut text = String::new();
    let read = DeflateDecoder::new(bytes.as_slice()).take(WHOLE_MAX + 1).read_to_string(&mut text)?;
    match read as u64 > WHOLE_MAX {
        true => Err(ErrorKind::FileTooLarge.into()),
        false => Ok(text),
    }
}

/// An event of a file that is read whole.
#[derive(Deserialize)]
struct Entry {
    hash: String,
    line: Option<String>,
    /// The event as the file shows it.
    shown: Option<Value>,
}

/// Works out the checksums that are only begun. One that its line does not lead to is filled up with zeros, so that the
/// event is found changed; what is begun between it and the next whole one stays without a checksum. So does one that has
/// to be whole, the last and that before a withheld event: nothing after it would show a change.
fn complete(meeting: &MeetingId, entries: &mut [Entry]) {
    let mut before = Some(chain::beginning(meeting));
    for place in 0..entries.len() {
        let is_followed = entries.get(place + 1).is_some_and(|next| next.line.is_some());
        let entry = &mut entries[place];
        if entry.hash.len() != chain::BEGUN_DIGITS || !is_followed {
            before = from_hex(&entry.hash);
            continue;
        }
        let (Some(known), Some(line)) = (before, &entry.line) else { continue };
        let hash = chain::next(&known, line.as_bytes());
        let fits = to_hex(&hash).starts_with(&entry.hash);
        before = fits.then_some(hash);
        entry.hash = if fits { to_hex(&hash) } else { format!("{:0<64}", entry.hash) };
    }
}

/// Checks a log that was read whole.
fn whole(
    meeting: Option<MeetingId>,
    entries: Vec<Entry>,
    signature: Option<Value>,
    unsigned: Option<UnsignedReason>,
) -> Checked {
    // An event says its number itself; one that is withheld stands behind the one before it.
    let mut last = 0u64;
    let place = |entry: &Entry| {
        let said = entry.line.as_deref().and_then(EventPosition::of).map(|place| place.seq);
        last = said.unwrap_or(last.saturating_add(1));
        last
    };
    let places: Vec<u64> = entries.iter().map(place).collect();
    let mut stated = BTreeMap::new();
    for (seq, entry) in places.iter().zip(&entries) {
        if let Some(hash) = from_hex(&entry.hash) {
            stated.entry(*seq).or_insert(hash);
        }
    }
    let of_first = || EventPosition::of(entries.iter().find_map(|entry| entry.line.as_deref())?);
    let meeting = meeting.or_else(|| of_first().map(|place| place.meeting_id));
    let mut check = Checked::begin(meeting, stated, signature, unsigned);
    for (seq, entry) in places.into_iter().zip(entries) {
        match entry.line {
            Some(line) => check.events.line(&line, entry.shown.as_ref()),
            None => check.events.withheld(seq),
        }
    }
    check
}

/// A log that is being checked, with what the file says of its signature.
struct Checked {
    meeting: Option<MeetingId>,
    events: Check,
    signature: Option<LogSignature>,
    unsigned: Option<UnsignedReason>,
}

impl Checked {
    fn begin(
        meeting: Option<MeetingId>,
        stated: BTreeMap<u64, Hash>,
        signature: Option<Value>,
        unsigned: Option<UnsignedReason>,
    ) -> Self {
        let given = signature.as_ref().is_some_and(|signature| !signature.is_null());
        let signature: Option<LogSignature> =
            signature.and_then(|signature| serde_json::from_value(signature).ok());
        let meeting = meeting.or_else(|| signature.as_ref().map(|signature| signature.meeting_id.clone()));
        let unknown = MeetingId::new("");
        let mut events = Check::of(meeting.clone().unwrap_or(unknown), stated, signature.clone());
        if given && signature.is_none() {
            events.add(LogProblem::Signature);
        }
        Self { meeting, events, signature, unsigned }
    }

    fn report(mut self, path: &Path, keys: &Keys<'_>) -> LogFileReport {
        self.events.finish();
        let key = match (&self.signature, keys.named) {
            (Some(signature), Some(named)) if is_named(signature, named) => TrustedKey::Named,
            (_, Some(_)) => {
                self.events.add(LogProblem::OtherKey);
                TrustedKey::Unknown
            }
            (Some(signature), None) => {
                let is_known = |known: &PublicKeyView| known.public_key == signature.public_key;
                if keys.known.iter().any(is_known) { TrustedKey::Known } else { TrustedKey::Unknown }
            }
            (None, None) => TrustedKey::Unknown,
        };
        let Check { events, checked, withheld, signed, problems, further_problems, .. } = self.events;
        LogFileReport {
            file: path.display().to_string(),
            ok: problems.is_empty(),
            meeting_id: self.meeting,
            events,
            checked,
            withheld,
            signature: self.signature,
            unsigned: self.unsigned,
            signed,
            key,
            problems,
            further_problems,
        }
    }
}

/// Whether a signature names this key: its id, or the key itself.
fn is_named(signature: &LogSignature, named: &str) -> bool {
    let named = named.trim().to_ascii_lowercase();
    named == signature.key_id || named == signature.public_key
}

fn unreadable(path: &Path, error: &Error) -> ServiceError {
    let message = message!("app-log-unreadable-file", file = %path.display(), %error);
    let hint = match error.kind() {
        ErrorKind::NotFound => message!("app-log-no-file-hint"),
        _ => message!("app-log-unreadable-file-hint"),
    };
    ServiceError::usage(message, hint).with("field", "file")
}

fn cut_short(path: &Path, detail: &str) -> ServiceError {
    let message = message!("app-log-not-whole", file = %path.display(), %detail);
    ServiceError::usage(message, message!("app-log-not-whole-hint")).with("field", "file")
}

fn no_log(path: &Path) -> ServiceError {
    let message = message!("app-log-none", file = %path.display());
    ServiceError::usage(message, message!("app-log-none-hint")).with("field", "file")
}
