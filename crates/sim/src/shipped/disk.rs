//! A disk in memory below SQLite, with all that a disk may do: what is written lies in a cache until it is flushed, a write
//! arrives in part, a flush fails, a place cannot be read, there is no space, the power goes.
//!
//! A file is what processes see, what is on the platter, and the writes in between. When a process dies, the cache stays; when
//! the power goes, each sector that was written since the last flush is on the platter or is not, whatever the others do. A
//! flush that failed has written some sectors and forgotten the others: the next flush does not write them, though processes
//! still see them.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use super::world::World;
use crate::fault_plan::DiskFaults;
use crate::rng::Rng;

/// The sizes of what is written whole or not at all.
const SECTORS: [usize; 2] = [512, 4096];

/// The size of a page of the index that the connections to one database share.
pub(super) const REGION: usize = 32_768;

type Result<T> = std::result::Result<T, Error>;

/// A change of a file that has not been flushed.
#[derive(Debug, Clone)]
enum Change {
    Write { at: usize, bytes: Vec<u8> },
    Length(usize),
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Length(length) => content.resize(*length, 0),
            Self::Write { at, bytes } => {
                if content.len() < at + bytes.len() {
                    content.resize(at + bytes.len(), 0);
                }
                content[*at..at + bytes.len()].copy_from_slice(bytes);
            }
        }
    }

    /// The pieces that are written whole or not at all.
    fn pieces(self, sector: usize) -> Vec<Self> {
        let Self::Write { at, bytes } = self else { return vec![self] };
        let mut pieces = Vec::with_capacity(bytes.len() / sector + 2);
        let (mut from, end) = (at, at + bytes.len());
        while from < end {
            let to = ((from / sector + 1) * sector).min(end);
            pieces.push(Self::Write { at: from, bytes: bytes[from - at..to - at].to_vec() });
            from = to;
        }
        pieces
    }
}

#[derive(Debug, Default)]
struct File {
    /// What processes see.
    cached: Vec<u8>,
    /// What is on the platter.
    durable: Vec<u8>,
    unflushed: Vec<Change>,
}

impl File {
    fn change(&mut self, change: Change) {
        change.apply(&mut self.cached);
        self.unflushed.push(change);
    }

    fn flush(&mut self) {
        for change in self.unflushed.drain(..) {
            change.apply(&mut self.durable);
        }
    }

    /// Some of the sectors that wait reach the platter; the others never do.
    fn flush_in_part(&mut self, rng: &mut Rng) {
        // All, nothing, or each as the dice fall.
        let share = rng.pick(&[0, 1000, 500, 500, 900, 100]);
        let sector = rng.pick(&SECTORS);
        // What is written after a file was cut lies in new blocks. Where the platter still has the file as it was before the
        // cut, none of them belongs to it: old and new sectors do not mix.
        let mut is_cut_from = usize::MAX;
        for change in std::mem::take(&mut self.unflushed) {
            for piece in change.pieces(sector) {
                let is_kept = rng.per_mille(share);
                match piece {
                    Change::Length(length) if !is_kept && length < self.durable.len() => {
                        is_cut_from = is_cut_from.min(length);
                    }
                    Change::Write { at, ref bytes } if at + bytes.len() > is_cut_from => {}
                    piece if is_kept => piece.apply(&mut self.durable),
                    _ => {}
                }
            }
        }
    }
}

/// The index of a write-ahead log that all connections to a database share, and who holds its locks.
#[derive(Default)]
pub(super) struct SharedIndex {
    regions: BTreeMap<u32, Box<[u8; REGION]>>,
    /// The number of connections that share each lock, or `None` where one has it alone.
    locks: [Option<u32>; 8],
    users: u32,
    is_begun: bool,
}

impl SharedIndex {
    pub(super) fn enter(&mut self) {
        if !self.is_begun {
            (self.locks, self.is_begun) = ([Some(0); 8], true);
        }
        self.users += 1;
    }

    /// The last one who leaves takes it along.
    pub(super) fn leave(&mut self) {
        self.users = self.users.saturating_sub(1);
        if self.users == 0 {
            *self = Self::default();
        }
    }

