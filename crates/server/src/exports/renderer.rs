//! PDF rendering in a process of its own, under limits. The process is killed when the caller is gone.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use axum::http::StatusCode;
use quorate_messages::message;
use quorate_print::{RenderJob, RenderRefusal, read_rendered};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

use super::ExportOptions;
use crate::problem::Problem;

/// Longer files are not taken from the process, in bytes.
const PDF_MAX: u64 = 256 << 20;
/// The number of bytes of its error output that are logged.
const SAID_MAX: u64 = 4 << 10;
/// The environment variables that it is given: fonts, the time zone, nothing secret.
const VARIABLES: &[&str] = &[
    "HOME",
    "LOCALAPPDATA",
    "PATH",
    "QUORATE_FONT",
    "SystemRoot",
    "TZ",
    "TZDIR",
    "USERPROFILE",
    "WINDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
];

/// The program that makes PDFs: it reads a [`RenderJob`] and writes the PDF, or a [`RenderRefusal`]. It gets
/// its limits as `--seconds N --megabytes N`, and is expected to keep them by itself, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PdfRenderer {
    /// The path of the program.
    pub program: PathBuf,
    /// The arguments before the limits.
    pub args: Vec<OsString>,
}

impl PdfRenderer {
    /// The pages of a meeting. Dropping the future kills the process.
    pub(crate) async fn render(
        &self,
        job: RenderJob<'static>,
        options: &ExportOptions,
    ) -> Result<Vec<u8>, Problem> {
        let job = tokio::task::spawn_blocking(move || serde_json::to_vec(&job))
            .await
            .map_err(|stopped| Problem::bug(&stopped))?;
        let job = job.map_err(|error| Problem::bug(&error))?;
        let child = self.start(options).map_err(|error| {
            tracing::error!(program = %self.program.display(), %error, "the process that makes PDFs does not start");
            failed(message!("server-pdf-not-started"))
        })?;
        let most = Duration::from_secs(options.pdf_seconds.max(1).into());
        let talked = tokio::time::timeout(most, talk(child, job)).await.map_err(|_| {
            let seconds = most.as_secs();
            tracing::warn!(seconds, "a PDF took too long, and its process was killed");
            failed(message!("server-pdf-too-slow", %seconds))
        })?;
        let (output, said, status) = talked.map_err(|error| Problem::bug(&error))?;
        read_rendered(output).map_err(|refusal| match refusal {
            Some(refusal) => refused(&refusal),
            None => {
                tracing::warn!(%status, said = %String::from_utf8_lossy(&said).trim(), "a PDF could not be made");
                broken_off(status, options)
            }
        })
    }

    fn start(&self, options: &ExportOptions) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program);
        let kept = VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command
            .args(&self.args)
            .args(["--seconds", &options.pdf_seconds.max(1).to_string()])
            .args(["--megabytes", &options.pdf_megabytes.max(1).to_string()])
            .env_clear()
            .envs(kept)
            // Arenas and threads reserve memory that is never used.
            .env("MALLOC_ARENA_MAX", "2")
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.arg0("quorate");
        command.spawn()
    }
}

/// Hands the job over and takes what comes back, all at the same time: pipes are small.
async fn talk(mut child: Child, job: Vec<u8>) -> std::io::Result<(Vec<u8>, Vec<u8>, ExitStatus)> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let give = async {
        if let Some(mut stdin) = stdin {
            // A process that does not read to the end says why by how it ends.
            _ = stdin.write_all(&job).await;
            _ = stdin.shutdown().await;
        }
    };
    let ((), output, said) = tokio::join!(give, all_of(stdout, PDF_MAX), all_of(stderr, SAID_MAX));
    let status = child.wait().await?;
    Ok((output?, said?, status))
}

/// Reads a stream to its end and keeps the first `most` bytes.
async fn all_of(from: Option<impl AsyncRead + Unpin>, most: u64) -> std::io::Result<Vec<u8>> {
    let mut read = Vec::new();
    if let Some(from) = from {
        let mut from = from.take(most);
        from.read_to_end(&mut read).await?;
        tokio::io::copy(&mut from.into_inner(), &mut tokio::io::sink()).await?;
    }
    Ok(read)
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
