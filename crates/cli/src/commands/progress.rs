//! Work that may take long: a terminal is told what is waited for, and how long.

use std::io::IsTerminal;
use std::time::Duration;

use quorate_messages::text;
use tokio::time::{Instant, interval_at};

use crate::language::Speech;
use crate::live::{cut_to_width, terminal_width};

/// After so long a terminal is told.
const QUIET: Duration = Duration::from_secs(1);

/// Waits for work, and tells a terminal from the first second on what is waited for. The line is gone when the work is done.
pub(crate) async fn with_progress<T>(what: &str, speech: Speech, work: impl Future<Output = T>) -> T {
    if !std::io::stderr().is_terminal() {
        return work.await;
    }
    let begun = Instant::now();
    let mut told = interval_at(begun + QUIET, QUIET);
    let mut work = std::pin::pin!(work);
    let mut is_told = false;
    loop {
        tokio::select! {
            done = &mut work => {
                if is_told {
                    eprint!("\r\x1b[2K");
                }
                return done;
            }
            _ = told.tick() => {
                is_told = true;
                let seconds = begun.elapsed().as_secs();
                let line = text!(speech, "cli-waiting", %what, %seconds);
                eprint!("\r\x1b[2K{}", cut_to_width(&line, terminal_width().saturating_sub(1)));
            }
        }
    }
}
