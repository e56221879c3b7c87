//! GLM and DeepSeek, which use OpenAI's format with extensions.

use quorate_contract::{Effort, FailureKind, ModelParameters, RunnerSpec, StopReason};
use quorate_runners::{ModelRunner, Structured};
use serde_json::{Value, json};

use crate::helpers::*;
use crate::server::{Server, chunked, json as json_answer, status, stream};

fn of(vendor: &str, server: &Server) -> ModelRunner {
    let mut config = provider(&server.url());
    config.vendor = Some(vendor.to_owned());
    config.structured = Structured::JsonObject;
    ModelRunner::new(config).expect("a good configuration")
}

#[tokio::test]
async fn glms_numbers_are_known_under_every_status_as_text_and_as_numbers() {
    use FailureKind::*;
    let (mut script, mut expected) = (Vec::new(), Vec::new());
    for (code, at, message, kind) in [
        (1113, 429, "您的账户余额不足，请充值后重试", Quota),
        (1000, 401, "身份验证失败", Authentication),
        (1001, 401, "Header 中未收到 Authentication 参数，无法进行身份验证", Authentication),
        (1002, 401, "Authentication Token 非法", Authentication),
        (1302, 429, "您当前使用该 API 的并发数过高，请降低并发", RateLimit),
        (1303, 429, "您当前使用该 API 的频率过高，请降低频率", RateLimit),
        (1305, 429, "当前 API 请求过多，请稍后重试", RateLimit),
        (1308, 429, "Usage limit reached for 5 hour", Quota),
        (1211, 400, "模型不存在，请检查模型代码", ModelUnknown),
        (1261, 400, "Prompt 超长", ContextTooLong),
        (1301, 400, "系统检测到输入或生成内容可能包含不安全或敏感内容", ContentRefused),
        (1214, 400, "messages 参数非法。请检查文档", BadRequest),
    ] {
        let text = json!({ "error": { "code": code.to_string(), "message": message } });
        let number = json!({ "error": { "code": code, "message": message } });
        for answer in [
            json_answer(at, text.clone()),
            json_answer(200, number.clone()),
            stream([format!("data: {text}\n\n")]),
            json_answer(at, number),
        ] {
            expected.push((format!("{code} {answer:?}"), kind));
            script.push(answer);
            if kind == ModelUnknown {
                script.push(status(500, &[], "no list of models"));
            }
        }
    }
    script.push(json_answer(200, json!({ "code": 1113, "msg": "余额不足", "success": false })));
    expected.push(("without a wrapping".to_owned(), Quota));
    let server = Server::start(script).await;
    let mut config = provider(&server.url());
    config.retries = 0;
    let lab = ModelRunner::new(config).expect("a good configuration");
    for (answer, kind) in expected {
        assert_eq!(failed(ask_once(&lab, request()).await).kind, kind, "{answer}");
    }
}

