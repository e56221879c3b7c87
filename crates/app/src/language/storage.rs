//! The texts of errors of the database, the engine and passwords.

use quorate_contract::Refusal;
use quorate_engine::{EngineError, FaultKind, JournalError, StorageFault};
use quorate_messages::{Language, Message, io_problem, message};
use quorate_store::{PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS, PasswordError, SIGNING_KEY, StoreError};

/// The message and the hint of an error.
pub(super) type ErrorTexts = (Message, Message);

/// The message and the hint, or the refusal of the core that the error holds.
pub(super) fn store(error: &StoreError) -> Result<ErrorTexts, &Refusal> {
    let told = match error {
        StoreError::Invalid(refusal) => return Err(refusal),
        StoreError::Journal(error) => journal(error),
        StoreError::NoDatabase { path } => {
            (message!("app-no-database", path = %path.display()), message!("app-no-database-hint"))
        }
        StoreError::Unreachable { .. } if error.fault() == Some(StorageFault::Full) => {
            (message!("app-disk-full"), message!("app-disk-full-hint"))
        }
        StoreError::Unreachable { path, source } => (
            message!("app-unreachable", path = %path.display(), source = io_problem(source)),
            message!("app-unreachable-hint"),
        ),
        StoreError::ServerUnreachable { url, detail } => (
            message!("app-server-unreachable", %url, detail = detail.clone()),
            message!("app-server-unreachable-hint"),
        ),
        StoreError::BadDatabaseUrl { url, detail } => (
            message!("app-bad-database-url", %url, detail = detail.clone()),
            message!("app-bad-database-url-hint"),
        ),
        StoreError::NotAServer { path } => {
            (message!("app-not-a-server", path = %path.display()), message!("app-bad-database-url-hint"))
        }
        StoreError::NotEmpty { table } => (message!("app-not-empty", %table), message!("app-not-empty-hint")),
        StoreError::NotAFile { url } => (message!("app-not-a-file", %url), message!("app-not-a-file-hint")),
        StoreError::NotOurs { path, detail } => (
            message!("app-not-ours", path = %path.display(), detail = detail.clone()),
            message!("app-not-ours-hint"),
        ),
        StoreError::Newer { path, found, known } => {
            (message!("app-newer", path = %path.display(), %found, %known), message!("app-newer-hint"))
        }
        StoreError::Older { path, found, known } => {
            (message!("app-older", path = %path.display(), %found, %known), message!("app-older-hint"))
        }
        StoreError::BeforeContract { path } => {
            (message!("app-before-contract", path = %path.display()), message!("app-before-contract-hint"))
        }
        StoreError::NewerContract { path, found, known } => (
            message!("app-newer-contract", path = %path.display(), %found, %known),
            message!("app-newer-contract-hint"),
        ),
        StoreError::LogWithoutDatabase { path, log } => (
            message!("app-log-without-database", path = %path.display(), log = %log.display()),
            message!("app-log-without-database-hint", log = %log.display()),
        ),
        StoreError::InUse { path, pid } => {
            let by = match pid {
                Some(pid) => message!("app-process-pid", %pid),
                None => message!("app-another-process"),
            };
            (message!("app-in-use", path = %path.display(), by), message!("app-in-use-hint"))
        }
        StoreError::Exists { path } => {
            (message!("app-exists", path = %path.display()), message!("app-exists-hint"))
        }
        StoreError::WouldReplace { path } => {
            (message!("app-would-replace", path = %path.display()), message!("app-would-replace-hint"))
        }
        StoreError::DamagedCopy { found, first } => {
            (message!("app-damaged-copy", %found, %first), message!("app-damaged-copy-hint"))
        }
        StoreError::NoMatch { prefix } => (message!("app-no-match", %prefix), message!("app-no-match-hint")),
        StoreError::NoMeetings => (message!("app-no-meetings"), message!("app-no-meetings-hint")),
        StoreError::Ambiguous { prefix, candidates, more } => {
            let known: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            let count = known.len();
            let message = match more {
                true => message!("app-ambiguous-more", count, prefix, known),
                false => message!("app-ambiguous", count, prefix, known),
            };
            (message, message!("app-ambiguous-hint"))
        }
        StoreError::DamagedCatalogue { detail } => {
            (message!("app-damaged-catalogue", %detail), message!("app-damaged-catalogue-hint"))
        }
        StoreError::BadCursor => (message!("app-bad-cursor"), message!("app-bad-cursor-hint")),
        StoreError::BadIdempotencyKey { bytes } => {
            (message!("app-bad-key", %bytes), message!("app-bad-key-hint"))
        }
        StoreError::NoSuchUpload { id } => (message!("app-no-upload", %id), message!("app-no-upload-hint")),
        StoreError::UploadExists { id } => {
            (message!("app-upload-exists", %id), message!("app-upload-exists-hint"))
        }
        StoreError::UploadTooLarge { most } => {
            (message!("app-upload-too-large", %most), message!("app-upload-too-large-hint"))
        }
        StoreError::UploadsFull { files, bytes } => {
            (message!("app-uploads-full", %files, %bytes), message!("app-uploads-full-hint"))
        }
        StoreError::DamagedUpload { id, detail } => (
            message!("app-damaged-upload", %id, detail = detail.clone()),
            message!("app-damaged-upload-hint"),
        ),
        StoreError::NoSuchTemplate { name } => {
            (message!("app-no-template", %name), message!("app-no-template-hint"))
        }
        StoreError::TemplateExists { name } => {
            (message!("app-template-exists", %name), message!("app-template-exists-hint"))
        }
        StoreError::TemplateChanged { name, found } => {
            (message!("app-template-changed", %name, %found), message!("app-template-changed-hint"))
        }
        StoreError::DamagedSetting { name, detail } => {
            (message!("app-damaged-setting", %name, %detail), message!("app-damaged-setting-hint"))
        }
        StoreError::NoSuchAgent { name } => (message!("app-no-agent", %name), message!("app-no-agent-hint")),
        StoreError::AgentExists { name } => {
            (message!("app-agent-exists", %name), message!("app-agent-exists-hint", %name))
        }
        StoreError::DamagedAgent { name, detail } => {
            (message!("app-damaged-agent", %name, %detail), message!("app-damaged-agent-hint", %name))
        }
        StoreError::NoSuchCredential { provider } => {
            (message!("app-no-credential", %provider), message!("app-no-credential-hint"))
        }
        StoreError::KeyOfAnotherAddress { provider } => {
            (message!("app-other-address", %provider), message!("app-other-address-hint"))
        }
        StoreError::VaultKeyMissing { path, providers } => (
            message!("app-vault-missing", path = %path.display(), providers = providers.clone()),
            match providers.iter().any(|name| name == SIGNING_KEY) {
                true => message!("app-vault-missing-signing-hint"),
                false => message!("app-vault-missing-hint"),
            },
        ),
        StoreError::VaultKeyExposed { path, mode } => (
            message!("app-vault-exposed", path = %path.display(), mode = %format_args!("{mode:03o}")),
            message!("app-vault-exposed-hint", path = %path.display()),
        ),
        StoreError::VaultKeyUnusable { path, detail } => (
            message!("app-vault-unusable", path = %path.display(), detail = detail.clone()),
            message!("app-vault-unusable-hint"),
        ),
        StoreError::SealedOtherwise { provider, path } => (
            message!("app-sealed-otherwise", %provider, path = %path.display()),
            match provider == SIGNING_KEY {
                true => message!("app-signing-key-sealed-otherwise-hint"),
                false => message!("app-sealed-otherwise-hint", %provider),
            },
        ),
    };
    Ok(told)
}

