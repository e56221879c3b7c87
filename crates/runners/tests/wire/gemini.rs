//! Google's Gemini: what is sent, and what is taken for an answer.

use quorate_contract::{Effort, FailureKind, ModelParameters, RunnerSpec, StopReason};
use quorate_runners::{ModelRunner, WireFormat};
use serde_json::{Value, json};

use crate::dialect::Dialect;
use crate::helpers::*;
use crate::server::{Server, Step, chunked, json as json_answer, status, stream};

/// Google's `generateContent`.
pub struct GenerateContent;

fn said(parts: Value, finish: Option<&str>) -> Value {
    let usage = json!({ "promptTokenCount": 20, "candidatesTokenCount": 5, "totalTokenCount": 25 });
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(finish) = finish {
        candidate["finishReason"] = json!(finish);
    }
    json!({
        "candidates": [candidate], "usageMetadata": usage,
        "modelVersion": "qwen3", "responseId": "Xa1",
    })
}

fn event_of(reply: &Value) -> String {
    format!("data: {reply}\r\n\r\n")
}

/// One reply, streamed or whole.
fn replied(streamed: bool, reply: &Value) -> Vec<Step> {
    match streamed {
        true => chunked([event_of(reply)]),
        false => json_answer(200, reply.clone()),
    }
}

fn text(words: &str) -> Value {
    json!([{ "text": words }])
}

