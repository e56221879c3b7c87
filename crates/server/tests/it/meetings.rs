//! What there is, and how one stands.

use reqwest::StatusCode;

use crate::rig::Rig;

#[tokio::test]
async fn what_is_not_there_is_a_problem_with_a_hint() {
    let rig = Rig::start().await;
    let (status, problem) = rig.get("/meetings/nowhere").await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert_eq!(problem["type"], "/api/v1/problems#not-found");
    assert!(!problem["hint"].as_str().unwrap_or_default().is_empty(), "{problem}");
}
