//! The result, all that was said, and what participants did beside speaking, as Markdown.

use quorate_contract::{Evidence, Language};
use quorate_core::Meeting;
use quorate_messages::text;
use quorate_views::{Report, Work, WorkEntry};

use crate::sections::Section;
use crate::{Options, Times, body};

/// The report, and below it all that was said, under the numbers by which the report refers to it.
pub fn markdown(meeting: &Meeting, options: &Options) -> String {
    body(&Report::of(meeting), options) + &transcript(meeting, &options.work, &options.times)
}

/// All that was said and done, round by round, from a heading of the second level on.
pub(crate) fn transcript(meeting: &Meeting, work: &[WorkEntry], times: &Times) -> String {
    let language = meeting.language();
    let mut text = format!("\n## {}\n", text!(language, "print-transcript-record"));
    if let Some(zone) = &meeting.settings.details.display.time_zone {
        text.push_str(&text!(language, "print-transcript-zone", %zone));
    }
    let mut section = None;
    let mut work = work.iter().peekable();
    for (place, said) in meeting.said.iter().enumerate() {
        let own = Section::of(meeting, said);
        if section != Some(own) {
            section = Some(own);
            text.push_str(&format!("\n### {}\n", own.title(language)));
        }
        while let Some(entry) = work.next_if(|entry| entry.said_before <= place) {
            put_work(&mut text, entry, language);
        }
        let at = times.tell(said.at);
        let (name, words) = (said.speaker_name(language), said.text(language));
        text.push_str(&format!("\n**{name}** [{}] · {at}\n\n{words}\n", said.id));
        if !said.evidence.is_empty() {
            let cited: Vec<String> = said.evidence.iter().map(evidence).collect();
            let cited = cited.join(text!(language, "common-list-separator"));
            text.push_str(&format!("\n{}\n", text!(language, "print-transcript-evidence", %cited)));
        }
    }
    work.for_each(|entry| put_work(&mut text, entry, language));
    text
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

/// Appends what somebody did. Arguments and results are data: nothing in them ends their fence.
fn put_work(text: &mut String, entry: &WorkEntry, language: Language) {
    let by = &entry.by;
    match &entry.work {
        Work::Action { line } => {
            let line = one_line(line);
            text.push_str(&format!("\n- **{by}** · {}\n", escaped(&line)));
        }
        Work::Call { call, tool, arguments, result, returned: _ } => {
            let tool = tool.replace('`', "'");
            let head = text!(language, "print-transcript-call", name = %by, id = %call, %tool);
            text.push_str(&format!(
                "\n<a id=\"{call}\"></a>{head}\n\n{}\n{}",
                fenced(arguments),
                fenced(result)
            ));
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
        let entry = |work| WorkEntry { said_before: 0, by: "Ada".to_owned(), work };
        let mut text = String::new();
        let result = "# Not a heading\n```\n<a id=\"m1\">".to_owned();
        let (tool, arguments) = ("repo__`read".to_owned(), "{}".to_owned());
        let call = quorate_contract::ToolCallId(3);
        put_work(
            &mut text,
            &entry(Work::Call { call, tool, arguments, result, returned: true }),
            Language::En,
        );
        assert!(
            text.contains("<a id=\"t3\"></a>") && text.contains("````text\n# Not a heading\n```\n"),
            "{text}"
        );
        text.clear();
        let line = "Read: [x](http://a) <b>".to_owned();
        put_work(&mut text, &entry(Work::Action { line }), Language::En);
        assert_eq!(text, "\n- **Ada** · Read: \\[x\\](http://a) \\<b\\>\n");
    }
}
