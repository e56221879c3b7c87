//! The app: one database, all runners, and all meetings that run in this process.

mod as_of;
mod audit;
mod backup;
mod damage;
mod edit;
mod files;
mod identity;
mod journal;
mod learned;
mod library;
mod limits;
mod listing;
mod lock;
mod nodes;
mod operation;
mod participants;
mod permissions;
mod presence;
mod programs;
mod recovery;
mod runners;
mod search;
mod signing;
mod templates;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use quorate_contract::{Actor, Command, MeetingId, MeetingSpec, Newcomer, RunId, SimulatedPace};
use quorate_core::Meeting;
use quorate_engine::{
    Engine, EngineError, EngineOptions, Fork, Journal, MeetingHandle, Observer, Record, RunnerDirectory,
    SystemClock, observe_journal, observe_runners,
};
use quorate_messages::message;
use quorate_runners::{Directory, Pace, PermissionBoard, TurnBoard, WebhookSender};
use quorate_store::Store;
use quorate_views::folder_layouts::Files;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use self::damage::{Damaged, is_damage};
use self::runners::LiveRunners;
use crate::attendance::presence::PresenceBook;
use crate::background::{in_background, processors};
use crate::backups::ScheduledBackups;
use crate::error::{ErrorKind, ServiceError};
use crate::images::{ImageMaker, WithImages};
use crate::limited_program::LimitedProgram;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::entries::ParticipantEntry;
use crate::operation::audit::Audit;
use crate::operation::callers_seat::{from_seat, speaks_from_seat};
use crate::operation::idempotency::Answers;
use crate::operation::principal::{Permission, Principal};
use crate::operation::rate_limits::RateCounters;
use crate::operation::resume_permission;
use crate::pdf_text::PdfReader;
use crate::planning::estimate::{Estimate, providers_asked};
use crate::planning::plan::Plan;
use crate::planning::seats::newcomer;
use crate::providers::choose::ModelChoice;
use crate::providers::sources::Sources;
use crate::transfer::import::{ImportResult, import};
use crate::transfer::import_uploads::Contents;
use crate::webhooks::CallBacksUnderWay;

pub use self::backup::{DatabaseBackup, unpack_backup};
pub use self::edit::{EditError, MeetingChange};
pub use self::files::FileLines;
pub(crate) use self::files::path_of;
pub use self::identity::IdentityStore;
pub(crate) use self::journal::RoutedJournal;
pub use self::library::{ProviderRequest, SavedProvider, no_such_provider};
pub use self::listing::{Listed, Listing};
pub use self::presence::AgentEntry;
pub use self::programs::{ProgramKind, ProgramView};
pub use self::recovery::RecoveryReport;
pub use self::signing::{LogSealer, PublicKeyView, SigningKeyView};

/// The entry point to meetings, the library and the store. Cheap to clone; all clones are the same app.
#[derive(Clone)]
pub struct App(Arc<AppState>);

