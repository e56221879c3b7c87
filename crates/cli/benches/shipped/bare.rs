//! A bare loop, as somebody writes it who needs nothing but the turns: the whole history as messages, one request for
//! each turn, and a row for the request and one for the answer in SQLite before the loop goes on. One thread writes for
//! all meetings and flushes what has gathered (WAL, synchronous FULL). A listener is a channel.

use std::io::BufRead;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc;

use futures::StreamExt;
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::Work;
use crate::table::NAMES;

/// The argument that makes this program the bare loop.
pub(crate) const ROLE: &str = "bare";

const INSTRUCTION: &str = "You are an engineer in a discussion. Say what speaks for and against, briefly, and end with a block of \
    JSON that states your position, your confidence from 0 to 100, and new claims.";

/// A row, and who waits until it is on the disk.
struct Row {
    meeting: usize,
    line: String,
    done: oneshot::Sender<()>,
}

/// Says `ready`, waits for a line, holds the meetings, says `done`, and waits for its end.
pub(crate) fn run(work: Work, url: &str, folder: &Path) -> ExitCode {
    let rows = writer(folder.join("turns.db").as_path());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    quorate_app::install_tls();
    let client = reqwest::Client::builder().no_proxy().tls_certs_only([]).build().expect("a client");
    let url = format!("{url}/chat/completions");
    let mut lines = std::io::stdin().lock().lines();
    println!("ready");
    _ = lines.next();
    runtime.block_on(async {
        let meetings = (0..work.meetings).map(|meeting| {
            tokio::spawn(hold(work, meeting, client.clone(), Arc::from(url.as_str()), rows.clone()))
        });
        for meeting in meetings.collect::<Vec<_>>() {
            meeting.await.expect("no meeting panics");
        }
    });
    println!("done");
    _ = lines.next();
    ExitCode::SUCCESS
}

async fn hold(work: Work, meeting: usize, client: reqwest::Client, url: Arc<str>, rows: mpsc::Sender<Row>) {
    let (told, mut heard) = tokio::sync::mpsc::unbounded_channel::<String>();
    let listener = tokio::spawn(async move {
        let mut bytes = 0;
        while let Some(piece) = heard.recv().await {
            bytes += piece.len();
        }
        bytes
    });
    let mut history: Vec<Value> = vec![json!({ "role": "system", "content": INSTRUCTION })];
    for turn in 0..work.rounds as usize * NAMES.len() {
        let name = NAMES[turn % NAMES.len()];
        let body = json!({ "model": "bench", "messages": history, "stream": work.heard, "user": name });
        keep(&rows, meeting, json!({ "turn": turn, "asked": name }).to_string()).await;
        let request = client.post(&*url).header("content-type", "application/json").body(body.to_string());
        let answer = request.send().await.expect("an answer");
        let text = match work.heard {
            false => {
                let answer: Value =
                    serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
                answer["choices"][0]["message"]["content"].as_str().expect("a text").to_owned()
            }
            true => streamed(answer, &told).await,
        };
        keep(&rows, meeting, json!({ "turn": turn, "said": text, "by": name }).to_string()).await;
        history.push(json!({ "role": "user", "content": format!("{name}: {text}") }));
    }
    drop(told);
    listener.await.expect("it hears all");
}

async fn streamed(answer: reqwest::Response, told: &tokio::sync::mpsc::UnboundedSender<String>) -> String {
    let (mut text, mut rest) = (String::new(), Vec::new());
    let mut pieces = answer.bytes_stream();
    while let Some(piece) = pieces.next().await {
        rest.extend_from_slice(&piece.expect("a piece"));
        while let Some(end) = rest.windows(2).position(|two| two == b"\n\n") {
            let event: Vec<u8> = rest.drain(..end + 2).collect();
            let Ok(event) =
                serde_json::from_slice::<Value>(event.strip_prefix(b"data: ").unwrap_or_default())
            else {
                continue;
            };
            if let Some(content) = event["choices"][0]["delta"]["content"].as_str() {
                text.push_str(content);
                _ = told.send(content.to_owned());
            }
        }
    }
    text
}

/// Waits until a row is on the disk.
async fn keep(rows: &mpsc::Sender<Row>, meeting: usize, line: String) {
    let (done, kept) = oneshot::channel();
    rows.send(Row { meeting, line, done }).expect("the writer runs");
    kept.await.expect("it is kept");
}

/// The thread that writes: what has gathered is one commit.
fn writer(path: &Path) -> mpsc::Sender<Row> {
    let (rows, waiting) = mpsc::channel::<Row>();
    let mut connection = Connection::open(path).expect("a database");
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
             CREATE TABLE turn (place INTEGER PRIMARY KEY, meeting INTEGER NOT NULL, line TEXT NOT NULL);",
        )
        .expect("a table");
    std::thread::spawn(move || {
        while let Ok(first) = waiting.recv() {
            let group: Vec<Row> = std::iter::once(first).chain(waiting.try_iter().take(255)).collect();
            let commit = connection.transaction().expect("a transaction");
            for row in &group {
                let mut insert =
                    commit.prepare_cached("INSERT INTO turn (meeting, line) VALUES (?1, ?2)").expect("SQL");
                insert.execute(params![row.meeting, row.line]).expect("a row");
            }
            commit.commit().expect("it is on the disk");
            group.into_iter().for_each(|row| _ = row.done.send(()));
        }
    });
    rows
}
