//! Writes meetings to files: for people, for other programs, to hand on.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use quorate_app::{
    ExportError, ExportedFiles, LocalDatabase, LogSealer, Principal, Salvaged, UseCase, UserFile,
    closing_line, export_with, no_such_format, viewer_of,
};
use quorate_contract::Event;
use quorate_contract::hex::to_hex;
use quorate_contract::signature::{ChainEntry, LogChain, Sealing};
use quorate_core::Meeting;
use quorate_messages::{io_problem, message, text};
use quorate_print::{Options, Times, record};
use quorate_views::folder_layouts::signed_log;
use quorate_views::{Report, Viewer};
use reqwest::Method;
use serde_json::Value;

use super::inspect::{Loaded, load_salvaged};
use super::{print, write_file};
use crate::args::{EXPORT_FORMATS, ExportArgs};
use crate::error::CliError;
use crate::language::Speech;
use crate::live::{keep_votes, seen_by_owner};
use crate::place::{Place, with_database};
use crate::remote::Writer;

/// Writes a meeting to a file.
pub(crate) async fn export(place: &Place, args: ExportArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let zone = args.time_zone.as_deref().map(|name| quorate_app::time_zone("time_zone", name)).transpose()?;
    let store = place.read()?;
    let exporter = exporter(place, &args.format)?;
    let id = store.find(&args.id).await?;
    let mut loaded = load_salvaged(&store, UseCase::Export, &id, args.salvage).await?;
    loaded.warn(speech);
    let reader = viewer_of(&loaded.meeting, &Principal::owner());
    if args.with_marks || matches!(args.format.as_str(), "jsonl" | "files") {
        keep_votes(&loaded.meeting)?;
    }
    loaded.meeting = seen_by_owner(loaded.meeting);
    if let Some(lang) = args.lang {
        loaded.meeting = loaded.meeting.told_in(lang.into());
    }
    if let Some(zone) = zone {
        loaded.meeting = loaded.meeting.with_times_in(zone);
    }
    let Loaded { meeting, log } = &loaded;
    let damage = &log.damage;
    let note = damage.as_ref().map(|damage| damage.told_in(meeting.language()));
    let (times, with_marks) = (Times::of_meeting(meeting), args.with_marks);
    let shown = Viewer::of_export(meeting, with_marks);
    let record = record(meeting, log.stored().map(|(_, event)| event), shown, meeting.language());
    let ExportedFiles { images, texts } = match args.format.as_str() {
        "html" => store.files_for_export(meeting).await,
        _ => ExportedFiles::default(),
    };
    let options = Options { with_marks, times, note, record, sealing: None, images, texts };
    let sealing = match args.format.as_str() {
        "md" | "pdf" => None,
        _ => Some(seal(place, &store, meeting, log, reader, speech).await),
    };
    let text = match (args.format.as_str(), &sealing) {
        ("files", Some(sealing)) => {
            let shown = Viewer::of_export(meeting, with_marks);
            let chain = chain(meeting, log, |event| !shown.hides(event));
            let signed = signed_log(&meeting.id, &chain, sealing);
            return super::folders::export(&store, meeting, &loaded.events(), &signed, args.out.as_deref())
                .await;
        }
        ("pdf", _) => return pdf(&args, meeting, &options),
        ("html", _) => quorate_print::html(meeting, log.stored(), &Options { sealing, ..options }),
        ("jsonl", Some(sealing)) => {
            let lines = || log.stored().map(|(line, _)| line);
            let closing = closing_line(&meeting.id, lines(), sealing);
            lines().chain([closing.as_str()]).collect::<Vec<_>>().join("\n")
        }
        // An exporter is given the JSON.
        (_, Some(sealing)) => {
            let (signature, unsigned) = sealing.parts();
            let chain = chain(meeting, log, |event| !reader.hides(event));
            let events: Vec<Value> = loaded.events().iter().map(|event| told(reader, event)).collect();
            let mut whole = serde_json::json!({
                "report": Report::of(meeting), "events": events, "chain": chain,
                "signature": signature, "unsigned": unsigned,
            });
            if let Some(damage) = damage {
                whole["damage"] = serde_json::to_value(quorate_app::damage_view(damage, meeting.language()))
                    .expect("a damage has only text keys");
            }
            let text = serde_json::to_string_pretty(&whole).expect("an export has only text keys");
            if let Some(exporter) = exporter {
                let language = meeting.language();
                let made = export_with(&place.config, &exporter, text.into_bytes(), language, None).await;
                return write_bytes(args.out.as_deref(), &made.map_err(ExportError::at_terminal)?.1);
            }
            text
        }
        _ => quorate_print::markdown(meeting, &options),
    };
    match &args.out {
        Some(path) => write_file(path, &text)?,
        None => print(&text),
    }
    Ok(ExitCode::SUCCESS)
}

