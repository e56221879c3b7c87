//! Minutes and artifacts from the record alone: plain, true, and through the same gate as a model's.

use std::sync::Arc;

use quorate_contract::{
    Actor, Adr, AdrOption, ArtifactKind, ArtifactLine, ClaimKind, Level, MINUTES_MAX_CHARS, MessageId,
    Minutes, MinutesItem, Page, ParticipantId, RiskItem, RiskList, TaskItem, TaskList, clean, first_sentence,
    shorten,
};
use quorate_messages::text;
use serde_json::Value;

use super::separators;
use crate::policy::agreement::adr_status;
use crate::prompt::record_shapes::{LINE_MAX_CHARS, SUMMARY_MAX_CHARS};
use crate::records::minutes::ITEMS_MAX;
use crate::state::{ClaimRecord, Meeting, MeetingMessage};

/// The most messages that a line names.
const SOURCES_MAX: usize = 6;

/// Minutes of the messages up to `covers`: who said what in a line each, what was decided, is to be
/// done and may go wrong.
pub(crate) fn minutes(m: &Meeting, covers: usize) -> Minutes {
    let record = Record::of(m, covers);
    let [_, separator] = separators(m.language());
    let line = |said: &Arc<MeetingMessage>| {
        let name = said.speaker_name(m.language());
        format!("- [{}] {name}{separator}{}", said.id, first_sentence(&said.content, 200))
    };
    let lines: Vec<String> = record.said.iter().map(line).collect();
    let held: Vec<String> = record.held().iter().map(|held| held.with_names(m)).collect();
    let item = |text: &str, who: Option<String>, sources: Vec<MessageId>| MinutesItem {
        text: fit(text, LINE_MAX_CHARS),
        who,
        sources,
        quote: None,
    };
    let decided = record.decided().map(|text| item(text, None, record.grounds()));
    let actions = record.actions().map(|(what, who, sources)| item(what, who, sources));
    let risks = record.risks().map(|claim| {
        item(&claim.claim.text, Some(fit(&m.name_of(claim.owner), 60)), record.sources_of(claim))
    });
    Minutes {
        content: fit(&lines.join("\n"), MINUTES_MAX_CHARS),
        summary: fit(&held.join("\n"), SUMMARY_MAX_CHARS),
        decisions: decided.into_iter().collect(),
        actions: actions.take(ITEMS_MAX).collect(),
        risks: risks.take(ITEMS_MAX).collect(),
    }
}

/// An artifact from the record. There has to be a message that all participants can read.
pub(crate) fn artifact(m: &Meeting, kind: ArtifactKind) -> Value {
    let record = Record::of(m, m.visible_messages());
    let content = match kind {
        ArtifactKind::Adr => serde_json::to_value(adr(&record)),
        ArtifactKind::Tasks => serde_json::to_value(tasks(&record)),
        ArtifactKind::Risks => serde_json::to_value(risks(&record)),
        ArtifactKind::Summary => serde_json::to_value(page(&record)),
        ArtifactKind::Minutes => serde_json::to_value(minutes(m, m.visible_messages())),
    };
    content.expect("a record has only text keys")
}

fn adr(record: &Record<'_>) -> Adr {
    let m = record.m;
    let held = record.held();
    let reasons = |holders: &[ParticipantId], kinds: &[ClaimKind]| -> Vec<String> {
        let own =
            record.claims().filter(|one| holders.contains(&one.owner) && kinds.contains(&one.claim.kind));
        own.map(|one| fit(&one.claim.text, 300)).filter(|text| !text.is_empty()).take(5).collect()
    };
    let option = |held: &HeldPosition| AdrOption {
        name: fit(&held.text, 200),
        pros: reasons(&held.holders, &[ClaimKind::Claim, ClaimKind::Fact]),
        cons: reasons(&held.holders, &[ClaimKind::Risk]),
        sources: held.sources.clone(),
    };
    let mut options: Vec<AdrOption> = held.iter().take(6).map(option).collect();
    if options.is_empty() {
        let (text, sources) = record.last_words();
        options.push(AdrOption { name: fit(&text, 200), pros: Vec::new(), cons: Vec::new(), sources });
    }
    let risks = record.risks().map(|claim| (claim.claim.text.as_str(), record.sources_of(claim)));
    let actions = record.actions().map(|(what, _, sources)| (what, sources));
    let follows = risks.chain(actions).take(8).map(|(text, sources)| line(text, sources));
    let mut consequences: Vec<ArtifactLine> = follows.collect();
    if consequences.is_empty() {
        let none = text!(m.language(), "records-no-consequences");
        consequences.push(line(none, record.grounds()));
    }
    let background = match clean(&m.settings.background) {
        background if background.is_empty() => m.settings.topic.clone(),
        background => background,
    };
    Adr {
        title: record.topic(),
        status: adr_status(m),
        context: fit(&background, 1500),
        decision: line(&record.outcome(), record.grounds()),
        options,
        consequences,
    }
}

