//! The app: one database, all runners, and all meetings that run in this process.

mod accounts_and_invitations;
mod agents_and_providers;
mod as_of;
mod audit;
mod backup;
mod damage;
mod edit;
mod files;
mod journal;
mod learned_limits;
mod limits;
mod listing;
mod meeting_password;
mod meetings;
mod nodes;
mod operator;
mod permit_action;
mod presence;
mod programs;
mod recovery;
mod runners;
mod search;
mod signing;
mod templates;
mod waiting;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use quorate_contract::{MeetingSpec, SimulatedPace, Timestamp};
use quorate_engine::{
    Clock, Engine, EngineOptions, Journal, Observer, RunnerDirectory, SystemClock, observe_journal,
    observe_runners,
};
use quorate_messages::message;
use quorate_runners::{Directory, Pace, PermissionBoard, TurnBoard, WebhookSender};
use quorate_store::{RunningLimits, Store};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use self::damage::Damaged;
use self::runners::LiveRunners;
use self::waiting::KnownPauses;
use crate::attendance::cursor_cache::ContextCursors;
use crate::attendance::presence::PresenceRegistry;
use crate::background::processors;
use crate::backups::ScheduledBackups;
use crate::error::{ErrorKind, ServiceError};
use crate::file_tools::WithFileTools;
use crate::images::{ImageMaker, WithImages};
use crate::limited_program::LimitedProgram;
use crate::operation::audit::Audit;
use crate::operation::idempotency::Answers;
use crate::operation::rate_limits::RateCounters;
use crate::pdf_text::PdfReader;
use crate::providers::sources::Sources;
use crate::webhooks::PendingCallbacks;

pub use self::agents_and_providers::{ProviderRequest, SavedProvider, no_such_provider};
pub use self::backup::{DatabaseBackup, unpack_backup};
pub use self::damage::diagnostic_report;
pub use self::edit::{EditError, MeetingChange};
pub use self::files::FileLines;
pub(crate) use self::files::path_of;
pub(crate) use self::journal::RoutedJournal;
pub use self::listing::{Listed, Listing};
pub use self::presence::AgentEntry;
pub use self::programs::{ProgramKind, ProgramView};
pub use self::recovery::RecoveryReport;
pub use self::signing::{LogSealer, PublicKeyView, SigningKeyView};
pub use self::waiting::WaitingFor;

/// The entry point to meetings, the library and the store. Cheap to clone; all clones are the same app.
#[derive(Clone)]
pub struct App(Arc<AppState>);

struct AppState {
    store: Store,
    config: PathBuf,
    journal: Arc<RoutedJournal>,
    runners: Arc<LiveRunners>,
    engine: Engine,
    clock: Arc<dyn Clock>,
    new_ids: NewIds,
    /// Limits the number of meetings that are read from their logs at a time.
    log_reads: Semaphore,
    /// Held while the password of a meeting is changed.
    password_changes: tokio::sync::Mutex<()>,
    new_pace: Option<SimulatedPace>,
    damaged: Damaged,
    audit: Audit,
    answers: Answers,
    rate_counters: RateCounters,
    presence: PresenceRegistry,
    context_cursors: ContextCursors,
    known_pauses: KnownPauses,
    /// The limit of running meetings; 0 for no limit.
    running_limit: AtomicU32,
    /// The limit of running meetings of each account; 0 for no limit.
    running_limit_per_account: AtomicU32,
    /// Limits backups to one at a time, download included.
    backups: Arc<Semaphore>,
    scheduled_backups: ScheduledBackups,
    webhook_sender: WebhookSender,
    call_backs_under_way: PendingCallbacks,
    /// Changes with every change of a webhook.
    webhook_changes: watch::Sender<()>,
    pdf_reader: Arc<PdfReader>,
    images: ImageMaker,
}

/// Options of an app besides its database.
#[derive(Clone)]
pub struct AppOptions {
    /// The user's own configuration, whether or not there is one.
    pub config: PathBuf,
    /// The speed of simulated participants at meetings that do not set one.
    pub pace: Pace,
    /// The speed of simulated participants for new meetings that do not set one; it is stored with the
    /// meeting.
    pub new_pace: Option<SimulatedPace>,
    /// How meetings are kept in memory, and where long computations run.
    pub engine: EngineOptions,
    /// The clock of meetings, and of what is noted beside them: the audit log, idempotency keys, who was seen when.
    pub clock: Arc<dyn Clock>,
    /// The journal of the meetings that are stored; the database itself when `None`.
    pub journal: Option<Arc<dyn Journal>>,
    /// The ids of new meetings and runs.
    pub new_ids: NewIds,
    /// Whether limits of models that servers have reported are kept in the database. All apps of a process learn the same.
    pub keeps_learned_limits: bool,
    /// Runners that replace the configured ones.
    pub runners: Option<Arc<dyn RunnerDirectory>>,
    /// The board on which those runners offer the turns of external respondents; the app's own when `None`.
    pub board: Option<Arc<TurnBoard>>,
    /// The board on which those runners ask for permissions; the app's own when `None`.
    pub permissions: Option<Arc<PermissionBoard>>,
    /// The observer of calls between meetings and runners.
    pub observer: Option<Arc<dyn Observer>>,
    /// The program that reads the text of PDF files: it reads the file and writes the text. Without one, they have no text.
    pub pdf_reader: Option<LimitedProgram>,
}