impl Dialect for GenerateContent {
    fn format(&self) -> WireFormat {
        WireFormat::Gemini
    }
    fn base_path(&self) -> &'static str {
        "/v1beta"
    }
    fn question_line(&self, streamed: bool) -> &'static str {
        match streamed {
            true => "POST /v1beta/models/qwen3:streamGenerateContent?alt=sse",
            false => "POST /v1beta/models/qwen3:generateContent",
        }
    }
    fn answer(&self, streamed: bool, words: &str) -> Vec<Step> {
        match streamed {
            true => chunked([self.first_piece(words), self.last_pieces()]),
            false => json_answer(200, said(text(words), Some("STOP"))),
        }
    }
    fn first_piece(&self, words: &str) -> String {
        event_of(&said(text(words), None))
    }
    fn last_pieces(&self) -> String {
        event_of(&said(text(""), Some("STOP")))
    }
    fn cut_by_length(&self, streamed: bool, words: &str) -> Vec<Step> {
        replied(streamed, &said(text(words), Some("MAX_TOKENS")))
    }
    fn withheld(&self, streamed: bool) -> Vec<Step> {
        let candidate = json!({ "finishReason": "SAFETY", "index": 0, "safetyRatings": [
            { "category": "HARM_CATEGORY_HARASSMENT", "probability": "HIGH", "blocked": true },
        ] });
        let usage = json!({ "promptTokenCount": 20, "totalTokenCount": 20 });
        replied(streamed, &json!({ "candidates": [candidate], "usageMetadata": usage }))
    }
    fn empty(&self, streamed: bool) -> Vec<Step> {
        replied(streamed, &said(text(""), Some("STOP")))
    }
    fn reasoned(&self, streamed: bool, reasoning: &str, words: &str) -> Vec<Step> {
        let parts =
            json!([{ "text": reasoning, "thought": true }, { "text": words, "thoughtSignature": "A==" }]);
        replied(streamed, &said(parts, Some("STOP")))
    }
    fn refusal(&self, kind: FailureKind) -> Option<(u16, String)> {
        let (code, status, message) = match kind {
            FailureKind::Authentication => {
                (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
            }
            FailureKind::RateLimit => {
                (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan.")
            }
            FailureKind::Quota => (
                429,
                "RESOURCE_EXHAUSTED",
                "Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 0",
            ),
            FailureKind::Overloaded => {
                (503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
            }
            FailureKind::ContextTooLong => (
                400,
                "INVALID_ARGUMENT",
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
            ),
            FailureKind::ModelUnknown => (
                404,
                "NOT_FOUND",
                "models/qwen3 is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.",
            ),
            FailureKind::BadRequest => {
                (400, "INVALID_ARGUMENT", "* GenerateContentRequest.contents: contents is not specified")
            }
            _ => return None,
        };
        let error = json!({ "code": code, "message": message, "status": status });
        Some((code, json!({ "error": error }).to_string()))
    }
    fn error_event(&self, kind: FailureKind) -> Option<String> {
        let (_, body) = self.refusal(kind)?;
        Some(format!("data: {body}\r\n\r\n"))
    }
}

/// A runner for a base URL that ends in `path`.
fn google(server: &Server, path: &str) -> ModelRunner {
    let url = server.url();
    let mut config = provider(&format!("{}{path}", url.trim_end_matches("/v1")));
    config.wire = WireFormat::Gemini;
    ModelRunner::new(config).expect("a good configuration")
}

/// A runner with this model and effort.
fn thinker(name: &str, effort: Effort) -> RunnerSpec {
    let parameters = ModelParameters { effort: Some(effort), ..ModelParameters::default() };
    match model(parameters) {
        RunnerSpec::Model { provider, parameters, price, fallback, .. } => {
            RunnerSpec::Model { provider, model: name.to_owned(), parameters, price, fallback }
        }
        other => other,
    }
}

fn refuses(words: &str) -> Vec<Step> {
    json_answer(400, json!({ "error": { "code": 400, "message": words, "status": "INVALID_ARGUMENT" } }))
}

#[tokio::test]
async fn a_turn_is_sent_in_full_and_the_key_is_not_in_the_address() {
    let server = Server::start([GenerateContent.answer(false, "Use SQLite.")]).await;
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
    let answer = answered(ask(&google(&server, ""), turn).await);

    assert_eq!((answer.text.as_str(), answer.stop), ("Use SQLite.", StopReason::Stop));
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (20, 5));
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /v1beta/models/qwen3:generateContent");
    assert_eq!(seen.headers["x-goog-api-key"], KEY);
    assert!(!seen.headers.contains_key("authorization"));
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "You are Ada." }] },
        "contents": [
            { "role": "user", "parts": [{ "text": "Which\n\none?" }] },
            { "role": "model", "parts": [{ "text": "SQLite." }] },
            { "role": "user", "parts": [{ "text": "Why?" }] },
        ],
        "generationConfig": {
            "temperature": 0.5,
            "topP": 0.9,
            "maxOutputTokens": 99,
            "responseMimeType": "application/json",
            "responseJsonSchema": *vote_schema().schema,
        },
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn base_urls_and_models_are_taken_as_people_write_them() {
    for (path, name, line) in [
        ("/", "models/gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash"),
        ("/v1beta", "gemini-2.5-flash", "/v1beta/models/gemini-2.5-flash"),
        ("/v1/", "gemini-2.5-flash", "/v1/models/gemini-2.5-flash"),
        ("/v1alpha", "tunedModels/mine-7", "/v1alpha/tunedModels/mine-7"),
        ("/gemini", "a b/c?d#e", "/gemini/v1beta/models/a%20b%2Fc%3Fd%23e"),
        ("/v1/publishers/google", "gemini-2.5-pro", "/v1/publishers/google/models/gemini-2.5-pro"),
    ] {
        let server = Server::start([GenerateContent.answer(true, "Yes.")]).await;
        let mut turn = request();
        turn.runner = thinker(name, Effort::Low);
        answered(listen(&google(&server, path), turn).await.0);
        assert_eq!(server.seen()[0].line, format!("POST {line}:streamGenerateContent?alt=sse"));
    }
}

#[tokio::test]
async fn the_schema_steps_down_to_openapi_to_json_to_nothing() {
    let server = Server::start([
        refuses("Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field."),
        refuses("The specified schema produces a constraint that has too many states for serving."),
        refuses("JSON mode is not enabled for models/gemma-3-27b-it"),
        refuses("Developer instruction is not enabled for models/gemma-3-27b-it"),
        GenerateContent.answer(false, "{}"),
        GenerateContent.answer(false, "{}"),
    ])
    .await;
    let lab = google(&server, "/v1beta");
    for _ in 0..2 {
        let mut turn = request();
        turn.prompt.schema = Some(vote_schema());
        answered(ask(&lab, turn).await);
    }
    let seen = server.seen();
    let open_api = json!({
        "maxOutputTokens": 300,
        "responseMimeType": "application/json",
        "responseSchema": {
            "type": "OBJECT",
            "properties": { "score": { "type": "INTEGER" }, "reason": { "type": "STRING" } },
            "required": ["score", "reason"],
        },
    });
    assert_eq!(seen[1].body["generationConfig"], open_api);
    let mime = json!({ "maxOutputTokens": 300, "responseMimeType": "application/json" });
    assert_eq!(seen[2].body["generationConfig"], mime);
    let plain = json!({
        "contents": [{ "role": "user", "parts": [{ "text": "You are Ada.\n\nWhich database?" }] }],
        "generationConfig": { "maxOutputTokens": 300 },
    });
    assert_eq!((&seen[4].body, &seen[5].body), (&plain, &plain), "remembered");
}