    pub(super) fn region(&mut self, number: u32) -> &mut [u8; REGION] {
        self.regions.entry(number).or_insert_with(|| Box::new([0; REGION]))
    }

    pub(super) fn forget_regions(&mut self) {
        self.regions.clear();
    }

    pub(super) fn lock(&mut self, place: usize) -> &mut Option<u32> {
        &mut self.locks[place]
    }
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Look,
    Open,
    Read,
    Write,
    Flush,
}

pub(super) struct State {
    files: BTreeMap<u64, File>,
    /// The files by their names, as processes see them and as they are on the platter.
    names: BTreeMap<String, u64>,
    durable_names: BTreeMap<String, u64>,
    next: u64,
    /// Who holds which lock of a file.
    pub(super) holders: BTreeMap<(u64, u64), u8>,
    pub(super) indexes: BTreeMap<String, SharedIndex>,
    /// The number of the process; the files that an earlier one has open are out of reach.
    process: u64,
    is_cut: bool,
    /// The number of writes and flushes after which the process is cut off.
    fuse: Option<u64>,
    rng: Rng,
    faults: DiskFaults,
    /// Whoever only checks reads without faults.
    quiet: u32,
    full_until: u64,
    unreadable_until: u64,
    failing_until: u64,
}

/// The disk of one simulation.
pub(super) struct SimulatedDisk {
    state: Mutex<State>,
    world: OnceLock<Weak<World>>,
}

/// As long as it is there, nothing fails.
pub(super) struct Quiet<'a>(&'a SimulatedDisk);

impl Drop for Quiet<'_> {
    fn drop(&mut self) {
        self.0.state().quiet -= 1;
    }
}

/// One open file of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct OpenFile {
    pub(super) file: u64,
    pub(super) number: u64,
    process: u64,
}

fn failed(what: &'static str) -> Error {
    Error::other(what)
}

impl SimulatedDisk {
    pub(super) fn new(seed: u64, faults: DiskFaults) -> Self {
        let state = State {
            files: BTreeMap::new(),
            names: BTreeMap::new(),
            durable_names: BTreeMap::new(),
            next: 0,
            holders: BTreeMap::new(),
            indexes: BTreeMap::new(),
            process: 0,
            is_cut: false,
            fuse: None,
            rng: Rng::new(seed ^ 0x00d1_5c00),
            faults,
            quiet: 0,
            full_until: 0,
            unreadable_until: 0,
            failing_until: 0,
        };
        Self { state: Mutex::new(state), world: OnceLock::new() }
    }

    /// Tells it to whom faults are told.
    pub(super) fn belongs_to(&self, world: Weak<World>) {
        _ = self.world.set(world);
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Nothing fails while the guard is there.
    pub(super) fn quietly(&self) -> Quiet<'_> {
        self.state().quiet += 1;
        Quiet(self)
    }

    /// Puts a file there.
    pub(super) fn put(&self, name: &str, content: Vec<u8>) {
        let mut state = self.state();
        let file = state.create(name);
        state.durable_names.insert(name.to_owned(), file);
        state.files.insert(file, File { durable: content.clone(), cached: content, unflushed: Vec::new() });
    }

    /// The content of a file, as processes see it.
    pub(super) fn content(&self, name: &str) -> Result<Vec<u8>> {
        let state = self.state();
        let file = state.names.get(name).and_then(|file| state.files.get(file));
        file.map(|file| file.cached.clone()).ok_or_else(|| ErrorKind::NotFound.into())
    }

    /// From now on the present process reaches nothing any more.
    pub(super) fn cut_off(&self) {
        self.state().is_cut = true;
    }

    /// The present process is cut off after some more writes and flushes.
    pub(super) fn cut_off_soon(&self) {
        let mut state = self.state();
        state.fuse = Some(state.rng.below(24));
    }

    /// Whether the present process was cut off.
    pub(super) fn is_cut(&self) -> bool {
        self.state().is_cut
    }