/// Where the ids of new meetings and runs come from: UUIDs that begin with the time, if nothing else is given.
#[derive(Clone)]
pub struct NewIds(Arc<dyn Fn() -> String + Send + Sync>);

impl NewIds {
    /// Ids that this function makes; no two may be the same.
    pub fn of(make: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(make))
    }

    fn next(&self) -> String {
        (self.0)()
    }
}

impl Default for NewIds {
    fn default() -> Self {
        Self::of(|| uuid::Uuid::now_v7().to_string())
    }
}

/// A meeting that was planned at this machine, where programs and files are allowed.
pub struct PlannedMeeting {
    /// The specification of the meeting.
    pub spec: MeetingSpec,
    /// An announcement that is published before the start.
    pub announce: Option<String>,
    /// The password of the meeting.
    pub password: Option<String>,
    /// Whether the meeting is off the record.
    pub off_record: bool,
}

impl AppOptions {
    /// With this configuration, and otherwise as is usual.
    pub fn new(config: PathBuf) -> Self {
        Self {
            config,
            pace: Pace::Instant,
            new_pace: None,
            engine: EngineOptions::default(),
            clock: Arc::new(SystemClock),
            journal: None,
            new_ids: NewIds::default(),
            keeps_learned_limits: true,
            runners: None,
            board: None,
            permissions: None,
            observer: None,
            pdf_reader: None,
        }
    }
}

impl App {
    /// Opens an app over a database that is open for writing. No meeting runs yet: see [`App::recover`].
    ///
    /// # Errors
    /// When something that is configured cannot be used.
    pub async fn open(store: Store, options: AppOptions) -> Result<Self, ServiceError> {
        let runners = Arc::new(LiveRunners::simulated(
            options.pace,
            options.board.unwrap_or_default(),
            options.permissions.unwrap_or_default(),
        ));
        if options.runners.is_none() {
            runners.renew(&store, &options.config).await?;
        }
        let journal = Arc::new(RoutedJournal::over(store.clone(), options.journal));
        let (mut told, mut asked): (Arc<dyn Journal>, Arc<dyn RunnerDirectory>) =
            (journal.clone(), options.runners.unwrap_or_else(|| runners.clone()));
        if let Some(observer) = options.observer {
            told = observe_journal(told, Arc::clone(&observer));
            asked = observe_runners(asked, observer);
        }
        let images = ImageMaker::default();
        let asked = Arc::new(WithImages { inner: asked, store: store.clone(), maker: images.clone() });
        let pdf_reader = Arc::new(PdfReader::new(options.pdf_reader));
        let asked = Arc::new(WithFileTools {
            inner: asked,
            store: store.clone(),
            pdf_reader: Arc::clone(&pdf_reader),
        });
        let clock = options.clock;
        let engine = Engine::with_options(told, asked, Arc::clone(&clock), options.engine);
        let (config, new_pace) = (options.config, options.new_pace);
        let damaged = Damaged::default();
        let (audit, answers) = (Audit::of(store.clone(), Arc::clone(&clock)), Answers::default());
        let rate_counters = RateCounters::default();
        let (running_limit, running_limit_per_account) = (AtomicU32::new(0), AtomicU32::new(0));
        let backups = Arc::new(Semaphore::new(1));
        let app_state = Arc::new(AppState {
            store,
            config,
            journal,
            runners,
            engine,
            clock,
            new_ids: options.new_ids,
            log_reads: Semaphore::new(processors()),
            password_changes: tokio::sync::Mutex::default(),
            new_pace,
            damaged,
            audit,
            answers,
            rate_counters,
            presence: PresenceRegistry::default(),
            context_cursors: ContextCursors::default(),
            known_pauses: KnownPauses::default(),
            running_limit,
            running_limit_per_account,
            backups,
            scheduled_backups: ScheduledBackups::default(),
            webhook_sender: webhook_sender()?,
            call_backs_under_way: PendingCallbacks::default(),
            webhook_changes: watch::Sender::new(()),
            pdf_reader,
            images,
        });
        if options.keeps_learned_limits {
            learned_limits::remember(&app_state).await;
        }
        let app = Self(app_state);
        app.recall_presence().await?;
        Ok(app)
    }

