//! The HTTP client of one provider, and what it says in each request's head.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder};

use super::proxy;
use crate::provider::{ProviderConfig, RunnerConfigError};

/// How long an idle connection is kept. Many self-hosted servers (llama-server, uvicorn, Node.js) close
/// theirs after five seconds, and a request that meets the close is lost.
const IDLE_PLAIN: Duration = Duration::from_secs(3);
/// The same for TLS, which is more expensive to open.
const IDLE_TLS: Duration = Duration::from_secs(20);

/// A client that follows no redirections (the key would go with them), and that asks through the
/// proxy that was set, if any.
pub(crate) fn client(config: &ProviderConfig) -> reqwest::Result<ClientBuilder> {
    let builder = Client::builder()
        .user_agent(concat!("quorate/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .pool_idle_timeout(if config.base_url.scheme() == "http" { IDLE_PLAIN } else { IDLE_TLS })
        .connect_timeout(config.timeouts.connect());
    proxy::apply(config, builder)
}

/// The headers of each request. The key is in the header that the wire format has for it, and
/// nowhere else.
pub(crate) fn headers(config: &ProviderConfig) -> Result<HeaderMap, RunnerConfigError> {
    let mut headers = HeaderMap::new();
    let wire = config.wire.wire();
    let key_name = wire.key_header("").0;
    for (name, value) in &config.extra_headers {
        let bad = || RunnerConfigError::Header { provider: config.name.clone(), header: name.clone() };
        let reserved = ["authorization", "host", "content-length", "content-type"];
        let header: HeaderName = name.parse().map_err(|_| bad())?;
        if reserved.contains(&header.as_str()) || header == key_name {
            return Err(bad());
        }
        let mut value: HeaderValue = value.expose().parse().map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for (name, value) in wire.headers() {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Some(key) = &config.key {
        let bad = || RunnerConfigError::Key { provider: config.name.clone() };
        if !key.expose().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(bad());
        }
        let (name, text) = wire.key_header(key.expose());
        let mut value: HeaderValue = text.parse().map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
