//! Sends one message to one address: no redirects, no proxy of the environment for addresses of foreign origin, and
//! bounds on time and bytes.

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use quorate_contract::FailureKind;
use quorate_engine::Secret;
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Client, Response};
use url::Url;

use super::address::check_webhook_address;
use super::signature::sign_webhook;
use crate::address::PublicOnly;
use crate::model::breaker::{Breaker, BreakerState};

/// The longest time until a connection stands.
const CONNECT: Duration = Duration::from_secs(10);

/// A message with its address.
#[derive(Debug)]
pub struct WebhookRequest {
    /// The webhook, whose failures are counted together.
    pub webhook: String,
    /// The address.
    pub url: Url,
    /// Whether it may not lead into this machine or its network.
    pub public_only: bool,
    /// The id of the message.
    pub id: String,
    /// The secrets that it is signed with.
    pub secrets: Vec<Secret>,
    /// The body.
    pub body: Vec<u8>,
    /// The longest time that the answer may take.
    pub timeout: Duration,
    /// The longest answer, in bytes.
    pub answer_max: usize,
    /// Whether it is sent also while the circuit breaker is open, as a person does who tests an address.
    pub is_test: bool,
}

/// The answer to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookResponse {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: Vec<u8>,
    /// The wait that the receiver asks for, whatever its length.
    pub retry_after: Option<Duration>,
}

/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookFailure {
    /// The circuit breaker is open: nothing was sent.
    #[error("the address has failed {failures} times in a row")]
    Open {
        /// The failures in a row.
        failures: u32,
        /// Until the address is tried again.
        wait: Duration,
    },
    /// Nothing may be sent to the address.
    #[error("{0}")]
    Address(String),
    /// The receiver could not be reached, in the words of the system or the library.
    #[error("{0}")]
    Network(String),
    /// The receiver did not answer within so many seconds.
    #[error("no answer within {0} s")]
    TimedOut(u64),
    /// The answer is longer than is read.
    #[error("the response is longer than {0} bytes")]
    TooLong(usize),
}

/// Sends messages. Cheap to clone; all clones share the circuit breakers.
#[derive(Clone)]
pub struct WebhookSender {
    public: Client,
    any: Client,
    breakers: Arc<Mutex<HashMap<String, Arc<Breaker>>>>,
}

impl WebhookSender {
    /// A sender.
    pub fn new() -> reqwest::Result<Self> {
        Self::resolving(PublicOnly::of_system(None))
    }

    fn resolving(names: PublicOnly) -> reqwest::Result<Self> {
        let client = || {
            crate::tls::http_client()
                .user_agent(concat!("quorate/", env!("CARGO_PKG_VERSION")))
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .connect_timeout(CONNECT)
                // A connection that was checked is not kept for later, when its name may lead elsewhere.
                .pool_max_idle_per_host(0)
        };
        let public = client().no_proxy().dns_resolver(names).build()?;
        let any = client().no_proxy().build()?;
        Ok(Self { public, any, breakers: Arc::default() })
    }

    /// Sends a message and waits for the answer.
    ///
    /// # Errors
    /// When there is no answer. Every status is one.
    pub async fn send(&self, request: WebhookRequest) -> Result<WebhookResponse, WebhookFailure> {
        let address = check_webhook_address(&request.url, request.public_only);
        address.map_err(|error| WebhookFailure::Address(error.to_string()))?;
        let breaker = self.breaker(&request.webhook);
        let pass = match breaker.enter() {
            Ok(pass) => Some(pass),
            Err(_) if request.is_test => None,
            Err(open) => {
                let wait = open.wait.max(Duration::from_secs(1));
                return Err(WebhookFailure::Open { failures: open.failures, wait });
            }
        };
        let answer = self.ask(&request).await;
        let failed = match &answer {
            Ok(answer) if answer.status >= 500 || answer.status == 429 => Some(FailureKind::Overloaded),
            Ok(_) | Err(WebhookFailure::TooLong(_)) => None,
            Err(_) => Some(FailureKind::Network),
        };
        match (pass, failed) {
            (Some(pass), Some(kind)) => pass.failed(kind),
            (Some(pass), None) => pass.worked(),
            (None, None) => breaker.close(),
            (None, Some(_)) => {}
        }
        answer
    }