    /// Another process begins, after the power was lost or not.
    pub(super) fn restart(&self, power_was_lost: bool) {
        let mut guard = self.state();
        let state = &mut *guard;
        state.process += 1;
        (state.is_cut, state.fuse) = (false, None);
        state.indexes.clear();
        state.holders.clear();
        if !power_was_lost {
            return;
        }
        (state.full_until, state.unreadable_until, state.failing_until) = (0, 0, 0);
        let names: Vec<String> = state.names.keys().chain(state.durable_names.keys()).cloned().collect();
        let mut left = BTreeMap::new();
        for name in names {
            let (new, old) = (state.names.get(&name), state.durable_names.get(&name));
            let stays = if new == old || state.rng.per_mille(500) { old } else { new };
            if let Some(file) = stays {
                left.insert(name, *file);
            }
        }
        state.files.retain(|number, _| left.values().any(|file| file == number));
        for file in state.files.values_mut() {
            file.flush_in_part(&mut state.rng);
            file.cached.clone_from(&file.durable);
        }
        (state.names, state.durable_names) = (left.clone(), left);
    }

    /// A fault that happens now is told.
    fn tell(&self, fault: &'static str, lasts_ms: u64) {
        let world = self.world.get().and_then(Weak::upgrade);
        world.into_iter().for_each(|world| world.disk_has(fault, lasts_ms));
    }

    /// Whether the faults go on.
    fn now(&self) -> Option<u64> {
        let world = self.world.get().and_then(Weak::upgrade)?;
        (!world.is_calm()).then(|| world.now_ms())
    }

    /// Asked before anything is done: whether it fails.
    fn begin(&self, state: &mut State, process: u64, work: Work) -> Result<()> {
        if state.is_cut || process != state.process {
            return Err(failed("the process is dead"));
        }
        if let (Some(left), Work::Write | Work::Flush) = (&mut state.fuse, work) {
            match left.checked_sub(1) {
                Some(less) => *left = less,
                None => {
                    state.is_cut = true;
                    // What it was writing is on its way.
                    return if work == Work::Write { Ok(()) } else { Err(failed("the process is dead")) };
                }
            }
        }
        if state.quiet > 0 || state.faults.is_sound() {
            return Ok(());
        }
        let Some(now) = self.now() else { return Ok(()) };
        let lasts = |state: &mut State| state.rng.pick(&[0, 0, 1, 900, 5_000, 60_000]);
        match work {
            Work::Look => Ok(()),
            Work::Open if state.rng.below(10_000) < state.faults.open => {
                self.tell("file not opened", 0);
                Err(failed("too many open files"))
            }
            Work::Read if now < state.unreadable_until => Err(failed("it cannot be read")),
            Work::Read if state.rng.below(10_000) < state.faults.read => {
                let lasts_ms = lasts(state);
                state.unreadable_until = now + lasts_ms;
                self.tell("read failed", lasts_ms);
                Err(failed("it cannot be read"))
            }
            Work::Flush if now < state.failing_until => Err(failed("it cannot be flushed")),
            Work::Flush if state.rng.below(10_000) < state.faults.flush => {
                let lasts_ms = lasts(state);
                state.failing_until = now + lasts_ms;
                self.tell("flush failed below", lasts_ms);
                Err(failed("it cannot be flushed"))
            }
            Work::Write if now < state.full_until => Err(ErrorKind::WriteZero.into()),
            Work::Write if state.rng.below(10_000) < state.faults.write => {
                if state.rng.per_mille(500) {
                    let lasts_ms = lasts(state);
                    state.full_until = now + lasts_ms;
                    self.tell("full below", lasts_ms);
                    return Err(ErrorKind::WriteZero.into());
                }
                self.tell("write torn", 0);
                Err(failed("it cannot be written"))
            }
            Work::Open | Work::Read | Work::Flush | Work::Write => Ok(()),
        }
    }

    pub(super) fn exists(&self, name: &str) -> Result<bool> {
        let mut state = self.state();
        let process = state.process;
        self.begin(&mut state, process, Work::Look)?;
        Ok(state.names.contains_key(name))
    }

    pub(super) fn delete(&self, name: &str) -> Result<()> {
        let mut state = self.state();
        if !state.is_cut {
            state.names.remove(name);
        }
        Ok(())
    }

