//! A minimal HTTP server: one request after the other on a connection, answered whole or streamed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

use crate::answers;
use crate::question::{Question, within};

/// What a model says to a question, where it is not made up here.
pub(crate) type Say<'a> = &'a dyn Fn(&Question) -> String;

/// A request.
pub(crate) struct Received<'a> {
    pub(crate) say: Option<Say<'a>>,
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Value,
}

impl Received<'_> {
    /// The text of the answer. What was given ends where the tokens do.
    pub(crate) fn say(&self, question: &Question, number: u64) -> String {
        match self.say {
            Some(say) => within(&say(question), question.max_tokens).to_owned(),
            None => answers::answer(question, number),
        }
    }

    /// Whether an answer of so many tokens was cut off.
    pub(crate) fn is_cut(&self, question: &Question, written: u64) -> bool {
        match self.say {
            Some(_) => written >= question.max_tokens,
            None => written > question.max_tokens,
        }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Reads a request; `None` when the client has closed the connection.
pub(crate) fn receive(connection: &TcpStream) -> std::io::Result<Option<Received<'static>>> {
    let mut from = BufReader::new(connection);
    let mut line = String::new();
    if from.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_lowercase(), value.to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length.and_then(|(_, length)| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    from.read_exact(&mut body)?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Ok(Some(Received { say: None, method, path, headers, body }))
}

/// An answer.
pub(crate) enum Reply {
    Whole {
        status: u16,
        kind: &'static str,
        headers: Vec<(&'static str, String)>,
        body: String,
    },
    /// Pieces that are sent one after the other.
    Pieces {
        kind: &'static str,
        pieces: Vec<String>,
    },
}

impl Reply {
    pub(crate) fn text(status: u16, kind: &'static str, body: impl Into<String>) -> Self {
        Self::Whole { status, kind, headers: Vec::new(), body: body.into() }
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    /// The same with one more line in its head.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Self::Whole { headers, .. } = &mut self {
            headers.push((name, value.into()));
        }
        self
    }

    pub(crate) fn events(pieces: Vec<String>) -> Self {
        Self::Pieces { kind: "text/event-stream", pieces }
    }

    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Whole { status, .. } => *status,
            Self::Pieces { .. } => 200,
        }
    }

    pub(crate) fn send(self, connection: &mut TcpStream, pace: Duration) -> std::io::Result<()> {
        match self {
            Self::Whole { status, kind, headers, body } => {
                let mut head = format!("HTTP/1.1 {status} Street\r\ncontent-type: {kind}\r\n");
                for (name, value) in headers {
                    head.push_str(&format!("{name}: {value}\r\n"));
                }
                head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
                connection.write_all((head + &body).as_bytes())
            }
            Self::Pieces { kind, pieces } => {
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\
                     x-request-id: req_vendor\r\n\r\n"
                );
                connection.write_all(head.as_bytes())?;
                for piece in pieces {
                    connection.write_all(format!("{:x}\r\n{piece}\r\n", piece.len()).as_bytes())?;
                    std::thread::sleep(pace);
                }
                connection.write_all(b"0\r\n\r\n")
            }
        }
    }

    /// Sends it, garbage behind it, and breaks the connection where more was promised.
    pub(crate) fn send_garbled(self, connection: &mut TcpStream) -> std::io::Result<()> {
        const GARBAGE: &str = "\n\ndata: [DONE]\n\n{\"choi%$\n\n<html>upstream closed</html>\n";
        let (status, kind, body) = match self {
            Self::Whole { status, kind, body, .. } => (status, kind, body),
            Self::Pieces { kind, pieces } => (200, kind, pieces.concat()),
        };
        let body = body + GARBAGE;
        let head = format!(
            "HTTP/1.1 {status} Street\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            body.len() + 1000
        );
        connection.write_all((head + &body).as_bytes())
    }
}