    /// How long nothing is sent to a webhook because it kept failing; `None` when something is.
    pub fn pause_of(&self, webhook: &str) -> Option<Duration> {
        self.breaker(webhook).open().map(|open| open.wait)
    }

    /// What is to be kept of the circuit breaker of a webhook.
    pub fn breaker_state(&self, webhook: &str) -> BreakerState {
        self.breaker(webhook).kept()
    }

    /// Goes on from what was kept of the circuit breaker of a webhook.
    pub fn restore_breaker(&self, webhook: &str, kept: BreakerState) {
        self.breaker(webhook).restore(kept);
    }

    /// Forgets the failures of a webhook that was deleted or has another address.
    pub fn forget(&self, webhook: &str) {
        self.breakers.lock().unwrap_or_else(PoisonError::into_inner).remove(webhook);
    }

    fn breaker(&self, webhook: &str) -> Arc<Breaker> {
        let mut breakers = self.breakers.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(breakers.entry(webhook.to_owned()).or_default())
    }

    async fn ask(&self, request: &WebhookRequest) -> Result<WebhookResponse, WebhookFailure> {
        let asked = async {
            let client = if request.public_only { &self.public } else { &self.any };
            let timestamp = seconds_now();
            let signature = sign_webhook(&request.secrets, &request.id, timestamp, &request.body);
            let sent = client
                .post(request.url.clone())
                .header(CONTENT_TYPE, "application/json")
                .header("webhook-id", &request.id)
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", signature)
                .body(request.body.clone())
                .send()
                .await;
            let response = sent.map_err(network)?;
            let (status, retry_after) = (response.status().as_u16(), retry_after(&response));
            let body = read(response, request.answer_max).await?;
            Ok(WebhookResponse { status, body, retry_after })
        };
        match tokio::time::timeout(request.timeout, asked).await {
            Ok(answer) => answer,
            Err(_) => Err(WebhookFailure::TimedOut(request.timeout.as_secs())),
        }
    }
}

async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, WebhookFailure> {
    let mut body = Vec::new();
    while let Some(piece) = response.chunk().await.map_err(network)? {
        if body.len() + piece.len() > most {
            return Err(WebhookFailure::TooLong(most));
        }
        body.extend_from_slice(&piece);
    }
    Ok(body)
}

/// The cause of a failure, without the address: it may hold a secret.
fn network(error: reqwest::Error) -> WebhookFailure {
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    WebhookFailure::Network(cause.to_string())
}

fn seconds_now() -> i64 {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since_1970.as_secs()).unwrap_or(i64::MAX)
}

