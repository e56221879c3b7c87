//! Resources of the process and its machine: CPU, memory, open files, and the disk of the database.
//!
//! Read when the metrics are requested, and not in between. Names of the process follow the [conventions of
//! Prometheus](https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics).

use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::sync::{Mutex, PoisonError};

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use sysinfo::{Disks, MemoryRefreshKind, Pid, ProcessRefreshKind, ProcessesToUpdate, System};

type Bytes = Gauge<i64, AtomicI64>;

/// Gauges of the process and the machine.
#[derive(Debug, Default)]
pub(super) struct Machine {
    system: Mutex<System>,
    process_cpu_seconds: Counter<f64, AtomicU64>,
    process_resident_memory: Bytes,
    process_virtual_memory: Bytes,
    process_start_time: Gauge<u64, AtomicU64>,
    process_open_files: Bytes,
    process_open_files_limit: Bytes,
    cpu_usage: Gauge<f64, AtomicU64>,
    cpus: Bytes,
    memory: Bytes,
    memory_available: Bytes,
    disk: Bytes,
    disk_free: Bytes,
    database: Bytes,
}

impl Machine {
    /// Registers the metrics of the process, whose names have no prefix.
    pub(super) fn register_process(&self, of: &mut Registry) {
        let seconds = || Unit::Seconds;
        let bytes = || Unit::Bytes;
        of.register_with_unit(
            "process_cpu",
            "CPU time of the process, in user and system mode",
            seconds(),
            self.process_cpu_seconds.clone(),
        );
        of.register_with_unit(
            "process_resident_memory",
            "Resident memory of the process",
            bytes(),
            self.process_resident_memory.clone(),
        );
        of.register_with_unit(
            "process_virtual_memory",
            "Virtual memory of the process",
            bytes(),
            self.process_virtual_memory.clone(),
        );
        of.register_with_unit(
            "process_start_time",
            "Start of the process since 1970 UTC",
            seconds(),
            self.process_start_time.clone(),
        );
        of.register("process_open_fds", "Open file descriptors", self.process_open_files.clone());
        of.register(
            "process_max_fds",
            "Maximum number of open file descriptors",
            self.process_open_files_limit.clone(),
        );
    }

    /// Registers the metrics of the machine and of the database.
    pub(super) fn register(&self, of: &mut Registry) {
        let bytes = || Unit::Bytes;
        of.register(
            "machine_cpu_usage_ratio",
            "CPU usage of the machine since the previous request for metrics, from 0 to 1",
            self.cpu_usage.clone(),
        );
        of.register("machine_cpus", "Processors of the machine", self.cpus.clone());
        of.register_with_unit("machine_memory", "Memory of the machine", bytes(), self.memory.clone());
        of.register_with_unit(
            "machine_memory_available",
            "Memory of the machine that programs can still use",
            bytes(),
            self.memory_available.clone(),
        );
        of.register_with_unit(
            "disk",
            "Size of the file system that holds the database",
            bytes(),
            self.disk.clone(),
        );
        of.register_with_unit(
            "disk_free",
            "Space left on the file system that holds the database",
            bytes(),
            self.disk_free.clone(),
        );
        of.register_with_unit(
            "database",
            "Size of the database with its write-ahead log",
            bytes(),
            self.database.clone(),
        );
    }

    /// Reads all figures again. Blocks for some milliseconds: not for an async thread.
    pub(super) fn refresh(&self, database: &Path) {
        let mut system = self.system.lock().unwrap_or_else(PoisonError::into_inner);
        system.refresh_cpu_usage();
        system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
        let usage = f64::from(system.global_cpu_usage()) / 100.0;
        self.cpu_usage.set(if usage.is_finite() { usage.clamp(0.0, 1.0) } else { 0.0 });
        self.cpus.set(signed(u64::try_from(system.cpus().len()).unwrap_or(u64::MAX)));
        self.memory.set(signed(system.total_memory()));
        self.memory_available.set(signed(system.available_memory()));
        let own = Pid::from_u32(std::process::id());
        let kind = ProcessRefreshKind::nothing().with_cpu().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, kind);
        if let Some(process) = system.process(own) {
            let seconds = std::time::Duration::from_millis(process.accumulated_cpu_time()).as_secs_f64();
            // The system counts; a counter here only follows.
            let before = self.process_cpu_seconds.get();
            self.process_cpu_seconds.inc_by((seconds - before).max(0.0));
            self.process_resident_memory.set(signed(process.memory()));
            self.process_virtual_memory.set(signed(process.virtual_memory()));
            self.process_start_time.set(process.start_time());
            let open = process.open_files().unwrap_or_default();
            self.process_open_files.set(signed(u64::try_from(open).unwrap_or(u64::MAX)));
            let limit = process.open_files_limit().unwrap_or_default();
            self.process_open_files_limit.set(signed(u64::try_from(limit).unwrap_or(u64::MAX)));
        }
        drop(system);
        if let Some((size, free)) = disk_of(database) {
            self.disk.set(signed(size));
            self.disk_free.set(signed(free));
        }
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        self.database.set(signed(length(database) + length(Path::new(&log))));
    }
}

/// Size and free space of the file system that holds a file.
fn disk_of(file: &Path) -> Option<(u64, u64)> {
    let disks = Disks::new_with_refreshed_list();
    let holds = disks.iter().filter(|disk| file.starts_with(disk.mount_point()));
    let disk = holds.max_by_key(|disk| disk.mount_point().as_os_str().len())?;
    Some((disk.total_space(), disk.available_space()))
}

fn length(file: &Path) -> u64 {
    std::fs::metadata(file).map_or(0, |metadata| metadata.len())
}

fn signed(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_process_and_the_machine_use_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = folder.path().canonicalize().expect("it is there").join("q.db");
        std::fs::write(&database, vec![0; 5000]).expect("it is written");
        std::fs::write(folder.path().join("q.db-wal"), vec![0; 300]).expect("it is written");
        let machine = Machine::default();
        machine.refresh(&database);
        assert!(machine.process_resident_memory.get() > 1 << 20);
        assert!(machine.process_start_time.get() > 1_600_000_000);
        assert!(machine.cpus.get() >= 1 && machine.memory.get() >= machine.memory_available.get());
        assert!(machine.disk.get() >= machine.disk_free.get() && machine.disk.get() > 0);
        assert_eq!(machine.database.get(), 5300);
        let before = machine.process_cpu_seconds.get();
        let mut spent = 0_u64;
        for step in 0..200_000_000_u64 {
            spent = std::hint::black_box(spent ^ step);
        }
        machine.refresh(&database);
        assert!(machine.process_cpu_seconds.get() > before, "{spent}");
        assert!((0.0..=1.0).contains(&machine.cpu_usage.get()));
    }
}
