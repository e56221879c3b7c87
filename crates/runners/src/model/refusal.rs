//! Classification of a provider's refusals by what a person can do about them.
//!
//! Providers agree on few status codes and on no wording. So known phrases decide first, and the status
//! decides about the rest.

use std::time::{Duration, SystemTime};

use quorate_contract::FailureKind;
use quorate_messages::message;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::failure::{Again, AttemptFailure, Spent, hint, shorten, speaks, wants_v1};
use super::vendor_errors::{is_daily, is_own_overload, kind_by_code};
use super::{waits, window};
use crate::provider::ProviderConfig;
use crate::wire_format::WireFormat;

/// Sorts an answer with a status of 300 or more.
pub(crate) fn refused(
    config: &ProviderConfig,
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
) -> AttemptFailure {
    let text = String::from_utf8_lossy(body);
    let words = text.to_lowercase();
    if status.is_redirection() {
        return moved(config, status, headers);
    }
    let json: Value = serde_json::from_str(&text).unwrap_or_default();
    let kind = kind_by_code(&json).unwrap_or_else(|| kind_of(Some(status), &words));
    let doubtful = kind == FailureKind::Malformed
        || kind == FailureKind::Overloaded && !is_own_overload(Some(status.as_u16()), &json);
    let provider = &config.name;
    let reason = status.canonical_reason().unwrap_or_default();
    let code = format!("{} {reason}", status.as_u16());
    let code = code.trim_end();
    let answered = match message_in(&text).map(|said| shorten(&config.redact(said))) {
        Some(said) => message!("failure-answered-said", provider, status = code, said),
        None => message!("failure-answered", provider, status = code),
    };
    let asked = asked_to_wait(status, headers, &text);
    let detail = match asked.filter(|wait| !wait.is_zero()) {
        Some(wait) => {
            let seconds = match wait.as_secs() < 10 {
                true => format!("{:.1}", wait.as_secs_f64()),
                false => wait.as_secs_f64().ceil().to_string(),
            };
            message!("failure-asks-to-wait", failure = answered, seconds)
        }
        None => answered,
    };
    let speaks_responses = config.wire == WireFormat::Openai && is_for_responses(&words);
    let is_path = status == StatusCode::NOT_FOUND && kind == FailureKind::BadRequest && !speaks_responses;
    let hint = if is_path {
        let url = config.shown_url();
        let title = config.wire.wire().title();
        match config.wire {
            WireFormat::Openai | WireFormat::Responses => wants_v1(&url, title),
            _ => speaks(&url, title),
        }
    } else if speaks_responses {
        let name = &config.name;
        message!("remedy-use-responses-format", %name)
    } else if status == StatusCode::PROXY_AUTHENTICATION_REQUIRED {
        let name = &config.name;
        message!("remedy-check-proxy-password", %name)
    } else {
        hint(config, kind)
    };
    AttemptFailure {
        kind,
        detail,
        hint,
        // Some servers know better than their status whether it helps. None of them proves by it that
        // nothing was done.
        again: match (
            headers.get("x-should-retry").map(|value| value.as_bytes()),
            again(kind, doubtful, asked),
        ) {
            (Some(b"false"), _) => Again::Never,
            (Some(b"true"), Again::Never) => Again::Doubtful,
            (_, again) => again,
        },
        spent: if doubtful { Spent::Unknown { written: 0 } } else { Spent::Nothing },
        asked,
        status: Some(status.as_u16()),
        // Some servers answer 500 to what their template or grammar does not take.
        refusal: match (status.as_u16(), kind) {
            // OpenRouter, whose models of an answer are other servers.
            (404, FailureKind::BadRequest) if words.contains("image input") => Some(words.into()),
            (400 | 422, FailureKind::BadRequest) | (500 | 501, FailureKind::Overloaded) => Some(words.into()),
            _ => None,
        },
        request_id: None,
        window: window::named(kind, &text),
    }
}

