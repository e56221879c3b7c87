//! The limits on uploaded files.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;
use crate::webhooks::FullDisk;

#[tokio::test]
async fn a_file_that_the_disk_has_no_space_for_is_refused_and_can_be_given_later() {
    let disk = Arc::new(FullDisk::default());
    let rig = Rig::on_disk(Arc::<FullDisk>::clone(&disk)).await;
    let meeting = rig.meeting(json!({})).await;
    let give = async || {
        let url = format!("{}/api/v1{meeting}/files?name=a.txt", rig.url);
        let answer = rig.client.post(url).body("words").send().await.expect("an answer");
        (answer.status(), answer.json::<serde_json::Value>().await.expect("JSON"))
    };
    disk.0.store(true, Ordering::Relaxed);
    let (status, problem) = give().await;
    assert_eq!(
        (status, &problem["type"]),
        (StatusCode::INSUFFICIENT_STORAGE, &json!("/api/v1/problems#disk-full")),
        "{problem}"
    );
    disk.0.store(false, Ordering::Relaxed);
    let files = rig.see(&format!("{meeting}/files")).await;
    assert_eq!(files["items"], json!([]), "nothing of it is listed");
    // The database looks every few seconds whether there is space again.
    let began = Instant::now();
    loop {
        let (status, given) = give().await;
        if status == StatusCode::CREATED {
            return;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "{given}");
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
}

#[tokio::test]
async fn the_files_of_all_meetings_have_a_limit_that_can_be_raised() {
    let rig = Rig::start().await;
    let (one, other) = (rig.meeting(json!({})).await, rig.meeting(json!({})).await);
    let give = async |meeting: &str, name: &str, bytes: usize| {
        let url = format!("{}/api/v1{meeting}/files?name={name}", rig.url);
        let answer = rig.client.post(url).body(vec![b'x'; bytes]).send().await.expect("an answer");
        (answer.status(), answer.json::<serde_json::Value>().await.expect("JSON"))
    };
    let limit = |name: &str, value: u64| json!({"limits": {name: value}});
    let set = async |changes| rig.ask(Method::PATCH, "/settings", Some(changes)).await.0;
    assert_eq!(set(limit("uploads_bytes", 1000)).await, StatusCode::OK);
    assert_eq!(give(&one, "a.txt", 600).await.0, StatusCode::CREATED);
    let (status, problem) = give(&other, "b.txt", 401).await;
    assert_eq!(
        (status, &problem["type"]),
        (StatusCode::INSUFFICIENT_STORAGE, &json!("/api/v1/problems#uploads-full"))
    );
    assert!(problem["hint"].as_str().is_some_and(|hint| hint.contains("delete")), "{problem}");
    let (status, given) = give(&other, "b.txt", 400).await;
    assert_eq!(status, StatusCode::CREATED, "{given}");
    assert_eq!(give(&one, "c.txt", 1).await.0, StatusCode::INSUFFICIENT_STORAGE, "refused before it is read");
    let file = format!("{other}/files/{}", given["id"].as_str().expect("an id"));
    assert_eq!(rig.ask(Method::DELETE, &file, None).await.0, StatusCode::OK);
    assert_eq!(give(&one, "c.txt", 1).await.0, StatusCode::CREATED);
    assert_eq!(set(limit("uploads", 2)).await, StatusCode::OK);
    assert_eq!(give(&one, "d.txt", 1).await.0, StatusCode::INSUFFICIENT_STORAGE);
    assert_eq!(set(limit("uploads", 3)).await, StatusCode::OK);
    assert_eq!(give(&one, "d.txt", 1).await.0, StatusCode::CREATED);
}