    /// Gives a file another name, and flushes the folder.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<()> {
        let mut guard = self.state();
        let state = &mut *guard;
        let process = state.process;
        let begun = self.begin(state, process, Work::Flush);
        if state.is_cut {
            return Err(failed("the process is dead"));
        }
        let file = state.names.remove(from).ok_or(ErrorKind::NotFound)?;
        state.names.insert(to.to_owned(), file);
        if begun.is_ok() {
            state.durable_names.clone_from(&state.names);
        }
        begun
    }

    /// Opens a file, and makes it when it is not there and that is asked for.
    pub(super) fn open(&self, name: &str, makes: bool) -> Result<OpenFile> {
        let mut state = self.state();
        let process = state.process;
        self.begin(&mut state, process, Work::Open)?;
        let file = match state.names.get(name) {
            Some(file) => *file,
            None if makes => state.create(name),
            None => return Err(ErrorKind::NotFound.into()),
        };
        state.next += 1;
        Ok(OpenFile { file, number: state.next, process })
    }

    pub(super) fn length(&self, open: OpenFile) -> Result<usize> {
        let mut state = self.state();
        self.begin(&mut state, open.process, Work::Look)?;
        Ok(state.files.get(&open.file).map_or(0, |file| file.cached.len()))
    }

    /// Reads as much as there is.
    pub(super) fn read(&self, open: OpenFile, at: usize, to: &mut [u8]) -> Result<usize> {
        let mut state = self.state();
        self.begin(&mut state, open.process, Work::Read)?;
        let content = state.files.get(&open.file).map_or(&[][..], |file| &file.cached);
        let found = content.get(at..).unwrap_or_default();
        let length = found.len().min(to.len());
        to[..length].copy_from_slice(&found[..length]);
        Ok(length)
    }

    pub(super) fn write(&self, open: OpenFile, at: usize, bytes: &[u8]) -> Result<()> {
        let mut guard = self.state();
        let state = &mut *guard;
        let begun = self.begin(state, open.process, Work::Write);
        let was_alive = open.process == state.process && (begun.is_ok() || !state.is_cut);
        // What cannot be written whole may be written in part.
        let length = if begun.is_ok() { bytes.len() } else { state.rng.place(bytes.len() + 1) };
        if let Some(file) = state.files.get_mut(&open.file)
            && was_alive
        {
            file.change(Change::Write { at, bytes: bytes[..length].to_vec() });
        }
        match state.is_cut {
            true => Err(failed("the process is dead")),
            false => begun,
        }
    }

    /// Writes a file again as processes see it, and flushes it.
    pub(super) fn write_again(&self, name: &str) -> Result<()> {
        if !self.exists(name)? {
            return Ok(());
        }
        let open = self.open(name, false)?;
        let mut content = vec![0; self.length(open)?];
        self.read(open, 0, &mut content)?;
        self.write(open, 0, &content)?;
        self.flush(open)
    }

    pub(super) fn set_length(&self, open: OpenFile, length: usize) -> Result<()> {
        let mut state = self.state();
        self.begin(&mut state, open.process, Work::Look)?;
        if let Some(file) = state.files.get_mut(&open.file) {
            file.change(Change::Length(length));
        }
        Ok(())
    }

    pub(super) fn flush(&self, open: OpenFile) -> Result<()> {
        let mut guard = self.state();
        let state = &mut *guard;
        let begun = self.begin(state, open.process, Work::Flush);
        let is_alive = open.process == state.process && !state.is_cut;
        let Some(file) = state.files.get_mut(&open.file) else { return begun };
        match &begun {
            Ok(()) => {
                file.flush();
                if !state.durable_names.values().any(|durable| *durable == open.file) {
                    // The folder is flushed with the first flush of a new file.
                    state.durable_names.clone_from(&state.names);
                }
            }
            Err(_) if is_alive => file.flush_in_part(&mut state.rng),
            Err(_) => {}
        }
        begun
    }
}

impl State {
    fn create(&mut self, name: &str) -> u64 {
        self.next += 1;
        self.files.insert(self.next, File::default());
        self.names.insert(name.to_owned(), self.next);
        self.next
    }

    pub(super) fn process(&self) -> u64 {
        self.process
    }

    pub(super) fn is_reachable(&self, process: u64) -> bool {
        process == self.process && !self.is_cut
    }
}

impl OpenFile {
    pub(super) fn process(&self) -> u64 {
        self.process
    }
}
