//! The connection test, against every kind of endpoint.

use proptest::prelude::*;
use proptest::sample::select;
use quorate_contract::{FailureKind, ModelParameters};
use quorate_runners::{ModelRunner, Timeouts};
use serde_json::json;

use crate::helpers::*;
use crate::server::{Server, Step, json as json_answer, status};

/// The endpoint.
#[derive(Debug, Clone)]
enum End {
    /// A model that answers.
    Answers(String),
    /// A server that refuses with this status.
    Refuses(u16, String),
    /// A server that reports this status under one that promised success.
    Reports(u16),
    /// Something that speaks no such language.
    Babbles(String),
    /// A server that closes the connection, after so many bytes of an answer.
    Closes(usize),
    /// A server that says nothing.
    Hangs,
    /// No server.
    Nobody,
}

fn end() -> impl Strategy<Value = End> {
    prop_oneof![
        3 => "[\\PC]{0,40}[a-z字]".prop_map(End::Answers),
        3 => (300u16..=599, "[\\PC\\n]{0,80}").prop_map(|(code, body)| End::Refuses(code, body)),
        1 => select(vec![400u16, 401, 402, 403, 404, 429, 500, 503]).prop_map(End::Reports),
        1 => "[\\PC]{0,80}".prop_map(End::Babbles),
        1 => (0usize..300).prop_map(End::Closes),
        1 => Just(End::Hangs),
        1 => Just(End::Nobody),
    ]
}

fn script(end: &End) -> Vec<Step> {
    match end {
        End::Answers(text) => good(false, text),
        End::Refuses(code, body) => status(*code, &[], body),
        End::Reports(code) => {
            json_answer(200, json!({ "error": { "message": format!("no, {KEY}"), "code": code } }))
        }
        End::Babbles(text) => status(200, &[("content-type", "application/json")], text),
        End::Closes(after) => {
            let whole =
                good(false, "an answer that never comes to its end").into_iter().flat_map(
                    |step| match step {
                        Step::Bytes(bytes) => bytes,
                        _ => Vec::new(),
                    },
                );
            vec![Step::Bytes(whole.take(*after).collect()), Step::Close]
        }
        End::Hangs | End::Nobody => vec![Step::Hang],
    }
}

fn parameters() -> impl Strategy<Value = ModelParameters> {
    let part = prop::option::of(0.0f64..=1.0);
    (prop::option::of(0.0f64..=2.0), part, prop::option::of(1u32..4000)).prop_map(
        |(temperature, top_p, max_tokens)| ModelParameters {
            temperature,
            top_p,
            max_tokens,
            effort: None,
            thinking_tokens: None,
            context_tokens: None,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    /// Feature: ai-agent-meeting, Property 8: the test of a connection says yes or no, and never crashes.
    #[test]
    fn p08_a_connection_test_says_yes_or_no(
        end in end(),
        model in "[!-~]{1,50}",
        parameters in parameters(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            // Asking again, without what a refusal named, is met in the same way.
            let server = Server::start(vec![script(&end); 8]).await;
            let mut config = provider(&server.url());
            if matches!(end, End::Nobody) {
                let port = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
                let nobody = format!("http://{}/v1", port.local_addr().expect("an address"));
                drop(port);
                config = provider(&nobody);
            }
            config.retries = 0;
            config.timeouts = Timeouts { first_byte_ms: 250, idle_ms: 250, backoff_ms: 0, ..Timeouts::default() };
            let lab = ModelRunner::new(config).expect("a good configuration");
            let tested = lab.probe(&model, parameters).await;
            prop_assert_eq!(tested.is_ok(), matches!(end, End::Answers(_)), "{:?}", tested);
            let Err(failed) = tested else { return Ok(()) };
            prop_assert_eq!(&failed.provider, "lab");
            prop_assert!(!failed.failure.detail.is_empty() && !failed.failure.hint.is_empty(), "{:?}", failed);
            prop_assert!(!format!("{failed:?} {failed}").contains(KEY), "{:?}", failed);
            match end {
                End::Refuses(code, _) | End::Reports(code) => prop_assert_eq!(failed.status, Some(code)),
                End::Hangs => prop_assert_eq!(failed.failure.kind, FailureKind::TimedOut),
                End::Nobody => prop_assert_eq!(failed.failure.kind, FailureKind::Network),
                End::Answers(_) | End::Babbles(_) | End::Closes(_) => prop_assert_eq!(failed.status, None),
            }
            Ok(())
        })?;
    }
}
