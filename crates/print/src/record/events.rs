//! What each event tells.

use quorate_contract::{
    AbstentionKind, AgendaChange, Event, EventBody, Phrase, PrivateMemory, ProviderWaitEndReason, Question,
    SkipReason, Stance, Vote, clause_text, tool_decision_text,
};
use quorate_messages::text;
use serde_json::Value;

use super::{EntryContent, Recorder};

impl Recorder<'_> {
    /// Adds what an event tells.
    pub(super) fn see(&mut self, event: &Event) {
        let language = self.language;
        match &event.body {
            EventBody::AgentMessage { stance, reasoning, .. } if !self.reader.withholds_words(event) => {
                if let Some(stance) = stance {
                    self.stance(stance);
                }
                if let Some(reasoning) = reasoning.as_ref().filter(|_| self.reader.reasoning()) {
                    self.card(text!(language, "print-page-reasoning"), reasoning);
                }
            }
            EventBody::VoteCast { .. }
            | EventBody::VoteAbstained { .. }
            | EventBody::EvaluationWritten { .. }
            | EventBody::MemoryWritten { .. }
                if self.reader.hides(event) => {}
            EventBody::ToolCalled { .. } | EventBody::ToolReturned { .. } | EventBody::AgentAction { .. } => {
                self.see_work(event);
            }
            EventBody::ToolReviewed { call, decision, .. } => {
                let decision = tool_decision_text(language, *decision);
                self.line(text!(language, "print-page-tool-reviewed", id = %call, decision));
            }
            EventBody::ParticipantJoined { participant, .. } if self.started => {
                self.line(text!(language, "print-page-joined", name = %participant.name));
            }
            EventBody::ParticipantLeft { participant, .. } => {
                self.line(text!(language, "print-page-left", name = self.m.name_of(*participant)));
            }
            EventBody::PersonJoined { person } if self.started => {
                self.line(text!(language, "print-page-arrived", name = %person.name));
            }
            EventBody::PersonLeft { person, .. } => {
                self.line(text!(language, "print-page-departed", name = %person.name));
            }
            EventBody::HostChanged { host, .. } => {
                self.line(text!(language, "print-page-hosts", name = %host.name));
            }
            EventBody::TopicChanged { topic, .. } => {
                self.line(text!(language, "print-page-topic", text = topic));
            }
            EventBody::DetailsChanged { details, .. } if !details.title.is_empty() => {
                self.line(text!(language, "print-page-called", text = %details.title));
            }
            EventBody::AgendaChanged { change: AgendaChange::Added { item }, .. } => {
                self.line(text!(language, "print-page-agenda-added", text = %item.title));
            }
            EventBody::AnnouncementPublished { text, .. } => {
                self.card(text!(language, "print-page-announcement"), text);
            }
            EventBody::FileAttached { file, .. } => {
                self.line(text!(language, "print-page-file-attached", id = %file.id, name = %file.name));
            }
            EventBody::FileRemoved { file, .. } => {
                self.line(text!(language, "print-page-file-removed", id = %file));
            }
            EventBody::RoundStarted { focus, .. } if !focus.is_empty() => {
                self.list(text!(language, "print-record-focus"), focus.clone());
            }
            EventBody::TurnSkipped { participant, reason, phrases, .. } => {
                let name = self.m.name_of(*participant);
                let quoted = |phrase: &String| text!(language, "print-record-quoted", phrase);
                let phrases: Vec<String> = phrases.iter().map(quoted).collect();
                let phrases = phrases.join(text!(language, "print-page-comma"));
                self.line(match reason {
                    SkipReason::Chosen => text!(language, "print-page-skipped", name),
                    SkipReason::TimedOut => text!(language, "print-page-timed-out", name),
                    SkipReason::SkipList if phrases.is_empty() => {
                        text!(language, "print-page-not-asked-list", name)
                    }
                    SkipReason::SkipList => text!(language, "print-page-not-asked", name, phrases),
                });
            }
            EventBody::TurnFailed { participant, detail, hint, .. } => {
                let (name, why) = (self.m.name_of(*participant), self.why(detail, hint));
                self.line(text!(language, "print-page-failed", name, why));
            }
            EventBody::SummaryWritten { text, .. } => {
                self.card(text!(language, "print-page-summary"), text);
            }
            EventBody::DraftRevised { version, text, .. } => {
                self.card(text!(language, "print-page-draft", n = %version), text);
            }
            EventBody::Metric { convergence_score, .. } => {
                self.line(text!(language, "print-page-metric", score = %convergence_score));
            }
            EventBody::BallotOpened { ballot, .. } => {
                self.put(EntryContent::Ballot { title: text!(language, "print-page-ballot", n = %ballot.0) });
            }
            EventBody::VoteCast { participant, vote, objection, .. } => {
                let (by, about) = (self.m.name_of(*participant), self.about(vote));
                let claim = objection.as_ref().map(|claim| claim.id);
                self.put(EntryContent::Vote { by, about, lines: self.of_vote(vote), claim });
            }
            EventBody::VoteAbstained { participant, kind, detail, hint, .. } => {
                let by = self.m.name_of(*participant);
                match kind {
                    AbstentionKind::Chosen => {
                        let about = text!(language, "print-page-abstains").to_owned();
                        let lines = [detail.in_language(language).into_owned()];
                        let lines = lines.into_iter().filter(|line| !line.is_empty()).collect();
                        self.put(EntryContent::Vote { by, about, lines, claim: None });
                    }
                    AbstentionKind::Malformed | AbstentionKind::Failed => {
                        let why = self.why(detail, hint);
                        self.line(text!(language, "print-page-vote-failed", name = by, why));
                    }
                }
            }
            EventBody::BallotInterrupted { .. } => self.line(text!(language, "print-page-interrupted")),
            EventBody::BallotClosed { verdict, .. } => {
                let title = match verdict.passed {
                    true => text!(language, "print-page-ballot-passed"),
                    false => text!(language, "print-page-ballot-failed"),
                };
                let clauses = verdict.clauses.iter().map(|clause| {
                    format!("{} {}", if clause.met { '✓' } else { '✗' }, clause_text(language, clause))
                });
                self.list(title, clauses.collect());
            }
            EventBody::Pause { questions, .. } => {
                let asks = questions.iter().map(|one| one.ask.in_language(language).into_owned());
                self.list(text!(language, "print-page-paused"), asks.collect());
                self.asked.clone_from(questions);
            }
            EventBody::Resume { answers, .. } => {
                let given = answers.iter().filter(|(_, answer)| !answer.is_null());
                let given = given.map(|(key, answer)| self.answer(key, answer)).collect();
                self.list(text!(language, "print-page-resumed"), given);
            }
            EventBody::Recovered { idle_ms } => self.line(match idle_ms {
                None => text!(language, "print-page-recovered"),
                Some(_) => text!(language, "print-page-idle"),
            }),
            EventBody::MeetingForked { from, at, .. } => {
                self.line(text!(language, "print-page-forked", from = %from.as_str(), at = %at));
            }
            EventBody::MinutesWritten { version, minutes, .. } => {
                self.card(text!(language, "print-page-minutes", n = %version), &minutes.content);
            }
            EventBody::ArtifactWritten { artifact_type, version, .. } => {
                let kind = artifact_type.as_str();
                self.line(text!(language, "print-page-artifact", kind, version = %version));
            }
            EventBody::BudgetReached { .. } => self.line(text!(language, "print-page-budget")),
            EventBody::ProviderWaitStarted { waiting_for, tries: 1, .. } => {
                let names = waiting_for.join(text!(language, "print-page-comma"));
                self.line(text!(language, "print-page-outage", names));
            }
            EventBody::ProviderWaitEnded { reason: ProviderWaitEndReason::Reachable } => {
                self.line(text!(language, "print-page-reachable"));
            }
            EventBody::Error { detail, .. } => {
                let why = detail.in_language(language).into_owned();
                self.line(text!(language, "print-page-error", why));
            }
            EventBody::ConclusionWritten { conclusion, reasons, .. } => {
                self.card(text!(language, "print-page-conclusion"), conclusion);
                if !reasons.is_empty() {
                    self.card(text!(language, "print-page-reasons"), reasons);
                }
            }
            EventBody::EvaluationWritten { round, marks, .. } => {
                let mark = |mark: &quorate_contract::EvaluationMark| {
                    let (name, score) = (self.m.name_of(mark.participant), mark.score);
                    let reason = mark.reason.in_language(language);
                    format!("{name} {score}/10 {reason}")
                };
                let marks = marks.iter().map(mark).collect();
                self.list(text!(language, "print-page-marks", n = %round), marks);
            }
            EventBody::MemoryWritten { participant, memory } => {
                let PrivateMemory { assumptions, to_verify, preferences, risks, notes } = memory;
                let notes = [assumptions, to_verify, preferences, risks, notes].into_iter().flatten();
                let name = self.m.name_of(*participant);
                self.list(text!(language, "print-page-memory", name), notes.cloned().collect());
            }
            EventBody::Finished { .. } => self.line(text!(language, "print-page-finished")),
            _ => {}
        }
    }

    /// The position after a message, and the claims in it that rest on evidence.
    fn stance(&mut self, stance: &Stance) {
        let language = self.language;
        if !stance.position.is_empty() {
            let (position, colon) =
                (text!(language, "print-page-position"), text!(language, "print-page-colon"));
            let sure = stance.confidence.map(|n| text!(language, "print-page-confidence", n = %n));
            let sure =
                sure.map(|sure| text!(language, "print-record-paren", text = sure)).unwrap_or_default();
            self.line(format!("{position}{colon}{}{sure}", stance.position));
        }
        for claim in &stance.claims {
            if claim.evidence.is_empty() && claim.citations.is_empty() {
                continue;
            }
            let (id, text, evidence) = (claim.id, claim.text.clone(), claim.evidence.clone());
            self.put(EntryContent::Claim { id, text, evidence });
        }
    }

    /// The score of a vote, and whether it passes the draft.
    fn about(&self, vote: &Vote) -> String {
        let word = match vote.pass {
            true => text!(self.language, "print-page-passes"),
            false => text!(self.language, "print-page-fails"),
        };
        format!("{} · {word}", vote.score)
    }

    /// The reason of a vote, and what it lacks.
    fn of_vote(&self, vote: &Vote) -> Vec<String> {
        let (missing, colon) =
            (text!(self.language, "print-page-missing"), text!(self.language, "print-page-colon"));
        let lacks = vote.missing.join(text!(self.language, "print-page-comma"));
        let lacks = (!lacks.is_empty()).then(|| format!("{missing}{colon}{lacks}"));
        let reason = Some(vote.reason.clone()).filter(|reason| !reason.is_empty());
        reason.into_iter().chain(lacks).collect()
    }

    /// An answer to a question of the last pause.
    fn answer(&self, key: &str, answer: &Value) -> String {
        let asked = self.asked.iter().find(|one: &&Question| one.key == key);
        let ask = asked.map_or_else(|| key.to_owned(), |one| one.ask.in_language(self.language).into_owned());
        let answer = answer.as_str().map_or_else(|| answer.to_string(), str::to_owned);
        format!("{ask} → {answer}")
    }

    /// Why something failed, and what helps.
    fn why(&self, detail: &Phrase, hint: &Phrase) -> String {
        let parts = [detail, hint].map(|phrase| phrase.in_language(self.language).into_owned());
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
}
