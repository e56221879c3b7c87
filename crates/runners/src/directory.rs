//! The directory of runners: finds the runner behind a participant's specification.
//!
//! A name that is not configured gets a runner that reports what is missing: the meeting goes on without that
//! participant instead of stopping.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_contract::{Failure, FailureKind, Outcome, RunnerSpec, ToolOutcome, ToolRun, Usage};
use quorate_engine::{FragmentSink, OfferedTools, Request, Runner, RunnerDirectory};
use quorate_messages::message;

use crate::acp::{AcpConfig, AcpConfigError, AcpRunner, PermissionBoard};
use crate::external::{ExternalRunner, TurnBoard};
use crate::model::ModelRunner;
use crate::process::{ProcessConfig, ProcessConfigError, ProcessRunner};
use crate::provider::{ProviderConfig, RunnerConfigError};
use crate::tools::ToolSet;

/// The programs of this machine that can take a seat, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Programs {
    /// Processes that speak the runner protocol.
    pub processes: BTreeMap<String, ProcessConfig>,
    /// Coding agents.
    pub acp: BTreeMap<String, AcpConfig>,
}

/// All runners of this program: one for each provider and each configured process, and one for
/// simulated participants.
#[derive(Clone)]
pub struct Directory {
    providers: BTreeMap<String, Arc<dyn Runner>>,
    processes: BTreeMap<String, Arc<ProcessRunner>>,
    acp: BTreeMap<String, Arc<AcpRunner>>,
    permissions: Arc<PermissionBoard>,
    simulated: Arc<dyn Runner>,
    external: Arc<ExternalRunner>,
    tools: ToolSet,
}

impl Directory {
    /// A directory without providers.
    pub fn new(simulated: Arc<dyn Runner>) -> Self {
        let external = Arc::new(ExternalRunner { board: Arc::default() });
        Self {
            providers: BTreeMap::new(),
            processes: BTreeMap::new(),
            acp: BTreeMap::new(),
            permissions: Arc::default(),
            simulated,
            external,
            tools: ToolSet::default(),
        }
    }

    /// Lets participants call these tools, where their meeting allows it.
    pub fn offer_tools(&mut self, tools: ToolSet) {
        self.tools = tools;
    }

    /// Offers the turns of external respondents on this board.
    pub fn offer_on(&mut self, board: Arc<TurnBoard>) {
        self.external = Arc::new(ExternalRunner { board });
    }

    /// The board on which the turns of external respondents are offered.
    pub fn board(&self) -> Arc<TurnBoard> {
        Arc::clone(&self.external.board)
    }

    /// A directory with a runner for each provider.
    pub fn open(
        providers: impl IntoIterator<Item = ProviderConfig>,
        simulated: Arc<dyn Runner>,
    ) -> Result<Self, RunnerConfigError> {
        let mut directory = Self::new(simulated);
        for config in providers {
            let name = config.name.clone();
            directory.add(name, Arc::new(ModelRunner::new(config)?));
        }
        Ok(directory)
    }

    /// Makes `runner` answer for the models of the provider `name`, in place of the previous one.
    pub fn add(&mut self, name: impl Into<String>, runner: Arc<dyn Runner>) {
        self.providers.insert(name.into(), runner);
    }

    /// Lets a process answer under its configured name.
    pub fn add_process(&mut self, config: ProcessConfig) -> Result<(), ProcessConfigError> {
        self.processes.insert(config.name.clone(), Arc::new(ProcessRunner::new(config)?));
        Ok(())
    }

    /// Lets a process that runs already answer under a name.
    pub fn add_running(&mut self, name: impl Into<String>, process: Arc<ProcessRunner>) {
        self.processes.insert(name.into(), process);
    }

