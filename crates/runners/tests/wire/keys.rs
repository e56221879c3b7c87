//! The key goes into one header of requests to one address, and nowhere else.

use quorate_contract::FailureKind;
use quorate_runners::{ModelRunner, RunnerConfigError, Secret};
use serde_json::json;

use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer, status, stream};

/// Everything about a call that could be printed.
fn all_that_can_be_shown(lab: &ModelRunner, outcome: &quorate_contract::Outcome) -> String {
    format!("{lab:?} {:?} {outcome:?}", provider("http://127.0.0.1:1/v1"))
}

#[tokio::test]
async fn a_server_that_echoes_the_key_cannot_make_us_show_it() {
    let in_json = json!({ "error": { "message": format!("wrong key: Bearer {KEY}, sorry") } });
    let in_stream = format!("data: {in_json}\n\n");
    let late = format!("{} {KEY}", "x".repeat(294));
    let refusal = event(json!({ "refusal": format!("not for {KEY}") }), Some("stop"));
    let scripts: Vec<Vec<Step>> = vec![
        json_answer(401, in_json.clone()),
        json_answer(500, in_json.clone()),
        json_answer(400, json!({ "message": late })),
        status(403, &[], &format!("no entry for {KEY}")),
        status(502, &[("content-type", "text/html")], &format!("<html>{KEY}</html>")),
        status(307, &[("location", &format!("http://{KEY}.example.com/?key={KEY}"))], ""),
        json_answer(200, in_json),
        stream([in_stream]),
        stream([refusal]),
        stream([format!("data: {KEY}\n\n")]),
    ];
    for script in scripts {
        let server = Server::start([script.clone()]).await;
        let mut config = provider(&server.url());
        config.retries = 0;
        config.extra_headers.insert("x-gateway".to_owned(), Secret::new("gateway-secret-1"));
        let lab = ModelRunner::new(config).expect("a good configuration");
        let (outcome, _) = listen(&lab, request()).await;
        let shown = all_that_can_be_shown(&lab, &outcome);
        failed(outcome);
        assert!(!shown.contains(&KEY[..9]), "{shown}\nafter {script:?}");
        assert!(!shown.contains("gateway-secret"), "{shown}");
        assert_eq!(server.seen()[0].headers["x-gateway"], "gateway-secret-1");
    }
}

#[tokio::test]
async fn a_redirection_is_not_followed_least_of_all_with_the_key() {
    let elsewhere = Server::start([good(false, "stolen")]).await;
    for code in [301, 302, 307, 308] {
        let location = format!("{}/chat/completions", elsewhere.url());
        let server = Server::start([status(code, &[("location", &location)], "")]).await;
        let failure = failed(ask(&runner(&server), request()).await);
        assert_eq!(failure.kind, FailureKind::BadRequest);
        assert!(failure.detail.to_string().contains(&code.to_string()), "{}", failure.detail);
        assert!(failure.hint.to_string().contains("final address"), "{}", failure.hint);
    }
    assert!(elsewhere.seen().is_empty());
}

#[tokio::test]
async fn a_refused_key_fails_at_once_and_names_its_variable() {
    let server = Server::start([status(401, &[], "")]).await;
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::Authentication, 1));
    assert!(failure.hint.to_string().contains("LAB_KEY"), "{}", failure.hint);
}

#[tokio::test]
async fn a_key_that_is_not_set_is_not_worth_a_request() {
    let server = Server::start([]).await;
    let mut config = provider(&server.url());
    config.key = None;
    let lab = ModelRunner::new(config).expect("a good configuration");
    let failure = failed(ask(&lab, request()).await);
    assert_eq!(failure.kind, FailureKind::Authentication);
    assert_eq!(failure.hint.to_string(), "set LAB_KEY to a key of lab");
    assert_eq!(lab.list_models().await.expect_err("no key").kind, FailureKind::Authentication);
    assert!(server.seen().is_empty());
}

#[test]
fn what_no_header_can_carry_is_refused_without_being_shown() {
    let mut config = provider("http://127.0.0.1:1/v1");
    config.key = Some(Secret::new("two\nlines"));
    let error = ModelRunner::new(config).expect_err("a line break");
    assert!(matches!(error, RunnerConfigError::Key { .. }));
    assert!(!format!("{error} {error:?} {:?}", error.hint()).contains("two"));
    for (name, value) in [("authorization", "x"), ("no good", "x"), ("x-a", "two\nlines")] {
        let mut config = provider("http://127.0.0.1:1/v1");
        config.extra_headers.insert(name.to_owned(), Secret::new(value));
        let error = ModelRunner::new(config).expect_err(name);
        assert!(matches!(error, RunnerConfigError::Header { .. }), "{error}");
    }
}
