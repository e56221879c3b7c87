//! Clients that take nothing, or take it slowly.

use std::time::Duration;

use quorate_server::LiveOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpSocket;

use super::running_server::{Ear, SOON, Stage, Talker, talk};

/// The resident memory of this process in MB; 0 where it is not known.
fn resident_mb() -> f64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1).and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or(0.0) * 4096.0 / 1e6
}

/// A client that asks, and reads nothing until it is told to.
async fn asks_and_waits(stage: &Stage) -> tokio::net::TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut stream = socket.connect(stage.address).await.expect("a connection");
    let ask = format!("GET /api/v1/meetings/one/events HTTP/1.1\r\nhost: {}\r\n\r\n", stage.address);
    stream.write_all(ask.as_bytes()).await.expect("sent");
    stream
}

/// A hundred clients that read nothing while 10 MB are sent would cost a gigabyte if it were kept for each. A
/// client that then begins to read is told that fragments were lost, and gets every event.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_reads_nothing_costs_little_and_catches_up() {
    let piece = "a word of no great weight, and another one. ".repeat(50);
    let words = (0..450).map(|n| format!("{n} {piece}"));
    let options = LiveOptions { behind_max: 64 * 1024, ..LiveOptions::default() };
    let stage = Stage::start(Talker::new(words, Duration::from_micros(200)), options).await;
    let names: Vec<String> = (0..10).map(|n| format!("Speaker {n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let handle = stage.draft("one", talk(&names)).await;
    let mut sleepers = Vec::new();
    for _ in 0..100 {
        sleepers.push(asks_and_waits(&stage).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    let before = resident_mb();
    handle
        .execute(quorate_contract::Command::Start { by: quorate_contract::Actor::owner() })
        .await
        .expect("it starts");
    stage.to_the_end(&handle).await;
    let grown = resident_mb() - before;
    assert!(grown < 250.0, "{grown} MB for 100 clients that read nothing");

    let mut raw = Vec::new();
    let mut sleeper = sleepers.pop().expect("one of them");
    let reading = async {
        let mut chunk = vec![0; 64 * 1024];
        while !raw.ends_with(b"0\r\n\r\n") {
            let read = sleeper.read(&mut chunk).await.expect("the connection holds");
            assert!(read > 0, "cut in the middle");
            raw.extend_from_slice(&chunk[..read]);
        }
    };
    tokio::time::timeout(SOON, reading).await.expect("it catches up");
    let frames = Ear::of_chunks(&raw);
    assert!(frames.iter().any(|frame| frame.event == "resync"), "it is told what it has missed");
    let events: Vec<String> =
        frames.into_iter().filter(|frame| frame.id.is_some()).map(|frame| frame.data).collect();
    assert_eq!(events, stage.log("one").await, "events are never lost");
}
