//! The call-backs that this process is carrying out, so that two copies that come at once are told apart.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The call-backs that are being carried out by this process: a second one of the same id is a copy.
#[derive(Debug, Clone, Default)]
pub(crate) struct PendingCallbacks(Arc<Mutex<HashSet<(String, String)>>>);

impl PendingCallbacks {
    /// Begins one; `None` when one of this id is under way.
    pub(super) fn enter(&self, webhook: &str, id: &str) -> Option<UnderWay> {
        let key = (webhook.to_owned(), id.to_owned());
        let is_first = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone());
        is_first.then(|| UnderWay { all: self.clone(), key })
    }
}

/// A call-back that is being carried out.
pub(super) struct UnderWay {
    all: PendingCallbacks,
    key: (String, String),
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
    }
}
