//! Options of the server: flags, environment, and the `[server]` part of the user's configuration, in this
//! order. Some can be changed while the server runs (`/api/v1/settings`).

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use quorate_app::{BackupOptions, LimitedProgram};
use quorate_contract::Wording;
use quorate_messages::message;
use serde::{Deserialize, Serialize};

use crate::access::AccessOptions;
use crate::exports::ExportOptions;
use crate::live::LiveOptions;

/// The port that is listened at when none is named.
pub const PORT: u16 = 7420;

/// Options of the server. An option that is left out stands as [`Default`] has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The address to listen on. On any other than a loopback one people have to sign in.
    pub host: IpAddr,
    /// The port; 0 takes one that is free.
    pub port: u16,
    /// The log filter: `debug`, `info`, `warning`, `error`, `critical`, or per part:
    /// `quorate_runners=debug,warning`.
    pub log: String,
    /// Whether a flag or a variable sets the filter. That takes precedence over a change through the
    /// interface.
    #[serde(skip)]
    pub log_is_fixed: bool,
    /// The format of log lines.
    pub log_format: LogFormat,
    /// How long calls in flight may take to end when the server stops, in seconds.
    pub stop_seconds: u64,
    /// After how many seconds a meeting at which nothing happens leaves the memory.
    pub idle_seconds: u64,
    /// The number of days for which audit entries are kept; without limit when `None`.
    pub audit_days: Option<u32>,
    /// Whether signed-in users may give providers addresses of this machine and its network. The person at
    /// this machine always may.
    pub allow_local_addresses: bool,
    /// A collector of OpenTelemetry spans (OTLP over HTTP), such as `http://localhost:4318`.
    pub telemetry_url: Option<String>,
    /// Headers for the collector.
    pub telemetry_headers: BTreeMap<String, String>,
    /// Where the other nodes of the same database reach this one, such as `http://10.0.0.5:7420`; the listening address
    /// when `None`.
    pub node_url: Option<String>,
    /// The NATS server over which the nodes hear of each other's meetings, such as `nats://10.0.0.9:4222`; several are
    /// separated by commas.
    pub nats_url: Option<String>,
    /// The file with the credentials for the NATS server, where the URL has none.
    pub nats_credentials: Option<PathBuf>,
    /// Access and limits.
    pub access: AccessOptions,
    /// Limits of exports.
    pub exports: ExportOptions,
    /// Scheduled backups.
    pub backup: BackupOptions,
    /// The program that makes PDFs; without one there are none.
    #[serde(skip)]
    pub pdf_renderer: Option<LimitedProgram>,
    /// Settings of live streams.
    #[serde(skip)]
    pub live: LiveOptions,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// An object a line, for programs.
    Json,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: PORT,
            log: "info".to_owned(),
            log_is_fixed: false,
            log_format: LogFormat::default(),
            stop_seconds: 20,
            node_url: None,
            nats_url: None,
            nats_credentials: None,
            idle_seconds: 60,
            audit_days: None,
            allow_local_addresses: false,
            telemetry_url: None,
            telemetry_headers: BTreeMap::new(),
            access: AccessOptions::default(),
            exports: ExportOptions::default(),
            backup: BackupOptions::default(),
            pdf_renderer: None,
            live: LiveOptions::default(),
        }
    }
}

impl Options {
    /// The address to listen on.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.host, self.port)
    }
}

/// Translates a log filter into the syntax of `tracing`, which names some levels differently, and has none
/// beyond `error`.
///
/// # Errors
/// When a word is no level. `tracing` would take it for the name of a part, and log nothing else any more.
pub fn log_filter(levels: &str) -> Result<String, Wording> {
    let level = |word: &str| match word.trim().to_ascii_lowercase().as_str() {
        "warning" => Ok("warn".to_owned()),
        "critical" => Ok("error".to_owned()),
        known @ ("trace" | "debug" | "info" | "warn" | "error" | "off") => Ok(known.to_owned()),
        other => Err(Wording::from(message!("server-log-no-level", word = other))),
    };
    let one = |part: &str| match part.split_once('=') {
        Some((target, word)) => Ok(format!("{}={}", target.trim(), level(word)?)),
        None => level(part),
    };
    let parts = levels.split(',').map(one).collect::<Result<Vec<_>, Wording>>()?;
    let in_detail = parts.iter().any(|part| matches!(part.as_str(), "debug" | "trace"));
    Ok(match in_detail {
        true => parts.join(","),
        false => format!("{CLIENT_MISTAKES},{}", parts.join(",")),
    })
}

/// The library of the Model Context Protocol logs mistakes of clients as errors; from `debug` on they are shown. What is named
/// after it in a filter goes before it.
const CLIENT_MISTAKES: &str = "rmcp=off";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_levels_of_the_requirement_are_understood() {
        assert_eq!(log_filter("WARNING"), Ok("rmcp=off,warn".to_owned()));
        let parts = log_filter("quorate_runners=debug, critical");
        assert_eq!(parts, Ok("rmcp=off,quorate_runners=debug,error".to_owned()));
        assert_eq!(log_filter("info"), Ok("rmcp=off,info".to_owned()));
        assert_eq!(log_filter("verbose"), Err(message!("server-log-no-level", word = "verbose").into()));
        assert!(log_filter("").is_err());
    }

    #[test]
    fn mistakes_of_clients_of_tools_are_logged_in_detail_only() {
        for (levels, filter) in [
            ("debug", "debug"),
            ("quorate_store=info,trace", "quorate_store=info,trace"),
            ("info,rmcp=error", "rmcp=off,info,rmcp=error"),
        ] {
            assert_eq!(log_filter(levels).as_deref(), Ok(filter));
        }
    }
}
