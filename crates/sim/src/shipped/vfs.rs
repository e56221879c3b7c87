//! The simulated disks as a file system of SQLite.
//!
//! Each thread registers one file system of its own with SQLite, because the crate that registers it keeps what it counts
//! without a lock. Every folder in it is the disk of one simulation.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use sqlite_vfs::wip::{WalIndex, WalIndexLock};
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenKind, OpenOptions, Vfs};

use super::disk::{OpenFile, REGION, SimulatedDisk};
use super::world::locked;

type Result<T> = std::result::Result<T, Error>;

/// The disks by the folders in which their files are.
static DISKS: OnceLock<Mutex<BTreeMap<String, Arc<SimulatedDisk>>>> = OnceLock::new();

fn disks() -> &'static Mutex<BTreeMap<String, Arc<SimulatedDisk>>> {
    DISKS.get_or_init(Mutex::default)
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn disk_of(path: &str) -> Result<Arc<SimulatedDisk>> {
    locked(disks()).get(folder_of(path)).cloned().ok_or_else(|| ErrorKind::NotFound.into())
}

/// A disk in its place among the files of SQLite; it is taken away when this is dropped.
pub(super) struct Mounted {
    folder: String,
    vfs: String,
}

impl Mounted {
    /// Mounts a disk at a folder, for this thread.
    pub(super) fn at(folder: &str, disk: Arc<SimulatedDisk>) -> std::result::Result<Self, String> {
        thread_local! {
            static VFS: OnceCell<String> = const { OnceCell::new() };
        }
        static VFS_COUNT: AtomicU64 = AtomicU64::new(0);
        let vfs = VFS.with(|known| {
            if let Some(name) = known.get() {
                return Ok(name.clone());
            }
            let name = format!("quorate-sim-{}", VFS_COUNT.fetch_add(1, Ordering::Relaxed));
            sqlite_vfs::register(&name, SimulatedFiles::default(), false)
                .map_err(|error| error.to_string())?;
            Ok::<_, String>(known.get_or_init(|| name).clone())
        })?;
        locked(disks()).insert(folder.to_owned(), disk);
        Ok(Self { folder: folder.to_owned(), vfs })
    }

    /// The name of the file system.
    pub(super) fn vfs(&self) -> &str {
        &self.vfs
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        locked(disks()).remove(&self.folder);
    }
}

/// All disks of one thread.
#[derive(Default)]
struct SimulatedFiles {
    temporary: AtomicU64,
}

impl Vfs for SimulatedFiles {
    type Handle = Handle;

    fn open(&self, name: &str, options: OpenOptions) -> Result<Handle> {
        let is_temporary = matches!(
            options.kind,
            OpenKind::TempDb | OpenKind::TempJournal | OpenKind::TransientDb | OpenKind::SubJournal
        );
        if is_temporary {
            return Ok(Handle {
                content: Content::Temporary(Vec::new()),
                lock: LockKind::None,
                name: name.to_owned(),
                is_read_only: false,
            });
        }
        let disk = disk_of(name)?;
        // An empty database is a file that somebody has made.
        let makes = options.access != OpenAccess::Read || options.kind == OpenKind::MainDb;
        let file = disk.open(name, makes)?;
        Ok(Handle {
            content: Content::OnDisk { disk, file },
            lock: LockKind::None,
            name: name.to_owned(),
            is_read_only: options.access == OpenAccess::Read,
        })
    }

    fn delete(&self, name: &str) -> Result<()> {
        match disk_of(name) {
            Ok(disk) => disk.delete(name),
            // A temporary file.
            Err(_) => Ok(()),
        }
    }

    fn exists(&self, name: &str) -> Result<bool> {
        disk_of(name)?.exists(name)
    }

    fn temporary_name(&self) -> String {
        format!("temporary-{}", self.temporary.fetch_add(1, Ordering::Relaxed))
    }

    fn random(&self, buffer: &mut [i8]) {
        buffer.fill(7);
    }

