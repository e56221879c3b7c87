//! The state that all routes share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use quorate_app::{App, LimitedProgram};
use quorate_bus::Bus;
use quorate_contract::MeetingId;
use quorate_messages::message;
use quorate_page::Page;

use crate::access::{Access, AccessCredential, Principal};
use crate::exports::ExportPool;
use crate::limits::compute::Computing;
use crate::live::{LiveOptions, StreamRegistry};
use crate::nodes::{Forwarder, TurnsElsewhere};
use crate::ops::Metrics;
use crate::ops::log_levels::LogLevels;
use crate::options::Options;
use crate::problem::Problem;
use crate::settings::{ServerSettings, kept};

/// The state that all routes share. Cheap to clone.
#[derive(Clone)]
pub struct ServerState(Arc<Shared>);

struct Shared {
    app: App,
    access: Access,
    live: StreamRegistry,
    metrics: Arc<Metrics>,
    log: LogLevels,
    options: Options,
    page: Page,
    settings: RwLock<ServerSettings>,
    exports: ExportPool,
    computing: Computing,
    began: Instant,
    stopping: AtomicBool,
    /// Set when the server listens, where several processes share the database.
    forwarder: OnceLock<Forwarder>,
    /// When accounts, sessions and tokens were read last because somebody was unknown.
    identity_read: tokio::sync::Mutex<Option<Instant>>,
    /// Set when the server listens and is given one.
    bus: OnceLock<Bus>,
    /// Who is asked at the other nodes.
    turns_elsewhere: TurnsElsewhere,
}

