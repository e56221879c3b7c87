//! Requests, and the reading of whole answers.

use quorate_contract::{FailureKind, ModelParameters, StopReason, Usage};
use serde_json::{Value, json};

use crate::helpers::*;
use crate::server::{Server, json as json_answer, status};

#[tokio::test]
async fn a_turn_is_sent_in_full_and_answered() {
    let server = Server::start([json_answer(200, completion("Use SQLite."))]).await;
    let mut turn = request();
    let parameters = ModelParameters {
        temperature: Some(0.5),
        top_p: Some(0.9),
        max_tokens: Some(99),
        effort: None,
        thinking_tokens: None,
        context_tokens: None,
    };
    turn.runner = model(parameters);
    turn.prompt.messages = vec![user("Which one?"), assistant("SQLite."), user("Why?")];
    turn.prompt.schema = Some(vote_schema());
    let schema = vote_schema().schema;

    let answer = answered(ask(&runner(&server), turn).await);

    assert_eq!(answer.text, "Use SQLite.");
    assert_eq!((answer.reasoning, answer.stop), (None, StopReason::Stop));
    let counted = Usage { input_tokens: 20, output_tokens: 5, ..Usage::default() };
    assert_eq!(answer.usage, counted);
    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /v1/chat/completions");
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(seen.headers["content-type"], "application/json");
    assert_eq!(seen.headers["idempotency-key"], "m-1/speak:r1t2#1");
    let expected = json!({
        "model": "qwen3",
        "messages": [
            { "role": "system", "content": "You are Ada." },
            { "role": "user", "content": "Which one?" },
            { "role": "assistant", "content": "SQLite." },
            { "role": "user", "content": "Why?" },
        ],
        "max_tokens": 99,
        "temperature": 0.5,
        "top_p": 0.9,
        "response_format": {
            "type": "json_schema",
            "json_schema": { "name": "vote", "schema": *schema, "strict": true },
        },
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn what_is_not_set_is_not_sent_and_without_a_key_there_is_no_header_for_one() {
    let server = Server::start([json_answer(200, completion("Yes."))]).await;
    let mut config = provider(&format!("{}/", server.url()));
    (config.key, config.key_variable) = (None, None);
    let lab = quorate_runners::ModelRunner::new(config).expect("a good configuration");
    let mut turn = request();
    turn.prompt.system = String::new();

    answered(ask(&lab, turn).await);

    let seen = &server.seen()[0];
    assert_eq!(seen.line, "POST /v1/chat/completions", "a base URL with a final slash");
    assert!(!seen.headers.contains_key("authorization"));
    let expected = json!({
        "model": "qwen3",
        "messages": [{ "role": "user", "content": "Which database?" }],
        "max_tokens": 300,
    });
    assert_eq!(seen.body, expected);
}

#[tokio::test]
async fn a_stream_is_asked_for_when_somebody_listens_and_the_prefix_stays_the_same() {
    let server = Server::start([good(true, "One."), good(false, "Two."), good(false, "Three.")]).await;
    let lab = runner(&server);
    let (first, ear) = listen(&lab, request()).await;
    assert_eq!((answered(first).text, ear.answer()), ("One.".to_owned(), "One.".to_owned()));
    let mut turn = request();
    turn.prompt.messages.extend([assistant("One."), user("And then?")]);
    answered(ask(&lab, turn.clone()).await);
    answered(ask(&lab, turn).await);

    let seen = server.seen();
    assert_eq!(seen[0].body["stream"], true);
    assert_eq!(seen[0].body["stream_options"], json!({ "include_usage": true }));
    assert_eq!(seen[1].body.get("stream"), None);
    let connections: Vec<_> = seen.iter().map(|seen| seen.connection).collect();
    assert_eq!(connections, [0, 1, 1], "a connection is kept, but for that of a stream");
    let prefix = seen[0].text.split(r#"],"max_tokens""#).next().expect("a prefix");
    assert!(seen[1].text.starts_with(prefix), "a provider's cache would miss");
}

/// Sends these messages and returns them as they arrived.
async fn sent(messages: Vec<quorate_contract::PromptMessage>) -> Value {
    let server = Server::start([good(false, "Yes.")]).await;
    let mut turn = request();
    turn.prompt.messages = messages;
    answered(ask(&runner(&server), turn).await);
    server.seen()[0].body["messages"].clone()
}

#[tokio::test]
async fn roles_alternate_and_the_last_word_is_a_users() {
    let system = json!({ "role": "system", "content": "You are Ada." });
    let merged = sent(vec![user("a"), user("b"), assistant("c"), assistant(""), user("d")]).await;
    let expected = json!([
        system,
        { "role": "user", "content": "a\n\nb" },
        { "role": "assistant", "content": "c" },
        { "role": "user", "content": "d" },
    ]);
    assert_eq!(merged, expected);
    let guarded = sent(vec![user("a"), assistant("b")]).await;
    assert_eq!(guarded[3], json!({ "role": "user", "content": "Please go on." }));
    assert_eq!(sent(vec![]).await[1]["role"], "user");
}

/// The outcome of a whole answer with this message and reason to end.
async fn whole(message: Value, finish: &str) -> quorate_contract::Outcome {
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": finish }] });
    let server = Server::start([json_answer(200, body.clone()), json_answer(200, body)]).await;
    ask(&runner(&server), request()).await
}

#[tokio::test]
async fn reasoning_is_taken_apart_wherever_it_stands() {
    for message in [
        json!({ "content": "Yes.", "reasoning_content": "Hm." }),
        json!({ "content": "Yes.", "reasoning": "Hm." }),
        json!({ "content": "Yes.", "reasoning": "Hm.", "reasoning_content": "Hm." }),
        json!({ "content": "<think>Hm.</think>\n\nYes." }),
        json!({ "content": "Hm.</think>\nYes." }),
        json!({ "content": [{ "type": "text", "text": "<think>Hm.</think>" },
                            { "type": "text", "text": "Yes." }] }),
    ] {
        let answer = answered(whole(message.clone(), "stop").await);
        let got = (answer.text.as_str(), answer.reasoning.as_deref());
        assert_eq!(got, ("Yes.", Some("Hm.")), "{message}");
    }
}

#[tokio::test]
async fn an_answer_that_reached_the_limit_is_one_even_when_reasoning_ate_it_all() {
    let cut = answered(whole(json!({ "content": "Half a" }), "length").await);
    assert_eq!((cut.text.as_str(), cut.stop), ("Half a", StopReason::Length));
    let eaten = answered(whole(json!({ "content": "<think>and so on" }), "length").await);
    assert_eq!((eaten.text.as_str(), eaten.stop), ("", StopReason::Length));
    assert_eq!(eaten.reasoning.as_deref(), Some("and so on"));
}

#[tokio::test]
async fn what_was_withheld_or_refused_says_so() {
    let withheld = failed(whole(json!({ "content": null }), "content_filter").await);
    assert_eq!(withheld.kind, FailureKind::ContentRefused);
    let refusal = json!({ "content": null, "refusal": "I can't help with that." });
    let refused = failed(whole(refusal, "stop").await);
    assert_eq!(refused.kind, FailureKind::ContentRefused);
    assert_eq!(refused.detail.to_string(), "the model refused: I can't help with that.");
    let half = answered(whole(json!({ "content": "Half" }), "content_filter").await);
    assert_eq!(half.stop, StopReason::ContentFilter);
}

#[tokio::test]
async fn an_empty_answer_was_paid_for_and_may_be_asked_for_once_more() {
    let server = Server::start([good(false, " \n")]).await;
    let empty = failed(ask_once(&runner(&server), request()).await);
    assert_eq!((empty.kind, empty.doubtful), (FailureKind::Empty, true));
    assert_eq!(empty.usage.map(|usage| usage.total()), Some(25));

    let server = Server::start([good(false, ""), good(false, ""), good(false, "late")]).await;
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!((failure.kind, server.seen().len()), (FailureKind::Empty, 2));
    let thought = failed(whole(json!({ "content": "", "reasoning": "Hm." }), "stop").await);
    assert_eq!(thought.detail.to_string(), "the model thought, but did not answer");
}

#[tokio::test]
async fn usage_that_cannot_be_true_is_estimated() {
    let usage_of = async |usage: Value| {
        let mut body = completion("数据库数据库数据库数");
        body["usage"] = usage;
        let server = Server::start([json_answer(200, body)]).await;
        answered(ask(&runner(&server), request()).await).usage
    };
    let absent = usage_of(Value::Null).await;
    assert_eq!((absent.output_tokens, absent.estimated), (9, true));
    assert!((8..20).contains(&absent.input_tokens), "{absent:?}");
    for wrong in [
        json!({ "prompt_tokens": -5, "completion_tokens": -1 }),
        json!({ "prompt_tokens": 0, "completion_tokens": 0 }),
        json!({ "prompt_tokens": 1e14, "completion_tokens": 99_999_999_999u64 }),
        json!("three"),
    ] {
        assert_eq!(usage_of(wrong.clone()).await, absent, "{wrong}");
    }
    let half = usage_of(json!({ "prompt_tokens": 20, "completion_tokens": null })).await;
    assert_eq!((half.input_tokens, half.output_tokens, half.estimated), (20, 9, true));
    let more = json!({
        "prompt_tokens": 20, "completion_tokens": 30,
        "prompt_tokens_details": { "cached_tokens": 16, "cache_write_tokens": 3 },
        "completion_tokens_details": { "reasoning_tokens": 31 },
    });
    let more = usage_of(more).await;
    assert_eq!((more.cached_tokens, more.reasoning_tokens), (16, 30), "never above the whole");
    assert_eq!(more.cache_write_tokens, 3);
    assert!(!more.estimated);
}

#[tokio::test]
async fn a_server_that_streams_unasked_is_understood() {
    let server = Server::start([good(true, "Yes.")]).await;
    assert_eq!(answered(ask(&runner(&server), request()).await).text, "Yes.");
    let page = status(200, &[("content-type", "text/html")], "<html>Welcome</html>");
    let server = Server::start([page]).await;
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!(failure.kind, FailureKind::Malformed);
    assert!(failure.hint.to_string().contains("/v1"), "{}", failure.hint);
}
