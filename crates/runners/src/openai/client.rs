//! The HTTP client of one provider, and what it says in each request's head.

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, ClientBuilder};

use crate::provider::{ProviderConfig, RunnerConfigError};

/// A client that follows no redirections (the key would go with them), and that asks a server
/// on this machine without a proxy in between.
pub(crate) fn client(config: &ProviderConfig) -> ClientBuilder {
    let builder = Client::builder()
        .user_agent(concat!("quorate/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(config.timeouts.connect());
    if config.is_loopback() { builder.no_proxy() } else { builder }
}

/// The headers of each request. The key is in `Authorization` and nowhere else.
pub(crate) fn headers(config: &ProviderConfig) -> Result<HeaderMap, RunnerConfigError> {
    let mut headers = HeaderMap::new();
    for (name, value) in &config.extra_headers {
        let bad = || RunnerConfigError::Header { provider: config.name.clone(), header: name.clone() };
        let reserved = ["authorization", "host", "content-length", "content-type"];
        let header: HeaderName = name.parse().map_err(|_| bad())?;
        if reserved.contains(&header.as_str()) {
            return Err(bad());
        }
        let mut value: HeaderValue = value.expose().parse().map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(key) = &config.key {
        let bad = || RunnerConfigError::Key { provider: config.name.clone() };
        if !key.expose().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(bad());
        }
        let mut value: HeaderValue = format!("Bearer {}", key.expose()).parse().map_err(|_| bad())?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    Ok(headers)
}
