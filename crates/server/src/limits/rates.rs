//! Limits of this transport: requests of each address, open streams, uploads.
//!
//! A client beyond its limit is told when to retry, and costs no more than that. Calls of a caller and attempts to
//! sign in are counted by the application.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use quorate_app::{Denial, Meter, RateLimits, network_of};
use quorate_messages::message;
use serde::{Deserialize, Serialize};

use crate::limits::bodies::Bodies;
use crate::problem::Problem;

/// The limits of the server. Each has a minimum, below which the owner could no longer change it, and a
/// maximum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitOptions {
    /// The number of requests per minute, per address and per session or access token. All of them may come
    /// at once.
    pub requests_per_minute: u32,
    /// The number of requests per minute on this machine while there are no accounts.
    pub requests_per_minute_alone: u32,
    /// The number of attempts to sign in or join, per address and minute; also of results that are read by a link.
    pub attempts_per_minute: u32,
    /// The number of attempts to sign in, per address, account and minute. For one meeting, three times as
    /// many attempts to join from all addresses.
    pub attempts_per_name_per_minute: u32,
    /// The number of event streams and WebSockets that one session or access token may keep open.
    pub live_lines: u32,
    /// The number of open event streams and WebSockets on this machine while there are no accounts.
    pub live_lines_alone: u32,
    /// The number of meetings that run at the same time; paused and ended meetings are not counted.
    pub running_meetings: u32,
    /// The number of meetings of one account that run at the same time: those that it has created. 0 for no limit.
    pub running_meetings_per_account: u32,
    /// The number of uploaded files of all meetings.
    pub uploads: u32,
    /// The total size of the uploaded files in bytes; a file that was uploaded twice counts twice.
    pub uploads_bytes: u64,
    /// The total size of the request bodies that one caller may send at the same time, in bytes.
    pub body_bytes: u64,
    /// The number of open connections; fewer if the operating system allows fewer open files.
    pub connections: u32,
    /// The number of open connections per address. Connections from this machine and from trusted proxies are
    /// not counted.
    pub connections_per_address: u32,
    /// How long an idle connection stays open, in seconds.
    pub connection_idle_seconds: u32,
    /// The time limit of a request in seconds; streams and WebSockets have none.
    pub request_seconds: u32,
    /// The time limit for the headers of a request, and for the TLS handshake, in seconds.
    pub head_seconds: u32,
    /// How long the server waits for requests in progress when it stops, in seconds.
    pub stop_seconds: u32,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self {
            requests_per_minute: 1_200,
            requests_per_minute_alone: 120_000,
            attempts_per_minute: 30,
            attempts_per_name_per_minute: 10,
            live_lines: 256,
            live_lines_alone: 20_000,
            running_meetings: 20_000,
            running_meetings_per_account: 2_000,
            uploads: 20_000,
            uploads_bytes: 2 << 30,
            body_bytes: 64 << 20,
            connections: 20_000,
            connections_per_address: 256,
            connection_idle_seconds: 60,
            request_seconds: 60,
            head_seconds: 10,
            stop_seconds: 10,
        }
    }
}

/// The number of files that one person may upload at a time.
const UPLOADS_AT_ONCE: u32 = 4;

/// Each limit by its name, with its minimum and maximum. Below the minimum, the owner could not change it any
/// more, or no client could sign in.
const BOUNDS: &[(&str, u64, u64)] = &[
    ("requests_per_minute", 60, 100_000_000),
    ("requests_per_minute_alone", 60, 100_000_000),
    ("attempts_per_minute", 3, 100_000_000),
    ("attempts_per_name_per_minute", 3, 100_000_000),
    ("live_lines", 1, 1_000_000),
    ("live_lines_alone", 1, 1_000_000),
    ("running_meetings", 1, 1_000_000),
    ("running_meetings_per_account", 0, 1_000_000),
    ("uploads", 1, 1_000_000_000),
    ("uploads_bytes", 1, 1 << 50),
    ("body_bytes", 1 << 20, 1 << 40),
    ("connections", 16, 1_000_000),
    ("connections_per_address", 8, 1_000_000),
    ("connection_idle_seconds", 5, 86_400),
    ("request_seconds", 5, 86_400),
    ("head_seconds", 2, 3_600),
    ("stop_seconds", 1, 86_400),
];

/// The error for a limit that would lock out its owner or all clients, or that bounds nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitOutOfBounds {
    /// The name of the limit.
    pub name: &'static str,
    /// The given value.
    pub given: u64,
    /// The least that it may be.
    pub least: u64,
    /// The most that it may be.
    pub most: u64,
}

impl LimitOptions {
    /// The limits that hold over every transport.
    pub(crate) fn rate_limits(&self) -> RateLimits {
        RateLimits {
            calls: self.requests_per_minute,
            calls_here: self.requests_per_minute_alone,
            attempts: self.attempts_per_minute,
            attempts_per_name: self.attempts_per_name_per_minute,
        }
    }

    /// Checks that a server can be used with these limits.
    ///
    /// # Errors
    /// The first limit that is out of its bounds.
    pub fn check(&self) -> Result<(), LimitOutOfBounds> {
        let all = serde_json::to_value(self).unwrap_or_default();
        let out = BOUNDS.iter().find_map(|&(name, least, most)| {
            let given = all[name].as_u64().unwrap_or(0);
            (!(least..=most).contains(&given)).then_some(LimitOutOfBounds { name, given, least, most })
        });
        out.map_or(Ok(()), Err)
    }
}

/// Whether a path is a live stream.
pub(crate) fn is_live(path: &str) -> bool {
    let of_one = |rest: &str| rest.split_once('/').is_some_and(|(_, rest)| rest == "events");
    path == "/api/v1/ws" || path.strip_prefix("/api/v1/meetings/").is_some_and(of_one)
}

