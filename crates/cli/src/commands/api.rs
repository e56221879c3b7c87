//! Sends one request to the interface of the server, for what has no command of its own.

use std::fs::File;
use std::io::{Read, Write};
use std::process::ExitCode;

use futures::StreamExt;
use quorate_messages::{io_problem, text};
use reqwest::Method;
use reqwest::header::{HeaderName, HeaderValue};
use serde_json::Value;

use crate::args::ApiArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Remote, RequestBody, Writer};

/// Sends the request, and writes the answer as it comes.
pub(crate) async fn api(place: &Place, args: ApiArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let path = match args.path.strip_prefix("/api/v1").unwrap_or(&args.path) {
        path if path.starts_with('/') => path,
        _ => {
            return Err(CliError::usage(
                text!(speech, "cli-api-path-begins-slash"),
                text!(speech, "cli-api-path-example"),
            )
            .with("field", "path"));
        }
    };
    let method = args.method.to_uppercase();
    let method =
        Method::from_bytes(method.as_bytes()).map_err(|_| not_a_header("method", &method, speech))?;
    let headers: Result<Vec<_>, _> = args.header.iter().map(|line| header(line, speech)).collect();
    let body = match (&args.data, &args.file) {
        (Some(text), _) => RequestBody::Json(json_of(text, speech)?),
        (None, Some(path)) => {
            RequestBody::Bytes(std::fs::read(path).map_err(|error| unreadable("file", path, &error, speech))?)
        }
        (None, None) => RequestBody::Empty,
    };
    let server = match Remote::named(place)? {
        Some(server) => server,
        None => Writer::server(place)?.map(|(server, _)| server).ok_or_else(|| no_server(place, speech))?,
    };
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => {
            super::spares_databases(path)?;
            Box::new(File::create(path).map_err(|error| unwritable(&error, speech))?)
        }
        None => Box::new(std::io::stdout()),
    };
    let mut pieces = server.call(method, path, &headers?, body).await?.bytes_stream();
    let mut last = None;
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|error| server.broken_off(&error))?;
        last = piece.last().copied().or(last);
        match out.write_all(&piece).and_then(|()| out.flush()) {
            Ok(()) => {}
            // A closed pipe is no error.
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(ExitCode::SUCCESS),
            Err(error) => return Err(unwritable(&error, speech)),
        }
    }
    // A line of its own in a terminal; a file stays as it came.
    if args.out.is_none() && last.is_some_and(|byte| byte != b'\n') {
        _ = out.write_all(b"\n").and_then(|()| out.flush());
    }
    Ok(ExitCode::SUCCESS)
}

/// The body that `--data` gives.
fn json_of(text: &str, speech: Speech) -> Result<Value, CliError> {
    let text = match text.strip_prefix('@') {
        None => text.to_owned(),
        Some("-") => {
            let mut text = String::new();
            std::io::stdin()
                .read_to_string(&mut text)
                .map_err(|error| unreadable("data", "-", &error, speech))?;
            text
        }
        Some(path) => {
            std::fs::read_to_string(path).map_err(|error| unreadable("data", path, &error, speech))?
        }
    };
    serde_json::from_str(&text).map_err(|error| {
        CliError::usage(
            text!(speech, "cli-api-body-no-json", error = %error),
            text!(speech, "cli-api-single-quotes"),
        )
        .with("field", "data")
    })
}

fn header(line: &str, speech: Speech) -> Result<(HeaderName, HeaderValue), CliError> {
    let wrong = || not_a_header("header", line, speech);
    let (name, value) = line.split_once(':').ok_or_else(wrong)?;
    let name = name.trim().parse().map_err(|_| wrong())?;
    Ok((name, value.trim().parse().map_err(|_| wrong())?))
}

fn not_a_header(field: &str, text: &str, speech: Speech) -> CliError {
    CliError::usage(
        text!(speech, "cli-api-cannot-be-used", given = %text),
        text!(speech, "cli-api-name-value"),
    )
    .with("field", field)
}

fn unreadable(
    field: &str,
    path: impl AsRef<std::path::Path>,
    error: &std::io::Error,
    speech: Speech,
) -> CliError {
    let path = path.as_ref().display();
    CliError::usage(
        text!(speech, "common-unreadable", path = %path, error = io_problem(error)),
        text!(speech, "cli-api-name-readable-file"),
    )
    .with("field", field)
}

fn unwritable(error: &std::io::Error, speech: Speech) -> CliError {
    CliError::new(
        text!(speech, "cli-api-answer-not-written", error = io_problem(error)),
        text!(speech, "cli-api-make-room"),
    )
}

fn no_server(place: &Place, speech: Speech) -> CliError {
    CliError::new(
        text!(speech, "cli-url-no-server-uses-database", db = %place.location),
        format!("{}{}", text!(speech, "cli-url-start-one"), place.command("serve")),
    )
    .of(ErrorKind::NotFound)
}
