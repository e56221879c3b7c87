//! The storage of meetings on SQLite.
//!
//! [`Store`] is the durable [`Journal`](quorate_engine::Journal): an acknowledged event is on the disk.
//! One thread writes, and commits everything that waits in one transaction; readers never wait for it. Beside
//! the log there is a catalogue of meetings, made from the same events in the same transaction, so that a
//! list reads no log. Every event carries a checksum that covers all events before it: what is read back is
//! what was written, or is refused.
//!
//! A long log has a snapshot of its state, which is tied to it by the same checksums.
//!
//! The store also holds data that belongs to no meeting: the library of agents, accounts, tokens, templates,
//! settings, and the credentials of providers, sealed under a key file.

mod accounts;
mod agent_seats;
mod agents;
mod append;
mod audit;
mod audit_spool;
mod backup;
mod catalogue;
mod conditions;
mod credentials;
mod cursor;
mod delete;
mod error;
mod faults;
mod files;
mod find;
mod health;
mod idempotency;
mod issued_tokens;
mod learned;
mod location;
mod log;
mod meeting_passwords;
mod meeting_row;
mod meeting_summary;
mod mention_index;
mod mentions;
mod migrate;
mod missing_rows;
mod nodes;
mod outbox;
mod pages;
mod passwords;
mod person_settings;
mod postgres;
mod rebuild;
mod restore;
mod salvage;
mod search;
mod settings;
mod signing;
mod snapshot;
mod sql;
mod sqlite;
mod store;
mod templates;
#[cfg(test)]
mod testing;
mod text_search;
mod tokens;
mod transfer;
mod upcast;
mod upload_content;
mod uploads;
mod vault;
mod verify;
mod webhook_calls;
mod webhook_events;
mod webhook_message;
mod webhook_standing;
mod webhooks;

pub use accounts::{Account, Removal, Renewal, Session, check_account_name, check_name};
pub use agents::{Agent, AgentProfile, SeenAgent};
pub use audit::{AuditEntry, AuditFilter};
pub use backup::{BackupReport, CopyProgress};
pub use credentials::{Credential, Settings};
pub use cursor::Page;
pub use error::StoreError;
pub use idempotency::{Answer, IDEMPOTENCY_KEY_BYTES, KeyState, Ticket};
pub use issued_tokens::{IssuedToken, TokenSubject};
pub use learned::LearnedModel;
pub use location::DatabaseLocation;
pub use meeting_summary::{ForkedFrom, MeetingState, MeetingSummary};
pub use mentions::{MENTIONS_LOOKED_AT, MentionFilter, StoredMention, UnreadMentions};
pub use migrate::{MigrationReport, migrate};
pub use nodes::OwnerElsewhere;
pub use pages::{EventFilter, EventLines, MeetingFilter, PAGE_ROWS, meetings_cursor, meetings_cursor_moment};
pub use passwords::{
    PASSWORD_MAX_BYTES, PASSWORD_MIN_CHARS, PasswordError, check_account_password, fingerprint,
    hash_password, matches_hash, new_secret,
};
pub use person_settings::SettingsOf;
pub use postgres::{Node, NodeStats, PostgresUrl};
pub use restore::{RestoreReport, restore};
pub use salvage::{Damage, Salvaged};
pub use search::{SearchKind, SnippetPart};
pub use signing::{LogSigner, SIGNING_KEY, StoredPublicKey, is_signed_by};
pub use store::Store;
pub use templates::Template;
pub use text_search::{SearchFilter, SearchHit};
pub use tokens::{Invitation, Token};
pub use upcast::event as read_line;
pub use uploads::{NewUpload, Upload, UploadTotal, Uploading};
pub use verify::{Problem, Progress, VerifyReport, verify};
pub use webhook_calls::ReceivedCall;
pub use webhook_message::{MessageState, MessageSubject, WebhookDelivery, WebhookMessage};
pub use webhook_standing::{StopReason, WebhookBreaker};
pub use webhooks::{Webhook, WebhookSecrets};

use quorate_contract::chain;
