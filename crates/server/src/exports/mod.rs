//! Exports: a pool of their own, and PDF pages set by a separate process.
//!
//! An export of a long meeting takes seconds of a processor. A limited number is made at once, a few wait,
//! and other clients are told when to retry. A client that disconnects cancels its job.

mod folder_zip;
mod pool;
mod renderer;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use folder_zip::folder_zip;
pub(crate) use pool::ExportPool;
pub(crate) use renderer::render;

/// Limits of exports; each at least 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExportOptions {
    /// Exports that are made at once.
    pub at_once: u32,
    /// Exports that wait for their turn; for those who manage all meetings, twice as many.
    pub waiting: u32,
    /// Exports of one person, the waiting ones included; one of them is made at a time.
    pub per_person: u32,
    /// The longest wait for a place, in seconds.
    pub wait_seconds: u32,
    /// The time limit for the pages of a PDF, in seconds.
    pub pdf_seconds: u32,
    /// The memory limit for them, in MiB of address space.
    pub pdf_megabytes: u32,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { at_once: 2, waiting: 8, per_person: 4, wait_seconds: 20, pdf_seconds: 90, pdf_megabytes: 1024 }
    }
}

impl ExportOptions {
    /// The time limit of a request for an export: waiting, making it, and reading it back.
    pub(crate) fn most(&self) -> Duration {
        const BESIDE_SECONDS: u64 = 20;
        let seconds = u64::from(self.wait_seconds).saturating_add(self.pdf_seconds.into());
        Duration::from_secs(seconds.saturating_add(BESIDE_SECONDS))
    }
}
