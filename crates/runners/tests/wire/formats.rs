//! Properties of every format.

use quorate_contract::{Failure, FailureKind, Outcome, StopReason, Usage};
use quorate_runners::ModelRunner;

use crate::dialect::{Dialect, dialects};
use crate::helpers::*;
use crate::server::{Server, Step};

/// The outcome of this script, and the lines of the requests.
async fn played(
    dialect: &dyn Dialect,
    streamed: bool,
    script: impl IntoIterator<Item = Vec<Step>>,
) -> (Outcome, Vec<String>) {
    let server = Server::start(script).await;
    let mut config = provider(&server.url().replace("/v1", dialect.base_path()));
    (config.wire, config.retries) = (dialect.format(), 0);
    let lab = ModelRunner::new(config).expect("a good configuration");
    let outcome = match streamed {
        true => listen_once(&lab, request()).await.0,
        false => ask_once(&lab, request()).await,
    };
    (outcome, server.seen().into_iter().map(|seen| seen.line).collect())
}

#[tokio::test]
async fn every_format_brings_every_kind_of_answer() {
    for dialect in dialects() {
        for streamed in [true, false] {
            let format = dialect.format();
            let one = async |script: Vec<Step>| played(dialect, streamed, [script]).await;
            let (good, lines) = one(dialect.answer(streamed, "众议 yes")).await;
            let good = answered(good);
            assert_eq!((good.text.as_str(), good.stop), ("众议 yes", StopReason::Stop), "{format:?}");
            let usage = good.usage;
            assert_eq!((usage.input_tokens, usage.output_tokens, usage.estimated), (20, 5, false));
            assert_eq!(lines, [dialect.question_line(streamed)]);
            let cut = answered(one(dialect.cut_by_length(streamed, "Half")).await.0);
            assert_eq!((cut.text.as_str(), cut.stop), ("Half", StopReason::Length), "{format:?}");
            let thought = answered(one(dialect.reasoned(streamed, "Hm.", "Yes.")).await.0);
            assert_eq!((thought.text.as_str(), thought.reasoning.as_deref()), ("Yes.", Some("Hm.")));
            let kind = |outcome: Outcome| failed(outcome).kind;
            assert_eq!(kind(one(dialect.withheld(streamed)).await.0), FailureKind::ContentRefused);
            assert_eq!(kind(one(dialect.empty(streamed)).await.0), FailureKind::Empty, "{format:?}");
        }
    }
}

#[tokio::test]
async fn every_format_streams_and_an_end_without_its_last_words_is_no_end() {
    for dialect in dialects() {
        let pieces = |pieces: Vec<String>| {
            let bytes = pieces.into_iter().map(|piece| Step::Bytes(piece.into_bytes()));
            [dialect.stream_head()].into_iter().chain(bytes).chain([Step::Close]).collect::<Vec<_>>()
        };
        let whole = pieces(vec![dialect.first_piece("Use SQLite."), dialect.last_pieces()]);
        let answer = answered(played(dialect, true, [whole]).await.0);
        assert_eq!(answer.text, "Use SQLite.", "{:?}", dialect.format());
        assert!(!answer.usage.estimated);
        let cut = failed(played(dialect, true, [pieces(vec![dialect.first_piece("Use SQ")])]).await.0);
        assert_eq!((cut.kind, cut.doubtful), (FailureKind::Network, true), "{:?}", dialect.format());
    }
}

#[tokio::test]
async fn a_page_costs_nothing_whatever_it_is_called_and_words_of_a_gateway_may_cost_the_reserve() {
    let head = |kind: &str| format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    for dialect in dialects() {
        for streamed in [true, false] {
            for kind in ["text/html", "application/json", "text/event-stream", "text/plain"] {
                let one = async |body: &str| {
                    let script = vec![Step::Bytes((head(kind) + body).into_bytes()), Step::Close];
                    failed(played(dialect, streamed, [script]).await.0)
                };
                let case = format!("{:?} {streamed} {kind}", dialect.format());
                for body in ["<html>Bad gateway</html>", "\r\n<!DOCTYPE html>\n<p>Sign in</p>\n"] {
                    let page = one(body).await;
                    assert_eq!(
                        (page.kind, page.doubtful),
                        (FailureKind::Malformed, false),
                        "{case}: {page:?}"
                    );
                    assert_eq!(page.usage, Some(Usage::default()), "{case}");
                }
                if kind != "text/html" {
                    for body in ["upstream request timeout\n", "null", "{\"choi%$", "da"] {
                        let words = one(body).await;
                        assert_ne!(
                            words.usage,
                            Some(Usage::default()),
                            "{case}: {body}: it may have been done"
                        );
                        assert!(words.doubtful, "{case}: {body}: {words:?}");
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn every_format_tells_its_errors_apart() {
    use FailureKind::*;
    for kind in [
        Authentication,
        RateLimit,
        Quota,
        Overloaded,
        ContextTooLong,
        ContentRefused,
        ModelUnknown,
        BadRequest,
    ] {
        for dialect in dialects() {
            let told = |failure: &Failure| format!("{:?}: {}", dialect.format(), failure.detail);
            if let Some((status, body)) = dialect.refusal(kind) {
                let refusal = crate::server::status(status, &[("content-type", "application/json")], &body);
                let failure = failed(played(dialect, true, [refusal]).await.0);
                assert_eq!(failure.kind, kind, "{}", told(&failure));
                assert!(!failure.doubtful);
            }
            if let Some(event) = dialect.error_event(kind) {
                let script = vec![dialect.stream_head(), Step::Bytes(event.into_bytes()), Step::Close];
                let failure = failed(played(dialect, true, [script]).await.0);
                assert_eq!(failure.kind, kind, "{}", told(&failure));
            }
        }
    }
}