    /// Lets a coding agent answer under its configured name; sessions are remembered in `kept_in`.
    ///
    /// # Errors
    /// When its configuration cannot work.
    pub fn add_acp(&mut self, config: AcpConfig, kept_in: Option<PathBuf>) -> Result<(), AcpConfigError> {
        let runner = AcpRunner::new(config.clone(), Arc::clone(&self.permissions), kept_in)?;
        self.acp.insert(config.name, Arc::new(runner));
        Ok(())
    }

    /// Lets a coding agent that runs already answer under a name.
    pub fn add_running_acp(&mut self, name: impl Into<String>, agent: Arc<AcpRunner>) {
        self.acp.insert(name.into(), agent);
    }

    /// The permissions that coding agents wait for.
    pub fn permissions(&self) -> Arc<PermissionBoard> {
        Arc::clone(&self.permissions)
    }

    /// Lets all processes end gracefully, up to a few seconds. A process that still runs after that, or
    /// without this call, is killed with the program.
    pub async fn close(&self) {
        let processes = futures::future::join_all(self.processes.values().map(|process| process.close()));
        let agents = futures::future::join_all(self.acp.values().map(|agent| agent.close()));
        futures::future::join(processes, agents).await;
    }
}

impl RunnerDirectory for Directory {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        match spec {
            RunnerSpec::Simulated { .. } => self.simulated.clone(),
            RunnerSpec::Model { provider, .. } => match self.providers.get(provider) {
                Some(runner) => runner.clone(),
                None => Arc::new(MissingRunner {
                    name: provider.clone(),
                    sought: Sought::Provider,
                    configured: self.providers.keys().cloned().collect(),
                }),
            },
            RunnerSpec::External { .. } => self.external.clone(),
            RunnerSpec::Process { name } => match self.processes.get(name) {
                Some(process) => process.clone(),
                None => Arc::new(MissingRunner {
                    name: name.clone(),
                    sought: Sought::Process,
                    configured: self.processes.keys().cloned().collect(),
                }),
            },
            RunnerSpec::Acp { name, .. } => match self.acp.get(name) {
                Some(agent) => agent.clone(),
                None => Arc::new(MissingRunner {
                    name: name.clone(),
                    sought: Sought::Acp,
                    configured: self.acp.keys().cloned().collect(),
                }),
            },
        }
    }

    fn tools<'a>(&'a self, sources: &'a [String]) -> BoxFuture<'a, OfferedTools> {
        Box::pin(self.tools.definitions(sources))
    }

    fn run_tool(&self, run: ToolRun) -> BoxFuture<'_, ToolOutcome> {
        Box::pin(async move { self.tools.run(&run).await })
    }
}

/// What is not configured.
#[derive(Clone, Copy)]
enum Sought {
    Provider,
    Process,
    Acp,
}

/// Answers for a provider or a program that is not there.
struct MissingRunner {
    name: String,
    sought: Sought,
    configured: Vec<String>,
}

impl Runner for MissingRunner {
    fn run(&self, _request: Request, _sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let name = &self.name;
        let known = &self.configured[..];
        let hint = match (self.sought, known.is_empty()) {
            (Sought::Provider, true) => message!("remedy-no-provider-configured", name),
            (Sought::Provider, false) => message!("remedy-use-other-provider", known, name),
            (Sought::Process, true) => message!("remedy-no-process-configured", name),
            (Sought::Process, false) => message!("remedy-use-other-process", known, name),
            (Sought::Acp, true) => message!("remedy-no-acp-configured", name),
            (Sought::Acp, false) => message!("remedy-use-other-acp", known, name),
        };
        let detail = match self.sought {
            Sought::Provider => message!("failure-no-provider", name),
            Sought::Process => message!("failure-no-process", name),
            Sought::Acp => message!("failure-no-acp", name),
        };
        let failure = Failure {
            kind: FailureKind::NotConfigured,
            detail: detail.into(),
            hint: hint.into(),
            usage: Some(Usage::default()),
            latency_ms: 0,
            doubtful: false,
            window: None,
            request_id: None,
        };
        Box::pin(std::future::ready(Outcome::Failed(failure)))
    }
}
