//! The folder of a meeting as a ZIP file.

use std::io::{Cursor, Read as _};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;
use crate::test_server::Rig;

async fn attach(rig: &Rig, meeting: &str, name: &str, content: &'static str) {
    let address = format!("{}/api/v1{meeting}/files", rig.url);
    let address = url::Url::parse_with_params(&address, [("name", name)]).expect("an address");
    let answer = rig.client.post(address).body(content).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::CREATED);
}

#[tokio::test]
async fn the_folder_has_its_files_and_can_be_imported() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    attach(&rig, &meeting, "数据 costs.csv", "year,cost\n2026,7\n").await;
    attach(&rig, &meeting, "copy.csv", "year,cost\n2026,7\n").await;
    rig.execute(&format!("{meeting}/start"), json!({})).await;
    rig.to_the_end(&meeting).await;
    let address = format!("{}/api/v1{meeting}/export?format=files", rig.url);
    let answer = rig.client.get(address).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(answer.headers()["content-type"], "application/zip");
    let bytes = answer.bytes().await.expect("a body");
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive");
    let names: Vec<String> = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    assert!(names.iter().all(|name| name.starts_with("data/")), "{names:?}");
    let id = meeting.rsplit('/').next().expect("an id");
    let text = |archive: &mut zip::ZipArchive<_>, name: &str| {
        let mut text = String::new();
        archive.by_name(name).expect(name).read_to_string(&mut text).expect("text");
        text
    };
    for name in ["f1-数据_costs.csv", "f2-copy.csv"] {
        assert_eq!(text(&mut archive, &format!("data/uploads/{id}/{name}")), "year,cost\n2026,7\n");
    }
    let sums = text(&mut archive, &format!("data/uploads/{id}/SHA256SUMS"));
    assert_eq!(sums.lines().count(), 2, "{sums}");
    let signed: Value =
        serde_json::from_str(&text(&mut archive, &format!("data/signatures/{id}.json"))).expect("JSON");
    assert!(signed["signature"].is_object() && signed["chain"].as_array().is_some_and(|all| all.len() > 10));

    let layout: serde_json::Map<String, Value> = names
        .iter()
        .filter(|name| ["agents/", "meetings/"].iter().any(|folder| name[5..].starts_with(folder)))
        .map(|name| (name[5..].to_owned(), Value::from(text(&mut archive, name))))
        .collect();
    let imported = rig.execute("/import", json!({ "files": layout })).await;
    assert_eq!(imported["meetings"].as_array().map(Vec::len), Some(1), "{imported}");
}

#[tokio::test]
async fn it_is_for_those_who_may_see_everything() {
    let app = App::open(crate::access::generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let path = "/meetings/m1/export?format=files";
    for (scope, status) in
        [("read", StatusCode::FORBIDDEN), ("speak", StatusCode::FORBIDDEN), ("manage", StatusCode::OK)]
    {
        let token = app.token(&owner, json!({ "name": scope, "scope": scope, "meeting": "m1" })).await;
        let answer = app.by(&token.text("token"), Method::GET, path, None).await;
        assert_eq!(answer.status, status, "{scope}: {}", answer.body);
    }
}