impl ServerState {
    /// A service over an app, with access control. Stored changes of the settings apply.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn new(
        app: App,
        access: Access,
        options: Options,
        metrics: Arc<Metrics>,
        log: LogLevels,
    ) -> Result<Self, Problem> {
        let this = Self::of(app, access, options, metrics, log, Page::embedded());
        this.apply_stored_settings().await?;
        Ok(this)
    }

    /// For the person at this machine, set as is usual.
    pub fn alone(app: App, metrics: Arc<Metrics>) -> Self {
        let access = Access::alone(app.clone());
        Self::of(app, access, Options::default(), metrics, LogLevels::fixed(), Page::embedded())
    }

    /// The same, with another page than the one of this binary.
    pub fn with_page(app: App, metrics: Arc<Metrics>, page: Page) -> Self {
        let access = Access::alone(app.clone());
        Self::of(app, access, Options::default(), metrics, LogLevels::fixed(), page)
    }

    /// The same, with live telling tuned otherwise.
    pub fn with_live(app: App, metrics: Arc<Metrics>, live: LiveOptions) -> Self {
        let access = Access::alone(app.clone());
        let options = Options { live, ..Options::default() };
        Self::of(app, access, options, metrics, LogLevels::fixed(), Page::embedded())
    }

    /// A service with access control and default options.
    pub fn guarded(app: App, access: Access) -> Self {
        let metrics = Arc::new(Metrics::default());
        Self::of(app, access, Options::default(), metrics, LogLevels::fixed(), Page::embedded())
    }

    fn of(
        app: App,
        access: Access,
        options: Options,
        metrics: Arc<Metrics>,
        log: LogLevels,
        page: Page,
    ) -> Self {
        let settings = ServerSettings { log: options.log.clone(), limits: access.limits().options().clone() };
        let limits = &settings.limits;
        app.limit_running(limits.running_meetings, limits.running_meetings_per_account);
        app.set_rate_limits(settings.limits.rate_limits());
        let (began, stopping) = (Instant::now(), AtomicBool::new(false));
        let (settings, live) = (RwLock::new(settings), StreamRegistry::new(options.live.clone()));
        let exports = ExportPool::new(options.exports.clone());
        Self(Arc::new(Shared {
            app,
            access,
            live,
            metrics,
            log,
            options,
            page,
            settings,
            exports,
            computing: Computing::new(),
            began,
            stopping,
            forwarder: OnceLock::new(),
            identity_read: tokio::sync::Mutex::default(),
            bus: OnceLock::new(),
            turns_elsewhere: TurnsElsewhere::default(),
        }))
    }

    /// Makes the service report that it is not ready. Clients of live streams are told that it stops, and
    /// their connections are closed: a graceful stop would wait for them.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
        self.0.live.stop();
        self.0.app.end_waits_for_turns();
        self.0.app.note_refusals();
    }

    /// Lets the other processes that share the database know where this one is reached, and forwards to them from now on.
    ///
    /// # Errors
    /// When the database cannot be written, or the key file is not the one of the others.
    pub(crate) async fn join_nodes(&self, address: &str) -> Result<(), Problem> {
        if let Some(forwarder) = Forwarder::of(self.app()).await? {
            self.app().announce(address).await?;
            _ = self.0.forwarder.set(forwarder);
        }
        Ok(())
    }

    /// Hears of the meetings of other nodes over NATS from now on, whenever its server can be reached.
    pub(crate) fn join_bus(&self, bus: Bus) {
        _ = self.0.bus.set(bus);
    }

    /// When accounts, sessions and tokens were read last because somebody was unknown.
    pub(crate) fn identity_read(&self) -> &tokio::sync::Mutex<Option<Instant>> {
        &self.0.identity_read
    }

    /// The connection to NATS; `None` when there is none.
    pub(crate) fn bus(&self) -> Option<&Bus> {
        self.0.bus.get()
    }

    /// The name of this process among those that share the database; `None` for a database file.
    pub fn node_id(&self) -> Option<&str> {
        self.app().node_id()
    }

    /// Who is asked at the other nodes; none where there are no others.
    pub(crate) fn turns_elsewhere(&self) -> &TurnsElsewhere {
        &self.0.turns_elsewhere
    }

    /// Forwarding to other processes; `None` when the database is a file.
    pub(crate) fn forwarder(&self) -> Option<&Forwarder> {
        self.0.forwarder.get()
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn app(&self) -> &App {
        &self.0.app
    }

    pub(crate) fn live(&self) -> &StreamRegistry {
        &self.0.live
    }

    pub(crate) fn access(&self) -> &Access {
        &self.0.access
    }

    pub(crate) fn metrics(&self) -> &Arc<Metrics> {
        &self.0.metrics
    }

    /// Whether every client that reaches the server may do everything, without a credential.
    pub fn is_open(&self) -> bool {
        self.0.access.identity().is_open()
    }

    /// The web page.
    pub(crate) fn page(&self) -> &Page {
        &self.0.page
    }

    /// The uptime.
    pub(crate) fn up(&self) -> Duration {
        self.0.began.elapsed()
    }

    /// Whether a client may give a provider an address on this machine or its network. A signed-in client
    /// counts as remote, whatever its name.
    pub(crate) fn allows_local(&self, credential: &AccessCredential) -> bool {
        self.0.options.allow_local_addresses || credential.is_here()
    }

    /// Whether a meeting needs a password that this principal has not given. A guest of this meeting has
    /// given it; a principal that manages all meetings needs none.
    pub(crate) async fn is_shut(&self, principal: &Principal, meeting: &MeetingId) -> Result<bool, Problem> {
        Ok(self.0.app.is_shut(principal, meeting).await?)
    }

    /// The running exports.
    pub(crate) fn exports(&self) -> &ExportPool {
        &self.0.exports
    }

    /// The running computations.
    pub(crate) fn computing(&self) -> &Computing {
        &self.0.computing
    }

    /// The PDF renderer; `None` when there is none.
    pub(crate) fn pdf_renderer(&self) -> Option<&LimitedProgram> {
        self.0.options.pdf_renderer.as_ref()
    }

    /// The present settings.
    pub(crate) fn settings(&self) -> ServerSettings {
        self.0.settings.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The settings at the start.
    pub(crate) fn first_settings(&self) -> ServerSettings {
        let options = &self.0.options;
        ServerSettings { log: options.log.clone(), limits: self.0.access.options().limits.clone() }
    }

    /// Whether a flag or a variable sets the log filter.
    pub(crate) fn log_is_fixed(&self) -> bool {
        self.0.options.log_is_fixed
    }

    /// Applies the stored changes, except where a flag or a variable takes precedence.
    async fn apply_stored_settings(&self) -> Result<(), Problem> {
        let (first, kept) = (self.first_settings(), kept(self.app()).await?);
        let settings = kept.over(first.clone(), self.log_is_fixed());
        let limits = settings.limits.clone();
        self.set(settings).or_else(|problem| {
            tracing::warn!(%problem, "the setting log is left out");
            self.set(ServerSettings { log: first.log, limits })
        })
    }

    /// From now on the server is set like this.
    pub(crate) fn set(&self, settings: ServerSettings) -> Result<(), Problem> {
        let mut now = self.0.settings.write().unwrap_or_else(PoisonError::into_inner);
        if settings.log != now.log {
            self.0.log.set(&settings.log).map_err(|problem| {
                let hint = message!("server-log-levels");
                Problem::invalid("log", problem, hint)
            })?;
        }
        if settings.limits != now.limits {
            self.0.access.set_limits(settings.limits.clone());
            let limits = &settings.limits;
            self.0.app.limit_running(limits.running_meetings, limits.running_meetings_per_account);
            self.0.app.set_rate_limits(settings.limits.rate_limits());
        }
        *now = settings;
        Ok(())
    }
}
