//! Changes of a meeting: its topic, rules, agenda, candidates, and written records.

use std::sync::Arc;

use anstyle::AnsiColor;
use quorate_contract::{
    Actor, AgendaChange, AgendaId, AgendaItem, ArtifactKind, EventBody, Language, Minutes, Presence, Rules,
    ToolOutcome, shorten, tool_decision_text, tool_failure_text,
};
use quorate_core::MeetingSettings;
use quorate_messages::text;
use quorate_views::actor_name;
use serde_json::Value;

use super::{BOLD, DIM, View};
use crate::language::Speech;
use crate::live::lists;

/// The settings before the event that is shown.
pub(in crate::live) struct Before {
    pub(super) settings: Arc<MeetingSettings>,
    pub(super) agenda: Vec<Arc<AgendaItem>>,
}

impl View {
    /// Shows something about how the meeting is held, or one of its records.
    pub(super) fn held(&mut self, body: &EventBody, before: &Before) {
        match body {
            EventBody::ParticipantInvited { description, .. } => {
                let what = text!(self.language(), "cli-changes-somebody-invited");
                self.aside(what, description);
            }
            EventBody::PresenceChanged { participant, presence, .. } => {
                let what = match presence {
                    Presence::Online => text!(self.language(), "cli-changes-back"),
                    Presence::Offline => text!(self.language(), "cli-changes-away"),
                };
                let name = self.name(*participant);
                self.put(&format!("\n{name} {DIM}{what}{DIM:#}"));
            }
            EventBody::ParticipantChanged { participant, skip_list: Some(phrases), .. } => {
                let name = self.name(*participant);
                let what = match phrases.is_empty() {
                    true => text!(self.language(), "cli-changes-no-skip-list").to_owned(),
                    false => {
                        let list = phrases.join(text!(self.language(), "common-list-separator"));
                        text!(self.language(), "cli-changes-skip-list", %list)
                    }
                };
                self.put(&format!("\n{name} {DIM}{what}{DIM:#}"));
            }
            // Who hosts needs no welcome.
            EventBody::PersonJoined { person } if !self.meeting.is_host(&person.clone().into()) => {
                let what = text!(self.language(), "cli-changes-person-joined");
                self.put(&format!("\n{} {DIM}{what}{DIM:#}", person.name));
            }
            EventBody::PersonLeft { person, .. } => {
                let what = text!(self.language(), "cli-changes-person-left");
                self.put(&format!("\n{} {DIM}{what}{DIM:#}", person.name));
            }
            EventBody::HostChanged { host, .. } => {
                let what = text!(self.language(), "cli-changes-hosts");
                self.put(&format!("\n{} {DIM}{what}{DIM:#}", host.name));
            }
            EventBody::TopicChanged { topic, .. } => {
                let was = &before.settings.topic;
                let text = text!(self.language(), "cli-changes-topic-now", bold = %BOLD, %topic, bold2 = %format_args!("{:#}", BOLD), dim = %DIM, %was, dim2 = %format_args!("{:#}", DIM));
                self.put(&format!("\n{text}"));
            }
            EventBody::DetailsChanged { details, .. } => {
                let title = self.meeting.title().to_owned();
                let what = text!(self.language(), "cli-changes-details", bold = %BOLD, %title, bold2 = %format_args!("{:#}", BOLD));
                self.put(&format!("\n{what}"));
                if !details.description.is_empty() {
                    self.put(&format!("{DIM}{}{DIM:#}", details.description));
                }
            }
            EventBody::RulesChanged { rules, .. } => {
                let changes = differences(&before.settings.rules, rules);
                let what = text!(self.language(), "cli-changes-rules-change");
                self.aside(what, &changes.join(text!(self.language(), "common-semicolon")));
            }
            EventBody::AgendaChanged { change, by } => self.agenda_change(change, by, before),
            EventBody::AnnouncementPublished { text, .. } => {
                let what = text!(self.language(), "cli-changes-announcement");
                let style = AnsiColor::Yellow.on_default().bold();
                self.put(&format!("\n{style}{what}{style:#} {text}"));
            }
            EventBody::FileAttached { file, by } => {
                let (id, name) = (file.id, &file.name);
                let by = actor_name(&self.told(), by);
                let what = text!(self.language(), "cli-changes-file-attached", %by, %name, %id);
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::ToolsAllowed { tools, by: _ } => {
                let names: Vec<&str> = tools.iter().map(|one| one.name.as_str()).collect();
                let names = names.join(text!(self.language(), "common-list-separator"));
                let what = match tools.is_empty() {
                    true => text!(self.language(), "cli-changes-no-tools-allowed").to_owned(),
                    false => text!(self.language(), "cli-changes-tools-allowed", %names),
                };
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::ToolCalled { call, participant, tool, arguments, .. } => {
                let who = self.meeting.name_of(*participant);
                let arguments = shorten(&arguments.replace('\n', " "), TOOL_LINE_CHARS);
                let what =
                    text!(self.language(), "cli-changes-tool-called", id = %call, %who, %tool, %arguments);
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::ToolReviewed { call, decision, by } => {
                let by = actor_name(&self.told(), by);
                let (id, decision) = (call, tool_decision_text(self.language(), *decision));
                let what = text!(self.language(), "cli-changes-tool-reviewed", %id, %by, %decision);
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::ToolReturned { call, outcome, .. } => {
                let (id, language) = (call, self.language());
                let what = match outcome {
                    ToolOutcome::Returned { text, truncated, .. } => {
                        let (lines, first) =
                            (text.lines().count(), shorten(&first_line(text), TOOL_LINE_CHARS));
                        match truncated {
                            true => text!(language, "cli-changes-tool-returned-cut", %id, lines, %first),
                            false => text!(language, "cli-changes-tool-returned", %id, lines, %first),
                        }
                    }
                    ToolOutcome::Failed { kind, detail } => {
                        let detail = detail.in_language(language);
                        let colon = if detail.is_empty() { "" } else { text!(language, "common-colon") };
                        let why = format!("{}{colon}{detail}", tool_failure_text(language, *kind));
                        text!(language, "cli-changes-tool-failed", %id, %why)
                    }
                };
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::FileRemoved { file, by } => {
                let by = actor_name(&self.told(), by);
                let what = text!(self.language(), "cli-changes-file-removed", %by, id = %file);
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::AccessChanged { locked, .. } => {
                let what = match locked {
                    true => text!(self.language(), "cli-changes-password-needed-open-meeting"),
                    false => text!(self.language(), "cli-changes-no-password-needed-any-more"),
                };
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::IntakeWritten { questions, .. } if questions.is_empty() => {
                let what = text!(self.language(), "cli-changes-nothing-missing");
                self.put(&format!("{DIM}{what}{DIM:#}"));
            }
            EventBody::TeamProposed { candidates, departures, .. } => {
                if candidates.is_empty() && departures.is_empty() {
                    return;
                }
                let what = text!(self.language(), "cli-changes-who-comes-goes");
                let table = lists::team(&self.meeting, candidates, departures, Speech(self.language()));
                self.put(&format!("\n{BOLD}{what}{BOLD:#}\n{table}"));
            }
            EventBody::Metric { open_questions_count, disagreements_count, convergence_score, .. } => {
                let (open, divided, score) = (open_questions_count, disagreements_count, convergence_score);
                let text = text!(self.language(), "cli-changes-convergence-100-open-questions-disagreements", %score, %open, %divided);
                self.put(&format!("{DIM}{text}{DIM:#}"));
            }
            EventBody::MinutesRequested { writer, note, .. } => {
                let who = writer.map_or_else(
                    || text!(self.language(), "cli-changes-facilitator").to_owned(),
                    |id| self.meeting.name_of(id),
                );
                let what = text!(self.language(), "cli-changes-asked-minutes", %who);
                self.aside(&what, note);
            }
            EventBody::MinutesWritten { version, author, minutes, .. } => {
                self.minutes(*version, author, minutes);
            }
            EventBody::ArtifactRequested { artifact_type, version, .. } => {
                let what = text!(self.language(), "cli-changes-document-asked");
                self.aside(what, &format!("{artifact_type} {version}"));
            }
            EventBody::ArtifactWritten { artifact_type, version, content, author, covers: _ } => {
                let title = title_of(*artifact_type, content, self.language());
                let by = self.by(author);
                let text = text!(self.language(), "cli-changes-has-passed-gate", %artifact_type, %version, %by, %title);
                let style = AnsiColor::Green.on_default();
                self.put(&format!("\n{style}✓{style:#} {text}"));
            }
            _ => {}
        }
    }

    fn agenda_change(&mut self, change: &AgendaChange, by: &Actor, before: &Before) {
        let title = |id: &AgendaId| {
            let item = before.agenda.iter().find(|item| item.id == *id);
            item.map_or_else(|| id.to_string(), |item| format!("{id} {}", item.title))
        };
        let (what, item) = match change {
            AgendaChange::Added { item } => {
                (text!(self.language(), "cli-changes-agenda"), format!("{} {}", item.id, item.title))
            }
            AgendaChange::Completed { item } => (text!(self.language(), "cli-changes-agenda-2"), title(item)),
            AgendaChange::Reopened { item } => (text!(self.language(), "cli-changes-agenda-3"), title(item)),
            AgendaChange::Removed { item } => (text!(self.language(), "cli-changes-agenda-4"), title(item)),
        };
        let by = match by {
            Actor::Person { .. } => String::new(),
            Actor::System | Actor::Facilitator | Actor::Participant { .. } => {
                text!(self.language(), "cli-changes-by-other", who = actor_name(&self.told(), by))
            }
        };
        self.aside(what, &format!("{item}{by}"));
    }

    fn minutes(&mut self, version: u32, author: &Actor, minutes: &Minutes) {
        let by = self.by(author);
        let title = text!(self.language(), "cli-changes-minutes-version", %version, %by);
        let counts = text!(self.language(), "cli-changes-decisions-actions-risks", decisions = %minutes.decisions.len(), actions = %minutes.actions.len(), risks = %minutes.risks.len());
        let summary = if minutes.summary.is_empty() { "" } else { minutes.summary.as_str() };
        let gap = if summary.is_empty() { "" } else { "\n" };
        self.put(&format!("\n{BOLD}{title}{BOLD:#}\n{summary}{gap}{DIM}{counts}{DIM:#}"));
    }

    /// The author, if it is not the facilitator.
    fn by(&self, author: &Actor) -> String {
        match author {
            Actor::Facilitator => String::new(),
            Actor::System => text!(self.language(), "cli-changes-written-by-rules").to_owned(),
            Actor::Participant { id } => {
                let name = self.meeting.name_of(*id);
                text!(self.language(), "cli-changes-by", %name)
            }
            Actor::Person { .. } => text!(self.language(), "cli-changes-edited-by-person").to_owned(),
        }
    }

    fn aside(&mut self, what: &str, text: &str) {
        let colon = if text.is_empty() { "" } else { text!(self.language(), "common-colon") };
        self.put(&format!("{DIM}{what}{colon}{DIM:#}{text}"));
    }
}

/// The title of an artifact.
fn title_of(kind: ArtifactKind, content: &Value, language: Language) -> String {
    let text = ["title", "decision", "summary", "headline"].iter().find_map(|field| content[field].as_str());
    let list = |field: &str| {
        let count = content[field].as_array().map(Vec::len);
        count.map_or_else(String::new, |count| text!(language, "cli-changes-count", count))
    };
    match (kind, text) {
        (_, Some(text)) => format!("{}{text}", text!(language, "common-colon")),
        (ArtifactKind::Tasks, None) => list("tasks"),
        (ArtifactKind::Risks, None) => list("risks"),
        (_, None) => String::new(),
    }
}

/// Each rule that is another now, as `path old → new`.
fn differences(before: &Rules, now: &Rules) -> Vec<String> {
    let value = |rules: &Rules| serde_json::to_value(rules).unwrap_or_default();
    let mut found = Vec::new();
    compare("", &value(before), &value(now), &mut found);
    found
}

fn compare(path: &str, before: &Value, now: &Value, found: &mut Vec<String>) {
    if before == now {
        return;
    }
    match (before, now) {
        (Value::Object(old), Value::Object(new)) => {
            let names: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
            for name in names {
                let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                let nothing = Value::Null;
                compare(&below, old.get(name).unwrap_or(&nothing), new.get(name).unwrap_or(&nothing), found);
            }
        }
        (old, new) => found.push(format!("{path} {old} → {new}")),
    }
}

/// The longest text of a call or result in a line, in characters.
const TOOL_LINE_CHARS: usize = 100;

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
