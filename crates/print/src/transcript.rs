//! The result, all that was said, and what participants did beside speaking, as Markdown.

use quorate_contract::{Evidence, Language};
use quorate_core::{FileRecord, Meeting};
use quorate_messages::text;
use quorate_views::{Report, Work, quoted};

use crate::record::{EntryContent, RecordPart, in_order};
use crate::{Options, RecordEntry, Times, body, facts};

/// The report, below it all that was said, under the numbers by which the report refers to it, and the attached texts.
pub fn markdown(meeting: &Meeting, options: &Options) -> String {
    let result = Report::of(meeting);
    let body = body(&result, options);
    let (topic, rest) = body.split_once('\n').unwrap_or((&body, ""));
    let colon = text!(result.language, "report-colon");
    let facts = facts(meeting, &result, options).into_iter().filter(|(_, what)| !what.is_empty());
    let facts = facts.map(|(name, what)| format!("- **{name}**{colon}{}\n", escaped(&one_line(&what))));
    let facts: String = facts.collect();
    format!("{topic}\n\n{facts}{rest}")
        + &transcript(meeting, &options.record, &options.times)
        + &attached(meeting)
}

/// The beginnings of the attached texts, as participants read them, with the numbers of their lines.
fn attached(meeting: &Meeting) -> String {
    let excerpt = |record: &FileRecord| {
        let (file, text) = (&record.file, record.file.text.as_ref()?);
        let lines = text.excerpt.lines().zip(1..).map(|(line, number)| format!("{number}| {line}"));
        let lines = lines.collect::<Vec<_>>().join("\n");
        let head = format!("\n**{}** {}\n\n", file.id, escaped(&one_line(&file.name)));
        (!lines.is_empty()).then(|| head + &fenced(&lines))
    };
    let texts: String = meeting.files.iter().filter_map(|record| excerpt(record)).collect();
    match texts.is_empty() {
        true => texts,
        false => format!("\n## {}\n{texts}", text!(meeting.language(), "print-pdf-files")),
    }
}

/// All that was said and done, round by round, from a heading of the second level on.
pub(crate) fn transcript(meeting: &Meeting, record: &[RecordEntry], times: &Times) -> String {
    let language = meeting.language();
    let mut text = format!("\n\n## {}\n", text!(language, "print-transcript-record"));
    if let Some(zone) = &meeting.settings.details.display.time_zone {
        text.push_str(&text!(language, "print-transcript-zone", %zone));
    }
    for part in in_order(meeting, record) {
        match part {
            RecordPart::Section(section) => {
                text.push_str(&format!("\n### {}\n", section.title(language)));
            }
            RecordPart::Entry(entry) => put_entry(&mut text, &entry.content, language),
            RecordPart::Said(said) => {
                let at = times.tell(said.at);
                let (name, words) = (said.speaker_name(language), said.text(language));
                let words = quoted(&words);
                text.push_str(&format!("\n**{name}** [{}] · {at}\n\n{words}\n", said.id));
                if !said.evidence.is_empty() {
                    let cited = cited(&said.evidence, language);
                    text.push_str(&format!("\n{}\n", text!(language, "print-transcript-evidence", %cited)));
                }
            }
        }
    }
    text
}

fn cited(all: &[Evidence], language: Language) -> String {
    let cited: Vec<String> = all.iter().map(evidence).collect();
    cited.join(text!(language, "common-list-separator"))
}

