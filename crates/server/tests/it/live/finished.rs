//! A meeting that is over is told like any other.

use quorate_contract::Format;

use super::running_server::{Stage, short};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ended_meeting_plays_its_log_and_closes() {
    let stage = Stage::brisk().await;
    let handle = stage.started("one", short(Format::Consensus)).await;
    stage.to_the_end(&handle).await;
    let log = stage.log("one").await;
    // More than is read at a time.
    assert!(log.len() > 64, "{}", log.len());
    for after in [0, 1, 64, log.len() - 1, log.len()] {
        let frames = stage.listen("one", &format!("after={after}")).await.all().await;
        let data: Vec<&String> =
            frames.iter().filter(|frame| frame.id.is_some()).map(|frame| &frame.data).collect();
        assert_eq!(data, log[after..].iter().collect::<Vec<_>>(), "after {after}");
        assert_eq!(frames.last().map(|frame| frame.comment.as_str()), Some("the meeting is over"));
    }
}