    /// The file of the database.
    pub fn database(&self) -> &std::path::Path {
        self.store().path()
    }

    /// The database. Meetings off the record are not in it.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The engine that runs the meetings.
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }

    /// The present moment.
    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// What is known of scheduled backups.
    pub(crate) fn scheduled_backups(&self) -> &ScheduledBackups {
        &self.0.scheduled_backups
    }

    /// The permit for a backup; `None` while another one is running.
    pub(crate) fn backup_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.backups).try_acquire_owned().ok()
    }

    /// What reads the text of PDF files.
    pub(crate) fn pdf_reader(&self) -> &PdfReader {
        &self.0.pdf_reader
    }

    /// What makes images as they are shown.
    pub(crate) fn images(&self) -> &ImageMaker {
        &self.0.images
    }

    /// What sends messages to webhooks.
    pub(crate) fn webhook_sender(&self) -> &WebhookSender {
        &self.0.webhook_sender
    }

    /// The call-backs that are being carried out.
    pub(crate) fn call_backs_under_way(&self) -> &PendingCallbacks {
        &self.0.call_backs_under_way
    }

    /// A receiver that changes with every change of a webhook.
    pub(crate) fn webhook_changes(&self) -> watch::Receiver<()> {
        self.0.webhook_changes.subscribe()
    }

    /// Notes that a webhook was changed, or something on which one rests: a token, an account, an agent.
    pub fn webhooks_changed(&self) {
        self.0.webhook_changes.send_replace(());
    }

    /// Notified of events in the database, for one listener.
    pub(crate) fn appended(&self) -> Arc<Notify> {
        self.0.journal.appended()
    }

    pub(crate) fn audit(&self) -> &Audit {
        &self.0.audit
    }

    /// Recent answers of idempotent requests to meetings off the record.
    pub(crate) fn answers(&self) -> &Answers {
        &self.0.answers
    }

    pub(crate) fn rate_counters(&self) -> &RateCounters {
        &self.0.rate_counters
    }

    /// Up to where agents have been given what was said, as far as the database does not know it.
    pub(crate) fn known_pauses(&self) -> &KnownPauses {
        &self.0.known_pauses
    }

    pub(crate) fn context_cursors(&self) -> &ContextCursors {
        &self.0.context_cursors
    }

    /// Who was seen when.
    pub(crate) fn presence(&self) -> &PresenceRegistry {
        &self.0.presence
    }

    /// The limits of running meetings; `None` when there are none.
    pub(crate) fn running_limits(&self) -> Option<RunningLimits> {
        let limit = |of: &AtomicU32| Some(of.load(Ordering::Relaxed).into()).filter(|most: &u64| *most > 0);
        let (all, per_account) = (limit(&self.0.running_limit), limit(&self.0.running_limit_per_account));
        (all.is_some() || per_account.is_some()).then_some(RunningLimits { all, per_account })
    }

    /// Sets the limits of running meetings, in all and of those that one account has created; 0 for no limit. Paused and
    /// ended meetings do not count.
    pub fn limit_running(&self, most: u32, per_account: u32) {
        self.0.running_limit.store(most, Ordering::Relaxed);
        self.0.running_limit_per_account.store(per_account, Ordering::Relaxed);
    }

    /// The user's own configuration, whether or not there is one.
    pub fn config(&self) -> &Path {
        &self.0.config
    }

    /// The turns that wait for external respondents.
    pub(crate) fn turn_board(&self) -> &TurnBoard {
        self.0.runners.board()
    }

    /// The present directory of runners.
    pub fn directory(&self) -> Arc<Directory> {
        self.0.runners.directory()
    }

    /// Reloads the configuration. A runner whose configuration did not change keeps what it has learned.
    /// Running meetings use new runners from their next call on.
    ///
    /// # Errors
    /// When a part of the configuration is invalid; then nothing changes.
    pub async fn reload(&self) -> Result<(), ServiceError> {
        self.0.runners.renew(&self.0.store, &self.0.config).await
    }

    /// The sources that a meeting is planned from, besides the request.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources { store_source: &self.0.store, config: &self.0.config }
    }

    /// Lets the programs that answer end in peace, up to a few seconds.
    pub async fn close(&self) {
        self.keep_presence().await;
        self.directory().close().await;
    }
}

fn webhook_sender() -> Result<WebhookSender, ServiceError> {
    WebhookSender::new().map_err(|error| {
        ServiceError::new(message!("app-http-client", %error), message!("app-bug-hint"))
            .of(ErrorKind::Internal)
    })
}
