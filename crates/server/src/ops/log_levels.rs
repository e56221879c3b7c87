//! The log filter, which can be changed while the service runs.

use std::fmt;
use std::sync::Arc;

use quorate_contract::Wording;
use quorate_messages::message;

/// Changes what is logged while the service runs.
#[derive(Clone)]
pub struct LogLevels(Arc<Change>);

/// Takes a filter, or says what is wrong with it.
type Change = dyn Fn(&str) -> Result<(), Wording> + Send + Sync;

impl LogLevels {
    /// Hands each filter to `change`, which says what is wrong with it.
    pub fn new(change: impl Fn(&str) -> Result<(), Wording> + Send + Sync + 'static) -> Self {
        Self(Arc::new(change))
    }

    /// A filter that cannot be changed.
    pub fn fixed() -> Self {
        Self::new(|_| Err(message!("server-log-fixed").into()))
    }

    /// From now on logs by this filter.
    ///
    /// # Errors
    /// When it is none.
    pub fn set(&self, levels: &str) -> Result<(), Wording> {
        (self.0)(levels)
    }
}

impl fmt::Debug for LogLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LogLevels")
    }
}