/// What was cited of a result: a page of the web as a link with its title, or lines, and the call.
fn evidence(one: &Evidence) -> String {
    let call = format!("[{0}](#{0})", one.call);
    match one.address() {
        // An address holds nothing that ends it here.
        Some(address) => {
            let title = one.title.as_deref().filter(|title| !title.is_empty());
            match title {
                Some(title) => format!("[{}](<{address}>) ({call})", escaped(&one_line(title))),
                None => format!("<{address}> ({call})"),
            }
        }
        None => format!("`{}` ({call})", one.to_string().replace('`', "'")),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Appends what happened. Arguments and results are data: nothing in them ends their fence. Other texts stay within
/// their line or quotation, as they do in the report.
fn put_entry(text: &mut String, content: &EntryContent, language: Language) {
    match content {
        EntryContent::Work { by, work: Work::Action { line } } => {
            let line = one_line(line);
            text.push_str(&format!("\n- **{by}** · {}\n", escaped(&line)));
        }
        EntryContent::Work { by, work: Work::Call { call, tool, arguments, result, returned: _ } } => {
            let tool = tool.replace('`', "'");
            let head = text!(language, "print-transcript-call", name = %by, id = %call, %tool);
            text.push_str(&format!(
                "\n<a id=\"{call}\"></a>{head}\n\n{}\n{}",
                fenced(arguments),
                fenced(result)
            ));
        }
        EntryContent::Line { text: line } => text.push_str(&format!("\n- {}\n", one_line(line))),
        EntryContent::List { title, items } => {
            let items: String = items.iter().map(|item| format!("- {}\n", one_line(item))).collect();
            text.push_str(&format!("\n**{}**\n\n{items}", one_line(title)));
        }
        EntryContent::Card { title, text: words } => {
            text.push_str(&format!("\n**{}**\n\n{}\n", one_line(title), quoted(words)));
        }
        EntryContent::Ballot { title } => text.push_str(&format!("\n#### {title}\n")),
        EntryContent::Vote { by, about, lines, claim } => {
            let claim = claim.map(|claim| format!(" [{claim}]")).unwrap_or_default();
            let lines: String = lines.iter().map(|line| format!("  - {}\n", one_line(line))).collect();
            text.push_str(&format!("\n- **{by}** · {about}{claim}\n{lines}"));
        }
        EntryContent::Claim { id, text: words, evidence } => {
            let cited = match evidence.is_empty() {
                true => String::new(),
                false => text!(language, "print-record-paren", text = cited(evidence, language)),
            };
            text.push_str(&format!("\n- [{id}] {}{cited}\n", one_line(words)));
        }
    }
}

/// A text as it is, between fences that nothing in it can end.
fn fenced(text: &str) -> String {
    let mut longest = 2;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    format!("{fence}text\n{text}\n{fence}\n")
}

/// A line of an agent's words, without signs of Markdown or HTML.
fn escaped(line: &str) -> String {
    let mut safe = String::with_capacity(line.len());
    for letter in line.chars() {
        if matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!') {
            safe.push('\\');
        }
        safe.push(letter);
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_the_web_is_a_link_and_nothing_else_is() {
        let page = |path: &str, title: &str| Evidence {
            call: quorate_contract::ToolCallId(3),
            seq: 9,
            path: Some(path.to_owned()),
            title: Some(title.to_owned()).filter(|title| !title.is_empty()),
            first: None,
            last: None,
        };
        let written = evidence(&page("https://a.example/b_(c)", "Rents](javascript:alert(1)) <b>\nin 2026"));
        assert_eq!(
            written,
            "[Rents\\](javascript:alert(1)) \\<b\\> in 2026](<https://a.example/b_(c)>) ([t3](#t3))"
        );
        assert_eq!(evidence(&page("https://a.example", "")), "<https://a.example> ([t3](#t3))");
        assert_eq!(evidence(&page("javascript:alert(1)", "x")), "`javascript:alert(1)` ([t3](#t3))");
    }

    #[test]
    fn what_was_done_stays_data() {
        let mut text = String::new();
        let result = "# Not a heading\n```\n<a id=\"m1\">".to_owned();
        let (tool, arguments) = ("repo__`read".to_owned(), "{}".to_owned());
        let (by, call) = ("Ada".to_owned(), quorate_contract::ToolCallId(3));
        let work = Work::Call { call, tool, arguments, result, returned: true };
        let call = EntryContent::Work { by: by.clone(), work };
        put_entry(&mut text, &call, Language::En);
        assert!(
            text.contains("<a id=\"t3\"></a>") && text.contains("````text\n# Not a heading\n```\n"),
            "{text}"
        );
        text.clear();
        let line = "Read: [x](http://a) <b>".to_owned();
        put_entry(&mut text, &EntryContent::Work { by, work: Work::Action { line } }, Language::En);
        assert_eq!(text, "\n- **Ada** · Read: \\[x\\](http://a) \\<b\\>\n");
    }

    #[test]
    fn what_was_written_stays_in_its_quotation() {
        let mut text = String::new();
        let card =
            EntryContent::Card { title: "Summary".to_owned(), text: "# Not a heading\n\n- one".to_owned() };
        put_entry(&mut text, &card, Language::En);
        assert_eq!(text, "\n**Summary**\n\n> # Not a heading\n>\n> - one\n");
        text.clear();
        let items = vec!["a\n# b".to_owned()];
        put_entry(&mut text, &EntryContent::List { title: "Asked".to_owned(), items }, Language::En);
        assert_eq!(text, "\n**Asked**\n\n- a # b\n");
    }
}
