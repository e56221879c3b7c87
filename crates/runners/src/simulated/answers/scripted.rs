//! Answers out of a written script. `None` for whatever the script does not foresee: another participant, another
//! round, words of a person, changed rules. Then the answer is generated.

use quorate_contract::{
    ArtifactKind, Brief, BriefArtifact, BriefConclusion, BriefEvaluation, BriefIntake, BriefMinutes,
    BriefSources, BriefSummary, BriefTask, BriefTeam, BriefTurn, Temperament,
};
use serde_json::{Value, json};

use super::SKIP;
use super::positions::positions;
use super::speak::steering;
use super::summary::is_measured;
use crate::simulated::answer_context::AnswerContext;
use crate::simulated::persuasion::PASS_FROM;
use crate::simulated::rng::hash;
use crate::simulated::scripts::{self, Line, Script, Turn};

/// The answer that the script of the topic has for this task.
pub(in crate::simulated) fn answer(brief: &Brief, temperament: Temperament) -> Option<String> {
    let script = scripts::at_table(brief)?;
    let plays = matches!(
        temperament,
        Temperament::Balanced | Temperament::Agreeable | Temperament::Stubborn | Temperament::Slow
    );
    if !plays {
        return None;
    }
    let scripted = Scripted { script, brief, temperament };
    let value = match &brief.task {
        BriefTask::Blind(_) => scripted.opening(),
        BriefTask::Speak(asked) => return scripted.message(asked),
        BriefTask::Contribute(asked) => scripted.contribution(asked),
        BriefTask::Vote => scripted.vote(),
        BriefTask::Summarize(asked) => scripted.summary(asked),
        BriefTask::Facilitate => scripted.facilitation(),
        BriefTask::Conclude(asked) => scripted.conclusion(asked),
        BriefTask::Intake(asked) => scripted.intake(asked),
        BriefTask::Team(asked) => scripted.team(asked),
        BriefTask::Evaluate(asked) => scripted.marks(asked),
        BriefTask::Minutes(asked) => scripted.minutes(asked),
        BriefTask::Artifact(asked) => scripted.artifact(asked),
        BriefTask::Invite(_) => None,
    };
    Some(value?.to_string())
}

/// A script beside the task that it may answer.
struct Scripted<'a> {
    script: &'static Script,
    brief: &'a Brief,
    temperament: Temperament,
}