/// The same for the log of meetings. What SQLite says stays as it is.
pub(super) fn journal(error: &JournalError) -> ErrorTexts {
    match error {
        JournalError::Conflict { meeting, expected, found } => {
            (message!("app-conflict", %meeting, %found, %expected), message!("app-conflict-hint"))
        }
        JournalError::Elsewhere { meeting, node, .. } => {
            (message!("app-elsewhere", %meeting, %node), message!("app-elsewhere-hint"))
        }
        JournalError::NoSuchMeeting(meeting) => {
            (message!("app-no-meeting", %meeting), message!("app-no-meeting-hint"))
        }
        JournalError::Unavailable { fault, detail } => storage(*fault, detail),
        JournalError::Damaged { meeting, seq, detail } => {
            let detail = detail.clone();
            (message!("app-damaged-event", %seq, %meeting, detail), message!("app-damaged-event-hint"))
        }
    }
}

fn storage(fault: StorageFault, detail: &Message) -> ErrorTexts {
    let (situation, hint) = match fault {
        StorageFault::Full => (message!("app-disk-full"), message!("app-disk-full-hint")),
        StorageFault::ReadOnly => (message!("app-read-only"), message!("app-read-only-hint")),
        StorageFault::Gone => (message!("app-gone"), message!("app-gone-hint")),
        StorageFault::Inaccessible => (message!("app-inaccessible"), message!("app-inaccessible-hint")),
        StorageFault::Busy => (message!("app-busy"), message!("app-busy-hint")),
        StorageFault::Unreachable => {
            (message!("app-storage-unreachable"), message!("app-storage-unreachable-hint"))
        }
        StorageFault::Disk => (message!("app-disk"), message!("app-disk-hint")),
        StorageFault::Corrupt => (message!("app-corrupt"), message!("app-corrupt-hint")),
        StorageFault::OutOfMemory => (message!("app-out-of-memory"), message!("app-out-of-memory-hint")),
        StorageFault::Stopped => (message!("app-stopped"), message!("app-stopped-hint")),
        StorageFault::Bug => (message!("app-refused"), message!("app-refused-hint")),
    };
    (detailed(situation, detail), hint)
}

