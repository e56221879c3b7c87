//! The wait that a provider asks for, where it does not use `retry-after`.

use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;
use serde_json::Value;

/// The headers with the rest of a limit and the time of its reset, by vendor.
const LIMITS: [(&str, &str); 8] = [
    ("x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"),
    ("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens"),
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
    ("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset"),
    ("anthropic-ratelimit-tokens-remaining", "anthropic-ratelimit-tokens-reset"),
    ("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset"),
    ("anthropic-ratelimit-output-tokens-remaining", "anthropic-ratelimit-output-tokens-reset"),
];

/// The longest time until one of the used-up limits is reset.
pub(crate) fn by_headers(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let used_up = LIMITS.iter().filter(|(remaining, _)| {
        text(remaining).is_none_or(|left| left.parse::<f64>().is_ok_and(|left| left <= 0.0))
    });
    used_up.filter_map(|(_, reset)| time_until(text(reset)?, now)).max()
}

/// The wait in the details of a Google error: `"retryDelay": "34.07s"`.
pub(crate) fn by_body(body: &str) -> Option<Duration> {
    let value: Value = serde_json::from_str(body).ok()?;
    let value = value.get(0).unwrap_or(&value);
    let details = value.get("error").unwrap_or(value).get("details")?.as_array()?;
    details.iter().find_map(|detail| duration(detail.get("retryDelay")?.as_str()?))
}

/// A time, a duration in words (`6m0s`), or a number: seconds, or since 1970 when it is that large.
fn time_until(text: &str, now: SystemTime) -> Option<Duration> {
    if let Ok(number) = text.parse::<f64>() {
        let since_1970 = match number {
            1e12.. => Duration::try_from_secs_f64(number / 1000.0).ok()?,
            1e9.. => Duration::try_from_secs_f64(number).ok()?,
            _ => return Duration::try_from_secs_f64(number).ok(),
        };
        return SystemTime::UNIX_EPOCH.checked_add(since_1970)?.duration_since(now).ok();
    }
    match text.parse::<jiff::Timestamp>() {
        Ok(time) => SystemTime::from(time).duration_since(now).ok(),
        Err(_) => duration(text),
    }
}

/// Numbers with units, one after the other: `1h2m`, `1.5s`, `20ms`, or as ISO 8601 writes them.
fn duration(text: &str) -> Option<Duration> {
    let span: jiff::Span = text.trim().parse().ok()?;
    span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&'static str, &'static str)]) -> Option<f64> {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().expect("a header"));
        }
        by_headers(&map, now).map(|wait| wait.as_secs_f64())
    }

    #[test]
    fn each_vendor_says_it_in_its_own_way() {
        assert_eq!(asked(&[("x-ratelimit-reset-requests", "6m0s")]), Some(360.0));
        assert_eq!(asked(&[("x-ratelimit-reset-tokens", "1.5s")]), Some(1.5));
        assert_eq!(asked(&[("x-ratelimit-reset-tokens", "20ms")]), Some(0.02));
        assert_eq!(asked(&[("x-ratelimit-reset-tokens", "1d2h3m4.5s")]), Some(93_784.5));
        assert_eq!(asked(&[("ratelimit-reset", "12")]), Some(12.0));
        assert_eq!(asked(&[("x-ratelimit-reset", "1800000007")]), Some(7.0));
        assert_eq!(asked(&[("x-ratelimit-reset", "1800000007500")]), Some(7.5));
        let time = ("anthropic-ratelimit-requests-reset", "2027-01-15T08:00:09Z");
        assert_eq!(asked(&[time]), Some(9.0));
        let past = ("anthropic-ratelimit-requests-reset", "2020-01-15T08:00:09Z");
        for nonsense in
            [past, ("ratelimit-reset", "soon"), ("ratelimit-reset", "-5"), ("ratelimit-reset", "")]
        {
            assert_eq!(asked(&[nonsense]), None, "{nonsense:?}");
        }
    }

    #[test]
    fn a_limit_of_which_something_is_left_is_not_waited_for() {
        let one = ("x-ratelimit-reset-requests", "60s");
        let other = ("x-ratelimit-reset-tokens", "7s");
        let left = ("x-ratelimit-remaining-requests", "12");
        let none = ("x-ratelimit-remaining-tokens", "0");
        assert_eq!(asked(&[one, other, left, none]), Some(7.0));
        assert_eq!(asked(&[one, other]), Some(60.0));
        assert_eq!(asked(&[one, left]), None);
    }

    #[test]
    fn google_says_it_in_the_body() {
        let error = r#"{"error":{"code":429,"details":[{"@type":"x.QuotaFailure"},
            {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.5s"}]}}"#;
        assert_eq!(by_body(error), Some(Duration::from_millis(34_500)));
        assert_eq!(by_body(&format!("[{error}]")), Some(Duration::from_millis(34_500)));
        for other in ["", "{}", "[]", r#"{"error":"no"}"#, r#"{"error":{"details":[{"retryDelay":"soon"}]}}"#]
        {
            assert_eq!(by_body(other), None, "{other}");
        }
    }
}