/// A model's decision record, with the status from the agreement. An accepted draft replaces the decision.
pub(crate) fn adr_of_this_meeting(m: &Meeting, mut content: Value) -> Value {
    content["status"] = serde_json::to_value(adr_status(m)).unwrap_or_default();
    if let Some(draft) = m.accepted_draft()
        && content["decision"].is_object()
    {
        content["decision"]["text"] = Value::String(fit(&draft.text, 400));
    }
    content
}

fn tasks(record: &Record<'_>) -> TaskList {
    let task = |title: &str, owner: Option<String>, sources: Vec<MessageId>| TaskItem {
        title: fit(title, 200),
        description: if title.chars().count() > 200 { fit(title, 600) } else { String::new() },
        owner,
        priority: Level::Medium,
        acceptance: String::new(),
        sources,
    };
    let language = record.m.language();
    let actions = record.actions().map(|(what, who, sources)| task(what, who, sources));
    let questions = record.open_questions().into_iter().map(|(question, sources)| {
        task(&text!(language, "records-find-out", what = question), None, sources)
    });
    let mut tasks: Vec<TaskItem> = actions.chain(questions).take(20).collect();
    if tasks.is_empty() {
        let outcome = first_sentence(&record.outcome(), 180);
        let title = text!(language, "records-carry-out", what = outcome);
        tasks.push(task(&title, None, record.grounds()));
    }
    TaskList { tasks }
}

fn risks(record: &Record<'_>) -> RiskList {
    let none = text!(record.m.language(), "records-no-mitigation");
    let risk = |claim: &ClaimRecord| RiskItem {
        risk: fit(&claim.claim.text, 300),
        // The record does not state likelihood and impact.
        likelihood: Level::Medium,
        impact: Level::Medium,
        mitigation: none.to_owned(),
        owner: None,
        sources: record.sources_of(claim),
    };
    RiskList { risks: record.risks().take(20).map(risk).collect() }
}

fn page(record: &Record<'_>) -> Page {
    let held = record.held();
    let points = held.iter().take(10).map(|held| line(&held.with_names(record.m), held.sources.clone()));
    let mut key_points: Vec<ArtifactLine> = points.collect();
    if key_points.is_empty() {
        let (text, sources) = record.last_words();
        key_points.push(line(&text, sources));
    }
    let questions = record.open_questions().into_iter().map(|(question, _)| fit(question, 300));
    Page { summary: fit(&record.outcome(), 1800), key_points, open_questions: questions.take(8).collect() }
}

fn line(text: &str, sources: Vec<MessageId>) -> ArtifactLine {
    ArtifactLine { text: fit(text, 400), sources, quote: None }
}

/// Cleaned and cut, as the gate does it.
fn fit(text: &str, max: usize) -> String {
    shorten(&clean(text), max)
}

/// A position of a participant, and its source.
struct HeldPosition {
    text: String,
    holders: Vec<ParticipantId>,
    sources: Vec<MessageId>,
}

impl HeldPosition {
    fn with_names(&self, m: &Meeting) -> String {
        let names: Vec<String> = self.holders.iter().map(|id| m.name_of(*id)).collect();
        let [separator, colon] = separators(m.language());
        format!("{}{colon}{}", names.join(separator), self.text)
    }
}

/// The first messages of a meeting, and what can be said from them.
struct Record<'m> {
    m: &'m Meeting,
    said: &'m [Arc<MeetingMessage>],
}

impl<'m> Record<'m> {
    fn of(m: &'m Meeting, covers: usize) -> Self {
        Self { m, said: &m.said[..covers.min(m.said.len())] }
    }

    fn topic(&self) -> String {
        fit(&self.m.settings.topic, 200)
    }

    fn holds(&self, id: MessageId) -> bool {
        (1..=self.said.len()).contains(&(id.0 as usize))
    }

