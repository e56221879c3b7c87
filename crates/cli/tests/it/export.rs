//! A meeting is handed on from the terminal: as a page, on paper, as data.

use reqwest::Method;
use serde_json::{Value, json};

use crate::app::{App, Said, meeting_of, of_type};
use crate::served::Served;

const TOPIC: &str = "Should our service use SQLite or PostgreSQL?";

fn held(more: &[&str]) -> (App, Said) {
    let app = App::new();
    let args = ["run", TOPIC, "--simulate", "--seed=5", "--rounds=1", "--yes", "--json"];
    let run = app.quorate(&[&args[..], more].concat()).ok();
    (app, run)
}

#[test]
fn a_page_holds_the_meeting_and_loads_nothing() {
    let (app, run) = held(&[]);
    let id = meeting_of(&run.out);
    let page = app.quorate(&["export", &id, "--format", "html"]).ok().out;
    assert!(page.starts_with("<!doctype html>") && page.contains(TOPIC), "{page:.200}");
    assert!(page.contains("default-src 'none'"), "it says itself that it loads nothing");
    let (_, record) = page.split_once("id=\"record\">").expect("the record");
    let record: Value =
        serde_json::from_str(record.split_once("</script>").expect("it ends").0).expect("JSON");
    let lines: Vec<&str> = record["events"]
        .as_array()
        .expect("events")
        .iter()
        .filter_map(|event| event["line"].as_str())
        .collect();
    assert!(lines.len() > 20 && lines.iter().all(|line| run.out.contains(line)), "each line as it is stored");

    let file = app.path("meeting.html");
    let name = file.to_str().expect("a plain path");
    let written = app.quorate(&["export", "last", "--format", "html", "--out", name]).ok();
    let again = std::fs::read_to_string(&file).expect("a file");
    // Each export is signed at its own time.
    let unsigned = |page: &str| {
        let (before, signature) = page.split_once("\"signature\":{").expect("it is signed");
        (before.to_owned(), signature.split_once("},\"unsigned\"").expect("it ends").1.to_owned())
    };
    assert_eq!((written.out.as_str(), unsigned(&again)), ("", unsigned(&page)));
    let db = app.db().display().to_string();
    let over = app.quorate(&["export", "last", "--format", "html", "--out", &db]);
    over.fails(2, &["is a database", "choose another place"]);
    app.quorate(&["export", "last", "--format", "docx"]).ends(2).says(&["html", "pdf", "json"]);
    app.quorate(&["export", "zzz", "--format", "html"]).fails(1, &["zzz", "quorate list"]);
}

#[test]
fn hidden_marks_are_on_the_page_only_when_they_are_asked_for() {
    let (app, run) = held(&["--format=brainstorm"]);
    let events = run.events();
    let mark = of_type(&events, "evaluation_written")[0]["payload"]["marks"][0]["reason"].clone();
    let mark = mark["text"].as_str().expect("a reason");
    let page =
        |more: &[&str]| app.quorate(&[&["export", "last", "--format", "html"], more].concat()).ok().out;
    assert!(!page(&[]).contains(mark), "{mark}");
    assert!(page(&["--with-marks"]).contains(mark), "{mark}");
}

#[cfg(feature = "pdf")]
#[test]
fn pages_for_paper_are_written_to_a_file() {
    // English needs no font of the machine.
    let (app, _) = held(&[]);
    let file = app.path("meeting.pdf");
    let name = file.to_str().expect("a plain path");
    app.quorate(&["export", "last", "--format", "pdf", "--out", name]).ok();
    let bytes = std::fs::read(&file).expect("a file");
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() > 10_000);
    let missing = app.quorate(&["export", "last", "--format", "pdf", "--out", name, "--font", "nowhere.otf"]);
    missing.fails(2, &["nowhere.otf"]);
    assert_eq!(std::fs::read(&file).expect("a file"), bytes, "what was there is as it was");
}

#[cfg(all(feature = "pdf", target_os = "linux"))]
#[test]
fn a_server_has_pages_made_by_a_process_under_limits() {
    let exported = |served: &Served, form: &str| {
        let meeting = served.begin(json!({ "topic": TOPIC, "simulate": true, "seed": 5 }));
        let path = format!("{meeting}/export?format={form}");
        served.try_send(Method::GET, &path, &[], None).expect("an answer")
    };
    let mut app = App::new();
    let served = Served::start(&app, &["--pace", "instant"]);
    let pdf = exported(&served, "pdf");
    assert_eq!((pdf.status, pdf.header("content-type")), (200, "application/pdf"), "{}", pdf.body);
    assert!(pdf.body.as_str().is_some_and(|body| body.starts_with("%PDF-")));
    served.stop().ok();

    // Pages that take more than they may end that process alone.
    let file = app.write("server.toml", "[server.exports]\npdf_megabytes = 32\n");
    app.set("QUORATE_CONFIG", file);
    let served = Served::start(&app, &["--pace", "instant"]);
    let pdf = exported(&served, "pdf");
    assert_eq!((pdf.status, pdf.sort()), (503, "pdf-failed"), "{}", pdf.body);
    assert_eq!(exported(&served, "html").status, 200);
    served.stop().ok();
}

#[cfg(not(feature = "pdf"))]
#[test]
fn without_paper_a_page_is_proposed() {
    let (app, _) = held(&[]);
    app.quorate(&["export", "last", "--format", "pdf"]).fails(2, &["built without PDF", "--format html"]);
}
