//! The storage of meetings, on SQLite or PostgreSQL.
//!
//! [`Store`] is the durable [`Journal`](quorate_engine::Journal): an acknowledged event is on the disk. Beside the log
//! there is a catalogue of meetings, made from the same events in the same transaction, so that a list reads no log. Every
//! event carries a checksum that covers all events before it: what is read back is what was written, or is refused. A long
//! log has a snapshot of its state, which is tied to it by the same checksums. The store also holds data that belongs to
//! no meeting: the library of agents, accounts, tokens, templates, settings, and the credentials of providers, sealed under
//! a key file.
//!
//! | folder | what it holds |
//! |---|---|
//! | `store/` | what the store offers, a file for each kind of data |
//! | `sqlite/` | a database file: its one writer, which commits all that waits at once, and its readers |
//! | `postgres/` | a database on a server: connections, this process among others, its writer |
//! | `sql/` | one interface to both, in which all statements are written |
//! | `search/` | words, the index of them, and queries |
//!
//! The files beside them work on one connection: rows of the catalogue, appends, the audit log, verification, copies.

mod append;
mod audit_log;
mod audit_spool;
mod catalogue;
mod conditions;
mod cursor;
mod error;
mod files;
mod health;
mod key_file;
mod key_shares;
mod location;
mod meeting_row;
mod meeting_summary;
mod mention_index;
mod migrate;
mod missing_rows;
mod passwords;
mod postgres;
mod rebuild;
mod restore;
mod search;
mod sql;
mod sqlite;
mod starting_meetings;
mod store;
mod tags;
#[cfg(test)]
mod testing;
mod transfer;
mod upcast;
mod upload_content;
mod verify;

pub use audit_log::AuditEntry;
pub use cursor::Page;
pub use error::StoreError;
pub use key_shares::{KeyNeed, KeyShare, RATE_HOLD_MS, RateNeed};
pub use location::DatabaseLocation;
pub use meeting_summary::{ForkOrigin, MeetingSummary};
pub use migrate::{MigrationReport, migrate};
pub use passwords::{
    PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS, PasswordError, check_account_password, fingerprint,
    hash_password, matches_hash, new_secret,
};
pub use postgres::{Node, NodeStats, OwnerChange, PostgresUrl};
pub use restore::{RestoreReport, restore};
pub use search::{SearchKind, SnippetPart};
pub use sqlite::in_line::{Disk, DiskFault, SoundDisk};
pub use starting_meetings::{NoRunningPlace, RunningLimits};
pub use store::Store;
pub use store::accounts::{Account, KeepOwner, Removal, Renewal, Session, check_account_name, check_name};
pub use store::agents::{Agent, AgentProfile, SeenAgent};
pub use store::audit::AuditFilter;
pub use store::backup::{BackupReport, CopyProgress};
pub use store::credentials::{Credential, Settings};
pub use store::idempotency::{IDEMPOTENCY_KEY_BYTES, KeyState, StoredResponse, Ticket};
pub use store::issued_tokens::{IssuedToken, TokenSubject};
pub use store::learned_models::LearnedModel;
pub use store::meeting_labels::MeetingLabels;
pub use store::mentions::{MENTIONS_LOOKED_AT, MentionFilter, StoredMention, UnreadMentions};
pub use store::nodes::OwnerElsewhere;
pub use store::pages::{
    EventFilter, EventLines, MeetingFilter, PAGE_ROWS, meetings_cursor, meetings_cursor_moment,
};
pub use store::person_settings::SettingsOf;
pub use store::result_links::ResultLink;
pub use store::salvage::{Damage, Salvaged};
pub use store::signing::{LogSigner, SIGNING_KEY, StoredPublicKey, is_signed_by};
pub use store::templates::Template;
pub use store::text_search::{SearchFilter, SearchHit};
pub use store::tokens::{Invitation, Token};
pub use store::uploads::{NewUpload, Upload, UploadTotal, Uploading};
pub use store::webhook_calls::ReceivedCall;
pub use store::webhook_message::{MessageState, MessageSubject, WebhookDelivery, WebhookMessage};
pub use store::webhook_standing::{StopReason, WebhookBreaker};
pub use store::webhooks::{Webhook, WebhookSecrets};
pub use upcast::event as read_line;
pub use verify::{Problem, Progress, VerifyReport, verify, verify_over};

use quorate_contract::chain;
