//! Writes meetings to files: for people, for other programs, to hand on.

use std::process::ExitCode;

use quorate_app::UseCase;
use quorate_core::Meeting;
use quorate_print::{Options, Zone};
use quorate_views::Report;
use serde_json::Value;

use super::look::{Loaded, load_salvaged};
use super::{print, write_file};
use crate::args::ExportArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::speech::Speech;

/// Writes a meeting to a file.
pub(crate) async fn export(place: &Place, args: ExportArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.read()?;
    let id = store.find(&args.id).await?;
    let (here, which, salvage) = (store.clone(), id.clone(), args.salvage);
    let loading = async move { load_salvaged(&here, &which, salvage, speech).await };
    let mut loaded = store.perform(UseCase::Export, Some(id), Value::Null, loading).await?;
    loaded.warn(speech);
    if let Some(lang) = args.lang {
        loaded.meeting = loaded.meeting.told_in(lang.into());
    }
    let Loaded { meeting, records, damage } = &loaded;
    let note = damage.as_ref().map(|damage| damage.told_in(meeting.language()));
    let options = Options { with_marks: args.with_marks, zone: Zone::of_machine(), note };
    let text = match args.format.as_str() {
        "files" => return super::folders::export(&loaded.events(), args.out.as_deref()),
        "pdf" => return pdf(&args, meeting, &options),
        "html" => {
            let log = records.iter().map(|record| (&*record.line, &*record.event));
            quorate_print::html(meeting, log, &options)
        }
        "json" => {
            let mut whole = serde_json::json!({ "report": Report::of(meeting), "events": loaded.events() });
            if let Some(damage) = damage {
                whole["damage"] = serde_json::to_value(damage).expect("a damage has only text keys");
            }
            serde_json::to_string_pretty(&whole).expect("an export has only text keys")
        }
        _ => quorate_print::markdown(meeting, &options),
    };
    match &args.out {
        Some(path) => write_file(path, &text)?,
        None => print(&text),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(feature = "pdf")]
fn pdf(args: &ExportArgs, meeting: &Meeting, options: &Options) -> Result<ExitCode, CliError> {
    use std::io::{IsTerminal, Write};

    if args.out.is_none() && std::io::stdout().is_terminal() {
        return Err(CliError::usage("a PDF cannot be read on a terminal", "name a file with --out FILE")
            .with("field", "out"));
    }
    let fonts = quorate_print::Fonts::of_machine(args.font.as_deref()).map_err(of_font)?;
    let bytes = quorate_print::pdf(meeting, options, &fonts).map_err(of_pdf)?;
    if let Some(path) = &args.out {
        write_file(path, &bytes)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = std::io::stdout().lock();
    out.write_all(&bytes).and_then(|()| out.flush()).map_err(|error| {
        CliError::new(format!("the PDF cannot be written: {error}"), "name a file with --out FILE")
    })?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(not(feature = "pdf"))]
fn pdf(_: &ExportArgs, _: &Meeting, _: &Options) -> Result<ExitCode, CliError> {
    let hint = "export with --format html and print that page from a browser";
    Err(CliError::usage("this quorate was built without PDF", hint).with("field", "format"))
}

#[cfg(feature = "pdf")]
fn of_font(error: quorate_print::FontError) -> CliError {
    let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}")).unwrap_or_default();
    CliError::usage(format!("{error}{cause}"), error.hint()).with("field", "font")
}

#[cfg(feature = "pdf")]
fn of_pdf(error: quorate_print::PdfError) -> CliError {
    CliError::usage(error.to_string(), error.hint()).with("field", "format")
}