#[tokio::test]
async fn effort_is_told_in_the_models_own_words_and_what_it_refuses_is_learned() {
    let thinking = async |name: &str, effort, refusals: &[&str]| {
        let script = refusals.iter().map(|words| refuses(words));
        let server = Server::start(script.chain([GenerateContent.answer(false, "Yes.")])).await;
        let mut turn = request();
        turn.runner = thinker(name, effort);
        answered(ask(&google(&server, ""), turn).await);
        server.seen().last().expect("a request").body["generationConfig"]["thinkingConfig"].clone()
    };
    let budget = |tokens: u32| json!({ "includeThoughts": true, "thinkingBudget": tokens });
    let level = |level: &str| json!({ "includeThoughts": true, "thinkingLevel": level });
    let only_works = "Budget 0 is invalid. This model only works in thinking mode.";
    let no_level = "Thinking level is not supported for this model.";
    assert_eq!(thinking("gemini-2.5-flash", Effort::Low, &[]).await, budget(1024));
    assert_eq!(thinking("gemini-2.5-pro", Effort::High, &[]).await, budget(16_384));
    assert_eq!(thinking("gemini-3-pro", Effort::High, &[]).await, level("HIGH"));
    assert_eq!(thinking("gemini-3-pro", Effort::Medium, &[no_level]).await, budget(4096));
    assert_eq!(thinking("gemini-2.5-flash", Effort::None, &[]).await, json!({ "thinkingBudget": 0 }));
    let least = thinking("gemini-2.5-pro", Effort::None, &[only_works]).await;
    assert_eq!(least, json!({ "thinkingBudget": 128 }));
    let least = thinking("gemini-3.1-pro", Effort::None, &[only_works]).await;
    assert_eq!(least, json!({ "thinkingLevel": "LOW" }));
    let hardly = thinking("gemini-3-flash", Effort::None, &[]).await;
    assert_eq!(hardly, json!({ "thinkingLevel": "MINIMAL" }));
    let no_minimal = "Thinking level MINIMAL is not supported for this model.";
    let least = thinking("gemini-3-pro", Effort::None, &[no_minimal]).await;
    assert_eq!(least, json!({ "thinkingLevel": "LOW" }));
    let none =
        thinking("gemma-3", Effort::High, &[no_level, "Thinking is not enabled for models/gemma-3"]).await;
    assert_eq!(none, Value::Null);
}

#[tokio::test]
async fn it_does_not_matter_where_a_stream_is_cut_and_its_end_is_not_waited_for() {
    let thoughts = json!({
        "candidates": [{ "content": { "parts": [{ "text": "想一想", "thought": true }], "role": "model" } }],
        "usageMetadata": { "promptTokenCount": 20, "thoughtsTokenCount": 7, "totalTokenCount": 27 },
    });
    let parts = json!([{ "text": "众议，" }, { "text": "yes" }]);
    let mut last = said(text(" 🙂"), Some("STOP"));
    last["usageMetadata"]["thoughtsTokenCount"] = json!(7);
    last["usageMetadata"]["cachedContentTokenCount"] = json!(16);
    let wire = [event_of(&thoughts), event_of(&said(parts, None)), event_of(&last)].concat();
    for size in [1, 2, 3, 5, 7, 64, 1000] {
        let server = Server::start([stream(wire.as_bytes().chunks(size))]).await;
        let (outcome, ear) = listen(&google(&server, ""), request()).await;
        let answer = answered(outcome);
        assert_eq!(answer.text, "众议，yes 🙂", "in pieces of {size}");
        assert_eq!((ear.answer(), ear.reasoning()), (answer.text, "想一想".to_owned()));
        let usage = answer.usage;
        assert_eq!((usage.input_tokens, usage.output_tokens), (20, 12));
        assert_eq!((usage.reasoning_tokens, usage.cached_tokens, usage.estimated), (7, 16, false));
        assert!(answer.latency_ms < 1500, "{} ms", answer.latency_ms);
    }
}

