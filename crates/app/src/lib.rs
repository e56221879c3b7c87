//! The application: every use case, shared by the terminal and the server.
//!
//! It knows the database, files and the environment, but no command line, no screen and no HTTP.

mod agents;
mod app;
mod audit;
mod background;
mod backups;
mod caller;
mod callers_seat;
mod causes;
mod choose;
mod clock;
mod command_line;
mod cost_simulation;
mod create_meeting;
mod credential;
mod denial;
mod discover;
mod display;
mod doctor;
mod entries;
mod error;
mod estimate;
mod exporters;
mod file;
mod given_rules;
mod idempotency;
mod import;
mod invocation;
mod library;
mod local;
mod log_file;
mod maintenance;
mod mentions;
mod models;
mod network;
mod own_seat;
mod password;
mod people;
mod perform;
mod person_settings;
mod plan;
mod presence;
mod prices;
mod principal;
mod provider_view;
mod providers;
mod rate_limits;
mod registration;
mod resume_permission;
mod rules;
mod seats;
mod sources;
mod speech;
mod trial;
mod turns;
mod use_case;
mod vendors;
mod verify;
mod webhooks;

pub use agents::{AgentRequest, SavedAgent, simulated_needs_no_key, test_agent};
pub use app::AgentEntry;
pub use app::{
    App, AppOptions, DatabaseBackup, EditError, IdentityStore, Listed, Listing, LogSealer, MeetingChange,
    PlannedMeeting, ProviderRequest, PublicKeyView, RecoveryReport, SavedProvider, SigningKeyView,
    no_such_provider, unpack_backup,
};
pub use audit::AuditNote;
pub use backups::{BackupFailure, BackupInterval, BackupOptions, BackupStats, BackupView, BackupsView};
pub use caller::{Caller, Transport};
pub use callers_seat::{is_own_runner, reader_of, seat_of, speaker_at};
pub use choose::{ChosenModel, ModelChoice, ModelChoiceReason};
pub use clock::now;
pub use cost_simulation::{CostSimulation, Course, Share};
pub use create_meeting::CreateMeetingRequest;
pub use credential::{
    changed, check_provider, check_word, credential, has_its_key, nothing_given, take_by_name,
};
pub use denial::Denial;
pub use discover::{fitting, list, redacted, variable};
pub use display::{DisplayEntry, time_zone};
pub use doctor::{DoctorFinding, DoctorFindingState, examine};
pub use entries::{AgendaEntry, FacilitatorEntry, OfferEntry, ParticipantEntry};
pub use error::{ErrorKind, ServiceError};
pub use estimate::Estimate;
pub use exporters::{ExportError, ExporterView, export_with, exporter_problem, no_such_format};
pub use file::UserFile;
pub use given_rules::GivenRules;
pub use import::{AgentImportOutcome, ImportResult, ImportedAgent, ImportedMeeting};
pub use invocation::{Invocation, Recalled, RequestKey};
pub use library::{address_of, settings_of, stored_credentials};
pub use local::{ACCESS_TOKEN_PREFIX, LocalDatabase, NewToken};
pub use log_file::{LogFileReport, LogProblem, TrustedKey, closing_line, verify_file};
pub use mentions::MentionEntry;
pub use network::network_of;
pub use own_seat::OwnSeat;
pub use password::password_hash;
pub use people::{PersonEntry, PersonKind};
pub use perform::BlindRound;
pub use person_settings::{Density, EnterKey, PersonSettings, PersonSettingsChange, Theme};
pub use plan::{Plan, language_of};
pub use presence::LivePresence;
pub use prices::{ListedPrice, PriceList, price, price_list};
pub use principal::{Permission, Principal, PrincipalKind, Scope};
pub use provider_view::{ModelPrice, ModelView, ProviderView, key_source, models_of};
pub use providers::{
    FoundProvider, OLLAMA, Source, found_providers, how_to_add, processes_of, providers_of, runners, stored,
};
/// Types of lower layers that use cases take and return. Upper layers name them through this crate.
pub use quorate_engine::{
    CallSeen, EngineError, Fault, Fork, FragmentKind, JournalError, LiveFragment, MeetingHandle, Notice,
    Observer, Record, Recovery, StorageFault, Subscription,
};
pub use quorate_runners::{
    Directory, ExporterConfig, ExporterError, OfferedTurn, Pace, ProviderConfig, ProviderSettings, Secret,
    Vendor, WireFormat, install_tls, vendor, vendors,
};
pub use quorate_store::{
    Account, Agent, AgentProfile, Answer, AuditEntry, AuditFilter, CopyProgress, Credential, Damage,
    EventFilter, EventLines, ForkedFrom, IDEMPOTENCY_KEY_BYTES, Invitation, IssuedToken, MeetingFilter,
    MeetingState, NewUpload, Page, PasswordError, Removal, Renewal, Salvaged, SearchFilter, SearchHit,
    SearchKind, Session, Settings, StoreError, Template, Token, TokenSubject, Upload, UploadTotal,
    check_account_name, check_account_password, check_name, fingerprint, hash_password, matches_hash,
    new_secret,
};
pub use rate_limits::{Attempt, CountedAttempt, Meter, RateLimits};
pub use registration::RegisterAgentRequest;
pub use rules::{nearest, set_rule};
pub use sources::{OpenDatabase, Sources, StoreSource};
pub use speech::{InBoth, Speech};
pub use trial::{ProviderTestReport, ProviderTestResult, try_out};
pub use turns::{AnsweredTurn, OpenTurn, TURN_WAIT_MAX, TurnAnswer, TurnError, TurnReplyTarget};
pub use use_case::{Definition, UseCase};
pub use vendors::read_own_vendors;
pub use verify::DatabaseReport;
pub use webhooks::{
    NewSecret, WebhookCall, WebhookCallBack, WebhookCallError, WebhookChange, WebhookDeliveryView,
    WebhookOutcome, WebhookReply, WebhookStopReason, WebhookTestResult, WebhookView,
};
