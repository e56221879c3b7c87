//! Exports: a pool of their own, and pages that another process sets.
//!
//! An export of a long meeting takes seconds of a processor. However many are asked for, so many are made at
//! once, a few wait, and the others are told when to come again. Whoever goes away takes their job along.

mod pool;
mod renderer;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub(crate) use pool::ExportPool;
pub use renderer::PdfRenderer;

/// How much exports may take; each at least 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExportOptions {
    /// Exports that are made at once.
    pub at_once: u32,
    /// Exports that wait for their turn; for those who manage all meetings, twice as many.
    pub waiting: u32,
    /// Exports of one person, the waiting ones included; one of them is made at a time.
    pub per_person: u32,
    /// How long one waits for its turn, in seconds.
    pub wait_seconds: u32,
    /// How long the pages of a PDF may take, in seconds.
    pub pdf_seconds: u32,
    /// How much memory they may take, in MiB of address space.
    pub pdf_megabytes: u32,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { at_once: 2, waiting: 8, per_person: 4, wait_seconds: 20, pdf_seconds: 90, pdf_megabytes: 1024 }
    }
}

impl ExportOptions {
    /// How long a request for an export takes at most: to wait for its turn, to be made, and to be read back.
    pub(crate) fn most(&self) -> Duration {
        const BESIDE_SECONDS: u64 = 20;
        let seconds = u64::from(self.wait_seconds).saturating_add(self.pdf_seconds.into());
        Duration::from_secs(seconds.saturating_add(BESIDE_SECONDS))
    }
}
