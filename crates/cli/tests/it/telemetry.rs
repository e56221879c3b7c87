//! Export of a meeting to an OpenTelemetry collector, and a missing collector.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use quorate_vendor_emulators::{KEY, VendorServer};
use serde_json::{Value, json};

use crate::app::{App, events, of_type};
use crate::served::Served;
use crate::vendor::{Answer, Vendor, sensible};

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";
// As the protocol numbers them.
const CLIENT: i32 = 3;
const INTERNAL: i32 = 1;
const ERROR: i32 = 2;

/// A collector on this machine.
struct Collector {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<Delivery>>>,
    status: Arc<AtomicU16>,
}

/// A batch as it came.
struct Delivery {
    path: String,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Collector {
    /// A collector that answers with this status.
    fn open(status: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (heard, status) = (Arc::new(Mutex::default()), Arc::new(AtomicU16::new(status)));
        let this = Self { address, heard: Arc::clone(&heard), status: Arc::clone(&status) };
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (heard, status) = (Arc::clone(&heard), Arc::clone(&status));
                // A client that disconnects does not affect the others.
                std::thread::spawn(move || _ = serve(connection, &heard, &status));
            }
        });
        this
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn answers(&self, status: u16) {
        self.status.store(status, Ordering::Relaxed);
    }

    /// All spans so far; each batch was sent as the protocol has it.
    fn spans(&self) -> Vec<Span> {
        let mut spans = Vec::new();
        for delivery in self.heard.lock().expect("no panic").iter() {
            assert_eq!(delivery.path, "/v1/traces");
            assert_eq!(delivery.headers["content-type"], "application/x-protobuf");
            let batch = ExportTraceServiceRequest::decode(&delivery.body[..]).expect("OTLP");
            for of_resource in batch.resource_spans {
                let resource = of_resource.resource.expect("it says who it is");
                assert_eq!(attribute(&resource.attributes, "service.name"), json!("quorate"));
                assert_eq!(attribute(&resource.attributes, "service.version"), env!("CARGO_PKG_VERSION"));
                spans.extend(of_resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
            }
        }
        spans
    }

    /// Everything that came, as it came.
    fn bytes(&self) -> Vec<u8> {
        self.heard.lock().expect("no panic").iter().flat_map(|delivery| delivery.body.clone()).collect()
    }
}

fn serve(mut connection: TcpStream, heard: &Mutex<Vec<Delivery>>, status: &AtomicU16) -> std::io::Result<()> {
    let mut from = BufReader::new(connection.try_clone()?);
    loop {
        let mut line = String::new();
        if from.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line)?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        from.read_exact(&mut body)?;
        let status = status.load(Ordering::Relaxed);
        if status == 200 {
            heard.lock().expect("no panic").push(Delivery { path, headers, body });
        }
        write!(connection, "HTTP/1.1 {status} So\r\ncontent-length: 0\r\n\r\n")?;
    }
}

/// An attribute as JSON; `null` when it is not there.
fn attribute(attributes: &[KeyValue], name: &str) -> Value {
    let found = attributes.iter().find(|attribute| attribute.key == name);
    found.and_then(|attribute| attribute.value.as_ref()).map_or(Value::Null, json_of)
}

