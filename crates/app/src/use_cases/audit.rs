//! The audit log, as the application hands it on.

use quorate_store::{AuditEntry, AuditFilter, Page};

use super::App;
use crate::error::ServiceError;
use crate::operation::audit::AuditNote;

impl App {
    /// Notes something in the audit log that no use case notes by itself, such as who came in.
    pub(crate) fn note(&self, note: AuditNote) {
        self.audit().note(note);
    }

    /// Records the sums of refusals since the last record.
    pub fn note_refusals(&self) {
        self.audit().note_refusals();
    }

    /// A page of the audit log, the newest first.
    ///
    /// # Errors
    /// When the cursor is none of ours, or the database cannot be read.
    pub async fn audit_page(
        &self,
        filter: AuditFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<AuditEntry>, ServiceError> {
        Ok(self.store().audit_page(filter, cursor, limit).await?)
    }
}
