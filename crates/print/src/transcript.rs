//! The result and all that was said, as Markdown.

use quorate_core::Meeting;
use quorate_messages::text;
use quorate_views::Report;

use crate::{Options, Times, body};

/// The report, and below it all that was said, under the numbers by which the report refers to it.
pub fn markdown(meeting: &Meeting, options: &Options) -> String {
    body(&Report::of(meeting), options) + &transcript(meeting, &options.times)
}

/// All that was said, round by round, from a heading of the second level on.
pub(crate) fn transcript(meeting: &Meeting, times: &Times) -> String {
    let language = meeting.language();
    let mut text = format!("\n## {}\n", text!(language, "print-transcript-record"));
    if let Some(zone) = &meeting.settings.details.display.time_zone {
        text.push_str(&text!(language, "print-transcript-zone", %zone));
    }
    let mut round = None;
    for said in &meeting.said {
        if round != Some(said.round) {
            round = Some(said.round);
            text.push_str(&text!(language, "print-transcript-round", round = %said.round));
        }
        let at = times.tell(said.at);
        text.push_str(&format!("\n**{}** [{}] · {at}\n\n{}\n", said.name, said.id, said.content));
        if !said.evidence.is_empty() {
            let cited: Vec<String> =
                said.evidence.iter().map(|one| format!("`{one}` ({})", one.call)).collect();
            let cited = cited.join(text!(language, "common-list-separator"));
            text.push_str(&format!("\n{}\n", text!(language, "print-transcript-evidence", %cited)));
        }
    }
    text
}
