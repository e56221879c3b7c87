//! Files that people give to a meeting: kept as they come, handed out as attachments and as nothing else.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::access_server::App;
use crate::test_server::Rig;

/// The most bytes that one file may have.
const MOST: usize = 20 << 20;

async fn give(rig: &Rig, meeting: &str, name: &str, bytes: impl Into<reqwest::Body>) -> (StatusCode, Value) {
    let address = format!("{}/api/v1{meeting}/files", rig.url);
    let address = url::Url::parse_with_params(&address, [("name", name)]).expect("an address");
    let answer = rig.client.post(address).body(bytes).send().await.expect("an answer");
    (answer.status(), answer.json().await.expect("JSON"))
}

async fn kept(rig: &Rig, meeting: &str, name: &str, bytes: impl Into<reqwest::Body>) -> Value {
    let (status, upload) = give(rig, meeting, name, bytes).await;
    assert_eq!(status, StatusCode::CREATED, "{name}: {upload}");
    upload
}

fn path_of(meeting: &str, upload: &Value) -> String {
    format!("{meeting}/files/{}", upload["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn nothing_that_is_given_runs_in_a_browser() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let utf16: Vec<u8> = "<script>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let files: [(&str, Vec<u8>, &str); 11] = [
        ("a.html", b"<!DOCTYPE html><script>alert(1)</script>".to_vec(), "text/plain"),
        ("b.txt", b" \n<!-- x --><html><script>alert(1)</script>".to_vec(), "text/plain"),
        ("c.svg", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>".to_vec(), "text/plain"),
        (
            "d.xml",
            b"<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'/>".to_vec(),
            "text/plain",
        ),
        ("e.js", b"#!/usr/bin/env node\nalert(1)".to_vec(), "text/plain"),
        ("f.htm", "\u{feff}<html><script>alert(1)</script>".as_bytes().to_vec(), "text/plain"),
        ("g.html", utf16, "text/plain"),
        ("h.pdf", b"%PDF-1.7\n<script>alert(1)</script>".to_vec(), "application/pdf"),
        ("i.gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00<script>alert(1)</script>".to_vec(), "image/gif"),
        ("k.gif", b"GIF89a<script>alert(1)</script>".to_vec(), "text/plain"),
        ("j.bin", vec![0, 1, 2, 0xff], "application/octet-stream"),
    ];
    for (name, bytes, media) in files {
        let upload = kept(&rig, &meeting, name, bytes.clone()).await;
        assert_eq!(upload["media_type"], media, "{name}");
        let address = format!("{}/api/v1{}", rig.url, path_of(&meeting, &upload));
        let answer = rig.client.get(&address).send().await.expect("an answer");
        let header = |name: &str| answer.headers()[name].to_str().expect("text").to_owned();
        assert_eq!(header("content-type"), media, "{name}");
        assert!(header("content-disposition").starts_with("attachment; filename="), "{name}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
        assert_eq!(answer.bytes().await.expect("a body"), bytes, "{name} comes back as it was given");
        let head = rig.client.head(&address).send().await.expect("an answer");
        assert_eq!(head.headers()["content-length"], bytes.len().to_string());
        // Ranges are not supported; a request for one gets the whole file.
        let part = rig.client.get(&address).header("range", "bytes=1-1").send().await.expect("an answer");
        assert_eq!((part.status(), part.bytes().await.expect("a body").len()), (StatusCode::OK, bytes.len()));
    }
}

#[tokio::test]
async fn a_name_is_a_name_and_no_way_through_folders() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    for (given, name) in [
        ("../../../etc/passwd", "etc/passwd"),
        ("/etc/shadow", "etc/shadow"),
        ("C:\\Windows\\win.ini", "C:/Windows/win.ini"),
        ("..\\..\\x.txt", "x.txt"),
        ("x\r\nset-cookie: a=b", "xset-cookie: a=b"),
        ("计划 \"1\";.md", "计划 \"1\";.md"),
        (&"长".repeat(300), &"长".repeat(255)),
    ] {
        let upload = kept(&rig, &meeting, given, "x").await;
        assert_eq!(upload["name"], name, "{given:?}");
        let answer = rig.send(Method::GET, &path_of(&meeting, &upload), &[], None).await;
        assert!(!answer.headers.contains_key("set-cookie"));
        let disposition = answer.header("content-disposition");
        let plain = disposition.split('"').nth(1).expect("a name in quotes");
        assert!(!plain.contains(['/', '\\', ';']), "{disposition}");
        assert!(disposition.contains("filename*=UTF-8''"), "{disposition}");
    }
    for none in ["", ".", "..", "a/", "a/..", "\u{0}"] {
        let (status, problem) = give(&rig, &meeting, none, "x").await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{none:?}: {problem}");
        assert_eq!(problem["errors"][0]["pointer"], "/name");
    }
    let nameless = rig.client.post(format!("{}/api/v1{meeting}/files", rig.url)).body("x");
    assert_eq!(nameless.send().await.expect("an answer").status(), StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn the_same_content_is_kept_once_and_as_long_as_somebody_has_it() {
    let rig = Rig::start().await;
    let (one, two) = (rig.meeting(json!({})).await, rig.meeting(json!({})).await);
    let first = kept(&rig, &one, "a.txt", "the same").await;
    let second = kept(&rig, &one, "b.txt", "the same").await;
    let third = kept(&rig, &two, "c.txt", "the same").await;
    assert_ne!(first["id"], second["id"]);
    for other in [&second, &third] {
        assert_eq!(first["sha256"], other["sha256"]);
    }
    let again = kept(&rig, &one, "b.txt", "the same").await;
    assert_eq!(again, second, "the same content under the same name is attached once");
    assert_eq!(rig.see(&format!("{one}/files")).await["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(rig.store().upload_total(None).await.expect("a count").files, 3);
    // A file is found under its own meeting and no other.
    for method in [Method::GET, Method::DELETE] {
        let stray = rig.ask(method, &path_of(&two, &second), None).await;
        assert_eq!(stray.0, StatusCode::NOT_FOUND, "{}", stray.1);
    }
    for upload in [&first, &second] {
        let path = path_of(&one, upload);
        assert_eq!(rig.ask(Method::DELETE, &path, None).await.0, StatusCode::OK);
        assert_eq!(rig.get(&path).await.0, StatusCode::NOT_FOUND);
        assert_eq!(rig.ask(Method::DELETE, &path, None).await.0, StatusCode::NOT_FOUND);
        assert_eq!(rig.see(&path_of(&two, &third)).await, "the same");
    }
    assert_eq!(rig.ask(Method::DELETE, &two, None).await.0, StatusCode::NO_CONTENT);
    assert_eq!(rig.get(&path_of(&two, &third)).await.0, StatusCode::NOT_FOUND);
    assert_eq!(rig.store().upload_total(None).await.expect("a count").files, 0);
}

#[tokio::test]
async fn what_is_too_large_or_empty_is_not_kept() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    kept(&rig, &meeting, "most.bin", vec![7; MOST]).await;
    let (status, problem) = give(&rig, &meeting, "more.bin", vec![7; MOST + 1]).await;
    assert_eq!(
        (status, &problem["type"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!("/api/v1/problems#too-large"))
    );
    // The size is not announced.
    let pieces = (0..21).map(|_| Ok::<_, std::io::Error>(vec![7u8; 1 << 20]));
    let (status, problem) =
        give(&rig, &meeting, "pieces.bin", reqwest::Body::wrap_stream(futures::stream::iter(pieces))).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE, "{problem}");
    let (status, problem) = give(&rig, &meeting, "empty.bin", "").await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    assert_eq!(rig.see(&format!("{meeting}/files")).await["items"].as_array().map(Vec::len), Some(1));
    let (status, problem) = give(&rig, "/meetings/nowhere", "x.txt", "x").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
    let unwritten = rig.meeting(json!({"off_record": true})).await;
    let (status, problem) = give(&rig, &unwritten, "x.txt", "x").await;
    assert_eq!((status, &problem["type"]), (StatusCode::CONFLICT, &json!("/api/v1/problems#off-record")));
}

#[tokio::test]
async fn files_are_given_by_those_who_speak_and_deleted_by_those_who_manage() {
    let app = App::open(crate::access::generous()).await;
    app.meeting("m1").await;
    app.meeting("m2").await;
    let owner = app.owner().await.text("access_token");
    let token = |scope: &str, meeting: &str| {
        let body = json!({ "name": scope, "scope": scope, "meeting": meeting });
        let (app, owner) = (&app, &owner);
        async move { app.token(owner, body).await.text("token") }
    };
    let speaks = token("speak", "m1").await;
    let reads = token("read", "m1").await;
    let elsewhere = token("manage", "m2").await;
    let body = || Some(json!("a text"));
    let given = app.by(&speaks, Method::POST, "/meetings/m1/files?name=x.json", body()).await;
    assert_eq!((given.status, given.body["by"]["id"].as_str()), (StatusCode::CREATED, Some("owner")));
    let path = format!("/meetings/m1/files/{}", given.text("id"));
    assert_eq!(given.text("id"), "f1");
    for (token, method, status) in [
        (&reads, Method::GET, StatusCode::OK),
        (&reads, Method::DELETE, StatusCode::FORBIDDEN),
        (&speaks, Method::DELETE, StatusCode::FORBIDDEN),
        (&elsewhere, Method::GET, StatusCode::NOT_FOUND),
        (&elsewhere, Method::DELETE, StatusCode::NOT_FOUND),
    ] {
        assert_eq!(app.by(token, method, &path, None).await.status, status);
    }
    let stray = path.replace("m1", "m2");
    assert_eq!(app.by(&elsewhere, Method::GET, &stray, None).await.status, StatusCode::NOT_FOUND);
    let refused = app.by(&reads, Method::POST, "/meetings/m1/files?name=x.json", body()).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(app.by(&owner, Method::DELETE, &path, None).await.status, StatusCode::OK);
}

/// A PNG of 3 × 2 pixels.
const PNG: &[u8] =
    b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00\x00\x02\
      \x08\x02\x00\x00\x00\x12\x16\xf1\x4d\x00\x00\x00\x10\x49\x44\x41\x54\x78\x9c\x63\x38\x21\x27\x07\
      \x41\x0c\x70\x16\x00\x41\x00\x06\x19\x3c\x45\x41\x96\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\
      \x82";

#[tokio::test]
async fn an_image_is_shown_as_its_pixels_alone() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    // Behind the image stands what a browser could run.
    let polyglot = [PNG, b"<script>alert(1)</script>"].concat();
    let upload = kept(&rig, &meeting, "chart.png", polyglot).await;
    assert_eq!(upload["image"], json!({ "width": 3, "height": 2 }));
    let address = format!("{}/api/v1{}/image", rig.url, path_of(&meeting, &upload));
    let answer = rig.client.get(&address).send().await.expect("an answer");
    let header = |name: &str| answer.headers()[name].to_str().expect("text").to_owned();
    assert_eq!(
        (header("content-type"), header("content-disposition")),
        ("image/png".into(), "inline".into())
    );
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("content-security-policy"), "default-src 'none'; sandbox");
    assert_eq!(header("cross-origin-resource-policy"), "same-origin");
    let shown = answer.bytes().await.expect("a body");
    assert!(shown.starts_with(b"\x89PNG") && !shown.windows(6).any(|part| part == b"script"));
    for (name, content) in
        [("a.svg", &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..]), ("b.gif", b"GIF89a<script>")]
    {
        let upload = kept(&rig, &meeting, name, content.to_vec()).await;
        assert_eq!(upload["image"], Value::Null, "{name}");
        let (status, problem) = rig.get(&format!("{}/image", path_of(&meeting, &upload))).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    }
}

#[tokio::test]
async fn an_image_with_too_many_pixels_is_refused_with_what_helps() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let mut bomb = PNG.to_vec();
    bomb[16..20].copy_from_slice(&60_000u32.to_be_bytes());
    bomb[20..24].copy_from_slice(&60_000u32.to_be_bytes());
    bomb[29..33].copy_from_slice(&0x0fb0e215_u32.to_be_bytes());
    bomb.resize(400_000, 0);
    let (status, problem) = give(&rig, &meeting, "bomb.png", bomb).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{problem}");
    assert!(problem["detail"].as_str().is_some_and(|detail| detail.contains("60000")), "{problem}");
    assert_eq!(rig.store().upload_total(None).await.expect("a count").files, 0, "nothing of it is kept");
}
