//! The PDF: there are pages for any text, and no text is evaluated.

mod log;

use log::{Log, hostile, hostile_once};
use quorate_contract::EventBody;
use quorate_print::{Fonts, Options, PdfError, markdown, pdf};

fn printed(log: &Log) -> Vec<u8> {
    let fonts = Fonts::of_machine(None).expect("no file was named");
    let bytes = match pdf(&log.meeting(), &Options::default(), &fonts) {
        // On a machine without Chinese fonts; the test of that error is below.
        Err(PdfError::NoChineseFont) => return Vec::new(),
        other => other.expect("pages"),
    };
    assert!(bytes.starts_with(b"%PDF-"));
    bytes
}

/// The text of the pages.
fn text(bytes: &[u8]) -> String {
    pdf_extract::extract_text_from_mem(bytes).expect("a PDF that others can read")
}

/// The same without blanks, which lines and letters far apart bring in.
fn flat(bytes: &[u8]) -> String {
    text(bytes).split_whitespace().collect()
}

#[test]
fn a_meeting_can_be_read_from_its_pages() {
    let log = Log::golden("zh/consensus");
    let bytes = printed(&log);
    if bytes.is_empty() {
        return eprintln!("SKIPPED: this machine has no Chinese font");
    }
    let flat = flat(&bytes);
    let topic: String = log.meeting().settings.topic.split_whitespace().collect();
    assert!(flat.contains(&topic), "{topic}");
    for name in log.meeting().seats.iter().map(|seat| &seat.participant.name) {
        assert!(flat.contains(name.as_str()), "{name}");
    }
    assert!(flat.contains("1/"), "pages are numbered");
    assert_eq!(bytes, printed(&log), "the same meeting makes the same bytes");
}

#[test]
fn english_needs_no_font_of_the_machine() {
    let bytes = pdf(&Log::golden("en/consensus").meeting(), &Options::default(), &Fonts::carried());
    assert!(bytes.expect("pages").starts_with(b"%PDF-"));
}

/// The letters and digits of a text: what Markdown and pages set differently is left out.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

#[test]
fn markdown_and_pages_hold_the_record_that_the_html_page_shows() {
    for name in ["en/consensus", "en/decision", "en/tools"] {
        let log = Log::golden(name);
        let (meeting, options) = (log.meeting(), log.options());
        let markdown = markdown(&meeting, &options);
        for said in &meeting.said {
            assert!(markdown.contains(&format!("** [{}] · ", said.id)), "{name}: {}", said.id);
        }
        let written = letters(&markdown);
        let printed = pdf(&meeting, &options, &Fonts::carried()).expect("pages");
        let pages =
            pdf_extract::extract_text_from_mem_by_pages(&printed).expect("a PDF that others can read");
        let printed = letters(&pages.concat());
        for said in &meeting.said {
            let (id, at) = (said.id, letters(&options.times.tell(said.at)));
            assert!(printed.contains(&format!("{id}{at}")), "{name}: {id}");
        }
        for event in &log.events {
            let told = match &event.body {
                EventBody::SummaryWritten { text, .. } | EventBody::DraftRevised { text, .. } => text,
                EventBody::VoteCast { vote, .. } => &vote.reason,
                EventBody::AgentMessage { stance: Some(stance), .. } => &stance.position,
                _ => continue,
            };
            // A header stands between the lines of two pages, and a link is followed by its address.
            for line in told.lines().map(letters) {
                let begun: String = line.chars().take(25).collect();
                assert!(written.contains(&line), "{name}: {line}");
                assert!(printed.contains(&begun), "{name}: {begun}");
            }
        }
    }
}

#[test]
fn references_are_links_to_what_they_name() {
    let log = Log::golden("en/consensus");
    let links = |options: &Options| {
        let bytes = pdf(&log.meeting(), options, &Fonts::carried()).expect("pages");
        let document = pdf_extract::Document::load_mem(&bytes).expect("a PDF that others can read");
        let objects = document.objects.values().filter_map(|object| object.as_dict().ok());
        objects
            .filter(|object| object.get(b"Subtype").and_then(|kind| kind.as_name()).ok() == Some(b"Link"))
            .count()
    };
    let (said, recorded) = (links(&Options::default()), links(&log.options()));
    assert!(said > 3, "{said} links");
    assert!(recorded >= said, "{recorded} links");
}

