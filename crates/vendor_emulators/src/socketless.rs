//! The vendors without a server: one request, and what the vendor sends to it.

use serde_json::Value;

use crate::http::{Received, Reply};
use crate::question::Question;

/// A request as it was sent.
#[derive(Debug, Clone)]
pub struct VendorRequest {
    /// `GET` or `POST`.
    pub method: String,
    /// Such as `/v1/messages`, with its query.
    pub path: String,
    /// The names and values in its head, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body; null when it is no JSON.
    pub body: Value,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VendorReply {
    /// The HTTP status.
    pub status: u16,
    /// The names and values in its head, the content type among them.
    pub headers: Vec<(String, String)>,
    /// The body: in one piece, or as it is streamed.
    pub pieces: Vec<String>,
    /// Whether it is a stream.
    pub is_streamed: bool,
}

/// Answers one request as the vendor of its path does, with the words of `say` for an answer. `say` is asked only when the
/// vendor does the work, and what it says ends where the tokens of the request do. `number` counts the requests.
pub fn respond(request: &VendorRequest, number: u64, say: &dyn Fn(&Question) -> String) -> VendorReply {
    let VendorRequest { method, path, headers, body } = request.clone();
    let reply = crate::answer(&Received { say: Some(say), method, path, headers, body }, number);
    let content_type = |kind: &str| ("content-type".to_owned(), kind.to_owned());
    match reply {
        Reply::Whole { status, kind, headers, body } => {
            let named = headers.into_iter().map(|(name, value)| (name.to_owned(), value));
            let headers = std::iter::once(content_type(kind)).chain(named).collect();
            VendorReply { status, headers, pieces: vec![body], is_streamed: false }
        }
        Reply::Pieces { kind, pieces } => {
            let headers = vec![content_type(kind), ("x-request-id".to_owned(), "req_vendor".to_owned())];
            VendorReply { status: 200, headers, pieces, is_streamed: true }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_answered_with_the_words_that_are_given_as_far_as_its_tokens_reach() {
        let body = json!({ "model": "gpt-4o-mini", "max_tokens": 2, "messages": [{ "role": "user", "content": "?" }] });
        let key = ("authorization".to_owned(), format!("Bearer {}", crate::KEY));
        let mut request = VendorRequest {
            method: "POST".to_owned(),
            path: "/v1/chat/completions".to_owned(),
            headers: vec![key],
            body,
        };
        let asked = Cell::new(0);
        let say = |_: &Question| {
            asked.set(asked.get() + 1);
            "a sentence of many words".to_owned()
        };
        let reply = respond(&request, 1, &say);
        let answer: Value = serde_json::from_str(&reply.pieces[0]).expect("JSON");
        assert_eq!(answer["choices"][0]["message"]["content"], "a sentence ");
        assert_eq!(answer["choices"][0]["finish_reason"], "length");
        assert_eq!(answer["usage"]["completion_tokens"], 2);
        request.headers.clear();
        assert_eq!((respond(&request, 2, &say).status, asked.get()), (401, 1));
    }
}
