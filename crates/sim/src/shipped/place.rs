//! Where the database of a simulation is: on a simulated disk, with an empty folder for what is beside it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use quorate_store::{Disk, Store};

use super::disk::SimulatedDisk;
use super::process::FaultyDisk;
use super::vfs::Mounted;
use super::world::World;
use crate::fault_plan::DiskFaults;

/// A new database, as it is on the platter. Most simulations begin with it, since making one takes longer than all else.
static NEW_DATABASE: OnceLock<Vec<u8>> = OnceLock::new();

/// The place of the database of one simulation.
pub(super) struct Place {
    pub(super) path: PathBuf,
    mounted: Mounted,
    _folder: tempfile::TempDir,
}

impl Place {
    pub(super) fn new(world: &Arc<World>) -> Result<Self, String> {
        let place = Self::of(&world.disk)?;
        let is_new = {
            let mut rng = crate::rng::Rng::new(world.seed ^ 0x00d1_5cee);
            rng.below(10_000) < world.fault_plan.disk.new
        };
        if !is_new {
            world.disk.put(&place.name(), new_database()?);
        }
        Ok(place)
    }

    fn of(disk: &Arc<SimulatedDisk>) -> Result<Self, String> {
        let folder = folder().map_err(|error| error.to_string())?;
        let path = folder.path().canonicalize().map_err(|error| error.to_string())?;
        let mounted = Mounted::at(&path.to_string_lossy(), Arc::clone(disk))?;
        let path = path.join("meetings.db");
        // What is looked at beside SQLite: that there is a file.
        std::fs::write(&path, []).map_err(|error| error.to_string())?;
        Ok(Self { path, mounted, _folder: folder })
    }

    fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// The disk, for the store.
    pub(super) fn disk(&self, world: &Arc<World>) -> Arc<dyn Disk> {
        Arc::new(FaultyDisk { world: Arc::clone(world), vfs: self.mounted.vfs().to_owned() })
    }
}

/// A disk that does not fail.
struct SoundFiles {
    disk: Arc<SimulatedDisk>,
    vfs: String,
}

impl Disk for SoundFiles {
    fn vfs(&self) -> Option<&str> {
        Some(&self.vfs)
    }
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        self.disk.content(&path.to_string_lossy())
    }
    fn write_again(&self, path: &Path) -> std::io::Result<()> {
        self.disk.write_again(&path.to_string_lossy())
    }
    fn exists(&self, path: &Path) -> bool {
        self.disk.exists(&path.to_string_lossy()).unwrap_or(true)
    }
    fn remove(&self, path: &Path) -> std::io::Result<()> {
        self.disk.delete(&path.to_string_lossy())
    }
    fn rename(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        self.disk.rename(&from.to_string_lossy(), &to.to_string_lossy())
    }
}

fn new_database() -> Result<Vec<u8>, String> {
    if let Some(known) = NEW_DATABASE.get() {
        return Ok(known.clone());
    }
    let disk = Arc::new(SimulatedDisk::new(0, DiskFaults::default()));
    let place = Place::of(&disk)?;
    let sound = SoundFiles { disk: Arc::clone(&disk), vfs: place.mounted.vfs().to_owned() };
    drop(Store::open_in_line(&place.path, Arc::new(sound)).map_err(|error| error.to_string())?);
    let made = disk.content(&place.name()).map_err(|error| error.to_string())?;
    Ok(NEW_DATABASE.get_or_init(|| made).clone())
}

/// A folder in memory where there is one.
fn folder() -> std::io::Result<tempfile::TempDir> {
    let shared_memory = Path::new("/dev/shm");
    match shared_memory.is_dir() {
        true => tempfile::tempdir_in(shared_memory),
        false => tempfile::tempdir(),
    }
}
