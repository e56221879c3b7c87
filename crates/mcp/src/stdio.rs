//! Standard input and output: a line that is not JSON is answered as JSON-RPC asks, where the library says nothing.

use quorate_messages::{Language, text};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::sync::mpsc;

/// The longest line that is looked at, in bytes. A longer one goes to the library, which discards it.
const LINE_MAX: usize = 16 << 20;

/// The bytes that wait between this and the library.
const WAITING: usize = 64 << 10;

/// The most answers to lines that are not JSON which wait to be written; more are not answered.
const ANSWERS: usize = 16;

/// The two ends that the library reads and writes, and what carries the lines; it ends when both ends are closed.
pub(crate) fn checked(
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
    language: Language,
) -> ((DuplexStream, DuplexStream), tokio::task::JoinHandle<()>) {
    let (to_library, from_here) = duplex(WAITING);
    let (from_library, to_here) = duplex(WAITING);
    let (answers, waiting) = mpsc::channel(ANSWERS);
    tokio::spawn(async move {
        // What fails here is a pipe that the other side has closed.
        let _closed = read(BufReader::new(input), to_library, answers, language).await;
    });
    let writing = tokio::spawn(async move {
        let _closed = write(BufReader::new(from_library), output, waiting).await;
    });
    ((from_here, to_here), writing)
}

/// Passes on the lines that are JSON, and answers the others.
async fn read(
    mut input: BufReader<impl AsyncRead + Unpin>,
    mut to_library: DuplexStream,
    answers: mpsc::Sender<Vec<u8>>,
    language: Language,
) -> std::io::Result<()> {
    let (mut line, mut is_passed_on) = (Vec::new(), false);
    loop {
        let read = input.fill_buf().await?;
        if read.is_empty() {
            return to_library.shutdown().await;
        }
        let end = read.iter().position(|byte| *byte == b'\n').map(|at| at + 1);
        let taken = end.unwrap_or(read.len());
        line.extend_from_slice(&read[..taken]);
        input.consume(taken);
        if end.is_none() && line.len() <= LINE_MAX {
            continue;
        }
        let is_whole = end.is_some() && !is_passed_on;
        match is_whole.then(|| serde_json::from_slice::<IgnoredAny>(&line)) {
            Some(Err(error)) if !line.trim_ascii().is_empty() => {
                let told = text!(language, "mcp-body-no-json", %error);
                let error = json!({ "code": -32700, "message": told });
                let answer = json!({ "jsonrpc": "2.0", "id": Value::Null, "error": error });
                let _full = answers.try_send(format!("{answer}\n").into_bytes());
            }
            Some(Ok(_) | Err(_)) | None => to_library.write_all(&line).await?,
        }
        is_passed_on = end.is_none();
        line.clear();
    }
}

/// Writes what the library says, and the answers in between, each on a line of its own.
async fn write(
    mut from_library: BufReader<DuplexStream>,
    mut output: impl AsyncWrite + Unpin,
    mut answers: mpsc::Receiver<Vec<u8>>,
) -> std::io::Result<()> {
    // A line that was read in part stays here when an answer comes first.
    let mut line = Vec::new();
    loop {
        tokio::select! {
            read = from_library.read_until(b'\n', &mut line) => {
                if read? == 0 && line.is_empty() {
                    return Ok(());
                }
                output.write_all(&line).await?;
                line.clear();
            }
            Some(answer) = answers.recv() => output.write_all(&answer).await?,
        }
        output.flush().await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_that_are_no_json_are_answered_and_all_others_passed_on() {
        let (mut client, input) = duplex(1 << 16);
        let (output, answered) = duplex(1 << 16);
        let ((mut from_here, mut to_here), writing) = checked(input, output, Language::En);
        client.write_all(b"not json\n\n{\"a\":\n{\"jsonrpc\": \"2.0\"}\n").await.expect("sent");
        let mut lines = BufReader::new(answered).lines();
        for _ in 0..2 {
            let line = lines.next_line().await.expect("a line").expect("a line");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "{line}");
        }
        let mut passed = BufReader::new(&mut from_here).lines();
        assert_eq!(passed.next_line().await.expect("a line").as_deref(), Some(""));
        assert_eq!(passed.next_line().await.expect("a line").as_deref(), Some("{\"jsonrpc\": \"2.0\"}"));
        drop(client);
        assert_eq!(passed.next_line().await.expect("the end"), None);
        to_here.write_all(b"{\"id\": 1}\n").await.expect("sent");
        assert_eq!(lines.next_line().await.expect("a line").as_deref(), Some("{\"id\": 1}"));
        drop((from_here, to_here));
        writing.await.expect("it ends");
    }
}
