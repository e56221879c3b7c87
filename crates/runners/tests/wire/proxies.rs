//! Proxies, and addresses that must not be asked.

use quorate_contract::FailureKind;
use quorate_runners::{ModelRunner, RunnerConfigError, Secret};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::helpers::*;
use crate::server::{Server, json as json_answer, status};

const PASSWORD: &str = "proxy-password-1";

/// A provider that only the scripted proxy knows.
fn behind(proxy: &Server, base_url: &str) -> ModelRunner {
    let mut config = provider(base_url);
    let address = proxy.url().replace("http://", "").replace("/v1", "");
    config.proxy = Some(Secret::new(format!("http://somebody:{PASSWORD}@{address}")));
    config.retries = 0;
    ModelRunner::new(config).expect("a good configuration")
}

#[tokio::test]
async fn plain_requests_go_through_the_proxy_with_its_user_and_password() {
    let proxy = Server::start([good(false, "Yes.")]).await;
    let lab = behind(&proxy, "http://models.example.test/v1");
    assert_eq!(answered(ask_once(&lab, request()).await).text, "Yes.");
    let seen = &proxy.seen()[0];
    assert_eq!(seen.line, "POST http://models.example.test/v1/chat/completions");
    assert_eq!(seen.headers["proxy-authorization"], "Basic c29tZWJvZHk6cHJveHktcGFzc3dvcmQtMQ==");
}

#[tokio::test]
async fn a_proxy_that_echoes_its_password_cannot_make_us_show_it() {
    let echo = json!({ "error": { "message": format!("not for somebody with {PASSWORD}") } });
    let proxy = Server::start([
        json_answer(407, echo),
        good(false, &format!("It is {PASSWORD}, or c29tZWJvZHk6cHJveHktcGFzc3dvcmQtMQ==.")),
    ])
    .await;
    let lab = behind(&proxy, "http://models.example.test/v1");
    let failure = failed(ask_once(&lab, request()).await);
    assert_eq!(failure.kind, FailureKind::Authentication);
    assert!(failure.detail.to_string().ends_with("not for [key] with [key]"), "{}", failure.detail);
    assert_eq!(failure.hint.to_string(), "check user and password of the proxy of the provider lab");
    assert_eq!(answered(ask_once(&lab, request()).await).text, "It is [key], or [key]==.");
}

#[tokio::test]
async fn encrypted_requests_ask_the_proxy_for_a_tunnel() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let proxy = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a client");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            assert!(socket.read_buf(&mut head).await.expect("a request") > 0);
        }
        socket.write_all(b"HTTP/1.1 407 No\r\n\r\n").await.expect("it is there");
        String::from_utf8(head).expect("heads are ASCII")
    });
    let mut config = provider("https://models.example.test/v1");
    config.proxy = Some(Secret::new(format!("http://somebody:{PASSWORD}@{address}")));
    config.retries = 0;
    let lab = ModelRunner::new(config).expect("a good configuration");
    let failure = failed(ask_once(&lab, request()).await);
    let head = proxy.await.expect("the proxy was asked").to_lowercase();
    assert!(head.starts_with("connect models.example.test:443 "), "{head}");
    assert!(head.contains("proxy-authorization: basic ") && !head.contains(&KEY.to_lowercase()), "{head}");
    assert_eq!(failure.kind, FailureKind::Network, "{failure:?}");
    assert!(failure.hint.to_string().contains(&format!("the proxy http://{address} ")), "{}", failure.hint);
    assert!(!format!("{failure:?} {lab:?}").contains(PASSWORD));
}

#[tokio::test]
async fn this_machine_is_asked_without_a_proxy_unless_one_is_set() {
    let (server, proxy) = (Server::start([good(false, "direct")]).await, Server::start([]).await);
    let mut config = provider(&server.url());
    config.proxy = Some(Secret::new("none"));
    let lab = ModelRunner::new(config).expect("a good configuration");
    assert_eq!(answered(ask_once(&lab, request()).await).text, "direct");
    assert!(proxy.seen().is_empty());
}

#[tokio::test]
async fn an_address_of_this_machine_or_its_network_is_not_asked_where_only_public_ones_may_be() {
    let server = Server::start([good(false, "stolen")]).await;
    for base_url in
        [&server.url(), "http://2130706433/v1", "http://[::ffff:7f00:1]/v1", "http://a.internal/v1"]
    {
        let mut config = provider(base_url);
        config.public_only = true;
        let error = ModelRunner::new(config).expect_err(base_url);
        assert!(matches!(error, RunnerConfigError::NotPublic { .. }), "{error:?}");
        let hint = error.hint().text(quorate_messages::Language::En);
        assert!(hint.contains("public"), "{hint}");
    }
    // A name that shows what it is only when it is looked up.
    let Some(name) = own_name() else { return };
    let mut config = provider(&server.url().replace("127.0.0.1", &name));
    config.public_only = true;
    let lab = ModelRunner::new(config).expect("the name could be anybody's");
    let failure = failed(ask_once(&lab, request()).await);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::BadRequest, false), "{failure:?}");
    assert!(
        failure.detail.to_string().contains("leads into this machine or its network"),
        "{}",
        failure.detail
    );
    assert!(server.seen().is_empty());
}

/// A name in this machine's own table that leads to it and does not look like it.
fn own_name() -> Option<String> {
    let hosts = std::fs::read_to_string("/etc/hosts").ok()?;
    let lines = hosts.lines().filter(|line| !line.starts_with('#'));
    let mut names = lines.flat_map(|line| line.split_whitespace().skip(1));
    let plain = names
        .find(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && *name != "localhost");
    plain.map(str::to_owned)
}

#[tokio::test]
async fn a_redirection_to_the_metadata_of_a_cloud_is_not_followed() {
    let location = ("location", "http://169.254.169.254/latest/meta-data/");
    let server = Server::start([status(302, &[location], "")]).await;
    let failure = failed(ask_once(&runner(&server), request()).await);
    assert!(failure.detail.to_string().contains("redirections are not followed"), "{}", failure.detail);
}
