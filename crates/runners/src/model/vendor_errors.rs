//! Vendor-specific error codes and overload messages.

use quorate_contract::FailureKind;
use serde_json::Value;

/// The kind of failure behind a GLM error code, given as text or as a number and under any status.
pub(crate) fn kind_by_code(error: &Value) -> Option<FailureKind> {
    Some(match number(error)? {
        // 1110-1121: the account is locked or was never opened; 1220: it may not use this.
        1000..=1004 | 1100 | 1110..=1112 | 1120 | 1121 | 1220 => FailureKind::Authentication,
        // 1304: calls of a day; 1308-1310: what a subscription holds.
        1113 | 1304 | 1308..=1310 => FailureKind::Quota,
        1302 | 1303 | 1305 | 1313 => FailureKind::RateLimit,
        // 1311: not in the subscription.
        1211 | 1311 => FailureKind::ModelUnknown,
        1261 => FailureKind::ContextTooLong,
        1300 | 1301 => FailureKind::ContentRefused,
        1210 | 1212..=1215 | 1221 | 1222 => FailureKind::BadRequest,
        1200 | 1230 | 1234 | 1312 => FailureKind::Overloaded,
        _ => return None,
    })
}

/// Whether a daily limit was reached, or a limit that is 0 for free accounts: waiting within one call does
/// not help. `words` are in lower case.
pub(crate) fn is_daily(words: &str) -> bool {
    let free = words.contains("free_tier") || words.contains("freetier");
    words.contains("perday")
        || words.contains("_per_day")
        || (words.contains("quota") && words.contains("per day"))
        || (free && words.contains("limit: 0"))
}

/// Phrases with which vendors and their servers refuse a request because of overload, in lower case. Some vendors
/// write Chinese, whatever the language of the request.
const OVERLOAD: [&str; 22] = [
    "overloaded",
    "server_is_overloaded",
    "slow_down",
    "engine_overloaded",
    "unavailable_error",
    "loading model",
    "currently loading",
    "server busy",
    "server is busy",
    "maximum pending requests exceeded",
    "queue_exceeded",
    "queue is full",
    "at capacity",
    "capacity exceeded",
    "capacity_exceeded",
    "no capacity",
    "high demand",
    "high traffic",
    "服务器繁忙",
    "系统繁忙",
    "访问量过大",
    "负载",
];

/// Whether an error, of this status where there was one, is a vendor's own report of overload, which proves
/// that nothing was done. A web page is not, nor is a gateway's report about a vendor that it may have asked
/// several times.
pub(crate) fn is_own_overload(status: Option<u16>, body: &Value) -> bool {
    if !matches!(status, None | Some(429 | 498 | 503 | 529)) {
        return false;
    }
    let error = body.get(0).unwrap_or(body);
    let error = error.get("error").filter(|error| !error.is_null()).unwrap_or(error);
    let texts = match error {
        Value::String(text) => vec![text.as_str()],
        error => ["type", "code", "status", "message", "error_type", "msg", "detail"]
            .iter()
            .filter_map(|key| error.get(key)?.as_str())
            .collect(),
    };
    let is_glms = matches!(number(body), Some(1305 | 1312));
    let words = texts.join("\n").to_lowercase();
    is_glms || !words.contains("litellm") && OVERLOAD.iter().any(|word| words.contains(word))
}

fn number(error: &Value) -> Option<u64> {
    let code = error.get("error").unwrap_or(error).get("code")?;
    code.as_u64().or_else(|| code.as_str()?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn glms_numbers_are_known_as_text_and_as_numbers_wherever_they_stand() {
        for error in [
            json!({ "error": { "code": "1113", "message": "余额不足" } }),
            json!({ "error": { "code": 1113 } }),
            json!({ "code": "1113" }),
        ] {
            assert_eq!(kind_by_code(&error), Some(FailureKind::Quota), "{error}");
        }
        for other in [json!({ "code": 429 }), json!({ "code": "invalid_api_key" }), json!("1113")] {
            assert_eq!(kind_by_code(&other), None, "{other}");
        }
    }

    #[test]
    fn only_a_vendors_own_word_proves_that_nothing_was_done() {
        let own = [
            (
                529,
                json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
            ),
            (
                503,
                json!({ "error": { "message": "The engine is currently overloaded", "type": "server_error" } }),
            ),
            (
                503,
                json!({ "error": { "code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE" } }),
            ),
            (503, json!([{ "error": { "message": "This model is experiencing high demand." } }])),
            (503, json!({ "error": "server busy, please try again.  maximum pending requests exceeded" })),
            (
                503,
                json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } }),
            ),
            (503, json!({ "error": { "code": "1312", "message": "…" } })),
        ];
        for (status, body) in own {
            assert!(is_own_overload(Some(status), &body), "{status} {body}");
            for between in [500, 502, 504, 520, 524] {
                assert!(!is_own_overload(Some(between), &body), "{between} {body}");
            }
        }
        let others = [
            (503, json!(null)),
            (503, json!({ "error": { "message": "Service Unavailable" } })),
            (
                503,
                json!({ "error": { "message": "litellm.ServiceUnavailableError: OpenAIException - overloaded" } }),
            ),
            (
                503,
                json!({ "error": { "message": "Provider returned error", "metadata": { "raw": "overloaded" } } }),
            ),
            (529, json!("")),
        ];
        for (status, body) in others {
            assert!(!is_own_overload(Some(status), &body), "{status} {body}");
        }
    }
}