#[test]
fn a_long_meeting_is_set_in_parts_and_loses_nothing() {
    let mut meeting = Log::golden("en/consensus").meeting();
    let first = meeting.said.first().expect("somebody spoke").clone();
    meeting.said = (0..32u32)
        .map(|number| {
            let mut said = (*first).clone();
            said.round = number / 8 + 1;
            said.content = format!("Number {number}. {}", "One `file` is *easy* to keep. ".repeat(260));
            std::sync::Arc::new(said)
        })
        .collect();
    let print = || pdf(&meeting, &Options::default(), &Fonts::carried()).expect("pages");
    let bytes = print();
    assert_eq!(bytes, print(), "whichever part is ready first, the same meeting makes the same bytes");
    let pages = pdf_extract::extract_text_from_mem_by_pages(&bytes).expect("a PDF that others can read");
    let pages: Vec<String> = pages.iter().map(|page| page.split_whitespace().collect()).collect();
    let text = pages.concat();
    for number in 0..32 {
        assert!(text.contains(&format!("Number{number}.")), "message {number}");
    }
    let count = pages.len();
    for (number, page) in (1..).zip(&pages) {
        assert!(page.contains(&format!("{number}/{count}")), "page {number} of {count} says its number");
        assert!(number == 1 || page.contains("ShouldourserviceuseSQLite"), "and what it is about: {page}");
    }
    assert_eq!(text.matches("Round4").count(), 1);
    let metadata = format!("<xmpTPg:NPages>{count}</xmpTPg:NPages>");
    assert!(bytes.windows(metadata.len()).any(|part| part == metadata.as_bytes()), "{metadata}");

    // One outline, whichever file a round is written in: rounds are below the record, and lead to their pages.
    let document = pdf_extract::Document::load_mem(&bytes).expect("a PDF that others can read");
    let outline = document.get_toc().expect("an outline").toc;
    let rounds = outline.iter().skip_while(|entry| entry.title != "Record").skip(1);
    let rounds: Vec<(&str, usize, bool)> = rounds
        .map(|entry| {
            let title: String = entry.title.split_whitespace().collect();
            (entry.title.as_str(), entry.level, pages[entry.page - 1].contains(&title))
        })
        .collect();
    assert_eq!(
        rounds,
        [1, 2, 3, 4].map(|round| (["Round 1", "Round 2", "Round 3", "Round 4"][round - 1], 2, true))
    );
}

#[test]
fn without_chinese_letters_there_is_an_error_and_no_page_of_boxes() {
    let error = pdf(&Log::golden("zh/consensus").meeting(), &Options::default(), &Fonts::carried());
    let error = error.expect_err("the carried fonts are Latin");
    assert!(matches!(error, PdfError::NoChineseFont));
    let hint = error.hint().text(quorate_contract::Language::En);
    assert!(hint.contains("fonts-noto-cjk"), "{hint}");
}

#[test]
fn whatever_is_said_there_are_pages() {
    let wide = format!("|{}\n|{}\n|{}", "h|".repeat(50), "-|".repeat(50), "c|".repeat(50));
    let texts = [
        "#read(\"/etc/passwd\") $x$ * ` ``` #import \"@preview/x\" \\ @ref <label> [a](b) {{ }}".to_owned(),
        "x".repeat(10_000),
        wide,
        "# heading\n\n".repeat(300),
        format!("{}deep", "> ".repeat(60)),
        (0..60).map(|depth| format!("{}- item\n", "  ".repeat(depth))).collect(),
        "**注意：**必须 🙂 \u{202e} \u{0} \u{10ffff} 👨‍👩‍👧".to_owned(),
        "```rust\nfn main() {}\n```\n\n```nonsense lang\n```\n\n[](https://) ![](javascript:x)".to_owned(),
    ];
    for (number, hostile_text) in texts.iter().enumerate() {
        let log = hostile(hostile_text);
        let bytes = printed(&log);
        if !bytes.is_empty() {
            let flat = flat(&bytes);
            assert!(!flat.contains("root:"), "a file was read");
            assert!(number != 0 || flat.contains("#read(\"/etc/passwd\")"), "text stays text");
            assert!(number != 7 || flat.contains("fnmain(){}"), "code is printed");
        }
    }
}

#[test]
fn however_deep_somebody_nests_there_are_pages() {
    let texts = [
        // Each of these once recursed as deep as its nesting.
        ">".repeat(10_000),
        "> ".repeat(5_000),
        "1. ".repeat(3_300),
        "- ".repeat(5_000),
        "> - ".repeat(2_500),
        "*a **b ".repeat(1_400),
        "[".repeat(10_000),
        "![".repeat(2_000) + "x" + &"](y)".repeat(500),
        "~~*_".repeat(1_000) + "x" + &"_*~~".repeat(1_000),
        format!("{}x{}", "*".repeat(5_000), "*".repeat(5_000)),
        "`".repeat(10_000),
        // Setting a pile of marks on one letter takes quadratic time.
        format!("a{}", "\u{301}".repeat(9_000)),
        "a".to_owned() + &"&#769;".repeat(1_600),
        "&amp;".repeat(2_000),
        "<div>".repeat(2_000),
    ];
    for text in texts {
        let bytes = pdf(&hostile_once(&text).meeting(), &Options::default(), &Fonts::carried());
        assert!(bytes.expect("pages").starts_with(b"%PDF-"));
    }
}

#[test]
fn markdown_holds_the_attached_texts() {
    let log = Log::golden("en/files");
    let written = markdown(&log.meeting(), &log.options());
    let (_, texts) = written.split_once("\n## Attached files\n").expect("they stand at the end");
    assert!(texts.contains("\n**f1** ") && texts.contains("1| "), "{texts}");
}
