//! Finding the right runner and the right model.

use std::sync::Arc;

use futures::future::BoxFuture;
use quorate_contract::{Failure, FailureKind, ModelParameters, Outcome, RunnerSpec, Temperament};
use quorate_engine::{FragmentSink, Request, Runner, RunnerDirectory};
use quorate_runners::Directory;
use serde_json::json;

use crate::helpers::*;
use crate::server::{Server, json as json_answer, status};

/// Stands in for the simulation.
struct Pretender;

impl Runner for Pretender {
    fn run(&self, _request: Request, _sink: FragmentSink) -> BoxFuture<'_, Outcome> {
        let failure = Failure {
            kind: FailureKind::Left,
            detail: "pretended".into(),
            hint: "nothing".into(),
            usage: None,
            latency_ms: 0,
            doubtful: false,
            window: None,
            request_id: None,
        };
        Box::pin(std::future::ready(Outcome::Failed(failure)))
    }
}

#[tokio::test]
async fn the_directory_knows_providers_by_name_and_says_which_when_it_does_not() {
    let server = Server::start([good(false, "Yes.")]).await;
    let directory =
        Directory::open([provider(&server.url())], Arc::new(Pretender)).expect("a good configuration");
    let lab = directory.find(&request().runner);
    answered(lab.run(request(), FragmentSink::nobody()).await);

    let simulated = directory.find(&RunnerSpec::Simulated { temperament: Temperament::Balanced });
    let outcome = simulated.run(request(), FragmentSink::nobody()).await;
    assert_eq!(failed(outcome).detail.to_string(), "pretended");

    let RunnerSpec::Model { model, parameters, price, .. } = request().runner else {
        panic!("the request is for a model");
    };
    let spec = RunnerSpec::Model { provider: "lob".to_owned(), model, parameters, price, fallback: None };
    let nobody = directory.find(&spec);
    let failure = failed(nobody.run(request(), FragmentSink::nobody()).await);
    assert_eq!(failure.kind, FailureKind::NotConfigured);
    assert_eq!(failure.hint.to_string(), "choose from lab, or add the provider lob with its address");
    let empty = Directory::new(Arc::new(Pretender)).find(&spec);
    let failure = failed(empty.run(request(), FragmentSink::nobody()).await);
    assert!(failure.hint.to_string().starts_with("no provider is configured"), "{}", failure.hint);
}

#[tokio::test]
async fn no_more_calls_are_admitted_than_the_provider_takes() {
    let mut config = provider("http://127.0.0.1:1/v1");
    config.concurrency = Some(2);
    let lab = quorate_runners::ModelRunner::new(config).expect("a good configuration");
    let first = lab.admit().await.expect("a permit");
    let _second = lab.admit().await.expect("a permit");
    let third = lab.admit();
    futures::pin_mut!(third);
    assert!(futures::poll!(&mut third).is_pending());
    drop(first);
    assert!(third.await.is_some());
}

#[tokio::test]
async fn models_are_listed_with_the_key_and_without_a_body() {
    let list = json!({ "object": "list", "data": [{ "id": "qwen3" }, { "id": "llama3" }] });
    let server = Server::start([json_answer(200, list), status(401, &[], "")]).await;
    let lab = runner(&server);
    assert_eq!(lab.list_models().await.expect("a list"), ["llama3", "qwen3"]);
    let seen = &server.seen()[0];
    assert_eq!((seen.line.as_str(), seen.text.as_str()), ("GET /v1/models", ""));
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    let failure = lab.list_models().await.expect_err("a wrong key");
    assert_eq!(failure.kind, FailureKind::Authentication);
}

#[tokio::test]
async fn an_unknown_model_brings_the_names_of_those_that_resemble_it() {
    let unknown = json!({ "error": { "message": "The model `qwen3` does not exist" } });
    let list = json!({ "data": [{ "id": "llama3" }, { "id": "qwen3:8b" }] });
    let server = Server::start([json_answer(404, unknown.clone()), json_answer(200, list)]).await;
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!(failure.kind, FailureKind::ModelUnknown);
    assert_eq!(failure.hint.to_string(), "lab has qwen3:8b, llama3");

    let server = Server::start([json_answer(404, unknown), status(500, &[], "")]).await;
    let failure = failed(ask(&runner(&server), request()).await);
    assert_eq!(failure.hint.to_string(), "choose one of the models that lab lists");
}

#[tokio::test]
async fn a_probe_tells_what_works_and_what_does_not() {
    let server = Server::start([good(false, "ready"), status(402, &[], "")]).await;
    let lab = runner(&server);
    let probe = lab.probe("qwen3", Default::default()).await.expect("it works");
    assert_eq!((probe.model.as_str(), probe.said.as_str()), ("qwen3", "ready"));
    assert_eq!(server.seen()[0].body["max_tokens"], 64);
    let parameters = ModelParameters { temperature: Some(0.5), ..ModelParameters::default() };
    let failed = lab.probe("qwen3", parameters).await.expect_err("no credit");
    assert_eq!((failed.status, failed.failure.kind), (Some(402), FailureKind::Quota));
    assert_eq!(server.seen()[1].body["temperature"], 0.5, "asked as the participant would be");
}
