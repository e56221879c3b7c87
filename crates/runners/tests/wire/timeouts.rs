//! Time limits of each phase of a request.

use std::time::Duration;

use quorate_contract::{Failure, FailureKind};
use quorate_engine::{FragmentSink, Runner as _};
use quorate_runners::{ModelRunner, Timeouts};
use tokio::io::AsyncWriteExt as _;
use tokio::time::Instant;

use crate::helpers::*;
use crate::server::{Server, Step, status, stream_head};

fn impatient(server: &Server, timeouts: Timeouts) -> ModelRunner {
    let mut config = provider(&server.url());
    config.retries = 0;
    config.timeouts = timeouts;
    ModelRunner::new(config).expect("a good configuration")
}

fn short() -> Timeouts {
    Timeouts { backoff_ms: 0, ..Timeouts::default() }
}

#[track_caller]
fn timed_out(failure: Failure, hint: &str) {
    assert_eq!(failure.kind, FailureKind::TimedOut, "{failure:?}");
    assert!(failure.hint.to_string().contains(hint), "{}", failure.hint);
}

#[tokio::test]
async fn each_wait_has_its_own_limit_and_says_which() {
    let silent = Server::start([vec![Step::Hang]]).await;
    let lab = impatient(&silent, Timeouts { first_byte_ms: 50, ..short() });
    timed_out(failed(ask_once(&lab, request()).await), "first_byte_ms");

    let silent = Server::start([vec![Step::Hang]]).await;
    let lab = impatient(&silent, Timeouts { total_ms: 50, ..short() });
    timed_out(failed(ask_once(&lab, request()).await), "total_ms");

    let silent = Server::start([vec![Step::Hang]]).await;
    let lab = impatient(&silent, short());
    let mut turn = request();
    turn.timeout_ms = 50;
    timed_out(failed(ask_once(&lab, turn).await), "the meeting's limits");
}

#[tokio::test]
async fn comments_keep_a_connection_alive_but_not_an_answer() {
    let ping = || [Step::Bytes(b": ping\n\n".to_vec()), Step::Wait(Duration::from_millis(20))];
    let pings = (0..500).flat_map(|_| ping());
    let head = [stream_head(), Step::Bytes(piece("Use").into_bytes())];
    let server = Server::start([head.into_iter().chain(pings.clone()).collect()]).await;
    let lab = impatient(&server, Timeouts { idle_ms: 100, ..short() });
    let (outcome, ear) = listen_once(&lab, request()).await;
    timed_out(failed(outcome), "idle_ms");
    assert_eq!(ear.answer(), "Use");

    let server = Server::start([[stream_head()].into_iter().chain(pings).collect()]).await;
    let lab = impatient(&server, Timeouts { first_byte_ms: 100, ..short() });
    timed_out(failed(listen_once(&lab, request()).await.0), "first_byte_ms");
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_given_the_time() {
    for header in [("retry-after-ms", "120"), ("retry-after", "0.12")] {
        let server = Server::start([status(429, &[header], ""), good(false, "Yes.")]).await;
        let started = Instant::now();
        answered(ask(&runner(&server), request()).await);
        assert!(started.elapsed() >= Duration::from_millis(120), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn a_wait_beyond_the_end_of_the_turn_is_not_begun() {
    let server = Server::start([status(429, &[("retry-after", "3600")], "")]).await;
    let started = Instant::now();
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::RateLimit, 1));
    assert!(failure.hint.to_string().contains("3600 s"), "{}", failure.hint);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_after_the_retries() {
    let address = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        listener.local_addr().expect("an address")
    };
    let lab = ModelRunner::new(provider(&format!("http://{address}/v1"))).expect("good");
    let failure = failed(ask_once(&lab, request()).await);
    assert_eq!(failure.kind, FailureKind::Network);
    assert_eq!(failure.detail.to_string(), "lab could not be reached: connection refused (asked 4 times)");
    assert_eq!(failure.hint.to_string(), format!("is it running? base_url is http://{address}/v1"));
    assert_eq!(failure.usage.map(|usage| usage.total()), Some(0));
}

#[tokio::test]
async fn a_call_that_is_no_longer_wanted_closes_its_connection() {
    let head = vec![stream_head(), Step::Bytes(piece("Use").into_bytes()), Step::Hang];
    let server = Server::start([head]).await;
    let lab = runner(&server);
    let (heard, mut hears) = tokio::sync::mpsc::unbounded_channel();
    let sink = FragmentSink::new(move |_| heard.send(()).expect("the test listens"));
    tokio::select! {
        _ = lab.run(request(), sink) => panic!("the answer never ends"),
        _ = hears.recv() => {}
    }
    tokio::time::timeout(Duration::from_secs(10), server.client_gone())
        .await
        .expect("the connection is closed at once");
}

#[tokio::test]
async fn a_connection_that_does_not_come_about_is_not_waited_for() {
    let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
    socket.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
    let listener = socket.listen(0).expect("a listener that never accepts");
    let address = listener.local_addr().expect("an address");
    // Once its queue is full, the system lets further connections wait.
    let mut queue = Vec::new();
    while let Ok(Ok(stream)) =
        tokio::time::timeout(Duration::from_millis(100), tokio::net::TcpStream::connect(address)).await
    {
        queue.push(stream);
    }
    let mut config = provider(&format!("http://{address}/v1"));
    config.retries = 1;
    config.timeouts = Timeouts { connect_ms: 60, ..short() };
    let lab = ModelRunner::new(config).expect("a good configuration");
    let failure = failed(ask_once(&lab, request()).await);
    assert_eq!(failure.detail.to_string(), "no connection to lab within 60ms (connect) (asked 2 times)");
    assert_eq!(failure.kind, FailureKind::Network, "nothing was asked: whoever waits may try again");
    assert!(failure.hint.to_string().contains("connect_ms"), "{}", failure.hint);
}

#[tokio::test]
async fn https_works_without_preparation_and_its_errors_are_the_networks() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let plain = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.expect("a client");
        socket.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await.expect("it is there");
    });
    let mut config = provider(&format!("https://{address}/v1"));
    config.retries = 0;
    let lab = ModelRunner::new(config).expect("TLS is installed on the way");
    let failure = failed(ask_once(&lab, request()).await);
    assert_eq!(failure.kind, FailureKind::Network, "{failure:?}");
    assert!(failure.detail.to_string().starts_with("lab could not be reached: "), "{failure:?}");
    plain.await.expect("the server was asked");
}