/// The exporter that a format names; `None` for a format of the program itself.
fn exporter(place: &Place, format: &str) -> Result<Option<String>, CliError> {
    if EXPORT_FORMATS.contains(&format) {
        return Ok(None);
    }
    let exporters = UserFile::read(&place.config)?.exporters;
    match exporters.contains_key(format) {
        true => Ok(Some(format.to_owned())),
        false => Err(no_such_format(&exporters.into_keys().collect::<Vec<_>>())),
    }
}

/// Writes a file as it is; to stdout when no path is given.
fn write_bytes(path: Option<&Path>, bytes: &[u8]) -> Result<ExitCode, CliError> {
    if let Some(path) = path {
        write_file(path, bytes)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|error| {
        CliError::new(
            message!("cli-export-not-written", error = io_problem(&error)),
            message!("cli-export-name-file"),
        )
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Signs the log of a meeting. The first signature makes the key pair: here, or at the server that writes the database.
/// Where that is not possible the log is not signed, and the terminal says why.
async fn seal(
    place: &Place,
    store: &LocalDatabase,
    meeting: &Meeting,
    log: &Salvaged,
    reader: Viewer,
    speech: Speech,
) -> Sealing {
    let sealer = match log.damage {
        Some(_) => LogSealer::default(),
        None => sealer(place, store).await.unwrap_or_else(|error| {
            let error = error.at_terminal(speech);
            anstream::eprintln!("{}{}", text!(speech, "cli-export-not-signed"), with_database(&error.line()));
            LogSealer::default()
        }),
    };
    sealer.seal(meeting, log.stored(), log.damage.is_some(), reader)
}

async fn sealer(place: &Place, store: &LocalDatabase) -> Result<LogSealer, CliError> {
    if let Some(sealer) = store.log_sealer().await? {
        return Ok(sealer);
    }
    match Writer::find(place)? {
        Writer::Here(database) => database.make_signing_key().await?,
        Writer::Server(server, _) => _ = server.ask::<Value>(Method::GET, "/signing-key", None).await?,
    }
    Ok(store.log_sealer().await?.unwrap_or_default())
}

/// An event as a reader may see it.
fn told(reader: Viewer, event: &Event) -> Value {
    let line = reader.line(event).unwrap_or_else(|| event.to_json());
    serde_json::from_str(&line).expect("a line is JSON")
}

/// The chain of a log, with the lines that may be shown.
fn chain(meeting: &Meeting, log: &Salvaged, is_shown: impl Fn(&Event) -> bool) -> Vec<ChainEntry> {
    let mut chain = LogChain::of(&meeting.id);
    let entry = |(line, event): (&str, &Event)| {
        let hash = to_hex(&chain.push(line));
        ChainEntry { hash, line: is_shown(event).then(|| line.to_owned()) }
    };
    log.stored().map(entry).collect()
}

#[cfg(feature = "pdf")]
fn pdf(args: &ExportArgs, meeting: &Meeting, options: &Options) -> Result<ExitCode, CliError> {
    use std::io::IsTerminal;

    if args.out.is_none() && std::io::stdout().is_terminal() {
        return Err(CliError::usage(message!("cli-export-pdf-terminal"), message!("cli-export-name-file"))
            .with("field", "out"));
    }
    let fonts = quorate_print::Fonts::of_machine(args.font.as_deref()).map_err(of_font)?;
    let bytes = quorate_print::pdf(meeting, options, &fonts).map_err(of_pdf)?;
    write_bytes(args.out.as_deref(), &bytes)
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &ExportArgs, _: &Meeting, _: &Options) -> Result<ExitCode, CliError> {
    let hint = message!("cli-export-without-pdf-hint");
    Err(CliError::usage(message!("cli-export-without-pdf"), hint).with("field", "format"))
}

#[cfg(feature = "pdf")]
fn of_font(error: quorate_print::FontError) -> CliError {
    CliError::usage(error.problem(), error.hint()).with("field", "font")
}

#[cfg(feature = "pdf")]
fn of_pdf(error: quorate_print::PdfError) -> CliError {
    CliError::usage(error.problem(), error.hint()).with("field", "format")
}