/// The wait of `Retry-After`: seconds, or a date.
fn retry_after(response: &Response) -> Option<Duration> {
    let text = response.headers().get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = match text.parse() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(SystemTime::now()).ok()?,
    };
    Some(wait)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::super::signature::{new_webhook_secret, verify_webhook};
    use super::*;

    /// A server that answers each request with the same text; it counts them.
    async fn server(answer: &'static str) -> (SocketAddr, Arc<AtomicUsize>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let (address, count) = (listener.local_addr().expect("an address"), Arc::new(AtomicUsize::new(0)));
        let counted = Arc::clone(&count);
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                counted.fetch_add(1, Ordering::Relaxed);
                let mut head = [0; 4096];
                _ = stream.read(&mut head).await;
                _ = stream.write_all(answer.as_bytes()).await;
                _ = stream.shutdown().await;
            }
        });
        (address, count)
    }

    fn request(url: &str, public_only: bool) -> WebhookRequest {
        WebhookRequest {
            webhook: "w".to_owned(),
            url: url.parse().expect("a URL"),
            public_only,
            id: "msg_1".to_owned(),
            secrets: vec![new_webhook_secret().expect("random")],
            body: b"{}".to_vec(),
            timeout: Duration::from_secs(5),
            answer_max: 1000,
            is_test: false,
        }
    }

    #[tokio::test]
    async fn redirects_are_not_followed_and_long_answers_are_not_read() {
        let sender = WebhookSender::new().expect("a sender");
        let (inner, inner_count) = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        for status in [301, 302, 303, 307, 308] {
            for location in [
                format!("http://{inner}/"),
                format!("//{inner}/"),
                format!("http://0x7f.1:{}/", inner.port()),
            ] {
                let head =
                    format!("HTTP/1.1 {status} x\r\nlocation: {location}\r\ncontent-length: 0\r\n\r\n");
                let (outer, _) = server(head.leak()).await;
                let sent = sender.send(request(&format!("http://{outer}/"), false)).await;
                assert_eq!(sent.expect("an answer").status, status);
            }
        }
        assert_eq!(inner_count.load(Ordering::Relaxed), 0);
        let long = format!("HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n{}", "x".repeat(2000));
        let (long, _) = server(long.leak()).await;
        let refused = sender.send(request(&format!("http://{long}/"), false)).await;
        assert_eq!(refused, Err(WebhookFailure::TooLong(1000)));
        let (busy, _) = server("HTTP/1.1 503 x\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n").await;
        let answer = sender.send(request(&format!("http://{busy}/"), false)).await.expect("an answer");
        assert_eq!((answer.status, answer.retry_after), (503, Some(Duration::from_secs(7))));
    }

    #[tokio::test]
    async fn a_name_that_leads_home_is_refused_at_each_connection() {
        let (inner, count) = server("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await;
        let lookups = Arc::new(AtomicUsize::new(0));
        let asked = Arc::clone(&lookups);
        let names = PublicOnly::looking_up(move |_| {
            asked.fetch_add(1, Ordering::Relaxed);
            vec![SocketAddr::from(([127, 0, 0, 1], 0)), SocketAddr::from(([169, 254, 169, 254], 0))]
        });
        let sender = WebhookSender::resolving(names).expect("a sender");
        let url = format!("https://hooks.example.com:{}/", inner.port());
        for _ in 0..2 {
            let refused = sender.send(request(&url, true)).await.expect_err("it is refused");
            let WebhookFailure::Network(text) = refused else { panic!("{refused:?}") };
            assert!(text.contains("leads into this machine"), "{text}");
        }
        assert_eq!((lookups.load(Ordering::Relaxed), count.load(Ordering::Relaxed)), (2, 0));
        let written = sender.send(request(&format!("https://{inner}/"), true)).await;
        assert!(matches!(written, Err(WebhookFailure::Address(_))), "{written:?}");
    }

    /// Two servers at one port: one whose address stands for a public one, and one of this machine.
    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_connection_goes_to_the_address_that_was_checked_and_a_name_that_turns_inwards_gets_none() {
        let outside = TcpListener::bind("127.0.0.2:0").await.expect("a port");
        let port = outside.local_addr().expect("an address").port();
        let inside = TcpListener::bind(("127.0.0.1", port)).await.expect("the same port");
        let counts = [outside, inside].map(|listener| {
            let count = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&count);
            tokio::spawn(async move {
                while listener.accept().await.is_ok() {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            });
            count
        });
        let lookups = Arc::new(AtomicUsize::new(0));
        let asked = Arc::clone(&lookups);
        // The name server answers with the public address, with both, and then with the private one alone.
        let mut names = PublicOnly::looking_up(move |_| {
            let (outside, inside) = ([127, 0, 0, 2], [127, 0, 0, 1]);
            let addresses = match asked.fetch_add(1, Ordering::Relaxed) {
                0 => vec![outside],
                1 => vec![inside, outside],
                _ => vec![inside],
            };
            addresses.into_iter().map(|address| SocketAddr::from((address, 0))).collect()
        });
        names.stand_in = Some([127, 0, 0, 2].into());
        let sender = WebhookSender::resolving(names).expect("a sender");
        let url = format!("https://hooks.example.com:{port}/");
        for (sent, expected) in [(1, [1, 0]), (2, [2, 0]), (3, [2, 0])] {
            // The servers speak no TLS: what counts is where the connection went.
            let refused = sender.send(request(&url, true)).await.expect_err("no answer");
            let got = counts.each_ref().map(|count| count.load(Ordering::Relaxed));
            assert_eq!((got, lookups.load(Ordering::Relaxed)), (expected, sent), "{refused}");
            assert_eq!(refused.to_string().contains("leads into this machine"), sent == 3, "{refused}");
        }
    }

    #[tokio::test]
    async fn a_breaker_that_was_kept_holds_messages_back_after_a_restart() {
        let (address, count) = server("HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n").await;
        let url = format!("http://{address}/");
        let before = WebhookSender::new().expect("a sender");
        for _ in 0..5 {
            before.send(request(&url, false)).await.expect("an answer");
        }
        let after = WebhookSender::new().expect("a sender");
        after.restore_breaker("w", before.breaker_state("w"));
        let open = after.send(request(&url, false)).await;
        assert!(matches!(open, Err(WebhookFailure::Open { failures: 5, .. })), "{open:?}");
        assert_eq!((after.breaker_state("w").pauses, count.load(Ordering::Relaxed)), (1, 5));
    }

    #[tokio::test]
    async fn after_failures_in_a_row_nothing_is_sent_but_a_test() {
        let sender = WebhookSender::new().expect("a sender");
        let (address, count) = server("HTTP/1.1 500 x\r\ncontent-length: 0\r\n\r\n").await;
        let url = format!("http://{address}/");
        for _ in 0..5 {
            assert_eq!(sender.pause_of("w"), None);
            assert_eq!(sender.send(request(&url, false)).await.expect("an answer").status, 500);
        }
        let open = sender.send(request(&url, false)).await;
        assert!(matches!(open, Err(WebhookFailure::Open { failures: 5, .. })), "{open:?}");
        assert!(sender.pause_of("w").is_some() && sender.pause_of("other").is_none());
        assert_eq!(count.load(Ordering::Relaxed), 5);
        let (well, _) = server("HTTP/1.1 204 x\r\n\r\n").await;
        let test = WebhookRequest { is_test: true, ..request(&format!("http://{well}/"), false) };
        assert_eq!(sender.send(test).await.expect("an answer").status, 204);
        assert_eq!(sender.pause_of("w"), None, "what works is used again");
    }

    #[tokio::test]
    async fn what_is_sent_is_signed() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let heard = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.expect("a connection");
            let mut text = Vec::new();
            while !text.ends_with(b"\r\n\r\n{}") {
                let mut piece = [0; 1024];
                let count = stream.read(&mut piece).await.expect("bytes");
                text.extend_from_slice(&piece[..count]);
            }
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.expect("sent");
            String::from_utf8(text).expect("text")
        });
        let request = request(&format!("http://{address}/"), false);
        let secrets = request.secrets.clone();
        WebhookSender::new().expect("a sender").send(request).await.expect("an answer");
        let heard = heard.await.expect("a request");
        let header = |name: &str| {
            let line = heard.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            line.unwrap_or_else(|| panic!("{name} in {heard}")).to_owned()
        };
        let timestamp = header("webhook-timestamp").parse().expect("seconds");
        let (id, signature) = (header("webhook-id"), header("webhook-signature"));
        assert!(verify_webhook(&secrets, &id, timestamp, b"{}", &signature), "{heard}");
    }
}
