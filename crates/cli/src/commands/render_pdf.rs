//! Renders the PDF of one meeting in a process of its own, under limits of time and memory.
//!
//! The server starts it for each PDF. It processes text of foreign origin, so a crash here must not affect
//! the server.

use std::path::PathBuf;
use std::process::ExitCode;

use quorate_server::PdfRenderer;

use crate::args::RenderPdfArgs;

/// The command by which the server starts this program to make a PDF; `None` when it was built without.
pub(super) fn renderer() -> Option<PdfRenderer> {
    // The file may be replaced while the server runs; this link leads to what runs.
    let running = PathBuf::from("/proc/self/exe");
    let program = if running.exists() { Some(running) } else { std::env::current_exe().ok() };
    let program = program.filter(|_| cfg!(feature = "pdf"))?;
    Some(PdfRenderer { program, args: vec!["render-pdf".into()] })
}

/// Reads a meeting from standard input and writes its pages, or why there are none, to standard output.
#[cfg(feature = "pdf")]
pub(crate) fn render_pdf(limits: &RenderPdfArgs) -> ExitCode {
    use std::io::{Read, Write};

    /// Setting pages goes down the stack as deep as its template does.
    const STACK_BYTES: usize = 64 << 20;

    limit(limits);
    end_with_parent(limits.seconds);
    let work = || -> std::io::Result<()> {
        let mut input = Vec::new();
        std::io::stdin().lock().read_to_end(&mut input)?;
        let job: quorate_print::RenderJob<'_> = serde_json::from_slice(&input)?;
        drop(input);
        let font = std::env::var_os("QUORATE_FONT").map(PathBuf::from);
        let output = match quorate_print::render(&job, font.as_deref()) {
            Ok(pages) => pages,
            Err(refusal) => serde_json::to_vec(&refusal)?,
        };
        let mut out = std::io::stdout().lock();
        out.write_all(&output)?;
        out.flush()
    };
    let done =
        std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).map(std::thread::JoinHandle::join);
    match done {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) | Err(error) => {
            anstream::eprintln!("{error}");
            ExitCode::FAILURE
        }
        // The panic has said so itself.
        Ok(Err(_)) => ExitCode::FAILURE,
    }
}

#[cfg(not(feature = "pdf"))]
pub(crate) fn render_pdf(_: &RenderPdfArgs) -> ExitCode {
    anstream::eprintln!("{}", quorate_messages::text!(crate::language::current(), "cli-export-without-pdf"));
    ExitCode::FAILURE
}

/// Takes from this process what the pages do not need, before it reads anything.
#[cfg(all(unix, feature = "pdf"))]
fn limit(limits: &RenderPdfArgs) {
    use rustix::process::{Resource, Rlimit, nice, setrlimit};

    let most = |resource, most: u64| {
        // Where a system has no such limit, the server's time limit still holds.
        _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    };
    most(Resource::As, u64::from(limits.megabytes.max(1)) << 20);
    most(Resource::Cpu, limits.seconds.max(1).into());
    most(Resource::Core, 0);
    // Running meetings have priority.
    _ = nice(10);
}

#[cfg(all(not(unix), feature = "pdf"))]
fn limit(_: &RenderPdfArgs) {}

/// Ends this process when its time is over, or when the server that waits for it is gone.
#[cfg(feature = "pdf")]
fn end_with_parent(seconds: u32) {
    use std::time::{Duration, Instant};

    #[cfg(unix)]
    let parent = rustix::process::getppid();
    let until = Instant::now() + Duration::from_secs(seconds.max(1).into());
    let watch = move || {
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(250));
            #[cfg(unix)]
            if rustix::process::getppid() != parent {
                break;
            }
        }
        std::process::exit(1);
    };
    // Without it the limit of the processor's time holds.
    _ = std::thread::Builder::new().name("watch".to_owned()).spawn(watch);
}
