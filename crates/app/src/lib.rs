//! The application: every use case, shared by the terminal and the server.
//!
//! It knows the database, files and the environment, but no command line, no screen and no HTTP.

mod access;
mod attendance;
mod background;
mod backups;
mod clock;
mod damage_view;
mod doctor;
mod error;
mod error_conversions;
mod file_tools;
mod images;
mod language;
mod limited_program;
mod local;
mod maintenance;
mod meeting_file;
mod operation;
mod password;
mod pdf_text;
mod planning;
mod providers;
mod text_of_file;
mod transfer;
mod use_cases;
mod webhooks;

pub use access::{
    ACCESS_TOKEN_PREFIX, AccessCredential, ChangedPassword, CreatedInvitation, CreatedResultLink,
    CreatedToken, GuestSession, HashingTurn, Identity, IdentityError, IdentityOptions, InvitationCode,
    InvitationPreview, IssuedSession, LocalToken, MeetingPassword, NewAccountRequest, NewInvitationRequest,
    NewPasswordRequest, NewTokenRequest, PasswordSignIn, SessionClient, check_new_password,
};
pub use attendance::mentions::MentionEntry;
pub use attendance::own_seat::OwnSeat;
pub use attendance::people::{PersonEntry, PersonKind};
pub use attendance::person_settings::{Density, EnterKey, PersonSettings, PersonSettingsChange, Theme};
pub use attendance::presence::LivePresence;
pub use attendance::registration::RegisterAgentRequest;
pub use attendance::turns::{
    AnsweredTurn, OpenTurn, TURN_WAIT_MAX, TurnAnswer, TurnError, TurnOver, TurnReplyTarget, asked_as,
    facilitates,
};
pub use backups::{BackupFailure, BackupInterval, BackupOptions, BackupStats, BackupView, BackupsView};
pub use clock::now;
pub use damage_view::damage_view;
pub use doctor::{DoctorFinding, DoctorFindingState, examine};
pub use error::{ErrorKind, ServiceError};
pub use images::ExportedFiles;
pub use language::{InBoth, Speech};
pub use limited_program::{LimitedProgram, LimitedProgramError, ProcessLimits, ProcessOutput};
pub use local::LocalDatabase;
pub use meeting_file::create_meeting::CreateMeetingRequest;
pub use meeting_file::display::{DisplayEntry, time_zone};
pub use meeting_file::entries::{AgendaEntry, FacilitatorEntry, ModelOfferEntry, ParticipantEntry};
pub use meeting_file::given_rules::GivenRules;
pub use meeting_file::prices::{ListedPrice, PriceList, price, price_list};
pub use meeting_file::rules::{nearest, set_rule};
pub use meeting_file::user_file::UserFile;
pub use operation::caller::{Caller, Transport};
pub use operation::callers_seat::{is_own_runner, seat_of, speaker_at, viewer_of};
pub use operation::denial::Denial;
pub use operation::invocation::{InterruptedRequest, Invocation, RequestKey};
pub use operation::network::network_of;
pub use operation::perform::BlindRound;
pub use operation::principal::{Permission, Principal, PrincipalKind, Scope};
pub use operation::rate_limits::{Meter, RateLimits};
pub use operation::use_case::{UseCase, UseCaseDefinition};
pub use password::password_hash;
pub use planning::agents::{AgentRequest, SavedAgent, simulated_needs_no_key, test_agent};
pub use planning::cost_simulation::{CostSimulation, Course, Share};
pub use planning::estimate::Estimate;
pub use planning::plan::{Plan, language_of};
pub use providers::available::{
    FoundProvider, OLLAMA, Source, agent_sessions, found_providers, how_to_add, programs_of, providers_of,
    runners, stored, tools_of,
};
pub use providers::choose::{ChosenModel, ModelChoice, ModelChoiceReason};
pub use providers::credential::{
    changed, check_provider, check_word, credential, has_its_key, nothing_given, take_by_name,
};
pub use providers::discover::{fitting, list, redacted, variable};
pub use providers::sources::{OpenDatabase, Sources, StoreSource};
pub use providers::stored::{address_of, settings_of, stored_credentials};
pub use providers::trial::{ProviderTestReport, ProviderTestResult, try_out};
pub use providers::vendors::read_own_vendors;
pub use providers::view::{ModelPrice, ModelView, ProviderView, ServedModels, key_source, models_of};
/// Types of lower layers that use cases take and return. Upper layers name them through this crate.
pub use quorate_engine::{
    CallSeen, EngineError, EngineOptions, Fault, Fork, FragmentKind, JournalError, LiveFragment,
    MeetingHandle, Notice, Observer, Record, Recovery, StorageFault, Subscription,
};
pub use quorate_runners::{
    AcpConfig, Directory, ExporterConfig, ExporterError, FILE_HEAD, OfferedTurn, Pace, PermissionBoard,
    Programs, ProviderConfig, ProviderSettings, Secret, ToolSourceConfig, Vendor, WireFormat, http_client,
    install_tls, media_type, vendor, vendors,
};
pub use quorate_runners::{ShareStanding, belongs_to_database, is_secret_name, meeting_of_ticket};
pub use quorate_store::{
    Account, Agent, AgentProfile, AuditEntry, AuditFilter, CopyProgress, Credential, Damage,
    DatabaseLocation, EventFilter, EventLines, ForkOrigin, IDEMPOTENCY_KEY_BYTES, Invitation, KeepOwner,
    MeetingFilter, MeetingLabels, MigrationReport, NewUpload, Node, NodeStats, OwnerChange, OwnerElsewhere,
    Page, PasswordError, ResultLink, Salvaged, SearchFilter, SearchHit, SearchKind, Session, Settings,
    StoreError, StoredResponse, Template, Token, Upload, UploadTotal,
};
pub use transfer::exporters::{ExportError, ExporterView, export_with, exporter_problem, no_such_format};
pub use transfer::import::{AgentImportOutcome, ImportResult, ImportedAgent, ImportedMeeting};
pub use transfer::import_uploads::{
    CONTENT_MAX_BYTES, CONTENTS_MAX_BYTES, Contents, decoded_contents, encoded_contents,
};
pub use transfer::log_file::{LogFileReport, LogProblem, TrustedKey, closing_line, verify_file};
pub use transfer::verify::DatabaseReport;
pub use use_cases::AgentEntry;
pub use use_cases::diagnostic_report;
pub use use_cases::{
    App, AppOptions, DatabaseBackup, EditError, FileLines, Listed, Listing, LogSealer, MeetingChange, NewIds,
    PlannedMeeting, ProgramKind, ProgramView, ProviderRequest, PublicKeyView, RecoveryReport, SavedProvider,
    SigningKeyView, WaitingFor, no_such_provider, unpack_backup,
};
pub use webhooks::{
    NewSecret, WebhookCall, WebhookCallBack, WebhookCallError, WebhookChange, WebhookDeliveryView,
    WebhookOutcome, WebhookReply, WebhookStopReason, WebhookTestResult, WebhookView,
};
