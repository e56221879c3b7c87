//! In which of two media types a text leaves: its own, or `text/plain` for those who ask for that first (`Accept`).

use axum::http::{HeaderMap, header};

const PLAIN: &str = "text/plain";

/// The media type of an answer whose own one is `own`, without parameters.
pub(crate) fn negotiate(headers: &HeaderMap, own: &'static str) -> &'static str {
    let given = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut ranges = given.flat_map(|value| value.split(',')).filter_map(|range| {
        let range = range.split(';').next()?.trim();
        match range {
            PLAIN | "text/*" => Some(PLAIN),
            "*/*" | "application/*" => Some(own),
            range => (range == own).then_some(own),
        }
    });
    ranges.next().unwrap_or(own)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_first_that_is_known_counts() {
        for (accept, expected) in [
            ("*/*", "application/x-ndjson"),
            ("text/plain", PLAIN),
            ("text/html, text/*;q=0.5, */*", PLAIN),
            ("application/x-ndjson, text/plain", "application/x-ndjson"),
            ("image/png", "application/x-ndjson"),
            ("", "application/x-ndjson"),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(negotiate(&headers, "application/x-ndjson"), expected, "{accept}");
        }
        assert_eq!(negotiate(&HeaderMap::new(), "application/x-ndjson"), "application/x-ndjson");
    }
}
