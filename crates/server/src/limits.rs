//! How much of everything one may have: requests, attempts to sign in, open lines.
//!
//! Whoever asks too much hears when to come again, and costs no more than that.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde::{Deserialize, Serialize};

use crate::problem::Problem;

/// The largest file that is taken, in bytes.
pub const UPLOAD_MAX: usize = 20 << 20;

/// How much of everything; each at least 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct LimitOptions {
    /// Requests of one address in a minute, and of one session or token; as many may come at once.
    pub requests_per_minute: u32,
    /// The same on this machine, while nobody has to sign in.
    pub requests_per_minute_alone: u32,
    /// Attempts to sign in, to join or to enter, of one address in a minute.
    pub attempts_per_minute: u32,
    /// Such attempts for one name or one meeting, from anywhere.
    pub attempts_per_name_per_minute: u32,
    /// Lines that one session or token may keep open: event streams and WebSockets.
    pub live_lines: u32,
    /// Lines that may be open on this machine, while nobody has to sign in.
    pub live_lines_alone: u32,
    /// Meetings that may run at once; those that rest or are over are not counted.
    pub running_meetings: u32,
    /// Files of all meetings together.
    pub uploads: u32,
    /// Bytes that they have together, each counted as often as it was given.
    pub uploads_bytes: u64,
    /// Connections of everybody together.
    pub connections: u32,
    /// How long a request may take, in seconds; streams and WebSockets may take any time.
    pub request_seconds: u32,
    /// How long the head of a request may take to arrive, and an encrypted connection to be made, in seconds.
    pub head_seconds: u32,
    /// How long a server that stops waits for requests under way, in seconds.
    pub stop_seconds: u32,
}

impl Default for LimitOptions {
    fn default() -> Self {
        Self {
            requests_per_minute: 1_200,
            requests_per_minute_alone: 120_000,
            attempts_per_minute: 10,
            attempts_per_name_per_minute: 30,
            live_lines: 256,
            live_lines_alone: 20_000,
            running_meetings: 20_000,
            uploads: 20_000,
            uploads_bytes: 2 << 30,
            connections: 20_000,
            request_seconds: 60,
            head_seconds: 10,
            stop_seconds: 10,
        }
    }
}

/// Whether a path is a line that stays open.
pub(crate) fn is_live(path: &str) -> bool {
    let of_one = |rest: &str| rest.split_once('/').is_some_and(|(_, rest)| rest == "events");
    path == "/api/v1/ws" || path.strip_prefix("/api/v1/meetings/").is_some_and(of_one)
}

/// What everybody has used.
pub(crate) struct Limits {
    options: LimitOptions,
    requests: Meter<Who>,
    requests_alone: Meter<Who>,
    attempts: Meter<IpAddr>,
    attempts_by_name: Meter<String>,
    lines: Arc<Mutex<HashMap<String, u32>>>,
}

/// Whose requests are counted together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Who {
    /// One address, or one network of IPv6.
    Address(IpAddr),
    /// One session or token.
    Credential(String),
}

impl Limits {
    pub(crate) fn new(options: LimitOptions) -> Self {
        Self {
            requests: Meter::per_minute(options.requests_per_minute),
            requests_alone: Meter::per_minute(options.requests_per_minute_alone),
            attempts: Meter::per_minute(options.attempts_per_minute),
            attempts_by_name: Meter::per_minute(options.attempts_per_name_per_minute),
            lines: Arc::default(),
            options,
        }
    }

    /// Other limits, for the lines that are open now, too.
    pub(crate) fn otherwise(&self, options: LimitOptions) -> Self {
        Self { lines: Arc::clone(&self.lines), ..Self::new(options) }
    }

    pub(crate) fn options(&self) -> &LimitOptions {
        &self.options
    }

    /// Counts a request.
    pub(crate) fn request(&self, who: Who, alone: bool) -> Result<(), Problem> {
        let meter = if alone { &self.requests_alone } else { &self.requests };
        meter.count(who.whole()).map_err(|seconds| too_many(("requests", "请求"), seconds))
    }

    /// Counts an attempt to get in; `name` is what is tried.
    pub(crate) fn attempt(&self, address: IpAddr, name: &str) -> Result<(), Problem> {
        let name: String = name.chars().take(100).flat_map(char::to_lowercase).collect();
        let told = |seconds| too_many(("attempts to get in", "登录尝试"), seconds);
        self.attempts.count(network_of(address)).map_err(told)?;
        self.attempts_by_name.count(name).map_err(told)
    }

