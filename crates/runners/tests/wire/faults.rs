//! Every fault of the wire that is known, in every wire format, with and without a stream, in one
//! table.
//!
//! `cargo nextest run -p quorate-runners --no-capture every_fault` prints it.

mod chat;
mod kinds;

use futures::future::join_all;
use quorate_contract::{FailureKind, Outcome, StopReason};
use quorate_engine::Request;
use quorate_runners::ModelRunner;

use crate::dialect::{Dialect, dialects};
use crate::helpers::*;
use crate::server::{Server, Step};

/// In which of the two ways a fault can happen.
#[derive(Clone, Copy, PartialEq)]
enum Ways {
    Both,
    Stream,
    Whole,
}

/// The expected end.
#[derive(Clone, Copy, PartialEq, Debug)]
enum End {
    /// This answer.
    Says(&'static str),
    /// This answer, with implausible token counts.
    Uncounted(&'static str),
    /// With an answer that stopped for this reason.
    Stops(StopReason),
    Fails(FailureKind),
    /// With a failure whose hint or detail has this in it.
    Tells(FailureKind, &'static str),
}

/// The endpoint at the address.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Server,
    /// A server that does not encrypt, asked by `https`.
    Plain,
    Nobody,
}

/// The script of the server, by format and stream; `None` where the format has no such fault. Redirects lead
/// to the address that is given last.
type Script = Box<dyn Fn(&dyn Dialect, bool, &str) -> Option<Vec<Vec<Step>>>>;

struct Fault {
    name: &'static str,
    ways: Ways,
    place: Place,
    script: Script,
    end: End,
    /// The expected number of requests.
    requests: usize,
}

const TEXT: &str = "Use SQLite.";

/// A fault in one format and in one of its two ways, ready to be played.
struct Cell<'a> {
    fault: &'a Fault,
    dialect: &'static dyn Dialect,
    streamed: bool,
    server: Server,
    lab: ModelRunner,
    /// A port that refuses connections for as long as it is held.
    _closed_port: Option<tokio::net::TcpSocket>,
}

async fn cell<'a>(
    fault: &'a Fault,
    dialect: &'static dyn Dialect,
    streamed: bool,
    script: Vec<Vec<Step>>,
) -> Cell<'a> {
    let stalls = waits(&script);
    let server = Server::start(script).await;
    let mut base_url = server.url().replace("/v1", dialect.base_path());
    let mut closed_port = None;
    match fault.place {
        Place::Server => {}
        Place::Plain => base_url = base_url.replace("http://", "https://"),
        Place::Nobody => {
            // Taken, so that no other server gets it, and not listened at.
            let port = tokio::net::TcpSocket::new_v4().expect("a socket");
            port.bind("127.0.0.1:0".parse().expect("an address")).expect("a free port");
            base_url = format!("http://{}", port.local_addr().expect("an address"));
            closed_port = Some(port);
        }
    }
    let mut config = provider(&base_url);
    config.wire = dialect.format();
    if stalls {
        // Long enough for an answer on a busy machine.
        (config.timeouts.first_byte_ms, config.timeouts.idle_ms) = (5_000, 4_500);
    }
    let lab = ModelRunner::new(config).expect("a good configuration");
    Cell { fault, dialect, streamed, server, lab, _closed_port: closed_port }
}

fn waits(script: &[Vec<Step>]) -> bool {
    script.iter().flatten().any(|step| matches!(step, Step::Hang))
}

/// Plays one cell; returns its line in the table, and whether it ended as it has to.
async fn play(cell: Cell<'_>) -> (String, bool) {
    let Cell { fault, dialect, streamed, server, lab, _closed_port } = cell;
    // What takes its time here is the machine.
    let request = Request { timeout_ms: 600_000, ..request() };
    let (outcome, ear) = match streamed {
        true => listen(&lab, request).await,
        false => (ask(&lab, request).await, Ear::default()),
    };
    let shown = format!("{outcome:?} {} {}", ear.answer(), ear.reasoning());
    let is_right = match (&outcome, fault.end) {
        (Outcome::Answered(answer), End::Says(text)) => answer.text == text,
        (Outcome::Answered(answer), End::Uncounted(text)) => answer.text == text && answer.usage.estimated,
        (Outcome::Answered(answer), End::Stops(stop)) => answer.stop == stop,
        (Outcome::Failed(failure), End::Fails(kind)) => failure.kind == kind,
        (Outcome::Failed(failure), End::Tells(kind, words)) => {
            failure.kind == kind && format!("{} {}", failure.detail, failure.hint).contains(words)
        }
        (Outcome::Answered(_) | Outcome::CalledTools(..) | Outcome::Failed(_), _) => false,
    };
    let what: String = match outcome {
        Outcome::Answered(answer) | Outcome::CalledTools(answer, _) => format!("ok {:?}", answer.text),
        Outcome::Failed(failure) => format!("{:?}: {} ({})", failure.kind, failure.detail, failure.hint),
    };
    let what: String = what.chars().take(160).collect();
    let seen = server.seen();
    let right = is_right
        && seen.len() == fault.requests
        && seen.first().is_none_or(|first| first.line == dialect.question_line(streamed))
        && !shown.contains(KEY);
    let way = if streamed { "stream" } else { "whole" };
    let mark = if right { "ok " } else { "BAD" };
    let (format, name, requests) = (format!("{:?}", dialect.format()), fault.name, seen.len());
    (format!("{mark} {format:<10} {way:<6} {name:<32} {requests} asked  {what}"), right)
}

