//! Errors of the engine.

use quorate_contract::Refusal;
use quorate_core::{BrokenInvariant, StepError};
use quorate_messages::{Language, Message, message};

use crate::ports::JournalError;
use crate::stored_fault::{Fault, FaultKind};

/// An error of the engine.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EngineError {
    /// The rules do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The journal did not take or give what was asked. Nothing was acknowledged.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The meeting's loop has ended with the process that ran it.
    #[error("the meeting is not running here any more")]
    Gone,
    /// The meeting has failed again and again, and runs no more until it is resumed.
    #[error("the meeting was stopped: {}", .0.kind.description())]
    Quarantined(Box<Fault>),
    /// The meeting could not be computed from its log.
    #[error("{} ({})", .0.description(), .1.text(Language::En))]
    Broken(FaultKind, Message),
}

impl From<BrokenInvariant> for EngineError {
    fn from(broken: BrokenInvariant) -> Self {
        let BrokenInvariant { invariant, seq, event } = broken;
        let invariant = invariant.as_str();
        Self::Broken(FaultKind::Invariant, message!("engine-invariant", invariant, event, seq = %seq))
    }
}

impl From<StepError> for EngineError {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Refused(refusal) => refusal.into(),
            StepError::Broken(broken) => broken.into(),
        }
    }
}

impl EngineError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.hint().english().to_owned(),
            Self::Journal(error) => error.hint(),
            Self::Gone => "open the meeting again; nothing that was acknowledged is lost".to_owned(),
            Self::Quarantined(fault) => fault.kind.hint().to_owned(),
            Self::Broken(kind, _) => kind.hint().to_owned(),
        }
    }
}
