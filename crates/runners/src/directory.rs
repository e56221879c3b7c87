//! Who answers for whom: finds the runner behind a participant's specification.
//!
//! A name that nobody has configured is answered too, by a runner that says what is missing:
//! the meeting goes on without that participant instead of stopping.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_core::{Failure, FailureKind, Outcome, RunnerSpec, Usage};
use quorate_engine::{FragmentSink, Request, Runner, RunnerDirectory};

use crate::openai::OpenAiRunner;
use crate::provider::{ProviderConfig, RunnerConfigError};

/// All runners of this process: one for each provider, and one for simulated participants.
#[derive(Clone)]
pub struct Directory {
    providers: BTreeMap<String, Arc<dyn Runner>>,
    simulated: Arc<dyn Runner>,
}

impl Directory {
    /// A directory without providers.
    pub fn new(simulated: Arc<dyn Runner>) -> Self {
        Self { providers: BTreeMap::new(), simulated }
    }

    /// A directory with a runner for each provider.
    pub fn open(
        providers: impl IntoIterator<Item = ProviderConfig>,
        simulated: Arc<dyn Runner>,
    ) -> Result<Self, RunnerConfigError> {
        let mut directory = Self::new(simulated);
        for config in providers {
            let name = config.name.clone();
            directory.add(name, Arc::new(OpenAiRunner::new(config)?));
        }
        Ok(directory)
    }

    /// Lets `runner` answer for the models of the provider `name`, instead of whoever did.
    pub fn add(&mut self, name: impl Into<String>, runner: Arc<dyn Runner>) {
        self.providers.insert(name.into(), runner);
    }
}

impl RunnerDirectory for Directory {
    fn find(&self, spec: &RunnerSpec) -> Arc<dyn Runner> {
        match spec {
            RunnerSpec::Simulated { .. } => self.simulated.clone(),
            RunnerSpec::Model { provider, .. } => match self.providers.get(provider) {
                Some(runner) => runner.clone(),
                None => Arc::new(Nobody {
                    provider: provider.clone(),
                    configured: self.providers.keys().cloned().collect(),
                }),
            },
        }
    }
}

/// Answers for a provider that is not there.
struct Nobody {
    provider: String,
    configured: Vec<String>,
}

impl Runner for Nobody {
    fn run(&self, _request: Request, _sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let name = &self.provider;
        let hint = if self.configured.is_empty() {
            format!("no provider is configured; add [providers.{name}] with its base_url")
        } else {
            let known = self.configured.join(", ");
            format!("use one of {known}, or add [providers.{name}] with its base_url")
        };
        let failure = Failure {
            kind: FailureKind::NotConfigured,
            detail: format!("there is no provider named {name}"),
            hint,
            usage: Some(Usage::default()),
            latency_ms: 0,
        };
        Box::pin(std::future::ready(Outcome::Failed(failure)))
    }
}