    /// Whether one more meeting may run beside so many.
    pub(crate) fn meeting(&self, running: u64) -> Result<(), Problem> {
        let most = self.options.running_meetings.max(1);
        if running < u64::from(most) {
            return Ok(());
        }
        Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "too-many-meetings",
            (format!("{running} meetings run already"), format!("已有 {running} 场会议在进行")),
        )
        .hint(("wait until one of them ends, or pause one", "等其中一场结束，或暂停一场"))
        .retry_after(30))
    }

    /// Opens a line, which is counted until what this returns is dropped.
    pub(crate) fn line(&self, who: &str, alone: bool) -> Result<Line, Problem> {
        let most = if alone { self.options.live_lines_alone } else { self.options.live_lines };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let open = lines.entry(who.to_owned()).or_default();
        if *open >= most.max(1) {
            return Err(Problem::new(
                StatusCode::TOO_MANY_REQUESTS,
                "too-many-lines",
                (format!("{most} lines are open already"), format!("已有 {most} 个连接")),
            )
            .hint((
                "close one first; one WebSocket can follow many meetings",
                "先关闭一个；一个 WebSocket 可以跟随多场会议",
            ))
            .retry_after(5));
        }
        *open += 1;
        Ok(Line { who: who.to_owned(), lines: Arc::clone(&self.lines) })
    }
}

impl Who {
    fn whole(self) -> Self {
        match self {
            Self::Address(address) => Self::Address(network_of(address)),
            credential @ Self::Credential(_) => credential,
        }
    }
}

/// Somebody with IPv6 has a whole network of addresses (/64).
fn network_of(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => IpAddr::from((v6.to_bits() & !u128::from(u64::MAX)).to_be_bytes()),
    }
}

fn too_many(what: (&str, &str), seconds: u64) -> Problem {
    let detail = (format!("there were too many {}", what.0), format!("{}过多", what.1));
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too-many", detail)
        .hint(("wait as long as Retry-After says", "按 Retry-After 等待后再试"))
        .retry_after(seconds)
}

/// A line that is open.
#[derive(Debug)]
pub(crate) struct Line {
    who: String,
    lines: Arc<Mutex<HashMap<String, u32>>>,
}

impl Drop for Line {
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

/// Counts by key, and forgets who has been quiet.
struct Meter<K: Hash + Eq + Clone> {
    limiter: DefaultKeyedRateLimiter<K>,
    counted: AtomicU32,
}

/// After so many counts those are forgotten who have been quiet.
const SWEEP_EVERY: u32 = 4096;

impl<K: Hash + Eq + Clone> Meter<K> {
    fn per_minute(most: u32) -> Self {
        let most = NonZeroU32::new(most).unwrap_or(NonZeroU32::MIN);
        Self { limiter: RateLimiter::keyed(Quota::per_minute(most)), counted: AtomicU32::new(0) }
    }

    /// Counts one more, or says after how many seconds it may come; at least 1.
    fn count(&self, key: K) -> Result<(), u64> {
        if self.counted.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
        self.limiter.check_key(&key).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now());
            wait.as_secs().saturating_add(1)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_asks_too_much_hears_when_to_come_again() {
        let options =
            LimitOptions { requests_per_minute: 3, attempts_per_minute: 2, ..LimitOptions::default() };
        let limits = Limits::new(options);
        let one = || Who::Address(IpAddr::from([1, 2, 3, 4]));
        (0..3).for_each(|_| limits.request(one(), false).expect("three are free"));
        let problem = limits.request(one(), false).expect_err("the fourth is not");
        assert_eq!(problem.status(), StatusCode::TOO_MANY_REQUESTS);
        let wait = serde_json::to_value(&problem).expect("plain")["retry_after"].as_u64().expect("a wait");
        assert!((1..=21).contains(&wait), "{wait}");
        assert!(limits.request(one(), true).is_ok(), "alone there are more");
        assert!(limits.request(Who::Credential("t".to_owned()), false).is_ok());
    }

    #[test]
    fn one_network_of_ipv6_is_one() {
        let options = LimitOptions { attempts_per_minute: 2, ..LimitOptions::default() };
        let limits = Limits::new(options);
        let try_from = |address: &str, name: &str| limits.attempt(address.parse().expect("an address"), name);
        assert!(try_from("2001:db8::1", "a").is_ok());
        assert!(try_from("2001:db8::2", "b").is_ok());
        assert!(try_from("2001:db8::3", "c").is_err());
        assert!(try_from("2001:db8:0:1::3", "c").is_ok());
    }

    #[test]
    fn so_many_meetings_run_and_no_more() {
        let limits = Limits::new(LimitOptions { running_meetings: 2, ..LimitOptions::default() });
        assert!(limits.meeting(1).is_ok());
        let problem = limits.meeting(2).expect_err("two run");
        assert_eq!(problem.status(), StatusCode::SERVICE_UNAVAILABLE);
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
