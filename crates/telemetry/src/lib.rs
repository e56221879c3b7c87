//! Export of every call to a model to an OpenTelemetry collector.
//!
//! A run of a meeting is a trace whose id is the run's; each call in it is a span named and described by the
//! semantic conventions for generative AI (`gen_ai.*`). No text of a meeting is sent, only names, counts,
//! times and kinds of failure. Spans leave in batches from a thread of their own; a slow or missing collector
//! costs spans and a line in the log, and nothing else.

mod delivery;
mod ids;
mod span;

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, SystemTime};

use opentelemetry::trace::{Span, SpanKind, Status, Tracer, TracerProvider};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use quorate_contract::{EventBody, RunId, Timestamp};
use quorate_engine::{CallSeen, JournalError, Observer, Record};
use url::Url;

use crate::delivery::ReportedExporter;
use crate::ids::{Ids, made_at, of_run, within};

/// The time limit for delivering a batch.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The reason why the exporter cannot start.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The collector's address is none.
    #[error("{url:?} is not the address of a collector: {why}")]
    BadAddress {
        /// The given URL.
        url: String,
        /// What is wrong with it, in the words of the library that reads it.
        why: String,
    },
    /// The address does not begin with `http://` or `https://`.
    #[error("{url:?} does not begin with http:// or https://")]
    NotHttp {
        /// The given URL.
        url: String,
    },
    /// The exporter cannot be made.
    #[error("spans cannot be exported: {0}")]
    Exporter(String),
}

impl TelemetryError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        "give the address of a collector that takes OTLP over HTTP, such as http://localhost:4318"
    }
}

/// An exporter of spans. Dropping it without [`shut_down`](Self::shut_down) loses what is not sent yet.
#[derive(Debug)]
pub struct Telemetry {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
    /// The start times of runs that began here and have not ended.
    began: Mutex<HashMap<RunId, Timestamp>>,
}

impl Telemetry {
    /// Sends to a collector at `endpoint`, which is its root (`http://localhost:4318`) or the complete path
    /// (`…/v1/traces`), with these headers. Starts a thread; call it outside of an async context or on a
    /// thread that may block.
    ///
    /// # Errors
    /// When the URL is invalid.
    pub fn start(endpoint: &str, headers: HashMap<String, String>) -> Result<Self, TelemetryError> {
        let bad = |why: String| TelemetryError::BadAddress { url: endpoint.to_owned(), why };
        let mut url: Url = endpoint.parse().map_err(|error: url::ParseError| bad(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(TelemetryError::NotHttp { url: endpoint.to_owned() });
        }
        if url.path() == "/" {
            url.set_path("/v1/traces");
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_endpoint(url)
            .with_headers(headers)
            .with_timeout(TIMEOUT)
            .build()
            .map_err(|error| TelemetryError::Exporter(error.to_string()))?;
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder().with_service_name("quorate").with_attribute(version).build();
        let provider = SdkTracerProvider::builder()
            .with_id_generator(Ids::default())
            .with_resource(resource)
            .with_batch_exporter(ReportedExporter::new(exporter))
            .build();
        let tracer = provider.tracer("quorate");
        Ok(Self { provider, tracer, began: Mutex::default() })
    }

    /// Sends what is left and ends. Blocks, for some seconds at the most.
    pub fn shut_down(&self) {
        if let Err(error) = self.provider.shutdown_with_timeout(TIMEOUT) {
            tracing::warn!(%error, "the last spans were not delivered");
        }
    }

    fn began(&self) -> MutexGuard<'_, HashMap<RunId, Timestamp>> {
        self.began.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The span of a whole run, once it has ended.
    fn run_ended(&self, record: &Record, outcome: &str) {
        let event = &record.event;
        // The run may have begun in another process: then the time in its id counts.
        let began = self.began().remove(&event.run_id).map(time_of);
        let began = began.or_else(|| made_at(&event.run_id)).unwrap_or_else(|| time_of(event.ts_ms));
        let (trace, root) = of_run(&event.run_id);
        let builder = self
            .tracer
            .span_builder("meeting")
            .with_kind(SpanKind::Internal)
            .with_start_time(began)
            .with_attributes([
                KeyValue::new("gen_ai.conversation.id", event.meeting_id.to_string()),
                KeyValue::new("quorate.run.id", event.run_id.to_string()),
                KeyValue::new("quorate.outcome", outcome.to_owned()),
            ]);
        let mut span = ids::named(trace, root, || builder.start_with_context(&self.tracer, &Context::new()));
        span.end_with_timestamp(time_of(event.ts_ms));
    }
}

impl Observer for Telemetry {
    fn call_ended(&self, call: &CallSeen) {
        let Some(seen) = span::of(call) else { return };
        let builder = self
            .tracer
            .span_builder(seen.name)
            .with_kind(SpanKind::Client)
            .with_start_time(call.started)
            .with_attributes(seen.attributes);
        let mut span = builder.start_with_context(&self.tracer, &within(&call.run));
        if let Some(kind) = seen.error {
            span.set_status(Status::error(kind));
        }
        span.end_with_timestamp(call.started + call.took);
    }

    fn appended(&self, records: &[Record], _: Duration, result: &Result<(), JournalError>) {
        if result.is_err() {
            return;
        }
        for record in records {
            match &record.event.body {
                EventBody::MeetingStarted { .. } => {
                    self.began().insert(record.event.run_id.clone(), record.event.ts_ms);
                }
                EventBody::Finished { outcome, .. } => {
                    let outcome = serde_json::to_value(outcome).ok();
                    let kind = outcome.as_ref().and_then(|outcome| outcome["outcome"].as_str());
                    self.run_ended(record, kind.unwrap_or("finished"));
                }
                _ => {}
            }
        }
    }
}

fn time_of(moment: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(moment.0).unwrap_or(0))
}
