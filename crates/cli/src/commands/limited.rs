//! Work on content of foreign origin, in a process of its own under limits of time and memory. The program starts itself for it,
//! so that a crash there does not affect it.

use std::path::PathBuf;
use std::process::ExitCode;

use quorate_app::LimitedProgram;

use crate::args::LimitArgs;

/// The command by which this program starts itself for such work; `None` when it was built without PDF.
pub(super) fn this_program(command: &str) -> Option<LimitedProgram> {
    // The file may be replaced while this runs; this link leads to what runs.
    let running = PathBuf::from("/proc/self/exe");
    let program = if running.exists() { Some(running) } else { std::env::current_exe().ok() };
    let program = program.filter(|_| cfg!(feature = "pdf"))?;
    Some(LimitedProgram { program, args: vec![command.into()] })
}

/// Reads a task from standard input, and writes what comes of it to standard output.
#[cfg(feature = "pdf")]
pub(super) fn carry_out(
    limits: &LimitArgs,
    work: impl FnOnce(Vec<u8>) -> std::io::Result<Vec<u8>> + Send + 'static,
) -> ExitCode {
    use std::io::{Read, Write};

    /// The work goes down the stack as deep as the content is nested.
    const STACK_BYTES: usize = 64 << 20;

    limit(limits);
    end_with_parent(limits.seconds);
    let work = move || -> std::io::Result<()> {
        let mut task = Vec::new();
        std::io::stdin().lock().read_to_end(&mut task)?;
        let output = work(task)?;
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
pub(super) fn carry_out(
    _: &LimitArgs,
    _: impl FnOnce(Vec<u8>) -> std::io::Result<Vec<u8>> + Send + 'static,
) -> ExitCode {
    anstream::eprintln!("{}", quorate_messages::text!(crate::language::current(), "cli-export-without-pdf"));
    ExitCode::FAILURE
}

/// Takes from this process what the work does not need, before it reads anything.
#[cfg(all(unix, feature = "pdf"))]
fn limit(limits: &LimitArgs) {
    use rustix::process::{Resource, Rlimit, nice, setrlimit};

    let most = |resource, most: u64| {
        // Where a system has no such limit, the time limit of the caller still holds.
        _ = setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) });
    };
    most(Resource::As, u64::from(limits.megabytes.max(1)) << 20);
    most(Resource::Cpu, limits.seconds.max(1).into());
    most(Resource::Core, 0);
    // Running meetings have priority.
    _ = nice(10);
}

#[cfg(all(not(unix), feature = "pdf"))]
fn limit(_: &LimitArgs) {}

/// Ends this process when its time is over, or when the caller that waits for it is gone.
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
