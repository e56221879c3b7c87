//! Runs the service until it is stopped.

use std::collections::HashMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use quorate_app::{
    AppOptions, CallSeen, EngineOptions, InBoth, JournalError, Observer, Record, Speech, UserFile,
};
use quorate_contract::Wording;
use quorate_messages::{decoding_problem, message, text};
use quorate_server::{LogFormat, LogLevels, Metrics, Options, Server, ServerError, log_filter};
use quorate_telemetry::{Telemetry, TelemetryError};
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::prelude::*;

use crate::args::{LogFormatArg, PaceArg, ServeArgs};
use crate::error::CliError;
#[cfg(unix)]
use crate::hangup::{self, Hangup};
use crate::place::Place;
use crate::remote::RunningServer;
use crate::{a2a, mcp};

/// Runs the service until Ctrl-C, SIGTERM or the end of its terminal; a second signal stops it at once.
pub(crate) async fn serve(place: &Place, args: ServeArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let options = options(place, &args)?;
    let format = options.log_format;
    let has_certificate = options.access.tls_cert.is_some();
    let log = listen_to_log(&options)?;
    let telemetry = telemetry(&options).await?;
    let metrics = Arc::new(Metrics::default());
    let observer: Arc<dyn Observer> = match &telemetry {
        Some(telemetry) => Arc::new(ObserverPair(metrics.clone(), telemetry.clone())),
        None => metrics.clone(),
    };
    let store = place.open()?;
    let app_options = AppOptions {
        new_pace: Some(args.pace.unwrap_or(PaceArg::Live).into()),
        engine: EngineOptions {
            idle_after: Duration::from_secs(options.idle_seconds),
            ..EngineOptions::default()
        },
        observer: Some(observer),
        pdf_reader: super::read_pdf::reader(),
        ..AppOptions::new(place.config.clone())
    };
    let app = store.app(app_options).await?;
    let server = Server::bind(app, options, metrics, log).await.map_err(of_server)?;
    let server = server.with_mcp(Box::new(move |router| mcp::endpoint(router, speech)));
    let address = a2a::address(&server);
    let server = server.with_a2a(Box::new(move |router| a2a::endpoint(router, speech, address)));
    let url = server.url();
    let page_url = match format {
        LogFormat::Text => server.page_url(),
        // A log that programs keep holds no secrets.
        LogFormat::Json => url.clone(),
    };
    if let Some(node) = server.state().node_id() {
        let location = &place.location;
        say(format, &text!(speech, "cli-serve-node", %node, %location));
    }
    let running = RunningServer::announce(place, &server);
    // From here on another process that knows the address can stop it.
    let commands = StopSignals::listen(has_certificate);
    let ready = match server.has_page() {
        true => text!(speech, "cli-serve-quorate-ready-browser"),
        false => text!(speech, "cli-serve-quorate-ready-without-its-page"),
    };
    let programs = text!(speech, "cli-serve-programs", url = %format_args!("{url}/api/v1/docs"));
    say(format, &format!("{ready}{page_url}  {programs}"));
    if server.state().is_open() {
        tracing::warn!(
            "no token is needed: every program, user and proxy of this machine can do everything; leave out --no-token \
             where others work, too"
        );
    }
    if args.open
        && let Err(error) = open::that_detached(server.page_url())
    {
        write_line(&format!("{}{error}", text!(speech, "cli-serve-browser-could-not-opened")));
    }
    let stopping = server.run(stop_asked(commands, format, speech)).await.map_err(of_server);
    drop(running);
    if let Some(telemetry) = telemetry {
        _ = tokio::task::spawn_blocking(move || telemetry.shut_down()).await;
    }
    let left = stopping?;
    let stopped = match left {
        0 => text!(speech, "cli-serve-stopped").to_owned(),
        left => text!(speech, "cli-serve-stopped-calls-were-cut-off", left),
    };
    say(format, &stopped);
    Ok(ExitCode::SUCCESS)
}

/// Tells the operator, in a line of the log where programs read it.
fn say(format: LogFormat, text: &str) {
    match format {
        LogFormat::Text => write_line(text),
        LogFormat::Json => tracing::info!("{text}"),
    }
}

/// Writes a line for the operator. Where it cannot be written, as on a full disk, the server goes on without.
fn write_line(text: &str) {
    _ = writeln!(anstream::stderr(), "{text}");
}

/// Flags over their variables over the file over the defaults.
fn options(place: &Place, args: &ServeArgs) -> Result<Options, CliError> {
    let mut options = match UserFile::read(&place.config)?.server {
        Some(table) => table.try_into().map_err(|error: toml::de::Error| {
            CliError::usage(decoding_problem(error.message()), message!("cli-serve-table-hint"))
                .at(&format!("{}: [server]", place.config.display()))
                .with("field", "server")
        })?,
        None => Options::default(),
    };
    options.access.limits.check().map_err(|out| {
        CliError::usage(
            message!(
                "cli-serve-limit",
                name = %out.name,
                given = %out.given,
                least = %out.least,
                most = %out.most
            ),
            message!("cli-serve-limit-hint"),
        )
        .at(&place.config.display().to_string())
        .with("field", format!("server.access.limits.{}", out.name))
    })?;
    options.host = args.host.unwrap_or(options.host);
    options.port = args.port.unwrap_or(options.port);
    options.log_is_fixed = args.log.is_some();
    options.log = args.log.clone().unwrap_or(options.log);
    options.log_format = match args.log_format {
        Some(LogFormatArg::Text) => LogFormat::Text,
        Some(LogFormatArg::Json) => LogFormat::Json,
        None => options.log_format,
    };
    options.pdf_renderer = super::render_pdf::renderer();
    options.node_url = args.node_url.clone().or(options.node_url);
    options.nats_url = args.nats.clone().or(options.nats_url);
    options.nats_credentials = args.nats_credentials.clone().or(options.nats_credentials);
    options.telemetry_url = args.telemetry_url.clone().or(options.telemetry_url);
    options.backup = options.backup.beside(&place.config);
    options.backup.folder = args.backup_folder.clone().or(options.backup.folder);
    options.backup.keep = args.backup_keep.unwrap_or(options.backup.keep);
    options.backup.every = args.backup_every.unwrap_or(options.backup.every);
    let access = &mut options.access;
    access.no_token |= args.no_token;
    access.public_url = args.public_url.clone().or(access.public_url.take());
    access.tls_cert = args.tls_cert.clone().or(access.tls_cert.take());
    access.tls_key = args.tls_key.clone().or(access.tls_key.take());
    for (given, set) in [
        (&args.allow_host, &mut access.allow_host),
        (&args.allow_origin, &mut access.allow_origin),
        (&args.trust_proxy, &mut access.trust_proxy),
    ] {
        if !given.is_empty() {
            set.clone_from(given);
        }
    }
    Ok(options)
}