    fn last_of(&self, id: ParticipantId) -> Option<&'m Arc<MeetingMessage>> {
        self.said.iter().rev().find(|said| said.speaker == Actor::Participant { id })
    }

    /// The positions at the time of these messages; equal words are one position. A participant who has
    /// spoken since in a blind round is taken at its earlier words.
    fn held(&self) -> Vec<HeldPosition> {
        let mut all: Vec<HeldPosition> = Vec::new();
        for seat in self.m.seats.iter().filter(|seat| seat.present) {
            let id = seat.participant.id;
            let Some(last) = self.last_of(id) else { continue };
            let whole = self.said.len() == self.m.said.len();
            let stance = seat.stance.as_ref().filter(|_| whole || self.spoke_last(id, last));
            let text = match stance {
                Some(stance) => clean(&stance.position),
                None => first_sentence(&last.content, 300),
            };
            if text.is_empty() {
                continue;
            }
            match all.iter_mut().find(|held| held.text == text) {
                Some(held) => {
                    held.holders.push(id);
                    if held.sources.len() < SOURCES_MAX {
                        held.sources.push(last.id);
                    }
                }
                None => all.push(HeldPosition { text, holders: vec![id], sources: vec![last.id] }),
            }
        }
        all.sort_by_key(|held| std::cmp::Reverse(held.holders.len()));
        all
    }

    fn spoke_last(&self, id: ParticipantId, last: &MeetingMessage) -> bool {
        let spoke = self.m.said.iter().rev().find(|said| said.speaker == Actor::Participant { id });
        spoke.is_some_and(|said| said.id == last.id)
    }

    /// Claims that were raised in these messages, and objections from votes on what they held.
    fn claims(&self) -> impl Iterator<Item = &'m ClaimRecord> {
        let known = self.said.len();
        let in_reach = move |id: MessageId| (id.0 as usize) <= known;
        self.m.claims.iter().map(Arc::as_ref).filter(move |claim| claim.message.is_none_or(in_reach))
    }

    /// The risks, in the words of those who raised them.
    fn risks(&self) -> impl Iterator<Item = &'m ClaimRecord> {
        let is_risk =
            |claim: &&ClaimRecord| matches!(claim.claim.kind, ClaimKind::Risk | ClaimKind::Objection);
        self.claims().filter(is_risk).filter(|claim| !clean(&claim.claim.text).is_empty())
    }

    /// The sources of a claim. An objection stands in a vote, so its source is the owner's last message.
    fn sources_of(&self, claim: &ClaimRecord) -> Vec<MessageId> {
        let message = claim.message.filter(|id| self.holds(*id));
        let message = message.or_else(|| self.last_of(claim.owner).map(|said| said.id));
        message.map_or_else(|| self.grounds(), |id| vec![id])
    }

    /// The action items of the conclusion.
    fn actions(&self) -> impl Iterator<Item = (&'m str, Option<String>, Vec<MessageId>)> {
        let actions = self.m.conclusion.iter().flat_map(|conclusion| &conclusion.actions);
        actions.filter(|action| !clean(&action.what).is_empty()).map(|action| {
            let mut sources: Vec<MessageId> = Vec::new();
            for id in action.sources.iter().copied().filter(|id| self.holds(*id)) {
                if sources.len() < SOURCES_MAX && !sources.contains(&id) {
                    sources.push(id);
                }
            }
            let sources = if sources.is_empty() { self.grounds() } else { sources };
            let who = action.who.as_ref().map(|who| fit(who, 60)).filter(|who| !who.is_empty());
            (action.what.as_str(), who, sources)
        })
    }

    /// The open questions of present participants, each once.
    fn open_questions(&self) -> Vec<(&'m str, Vec<MessageId>)> {
        let mut found: Vec<(&str, Vec<MessageId>)> = Vec::new();
        for seat in self.m.seats.iter().filter(|seat| seat.present) {
            let Some(last) = self.last_of(seat.participant.id) else { continue };
            if !self.spoke_last(seat.participant.id, last) {
                continue;
            }
            for question in seat.stance.iter().flat_map(|stance| &stance.open_questions) {
                if !clean(question).is_empty() && !found.iter().any(|(known, _)| known == question) {
                    found.push((question, vec![last.id]));
                }
            }
        }
        found
    }

    /// The draft that was accepted.
    fn decided(&self) -> Option<&'m str> {
        let text = self.m.accepted_draft().map(|draft| draft.text.as_str())?;
        (!clean(text).is_empty()).then_some(text)
    }

    /// The result of the meeting so far: its conclusion, its draft, or the position that most hold.
    fn outcome(&self) -> String {
        let conclusion = self.m.conclusion.as_ref().map(|conclusion| clean(&conclusion.text));
        let draft = self.m.draft().map(|draft| clean(&draft.text));
        let written = [self.decided().map(clean), conclusion, draft]
            .into_iter()
            .flatten()
            .find(|text| !text.is_empty());
        written.or_else(|| self.held().into_iter().next().map(|held| held.text)).unwrap_or_else(|| {
            let topic = self.topic();
            text!(self.m.language(), "records-no-answer-yet", topic)
        })
    }

    /// The sources of the whole: the last message of each speaker.
    fn grounds(&self) -> Vec<MessageId> {
        let mut found: Vec<MessageId> = Vec::new();
        let spoke = self.m.seats.iter().filter_map(|seat| self.last_of(seat.participant.id));
        for said in spoke.take(SOURCES_MAX) {
            found.push(said.id);
        }
        if found.is_empty() {
            found.extend(self.said.last().map(|said| said.id));
        }
        found
    }

    fn last_words(&self) -> (String, Vec<MessageId>) {
        let Some(last) = self.said.last() else { return (self.topic(), Vec::new()) };
        match first_sentence(&last.content, 300) {
            text if text.is_empty() => (self.topic(), vec![last.id]),
            text => (text, vec![last.id]),
        }
    }
}