struct AppState {
    store: Store,
    config: PathBuf,
    journal: Arc<RoutedJournal>,
    runners: Arc<LiveRunners>,
    engine: Engine,
    new_pace: Option<SimulatedPace>,
    damaged: Damaged,
    audit: Audit,
    answers: Answers,
    rate_counters: RateCounters,
    presence: PresenceBook,
    /// The limit of running meetings; 0 for no limit.
    running_limit: AtomicU32,
    /// Limits backups to one at a time, download included.
    backups: Arc<Semaphore>,
    scheduled_backups: ScheduledBackups,
    webhook_sender: WebhookSender,
    call_backs_under_way: CallBacksUnderWay,
    /// Changes with every change of a webhook.
    webhook_changes: watch::Sender<()>,
    pdf_reader: PdfReader,
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
    /// After which time a meeting at which nothing happens leaves the memory.
    pub idle_after: Duration,
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
            idle_after: Duration::from_secs(60),
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
        let journal = Arc::new(RoutedJournal::over(store.clone()));
        let (mut told, mut asked): (Arc<dyn Journal>, Arc<dyn RunnerDirectory>) =
            (journal.clone(), options.runners.unwrap_or_else(|| runners.clone()));
        if let Some(observer) = options.observer {
            told = observe_journal(told, Arc::clone(&observer));
            asked = observe_runners(asked, observer);
        }
        let images = ImageMaker::default();
        let asked = Arc::new(WithImages { inner: asked, store: store.clone(), maker: images.clone() });
        let engine_options = EngineOptions { idle_after: options.idle_after, ..EngineOptions::default() };
        let engine = Engine::with_options(told, asked, Arc::new(SystemClock), engine_options);
        let (config, new_pace) = (options.config, options.new_pace);
        let damaged = Damaged::default();
        let (audit, answers) = (Audit::of(store.clone()), Answers::default());
        let rate_counters = RateCounters::default();
        let running_limit = AtomicU32::new(0);
        let backups = Arc::new(Semaphore::new(1));
        let pdf_reader = PdfReader::new(options.pdf_reader);
        let app_state = Arc::new(AppState {
            store,
            config,
            journal,
            runners,
            engine,
            new_pace,
            damaged,
            audit,
            answers,
            rate_counters,
            presence: PresenceBook::default(),
            running_limit,
            backups,
            scheduled_backups: ScheduledBackups::default(),
            webhook_sender: webhook_sender()?,
            call_backs_under_way: CallBacksUnderWay::default(),
            webhook_changes: watch::Sender::new(()),
            pdf_reader,
            images,
        });
        learned::remember(&app_state).await;
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
    pub(crate) fn call_backs_under_way(&self) -> &CallBacksUnderWay {
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

    /// Who was seen when.
    pub(crate) fn presence(&self) -> &PresenceBook {
        &self.0.presence
    }

    /// The limit of running meetings; `None` for no limit.
    pub(crate) fn running_limit(&self) -> Option<u32> {
        Some(self.0.running_limit.load(Ordering::Relaxed)).filter(|most| *most > 0)
    }

    /// Sets the limit of running meetings; 0 for no limit. Paused and ended meetings do not count.
    pub fn limit_running(&self, most: u32) {
        self.0.running_limit.store(most, Ordering::Relaxed);
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

    /// Plans a meeting for a remote client. Nothing is written.
    ///
    /// # Errors
    /// When a part of the request is missing or wrong, or is reserved to the operator.
    pub async fn plan(&self, new: &CreateMeetingRequest) -> Result<Plan, ServiceError> {
        new.check_remote()?;
        let mut plan = Plan::make(&self.sources(), new).await?;
        plan.set_pace(self.0.new_pace);
        Ok(plan)
    }

    /// Checks that a principal may create the meeting with the tools that it allows: what they reach belongs to the
    /// server's owner.
    ///
    /// # Errors
    /// When it allows any and the principal is not the owner.
    pub fn may_allow_tools(principal: &Principal, new: &CreateMeetingRequest) -> Result<(), ServiceError> {
        match new.tools.is_empty() || principal.may(Permission::Owner, None) {
            true => Ok(()),
            false => {
                Err(ServiceError::new(message!("app-tools-of-owner"), message!("app-tools-of-owner-hint"))
                    .of(ErrorKind::Permission)
                    .with("field", "tools"))
            }
        }
    }

    /// Estimates the usage of a meeting. No model is called, and nothing is written.
    ///
    /// # Errors
    /// As for [`App::plan`].
    pub async fn estimate(&self, new: &CreateMeetingRequest) -> Result<Estimate, ServiceError> {
        let plan = self.plan(new).await?;
        in_background(move || plan.estimate()).await
    }

    /// Creates a meeting, as a draft: it begins with [`Command::Start`].
    ///
    /// # Errors
    /// As [`App::plan`], and when the database does not take it; then nothing of it is there.
    pub async fn create(
        &self,
        by: &Actor,
        new: &CreateMeetingRequest,
    ) -> Result<MeetingHandle, ServiceError> {
        Ok(self.create_and_tell(by, new).await?.0)
    }

    /// Creates a meeting, and returns which models were chosen where the request names none.
    ///
    /// # Errors
    /// As for [`App::create`].
    pub async fn create_and_tell(
        &self,
        by: &Actor,
        new: &CreateMeetingRequest,
    ) -> Result<(MeetingHandle, Option<ModelChoice>), ServiceError> {
        let plan = self.plan(new).await?;
        let choice = plan.choice.clone();
        // What was configured since the last time is not known yet.
        if !self.0.runners.knows(providers_asked(&plan.spec)).await {
            self.reload().await?;
        }
        let id = new_id();
        if new.off_record {
            self.0.journal.keep_off_record(id.clone());
        }
        let created = self.found(by, &id, plan.spec, new.announce.clone()).await;
        if created.is_err() {
            // Half a meeting is none.
            _ = self.delete(&id).await;
        }
        Ok((created?, choice))
    }

    /// Creates a meeting from a plan that was made at this machine. With a password, it asks for it from the
    /// beginning.
    ///
    /// # Errors
    /// When the plan cannot be held, or the database does not take it; then nothing of it is there.
    pub async fn create_planned(
        &self,
        by: &Actor,
        plan: PlannedMeeting,
    ) -> Result<MeetingHandle, ServiceError> {
        let PlannedMeeting { spec, announce, password, off_record } = plan;
        let id = new_id();
        if off_record {
            self.0.journal.keep_off_record(id.clone());
        }
        let created = async {
            let handle = self.found(by, &id, spec, announce).await?;
            if let Some(password) = &password {
                self.lock(&id, by, Some(password)).await?;
            }
            Ok(handle)
        };
        let created: Result<MeetingHandle, ServiceError> = created.await;
        if created.is_err() {
            // Half a meeting is none.
            _ = self.delete(&id).await;
        }
        created
    }

    /// Imports every meeting that the files hold, or none of them; with `agents`, their agents, too.
    ///
    /// # Errors
    /// When a file is not what it should be, or the database does not take it.
    pub async fn import(
        &self,
        files: Files,
        contents: Contents,
        agents: bool,
        by: Actor,
    ) -> Result<ImportResult, ServiceError> {
        import(&self.0.engine, &self.0.store, self.pdf_reader(), files, contents, agents, by).await
    }

    async fn found(
        &self,
        by: &Actor,
        id: &MeetingId,
        spec: MeetingSpec,
        announce: Option<String>,
    ) -> Result<MeetingHandle, ServiceError> {
        let handle = self.0.engine.create(id.clone(), new_run(), by.clone(), spec).await?;
        if let Some(text) = announce {
            let announced = handle.execute(Command::Announce { by: by.clone(), text }).await;
            announced.map_err(|error| ServiceError::from(error).with("field", "announce"))?;
        }
        Ok(handle)
    }

    /// A running meeting; one that does not run yet is loaded from its log.
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read.
    pub async fn meeting(&self, id: &MeetingId) -> Result<MeetingHandle, ServiceError> {
        Ok(self.0.engine.open(id).await?)
    }

    /// Carries out a command on a meeting, within the permissions of the principal. The returned sequence
    /// number is durable.
    ///
    /// # Errors
    /// When the command is refused, or the meeting does not exist.
    pub async fn command(
        &self,
        principal: &Principal,
        id: &MeetingId,
        command: Command,
    ) -> Result<u64, ServiceError> {
        let command = match resume_permission::looks_at(principal, id, &command) {
            true => resume_permission::within(&self.load(id).await?, command)?,
            false => command,
        };
        let command = match speaks_from_seat(principal, &command) {
            true => from_seat(&self.load(id).await?, principal, command),
            false => command,
        };
        match command {
            Command::PermitAction { .. } => self.permit_action(principal, id, command).await,
            command => Ok(self.meeting(id).await?.execute(command).await?),
        }
    }

    /// Releases a meeting that runs here. Calls in flight are dropped, and made again when it is loaded.
    pub fn let_go(&self, id: &MeetingId) {
        self.0.engine.let_go(id);
    }

    /// The present state of a meeting, whether or not it runs; it is not started. A damaged meeting is
    /// returned in its state before the damage, see [`App::damage`].
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read.
    pub async fn load(&self, id: &MeetingId) -> Result<Meeting, ServiceError> {
        if self.0.engine.is_running(id)
            && let Ok(handle) = self.0.engine.open(id).await
            && let Ok(meeting) = handle.look().await
        {
            return Ok(meeting);
        }
        // Limits the number of complete logs in memory.
        let _one_of_few = READ.acquire().await;
        match self.0.engine.load(id).await {
            Ok(meeting) => Ok(meeting),
            Err(error) => {
                let is_damage = matches!(&error, EngineError::Journal(error) if is_damage(error));
                let salvaged = self.salvaged(id, error, is_damage).await?;
                self.salvaged_at(salvaged, u64::MAX).await
            }
        }
    }

    /// The events of a meeting after number `after`, each with its line; of a damaged one, those before the damage.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn records(&self, id: &MeetingId, after: u64) -> Result<Vec<Record>, ServiceError> {
        match self.0.journal.read(id.clone(), after).await {
            Ok(records) => Ok(records),
            Err(error) => {
                let is_damage = is_damage(&error);
                let mut records = self.salvaged(id, error, is_damage).await?.records;
                records.retain(|record| record.event.seq > after);
                Ok(records)
            }
        }
    }

    /// Whether a meeting is off the record.
    pub fn is_off_record(&self, id: &MeetingId) -> bool {
        self.0.journal.is_off_record(id)
    }

    /// Deletes a meeting with all that was said at it. One that runs is stopped first.
    ///
    /// # Errors
    /// When there is no such meeting, or the database cannot be written.
    pub async fn delete(&self, id: &MeetingId) -> Result<(), ServiceError> {
        if self.0.engine.is_running(id)
            && let Ok(handle) = self.0.engine.open(id).await
        {
            // Calls in flight are cut off; a draft or an ended meeting has none.
            _ = handle.execute(Command::Pause { by: Actor::System, at_once: true }).await;
        }
        self.0.engine.let_go(id);
        self.0.answers.forget(id);
        match self.0.journal.forget(id) {
            true => Ok(()),
            false => Ok(self.0.store.delete_meeting(id).await?),
        }
    }

    /// Forks a meeting at an event. The fork needs the same password, and is off the record if the original
    /// is. It is paused until it is resumed.
    ///
    /// # Errors
    /// When the meeting or the event does not exist, or the meeting cannot be forked there.
    pub async fn fork(&self, from: &MeetingId, fork: Fork) -> Result<MeetingHandle, ServiceError> {
        let id = new_id();
        if self.is_off_record(from) {
            self.0.journal.keep_off_record(id.clone());
        }
        // The hash first: what could not be opened without a password cannot be opened by copying it.
        let forked = async {
            if let Some(hash) = self.0.journal.password_hash(from).await? {
                self.0.journal.set_password_hash(&id, Some(hash)).await?;
            }
            Ok(self.0.engine.fork(from, fork, id.clone(), new_run()).await?)
        };
        let forked: Result<MeetingHandle, ServiceError> = forked.await;
        if forked.is_err() && !self.0.journal.forget(&id) {
            self.0.journal.set_password_hash(&id, None).await?;
        }
        let handle = forked?;
        // The fork is there, with its password, whether or not its files can be read in it.
        if !self.is_off_record(from)
            && let Err(error) = self.copy_files(from, &handle).await
        {
            tracing::warn!(fork = %id, error = error.message(), "the fork has no content of its files");
        }
        Ok(handle)
    }

    /// A participant who is to join an existing meeting: an agent of the library by name, or a description.
    /// Without a model of its own it gets the model of the other participants.
    ///
    /// # Errors
    /// When the agent or the model does not exist, or the request brings a program.
    pub async fn newcomer(
        &self,
        entry: ParticipantEntry,
        meeting: &Meeting,
    ) -> Result<Newcomer, ServiceError> {
        newcomer(&self.sources(), entry, meeting).await
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

fn new_id() -> MeetingId {
    MeetingId::new(uuid::Uuid::now_v7().to_string())
}

fn new_run() -> RunId {
    RunId::new(uuid::Uuid::now_v7().to_string())
}

/// Limits the number of meetings that are read from their logs at a time.
static READ: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(processors()));