fn json_of(value: &AnyValue) -> Value {
    match value.value.as_ref().expect("a value") {
        Any::StringValue(text) => json!(text),
        Any::BoolValue(flag) => json!(flag),
        Any::IntValue(number) => json!(number),
        Any::DoubleValue(number) => json!(number),
        Any::ArrayValue(array) => array.values.iter().map(json_of).collect(),
        other => panic!("no attribute of ours: {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A service that tells this collector, and soon.
fn told(app: &mut App, url: &str) -> Served {
    app.set("OTEL_BSP_SCHEDULE_DELAY", "100");
    Served::start(app, &["--telemetry-url", url])
}

/// The span of the run is there, and all calls lie in it; returns both.
#[track_caller]
fn one_trace(spans: &[Span], log: &[Value]) -> (Span, Vec<Span>) {
    let run = log[0]["run_id"].as_str().expect("a run").replace('-', "");
    let (runs, calls): (Vec<Span>, Vec<Span>) =
        spans.iter().cloned().partition(|span| span.name == "meeting");
    let [run_span] = runs.try_into().expect("one run");
    assert_eq!((hex(&run_span.trace_id), run_span.kind), (run, INTERNAL));
    assert!(run_span.parent_span_id.is_empty(), "nothing is above it");
    for call in &calls {
        assert_eq!((&call.trace_id, &call.parent_span_id), (&run_span.trace_id, &run_span.span_id));
        assert!(run_span.start_time_unix_nano <= call.start_time_unix_nano, "it lies in the run");
    }
    let conversation = attribute(&run_span.attributes, "gen_ai.conversation.id");
    assert_eq!(conversation, log[0]["meeting_id"]);
    let outcome = attribute(&run_span.attributes, "quorate.outcome");
    assert_eq!(outcome, log.last().expect("events")["payload"]["outcome"]);
    (run_span, calls)
}

#[test]
fn each_call_is_a_span_of_its_run_and_nothing_that_was_said_leaves() {
    let vendors = VendorServer::open(0, Duration::ZERO).expect("a free port");
    let collector = Collector::open(200);
    let mut app = App::new().with("STREET_KEY", KEY);
    let url = vendors.url("/v1");
    let args =
        ["providers", "add", "chat", "--wire", "openai", "--base-url", &url, "--api-key-env", "STREET_KEY"];
    app.quorate(&args).ok();
    let served = told(&mut app, &collector.url());
    let meeting = served.begin(json!({
        "topic": TOPIC,
        "models": ["chat/gpt-4o-mini"],
        "participants": [
            { "name": "Ada", "parameters": { "temperature": 0.5, "max_tokens": 900 } },
            { "name": "Ben", "model": "chat/down-chat", "fallback": "none" },
        ],
        "rules": { "limits": { "max_rounds": 1 } },
    }));
    let log = events(&served.follow_to_the_end(&meeting, 0));
    served.stop().ok();

    let (_, calls) = one_trace(&collector.spans(), &log);
    let name = |task: &Value, attempt: &Value| format!("{}#{attempt}", task.as_str().unwrap_or_default());
    let by_name: BTreeMap<String, &Span> = calls
        .iter()
        .map(|span| {
            let of = |key| attribute(&span.attributes, key);
            (name(&of("quorate.task"), &of("quorate.attempt")), span)
        })
        .collect();
    let ended = of_type(&log, "call_ended");
    let in_log: BTreeSet<String> =
        ended.iter().map(|event| name(&event["payload"]["task"], &event["payload"]["attempt"])).collect();
    assert_eq!(by_name.keys().cloned().collect::<BTreeSet<_>>(), in_log, "a span for each call");
    assert_eq!(calls.len(), in_log.len(), "and no second one");

    let mut failed = 0;
    for event in ended {
        let payload = &event["payload"];
        let span = by_name[&name(&payload["task"], &payload["attempt"])];
        let of = |key| attribute(&span.attributes, key);
        let model = of("gen_ai.request.model");
        assert_eq!((span.kind, of("gen_ai.operation.name")), (CLIENT, json!("chat")));
        assert_eq!(span.name, format!("chat {}", model.as_str().expect("a model")));
        assert_eq!(
            (of("gen_ai.provider.name"), of("gen_ai.conversation.id")),
            (json!("chat"), event["meeting_id"].clone())
        );
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
        let is_error = span.status.as_ref().is_some_and(|status| status.code == ERROR);
        if payload["ended"] == "failed" {
            failed += 1;
            assert_eq!((model, is_error), (json!("down-chat"), true));
            assert_eq!(of("error.type"), json!("overloaded"));
            assert_eq!(of("gen_ai.usage.input_tokens"), Value::Null);
            continue;
        }
        assert_eq!((model, is_error, of("error.type")), (json!("gpt-4o-mini"), false, Value::Null));
        assert_eq!(of("gen_ai.usage.input_tokens"), payload["usage"]["input_tokens"]);
        assert_eq!(of("gen_ai.usage.output_tokens"), payload["usage"]["output_tokens"]);
        assert_eq!(of("gen_ai.response.finish_reasons"), json!(["stop"]));
        if payload["task"] == "speak:r0t1" {
            assert_eq!(
                (of("gen_ai.request.temperature"), of("gen_ai.request.max_tokens")),
                (json!(0.5), json!(900))
            );
        }
    }
    assert!(failed > 0, "whoever was down is told of");

    let sent = collector.bytes();
    let said =
        of_type(&log, "agent_message").into_iter().map(|event| &event["payload"]["message"]["content"]);
    let beginnings = said.filter_map(|words| words.as_str()).map(|words| words.chars().take(20).collect());
    for secret in beginnings.chain([KEY.to_owned(), TOPIC.to_owned(), "SQLite".to_owned()]) {
        let secret: String = secret;
        assert!(!sent.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret:?} was told");
    }
}

#[test]
fn a_run_that_went_over_a_restart_is_one_trace() {
    let collector = Collector::open(200);
    let vendor = Vendor::of(|heard| match heard.purpose() {
        "prose" => Answer::Thinking(Box::new(Answer::Whole(sensible(heard)))),
        _ => Answer::Whole(sensible(heard)),
    });
    let mut app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
    let served = told(&mut app, &collector.url());
    let rules = json!({ "limits": { "max_rounds": 1 } });
    let meeting = served.begin(json!({ "topic": TOPIC, "seats": 2, "rules": rules }));
    served.listen(&meeting, None).until("the first turn", |event| event["payload"]["task"] == "speak:r1t1");
    served.kill();
    vendor.goes_on();
    let served = told(&mut app, &collector.url());
    served.follow_to_the_end(&meeting, 0);
    let log = events(&served.log(&meeting));
    served.stop().ok();
    let (_, calls) = one_trace(&collector.spans(), &log);
    assert!(calls.iter().any(|span| attribute(&span.attributes, "quorate.task") == "conclude"));
}

#[test]
fn a_collector_that_takes_nothing_disturbs_nobody_and_the_log_says_so() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("an address");
    let broken = Collector::open(500);
    for (url, comes_back) in [(format!("http://{closed}"), false), (broken.url(), true)] {
        let vendor = Vendor::open();
        let mut app = App::new().with("OPENAI_BASE_URL", vendor.url("/v1"));
        let mut served = told(&mut app, &url);
        let hold = |served: &Served| {
            let rules = json!({ "limits": { "max_rounds": 1 } });
            let meeting = served.begin(json!({ "topic": TOPIC, "seats": 2, "rules": rules }));
            let log = events(&served.follow_to_the_end(&meeting, 0));
            assert_eq!(log.last().expect("events")["payload"]["outcome"], "accepted", "{url}");
        };
        hold(&served);
        let line = served.notes("the collector takes no spans");
        assert!(line.contains("WARN") && line.contains("meetings go on"), "{line}");
        if comes_back {
            broken.answers(200);
            hold(&served);
            served.notes("the collector takes spans again");
        }
        served.stop().ok();
    }
    assert!(!broken.spans().is_empty(), "what came later was taken");
}
