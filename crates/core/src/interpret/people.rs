//! Reads what the facilitator says about people: what to ask them, who is to come, how they did.

use quorate_contract::{
    Candidate, EvaluationMark, NAME_MAX_CHARS, Newcomer, Question, QuestionKind, ROLE_MAX_CHARS, Role,
    RunnerSpec, check_newcomer, shorten,
};
use quorate_messages::{Message, message};
use serde_json::{Map, Value, json};

use super::forms::{missing, number, number_of, objects, people, required, string, strings, truth};
use super::response::ParsedResponse;
use crate::policy::roster;
use crate::state::Meeting;

/// Keys that the meeting itself asks by.
const OWN_KEYS: [&str; 2] = ["topic", "more"];

/// Questions to a person; an empty list says that nothing is missing.
pub(super) fn questions(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<Vec<Question>, Message> {
    let object = heard.object(&[&["questions"]])?;
    if !object.get("questions").is_some_and(Value::is_array) {
        return Err(missing("questions"));
    }
    let mut questions: Vec<Question> = Vec::new();
    let most = meeting.rules().intake.max_questions as usize;
    for one in objects(&object, "questions") {
        if questions.len() >= most {
            break;
        }
        let Some(ask) = string(one, "ask") else { continue };
        let key = key_of(one, questions.len());
        let taken = OWN_KEYS.contains(&key.as_str()) || questions.iter().any(|other| other.key == key);
        let key = if taken { format!("q{}", questions.len() + 1) } else { key };
        questions.push(Question {
            key,
            ask: shorten(&ask, 300).into(),
            why: shorten(&string(one, "why").unwrap_or_default(), 300).into(),
            required: one.get("required").and_then(truth).unwrap_or(false),
            kind: kind_of(one),
            default: None,
        });
    }
    Ok(questions)
}

fn key_of(one: &Map<String, Value>, place: usize) -> String {
    let key = string(one, "key").unwrap_or_default();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match !key.is_empty() && key.len() <= 40 && key.chars().all(fits) {
        true => key,
        false => format!("q{}", place + 1),
    }
}

fn kind_of(one: &Map<String, Value>) -> QuestionKind {
    let choices = strings(one, "choices");
    match string(one, "kind").as_deref() {
        Some("number") => QuestionKind::Number,
        Some("boolean") => QuestionKind::Boolean,
        Some("choice") if choices.len() > 1 => QuestionKind::Choice { choices },
        Some(_) | None => QuestionKind::Text,
    }
}

/// Reads newcomers; an empty list says that none are needed, which a meeting without participants cannot
/// accept.
pub(super) fn candidates(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<Vec<Candidate>, Message> {
    let object = heard.object(&[&["candidates"]])?;
    let mut found: Vec<Candidate> = Vec::new();
    let most = roster::seats_free(meeting);
    for one in objects(&object, "candidates").take(most) {
        let taken: Vec<String> = found.iter().map(|candidate| candidate.newcomer.name.clone()).collect();
        found.push(candidate_of(one, meeting, &taken)?);
    }
    if found.is_empty() && meeting.present().next().is_none() {
        return Err(missing("candidates"));
    }
    Ok(found)
}

/// Reads one newcomer.
pub(super) fn candidate(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<Candidate, Message> {
    candidate_of(&heard.object(&[&["name", "role"]])?, meeting, &[])
}

fn candidate_of(one: &Map<String, Value>, meeting: &Meeting, taken: &[String]) -> Result<Candidate, Message> {
    let named = required(one, "name")?;
    let role = required(one, "role")?;
    let focus = string(one, "focus").unwrap_or_default();
    let newcomer = Newcomer {
        name: roster::free_name(meeting, &shorten(&named, NAME_MAX_CHARS), taken),
        role: Role {
            description: shorten(&string(one, "description").unwrap_or_else(|| role.clone()), ROLE_MAX_CHARS),
            name: shorten(&role, NAME_MAX_CHARS),
            system_prompt: shorten(&string(one, "system_prompt").unwrap_or_default(), ROLE_MAX_CHARS),
        },
        runner: runner_of(one, meeting, taken.len())?,
        skip_list: Vec::new(),
    };
    check_newcomer("candidate", &newcomer).map_err(|refusal| {
        let [problem, hint] = [refusal.problem(), refusal.hint()];
        let [problem, hint] = [&problem, &hint].map(|text| text.for_reader(meeting.language()));
        message!("answer-candidate-refused", problem, hint)
    })?;
    let reason = shorten(&string(one, "reason").unwrap_or_default(), 300);
    Ok(Candidate { newcomer, focus: shorten(&focus, 300), reason: reason.into() })
}

/// The model that was chosen by name, or the one whose turn it is.
fn runner_of(one: &Map<String, Value>, meeting: &Meeting, place: usize) -> Result<RunnerSpec, Message> {
    let offers = &meeting.settings.models;
    let chosen = string(one, "model").and_then(|name| offers.iter().find(|offer| offer.name == name));
    let mut runner = match chosen {
        Some(offer) => offer.runner.clone(),
        None => roster::next_runner(meeting, place).ok_or_else(|| missing("model"))?,
    };
    if let RunnerSpec::Model { parameters, .. } = &mut runner
        && let Some(temperature) = one.get("temperature").and_then(number)
    {
        parameters.temperature = Some(temperature.clamp(0.0, 2.0));
    }
    Ok(runner)
}

/// Marks: one for each who had a turn.
pub(super) fn marks(heard: &ParsedResponse<'_>, meeting: &Meeting) -> Result<Vec<EvaluationMark>, Message> {
    let object = heard.object(&[&["marks"]])?;
    let due = roster::to_be_marked(meeting);
    let mut marks: Vec<EvaluationMark> = Vec::new();
    for one in objects(&object, "marks") {
        let person = Map::from_iter([("names".to_owned(), json!([string(one, "name").unwrap_or_default()]))]);
        let Some(participant) = people(meeting, &person, "names").first().copied() else { continue };
        let Some(score) = one
            .get("score")
            .and_then(|score| number_of(score, 10))
            .filter(|score| (0.0..=10.0).contains(score))
        else {
            continue;
        };
        if due.contains(&participant) && !marks.iter().any(|mark| mark.participant == participant) {
            let reason = shorten(&string(one, "reason").unwrap_or_default(), 300);
            marks.push(EvaluationMark { participant, score: score.round() as u8, reason: reason.into() });
        }
    }
    let unmarked: Vec<String> = due
        .iter()
        .filter(|id| !marks.iter().any(|mark| mark.participant == **id))
        .map(|id| meeting.name_of(*id))
        .collect();
    match unmarked.is_empty() {
        true => Ok(marks),
        false => Err(message!("answer-marks-left-out", names = unmarked)),
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::{MessageId, StopReason};

    use super::*;
    use crate::state::TurnState;
    use crate::tests::{round_of, seated, settings};

    #[test]
    fn each_question_has_a_key_of_its_own_and_none_of_the_meetings() {
        let long = "x".repeat(41);
        let asked = json!({ "questions": [
            { "key": "writers", "ask": "How many?", "kind": "number" },
            { "key": "writers", "ask": "And later?", "kind": "choice", "choices": ["more"] },
            { "key": "topic", "ask": "Which?", "kind": "choice", "choices": ["this", "that"] },
            { "key": "two words", "ask": "Why?" },
            { "key": long, "ask": "When?" },
            { "key": "no_question" },
            { "ask": "Who?" },
            { "key": "one_more", "ask": "Is that all?" },
        ] });
        let mut m = seated(1);
        settings(&mut m).rules.intake.max_questions = 6;
        let text = asked.to_string();
        let read = questions(&ParsedResponse::new(&text, StopReason::Stop), &m).expect("questions");
        let keys: Vec<_> = read.iter().map(|question| question.key.as_str()).collect();
        assert_eq!(keys, ["writers", "q2", "q3", "q4", "q5", "q6"]);
        assert_eq!((&read[0].kind, &read[1].kind), (&QuestionKind::Number, &QuestionKind::Text));
        assert!(matches!(&read[2].kind, QuestionKind::Choice { choices } if choices.len() == 2));
    }

    #[test]
    fn who_had_a_turn_is_marked_once_and_nobody_else() {
        let mut m = seated(3);
        m.rounds.push(round_of(1, &[(1, TurnState::Said(MessageId(1))), (2, TurnState::Skipped)]));
        let read = |second: serde_json::Value| {
            let text = json!({ "marks": [
                { "name": "p1", "score": 7 },
                { "name": "p1", "score": 1 },
                { "name": "p3", "score": 5 },
                { "name": "p2", "score": second },
            ] });
            let text = text.to_string();
            let marks = marks(&ParsedResponse::new(&text, StopReason::Stop), &m).ok()?;
            Some(marks.iter().map(|mark| (mark.participant.0, mark.score)).collect::<Vec<_>>())
        };
        assert_eq!(read(json!("8/10")), Some(vec![(1, 7), (2, 8)]));
        assert_eq!((read(json!(10)), read(json!(11))), (Some(vec![(1, 7), (2, 10)]), None));
    }
}