/// Plays these all at once, so that those which have to wait do it together.
async fn play_all(cells: Vec<Cell<'_>>) -> Vec<(String, bool)> {
    join_all(cells.into_iter().map(play)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_fault_of_the_wire_ends_as_it_has_to() {
    let elsewhere = Server::start([]).await;
    let (faults, of_chat) = (kinds::all(), chat::all());
    // What waits and what keeps the machine busy would spoil each other's times.
    let mut absent = Vec::new();
    let (mut quick, mut heavy, mut slow) = (Vec::new(), Vec::new(), Vec::new());
    for dialect in dialects() {
        let own = if dialect.format() == quorate_runners::WireFormat::Openai { &of_chat[..] } else { &[] };
        for fault in faults.iter().chain(own) {
            for (streamed, other) in [(true, Ways::Whole), (false, Ways::Stream)] {
                if fault.ways == other {
                    continue;
                }
                let Some(script) = (fault.script)(dialect, streamed, &elsewhere.url()) else {
                    absent.push(format!(
                        "{:<12} {:<8} {:<40} – the format has no such thing",
                        format!("{:?}", dialect.format()),
                        if streamed { "streamed" } else { "plain" },
                        fault.name
                    ));
                    continue;
                };
                let cells = match waits(&script) {
                    true => &mut slow,
                    false if script.iter().flatten().any(|step| matches!(step, Step::Flood(_))) => &mut heavy,
                    false => &mut quick,
                };
                cells.push(cell(fault, dialect, streamed, script).await);
            }
        }
    }
    let mut cells = Vec::new();
    // Not too many at once either: each may open a client of its own, which takes its time.
    for (mut cells_of_kind, at_once) in [(quick, 8), (slow, 16), (heavy, 2)] {
        while !cells_of_kind.is_empty() {
            let some: Vec<_> = cells_of_kind.drain(..at_once.min(cells_of_kind.len())).collect();
            cells.extend(play_all(some).await);
        }
    }
    absent.iter().for_each(|line| eprintln!("{line}"));
    // The bad ones last, where a long output is still read.
    cells.sort_by_key(|(_, right)| !right);
    for (line, _) in &cells {
        eprintln!("{line}");
    }
    eprintln!("{} cells", cells.len());
    let bad: Vec<&str> = cells.iter().filter(|(_, right)| !right).map(|(line, _)| line.as_str()).collect();
    assert!(bad.is_empty(), "{bad:#?}");
    assert!(elsewhere.seen().is_empty(), "a redirection was followed");
}

#[tokio::test]
async fn a_kept_connection_that_the_server_gave_up_is_replaced_at_once() {
    // The server reads the second request on the kept connection, and closes it.
    let server = Server::start([good(false, TEXT), vec![Step::Close], good(false, TEXT)]).await;
    let mut config = provider(&server.url());
    config.retries = 0; // It is not a retry.
    config.timeouts.backoff_ms = 60_000;
    let lab = ModelRunner::new(config).expect("a good configuration");
    for _ in 0..2 {
        answered(ask(&lab, request()).await);
    }
    let connections: Vec<_> = server.seen().iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0, 0, 1]);
}

#[tokio::test]
async fn the_replacement_is_no_other_kept_connection() {
    let slowly = || {
        let wait = Step::Wait(std::time::Duration::from_millis(100));
        [wait].into_iter().chain(good(false, TEXT)).collect()
    };
    let server = Server::start([slowly(), slowly(), vec![Step::Close], good(false, TEXT)]).await;
    let lab = ModelRunner::new(provider(&server.url())).expect("a good configuration");
    // Two at once leave two connections behind, of which one proves to be stale.
    let (one, other) = futures::join!(ask(&lab, request()), ask(&lab, request()));
    answered(one);
    answered(other);
    answered(ask(&lab, request()).await);
    let last = server.seen().last().map(|seen| seen.connection);
    assert_eq!(last, Some(2), "a third connection");
}