    /// Whoever waits for a lock waits in vain, as all is done by one thread.
    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }
}

enum Content {
    OnDisk { disk: Arc<SimulatedDisk>, file: OpenFile },
    Temporary(Vec<u8>),
}

/// An open file.
struct Handle {
    content: Content,
    lock: LockKind,
    name: String,
    /// The operating system neither writes to such a file nor locks it for a writer.
    is_read_only: bool,
}

impl DatabaseHandle for Handle {
    type WalIndex = SharedIndexHandle;

    fn size(&self) -> Result<u64> {
        Ok(match &self.content {
            Content::OnDisk { disk, file } => disk.length(*file)?,
            Content::Temporary(content) => content.len(),
        } as u64)
    }

    fn read_exact_at(&mut self, to: &mut [u8], offset: u64) -> Result<()> {
        let at = offset as usize;
        let length = match &self.content {
            Content::OnDisk { disk, file } => disk.read(*file, at, to)?,
            Content::Temporary(content) => {
                let found = content.get(at..).unwrap_or_default();
                let length = found.len().min(to.len());
                to[..length].copy_from_slice(&found[..length]);
                length
            }
        };
        if length == to.len() {
            return Ok(());
        }
        to[length..].fill(0);
        Err(ErrorKind::UnexpectedEof.into())
    }

