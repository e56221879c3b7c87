//! Ollama's own format: what is sent, and what is taken for an answer.

use quorate_contract::{Effort, FailureKind, ModelParameters, RunnerSpec, StopReason};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer, status};

/// Ollama's `/api/chat`.
pub struct Chat;

fn said(message: Value) -> Value {
    let mut message = message;
    message["role"] = json!("assistant");
    json!({ "model": "qwen3", "created_at": "2026-01-05T10:00:00.1Z", "message": message, "done": false })
}

fn ended(message: Value, reason: &str) -> Value {
    let mut reply = said(message);
    reply["done"] = json!(true);
    reply["done_reason"] = json!(reason);
    reply["total_duration"] = json!(4_883_583_458u64);
    reply["prompt_eval_count"] = json!(20);
    reply["eval_count"] = json!(5);
    reply
}

/// Pieces of a stream, as Ollama heads it; the connection is kept.
fn lines(pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Vec<Step> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut steps = vec![Step::Bytes(head.into())];
    for piece in pieces {
        let piece = piece.as_ref();
        let chunk = [format!("{:x}\r\n", piece.len()).as_bytes(), piece, b"\r\n"].concat();
        steps.push(Step::Bytes(chunk));
    }
    steps.push(Step::Bytes(b"0\r\n\r\n".to_vec()));
    steps
}

fn line(reply: &Value) -> String {
    format!("{reply}\n")
}

/// An answer of one message, in the way in which it was asked for.
fn replied(streamed: bool, message: Value, reason: &str) -> Vec<Step> {
    match streamed {
        true => lines([line(&said(message)), line(&ended(json!({ "content": "" }), reason))]),
        false => json_answer(200, ended(message, reason)),
    }
}

impl Dialect for Chat {
    fn format(&self) -> WireFormat {
        WireFormat::Ollama
    }
    fn base_path(&self) -> &'static str {
        ""
    }
    fn question_line(&self, _: bool) -> &'static str {
        "POST /api/chat"
    }
    fn answer(&self, streamed: bool, text: &str) -> Vec<Step> {
        replied(streamed, json!({ "content": text }), "stop")
    }
    fn first_piece(&self, text: &str) -> String {
        line(&said(json!({ "content": text })))
    }
    fn last_pieces(&self) -> String {
        line(&ended(json!({ "content": "" }), "stop"))
    }
    fn cut_by_length(&self, streamed: bool, text: &str) -> Vec<Step> {
        replied(streamed, json!({ "content": text }), "length")
    }
    /// A server of one's own withholds nothing; its cloud says so before it answers.
    fn withheld(&self, _: bool) -> Vec<Step> {
        json_answer(400, json!({ "error": "content_policy: the request was rejected" }))
    }
    fn empty(&self, streamed: bool) -> Vec<Step> {
        replied(streamed, json!({ "content": "" }), "stop")
    }
    fn reasoned(&self, streamed: bool, reasoning: &str, text: &str) -> Vec<Step> {
        match streamed {
            true => lines([
                line(&said(json!({ "content": "", "thinking": reasoning }))),
                self.first_piece(text),
                self.last_pieces(),
            ]),
            false => json_answer(200, ended(json!({ "content": text, "thinking": reasoning }), "stop")),
        }
    }
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)> {
        let (status, message) = match kind {
            FailureKind::Authentication => (401, "unauthorized"),
            FailureKind::RateLimit => (429, "too many concurrent requests"),
            FailureKind::Overloaded => {
                (503, "server busy, please try again.  maximum pending requests exceeded")
            }
            FailureKind::ContextTooLong => (400, "the input length exceeds the context length"),
            FailureKind::ModelUnknown => (404, "model \"qwen3\" not found, try pulling it first"),
            FailureKind::BadRequest => (400, "\"qwen3\" does not support chat"),
            _ => return None,
        };
        Some((status, json!({ "error": message }).to_string()))
    }
    fn error_event(&self, kind: FailureKind) -> Option<String> {
        // In a stream there is no status, and few of the words stand for themselves.
        let known = matches!(kind, FailureKind::ContextTooLong | FailureKind::ModelUnknown);
        let (_, body) = self.refusal(kind).filter(|_| known || kind == FailureKind::Overloaded)?;
        Some(format!("{body}\n"))
    }
    fn stream_head(&self) -> Step {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/x-ndjson\r\nconnection: close\r\n\r\n";
        Step::Bytes(head.into())
    }
}

