//! The command `quorate`: meetings from the terminal. The only place that wires all parts together.
//!
//! Results go to stdout; everything else (the live meeting, notes, errors) goes to stderr.

mod args;
mod commands;
mod error;
mod live;
mod password;
mod place;
mod setup;
mod speech;

use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};

use crate::args::{Args, Task};
use crate::error::{CliError, ErrorKind, Told};

fn main() -> ExitCode {
    let speech = speech::Speech::of_environment();
    if let Some(word) = std::env::args_os().find(|word| word.to_str().is_none()) {
        let problem = format!("{} is not UTF-8", word.to_string_lossy());
        return CliError::usage(problem, "write it in UTF-8, or give it in a file").report(speech, false);
    }
    let command = speech::translated(Args::command(), speech);
    let parsed = command.try_get_matches().and_then(|given| Ok((Args::from_arg_matches(&given)?, given)));
    let (args, json) = match parsed {
        Ok((args, given)) => (args, asks_for_json(&given)),
        Err(error) if error.use_stderr() && std::env::args().any(|word| word == "--json") => {
            return error::of_clap(&error).report(speech, true);
        }
        Err(error) => error.exit(),
    };
    // On one thread, answers that are there at once are heard in the order in which they were asked
    // for, so that the same seed gives the same meeting. All that takes time here waits for others.
    // A server has many meetings, and its own log.
    let mut builder = match args.task {
        Task::Serve(_) => tokio::runtime::Builder::new_multi_thread(),
        _ => {
            listen_to_log();
            tokio::runtime::Builder::new_current_thread()
        }
    };
    let runtime = match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            return CliError::new(format!("the program cannot start: {error}"), "close other programs")
                .of(ErrorKind::Internal)
                .report(speech, json);
        }
    };
    let done = runtime.block_on(perform(args, speech));
    // A thread that waits for a line from the terminal must not keep the process alive.
    runtime.shutdown_background();
    match done {
        Ok(code) => code,
        Err(error) => error.in_words(speech).report(speech, json),
    }
}

/// Whether the command is to speak to a program, which then reads its errors, too.
fn asks_for_json(given: &ArgMatches) -> bool {
    let here = given.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false);
    here || given.subcommand().is_some_and(|(_, given)| asks_for_json(given))
}

async fn perform(args: Args, speech: speech::Speech) -> Result<ExitCode, CliError> {
    let place = place::Place::find(args.db)?;
    quorate_service::read_own_vendors(&place.config)?;
    match args.task {
        Task::Run(run) => commands::run(&place, *run, speech).await,
        Task::Serve(serve) => commands::serve(&place, *serve, speech).await,
        Task::Resume(resume) => commands::resume(&place, resume, speech).await,
        Task::Say(say) => commands::say(&place, say, speech).await,
        Task::Minutes(minutes) => commands::minutes(&place, minutes, speech).await,
        Task::Delete(delete) => commands::delete(&place, delete, speech).await,
        Task::Agents(agents) => commands::agents(&place, agents.task, speech).await,
        Task::Providers(providers) => commands::providers(&place, providers.task, speech).await,
        Task::Prices(prices) => commands::prices(&place, prices, speech),
        Task::List(list) => commands::list(&place, list, speech).await,
        Task::Show(show) => commands::show(&place, show, speech).await,
        Task::Replay(replay) => commands::replay(&place, replay).await,
        Task::Whatif(whatif) => commands::whatif(&place, whatif, speech).await,
        Task::Fork(fork) => commands::fork(&place, fork, speech).await,
        Task::Export(export) => commands::export(&place, export).await,
        Task::Import(import) => commands::import(&place, import, speech).await,
        Task::Search(search) => commands::search(&place, search, speech).await,
        Task::Backup(backup) => commands::backup(&place, backup, speech).await,
        Task::Restore(restore) => commands::restore(&place, restore, speech).await,
        Task::Verify(verify) => commands::verify(&place, verify, speech),
        Task::Doctor(doctor) => commands::doctor(&place, doctor, speech).await,
        Task::Accounts(accounts) => commands::accounts(&place, accounts.task, speech).await,
        Task::Tokens(tokens) => commands::tokens(&place, tokens.task, speech).await,
        Task::Audit(audit) => commands::audit(&place, audit, speech).await,
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