/// A situation with what its cause says of it, where it says anything.
fn detailed(situation: Message, detail: &Message) -> Message {
    match detail.text(Language::En).is_empty() {
        true => situation,
        false => message!("app-situation", situation, detail = detail.clone()),
    }
}

/// The same for errors of the engine, or the refusal of the core that the error holds.
pub(super) fn engine(error: &EngineError) -> Result<ErrorTexts, &Refusal> {
    match error {
        EngineError::Refused(refusal) => Err(refusal),
        EngineError::Journal(error) => Ok(journal(error)),
        EngineError::Gone => Ok((message!("app-meeting-gone"), message!("app-meeting-gone-hint"))),
        EngineError::Quarantined(fault) => {
            let (situation, hint) = of_kind(fault.kind);
            Ok((message!("app-meeting-stopped", situation), hint))
        }
        EngineError::Broken(kind, detail) => {
            let (situation, hint) = of_kind(*kind);
            Ok((detailed(situation, detail), hint))
        }
    }
}

/// The fault that stopped a meeting, and its remedy.
fn of_kind(kind: FaultKind) -> ErrorTexts {
    match kind {
        FaultKind::Panicked => (message!("app-panicked"), message!("app-panicked-hint")),
        FaultKind::Invariant => (message!("app-invariant"), message!("app-invariant-hint")),
        FaultKind::TooLong => (message!("app-too-long"), message!("app-too-long-hint")),
        FaultKind::Damaged => (message!("app-damaged"), message!("app-damaged-hint")),
        FaultKind::Contended => (message!("app-contended"), message!("app-contended-hint")),
        FaultKind::Storage => (message!("app-meeting-refused"), message!("app-meeting-refused-hint")),
    }
}

/// The same for a password.
pub(super) fn password(error: &PasswordError) -> ErrorTexts {
    let (most, least) = (PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS);
    match error {
        PasswordError::Length { bytes } => {
            (message!("app-password-length", %bytes), message!("app-password-length-hint", %most))
        }
        PasswordError::Short { chars } => {
            (message!("app-password-short", %chars), message!("app-password-short-hint", %least))
        }
        PasswordError::Obvious => (message!("app-password-obvious"), message!("app-password-obvious-hint")),
        PasswordError::NotHashed { detail } => {
            (message!("app-password-not-hashed", %detail), message!("app-password-not-hashed-hint"))
        }
    }
}
