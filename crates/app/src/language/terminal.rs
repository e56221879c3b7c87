//! Hints for a reader at a terminal, where a command can be typed. The page and HTTP responses show the same
//! errors without them.

use quorate_contract::Wording;
use quorate_engine::{EngineError, FaultKind, JournalError, StorageFault};
use quorate_messages::{Message, message};
use quorate_store::{SIGNING_KEY, StoreError};

type TerminalHint = Option<Message>;

/// The hint with its form for a terminal, where there is one.
pub(super) fn with(hint: Wording, terminal: TerminalHint) -> Wording {
    match terminal {
        Some(terminal) => hint.at_terminal(terminal),
        None => hint,
    }
}

pub(super) fn store(error: &StoreError) -> TerminalHint {
    match error {
        StoreError::Journal(error) => journal(error),
        StoreError::NoDatabase { .. } => Some(message!("app-no-database-terminal")),
        StoreError::Unreachable { .. } => Some(message!("app-unreachable-terminal")),
        StoreError::NotOurs { .. } => Some(message!("app-not-ours-terminal")),
        StoreError::Newer { .. } => Some(message!("app-newer-terminal")),
        StoreError::BeforeContract { .. } => Some(message!("app-before-contract-terminal")),
        StoreError::NewerContract { .. } => Some(message!("app-newer-contract-terminal")),
        StoreError::Older { .. } => Some(message!("app-older-terminal")),
        StoreError::InUse { .. } => Some(message!("app-in-use-terminal")),
        StoreError::WouldReplace { .. } => Some(message!("app-would-replace-terminal")),
        StoreError::DamagedCopy { .. } => Some(message!("app-damaged-copy-terminal")),
        StoreError::NoMatch { .. } => Some(message!("app-list-meetings-terminal")),
        StoreError::NoMeetings => Some(message!("app-no-meetings-terminal")),
        StoreError::DamagedCatalogue { .. } => Some(message!("app-damaged-catalogue-terminal")),
        StoreError::NoSuchAgent { .. } => Some(message!("app-no-agent-terminal")),
        StoreError::AgentExists { name } => Some(message!("app-agent-exists-terminal", %name)),
        StoreError::DamagedAgent { name, .. } => Some(message!("app-damaged-agent-terminal", %name)),
        StoreError::NoSuchCredential { .. } => Some(message!("app-no-credential-terminal")),
        StoreError::KeyOfAnotherAddress { .. } => Some(message!("app-other-address-terminal")),
        StoreError::VaultKeyMissing { providers, .. } if providers.iter().any(|name| name == SIGNING_KEY) => {
            Some(message!("app-vault-missing-signing-terminal"))
        }
        StoreError::VaultKeyMissing { .. } => Some(message!("app-vault-missing-terminal")),
        StoreError::VaultKeyUnusable { .. } => Some(message!("app-vault-unusable-terminal")),
        StoreError::SealedOtherwise { provider, .. } if provider == SIGNING_KEY => {
            Some(message!("app-signing-key-sealed-otherwise-terminal"))
        }
        StoreError::SealedOtherwise { provider, .. } => {
            Some(message!("app-sealed-otherwise-terminal", %provider))
        }
        StoreError::Invalid(_)
        | StoreError::ServerUnreachable { .. }
        | StoreError::BadDatabaseUrl { .. }
        | StoreError::NotAServer { .. }
        | StoreError::NotEmpty { .. }
        | StoreError::NotAFile { .. }
        | StoreError::LogWithoutDatabase { .. }
        | StoreError::Exists { .. }
        | StoreError::Ambiguous { .. }
        | StoreError::BadCursor
        | StoreError::BadIdempotencyKey { .. }
        | StoreError::NoSuchUpload { .. }
        | StoreError::UploadExists { .. }
        | StoreError::UploadTooLarge { .. }
        | StoreError::UploadsFull { .. }
        | StoreError::DamagedUpload { .. }
        | StoreError::NoSuchTemplate { .. }
        | StoreError::TemplateExists { .. }
        | StoreError::TemplateChanged { .. }
        | StoreError::DamagedSetting { .. }
        | StoreError::VaultKeyExposed { .. } => None,
    }
}

pub(super) fn journal(error: &JournalError) -> TerminalHint {
    match error {
        JournalError::NoSuchMeeting(_) => Some(message!("app-list-meetings-terminal")),
        JournalError::Damaged { meeting, .. } => Some(message!("app-damaged-event-terminal", %meeting)),
        JournalError::Unavailable { fault, .. } => storage(*fault),
        JournalError::Conflict { .. } | JournalError::Elsewhere { .. } => None,
    }
}

fn storage(fault: StorageFault) -> TerminalHint {
    match fault {
        StorageFault::Gone => Some(message!("app-gone-terminal")),
        StorageFault::Disk => Some(message!("app-disk-terminal")),
        StorageFault::Corrupt => Some(message!("app-corrupt-terminal")),
        StorageFault::Bug => Some(message!("app-refused-terminal")),
        StorageFault::Full
        | StorageFault::ReadOnly
        | StorageFault::Inaccessible
        | StorageFault::Busy
        | StorageFault::Unreachable
        | StorageFault::OutOfMemory
        | StorageFault::Stopped => None,
    }
}

pub(super) fn engine(error: &EngineError) -> TerminalHint {
    match error {
        EngineError::Journal(error) => journal(error),
        EngineError::Quarantined(fault) => kind(fault.kind),
        EngineError::Broken(broken, _) => kind(*broken),
        EngineError::Refused(_) | EngineError::Gone => None,
    }
}

fn kind(kind: FaultKind) -> TerminalHint {
    match kind {
        FaultKind::Damaged => Some(message!("app-damaged-terminal")),
        FaultKind::Storage => Some(message!("app-meeting-refused-terminal")),
        FaultKind::Invariant => Some(message!("app-invariant-terminal")),
        FaultKind::Panicked | FaultKind::TooLong | FaultKind::Contended => None,
    }
}
