//! PDF rendering in a process of its own, under limits.

use std::process::ExitStatus;

use axum::http::StatusCode;
use quorate_app::{LimitedProgram, LimitedProgramError, ProcessLimits, ProcessOutput};
use quorate_messages::message;
use quorate_print::{RenderJob, RenderRefusal, read_rendered};

use super::ExportOptions;
use crate::problem::Problem;

/// Longer files are not taken from the process, in bytes.
const PDF_MAX: u64 = 256 << 20;

/// The pages of a meeting, by a program that reads a [`RenderJob`] and writes the PDF, or a [`RenderRefusal`]. Dropping the
/// future kills the process.
pub(crate) async fn render(
    renderer: &LimitedProgram,
    job: RenderJob<'static>,
    options: &ExportOptions,
) -> Result<Vec<u8>, Problem> {
    let job = tokio::task::spawn_blocking(move || serde_json::to_vec(&job))
        .await
        .map_err(|stopped| Problem::bug(&stopped))?;
    let job = job.map_err(|error| Problem::bug(&error))?;
    let limits = ProcessLimits {
        seconds: options.pdf_seconds,
        megabytes: options.pdf_megabytes,
        output_bytes: PDF_MAX,
    };
    let ended = renderer.run(job, limits).await.map_err(|error| match error {
        LimitedProgramError::NotStarted(error) => {
            tracing::error!(program = %renderer.program.display(), %error, "the process that makes PDFs does not start");
            failed(message!("server-pdf-not-started"))
        }
        LimitedProgramError::TimedOut(seconds) => {
            tracing::warn!(seconds, "a PDF took too long, and its process was killed");
            failed(message!("server-pdf-too-slow", %seconds))
        }
        LimitedProgramError::Pipe(error) => Problem::bug(&error),
    })?;
    let ProcessOutput { output, errors, status } = ended;
    read_rendered(output).map_err(|refusal| match refusal {
        Some(refusal) => refused(&refusal),
        None => {
            tracing::warn!(%status, %errors, "a PDF could not be made");
            broken_off(status, options)
        }
    })
}

/// The error for a PDF that could not be made; it names other formats.
fn failed(detail: impl Into<quorate_contract::Wording>) -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "pdf-failed", detail)
        .hint(message!("server-pdf-failed-hint"))
}

fn broken_off(status: ExitStatus, options: &ExportOptions) -> Problem {
    let megabytes = options.pdf_megabytes;
    failed(message!("server-pdf-crashed", %megabytes, %status))
}

fn refused(refusal: &RenderRefusal) -> Problem {
    let no_pdf =
        |detail: quorate_contract::Wording| Problem::new(StatusCode::NOT_IMPLEMENTED, "no-pdf", detail);
    match refusal {
        RenderRefusal::NoChineseFont => no_pdf(message!("server-pdf-no-chinese-font").into())
            .hint(message!("server-pdf-no-chinese-font-hint")),
        RenderRefusal::Font { problem } => {
            no_pdf(message!("server-pdf-font", problem).into()).hint(message!("server-pdf-font-hint"))
        }
        RenderRefusal::Setting { problem } => {
            tracing::error!(problem, "the page setter refuses its template");
            failed(message!("server-pdf-not-laid-out", %problem))
        }
    }
}
