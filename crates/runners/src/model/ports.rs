//! What a runner of models has outside of itself: the network, and random numbers.

use std::io::ErrorKind;
use std::sync::Arc;

use futures::future::BoxFuture;
use reqwest::{Client, RequestBuilder, Response};

/// The reason why a request brought no response.
#[derive(Debug)]
pub enum SendError {
    /// The HTTP client's own error.
    Client(reqwest::Error),
    /// There is no connection, so that nothing was sent.
    NoConnection(ErrorKind),
    /// The connection broke after the request was sent.
    Cut,
}

/// Takes requests to providers.
pub trait Transport: Send + Sync {
    /// Sends a request and waits until its response begins. Dropping the future gives the request up.
    fn send(&self, request: RequestBuilder) -> BoxFuture<'_, Result<Response, SendError>>;

    /// The client with which requests are made, in the place of one with the settings of the provider: for a transport that
    /// sends nothing through it, so that it need not read the certificates of the machine.
    fn client(&self) -> Option<Client> {
        None
    }
}

/// The network, by the HTTP client that has made the request.
#[derive(Debug, Clone, Copy, Default)]
pub struct Network;

impl Transport for Network {
    fn send(&self, request: RequestBuilder) -> BoxFuture<'_, Result<Response, SendError>> {
        Box::pin(async move { request.send().await.map_err(SendError::Client) })
    }
}

/// Where random numbers come from: the operating system, unless it is said otherwise.
#[derive(Clone, Default)]
pub struct RandomSource(Option<Arc<dyn Fn() -> u32 + Send + Sync>>);

impl RandomSource {
    /// Numbers from elsewhere.
    pub fn of(next: impl Fn() -> u32 + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(next)))
    }

    /// The next number; `without` when there is none.
    pub(crate) fn next(&self, without: u32) -> u32 {
        match &self.0 {
            Some(next) => next(),
            None => getrandom::u32().unwrap_or(without),
        }
    }
}

impl std::fmt::Debug for RandomSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "RandomSource(given)" } else { "RandomSource(system)" })
    }
}

/// What a runner of models has outside of itself.
#[derive(Clone)]
pub struct ModelPorts {
    /// Takes its requests to the provider.
    pub transport: Arc<dyn Transport>,
    /// Gives it random numbers.
    pub random: RandomSource,
}

impl Default for ModelPorts {
    fn default() -> Self {
        Self { transport: Arc::new(Network), random: RandomSource::default() }
    }
}
