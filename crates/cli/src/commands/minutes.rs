//! Shows, compares and edits the minutes of a meeting.

mod form;

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quorate_app::UseCase;
use quorate_contract::{Actor, Command, Minutes};
use quorate_core::{Meeting, MinutesVersion};
use quorate_messages::{Message, decoding_problem, io_problem, message, text};
use similar::{ChangeTag, TextDiff};

use super::inspect::load;
use super::print;
use super::say::AtRest;
use crate::args::MinutesArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;

/// Shows a version, what changed between two, or writes a new one.
pub(crate) async fn minutes(place: &Place, args: MinutesArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(from) = &args.edit {
        return edit(place, &args.id, from, args.json, speech).await;
    }
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let use_case = match (&args.diff, args.version) {
        (Some(_), _) => UseCase::CompareMinutes,
        (None, Some(_)) => UseCase::ShowMinutesVersion,
        (None, None) => UseCase::ShowMinutes,
    };
    let (meeting, _) = load(&store, use_case, &id).await?;
    let language = Speech(meeting.language());
    if let Some([a, b]) = args.diff.as_deref() {
        let text =
            |number: &u32| Ok(form::write(&version(&meeting, Some(*number), speech)?.minutes, language));
        let (old, new): (Result<_, CliError>, Result<_, CliError>) = (text(a), text(b));
        print(&difference(&old?, &new?));
        return Ok(ExitCode::SUCCESS);
    }
    let version = version(&meeting, args.version, speech)?;
    match args.json {
        true => print(&serde_json::to_string_pretty(version).expect("minutes have only text keys")),
        false => print(&form::write(&version.minutes, language)),
    }
    Ok(ExitCode::SUCCESS)
}

/// A version, or the last.
fn version(m: &Meeting, number: Option<u32>, speech: Speech) -> Result<&MinutesVersion, CliError> {
    let found = match number {
        Some(number) => m.minutes.iter().find(|one| one.version == number).map(AsRef::as_ref),
        None => m.current_minutes(),
    };
    found.ok_or_else(|| {
        let known: Vec<String> = m.minutes.iter().map(|one| one.version.to_string()).collect();
        match known.is_empty() {
            true => CliError::new(
                text!(speech, "cli-minutes-meeting-has-no-minutes-yet"),
                format!("quorate say {} /minutes", m.id),
            ),
            false => CliError::new(
                text!(speech, "cli-minutes-there-no-such-version-minutes"),
                text!(speech, "cli-minutes-versions", known),
            ),
        }
    })
}

/// Each line that was taken away or added.
fn difference(old: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(old, new);
    let line = |change: similar::Change<&str>| {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => ' ',
        };
        format!("{sign} {}\n", change.value().trim_end_matches('\n'))
    };
    diff.iter_all_changes().map(line).collect()
}

async fn edit(place: &Place, id: &str, from: &str, json: bool, speech: Speech) -> Result<ExitCode, CliError> {
    let (before, language) = {
        let store = place.read()?;
        let id = store.find(id).await?;
        let (meeting, _) = load(&store, UseCase::ShowMinutes, &id).await?;
        (meeting.current_minutes().cloned(), Speech(meeting.language()))
    };
    let based_on = before.as_ref().map(|minutes| minutes.version);
    let before = before.map(|version| version.minutes).unwrap_or_default();
    let (text, kept) = match from {
        "" => in_editor(&form::write(&before, language), speech)?,
        "-" => {
            let mut text = String::new();
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| {
                CliError::usage(
                    message!("cli-minutes-stdin-unreadable", error = io_problem(&error)),
                    message!("cli-write-utf-8"),
                )
            })?;
            (text, None)
        }
        path => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                CliError::usage(
                    message!("common-unreadable", path, error = io_problem(&error)),
                    message!("cli-minutes-give-file"),
                )
            })?;
            (text, None)
        }
    };
    let minutes = read(&text)?;
    if minutes == before {
        anstream::eprintln!("{}", text!(speech, "cli-minutes-nothing-changed"));
        return Ok(ExitCode::SUCCESS);
    }
    let written = write(place, id, based_on, minutes, json).await;
    match (&written, kept) {
        (Ok(()), Some(path)) => _ = std::fs::remove_file(path),
        (Err(_), Some(path)) => {
            let text = text!(speech, "cli-minutes-what-you-wrote-still");
            anstream::eprintln!("{text} {}", path.display());
        }
        (_, None) => {}
    }
    written.map(|()| ExitCode::SUCCESS)
}