/// Writes the log to stderr; what comes back changes its levels while the server runs.
fn listen_to_log(options: &Options) -> Result<LogLevels, CliError> {
    let filter = |levels: &str| {
        EnvFilter::try_new(log_filter(levels)?)
            .map_err(|error| Wording::from(message!("server-log-no-filter", levels, %error)))
    };
    let usage =
        |problem: Wording| CliError::usage(problem, message!("server-log-levels")).with("field", "log");
    let (filtered, handle) = tracing_subscriber::reload::Layer::new(filter(&options.log).map_err(usage)?);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filtered);
    match options.log_format {
        LogFormat::Text => registry.with(lines).init(),
        LogFormat::Json => registry.with(lines.json()).init(),
    }
    Ok(LogLevels::new(move |levels| {
        let filter = filter(levels)?;
        handle.reload(filter).map_err(|error| error.to_string().into())
    }))
}

async fn telemetry(options: &Options) -> Result<Option<Arc<Telemetry>>, CliError> {
    let Some(url) = options.telemetry_url.clone() else { return Ok(None) };
    let headers: HashMap<String, String> = options.telemetry_headers.clone().into_iter().collect();
    quorate_app::install_tls();
    // The exporter makes a client that waits on threads of its own.
    let started = tokio::task::spawn_blocking(move || Telemetry::start(&url, headers)).await;
    match started {
        Ok(Ok(telemetry)) => Ok(Some(Arc::new(telemetry))),
        Ok(Err(error)) => {
            let problem = match error {
                TelemetryError::BadAddress { url, why } => message!("cli-serve-telemetry-url", url, why),
                TelemetryError::NotHttp { url } => message!("cli-serve-telemetry-scheme", url),
                TelemetryError::Exporter(error) => message!("cli-serve-telemetry-exporter", error),
            };
            Err(CliError::usage(problem, message!("cli-serve-telemetry-hint")).with("field", "telemetry_url"))
        }
        Err(stopped) => {
            Err(CliError::new(message!("app-broken-off", %stopped), message!("cli-serve-no-telemetry")))
        }
    }
}

/// Completes when the server has to stop. A second signal ends the process at once.
async fn stop_asked(mut commands: StopSignals, format: LogFormat, speech: Speech) {
    commands.next().await;
    let stopping = text!(speech, "cli-serve-stopping-once-more-stops-at");
    say(format, stopping);
    tokio::spawn(async move {
        commands.next().await;
        std::process::exit(130);
    });
}

/// Ctrl-C, SIGTERM and the end of the terminal, recorded from the moment when this is made: no signal before the first wait is lost.
#[cfg(unix)]
struct StopSignals {
    interrupted: Option<Signal>,
    terminated: Option<Signal>,
    hangup: Option<Hangup>,
}

#[cfg(unix)]
impl StopSignals {
    /// With a certificate, SIGHUP means that it is read again.
    fn listen(has_certificate: bool) -> Self {
        let heard = |kind| signal(kind).ok();
        let hangup = if has_certificate { None } else { Hangup::listen() };
        let (interrupted, terminated) = (heard(SignalKind::interrupt()), heard(SignalKind::terminate()));
        Self { interrupted, terminated, hangup }
    }

    async fn next(&mut self) {
        async fn of(signal: &mut Option<Signal>) {
            match signal {
                Some(signal) => _ = signal.recv().await,
                None => std::future::pending().await,
            }
        }
        tokio::select! {
            () = of(&mut self.interrupted) => {}
            () = of(&mut self.terminated) => {}
            () = hangup::next(&mut self.hangup) => {}
        }
    }
}

#[cfg(not(unix))]
struct StopSignals;

#[cfg(not(unix))]
impl StopSignals {
    fn listen(_: bool) -> Self {
        Self
    }

    async fn next(&mut self) {
        _ = tokio::signal::ctrl_c().await;
    }
}

fn of_server(error: ServerError) -> CliError {
    let (problem, hint) = error.in_both();
    CliError::new(problem, hint)
}

/// Two observers.
struct ObserverPair(Arc<Metrics>, Arc<Telemetry>);

impl Observer for ObserverPair {
    fn call_started(&self, runner: &quorate_contract::RunnerSpec) {
        self.0.call_started(runner);
    }

    fn call_ended(&self, call: &CallSeen) {
        self.0.call_ended(call);
        self.1.call_ended(call);
    }

    fn appended(&self, records: &[Record], took: Duration, result: &Result<(), JournalError>) {
        self.0.appended(records, took, result);
        self.1.appended(records, took, result);
    }
}
