//! Exports cost what their pool allows, and a PDF is another process's.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use quorate_app::LimitedProgram;
use quorate_server::{ExportOptions, Options};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::test_server::Rig;

/// A server whose PDFs are made by a script, in whose folder it leaves `started` and `pid`.
async fn with_script(script: &str, exports: ExportOptions) -> (Rig, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("render");
    let text =
        format!("#!/bin/sh\ncd {}\necho >> started\necho $$ > pid\n{script}\n", folder.path().display());
    std::fs::write(&program, text).expect("written");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("set");
    let renderer = LimitedProgram { program, args: vec!["render-pdf".into()] };
    let rig =
        Rig::with_options(Options { exports, pdf_renderer: Some(renderer), ..Options::default() }).await;
    (rig, folder)
}

fn started(folder: &Path) -> usize {
    std::fs::read_to_string(folder.join("started")).map_or(0, |text| text.lines().count())
}

fn lives(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

async fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{what} does not come");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn pages_are_what_the_process_writes() {
    let (rig, folder) = with_script(
        "cat > job\necho \"$*\" > args\nenv > env\nprintf '%%PDF-1.7 pages'",
        ExportOptions::default(),
    )
    .await;
    let meeting = rig.meeting(json!({})).await;
    let answer = rig.send(Method::GET, &format!("{meeting}/export?format=pdf"), &[], None).await;
    assert_eq!((answer.status, answer.body), (StatusCode::OK, json!("%PDF-1.7 pages")));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("written");
    assert!(read("job").contains("Is SQLite enough?"));
    assert_eq!(read("args").trim(), "render-pdf --seconds 90 --megabytes 1024");
    assert!(!read("env").contains("CARGO"), "nothing of the server's environment that it does not need");
}

#[tokio::test]
async fn whatever_the_process_does_the_server_answers() {
    for (script, status, sort) in [
        ("kill -ABRT $$", StatusCode::SERVICE_UNAVAILABLE, "pdf-failed"),
        ("exit 0", StatusCode::SERVICE_UNAVAILABLE, "pdf-failed"),
        ("cat > /dev/null; echo panicked >&2; exit 101", StatusCode::SERVICE_UNAVAILABLE, "pdf-failed"),
        ("exec sleep 60", StatusCode::SERVICE_UNAVAILABLE, "pdf-failed"),
        ("printf '{\"no_pdf\": \"no_chinese_font\"}'", StatusCode::NOT_IMPLEMENTED, "no-pdf"),
    ] {
        let (rig, _folder) =
            with_script(script, ExportOptions { pdf_seconds: 1, ..ExportOptions::default() }).await;
        let meeting = rig.meeting(json!({})).await;
        let answer = rig.send(Method::GET, &format!("{meeting}/export?format=pdf"), &[], None).await;
        assert_eq!((answer.status, answer.sort()), (status, sort), "{script}: {}", answer.body);
        let hint = answer.body["hint"].as_str().unwrap_or_default();
        let named = ["format=html", "format=markdown", "format=json"].iter().all(|form| hint.contains(form));
        assert!(!hint.is_empty() && (named || sort == "no-pdf"), "{hint}");
        rig.see(&format!("{meeting}/export?format=markdown")).await;
    }
}

#[tokio::test]
async fn many_pdfs_are_no_more_processes_than_the_pool_has() {
    let (rig, folder) =
        with_script("exec sleep 60", ExportOptions { wait_seconds: 1, ..ExportOptions::default() }).await;
    let meeting = rig.meeting(json!({})).await;
    let path = format!("{meeting}/export?format=pdf");
    let first = async { tokio::time::timeout(Duration::from_secs(4), rig.get(&path)).await };
    let others = async {
        until("the first process", || started(folder.path()) == 1).await;
        let asked = (0..60).map(|_| rig.send(Method::GET, &path, &[], None));
        futures::future::join_all(asked).await
    };
    let (first, others) = tokio::join!(first, others);
    assert!(first.is_err(), "it is under way all the while");
    for other in &others {
        assert_eq!(other.sort(), "exports-busy", "{}", other.body);
        assert!(other.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    }
    assert_eq!(started(folder.path()), 1, "one person has one at a time");
    let own = others.iter().filter(|other| other.status == StatusCode::TOO_MANY_REQUESTS).count();
    assert_eq!(own, 57, "three waited, the rest was told at once");
}

#[tokio::test]
async fn whoever_goes_away_takes_the_process_along() {
    let (rig, folder) = with_script("exec sleep 60", ExportOptions::default()).await;
    let meeting = rig.meeting(json!({})).await;
    let path = format!("{meeting}/export?format=pdf");
    for round in 1..=3 {
        let asked = tokio::time::timeout(Duration::from_secs(20), async {
            tokio::select! {
                _ = rig.get(&path) => panic!("it does not end by itself"),
                () = until("the process", || started(folder.path()) == round) => {}
            }
        });
        asked.await.expect("the process begins: the place was given up");
        let pid = folder.path().join("pid");
        until("its number", || std::fs::read_to_string(&pid).is_ok_and(|pid| !pid.trim().is_empty())).await;
        let number = std::fs::read_to_string(&pid).expect("written");
        until("its end", || !lives(&number)).await;
        std::fs::remove_file(&pid).expect("there");
    }
    rig.see(&format!("{meeting}/export?format=markdown")).await;
}
