//! The HTTP client of one provider, and what it says in each request's head.

use std::time::Duration;

use reqwest::ClientBuilder;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

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
    let builder = crate::tls::http_client()
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

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;
    use crate::address::PublicOnly;

    /// Answers each connection with the same text, and counts them.
    fn serve(listener: TcpListener, answer: String) -> Arc<AtomicUsize> {
        let count = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&count);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                _ = stream.read(&mut [0; 4096]).await;
                _ = stream.write_all(answer.as_bytes()).await;
                _ = stream.shutdown().await;
            }
        });
        count
    }

    /// A provider whose name first leads to an address that stands for a public one, where it is sent on to this machine,
    /// and then itself leads to this machine.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn neither_a_redirect_nor_a_name_that_turns_inwards_leads_a_request_to_this_machine() {
        crate::install_tls();
        let outside = TcpListener::bind("127.0.0.2:0").await.expect("a port");
        let port = outside.local_addr().expect("an address").port();
        let inside = TcpListener::bind(("127.0.0.1", port)).await.expect("the same port");
        let inner = serve(inside, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned());
        let redirect = format!(
            "HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:{port}/v1\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        );
        let outer = serve(outside, redirect);
        let lookups = AtomicUsize::new(0);
        let mut names = PublicOnly::looking_up(move |_| {
            let last = if lookups.fetch_add(1, Ordering::Relaxed) == 0 { 2 } else { 1 };
            vec![SocketAddr::from(([127, 0, 0, last], 0))]
        });
        names.stand_in = Some([127, 0, 0, 2].into());
        let url = format!("http://api.example.com:{port}/v1");
        let mut config = ProviderConfig::new("lab", url.parse().expect("a URL"));
        config.public_only = true;
        let asked = client(&config).expect("a client").no_proxy().dns_resolver(names).build().expect("built");
        let answer = asked.post(&url).send().await.expect("an answer");
        assert_eq!(
            (answer.status().as_u16(), answer.remote_addr()),
            (307, Some(([127, 0, 0, 2], port).into()))
        );
        drop(answer);
        let refused = asked.post(&url).send().await.expect_err("it leads here now");
        let cause = format!("{refused:?}");
        assert!(cause.contains("Leads"), "{cause}");
        assert_eq!((outer.load(Ordering::Relaxed), inner.load(Ordering::Relaxed)), (1, 0));
    }
}