#[tokio::test]
async fn an_error_in_place_of_a_refusal_is_learned_from() {
    let refusal = json!({ "error": { "code": "1210", "message": "response_format 参数不支持" } });
    let server = Server::start([json_answer(200, refusal), good(false, "{}")]).await;
    let mut turn = request();
    turn.prompt.schema = Some(vote_schema());
    let mut config = provider(&server.url());
    config.structured = Structured::Auto;
    answered(ask(&ModelRunner::new(config).expect("a good configuration"), turn).await);
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn glms_reasons_to_end_are_known() {
    let ended = async |text: &str, reason: &str| {
        let server = Server::start([chunked([piece(text), event(json!({}), Some(reason))])]).await;
        listen_once(&of("glm", &server), request()).await.0
    };
    assert_eq!(failed(ended("", "sensitive").await).kind, FailureKind::ContentRefused);
    assert_eq!(answered(ended("Half", "sensitive").await).stop, StopReason::ContentFilter);
    let broken = failed(ended("Half", "network_error").await);
    assert_eq!((broken.kind, broken.doubtful), (FailureKind::Overloaded, true));
    assert_eq!(answered(ended("Half", "model_context_window_exceeded").await).stop, StopReason::Length);
    let broken = failed(ended("Half", "insufficient_system_resource").await);
    assert_eq!((broken.kind, broken.doubtful), (FailureKind::Overloaded, true));
}

#[tokio::test]
async fn effort_is_a_switch_and_is_left_out_where_it_is_refused() {
    let thinking = async |vendor: &str, effort| {
        let server = Server::start([good(false, "Yes.")]).await;
        let mut turn = request();
        turn.runner = model(ModelParameters { effort, ..ModelParameters::default() });
        answered(ask(&of(vendor, &server), turn).await);
        server.seen()[0].body["thinking"].clone()
    };
    let enabled = json!({ "type": "enabled" });
    assert_eq!(thinking("glm", Some(Effort::High)).await, enabled);
    assert_eq!(thinking("deepseek", Some(Effort::Low)).await, enabled);
    assert_eq!(thinking("glm", Some(Effort::None)).await, json!({ "type": "disabled" }));
    assert_eq!(thinking("glm", None).await, Value::Null);
    assert_eq!(thinking("openai", Some(Effort::High)).await, Value::Null);

    let refusal = json!({ "error": { "code": "1210", "message": "thinking 参数有误" } });
    let refusals = vec![json_answer(400, refusal); 2];
    let server = Server::start(refusals.into_iter().chain([good(false, "Yes.")])).await;
    let mut turn = request();
    turn.runner = model(ModelParameters { effort: Some(Effort::High), ..ModelParameters::default() });
    answered(ask(&of("glm", &server), turn).await);
    assert_eq!(server.seen()[2].body["thinking"], Value::Null);
}

#[tokio::test]
async fn beside_the_switch_stands_an_effort_where_the_model_knows_one() {
    let told = async |vendor: &str, name: &str, effort| {
        let server = Server::start([good(false, "Yes.")]).await;
        let mut turn = request();
        turn.runner = model(ModelParameters { effort: Some(effort), ..ModelParameters::default() });
        let RunnerSpec::Model { model, .. } = &mut turn.runner else { panic!("a model") };
        name.clone_into(model);
        answered(ask(&of(vendor, &server), turn).await);
        let body = &server.seen()[0].body;
        (body["thinking"]["type"].clone(), body["reasoning_effort"].clone())
    };
    for (vendor, name, effort, expected) in [
        ("deepseek", "deepseek-flash", Effort::Low, (json!("enabled"), json!("low"))),
        ("deepseek", "deepseek-flash", Effort::None, (json!("disabled"), Value::Null)),
        ("zai", "glm-5.3", Effort::High, (json!("enabled"), json!("high"))),
        // It cannot do without thinking.
        ("zai", "glm-5.3", Effort::None, (json!("enabled"), json!("low"))),
        ("glm", "glm-4.6", Effort::High, (json!("enabled"), Value::Null)),
        ("openai", "gpt-6.2-sol", Effort::None, (Value::Null, json!("low"))),
        ("openai", "gpt-6-luna", Effort::None, (Value::Null, json!("none"))),
    ] {
        assert_eq!(told(vendor, name, effort).await, expected, "{name} {effort:?}");
    }
}

#[tokio::test]
async fn deepseek_is_understood_through_its_keep_alives() {
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 20, "completion_tokens": 5,
        "prompt_cache_hit_tokens": 16, "prompt_cache_miss_tokens": 4,
        "completion_tokens_details": { "reasoning_tokens": 3 } } });
    let wire = [
        ": keep-alive\n\n: keep-alive\n\n\n\n".to_owned(),
        event(json!({ "content": null, "reasoning_content": "Hm." }), None),
        event(json!({ "content": "Yes.", "reasoning_content": null }), None),
        event(json!({ "content": "" }), Some("stop")),
        format!("data: {usage}\n\ndata: [DONE]\n\n"),
    ];
    let server = Server::start([chunked(wire)]).await;
    let (outcome, ear) = listen(&of("deepseek", &server), request()).await;
    let answer = answered(outcome);
    assert_eq!((answer.text.as_str(), ear.reasoning().as_str()), ("Yes.", "Hm."));
    assert_eq!((answer.usage.cached_tokens, answer.usage.reasoning_tokens), (16, 3));

    let blank = format!("\n\n\n{}", completion("Yes."));
    let server = Server::start([status(200, &[("content-type", "application/json")], &blank)]).await;
    assert_eq!(answered(ask(&of("deepseek", &server), request()).await).text, "Yes.");
}

#[tokio::test]
async fn deepseeks_refusals_are_known_and_an_empty_object_is_asked_for_once_more() {
    for (at, message, kind) in [
        (402, "Insufficient Balance", FailureKind::Quota),
        (400, "Content Exists Risk", FailureKind::ContentRefused),
        (401, "Authentication Fails, Your api key: ****0123 is invalid", FailureKind::Authentication),
        (400, "Model Not Exist", FailureKind::ModelUnknown),
    ] {
        let error = json!({ "error": { "message": message, "type": "invalid_request_error", "code": "x" } });
        let server = Server::start([json_answer(at, error)]).await;
        assert_eq!(failed(ask_once(&of("deepseek", &server), request()).await).kind, kind, "{message}");
    }
    let server = Server::start([good(false, "\n\n  "), good(false, "{}")]).await;
    let mut turn = request();
    turn.prompt.schema = Some(vote_schema());
    assert_eq!(answered(ask(&of("deepseek", &server), turn).await).text, "{}");
}