async fn write(
    place: &Place,
    id: &str,
    based_on: Option<u32>,
    minutes: Minutes,
    json: bool,
) -> Result<(), CliError> {
    let mut meeting = AtRest::open(place, id, None, json).await?;
    let by = Actor::owner();
    meeting.execute(Command::EditMinutes { by, based_on, minutes: Box::new(minutes) }).await?;
    meeting.until_quiet().await?;
    meeting.close().await;
    Ok(())
}

/// Minutes from the form in which they are shown, or from JSON.
fn read(text: &str) -> Result<Minutes, CliError> {
    match text.trim_start().starts_with('{') {
        true => from_json(text).map_err(|problem| {
            CliError::usage(
                message!("cli-minutes-unreadable", problem),
                message!("cli-minutes-unreadable-hint"),
            )
        }),
        false => form::read(text).map_err(|(line, problem)| {
            CliError::usage(message!("common-at-line", line, problem), message!("cli-minutes-form-hint"))
        }),
    }
}

/// Minutes as `quorate minutes ID --json` prints them, or the inner object alone. An unknown field is
/// refused: its contents would be lost.
fn from_json(text: &str) -> Result<Minutes, Message> {
    const FIELDS: [&str; 5] = ["content", "summary", "decisions", "actions", "risks"];
    let mut value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| decoding_problem(&error.to_string()))?;
    if value["minutes"].is_object() {
        value = value["minutes"].take();
    }
    let unknown =
        value.as_object().and_then(|fields| fields.keys().find(|key| !FIELDS.contains(&key.as_str())));
    if let Some(unknown) = unknown {
        return Err(message!("common-decode-unknown", field = unknown, known = FIELDS.as_slice()));
    }
    serde_json::from_value(value).map_err(|error| decoding_problem(&error.to_string()))
}

/// The edited text from a person's editor, and the file that holds it.
fn in_editor(text: &str, speech: Speech) -> Result<(String, Option<PathBuf>), CliError> {
    let editor =
        ["VISUAL", "EDITOR"].iter().find_map(|name| std::env::var(name).ok().filter(|e| !e.is_empty()));
    let (true, Some(editor)) = (std::io::stdin().is_terminal(), editor) else {
        return Err(CliError::usage(
            text!(speech, "cli-minutes-there-no-editor-edit-them"),
            text!(speech, "cli-minutes-set-editor-terminal-give-edit"),
        ));
    };
    let path = std::env::temp_dir().join(format!("quorate-minutes-{}.md", uuid::Uuid::now_v7()));
    let failed = |error: std::io::Error| {
        CliError::new(
            message!("cli-minutes-not-edited", path = %path.display(), error = io_problem(&error)),
            message!("cli-minutes-edit-file"),
        )
    };
    write_private(&path, text).map_err(failed)?;
    let status = std::process::Command::new("sh")
        .args(["-c", &format!("{editor} \"$1\""), "sh"])
        .arg(&path)
        .status()
        .map_err(failed)?;
    if !status.success() {
        return Err(CliError::new(
            message!("cli-minutes-editor-ended", editor, %status),
            message!("cli-password-nothing-changed-try-again"),
        ));
    }
    let text = std::fs::read_to_string(&path).map_err(failed)?;
    Ok((text, Some(path)))
}

/// A file that this user alone can read.
fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path)?, text.as_bytes())
}
