//! The example of the documentation, as a participant.

use std::path::Path;

use quorate_contract::FailureKind;
use quorate_engine::{FragmentSink, Runner};
use quorate_runners::{ProcessConfig, ProcessMode, ProcessRunner};
use serde_json::Value;

use crate::children::*;

#[tokio::test]
async fn the_example_speaks_and_votes() {
    for mode in [ProcessMode::PerCall, ProcessMode::Persistent] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/runner");
        let mut config = ProcessConfig::new("echo", ["python3", "echo_agent.py"]).placed("echo", &folder);
        config.mode = mode;
        assert!(config.find_program().is_some(), "these tests need python3 in the PATH");
        let echo = ProcessRunner::new(config).expect("a good configuration");

        let (sink, heard) = ear();
        let answer = answered(echo.run(request(), sink).await);
        assert_eq!(answer.text, "I take up what was said: Why?");
        assert_eq!(heard.lock().expect("no panic").concat().trim_end(), answer.text);

        let mut vote = request();
        vote.prompt.schema = Some(vote_schema());
        let text = answered(echo.run(vote.clone(), FragmentSink::nobody()).await).text;
        let vote_cast: Value = serde_json::from_str(&text).expect("a vote is JSON");
        assert_eq!(vote_cast["score"], 85);

        if let Some(schema) = vote.prompt.schema.as_mut() {
            schema.name = "summary";
        }
        let failure = failed(echo.run(vote, FragmentSink::nobody()).await);
        assert_eq!(failure.kind, FailureKind::BadRequest);
        assert_eq!(failure.hint.to_string(), "seat it as a participant");
        echo.close().await;
    }
}