/// Classifies an error that came in the middle of a stream, or under a status of success. `begun` tells
/// whether a part of the answer had come.
pub(crate) fn reported(config: &ProviderConfig, error: &str, begun: bool) -> AttemptFailure {
    let json: Value = serde_json::from_str(error).unwrap_or_default();
    let code = Some(&json).and_then(|error| {
        let code = error.get("code")?;
        let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
        StatusCode::from_u16(u16::try_from(number).ok()?).ok()
    });
    let code = code.filter(|code| code.is_client_error() || code.is_server_error());
    let words = error.to_lowercase();
    let kind = kind_by_code(&json).unwrap_or_else(|| kind_of(code, &words));
    let own = is_own_overload(code.map(|code| code.as_u16()), &json);
    let doubtful = begun || kind == FailureKind::Overloaded && !own;
    let asked = waits::by_body(error);
    let wrapped = format!(r#"{{"error":{error}}}"#);
    let provider = &config.name;
    let detail = match message_in(&wrapped).map(|said| shorten(&config.redact(said))) {
        Some(said) => message!("failure-reported-said", provider, said),
        None => message!("failure-reported", provider),
    };
    AttemptFailure {
        kind,
        detail,
        hint: hint(config, kind),
        again: again(kind, doubtful, asked),
        spent: if doubtful { Spent::Unknown { written: 0 } } else { Spent::Nothing },
        asked,
        status: code.map(|code| code.as_u16()),
        // Some servers have one status for everything.
        refusal: (kind == FailureKind::BadRequest && !begun).then(|| words.into()),
        request_id: None,
        window: window::named(kind, error),
    }
}

/// Whether a refusal of chat completions says that the model supports only the Responses API.
fn is_for_responses(words: &str) -> bool {
    words.contains("v1/responses") || words.contains("not a chat model")
}

/// The failure of a redirect. It is not followed: the key would be sent to an address that the operator has
/// not chosen.
fn moved(config: &ProviderConfig, status: StatusCode, headers: &HeaderMap) -> AttemptFailure {
    let target = headers.get(LOCATION).and_then(|value| value.to_str().ok());
    let target = target.and_then(|location| config.base_url.join(location).ok());
    let (provider, status_code) = (&config.name, status.as_u16().to_string());
    let detail = match target.map(|url| url.origin()).filter(|origin| origin.is_tuple()) {
        Some(origin) => {
            let place = shorten(&config.redact(origin.ascii_serialization()));
            message!("failure-moved", provider, status = status_code, place)
        }
        None => message!("failure-moved-elsewhere", provider, status = status_code),
    };
    AttemptFailure {
        kind: FailureKind::BadRequest,
        detail,
        hint: message!("remedy-set-final-address", shown_url = %config.shown_url()),
        again: Again::Never,
        spent: Spent::Nothing,
        asked: None,
        status: Some(status.as_u16()),
        refusal: None,
        request_id: None,
        window: None,
    }
}

/// Whether a refused request is sent again: without charge only where it is proven that nothing was done,
/// which is a rate limit, or a vendor's own report of overload. Any other server error may come from a
/// gateway, after the work was done.
fn again(kind: FailureKind, doubtful: bool, wait: Option<Duration>) -> Again {
    match kind {
        FailureKind::RateLimit | FailureKind::Overloaded | FailureKind::Malformed if doubtful => {
            Again::Doubtful
        }
        FailureKind::RateLimit | FailureKind::Overloaded => Again::Safely(wait),
        _ => Again::Never,
    }
}

const CONTEXT: [&str; 16] = [
    "request_too_large",
    "exceed context limit",
    "context_length_exceeded",
    "context length",
    "context_length",
    "exceed_context_size",
    "available context size",
    "context window",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "exceeds max length",
    "reduce the length",
    "too many input tokens",
    "maximum number of tokens allowed",
    "maximum number of input tokens",
];
// Some vendors write Chinese, whatever the language of the request.
const QUOTA: [&str; 10] = [
    "billing_error",
    "insufficient_quota",
    "insufficient balance",
    "insufficient_balance",
    "insufficient credit",
    "credit balance",
    "billing_hard_limit",
    "arrearage",
    "余额不足",
    "欠费",
];
const KEY: [&str; 10] = [
    // LiteLLM without a database looks for a key that is none of its own there.
    "no_db_connection",
    "permission_error",
    "invalid_api_key",
    "invalid api key",
    "incorrect api key",
    "api key not valid",
    "api_key_invalid",
    "api key expired",
    "api key not found",
    "authentication_error",
];
const CONTENT: [&str; 9] = [
    "content_filter",
    "content_policy",
    "content policy",
    "content management policy",
    "content exists risk",
    "data_inspection_failed",
    "responsibleaipolicy",
    "sensitive_content",
    "敏感内容",
];
const MODEL: [&str; 7] = [
    "invalid model name",
    "model_not_found",
    "model not exist",
    "model not found",
    "not a valid model",
    "no such model",
    "模型不存在",
];

/// The kind of a refusal, by its words (in lower case) first and its status second.
fn kind_of(status: Option<StatusCode>, words: &str) -> FailureKind {
    let speaks_of = |list: &[&str]| list.iter().any(|word| words.contains(word));
    let code = status.map_or(0, |status| status.as_u16());
    let about_the_request = matches!(code, 0 | 400 | 404 | 413 | 422 | 500);
    let unknown_model = words.contains("model")
        && (words.contains("does not exist") || words.contains("not found"))
        || (words.contains("not_found_error") && words.contains("model: "));
    if code == 500 && words.contains("model produced output that does not match") {
        // llama-server: the model has answered, and not in the shape that it was held to.
        FailureKind::Malformed
    } else if about_the_request && speaks_of(&CONTEXT) {
        FailureKind::ContextTooLong
    } else if speaks_of(&QUOTA) || (code == 429 && is_daily(words)) {
        FailureKind::Quota
    } else if matches!(code, 401 | 403 | 407) || (about_the_request && speaks_of(&KEY)) {
        FailureKind::Authentication
    } else if (about_the_request || code == 451) && speaks_of(&CONTENT) {
        FailureKind::ContentRefused
    } else if about_the_request && (speaks_of(&MODEL) || (code != 500 && unknown_model)) {
        FailureKind::ModelUnknown
    } else {
        match code {
            402 => FailureKind::Quota,
            413 => FailureKind::ContextTooLong,
            429 => FailureKind::RateLimit,
            0 if speaks_of(&["rate limit", "rate_limit", "too many requests"]) => FailureKind::RateLimit,
            0 if speaks_of(&["invalid_request_error"]) => FailureKind::BadRequest,
            // 460, 498 and 499: a gateway gave up waiting, or is overloaded.
            0 | 408 | 409 | 425 | 460 | 498 | 499 => FailureKind::Overloaded,
            501 | 505 => FailureKind::BadRequest,
            500.. => FailureKind::Overloaded,
            _ => FailureKind::BadRequest,
        }
    }
}

/// What an error that an agent hands on is about, where its words say something definite.
pub(crate) fn kind_by_words(words: &str) -> Option<FailureKind> {
    let words = words.to_lowercase();
    let speaks_of = |list: &[&str]| list.iter().any(|word| words.contains(word));
    if speaks_of(&CONTEXT) {
        Some(FailureKind::ContextTooLong)
    } else if speaks_of(&QUOTA) {
        Some(FailureKind::Quota)
    } else if speaks_of(&KEY) {
        Some(FailureKind::Authentication)
    } else if speaks_of(&CONTENT) {
        Some(FailureKind::ContentRefused)
    } else if speaks_of(&MODEL) || says_that_a_model_is_missing(&words) {
        Some(FailureKind::ModelUnknown)
    } else if speaks_of(&["rate limit", "rate_limit", "too many requests"]) {
        Some(FailureKind::RateLimit)
    } else {
        is_own_overload(None, &Value::String(words)).then_some(FailureKind::Overloaded)
    }
}

/// Whether a text in lower case says of a model that there is none, and not of a file or another thing.
fn says_that_a_model_is_missing(words: &str) -> bool {
    const MISSING: [&str; 6] =
        ["not found", "does not exist", "doesn't exist", "not available", "not supported", "is unknown"];
    const NAMED: [&str; 3] = ["unknown model", "invalid model", "unsupported model"];
    if NAMED.iter().any(|phrase| words.contains(phrase)) {
        return true;
    }
    words.match_indices("model").any(|(at, word)| {
        let is_word = words[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let rest = &words[at + word.len()..];
        let is_named = rest.starts_with([' ', ':', '"', '\'', '`', '=']);
        let clause = rest.split(['\n', ';', ',']).next().unwrap_or("");
        let clause: String = clause.chars().take(100).collect();
        let clause = clause.split(". ").next().unwrap_or("");
        is_word && is_named && MISSING.iter().any(|phrase| clause.contains(phrase))
            || is_word && rest.starts_with(": ") && words.contains("not_found_error")
    })
}

/// The wait that the server asks for, in any of the known forms.
fn asked_to_wait(status: StatusCode, headers: &HeaderMap, body: &str) -> Option<Duration> {
    let now = SystemTime::now();
    let asked = retry_after(headers, now);
    if status != StatusCode::TOO_MANY_REQUESTS {
        return asked;
    }
    asked.or_else(|| waits::by_body(body)).or_else(|| waits::by_headers(headers, now))
}

/// The longest wait that is told apart from a longer one: a year.
const LONGEST_WAIT: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// The wait in `retry-after-ms` or `retry-after` (seconds or a date).
fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    // A number that no duration holds is a long wait, not none.
    let seconds = |number: f64| match number.is_finite() {
        true => Duration::try_from_secs_f64(number.min(LONGEST_WAIT.as_secs_f64())).ok(),
        false => None,
    };
    if let Some(ms) = text("retry-after-ms").and_then(|ms| ms.parse::<f64>().ok()) {
        return seconds(ms / 1000.0);
    }
    let text = text(RETRY_AFTER.as_str())?;
    match text.parse::<f64>() {
        Ok(number) => seconds(number),
        Err(_) => httpdate::parse_http_date(text).ok()?.duration_since(now).ok(),
    }
}

/// The message in a body: of the shapes that are known, or the body itself when it is plain
/// text. A web page has none.
fn message_in(body: &str) -> Option<String> {
    let Ok(value) = serde_json::from_str::<Value>(body) else {
        let text = body.trim();
        let is_markup = text.starts_with('<') || text.starts_with('{') || text.is_empty();
        return (!is_markup).then(|| text.to_owned());
    };
    fn text_of(value: &Value) -> Option<String> {
        match value {
            // A gateway passes on the error of the server behind it as text.
            Value::String(text) if text.starts_with('{') => {
                let inner = serde_json::from_str(text).ok();
                inner.as_ref().and_then(text_of).or_else(|| Some(text.clone()))
            }
            Value::String(text) => Some(text.clone()),
            Value::Object(fields) => {
                ["message", "error", "msg", "detail"].iter().find_map(|key| text_of(fields.get(*key)?))
            }
            Value::Array(items) => items.first().and_then(text_of),
            _ => None,
        }
    }
    text_of(&value).filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use quorate_contract::Language;

    use super::*;

    fn said(failed: &AttemptFailure) -> String {
        failed.detail.text(Language::En)
    }

    #[test]
    fn the_words_of_an_agent_are_no_guess() {
        use FailureKind::{ModelUnknown, Overloaded, Quota, RateLimit};
        let told = |words: &str| kind_by_words(words);
        for words in [
            "Internal error: {\"details\":\"404 model: claude-none not_found_error\"}",
            "There's an issue with the selected model (opus-9). It may not exist: model 'opus-9' not found",
            "The model `gpt-9` does not exist or you do not have access to it.",
            "unknown model gpt-9",
            "models/gemini-9 is not found; no such model",
        ] {
            assert_eq!(told(words), Some(ModelUnknown), "{words}");
        }
        assert_eq!(told("429 Too Many Requests"), Some(RateLimit));
        assert_eq!(told("Your credit balance is too low"), Some(Quota));
        assert_eq!(told("Overloaded"), Some(Overloaded));
        for words in
            ["Internal error", "src/model.rs not found", "The data model is fine. The file was not found", ""]
        {
            assert_eq!(told(words), None, "{words}");
        }
    }

    fn config() -> ProviderConfig {
        let mut config = ProviderConfig::new("lab", "https://api.example.com/v1".parse().expect("a URL"));
        config.key_variable = Some("LAB_KEY".to_owned());
        config.key = Some(crate::Secret::new("sk-planted-key-123"));
        config
    }

    fn sorted(status: u16, body: &str) -> AttemptFailure {
        let status = StatusCode::from_u16(status).expect("a status");
        refused(&config(), status, &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn the_words_of_many_providers_are_known() {
        use FailureKind::*;
        let cases = [
            (401, r#"{"error":{"message":"Incorrect API key provided"}}"#, Authentication),
            (403, "", Authentication),
            (
                500,
                r#"{"error":{"code":500,"message":"The model produced output that does not match the expected peg-native format","type":"server_error"}}"#,
                Malformed,
            ),
            (
                400,
                r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#,
                Authentication,
            ),
            (
                400,
                r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=nope. Call `/v1/models` to view available models for your key.","type":"invalid_request_error","code":"400"}}"#,
                ModelUnknown,
            ),
            (
                400,
                r#"[{"error":{"message":"API key not valid. Please pass a valid API key."}}]"#,
                Authentication,
            ),
            (402, r#"{"error":{"message":"Insufficient Balance"}}"#, Quota),
            (
                429,
                r#"{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}"#,
                Quota,
            ),
            (429, r#"{"error":{"code":"1113","message":"您的账户已欠费，请充值后重试"}}"#, Quota),
            (
                429,
                r#"[{"error":{"status":"RESOURCE_EXHAUSTED","message":"You exceeded your current quota"}}]"#,
                RateLimit,
            ),
            (
                404,
                r#"{"error":{"code":"model_not_found","message":"The model `x` does not exist"}}"#,
                ModelUnknown,
            ),
            (404, r#"{"error":{"message":"model \"x\" not found, try pulling it first"}}"#, ModelUnknown),
            (400, r#"{"error":{"message":"Model Not Exist"}}"#, ModelUnknown),
            (404, "404 page not found", BadRequest),
            (
                400,
                r#"{"error":{"code":"context_length_exceeded","message":"maximum context length is 8192"}}"#,
                ContextTooLong,
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000"}"#,
                ContextTooLong,
            ),
            (
                400,
                r#"{"error":{"code":400,"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}"#,
                ContextTooLong,
            ),
            (400, r#"{"error":"prompt too long; exceeded max context length by 4 tokens"}"#, ContextTooLong),
            (413, "<html>", ContextTooLong),
            (400, r#"{"error":{"code":"content_filter","message":"filtered"}}"#, ContentRefused),
            (400, r#"{"error":{"message":"Content Exists Risk"}}"#, ContentRefused),
            (429, "", RateLimit),
            (408, "", Overloaded),
            (409, "", Overloaded),
            (500, "oops: model runner has crashed, log not found", Overloaded),
            (503, "", Overloaded),
            (
                529,
                r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
                Overloaded,
            ),
            (501, "", BadRequest),
            (400, r#"{"error":{"message":"temperature must be below 2"}}"#, BadRequest),
        ];
        for (status, body, kind) in cases {
            let failed = sorted(status, body);
            assert_eq!(failed.kind, kind, "{status} {body}");
            assert!(failed.hint.is_of_events());
        }
    }

    #[test]
    fn a_model_for_the_responses_alone_says_which_setting_helps() {
        for words in [
            "This model is only supported in v1/responses and not in v1/chat/completions.",
            "This is not a chat model and thus not supported in the v1/chat/completions endpoint.",
        ] {
            let failed = sorted(404, words);
            assert_eq!(failed.kind, FailureKind::BadRequest);
            assert!(
                failed.hint.text(Language::En).ends_with("set the provider lab to the format `responses`"),
                "{:?}",
                failed.hint
            );
        }
    }

    #[test]
    fn details_are_one_short_line_without_keys_and_web_pages() {
        let page = sorted(502, "<!doctype html><html><body>Bad gateway sk-planted-key-123</body>");
        assert_eq!(said(&page), "lab answered 502 Bad Gateway");
        let echo = sorted(401, r#"{"error":{"message":"bad key:\n sk-planted-key-123"}}"#);
        assert_eq!(said(&echo), "lab answered 401 Unauthorized: bad key: [key]");
        assert_eq!(echo.hint.text(Language::En), "check the key in LAB_KEY, or give lab another one");
        let long = format!("{}sk-planted-key-123", "x".repeat(290));
        let failed = sorted(400, &long);
        assert!(!said(&failed).contains("sk-pl"), "a half key: {}", said(&failed));
        assert!(said(&failed).chars().count() < 350);
        let validation = sorted(422, r#"{"detail":[{"loc":["body","n"],"msg":"not a number"}]}"#);
        assert_eq!(said(&validation), "lab answered 422 Unprocessable Entity: not a number");
    }

    #[test]
    fn retry_after_is_read_in_all_its_forms() {
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:30 GMT").expect("a date");
        let wait = |name: &'static str, value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().expect("a header"));
            retry_after(&headers, now)
        };
        assert_eq!(wait("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(wait("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(wait("retry-after", "99999999999999999999"), Some(LONGEST_WAIT));
        assert_eq!(wait("retry-after", "-1"), None);
        assert_eq!(wait("retry-after-ms", "250"), Some(Duration::from_millis(250)));
        let date = wait("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(date, Some(Duration::from_secs(7)));
        for nonsense in ["soon", "-5", "NaN", "1e400", "Sun, 06 Nov 1994 08:49:29 GMT"] {
            assert_eq!(wait("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn an_error_inside_a_stream_may_be_asked_again_only_with_care_once_the_answer_has_begun() {
        let overloaded = r#"{"message":"Overloaded","type":"overloaded_error","code":503}"#;
        assert_eq!(reported(&config(), overloaded, false).again, Again::Safely(None));
        assert_eq!(reported(&config(), overloaded, true).again, Again::Doubtful);
        let text = reported(&config(), r#""rate limit reached for sk-planted-key-123""#, false);
        assert_eq!(text.kind, FailureKind::RateLimit);
        assert!(said(&text).ends_with("rate limit reached for [key]"), "{}", said(&text));
        let bad = reported(&config(), r#"{"message":"no","code":"400"}"#, true);
        assert_eq!((bad.kind, bad.again), (FailureKind::BadRequest, Again::Never));
    }
}
