//! The end of the terminal (SIGHUP), and signals that end a command which has started a program.
//!
//! What Quorate starts runs in process groups of its own, which no signal of the terminal reaches: a command that a signal
//! ended at once would leave them behind.

use std::process::ExitCode;

use crate::error::CliError;

/// The end of the terminal in which a command runs.
#[cfg(unix)]
pub(crate) struct Hangup {
    signal: tokio::signal::unix::Signal,
    /// Whether stdout and stderr were terminals.
    shown: [bool; 2],
}

#[cfg(unix)]
impl Hangup {
    /// Listens from now on. `None` where the command was started to outlive its terminal, as with `nohup`.
    pub(crate) fn listen() -> Option<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        if is_ignored() {
            return None;
        }
        Some(Self { signal: signal(SignalKind::hangup()).ok()?, shown: shown() })
    }

    /// Completes at the next signal. What is written to a terminal that is gone goes nowhere from then on.
    pub(crate) async fn comes(&mut self) {
        if self.signal.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
        let Ok(nowhere) = std::fs::OpenOptions::new().write(true).open("/dev/null") else { return };
        let now = shown();
        if self.shown[0] && !now[0] {
            _ = rustix::stdio::dup2_stdout(&nowhere);
        }
        if self.shown[1] && !now[1] {
            _ = rustix::stdio::dup2_stderr(&nowhere);
        }
    }
}

#[cfg(unix)]
fn shown() -> [bool; 2] {
    use std::io::IsTerminal;
    [std::io::stdout().is_terminal(), std::io::stderr().is_terminal()]
}

/// Whether this process was started with SIGHUP ignored. Asked before anybody listens for it.
#[cfg(unix)]
fn is_ignored() -> bool {
    static IGNORED: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        let status = std::fs::read_to_string("/proc/self/status").ok();
        let mask =
            status.as_deref().and_then(|status| status.lines().find_map(|line| line.strip_prefix("SigIgn:")));
        match mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()) {
            Some(mask) => mask & 1 != 0,
            // A program that is started inherits what is ignored.
            None => std::process::Command::new("sh")
                .args(["-c", "kill -HUP $$"])
                .status()
                .is_ok_and(|status| status.success()),
        }
    });
    *IGNORED
}

/// Carries out a command that starts programs. A signal that ends the command ends them first.
pub(crate) async fn ends_with_signals(
    command: impl Future<Output = Result<ExitCode, CliError>>,
) -> Result<ExitCode, CliError> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut hangup = Hangup::listen();
        let mut interrupted = signal(SignalKind::interrupt()).ok();
        let mut terminated = signal(SignalKind::terminate()).ok();
        let of = async |signal: &mut Option<tokio::signal::unix::Signal>| match signal {
            Some(signal) => _ = signal.recv().await,
            None => std::future::pending().await,
        };
        tokio::select! {
            done = command => done,
            () = of(&mut interrupted) => Ok(ExitCode::from(130)),
            () = of(&mut terminated) => Ok(ExitCode::from(143)),
            () = next(&mut hangup) => Ok(ExitCode::from(129)),
        }
    }
    #[cfg(not(unix))]
    command.await
}

/// Completes when the terminal ends; never where the command outlives it.
#[cfg(unix)]
pub(crate) async fn next(hangup: &mut Option<Hangup>) {
    match hangup {
        Some(hangup) => hangup.comes().await,
        None => std::future::pending().await,
    }
}
