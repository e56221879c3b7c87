//! The pieces of which a record is made, and how each of them is read.

use std::borrow::Cow;
use std::fmt::Write as _;

use quorate_contract::{Actor, MinutesItem, Verdict, shorten};
use quorate_messages::text;
use serde_json::Value;

use super::frame::{put_attribute, put_beginning, put_data, put_end, put_frame, put_harmless, put_text};
use super::quotes::Quote;
use crate::prompt::outcome::actor_name;
use crate::state::{
    Announcement, Answers, Ballot, BallotDraft, FileRecord, Meeting, MeetingMessage, MinutesVersion, Seat,
    Summary,
};

/// One piece of the record. It is rendered only when its place is known, straight into the prompt: a long
/// meeting has thousands, and each call reads them all.
pub(super) enum RecordPiece<'m> {
    /// A message of the reader.
    Own(&'m MeetingMessage),
    /// A message of another speaker.
    Said(&'m MeetingMessage),
    /// The beginning of a message.
    Cut {
        said: &'m MeetingMessage,
        own: bool,
        chars: usize,
    },
    Summary(&'m Summary),
    Draft(&'m BallotDraft),
    Ballot(&'m Ballot, &'m Verdict),
    /// The minutes, in place of what they cover.
    Minutes(&'m MinutesVersion),
    Announcement(&'m Announcement),
    /// That a file was attached.
    File(&'m FileRecord),
    /// A person's answers to the meeting's questions.
    Answers(&'m Answers),
    /// The present recommendation of another participant.
    Position(&'m str, &'m str),
    /// A quote of another participant.
    Quote(Quote<'m>),
}

impl RecordPiece<'_> {
    /// Whether the reader wrote it.
    pub(super) fn is_own(&self) -> bool {
        match self {
            Self::Own(_) => true,
            Self::Cut { own, .. } => *own,
            Self::Said(_) | Self::Summary(_) | Self::Draft(_) | Self::Ballot(..) => false,
            Self::Minutes(_) | Self::Announcement(_) | Self::File(_) | Self::Answers(_) => false,
            Self::Position(..) | Self::Quote(_) => false,
        }
    }

    /// Adds the piece as it is read; something in any case.
    pub(super) fn put(&self, m: &Meeting, out: &mut String) {
        match self {
            Self::Own(said) => put_data(out, &said.text(m.language())),
            Self::Said(said) => put_said(m, said, None, out),
            Self::Cut { said, own: true, chars } => put_data(out, &shorten(&said.text(m.language()), *chars)),
            Self::Cut { said, own: false, chars } => put_said(m, said, Some(*chars), out),
            Self::Summary(summary) => put_summary(m, summary, out),
            Self::Draft(draft) => {
                put_frame(out, "draft", &[("version", &draft.version.to_string())], &draft.text);
            }
            Self::Ballot(ballot, verdict) => put_ballot(m, ballot, verdict, out),
            Self::Minutes(version) => put_minutes(m, version, out),
            Self::Announcement(announcement) => {
                put_frame(
                    out,
                    "announcement",
                    &[("by", &actor_name(m, &announcement.by))],
                    &announcement.text,
                );
            }
            Self::File(record) => {
                let id = record.file.id.to_string();
                let attributes = [("id", id.as_str()), ("by", &actor_name(m, &record.by))];
                put_frame(out, "file_attached", &attributes, &record.file.name);
            }
            Self::Answers(answers) => put_answers(m, answers, out),
            Self::Position(name, position) => put_frame(out, "position", &[("from", name)], position),
            Self::Quote(quote) => {
                let source = quote.message.to_string();
                let attributes = [("id", source.as_str()), ("from", quote.from), ("kind", quote.kind)];
                put_frame(out, "quote", &attributes, &quote.text);
            }
        }
    }
}

/// Appends a message, or its first characters.
fn put_said(m: &Meeting, said: &MeetingMessage, most: Option<usize>, out: &mut String) {
    let seat = said.speaker.as_participant().and_then(|id| m.seat(id));
    let is_person = matches!(said.speaker, Actor::Person { .. }) || seat.is_some_and(Seat::is_person);
    let kind = match said.speaker {
        Actor::Participant { .. } if is_person => "person",
        Actor::Participant { .. } => "participant",
        Actor::Person { .. } => "person",
        Actor::Facilitator => "facilitator",
        Actor::System => "rules",
    };
    let from = match is_person {
        true => Cow::Owned(text!(m.language(), "records-person", name = %said.name)),
        false => Cow::Borrowed(said.speaker_name(m.language())),
    };
    put_beginning(out, "message");
    put_harmless(out, "id", said.id);
    put_attribute(out, "from", &from);
    put_harmless(out, "kind", kind);
    put_harmless(out, "round", said.round);
    if let Some(answered) = said.reply_to {
        put_harmless(out, "reply_to", answered);
    }
    match most {
        None => {
            put_text(out, &said.text(m.language()));
            each_unnamed_claim(m, said, |tag, claim| {
                out.push('\n');
                put_data(out, tag);
                out.push(' ');
                put_data(out, claim);
            });
        }
        Some(most) => {
            let mut body = said.text(m.language()).into_owned();
            each_unnamed_claim(m, said, |tag, claim| body.push_str(&format!("\n{tag} {claim}")));
            put_text(out, &shorten(&body, most));
        }
    }
    put_end(out, "message");
}

/// Calls `put` with each claim of a message whose number its text does not name, as a tag, and the words of the claim.
fn each_unnamed_claim(m: &Meeting, said: &MeetingMessage, mut put: impl FnMut(&str, &str)) {
    let mut tag = String::new();
    for claim in said.claims.iter().filter_map(|id| m.claim(*id)) {
        tag.clear();
        // Nothing fails that is written to a string.
        _ = write!(tag, "[{}]", claim.claim.id);
        if !said.content.contains(&tag) {
            put(&tag, &claim.claim.text);
        }
    }
}

fn put_summary(m: &Meeting, summary: &Summary, out: &mut String) {
    let mut body = summary.text.clone();
    for position in &summary.positions {
        let holders: Vec<String> = position.holders.iter().map(|id| m.name_of(*id)).collect();
        body.push_str(&format!("\n- {}: {}", holders.join(", "), position.text));
    }
    let listed = [
        (text!(m.language(), "records-open-questions"), &summary.open_questions),
        (text!(m.language(), "records-open-disagreements"), &summary.disagreements),
    ];
    for (title, lines) in listed.into_iter().filter(|(_, lines)| !lines.is_empty()) {
        body.push_str(&format!("\n{title}"));
        lines.iter().for_each(|line| body.push_str(&format!("\n- {line}")));
    }
    put_frame(out, "summary", &[("round", &summary.round.to_string())], &body);
}

fn put_ballot(m: &Meeting, ballot: &Ballot, verdict: &Verdict, out: &mut String) {
    let votes = ballot.votes().map(|(id, vote)| {
        let objection = m.claims.iter().rev().find(|claim| {
            claim.owner == id
                && claim.message.is_none()
                && claim.round == ballot.round
                && claim.claim.text == vote.reason
        });
        let tag = objection.map(|claim| format!("[{}] ", claim.claim.id)).unwrap_or_default();
        format!("{}: {} — {tag}{}", m.name_of(id), vote.score, vote.reason)
    });
    let body = votes.collect::<Vec<_>>().join("\n");
    let passed = if verdict.passed { "true" } else { "false" };
    put_frame(
        out,
        "ballot",
        &[("id", &ballot.id.to_string()), ("draft", &ballot.draft_version.to_string()), ("passed", passed)],
        &body,
    );
}

fn put_minutes(m: &Meeting, version: &MinutesVersion, out: &mut String) {
    let language = m.language();
    let minutes = &version.minutes;
    let mut body = minutes.content.clone();
    if !minutes.summary.is_empty() {
        body.push_str("\n\n");
        body.push_str(&text!(language, "records-what-holds-now", summary = &minutes.summary));
    }
    for (title, items) in [
        (text!(language, "records-decisions"), &minutes.decisions),
        (text!(language, "records-actions"), &minutes.actions),
        (text!(language, "records-risks"), &minutes.risks),
    ] {
        if !items.is_empty() {
            body.push_str(&format!("\n\n{title}"));
            items.iter().for_each(|item| put_item(item, &mut body));
        }
    }
    let number = version.version.to_string();
    let last = version.covers.checked_sub(1).and_then(|place| m.said.get(place));
    let last = last.map(|said| said.id.to_string());
    let mut attributes = vec![("version", number.as_str())];
    attributes.extend(last.as_deref().map(|last| ("up_to", last)));
    put_frame(out, "minutes", &attributes, &body);
}

fn put_item(item: &MinutesItem, body: &mut String) {
    body.push_str(&format!("\n- {}", item.text));
    if let Some(who) = &item.who {
        body.push_str(&format!(" ({who})"));
    }
    if !item.sources.is_empty() {
        let sources: Vec<String> = item.sources.iter().map(ToString::to_string).collect();
        body.push_str(&format!(" [{}]", sources.join(", ")));
    }
}

fn put_answers(m: &Meeting, answers: &Answers, out: &mut String) {
    let language = m.language();
    let given = answers.given.iter().map(|(ask, answer)| {
        let answer = match answer {
            Value::Null => text!(language, "records-not-known").to_owned(),
            Value::Bool(true) => text!(language, "records-yes").to_owned(),
            Value::Bool(false) => text!(language, "records-no").to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        format!("- {} {answer}", ask.in_language(language))
    });
    let body = given.collect::<Vec<_>>().join("\n");
    put_frame(out, "answers", &[("by", &actor_name(m, &answers.by))], &body);
}
