//! The command `quorate`: meetings from the terminal. The only place that wires all parts together.
//!
//! Results go to stdout; everything else (the live meeting, notes, errors) goes to stderr.

mod args;
mod commands;
mod error;
mod live;
mod place;
mod setup;
mod speech;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use crate::args::{Args, Task};
use crate::error::CliError;

fn main() -> ExitCode {
    let speech = speech::Speech::of_environment();
    let command = speech::translated(Args::command(), speech);
    let args = match Args::from_arg_matches(&command.get_matches()) {
        Ok(args) => args,
        Err(error) => error.exit(),
    };
    listen_to_log();
    // On one thread, answers that are there at once are heard in the order in which they were asked
    // for, so that the same seed gives the same meeting. All that takes time here waits for others.
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return CliError::new(format!("the program cannot start: {error}"), "close other programs")
                .report(speech);
        }
    };
    let done = runtime.block_on(perform(args, speech));
    // A thread that waits for a line from the terminal must not keep the process alive.
    runtime.shutdown_background();
    match done {
        Ok(code) => code,
        Err(error) => error.report(speech),
    }
}

async fn perform(args: Args, speech: speech::Speech) -> Result<ExitCode, CliError> {
    let place = place::Place::find(args.db)?;
    match args.task {
        Task::Run(run) => commands::run(&place, *run, speech).await,
        Task::Resume(resume) => commands::resume(&place, resume, speech).await,
        Task::List(list) => commands::list(&place, list, speech).await,
        Task::Show(show) => commands::show(&place, show).await,
        Task::Replay(replay) => commands::replay(&place, replay).await,
        Task::Whatif(whatif) => commands::whatif(&place, whatif, speech).await,
        Task::Fork(fork) => commands::fork(&place, fork, speech).await,
        Task::Export(export) => commands::export(&place, export).await,
        Task::Verify(verify) => commands::verify(&place, verify, speech),
        Task::Doctor(doctor) => commands::doctor(&place, doctor, speech).await,
        Task::Sim(sim) => commands::sim(sim, speech),
    }
}

/// `QUORATE_LOG` chooses what is logged, such as `debug` or `quorate_runners=trace`; warnings
/// otherwise.
fn listen_to_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("QUORATE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().init();
}
