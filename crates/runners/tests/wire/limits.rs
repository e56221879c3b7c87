//! Rate limits of a provider: those that were set, those that it announces, and those after failures.

use std::time::Duration;

use futures::future::join_all;
use quorate_contract::{FailureKind, Outcome, Usage};
use quorate_engine::{FragmentSink, Request, Runner as _};
use quorate_runners::ModelRunner;
use serde_json::json;
use tokio::time::Instant;

use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer, status, stream};

/// One of several calls of a meeting.
fn call(number: usize) -> Request {
    Request { idempotency_key: format!("m-1/speak:r1t{number}#1"), ..request() }
}

/// Asks as the engine does: waits first, and then lets the call's time begin. Brings the outcome and how
/// long each of the two took.
async fn ask_ready(lab: &ModelRunner, request: Request) -> (Outcome, Duration, Duration) {
    let started = Instant::now();
    lab.ready(&request).await;
    let waited = started.elapsed();
    let outcome = lab.run(request, FragmentSink::nobody()).await;
    (outcome, waited, started.elapsed() - waited)
}

#[tokio::test]
async fn requests_are_spread_and_their_wait_is_not_the_calls_own_time() {
    let server = Server::start(vec![good(false, "Yes."); 5]).await;
    let mut config = provider(&server.url());
    config.concurrency = Some(8);
    // Two at once, and a further one every tenth of a second.
    config.requests_per_minute = Some(6);
    let slow = ModelRunner::new(config.clone()).expect("a good configuration");
    for number in 0..2 {
        let (outcome, waited, _) = ask_ready(&slow, call(number)).await;
        answered(outcome);
        assert!(waited < Duration::from_secs(1), "a third goes at once: {waited:?}");
    }
    let third = call(3);
    let third = slow.ready(&third);
    futures::pin_mut!(third);
    let early = tokio::time::timeout(Duration::from_millis(50), &mut third).await;
    early.expect_err("the third waits for twelve seconds");

    // A call without a preceding wait for limits waits within its time limit, and reports when that is too
    // short.
    let mut hasty = call(4);
    hasty.timeout_ms = 100;
    let failure = failed(ask_once(&slow, hasty).await);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::RateLimit, false));
    assert!(failure.hint.to_string().contains("requests_per_minute"), "{}", failure.hint);
    assert_eq!(failure.usage, Some(Usage::default()));
    assert_eq!(server.seen().len(), 2);

    config.requests_per_minute = Some(600);
    config.tokens_per_minute = Some(90_000);
    let lab = ModelRunner::new(config).expect("a good configuration");
    // More than may be sent at once (30,000): the rest follows at 1,000 per second.
    let mut large = call(5);
    large.prompt.max_tokens = 31_000;
    let (outcome, waited, asked) = ask_ready(&lab, large).await;
    answered(outcome);
    assert!(waited >= Duration::from_millis(900), "{waited:?}");
    assert!(asked < waited, "{asked:?}");
}

#[tokio::test]
async fn a_provider_that_names_a_wait_is_not_asked_by_anybody_before_it() {
    let limited = status(429, &[("retry-after-ms", "600")], "");
    let script = [limited].into_iter().chain(vec![good(false, "Yes."); 4]);
    let server = Server::start(script).await;
    let lab = runner(&server);
    let first = ask_ready(&lab, call(0));
    let others = async {
        while server.seen().is_empty() || lab.health().closed.is_none() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let started = Instant::now();
        let outcomes = join_all((1..4).map(|number| ask_ready(&lab, call(number)))).await;
        (outcomes, started.elapsed())
    };
    let ((outcome, ..), (outcomes, elapsed)) = futures::join!(first, others);
    answered(outcome);
    outcomes.into_iter().for_each(|(outcome, ..)| drop(answered(outcome)));
    assert!(elapsed >= Duration::from_millis(400), "{elapsed:?}");
    assert_eq!(server.seen().len(), 5, "one was refused, and no other");
}

#[tokio::test]
async fn a_wait_that_is_longer_than_a_call_is_said_to_all_of_them_at_once() {
    let body = r#"{"error":{"code":429,"message":"Slow down","details":[{"retryDelay":"3000s"}]}}"#;
    let server = Server::start([status(429, &[], body)]).await;
    let lab = runner(&server);
    let failure = failed(ask_ready(&lab, call(0)).await.0);
    assert_eq!(
        failure.detail.to_string(),
        "lab answered 429 Too Many Requests: Slow down; it asks to wait 3000 s"
    );
    let (outcome, waited, asked) = ask_ready(&lab, call(1)).await;
    let failure = failed(outcome);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::RateLimit, false));
    assert_eq!(failure.detail.to_string(), "lab has asked not to be asked for another 600 s");
    assert!(waited + asked < Duration::from_secs(5));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_server_may_say_itself_whether_to_ask_again() {
    let never = status(503, &[("x-should-retry", "false")], "");
    let server = Server::start([never, good(false, "late")]).await;
    assert_eq!(failed(ask(&runner(&server), request()).await).kind, FailureKind::Overloaded);
    assert_eq!(server.seen().len(), 1);
    // That it helps is no proof that nothing was done.
    let again = status(418, &[("x-should-retry", "true")], "");
    let server = Server::start([again, good(false, "Yes.")]).await;
    assert!(failed(ask_once(&runner(&server), request()).await).doubtful);
    assert_eq!(answered(ask(&runner(&server), request()).await).text, "Yes.");
}