impl<'a> Scripted<'a> {
    fn scene(&self) -> AnswerContext<'a> {
        AnswerContext::new(self.brief, self.temperament)
    }

    /// Whether the meeting has gone as it is written so far: nobody has joined, and everybody holds what the script says.
    fn as_written(&self) -> bool {
        let (script, brief) = (self.script, self.brief);
        brief.participants.len() == script.cast.len()
            && brief.participants.iter().all(|participant| {
                script.position_after(&participant.name, brief.round) == participant.position.as_deref()
            })
    }

    fn opening(&self) -> Option<Value> {
        let said = self.script.blind.iter().find(|one| one.by == self.brief.name)?;
        Some(json!({
            "position": self.script.position(&said.position),
            "claims": said.claims,
            "confidence": said.confidence,
            "would_change_my_mind": said.change,
            "unshared_facts": said.facts,
        }))
    }

    /// The turn that is written for this moment, unless the reader leads the meeting.
    fn turn(&self, asked: &BriefTurn) -> Option<&'static Turn> {
        let turn = self.script.turn(&self.brief.name, self.brief.round, asked.spoken)?;
        (!asked.hosts && !asked.moderates).then_some(turn)
    }

    /// Whether the script lets the reader be silent.
    fn is_silent(&self, asked: &BriefTurn) -> bool {
        let free = asked.can_skip && asked.targets.is_empty() && asked.steering.is_none();
        free && self.script.turn(&self.brief.name, self.brief.round, asked.spoken).is_none()
    }

    fn message(&self, asked: &BriefTurn) -> Option<String> {
        if self.is_silent(asked) {
            return Some(SKIP.to_owned());
        }
        let turn = self.turn(asked)?;
        let mut trailer = self.stance(turn, asked);
        trailer["position"] = json!(self.script.position(&turn.position));
        for (field, lines) in [("risks", &turn.risks), ("open_questions", &turn.questions)] {
            if !lines.is_empty() {
                trailer[field] = json!(lines);
            }
        }
        Some(format!("{}\n\n```json\n{trailer}\n```", self.prose(turn, asked)))
    }

    fn contribution(&self, asked: &BriefTurn) -> Option<Value> {
        if self.is_silent(asked) {
            return None;
        }
        let turn = self.turn(asked)?;
        let mut value = self.stance(turn, asked);
        value["statement"] = json!(self.prose(turn, asked));
        value["recommendation"] = json!(self.script.position(&turn.position));
        value["risks"] = json!(turn.risks);
        value["open_questions"] = json!(turn.questions);
        if let Some(before) = &asked.memory {
            let mut notes = before.notes.clone();
            notes.extend(turn.notes.iter().cloned());
            notes.drain(..notes.len().saturating_sub(4));
            value["memory"] = json!({
                "assumptions": before.assumptions,
                "to_verify": turn.questions,
                "preferences": [self.script.position(&turn.position)],
                "risks": turn.risks,
                "notes": notes,
            });
        }
        Some(value)
    }

    /// What a turn says beside its text, in prose and in a schema alike.
    fn stance(&self, turn: &Turn, asked: &BriefTurn) -> Value {
        let mover = turn.moved_by.as_ref();
        let answered = asked.targets.iter().find(|target| Some(&target.owner) == mover);
        let read =
            || asked.last_claims.iter().find(|(owner, _)| Some(owner) == mover).map(|(_, claim)| claim);
        let moved = answered.map(AnswerContext::tag).or_else(|| read().cloned());
        let mut value = json!({
            "confidence": turn.confidence,
            "changed_by": moved,
            "claims": turn.claims,
        });
        if asked.wants_ideas {
            let ideas = turn.ideas.iter().map(|idea| {
                let known = |words: &String| asked.ideas.iter().find(|known| known.text.contains(words));
                let on: Vec<&str> = idea.on.iter().filter_map(known).map(|known| known.id.as_str()).collect();
                json!({ "text": idea.text, "builds_on": on })
            });
            value["ideas"] = ideas.collect();
        }
        value
    }

    /// The text of a turn, with the numbers of the points that it answers. One of the table takes up what a person
    /// has said.
    fn prose(&self, turn: &Turn, asked: &BriefTurn) -> String {
        let paragraphs = turn.text.trim().split("\n\n").map(|paragraph| {
            let named = paragraph.strip_prefix('[').and_then(|rest| rest.split_once(']'));
            let Some((name, words)) = named else { return paragraph.trim().to_owned() };
            let tags: String = asked
                .targets
                .iter()
                .filter(|target| target.owner == name)
                .map(|target| format!("[{}] ", AnswerContext::tag(target)))
                .collect();
            format!("{tags}{}", words.trim())
        });
        let paragraphs: Vec<String> = paragraphs.collect();
        let text = paragraphs.join("\n\n");
        let mut scene = self.scene();
        let seats = self.script.cast.len() as u64;
        let takes_up =
            |words: &String| hash(words).wrapping_add(self.brief.round.into()) % seats == scene.seat() as u64;
        match asked.steering.as_ref().filter(|words| takes_up(words)) {
            Some(_) => match steering(&mut scene, asked) {
                Some(reply) => format!("{reply}\n\n{text}"),
                None => text,
            },
            None => text,
        }
    }

    /// A vote on the draft that the script has written, and on no other.
    fn vote(&self) -> Option<Value> {
        let (script, brief) = (self.script, self.brief);
        let vote = script.votes.iter().find(|one| one.by == brief.name && one.round == brief.round)?;
        let is_draft = brief.draft.as_deref().map(str::trim) == script.draft_after(brief.round);
        is_draft.then(|| {
            json!({
                "score": vote.score,
                "pass": vote.score >= PASS_FROM,
                "reason": vote.reason,
                "missing": vote.missing,
            })
        })
    }

    fn summary(&self, asked: &BriefSummary) -> Option<Value> {
        let written = self.script.summary(self.brief.round)?;
        if !self.as_written() {
            return None;
        }
        let scene = self.scene();
        let held = positions(&scene);
        // A script without ballots has no draft; rules may ask for one all the same.
        let draft = match (written.draft.trim(), held.first()) {
            ("", Some(leading)) => leading.text.clone(),
            (draft, _) => draft.to_owned(),
        };
        let mut value = json!({ "summary": written.text.trim(), "positions": held, "draft": draft });
        if asked.ideas.is_none() && is_measured(&scene) {
            value["open_questions"] = json!(written.open);
            value["disagreements"] = json!(written.divided);
        }
        Some(value)
    }

    /// Whether the votes were those of the script.
    fn votes_as_written(&self, round: u32) -> bool {
        let written = |name: &str| {
            let own = self.script.votes.iter().filter(|one| one.by == name && one.round <= round);
            own.max_by_key(|one| one.round).map(|one| one.score)
        };
        self.brief.participants.iter().all(|one| one.score == written(&one.name))
    }

    fn facilitation(&self) -> Option<Value> {
        let written = self.script.facilitations.iter().find(|one| one.round == self.brief.round)?;
        (self.as_written() && self.votes_as_written(self.brief.round)).then(|| {
            json!({
                "disagreements": written.disagreements,
                "proposed_patch": written.patch,
                "next_focus": written.focus,
            })
        })
    }

    fn conclusion(&self, asked: &BriefConclusion) -> Option<Value> {
        let (script, brief) = (self.script, self.brief);
        let written = &script.conclusion;
        // A script with votes says why its draft was accepted, one without them what was concluded.
        let fits = asked.accepted != script.votes.is_empty() && brief.round >= script.last_round();
        if !fits || !self.as_written() || !self.votes_as_written(brief.round) {
            return None;
        }
        let sides = |open: &scripts::Disagreement| -> Value {
            let side = |side: &scripts::Side| json!({ "view": script.position(&side.view), "why": side.why, "holders": side.holders });
            open.sides.iter().map(side).collect()
        };
        let disagreements = written.disagreements.iter();
        let disagreements: Value =
            disagreements.map(|open| json!({ "issue": open.issue, "sides": sides(open) })).collect();
        let said = |places: &[String]| -> Vec<&str> {
            places.iter().filter_map(|place| said_at(place, &asked.sources)).collect()
        };
        let actions = written.actions.iter();
        let actions: Value = actions
            .map(|one| json!({ "what": one.what, "who": one.who, "sources": said(&one.said) }))
            .collect();
        let words = if asked.accepted { "reasons" } else { "conclusion" };
        let mut value = json!({ "disagreements": disagreements, "actions": actions });
        value[words] = json!(with_sources(written.text.trim(), &asked.sources));
        if asked.best_ideas > 0 {
            let pick = |one: &scripts::Pick| {
                let idea = asked.ideas.iter().find(|idea| idea.text.contains(&one.idea))?;
                Some(json!({ "idea": idea.id, "why": one.why }))
            };
            let best = written.best.iter().take(asked.best_ideas as usize).map(pick);
            value["best"] = best.collect::<Option<Vec<Value>>>()?.into();
            value["wildcard"] = match &written.wildcard {
                Some(one) => pick(one)?,
                None => Value::Null,
            };
        }
        Some(value)
    }

    fn intake(&self, asked: &BriefIntake) -> Option<Value> {
        let own = self.script.intake.iter().filter(|one| one.round == self.brief.round);
        let questions = own.take(asked.max_questions as usize).map(|one| {
            json!({
                "key": one.key,
                "ask": one.ask,
                "why": one.why,
                "required": one.required,
                "kind": one.kind,
                "choices": one.choices,
            })
        });
        Some(json!({ "questions": questions.collect::<Vec<_>>() }))
    }

    /// The cast; nobody else, unless a person asks for somebody.
    fn team(&self, asked: &BriefTeam) -> Option<Value> {
        let cast = &self.script.cast;
        if asked.request.is_some() {
            return None;
        }
        if !self.brief.participants.is_empty() {
            return Some(json!({ "candidates": [] }));
        }
        let models = asked.models.iter().cycle().map(Some).chain(std::iter::repeat(None));
        let candidates: Vec<Value> = cast
            .iter()
            .zip(models)
            .map(|(member, model)| {
                json!({
                    "name": member.name,
                    "role": member.role,
                    "description": member.description,
                    "focus": member.description,
                    "system_prompt": "",
                    "model": model.map(|model| model.name.as_str()).unwrap_or_default(),
                    "temperature": 0.7,
                    "reason": member.description,
                })
            })
            .collect();
        (asked.seats as usize >= cast.len()).then(|| json!({ "candidates": candidates }))
    }

    fn marks(&self, asked: &BriefEvaluation) -> Option<Value> {
        let round = self.brief.round;
        let mark = |participant: &quorate_contract::BriefParticipant| {
            let name = &participant.name;
            let mark = self.script.marks.iter().find(|one| one.name == *name && one.round == round)?;
            let spoke = asked.messages.iter().any(|message| message.by == *name);
            spoke.then(|| json!({ "name": name, "score": mark.score, "reason": mark.reason }))
        };
        let marks: Option<Vec<Value>> = self.brief.participants.iter().map(mark).collect();
        Some(json!({ "marks": marks? }))
    }

    fn minutes(&self, asked: &BriefMinutes) -> Option<Value> {
        if asked.request.is_some() {
            return None;
        }
        self.written_minutes(&asked.sources)
    }

    fn written_minutes(&self, given: &BriefSources) -> Option<Value> {
        let written = self.script.minutes.as_ref().filter(|_| self.is_said())?;
        let lines = |lines: &'static [Line]| -> Option<Vec<Value>> {
            lines.iter().map(|line| line_of(line, given, true)).collect()
        };
        Some(json!({
            "content": written.content.trim(),
            "summary": written.summary.trim(),
            "decisions": lines(&written.decisions)?,
            "actions": lines(&written.actions)?,
            "risks": lines(&written.risks)?,
        }))
    }

    /// Whether all that is written has been said.
    fn is_said(&self) -> bool {
        self.brief.round >= self.script.last_round() && self.as_written()
    }

    fn artifact(&self, asked: &BriefArtifact) -> Option<Value> {
        if !self.is_said() {
            return None;
        }
        let given = &asked.sources;
        match asked.artifact {
            ArtifactKind::Minutes => self.written_minutes(given),
            ArtifactKind::Adr => self.adr(given),
            ArtifactKind::Tasks => {
                let tasks = self.script.tasks.iter().map(|task| {
                    let source = source(&task.quote, given)?;
                    Some(json!({
                        "title": task.title,
                        "description": task.description,
                        "owner": task.owner,
                        "priority": task.priority,
                        "acceptance": task.acceptance,
                        "sources": [source],
                    }))
                });
                let tasks = tasks.collect::<Option<Vec<Value>>>().filter(|tasks| !tasks.is_empty())?;
                Some(json!({ "tasks": tasks }))
            }
            ArtifactKind::Risks => {
                let risks = self.script.risks.iter().map(|risk| {
                    let source = source(&risk.quote, given)?;
                    Some(json!({
                        "risk": risk.risk,
                        "likelihood": risk.likelihood,
                        "impact": risk.impact,
                        "mitigation": risk.mitigation,
                        "owner": risk.owner,
                        "sources": [source],
                    }))
                });
                let risks = risks.collect::<Option<Vec<Value>>>().filter(|risks| !risks.is_empty())?;
                Some(json!({ "risks": risks }))
            }
            ArtifactKind::Summary => None,
        }
    }

    fn adr(&self, given: &BriefSources) -> Option<Value> {
        let adr = self.script.adr.as_ref()?;
        let option = |option: &scripts::AdrOption| {
            let sources: Option<Vec<&str>> = option.quotes.iter().map(|quote| source(quote, given)).collect();
            Some(
                json!({ "name": option.name, "pros": option.pros, "cons": option.cons, "sources": sources? }),
            )
        };
        let options: Option<Vec<Value>> = adr.options.iter().map(option).collect();
        let consequences: Option<Vec<Value>> =
            adr.consequences.iter().map(|line| line_of(line, given, false)).collect();
        Some(json!({
            "title": adr.title,
            "status": adr.status,
            "context": adr.context,
            "decision": line_of(&adr.decision, given, false)?,
            "options": options?,
            "consequences": consequences?,
        }))
    }
}