#[tokio::test]
async fn a_stream_that_nobody_framed_is_read_too() {
    let whole =
        serde_json::to_string_pretty(&json!([said(text("Y"), None), said(text("es."), Some("STOP"))]));
    let whole = whole.expect("JSON");
    let server =
        Server::start([status(200, &[("content-type", "application/json; charset=UTF-8")], &whole)]).await;
    let (outcome, ear) = listen(&google(&server, ""), request()).await;
    assert_eq!((answered(outcome).text, ear.answer()), ("Yes.".to_owned(), "Yes.".to_owned()));
    let pretty = |reply: &Value| serde_json::to_string_pretty(reply).expect("JSON");
    let pieces = format!(
        "[{}\n,\r\n{}\n]\n",
        pretty(&said(text("Y"), None)),
        pretty(&said(text("es."), Some("STOP")))
    );
    let server = Server::start([stream([pieces])]).await;
    assert_eq!(answered(listen(&google(&server, ""), request()).await.0).text, "Yes.");
}

/// The outcome of one reply, whole and streamed, which must be the same.
async fn outcome_of(reply: Value) -> quorate_contract::Outcome {
    let script = [replied(false, &reply), replied(true, &reply)];
    let server = Server::start(script).await;
    let lab = google(&server, "");
    let whole = ask_once(&lab, request()).await;
    let (streamed, _) = listen_once(&lab, request()).await;
    match (&whole, &streamed) {
        (quorate_contract::Outcome::Answered(one), quorate_contract::Outcome::Answered(other)) => {
            assert_eq!((&one.text, one.stop, one.usage), (&other.text, other.stop, other.usage));
        }
        (quorate_contract::Outcome::Failed(one), quorate_contract::Outcome::Failed(other)) => {
            assert_eq!((one.kind, &one.detail, one.usage), (other.kind, &other.detail, other.usage));
        }
        _ => panic!("{whole:?} is not {streamed:?}"),
    }
    whole
}

#[tokio::test]
async fn every_reason_to_end_is_understood() {
    let cut = answered(outcome_of(said(text("Half"), Some("MAX_TOKENS"))).await);
    assert_eq!((cut.text.as_str(), cut.stop), ("Half", StopReason::Length));
    let more = answered(outcome_of(said(text("Half"), Some("CONTINUATION"))).await);
    assert_eq!(more.stop, StopReason::Length);
    for reason in [
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "LANGUAGE",
        "IMAGE_SAFETY",
        "MODEL_ARMOR",
        "ESCALATION",
        "PUP_LIMITED_DISABLED",
    ] {
        let withheld = failed(outcome_of(said(json!([]), Some(reason))).await);
        assert_eq!(withheld.kind, FailureKind::ContentRefused, "{reason}");
        let half = answered(outcome_of(said(text("Half"), Some(reason))).await);
        assert_eq!(half.stop, StopReason::ContentFilter, "{reason}");
    }
    for reason in [
        "MALFORMED_FUNCTION_CALL",
        "OTHER",
        "MALFORMED_RESPONSE",
        "TOO_MANY_TOOL_CALLS",
        "MISSING_THOUGHT_SIGNATURE",
    ] {
        let broken = failed(outcome_of(said(text("Half"), Some(reason))).await);
        assert_eq!((broken.kind, broken.doubtful), (FailureKind::Overloaded, true));
        assert_eq!(broken.detail.to_string(), format!("lab broke the answer off: {reason}"));
    }
    let blocked = json!({
        "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" },
        "usageMetadata": { "promptTokenCount": 20, "totalTokenCount": 20 },
    });
    assert_eq!(failed(outcome_of(blocked).await).kind, FailureKind::ContentRefused);
    let tool = json!([{ "functionCall": { "name": "search", "args": {} } }]);
    let tool = failed(outcome_of(said(tool, Some("STOP"))).await);
    assert_eq!(tool.detail.to_string(), "the model asked for a tool, which nobody had offered");
}