#[tokio::test]
async fn only_what_was_proven_not_to_be_done_is_asked_for_again_for_free() {
    let page = "<html><center>cloudflare</center></html>".to_owned();
    let upstream = r#"{"error":{"message":"The model is overloaded","type":"overloaded_error"}}"#.to_owned();
    let bodies = [String::new(), page, upstream];
    for code in [408, 409, 425, 499, 500, 502, 504, 520, 521, 522, 523, 524, 530] {
        for (number, body) in bodies.iter().enumerate() {
            let server = Server::start(vec![status(code, &[("retry-after", "0")], body); 5]).await;
            let failure = failed(ask_once(&runner(&server), request()).await);
            assert_eq!((server.seen().len(), failure.doubtful), (1, true), "{code} {number}");
            assert!(failure.usage.is_some_and(|usage| usage.estimated), "{code} {number}: {failure:?}");
        }
    }
    for (code, body) in [(503, ""), (503, "no healthy upstream"), (529, ""), (503, "upstream connect error")]
    {
        let server = Server::start(vec![status(code, &[], body); 5]).await;
        let failure = failed(ask_once(&runner(&server), request()).await);
        assert_eq!((server.seen().len(), failure.doubtful), (1, true), "{code} {body}");
    }
    let overloaded = r#"{"error":{"message":"The engine is currently overloaded","type":"server_error"}}"#;
    for (code, body) in [(429, ""), (429, "<html>Too many</html>"), (503, overloaded), (529, overloaded)] {
        let server = Server::start(vec![status(code, &[("retry-after", "0")], body); 5]).await;
        let failure = failed(ask_once(&runner(&server), request()).await);
        assert_eq!((server.seen().len(), failure.doubtful), (4, false), "{code} {body}");
        assert_eq!(failure.usage.map(|usage| (usage.total(), usage.estimated)), Some((0, false)));
    }
}

#[tokio::test]
async fn an_error_under_a_status_that_promised_an_answer_is_judged_as_one_without() {
    for (event, free) in [
        (json!({ "error": { "code": 502, "message": "Provider returned error" } }), false),
        (json!({ "error": { "code": 500, "message": "overloaded" } }), false),
        (json!({ "error": { "message": "something went wrong" } }), false),
        (json!({ "error": { "code": 429, "message": "slow down" } }), true),
        (json!({ "error": { "code": 503, "message": "The model is overloaded" } }), true),
    ] {
        for streamed in [true, false] {
            let reply = match streamed {
                true => stream([format!("data: {event}\n\n")]),
                false => json_answer(200, event.clone()),
            };
            let server = Server::start(vec![reply; 5]).await;
            let outcome = match streamed {
                true => listen_once(&runner(&server), request()).await.0,
                false => ask_once(&runner(&server), request()).await,
            };
            let (failure, requests) = (failed(outcome), server.seen().len());
            assert_eq!((requests, failure.doubtful), (if free { 4 } else { 1 }, !free), "{event}");
            assert_eq!(failure.usage.is_some_and(|usage| usage.estimated), !free, "{event}");
        }
    }
}

#[tokio::test]
async fn a_doubtful_error_that_names_a_wait_is_waited_for_before_it_is_repeated() {
    let server = Server::start([status(502, &[("retry-after", "1")], ""), good(false, "Yes.")]).await;
    let started = Instant::now();
    assert_eq!(answered(ask(&runner(&server), request()).await).text, "Yes.");
    assert!(started.elapsed() >= Duration::from_millis(900), "{:?}", started.elapsed());
}

#[tokio::test]
async fn a_provider_that_keeps_failing_is_left_alone_for_a_while() {
    let script: Vec<Vec<Step>> = vec![status(503, &[], ""); 5];
    let server = Server::start(script).await;
    let mut config = provider(&server.url());
    config.retries = 0;
    let lab = ModelRunner::new(config).expect("a good configuration");
    for number in 0..5 {
        assert_eq!(lab.health().failures, number);
        let failure = failed(ask_once(&lab, call(0)).await);
        assert_eq!(failure.detail.to_string(), "lab answered 503 Service Unavailable");
    }
    let (outcome, waited, asked) = ask_ready(&lab, call(1)).await;
    let failure = failed(outcome);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::Overloaded, false));
    assert!(
        failure
            .detail
            .to_string()
            .starts_with("lab has failed 5 times in a row; it is not asked for another 1")
    );
    assert!(!failure.hint.is_empty() && !failure.hint.to_string().contains("quorate "), "{}", failure.hint);
    assert_eq!(failure.usage, Some(Usage::default()));
    assert!(waited + asked < Duration::from_secs(5));
    let (kind, rest) = lab.health().pause.expect("a pause");
    assert!(kind == FailureKind::Overloaded && rest <= Duration::from_secs(15), "{rest:?}");
    assert_eq!(server.seen().len(), 5, "the sixth was not sent");
}
