//! Files that are attached from the terminal.

use serde_json::Value;

use crate::app::{App, of_type};

/// A PDF with one line on each page, as a program writes it.
fn pdf(pages: &[&str]) -> Vec<u8> {
    let kids: Vec<String> = (0..pages.len()).map(|place| format!("{} 0 R", 4 + 2 * place)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{}] /Count {} >>", kids.join(" "), pages.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (place, line) in pages.iter().enumerate() {
        let content = format!("BT /F1 12 Tf 72 720 Td ({line}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> \
             /Contents {} 0 R >>",
            5 + 2 * place
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()));
    }
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (number, object) in (1..).zip(&objects) {
        places.push(file.len());
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
    }
    let table = file.len();
    file.extend(format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1).into_bytes());
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").into_bytes());
    }
    let size = objects.len() + 1;
    file.extend(format!("trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").into_bytes());
    file
}

/// The file as it is attached to a meeting that is held with it.
fn attached(name: &str, content: &[u8]) -> Value {
    let app = App::new();
    let path = app.path(name);
    std::fs::write(&path, content).expect("written");
    let path = path.to_string_lossy();
    let run =
        ["run", "Where do we save?", "--attach", &path, "--rounds", "1", "--yes", "--json", "--seed", "3"];
    let events = app.quorate(&run).ok().events();
    of_type(&events, "file_attached")[0]["payload"]["file"].clone()
}

#[test]
#[cfg(feature = "pdf")]
fn the_text_of_a_pdf_is_read_page_by_page() {
    let file = attached("report.pdf", &pdf(&["The east costs 1200.", "The south costs 900."]));
    assert_eq!(file["media_type"], "application/pdf");
    assert_eq!(file["text"]["excerpt"], "The east costs 1200.\n\n— 2 —\n\nThe south costs 900.", "{file}");
    assert_eq!(file["text"]["lines"], 5);
}

#[test]
fn a_pdf_that_cannot_be_read_is_attached_without_text() {
    for (name, content) in [
        ("torn.pdf", pdf(&["The east costs 1200."])[..200].to_vec()),
        ("empty.pdf", pdf(&[""])),
        ("odd.pdf", b"%PDF-1.7\n\x00\x01garbage".to_vec()),
    ] {
        let file = attached(name, &content);
        assert_eq!((&file["name"], &file["text"]), (&name.into(), &Value::Null), "{file}");
    }
}

#[test]
fn exports_hold_the_whole_text_and_name_images() {
    let app = App::new();
    let text: String = (1..=3000).map(|n| format!("line {n} <b>\n")).collect();
    app.write("long.txt", &text);
    std::fs::write(app.path("chart.png"), crate::vendors::PNG).expect("written");
    let run = [
        "run",
        "Where do we save?",
        "--attach",
        "long.txt",
        "--attach",
        "chart.png",
        "--rounds",
        "1",
        "--yes",
    ];
    app.quorate(&run).ok();
    let html = app.quorate(&["export", "last", "--format", "html"]).ok().out;
    assert!(html.contains("line 3000 \\u003cb\\u003e") && html.contains("data:image/png;base64,"));
    let markdown = app.quorate(&["export", "last"]).ok().out;
    let id = app.quorate(&["replay", "last", "--json"]).ok().events()[0]["meeting_id"].clone();
    let path = format!("(`data/uploads/{}/f2-chart.png`)", id.as_str().expect("an id"));
    assert!(markdown.contains(&path), "{markdown}");
}

#[test]
fn simulated_participants_read_a_long_file_and_cite_what_they_read() {
    let app = App::new();
    let path = app.path("costs.csv");
    let rows: String = (1..=4000).map(|row| format!("{row},east,{}\n", row * 7)).collect();
    std::fs::write(&path, rows).expect("written");
    let path = path.to_string_lossy();
    let run =
        ["run", "Where do we save?", "--attach", &path, "--rounds", "1", "--yes", "--json", "--seed", "3"];
    let events = app.quorate(&run).ok().events();
    let returned = of_type(&events, "tool_returned");
    assert!(!returned.is_empty(), "they call the tool");
    for one in returned {
        assert_eq!(one["payload"]["outcome"], "returned", "{one}");
    }
    let cites =
        |event: &&Value| !event["payload"]["message"]["citations"].as_array().is_none_or(Vec::is_empty);
    assert!(of_type(&events, "agent_message").iter().filter(|event| cites(event)).count() > 1);
}