/// The use of each limit by all clients.
pub(crate) struct Limits {
    options: LimitOptions,
    requests: Meter<IpAddr>,
    requests_alone: Meter<IpAddr>,
    lines: Arc<Mutex<HashMap<String, u32>>>,
    bodies: Bodies,
    uploads: Arc<Mutex<HashMap<String, u32>>>,
}

impl Limits {
    pub(crate) fn new(options: LimitOptions) -> Self {
        Self {
            requests: Meter::per_minute(options.requests_per_minute),
            requests_alone: Meter::per_minute(options.requests_per_minute_alone),
            lines: Arc::default(),
            bodies: Bodies::default(),
            uploads: Arc::default(),
            options,
        }
    }

    /// New limits, which also apply to the present streams and bodies.
    pub(crate) fn otherwise(&self, options: LimitOptions) -> Self {
        let (lines, uploads) = (Arc::clone(&self.lines), Arc::clone(&self.uploads));
        Self { lines, uploads, bodies: self.bodies.clone(), ..Self::new(options) }
    }

    pub(crate) fn options(&self) -> &LimitOptions {
        &self.options
    }

    /// The bodies in flight.
    pub(crate) fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// Counts a request of one address, or of one IPv6 network.
    pub(crate) fn request(&self, address: IpAddr, alone: bool) -> Result<(), Problem> {
        let meter = if alone { &self.requests_alone } else { &self.requests };
        let counted = meter.count(network_of(address));
        counted.map_err(|retry_after| Denial::TooManyCalls { retry_after }.into())
    }

    /// Counts an upload of a principal until the returned guard is dropped.
    pub(crate) fn upload(&self, who: &str) -> Result<LimitSlot, Problem> {
        let mut uploads = self.uploads.lock().unwrap_or_else(PoisonError::into_inner);
        let under_way = uploads.entry(who.to_owned()).or_default();
        if *under_way >= UPLOADS_AT_ONCE {
            let detail = message!("server-too-many-uploads", uploads_at_once = %UPLOADS_AT_ONCE);
            return Err(Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail)
                .hint(message!("server-too-many-uploads-hint"))
                .retry_after(1));
        }
        *under_way += 1;
        drop(uploads);
        Ok(LimitSlot { who: who.to_owned(), lines: Arc::clone(&self.uploads) })
    }

    /// Opens a line, which is counted until what this returns is dropped.
    pub(crate) fn line(&self, who: &str, alone: bool) -> Result<LimitSlot, Problem> {
        let most = if alone { self.options.live_lines_alone } else { self.options.live_lines };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let open = lines.entry(who.to_owned()).or_default();
        if *open >= most.max(1) {
            return Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-lines",
                message!("server-too-many-lines", %most),
            )
            .hint(message!("server-too-many-lines-hint"))
            .retry_after(5));
        }
        *open += 1;
        Ok(LimitSlot { who: who.to_owned(), lines: Arc::clone(&self.lines) })
    }
}

/// A place among those that a limit allows at a time; free again when it is dropped.
#[derive(Debug)]
pub(crate) struct LimitSlot {
    who: String,
    lines: Arc<Mutex<HashMap<String, u32>>>,
}

impl Drop for LimitSlot {
    fn drop(&mut self) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = lines.get_mut(&self.who) {
            *open = open.saturating_sub(1);
            if *open == 0 {
                lines.remove(&self.who);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_beyond_its_limit_is_told_when_to_retry() {
        let limits = Limits::new(LimitOptions { requests_per_minute: 3, ..LimitOptions::default() });
        let one = IpAddr::from([1, 2, 3, 4]);
        (0..3).for_each(|_| limits.request(one, false).expect("three are free"));
        let problem = limits.request(one, false).expect_err("the fourth is not");
        assert_eq!(problem.status(), StatusCode::TOO_MANY_REQUESTS);
        let wait = serde_json::to_value(&problem).expect("plain")["retry_after"].as_u64().expect("a wait");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(limits.request(one, true).is_ok(), "alone there are more");
        assert!(limits.request(IpAddr::from([1, 2, 3, 5]), false).is_ok());
    }

    #[test]
    fn every_limit_has_bounds_and_its_default_is_within_them() {
        let usual = LimitOptions::default();
        assert_eq!(usual.check(), Ok(()));
        let all = serde_json::to_value(&usual).expect("plain");
        let mut names: Vec<&str> = BOUNDS.iter().map(|(name, ..)| *name).collect();
        names.sort_unstable();
        assert!(all.as_object().expect("fields").keys().eq(&names), "{names:?}");
        let out = LimitOptions { requests_per_minute: 1, ..usual }.check().expect_err("too few");
        assert_eq!((out.name, out.given, out.least), ("requests_per_minute", 1, 60));
    }

    #[test]
    fn one_person_sends_only_so_many_files_at_once() {
        let limits = Limits::new(LimitOptions::default());
        let under_way: Vec<_> =
            (0..UPLOADS_AT_ONCE).map(|_| limits.upload("user:ada").expect("there is room")).collect();
        assert!(limits.upload("user:ada").is_err());
        assert!(limits.upload("user:ben").is_ok());
        drop(under_way);
        assert!(limits.upload("user:ada").is_ok());
    }

    #[test]
    fn a_line_is_free_again_when_it_closes() {
        let limits = Limits::new(LimitOptions { live_lines: 2, ..LimitOptions::default() });
        let (first, _second) =
            (limits.line("a", false).expect("free"), limits.line("a", false).expect("free"));
        assert!(limits.line("a", false).is_err());
        assert!(limits.line("b", false).is_ok());
        drop(first);
        assert!(limits.line("a", false).is_ok());
    }
}
