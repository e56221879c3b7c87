//! The runners of the app, renewed while meetings run.
//!
//! A provider or a process whose configuration did not change keeps its runner, and with it the limits, the
//! circuit breaker and what was learned about its models. A call in flight ends with the runner that it
//! started with; the next one uses the new runner.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use futures::future::BoxFuture;
use quorate_contract::{RunnerSpec, ToolOutcome, ToolRun};
use quorate_engine::{OfferedTools, Runner, RunnerDirectory};
use quorate_runners::{
    AcpConfig, AcpRunner, Directory, ModelRunner, Pace, PermissionBoard, ProcessConfig, ProcessRunner,
    ProviderConfig, SimulatedRunner, ToolSet, ToolSourceConfig, TurnBoard,
};
use quorate_store::Store;

use crate::error::ServiceError;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::user_file::UserFile;
use crate::providers::available::{
    FoundProvider, agent_sessions, found_providers, programs_of, settle_address,
};
use crate::providers::stored::stored_credentials;

/// A directory that can be renewed.
pub(crate) struct LiveRunners {
    now: RwLock<Arc<Directory>>,
    /// The configuration that the present directory was made from. Locked while a new directory is made.
    known: tokio::sync::Mutex<RunnerCache>,
    simulated: Arc<SimulatedRunner>,
    /// The same one over all renewals.
    board: Arc<TurnBoard>,
    /// The permissions that coding agents wait for; the same board over all renewals.
    permissions: Arc<PermissionBoard>,
}

#[derive(Default)]
struct RunnerCache {
    /// The providers as configured, before the server was asked for its base URL.
    providers: BTreeMap<String, (ProviderConfig, Arc<ModelRunner>)>,
    processes: BTreeMap<String, (ProcessConfig, Arc<ProcessRunner>)>,
    acp: BTreeMap<String, (AcpConfig, Arc<AcpRunner>)>,
    tools: BTreeMap<String, ToolSourceConfig>,
    open_tools: ToolSet,
}

impl LiveRunners {
    /// Simulated participants alone, until it is renewed.
    pub(crate) fn simulated(pace: Pace, board: Arc<TurnBoard>, permissions: Arc<PermissionBoard>) -> Self {
        let simulated = Arc::new(SimulatedRunner::new(pace));
        let mut directory = Directory::new(simulated.clone());
        directory.offer_on(Arc::clone(&board));
        Self {
            now: RwLock::new(Arc::new(directory)),
            known: tokio::sync::Mutex::default(),
            simulated,
            board,
            permissions,
        }
    }

    /// Takes over what is configured by now: in the user's file, the environment and the database.
    ///
    /// # Errors
    /// When something that is configured cannot be used; everything then stays as it was.
    pub(crate) async fn renew(&self, store: &Store, config: &Path) -> Result<(), ServiceError> {
        quorate_runners::install_tls();
        let mut known = self.known.lock().await;
        let user = UserFile::read(config)?;
        let nothing = CreateMeetingRequest::default();
        let stored = stored_credentials(store).await.unwrap_or_else(|error| {
            // Meetings that need none of those keys go on.
            tracing::error!(%error, hint = error.hint(), "stored keys cannot be opened");
            Vec::new()
        });
        let mut next = RunnerCache::default();
        for (name, mut found) in found_providers(&nothing, &user, &stored, false).await? {
            let configured = found.config.clone();
            let runner = match known.providers.get(&name) {
                Some((before, runner)) if *before == configured => Arc::clone(runner),
                Some(_) | None => {
                    settle_address(&mut found).await;
                    let FoundProvider { config, .. } = found;
                    Arc::new(ModelRunner::new(config)?)
                }
            };
            next.providers.insert(name, (configured, runner));
        }
        let programs = programs_of(&nothing, &user);
        for (name, configured) in programs.acp {
            let runner = match known.acp.get(&name) {
                Some((before, runner)) if *before == configured => Arc::clone(runner),
                Some(_) | None => {
                    let sessions = Some(agent_sessions(store.path()));
                    Arc::new(AcpRunner::new(configured.clone(), Arc::clone(&self.permissions), sessions)?)
                }
            };
            next.acp.insert(name, (configured, runner));
        }
        for (name, configured) in programs.processes {
            let runner = match known.processes.get(&name) {
                Some((before, runner)) if *before == configured => Arc::clone(runner),
                Some(_) | None => Arc::new(ProcessRunner::new(configured.clone())?),
            };
            next.processes.insert(name, (configured, runner));
        }
        let mut tools = ToolSet::default();
        for (name, configured) in &user.tools {
            match known.tools.get(name) {
                Some(before) if before == configured => tools.share(name, &known.open_tools),
                Some(_) | None => {
                    // Meetings without these tools go on.
                    if let Err(error) = tools.add(configured) {
                        tracing::error!(%error, hint = error.hint.text(quorate_messages::Language::En), "tools cannot be used");
                    }
                }
            }
        }
        (next.tools, next.open_tools) = (user.tools.clone(), tools.clone());
        let mut directory = Directory::new(self.simulated.clone());
        directory.offer_on(Arc::clone(&self.board));
        directory.offer_tools(tools);
        for (name, (_, runner)) in &next.providers {
            directory.add(name.clone(), Arc::clone(runner) as Arc<dyn Runner>);
        }
        for (name, (_, runner)) in &next.processes {
            directory.add_running(name.clone(), Arc::clone(runner));
        }
        for (name, (_, runner)) in &next.acp {
            directory.add_running_acp(name.clone(), Arc::clone(runner));
        }
        *self.now.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(directory);
        *known = next;
        Ok(())
    }

    /// Whether all of these providers are configured.
    pub(crate) async fn knows<'n>(&self, mut providers: impl Iterator<Item = &'n str>) -> bool {
        let known = self.known.lock().await;
        providers.all(|name| known.providers.contains_key(name))
    }

    /// The runner of a provider, with what it has learned.
    pub(crate) async fn provider(&self, name: &str) -> Option<Arc<ModelRunner>> {
        self.known.lock().await.providers.get(name).map(|(_, runner)| Arc::clone(runner))
    }

    /// The turns that wait for external respondents.
    pub(crate) fn board(&self) -> &Arc<TurnBoard> {
        &self.board
    }

    /// The permissions that coding agents wait for.
    pub(crate) fn permissions(&self) -> &Arc<PermissionBoard> {
        &self.permissions
    }

    /// The present directory.
    pub(crate) fn directory(&self) -> Arc<Directory> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl RunnerDirectory for LiveRunners {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        self.directory().find(spec)
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        let directory = self.directory();
        Box::pin(async move { directory.tools(sources).await })
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        let directory = self.directory();
        Box::pin(async move { directory.run_tool(run).await })
    }
}