    fn write_all_at(&mut self, bytes: &[u8], offset: u64) -> Result<()> {
        if self.is_read_only {
            return Err(ErrorKind::PermissionDenied.into());
        }
        let at = offset as usize;
        match &mut self.content {
            Content::OnDisk { disk, file } => disk.write(*file, at, bytes),
            Content::Temporary(content) => {
                if content.len() < at + bytes.len() {
                    content.resize(at + bytes.len(), 0);
                }
                content[at..at + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn sync(&mut self, _data_only: bool) -> Result<()> {
        match &self.content {
            Content::OnDisk { disk, file } => disk.flush(*file),
            Content::Temporary(_) => Ok(()),
        }
    }

    fn set_len(&mut self, length: u64) -> Result<()> {
        match &mut self.content {
            Content::OnDisk { disk, file } => disk.set_length(*file, length as usize),
            Content::Temporary(content) => {
                content.resize(length as usize, 0);
                Ok(())
            }
        }
    }

    /// The locks of a file as SQLite knows them, for all connections of the process.
    fn lock(&mut self, lock: LockKind) -> Result<bool> {
        let Content::OnDisk { disk, file } = &self.content else { return Ok(true) };
        if self.is_read_only && lock > LockKind::Shared {
            return Err(ErrorKind::PermissionDenied.into());
        }
        let mut state = disk.state();
        if !state.is_reachable(file.process()) {
            return Err(ErrorKind::NotConnected.into());
        }
        let own = (file.file, file.number);
        let highest_of_others = state
            .holders
            .range((file.file, 0)..=(file.file, u64::MAX))
            .filter(|(holder, _)| **holder != own)
            .map(|(_, level)| *level)
            .max()
            .unwrap_or(0);
        let level = lock as u8;
        let is_allowed = match lock {
            LockKind::None => true,
            LockKind::Shared => self.lock > LockKind::Shared || highest_of_others < LockKind::Pending as u8,
            LockKind::Reserved | LockKind::Pending => highest_of_others < LockKind::Reserved as u8,
            LockKind::Exclusive => highest_of_others == LockKind::None as u8,
        };
        if is_allowed {
            state.holders.insert(own, level);
            drop(state);
            self.lock = lock;
        } else if lock == LockKind::Exclusive && highest_of_others < LockKind::Reserved as u8 {
            // Nobody else may begin to read.
            state.holders.insert(own, LockKind::Pending as u8);
            drop(state);
            self.lock = LockKind::Pending;
        }
        Ok(is_allowed)
    }

    fn reserved(&mut self) -> Result<bool> {
        let Content::OnDisk { disk, file } = &self.content else { return Ok(false) };
        let state = disk.state();
        let mut holders = state.holders.range((file.file, 0)..=(file.file, u64::MAX));
        Ok(holders.any(|(_, level)| *level >= LockKind::Reserved as u8))
    }

    fn current_lock(&self) -> Result<LockKind> {
        Ok(self.lock)
    }

    fn wal_index(&self, _readonly: bool) -> Result<SharedIndexHandle> {
        let Content::OnDisk { disk, file } = &self.content else {
            return Err(ErrorKind::Unsupported.into());
        };
        let mut state = disk.state();
        if !state.is_reachable(file.process()) {
            return Err(ErrorKind::NotConnected.into());
        }
        let process = state.process();
        state.indexes.entry(self.name.clone()).or_default().enter();
        drop(state);
        let held = [WalIndexLock::None; 8];
        Ok(SharedIndexHandle { disk: Arc::clone(disk), name: self.name.clone(), process, held })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Content::OnDisk { disk, file } = &self.content {
            disk.state().holders.remove(&(file.file, file.number));
        }
    }
}

/// One connection's part in the index of a write-ahead log. It has a copy, which is exchanged with that of the others when a
/// lock is taken or given back.
struct SharedIndexHandle {
    disk: Arc<SimulatedDisk>,
    name: String,
    process: u64,
    held: [WalIndexLock; 8],
}

impl SharedIndexHandle {
    fn with<T>(&self, work: impl FnOnce(&mut super::disk::SharedIndex) -> T) -> Result<T> {
        let mut state = self.disk.state();
        if !state.is_reachable(self.process) {
            return Err(ErrorKind::NotConnected.into());
        }
        state.indexes.get_mut(&self.name).map(work).ok_or_else(|| ErrorKind::NotFound.into())
    }
}

impl WalIndex for SharedIndexHandle {
    fn map(&mut self, region: u32) -> Result<[u8; REGION]> {
        self.with(|index| *index.region(region))
    }

    fn lock(&mut self, locks: Range<u8>, lock: WalIndexLock) -> Result<bool> {
        let held = self.held;
        let places = || locks.clone().map(usize::from);
        let taken = self.with(|index| {
            let is_free = |index: &mut super::disk::SharedIndex, place: usize| match (lock, held[place]) {
                (WalIndexLock::None, _) | (_, WalIndexLock::Exclusive) => true,
                (WalIndexLock::Shared, _) => index.lock(place).is_some(),
                (WalIndexLock::Exclusive, own) => {
                    *index.lock(place) == Some(u32::from(own == WalIndexLock::Shared))
                }
            };
            if !places().all(|place| is_free(index, place)) {
                return false;
            }
            for place in places() {
                let known = index.lock(place);
                let others = match held[place] {
                    WalIndexLock::None => known.unwrap_or(0),
                    WalIndexLock::Shared => known.unwrap_or(1).saturating_sub(1),
                    WalIndexLock::Exclusive => 0,
                };
                *known = match lock {
                    WalIndexLock::None => Some(others),
                    WalIndexLock::Shared => Some(others + 1),
                    WalIndexLock::Exclusive => None,
                };
            }
            true
        })?;
        if taken {
            places().for_each(|place| self.held[place] = lock);
        }
        Ok(taken)
    }

    fn delete(self) -> Result<()> {
        _ = self.with(super::disk::SharedIndex::forget_regions);
        Ok(())
    }

    fn pull(&mut self, region: u32, data: &mut [u8; REGION]) -> Result<()> {
        self.with(|index| data.copy_from_slice(index.region(region)))
    }

    fn push(&mut self, region: u32, data: &[u8; REGION]) -> Result<()> {
        self.with(|index| index.region(region).copy_from_slice(data))
    }
}

impl Drop for SharedIndexHandle {
    fn drop(&mut self) {
        if self.held.iter().any(|held| *held != WalIndexLock::None) {
            _ = self.lock(0..8, WalIndexLock::None);
        }
        _ = self.with(super::disk::SharedIndex::leave);
    }
}
