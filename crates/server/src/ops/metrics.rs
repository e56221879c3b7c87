//! Counters and times, in the text format of Prometheus (OpenMetrics).
//!
//! They are counted where events happen: calls and appends as the engine's [`Observer`], requests in a layer,
//! connections by their handlers. Values that can be looked up (meetings by state) are looked up on request.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::{encode_eof, encode_registry};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use quorate_app::{BackupStats, CallSeen, JournalError, NodeStats, Observer, Record, ShareStanding};
use quorate_contract::{EventBody, FailureKind, Outcome, RunnerSpec};

use super::machine::Machine;

/// Times from a millisecond to five minutes.
const CALL_SECONDS: [f64; 12] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
const SHORT_SECONDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

type Labelled<L> = Family<L, Counter>;
type Times<L> = Family<L, Histogram, fn() -> Histogram>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Model {
    provider: String,
    model: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Called {
    provider: String,
    model: String,
    outcome: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Tokens {
    provider: String,
    model: String,
    direction: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Provider {
    provider: String,
}

/// All counters of one service.
#[derive(Debug)]
pub struct Metrics {
    registry: Registry,
    /// The metrics of the process, whose names have no prefix.
    process: Registry,
    machine: Machine,
    meetings: Family<State, Gauge<i64, AtomicI64>>,
    live: Gauge<i64, AtomicI64>,
    quarantined: Gauge<i64, AtomicI64>,
    restarts: Counter,
    calls_under_way: Gauge<i64, AtomicI64>,
    calls: Labelled<Called>,
    call_seconds: Times<Model>,
    first_piece_seconds: Times<Model>,
    queued_seconds: Times<Model>,
    tokens: Labelled<Tokens>,
    cost_micros: Counter,
    unpriced_calls: Counter,
    turns: Labelled<Kind>,
    events: Labelled<Kind>,
    append_seconds: Histogram,
    errors: Labelled<Kind>,
    requests: Labelled<Route>,
    request_seconds: Times<Route>,
    connections: Family<Kind, Gauge<i64, AtomicI64>>,
    uptime_seconds: Gauge<u64, AtomicU64>,
    backup_last_success: Gauge<i64, AtomicI64>,
    backup_last_size: Gauge<i64, AtomicI64>,
    backup_failures: Counter,
    node: NodeMetrics,
    models: Mutex<HashSet<Model>>,
}

/// The number of models that are counted separately; a client that creates meetings can name any.
const MODELS_MAX: usize = 200;

fn call_times() -> Histogram {
    Histogram::new(CALL_SECONDS)
}

fn short_times() -> Histogram {
    Histogram::new(SHORT_SECONDS)
}

/// This process among those that share the database.
#[derive(Debug, Default)]
struct NodeMetrics {
    lease_age_ms: Gauge,
    lapses: Counter,
    takeovers: Counter,
    fenced_appends: Counter,
    nats_connected: Gauge,
    provider_limit: Family<Provider, Gauge>,
    provider_held: Family<Provider, Gauge>,
    provider_waiting: Family<Provider, Gauge>,
}

impl Default for Metrics {
    fn default() -> Self {
        let mut this = Self {
            registry: Registry::with_prefix("quorate"),
            process: Registry::default(),
            machine: Machine::default(),
            meetings: Family::default(),
            live: Gauge::default(),
            quarantined: Gauge::default(),
            restarts: Counter::default(),
            calls_under_way: Gauge::default(),
            calls: Family::default(),
            call_seconds: Family::new_with_constructor(call_times),
            first_piece_seconds: Family::new_with_constructor(call_times),
            queued_seconds: Family::new_with_constructor(call_times),
            tokens: Family::default(),
            cost_micros: Counter::default(),
            unpriced_calls: Counter::default(),
            turns: Family::default(),
            events: Family::default(),
            append_seconds: short_times(),
            errors: Family::default(),
            requests: Family::default(),
            request_seconds: Family::new_with_constructor(short_times),
            connections: Family::default(),
            uptime_seconds: Gauge::default(),
            backup_last_success: Gauge::default(),
            backup_last_size: Gauge::default(),
            backup_failures: Counter::default(),
            node: NodeMetrics::default(),
            models: Mutex::default(),
        };
        this.register();
        this
    }
}

impl Metrics {
    fn register(&mut self) {
        self.machine.register_process(&mut self.process);
        self.machine.register(&mut self.registry);
        let of = &mut self.registry;
        of.register("meetings", "Meetings by the state they are in", self.meetings.clone());
        of.register("meetings_live", "Meetings that are held in memory", self.live.clone());
        of.register(
            "meetings_quarantined",
            "Meetings that failed again and again and run no more until they are resumed",
            self.quarantined.clone(),
        );
        of.register(
            "meeting_restarts",
            "Meetings that had failed and were begun again",
            self.restarts.clone(),
        );
        of.register("calls_under_way", "Calls that have not ended", self.calls_under_way.clone());
        of.register("calls", "Calls that have ended, by what came of them", self.calls.clone());
        let seconds = || Unit::Seconds;
        of.register_with_unit("call", "From a request to its answer", seconds(), self.call_seconds.clone());
        of.register_with_unit(
            "call_first_piece",
            "From a request to the first piece of its answer",
            seconds(),
            self.first_piece_seconds.clone(),
        );
        of.register_with_unit(
            "call_queued",
            "How long a call waited until its provider might be asked",
            seconds(),
            self.queued_seconds.clone(),
        );
        of.register("tokens", "Tokens by provider, model and direction", self.tokens.clone());
        of.register(
            "cost_micros",
            "Money spent on calls whose price is known, in millionths",
            self.cost_micros.clone(),
        );
        of.register(
            "unpriced_calls",
            "Calls and requests that cost nobody knows how much; cost_micros is without them",
            self.unpriced_calls.clone(),
        );
        of.register("turns", "Turns that have ended: said, skipped, failed", self.turns.clone());
        of.register("events", "Events that are durable, by type", self.events.clone());
        of.register_with_unit(
            "append",
            "From an append to its acknowledgement",
            seconds(),
            self.append_seconds.clone(),
        );
        of.register("errors", "What went wrong, by kind", self.errors.clone());
        of.register("http_requests", "Requests that were answered", self.requests.clone());
        of.register_with_unit(
            "http_request",
            "From a request's head to its answer's head",
            seconds(),
            self.request_seconds.clone(),
        );
        of.register("connections", "Connections that listen", self.connections.clone());
        of.register_with_unit("uptime", "Since the start", seconds(), self.uptime_seconds.clone());
        of.register_with_unit(
            "backup_last_success_timestamp",
            "When the newest scheduled backup was made, since 1970; 0 for none",
            seconds(),
            self.backup_last_success.clone(),
        );
        of.register_with_unit(
            "backup_last_size",
            "The size of the newest scheduled backup; 0 for none",
            Unit::Bytes,
            self.backup_last_size.clone(),
        );
        of.register("backup_failures", "Scheduled backups that failed", self.backup_failures.clone());
        of.register(
            "node_lease_age_ms",
            "Since the lease of this node was renewed, where several share the database",
            self.node.lease_age_ms.clone(),
        );
        of.register(
            "node_lease_lapses",
            "Leases that had passed before they were renewed",
            self.node.lapses.clone(),
        );
        of.register("node_takeovers", "Meetings taken over from other nodes", self.node.takeovers.clone());
        of.register(
            "node_fenced_appends",
            "Appends that were refused because another node runs the meeting",
            self.node.fenced_appends.clone(),
        );
        of.register(
            "nats_connected",
            "1 while the NATS server of the nodes can be reached",
            self.node.nats_connected.clone(),
        );
        of.register(
            "provider_calls_limit",
            "Concurrent calls that a provider may be sent by all nodes together",
            self.node.provider_limit.clone(),
        );
        of.register(
            "provider_calls_held",
            "Concurrent calls of that limit that this node makes, or may make",
            self.node.provider_held.clone(),
        );
        of.register(
            "provider_calls_waiting",
            "Calls that wait at this node for a place in that limit",
            self.node.provider_waiting.clone(),
        );
    }

    /// All of them as text.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        _ = encode_registry(&mut text, &self.process);
        _ = encode_registry(&mut text, &self.registry);
        _ = encode_eof(&mut text);
        text
    }

    /// Reads what the process and its machine use. Blocks for some milliseconds: not for an async thread.
    pub(crate) fn refresh_machine(&self, database: &Path) {
        self.machine.refresh(database);
    }

    pub(crate) fn set_meetings(&self, state: &'static str, count: u64) {
        self.meetings.get_or_create(&State { state }).set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn set_live(&self, count: usize) {
        self.live.set(i64::try_from(count).unwrap_or(i64::MAX));
    }

    pub(crate) fn set_failures(&self, quarantined: u64, restarts: u64) {
        self.quarantined.set(i64::try_from(quarantined).unwrap_or(i64::MAX));
        // The engine counts; a counter here only follows.
        self.restarts.inner().store(restarts, std::sync::atomic::Ordering::Relaxed);
    }

    pub(crate) fn set_nats(&self, is_connected: bool) {
        self.node.nats_connected.set(i64::from(is_connected));
    }

    pub(crate) fn set_node(&self, stats: NodeStats) {
        let relaxed = std::sync::atomic::Ordering::Relaxed;
        self.node.lease_age_ms.set(i64::try_from(stats.lease_age_ms).unwrap_or(i64::MAX));
        // The store counts; the counters here only follow.
        self.node.lapses.inner().store(stats.lapses, relaxed);
        self.node.takeovers.inner().store(stats.takeovers, relaxed);
        self.node.fenced_appends.inner().store(stats.fenced_appends, relaxed);
    }

    /// What this node has of the limits that it shares with others.
    pub(crate) fn set_provider_shares(&self, shares: &[ShareStanding]) {
        let of = &self.node;
        // A provider that is configured no more has no limit.
        [&of.provider_limit, &of.provider_held, &of.provider_waiting].into_iter().for_each(Family::clear);
        for share in shares {
            let provider = Provider { provider: share.provider.clone() };
            // While its configuration changes, there are two.
            let of_provider = || shares.iter().filter(|other| other.provider == share.provider);
            let held: u32 = of_provider().map(|share| share.held).sum();
            let waiting: u32 = of_provider().map(|share| share.waiting).sum();
            of.provider_limit.get_or_create(&provider).set(share.limit.into());
            of.provider_held.get_or_create(&provider).set(held.into());
            of.provider_waiting.get_or_create(&provider).set(waiting.into());
        }
    }

    pub(crate) fn set_backups(&self, stats: BackupStats) {
        self.backup_last_success.set(stats.last.map_or(0, |at| at.0 / 1000));
        self.backup_last_size.set(i64::try_from(stats.last_bytes).unwrap_or(i64::MAX));
        self.backup_failures.inner().store(stats.failures, std::sync::atomic::Ordering::Relaxed);
    }

    pub(crate) fn set_uptime(&self, up: Duration) {
        self.uptime_seconds.set(up.as_secs());
    }

    /// Counts a response. `method` and `route` are each one of a fixed set: clients choose what they send.
    pub(crate) fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        let labels = Route { method, route: route.to_owned(), status };
        self.requests.get_or_create(&labels).inc();
        self.request_seconds.get_or_create(&labels).observe(took.as_secs_f64());
    }

    /// Counts a live connection, `sse` or `websocket`, until the guard is dropped.
    pub fn connected(self: &std::sync::Arc<Self>, kind: &'static str) -> Connected {
        let gauge = self.connections.get_or_create(&Kind { kind: kind.to_owned() }).clone();
        gauge.inc();
        Connected(gauge)
    }

    fn went_wrong(&self, kind: FailureKind) {
        let kind = serde_json::to_value(kind).ok();
        let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or("other").to_owned();
        self.errors.get_or_create(&Kind { kind }).inc();
    }
}

/// A connection that is counted as long as this lives.
#[derive(Debug)]
pub struct Connected(Gauge<i64, AtomicI64>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    /// Whom a call is counted for: by provider and model, for as many as have a place of their own.
    fn counted_as(&self, runner: &RunnerSpec) -> Model {
        let model = model_of(runner);
        let mut known = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(&model) || known.len() < MODELS_MAX {
            known.insert(model.clone());
            return model;
        }
        Model { provider: "other".to_owned(), model: "other".to_owned() }
    }

    /// Counts a cost; `None` when it is not known.
    fn spent(&self, cost_micros: Option<u64>) {
        match cost_micros {
            Some(cost) => _ = self.cost_micros.inc_by(cost),
            None => _ = self.unpriced_calls.inc(),
        }
    }
}

fn model_of(runner: &RunnerSpec) -> Model {
    match runner {
        RunnerSpec::Model { provider, model, .. } => {
            Model { provider: provider.clone(), model: model.clone() }
        }
        RunnerSpec::Process { name } => Model { provider: "process".to_owned(), model: name.clone() },
        RunnerSpec::Acp { name, .. } => Model { provider: "acp".to_owned(), model: name.clone() },
        RunnerSpec::External { via, name } => {
            Model { provider: via.as_str().to_owned(), model: name.clone() }
        }
        RunnerSpec::Simulated { .. } => Model { provider: "simulated".to_owned(), model: String::new() },
    }
}

impl Observer for Metrics {
    fn call_started(&self, _: &RunnerSpec) {
        self.calls_under_way.inc();
    }

    fn call_ended(&self, call: &CallSeen) {
        self.calls_under_way.dec();
        let of = self.counted_as(&call.runner);
        let outcome = match &call.outcome {
            Some(Outcome::Answered(answer) | Outcome::CalledTools(answer, _)) => {
                let count = |direction, count: u64| {
                    let labels = Tokens { provider: of.provider.clone(), model: of.model.clone(), direction };
                    self.tokens.get_or_create(&labels).inc_by(count);
                };
                count("input", answer.usage.input_tokens);
                count("cached", answer.usage.cached_tokens);
                count("output", answer.usage.output_tokens);
                "answered"
            }
            Some(Outcome::Failed(failure)) => {
                self.went_wrong(failure.kind);
                "failed"
            }
            None => "dropped",
        };
        let Model { provider, model } = of.clone();
        self.calls.get_or_create(&Called { provider, model, outcome: outcome.to_owned() }).inc();
        self.call_seconds.get_or_create(&of).observe(call.took.as_secs_f64());
        self.queued_seconds.get_or_create(&of).observe(call.queued.as_secs_f64());
        if let Some(first) = call.first_piece {
            self.first_piece_seconds.get_or_create(&of).observe(first.as_secs_f64());
        }
    }

    fn appended(&self, records: &[Record], took: Duration, result: &Result<(), JournalError>) {
        self.append_seconds.observe(took.as_secs_f64());
        if result.is_err() {
            self.errors.get_or_create(&Kind { kind: "journal".to_owned() }).inc();
            return;
        }
        // What a fork takes over happened in the other meeting, and was counted there.
        let forked =
            records.iter().rposition(|record| matches!(record.event.body, EventBody::MeetingForked { .. }));
        for record in &records[forked.unwrap_or(0)..] {
            let body = &record.event.body;
            self.events.get_or_create(&Kind { kind: body.kind().to_owned() }).inc();
            let turn = match body {
                EventBody::AgentMessage { .. } => "said",
                EventBody::TurnSkipped { .. } => "skipped",
                EventBody::TurnFailed { .. } => "failed",
                EventBody::CallEnded { cost_micros, .. } => {
                    self.spent(*cost_micros);
                    continue;
                }
                EventBody::CallRetried { cost_micros, usage, .. } if usage.total() > 0 => {
                    self.spent(*cost_micros);
                    continue;
                }
                _ => continue,
            };
            self.turns.get_or_create(&Kind { kind: turn.to_owned() }).inc();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_models_are_counted_on_their_own() {
        let metrics = Metrics::default();
        let spec = |name: usize| RunnerSpec::Process { name: format!("agent-{name}") };
        for name in 0..MODELS_MAX + 50 {
            metrics.counted_as(&spec(name));
        }
        assert_eq!(metrics.counted_as(&spec(0)).model, "agent-0");
        assert_eq!(metrics.counted_as(&spec(MODELS_MAX)).model, "other");
        assert_eq!(metrics.models.lock().expect("no panic").len(), MODELS_MAX);
    }
}