#[tokio::test]
async fn errors_say_what_they_are_and_how_long_to_wait() {
    let exhausted = |quota: &str, delay: &str| {
        json!([{ "error": { "code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota",
            "details": [
                { "@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{ "quotaId": quota }] },
                { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay },
            ] } }])
    };
    let minute = exhausted("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "0.3s");
    let server = Server::start([json_answer(429, minute), GenerateContent.answer(false, "Yes.")]).await;
    let answer = answered(ask(&google(&server, ""), request()).await);
    assert!(answer.latency_ms >= 300, "{} ms", answer.latency_ms);

    let day = exhausted("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "17s");
    let server = Server::start([json_answer(429, day)]).await;
    let failure = failed(ask(&google(&server, ""), request()).await);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::Quota, 1));

    let denied = json!({ "error": { "code": 403, "status": "PERMISSION_DENIED", "message": "denied" } });
    let server = Server::start([json_answer(403, denied)]).await;
    assert_eq!(failed(ask(&google(&server, ""), request()).await).kind, FailureKind::Authentication);

    // As Google ends a stream that breaks: over several lines, and without the prefix.
    let broken =
        json!({ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } });
    let broken = serde_json::to_string_pretty(&broken).expect("JSON");
    let server = Server::start([stream([GenerateContent.first_piece("Use"), broken])]).await;
    let failure = failed(listen_once(&google(&server, ""), request()).await.0);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::Overloaded, true));
    assert!(failure.detail.to_string().ends_with(": The model is overloaded."), "{}", failure.detail);

    let cut = Server::start([stream([GenerateContent.first_piece("Use")])]).await;
    let failure = failed(listen_once(&google(&cut, ""), request()).await.0);
    assert_eq!((failure.kind, failure.doubtful), (FailureKind::Network, true));
}

#[tokio::test]
async fn every_error_that_google_has_a_word_for_is_known() {
    use FailureKind::*;
    for kind in [Authentication, Quota, ContextTooLong, BadRequest, RateLimit, Overloaded] {
        let (code, body) = GenerateContent.refusal(kind).expect("Google has a word for it");
        let json = [("content-type", "application/json")];
        let server = Server::start((0..4).map(|_| status(code, &json, &body))).await;
        assert_eq!(failed(ask_once(&google(&server, ""), request()).await).kind, kind);
        let event = GenerateContent.error_event(kind).expect("a word");
        let server = Server::start((0..4).map(|_| stream([event.clone()]))).await;
        assert_eq!(failed(listen_once(&google(&server, ""), request()).await.0).kind, kind);
    }
}

#[tokio::test]
async fn models_are_listed_over_all_pages() {
    let page = |names: &[&str], next: Option<&str>| {
        let models: Vec<Value> = names
            .iter()
            .map(|name| json!({ "name": name, "supportedGenerationMethods": ["generateContent"] }))
            .collect();
        json_answer(200, json!({ "models": models, "nextPageToken": next }))
    };
    let embed = json!({ "models": [
        { "name": "models/embedding-001", "supportedGenerationMethods": ["embedContent"] }] });
    let (code, unknown) = GenerateContent.refusal(FailureKind::ModelUnknown).expect("a word");
    let server = Server::start([
        page(&["models/gemini-2.5-pro"], Some("a/b=")),
        page(&["models/gemini-2.5-flash"], Some("c")),
        json_answer(200, embed),
        status(code, &[], &unknown),
        page(&["models/qwen3-max"], None),
    ])
    .await;
    let lab = google(&server, "");
    assert_eq!(lab.list_models().await.expect("a list"), ["gemini-2.5-flash", "gemini-2.5-pro"]);
    let seen = server.seen();
    assert_eq!(seen[0].line, "GET /v1beta/models?pageSize=1000");
    assert_eq!(seen[1].line, "GET /v1beta/models?pageSize=1000&pageToken=a%2Fb%3D");
    assert_eq!(seen[0].headers["x-goog-api-key"], KEY);
    let failure = failed(ask(&lab, request()).await);
    assert_eq!((failure.kind, &*failure.hint.to_string()), (FailureKind::ModelUnknown, "lab has qwen3-max"));
}
