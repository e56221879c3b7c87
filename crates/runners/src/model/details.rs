//! What some vendors say about an error besides its words: a number of their own.

use quorate_core::FailureKind;
use serde_json::Value;

/// The kind of an error by the number that GLM gives it, as text or as a number and under whatever
/// status.
pub(crate) fn kind_by_code(error: &Value) -> Option<FailureKind> {
    let code = error.get("error").unwrap_or(error).get("code")?;
    let code = code.as_u64().or_else(|| code.as_str()?.trim().parse().ok())?;
    Some(match code {
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

/// Whether a limit was reached that holds for a day, or that is 0 for those who do not pay: waiting as
/// long as one call may take does not help. `words` are in lower case.
pub(crate) fn is_daily(words: &str) -> bool {
    let free = words.contains("free_tier") || words.contains("freetier");
    words.contains("perday")
        || words.contains("_per_day")
        || (words.contains("quota") && words.contains("per day"))
        || (free && words.contains("limit: 0"))
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
}
