//! Inspection of a write-ahead log on the disk.
//!
//! SQLite accepts a log up to its first invalid frame, and ignores what follows: after a crash that is an
//! unfinished commit, which is no loss, though the end of it may have arrived without its beginning. When more than that
//! follows of the same log, commits were acknowledged, and their contents are lost. The format is SQLite's own ("WAL-mode file format").

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use quorate_messages::{Language, Message, message};

use super::in_line::DiskGate;
use super::place::{WAL_HEADER, wal_of};

/// The first four bytes of a log, without the lowest bit, which says how its checksums are counted.
const MAGIC: u32 = 0x377f_0682;
const FRAME_HEADER: usize = 24;
/// How often a log that looks damaged is read again: another process may be writing it.
const LOOKS: u32 = 3;

/// The place from which on a log is invalid, although more was written to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogDamage {
    /// The first frame that is not right, counted from 1; 0 when it is the log's header.
    pub(crate) frame: u64,
    /// The number of commits of the same log at or behind this place.
    pub(crate) commits: u64,
}

impl LogDamage {
    /// What is lost.
    pub(crate) fn told(&self) -> Message {
        match (self.frame, self.commits) {
            (0, _) => message!("store-verify-log-header"),
            (frame, commits) => message!("store-verify-log-damaged", %frame, commits),
        }
    }
}

impl std::fmt::Display for LogDamage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.told().text(Language::En))
    }
}

/// The damage of the write-ahead log of the database at `path`, if it has one. Call it before the database is
/// opened, because opening accepts the log up to its first bad frame.
pub(crate) fn damage(path: &Path, disk: &DiskGate) -> std::io::Result<Option<LogDamage>> {
    let mut found = look(path, disk)?;
    let mut alike = 1;
    for _ in 0..10 * LOOKS {
        if found.is_none() || alike == LOOKS {
            break;
        }
        std::thread::sleep(Duration::from_millis(30));
        let again = look(path, disk)?;
        alike = if again == found { alike + 1 } else { 1 };
        found = again;
    }
    Ok(found)
}

fn look(path: &Path, disk: &DiskGate) -> std::io::Result<Option<LogDamage>> {
    // The shared index knows the length of the log, also when its users were killed. It is read first: a log
    // only grows until it is restarted with other salts.
    let index = shared_index(path, disk);
    let mut log = match disk.open(&wal_of(path)) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut header = [0; WAL_HEADER as usize];
    // A log that is no longer than its header holds nothing.
    if !fill(&mut log, &mut header)? || disk.length(&wal_of(path)) <= WAL_HEADER {
        return Ok(None);
    }
    let big_endian = number(&header, 0) & 1 == 1;
    let page = number(&header, 8) as usize;
    let mut sum = checksum((0, 0), &header[..24], big_endian);
    let is_right = number(&header, 0) & !1 == MAGIC
        && (512..=65_536).contains(&page)
        && page.is_power_of_two()
        && sum == (number(&header, 24), number(&header, 28));
    if !is_right {
        return Ok(Some(LogDamage { frame: 0, commits: 0 }));
    }
    let salts = &header[16..24];
    let mut frame = vec![0; FRAME_HEADER + page];
    let (mut whole, mut broken, mut commits, mut ends_with_commit) = (0, None, 0, false);
    let mut count = 0;
    while fill(&mut log, &mut frame)? {
        count += 1;
        let same_log = frame[8..16] == *salts;
        if broken.is_none() {
            let next = checksum(sum, &frame[..8], big_endian);
            let next = checksum(next, &frame[FRAME_HEADER..], big_endian);
            if same_log && next == (number(&frame, 16), number(&frame, 20)) {
                (sum, whole) = (next, count);
                continue;
            }
            broken = Some(count);
        }
        let is_commit = number(&frame, 4) != 0;
        commits += u64::from(same_log && is_commit);
        ends_with_commit = if same_log { is_commit } else { ends_with_commit };
    }
    let known = index.map_or(0, |index| known_frames(&index, salts));
    // The last commit was acknowledged if the index knows it, or if more was written after it. Otherwise the power went
    // while it was being flushed, and some of it has arrived.
    let is_unfinished = commits == 0 || (commits == 1 && ends_with_commit);
    if is_unfinished && known <= whole {
        return Ok(None);
    }
    Ok(Some(LogDamage { frame: broken.unwrap_or(whole + 1), commits: commits.max(1) }))
}

/// The head of the shared index. A file that cannot be read says nothing.
fn shared_index(path: &Path, disk: &DiskGate) -> Option<[u8; 96]> {
    let mut name = path.as_os_str().to_owned();
    name.push("-shm");
    let mut index = [0; 96];
    let mut file = disk.open(&PathBuf::from(name)).ok()?;
    fill(&mut file, &mut index).ok()?.then_some(index)
}

/// The number of frames that the shared index knows of a log with these salts.
fn known_frames(index: &[u8; 96], salts: &[u8]) -> u64 {
    let (one, other) = index.split_at(48);
    let is_used = one == other && one[12] == 1 && one[32..40] == *salts;
    let frames = u32::from_ne_bytes([one[16], one[17], one[18], one[19]]);
    if is_used { u64::from(frames) } else { 0 }
}

/// Reads the requested number of bytes; false when there are fewer.
fn fill(from: &mut impl Read, to: &mut [u8]) -> std::io::Result<bool> {
    match from.read_exact(to) {
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(false),
        read => read.map(|()| true),
    }
}

fn number(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

/// SQLite's running checksum over pairs of 32-bit numbers.
fn checksum((mut one, mut two): (u32, u32), bytes: &[u8], big_endian: bool) -> (u32, u32) {
    let read = |bytes: &[u8]| {
        let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
        if big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) }
    };
    for pair in bytes.chunks_exact(8) {
        one = one.wrapping_add(read(pair)).wrapping_add(two);
        two = two.wrapping_add(read(&pair[4..])).wrapping_add(one);
    }
    (one, two)
}

/// Keeps a copy of a damaged log beside the database, before it is taken for as long as it can be read.
pub(crate) fn keep_copy(path: &Path, disk: &DiskGate) -> std::io::Result<PathBuf> {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let mut name = path.as_os_str().to_owned();
    name.push(format!("{KEPT}{seconds}"));
    let copy = PathBuf::from(name);
    match disk.vfs() {
        Some(_) => _ = std::io::copy(&mut disk.open(&wal_of(path))?, &mut std::fs::File::create(&copy)?)?,
        None => _ = std::fs::copy(wal_of(path), &copy)?,
    }
    Ok(copy)
}

/// The copies that were kept.
pub(crate) fn copies(path: &Path) -> Vec<PathBuf> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let mut beginning = name.to_owned();
    beginning.push(KEPT);
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_copy = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(beginning.as_encoded_bytes());
    let mut found: Vec<_> =
        entries.filter(|entry| is_copy(&entry.file_name())).map(|entry| entry.path()).collect();
    found.sort();
    found
}

/// The suffix of the database's name in the name of a copy, before the second in which it was made.
const KEPT: &str = "-wal.damaged-";
