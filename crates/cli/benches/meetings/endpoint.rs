//! Our end of the pretended model: starts its process, asks it what it has seen, and ends it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use quorate_runners::ProviderConfig;

use crate::server::ROLE;

/// A process that answers as a model would.
pub(crate) struct Endpoint {
    process: Child,
    orders: Option<ChildStdin>,
    reports: BufReader<ChildStdout>,
    port: u16,
}

/// The counts since the last tally.
pub(crate) struct Tally {
    pub(crate) requests: u64,
    /// The bytes of bodies.
    pub(crate) bytes: u64,
}

impl Endpoint {
    /// An endpoint that answers at once.
    pub(crate) fn instant() -> Self {
        Self::start("instant")
    }

    /// An endpoint with the speed of a quick model.
    pub(crate) fn paced(long: bool) -> Self {
        Self::start(if long { "paced-long" } else { "paced" })
    }

    fn start(pace: &str) -> Self {
        let this = std::env::current_exe().expect("this program has a path");
        let mut process = Command::new(this)
            .args([ROLE, pace])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the endpoint starts");
        let orders = process.stdin.take();
        let reports = BufReader::new(process.stdout.take().expect("its stdout is a pipe"));
        let mut endpoint = Self { process, orders, reports, port: 0 };
        endpoint.port = endpoint.report().parse().expect("its first line is its port");
        endpoint
    }

    /// The base URL of its API.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// The provider to reach it by, which lets as many calls run as there are.
    pub(crate) fn provider(&self) -> ProviderConfig {
        let url = self.url().parse().expect("a URL");
        ProviderConfig { concurrency: Some(1000), ..ProviderConfig::new("bench", url) }
    }

    pub(crate) fn tally(&mut self) -> Tally {
        self.order("tally");
        let report = self.report();
        let (requests, bytes) = report.split_once(' ').expect("two numbers");
        Tally { requests: requests.parse().expect("a number"), bytes: bytes.parse().expect("a number") }
    }

    /// Lets it report its next request.
    pub(crate) fn watch(&mut self) {
        self.order("watch");
        assert_eq!(self.report(), "watching");
    }

    /// Waits until the request that is watched for has come.
    pub(crate) fn wait_until_seen(&mut self) {
        assert_eq!(self.report(), "seen");
    }

    fn order(&mut self, word: &str) {
        let orders = self.orders.as_mut().expect("it has not ended");
        writeln!(orders, "{word}").expect("the endpoint listens");
    }

    fn report(&mut self) -> String {
        let mut line = String::new();
        self.reports.read_line(&mut line).expect("the endpoint reports");
        line.trim().to_owned()
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.orders = None;
        // It ends with its stdin.
        _ = self.process.wait();
    }
}