/// The number of what somebody said last in a round, by the words of a script: `Ben 2`.
fn said_at<'a>(place: &str, given: &'a BriefSources) -> Option<&'a str> {
    let (by, round) = place.trim().rsplit_once(' ')?;
    let round: u32 = round.parse().ok()?;
    let said = given.messages.iter().rfind(|message| message.by == by && message.round == round)?;
    Some(&said.id)
}

/// A text of a script, in which `{Ben 2, Ada 3}` becomes the numbers of those messages: `[m9, m12]`.
fn with_sources(text: &str, given: &BriefSources) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, (places, after))) =
        rest.split_once('{').and_then(|(before, marked)| Some((before, marked.split_once('}')?)))
    {
        out.push_str(before);
        let ids: Vec<&str> = places.split(',').filter_map(|place| said_at(place, given)).collect();
        match ids.as_slice() {
            [] => out.truncate(out.trim_end().len()),
            ids => out.push_str(&format!("[{}]", ids.join(", "))),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The number of the message that holds these words.
fn source<'a>(quote: &str, given: &'a BriefSources) -> Option<&'a str> {
    given.messages.iter().find(|message| message.text.contains(quote)).map(|message| message.id.as_str())
}

fn line_of(line: &Line, given: &BriefSources, owned: bool) -> Option<Value> {
    let mut value =
        json!({ "text": line.text, "sources": [source(&line.quote, given)?], "quote": line.quote });
    if owned {
        value["who"] = json!(line.who);
    }
    Some(value)
}
