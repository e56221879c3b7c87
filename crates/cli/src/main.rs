//! The command `quorate`: meetings from the terminal. The only place that wires all parts together.
//!
//! Results go to stdout; everything else (the live meeting, notes, errors) goes to stderr.

mod a2a;
mod args;
mod commands;
mod control;
mod error;
mod hangup;
mod language;
mod live;
mod mcp;
mod password;
mod place;
mod remote;
mod setup;

use std::io::Write;
use std::process::ExitCode;

use clap::{ArgMatches, CommandFactory, FromArgMatches};
use quorate_messages::message;

use crate::args::{Args, Task};
use crate::error::{CliError, ErrorKind, ReportError};

fn main() -> ExitCode {
    let named = language::Speech::named();
    let typed: Vec<String> = std::env::args_os().skip(1).filter_map(|word| word.into_string().ok()).collect();
    let of_topic = named.or_else(|| language::of_topic(&typed));
    let speech = language::speak(of_topic.unwrap_or(language::Speech(quorate_contract::Language::Zh)));
    if let Some(word) = std::env::args_os().find(|word| word.to_str().is_none()) {
        let problem = message!("cli-main-not-utf-8", word = word.to_string_lossy());
        return CliError::usage(problem, message!("cli-main-not-utf-8-hint"))
            .at_terminal(speech)
            .report(speech, false);
    }
    // The help in the language of the command is read where it is shown.
    let given = Args::command().try_get_matches();
    let given = given.or_else(|_| language::translated(Args::command(), speech).try_get_matches());
    let parsed = given.and_then(|given| Ok((Args::from_arg_matches(&given)?, given)));
    let (args, json) = match parsed {
        Ok((args, given)) => (args, asks_for_json(&given)),
        Err(error) if error.use_stderr() && std::env::args().any(|word| word == "--json") => {
            return error::of_clap(&error).report(speech, true);
        }
        Err(error) => {
            let text = language::whole(&error, speech);
            match error.use_stderr() {
                true => anstream::eprint!("{text}"),
                // A closed pipe is no error.
                false => _ = write!(anstream::stdout(), "{text}"),
            }
            if of_topic.is_none() {
                language::say_how_to_change();
            }
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match &args.task {
        Task::RenderPdf(limits) => return commands::render_pdf(limits),
        Task::ReadPdf(limits) => return commands::read_pdf(limits),
        _ => {}
    }
    // On one thread, instant answers are handled in the order of their calls, so that the same seed gives the
    // same meeting. Long work in this process waits for others anyway. A server has many meetings, and its
    // own log.
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
            let problem = message!("cli-main-not-started", %error);
            return CliError::new(problem, message!("app-out-of-memory-hint"))
                .of(ErrorKind::Internal)
                .at_terminal(speech)
                .report(speech, json);
        }
    };
    let done = runtime.block_on(async {
        let place = place::Place::find(args.db.clone(), args.task.server().map(str::to_owned))?;
        let speech = match of_topic {
            Some(speech) => speech,
            None => match args.task.meeting() {
                Some(id) => language::of_meeting(&place, id).await.map(language::speak),
                None => None,
            }
            .unwrap_or_else(|| {
                if !json && !args.task.is_for_programs() {
                    language::say_how_to_change();
                }
                speech
            }),
        };
        perform(place, args, speech).await
    });
    let speech = language::current();
    // A thread that waits for a line from the terminal must not keep the process alive.
    runtime.shutdown_background();
    match done {
        Ok(code) => code,
        Err(error) => error.at_terminal(speech).report(speech, json),
    }
}

/// Whether the output is for a program, which then reads the errors, too.
fn asks_for_json(given: &ArgMatches) -> bool {
    let here = given.try_get_one::<bool>("json").ok().flatten().copied().unwrap_or(false);
    here || given.subcommand().is_some_and(|(_, given)| asks_for_json(given))
}

async fn perform(place: place::Place, args: Args, speech: language::Speech) -> Result<ExitCode, CliError> {
    quorate_app::read_own_vendors(&place.config)?;
    match args.task {
        Task::Run(run) => commands::run(&place, *run, speech).await,
        Task::Mcp(_) => commands::mcp(&place).await,
        Task::Serve(serve) => commands::serve(&place, *serve, speech).await,
        Task::Url(url) => commands::url(&place, url, speech),
        Task::Resume(resume) => commands::resume(&place, resume, speech).await,
        Task::Join(join) => commands::join(&place, join, speech).await,
        Task::Say(say) => commands::say(&place, say, speech).await,
        Task::Attach(attach) => commands::attach(&place, attach, speech).await,
        Task::Minutes(minutes) => commands::minutes(&place, minutes, speech).await,
        Task::Delete(delete) => commands::delete(&place, delete, speech).await,
        Task::Agents(agents) => commands::agents(&place, agents.task, speech).await,
        Task::Providers(providers) => commands::providers(&place, providers.task, speech).await,
        Task::Prices(prices) => commands::prices(&place, prices, speech).await,
        Task::List(list) => commands::list(&place, list, speech).await,
        Task::Show(show) => commands::show(&place, show, speech).await,
        Task::Replay(replay) => commands::replay(&place, replay).await,
        Task::Whatif(whatif) => commands::whatif(&place, whatif, speech).await,
        Task::Fork(fork) => commands::fork(&place, fork, speech).await,
        Task::Export(export) => hangup::ends_with_signals(commands::export(&place, export, speech)).await,
        Task::Import(import) => commands::import(&place, import, speech).await,
        Task::Search(search) => commands::search(&place, search, speech).await,
        Task::Backup(backup) => commands::backup(&place, backup, speech).await,
        Task::Restore(restore) => commands::restore(&place, restore, speech).await,
        Task::Nodes(nodes) => commands::nodes(&place, nodes, speech).await,
        Task::Migrate(migrate) => commands::migrate(migrate, speech).await,
        Task::Verify(verify) => commands::verify(&place, verify, speech).await,
        Task::Doctor(doctor) => commands::doctor(&place, doctor, speech).await,
        Task::Accounts(accounts) => commands::accounts(&place, accounts.task, speech).await,
        Task::Tokens(tokens) => commands::tokens(&place, tokens.task, speech).await,
        Task::Tag(tag) => commands::tag(&place, tag, speech).await,
        Task::Rename(rename) => commands::rename(&place, rename, speech).await,
        Task::Links(links) => commands::links(&place, links.task, speech).await,
        Task::Api(api) => commands::api(&place, api, speech).await,
        Task::Audit(audit) => commands::audit(&place, audit, speech).await,
        Task::Pause(pause) => commands::pause(&place, pause, speech).await,
        Task::End(end) => commands::end(&place, end, speech).await,
        Task::Completions(shell) => Ok(commands::completions(&shell, speech)),
        Task::Man(man) => commands::man(&man, speech),
        Task::RenderPdf(limits) => Ok(commands::render_pdf(&limits)),
        Task::ReadPdf(limits) => Ok(commands::read_pdf(&limits)),
    }
}

/// `QUORATE_LOG` chooses what is logged, such as `debug` or `quorate_runners=trace`; warnings
/// otherwise.
fn listen_to_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("QUORATE_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("rmcp=off,error"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).without_time().init();
}