/// A runner for a server without a key.
fn ollama(server: &Server) -> ModelRunner {
    let mut config = provider(&server.url());
    config.wire = WireFormat::Ollama;
    (config.key, config.key_variable) = (None, None);
    ModelRunner::new(config).expect("a good configuration")
}

fn stream(pieces: &[String]) -> Vec<Step> {
    let pieces = pieces.iter().map(|piece| Step::Bytes(piece.clone().into_bytes()));
    [Chat.stream_head()].into_iter().chain(pieces).chain([Step::Close]).collect()
}

fn refuses(words: &str) -> Vec<Step> {
    json_answer(400, json!({ "error": words }))
}

#[tokio::test]
async fn a_turn_is_sent_in_full_without_a_key() {
    let server = Server::start([Chat.answer(false, "Use SQLite.")]).await;
    let mut turn = request();
    turn.runner = model(ModelParameters {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        effort: None,
        thinking_tokens: None,
        context_tokens: None,
    });
    turn.prompt.messages = vec![user("Which"), user("one?"), assistant("SQLite."), user("Why?")];
    turn.prompt.schema = Some(vote_schema());
    let answer = answered(ask(&ollama(&server), turn).await);

    assert_eq!((answer.text.as_str(), answer.stop), ("Use SQLite.", StopReason::Stop));
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (20, 5));
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /api/chat", "a base URL that ends in /v1");
    assert!(!seen.headers.contains_key("authorization"));
    let expected = json!({
        "model": "qwen3",
        "messages": [
            { "role": "system", "content": "You are Ada." },
            { "role": "user", "content": "Which\n\none?" },
            { "role": "assistant", "content": "SQLite." },
            { "role": "user", "content": "Why?" },
        ],
        "stream": false,
        "format": *vote_schema().schema,
        "truncate": false,
        "shift": false,
        "options": { "num_ctx": 8192, "num_predict": 99, "temperature": 0.5, "top_p": 0.9 },
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn room_grows_in_doublings_and_does_not_shrink() {
    let server = Server::start((0..4).map(|_| Chat.answer(true, "Yes."))).await;
    let lab = ollama(&server);
    let words = |count: usize| "word ".repeat(count);
    for prompt in ["short".to_owned(), words(8_000), "short".to_owned(), words(20_000)] {
        let mut turn = request();
        turn.prompt.messages = vec![user(&prompt)];
        answered(listen(&lab, turn).await.0);
    }
    let rooms: Vec<Value> =
        server.seen().iter().map(|seen| seen.body["options"]["num_ctx"].clone()).collect();
    assert_eq!(rooms, [8192, 16_384, 16_384, 32_768]);
    assert_eq!(server.seen()[0].body["stream"], true);
}

#[tokio::test]
async fn a_key_is_sent_when_there_is_one() {
    let server = Server::start([Chat.answer(false, "Yes.")]).await;
    let mut config = provider(&server.url().replace("/v1", "/api/"));
    config.wire = WireFormat::Ollama;
    let lab = ModelRunner::new(config).expect("a good configuration");
    answered(ask(&lab, request()).await);
    let seen = &server.seen()[0];
    assert_eq!(
        (seen.line.as_str(), &seen.headers["authorization"]),
        ("POST /api/chat", &format!("Bearer {KEY}"))
    );
}

#[tokio::test]
async fn the_format_steps_down_to_json_to_nothing() {
    let server = Server::start([
        json_answer(500, json!({ "error": "failed to load model vocabulary required for format: grammar" })),
        refuses("json: cannot unmarshal object into Go struct field ChatRequest.format of type string"),
        refuses("invalid format: \"json\"; expected \"json\" or a valid JSON Schema object"),
        Chat.answer(false, "{}"),
    ])
    .await;
    let mut turn = request();
    turn.prompt.schema = Some(vote_schema());
    answered(ask(&ollama(&server), turn).await);
    let formats: Vec<Value> = server.seen().iter().map(|seen| seen.body["format"].clone()).collect();
    assert_eq!(formats[1]["properties"]["reason"], json!({ "type": "string" }));
    assert_eq!(formats[2], "json");
    assert_eq!(formats[3], Value::Null);
}

#[tokio::test]
async fn effort_is_a_level_or_a_switch_and_is_left_out_where_it_is_refused() {
    let think = async |name: &str, effort, refusals: &[&str]| {
        let script = refusals.iter().map(|words| refuses(words));
        let server = Server::start(script.chain([Chat.answer(false, "Yes.")])).await;
        let mut turn = request();
        let parameters = ModelParameters { effort, ..ModelParameters::default() };
        if let RunnerSpec::Model { model, parameters: old, .. } = &mut turn.runner {
            (*model, *old) = (name.to_owned(), parameters);
        }
        answered(ask(&ollama(&server), turn).await);
        server.seen().last().expect("a request").body["think"].clone()
    };
    let no_level = "think value \"high\" is not supported for this model";
    let no_thinking = "\"qwen2.5:7b\" does not support thinking";
    assert_eq!(think("qwen3", None, &[]).await, Value::Null);
    assert_eq!(think("qwen3", Some(Effort::None), &[]).await, false);
    assert_eq!(think("gpt-oss:20b", Some(Effort::None), &[]).await, "low");
    assert_eq!(think("gpt-oss:20b", Some(Effort::Medium), &[]).await, "medium");
    assert_eq!(think("qwen3", Some(Effort::High), &[no_level]).await, true);
    assert_eq!(think("qwen2.5:7b", Some(Effort::High), &[no_level, no_thinking]).await, Value::Null);
}

#[tokio::test]
async fn it_does_not_matter_where_a_stream_is_cut() {
    let wire = [
        line(&said(json!({ "content": "", "thinking": "想一想" }))),
        line(&said(json!({ "content": "众议，" }))).replace('\n', "\r\n"),
        "\n".to_owned(),
        line(&said(json!({ "content": "yes 🙂" }))),
        ended(json!({ "content": "" }), "stop").to_string(),
    ]
    .concat();
    for size in [1, 2, 3, 5, 7, 64, 1000] {
        let server = Server::start([lines(wire.as_bytes().chunks(size))]).await;
        let (outcome, ear) = listen(&ollama(&server), request()).await;
        let answer = answered(outcome);
        assert_eq!(answer.text, "众议，yes 🙂", "in pieces of {size}");
        assert_eq!((ear.answer(), ear.reasoning()), (answer.text, "想一想".to_owned()));
        assert_eq!((answer.usage.output_tokens, answer.usage.estimated), (5, false));
        assert!(answer.latency_ms < 1500, "{} ms", answer.latency_ms);
    }
}

#[tokio::test]
async fn lines_under_the_name_of_plain_json_are_read_too() {
    let body = [Chat.first_piece("Y"), Chat.first_piece("es."), Chat.last_pieces()].concat();
    let server = Server::start([status(200, &[("content-type", "application/json")], &body)]).await;
    assert_eq!(answered(listen(&ollama(&server), request()).await.0).text, "Yes.");
}

#[tokio::test]
async fn every_reason_to_end_is_understood() {
    for streamed in [true, false] {
        let outcome = async |steps: Vec<Step>| {
            let server = Server::start([steps]).await;
            match streamed {
                true => listen_once(&ollama(&server), request()).await.0,
                false => ask_once(&ollama(&server), request()).await,
            }
        };
        let cut = answered(outcome(Chat.cut_by_length(streamed, "Half")).await);
        assert_eq!((cut.text.as_str(), cut.stop), ("Half", StopReason::Length));
        for reason in ["load", "unload"] {
            let loaded = failed(outcome(replied(streamed, json!({ "content": "" }), reason)).await);
            assert_eq!((loaded.kind, loaded.doubtful), (FailureKind::Overloaded, true));
        }
        let empty = failed(outcome(Chat.empty(streamed)).await);
        assert_eq!((empty.kind, empty.doubtful), (FailureKind::Empty, true));
        let calls =
            json!({ "content": "", "tool_calls": [{ "function": { "name": "x", "arguments": {} } }] });
        let tool = failed(outcome(replied(streamed, calls, "stop")).await);
        assert_eq!(tool.detail.to_string(), "the model asked for a tool, which nobody had offered");
        let thought = answered(outcome(Chat.reasoned(streamed, "Hm.", "Yes.")).await);
        assert_eq!((thought.text.as_str(), thought.reasoning.as_deref()), ("Yes.", Some("Hm.")));
    }
    // Older servers give no reason.
    let mut old = ended(json!({ "content": "Yes." }), "");
    old.as_object_mut().expect("an object").remove("done_reason");
    let server = Server::start([json_answer(200, old)]).await;
    assert_eq!(answered(ask(&ollama(&server), request()).await).stop, StopReason::Stop);
}

#[tokio::test]
async fn errors_say_what_they_are_in_a_stream_too() {
    use FailureKind::*;
    for kind in [Authentication, RateLimit, Overloaded, ContextTooLong, BadRequest] {
        let (code, body) = Chat.refusal(kind).expect("Ollama has a word for it");
        let json = [("content-type", "application/json; charset=utf-8")];
        let server = Server::start((0..4).map(|_| status(code, &json, &body))).await;
        assert_eq!(failed(ask_once(&ollama(&server), request()).await).kind, kind);
    }
    // The server hands on what its engine said, as text.
    let inner = json!({ "error": { "code": 400, "type": "exceed_context_size_error",
        "message": "request (2622 tokens) exceeds the available context size (512 tokens)" } });
    let server = Server::start([refuses(&inner.to_string())]).await;
    let failure = failed(ask_once(&ollama(&server), request()).await);
    assert_eq!(failure.kind, ContextTooLong);
    let said =
        "lab answered 400 Bad Request: request (2622 tokens) exceeds the available context size (512 tokens)";
    assert_eq!(failure.detail.to_string(), said);

    let error = "{\"error\":\"an error was encountered while running the model: unexpected EOF\"}\n";
    let server = Server::start([stream(&[Chat.first_piece("Use"), error.to_owned()])]).await;
    let (outcome, ear) = listen_once(&ollama(&server), request()).await;
    let failure = failed(outcome);
    assert_eq!((failure.kind, failure.doubtful), (Overloaded, true));
    assert_eq!(ear.answer(), "Use");
    let server = Server::start([stream(&[Chat.first_piece("Use")])]).await;
    let failure = failed(listen_once(&ollama(&server), request()).await.0);
    assert_eq!((failure.kind, failure.doubtful), (Network, true));
}

#[tokio::test]
async fn models_are_listed_and_an_unknown_one_can_be_pulled() {
    let tags =
        json!({ "models": [{ "name": "qwen3:8b", "model": "qwen3:8b", "size": 1 }, { "name": "llama3" }] });
    let (code, unknown) = Chat.refusal(FailureKind::ModelUnknown).expect("a word");
    let server = Server::start([
        json_answer(200, tags.clone()),
        json_answer(200, json!({ "models": null })),
        status(code, &[], &unknown),
        json_answer(200, tags),
        status(code, &[], &unknown),
    ])
    .await;
    let lab = ollama(&server);
    assert_eq!(lab.list_models().await.expect("a list"), ["llama3", "qwen3:8b"]);
    assert_eq!(server.seen()[0].line, "GET /api/tags");
    assert!(lab.list_models().await.expect("an empty list").is_empty());
    let failure = failed(ask(&lab, request()).await);
    assert_eq!(failure.kind, FailureKind::ModelUnknown);
    assert_eq!(failure.hint.to_string(), "`ollama pull qwen3` gets it; lab has qwen3:8b, llama3");
    let failure = failed(ask(&lab, request()).await);
    assert!(failure.hint.to_string().starts_with("`ollama pull qwen3` gets it; "), "{}", failure.hint);
}
