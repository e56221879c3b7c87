//! Lists about a meeting that a person can ask for at any time: agenda, ideas, marks, a team.

use quorate_contract::{Action, ActionPermission, Candidate, Departure, PauseReason, Refusal, TaskId};
use quorate_core::{Meeting, RunState};
use quorate_messages::text;
use unicode_width::UnicodeWidthStr;

use crate::language::Speech;

/// The agenda, an item each line.
pub(crate) fn agenda(m: &Meeting, speech: Speech) -> String {
    if m.agenda.is_empty() {
        return text!(speech, "cli-lists-agenda-empty").to_owned();
    }
    let item = |item: &quorate_contract::AgendaItem| {
        let mark = if item.completed { "✓" } else { "·" };
        let description = match item.description.as_str() {
            "" => String::new(),
            text => format!("{}{text}", text!(speech, "common-colon")),
        };
        format!("{mark} {}  {}{description}", item.id, item.title)
    };
    m.agenda.iter().map(|one| item(one)).collect::<Vec<_>>().join("\n")
}

/// The ideas so far, each with what it builds on.
pub(crate) fn ideas(m: &Meeting, speech: Speech) -> String {
    let line = |record: &quorate_core::ClaimRecord| {
        let from: Vec<String> = record.claim.builds_on.iter().map(ToString::to_string).collect();
        let from = match from.is_empty() {
            true => String::new(),
            false => format!(" ← {}", from.join(" ")),
        };
        format!("{}  {}  {}{from}", record.claim.id, m.name_of(record.owner), record.claim.text)
    };
    match m.ideas().map(line).collect::<Vec<_>>() {
        lines if lines.is_empty() => text!(speech, "cli-lists-there-no-ideas-yet").to_owned(),
        lines => lines.join("\n"),
    }
}

/// The skip list of a participant, a phrase each line.
///
/// # Errors
/// When there is no such participant.
pub(crate) fn skip_list(m: &Meeting, name: &str, speech: Speech) -> Result<String, Refusal> {
    let seat = m.find(name)?;
    let phrases = &seat.participant.skip_list;
    let name = &seat.participant.name;
    Ok(match phrases.is_empty() {
        true => text!(speech, "cli-lists-no-skip-list", name),
        false => phrases.join("\n"),
    })
}

/// The marks of all participants, round by round. No participant ever sees them.
pub(crate) fn marks(m: &Meeting, speech: Speech) -> String {
    if m.evaluations.is_empty() {
        return text!(speech, "cli-lists-nobody-has-been-marked-yet").to_owned();
    }
    let mut lines = Vec::new();
    for evaluation in &m.evaluations {
        let round = evaluation.round;
        lines.push(text!(speech, "cli-lists-round", %round));
        for mark in &evaluation.marks {
            let name = m.name_of(mark.participant);
            let reason = mark.reason.in_language(speech.0);
            lines.push(format!("  {name}  {}/10  {reason}", mark.score));
        }
    }
    lines.join("\n")
}

/// Candidates and departures as a table: name, role, focus, model, reason.
pub(crate) fn team(
    m: &Meeting,
    candidates: &[Candidate],
    departures: &[Departure],
    speech: Speech,
) -> String {
    let mut lines = Vec::new();
    let rows: Vec<[String; 5]> = candidates
        .iter()
        .map(|one| {
            let Candidate { newcomer, focus, reason } = one;
            let model = newcomer.runner.label_for(speech.0);
            [
                newcomer.name.clone(),
                newcomer.role.name.clone(),
                focus.clone(),
                model,
                reason.in_language(speech.0).into_owned(),
            ]
        })
        .collect();
    if !rows.is_empty() {
        let heads = [
            text!(speech, "cli-lists-joins"),
            text!(speech, "cli-lists-role"),
            text!(speech, "cli-lists-focus"),
            text!(speech, "cli-lists-model"),
            text!(speech, "cli-lists-reason"),
        ];
        let heads = heads.map(str::to_owned);
        let width = |column: usize| {
            let cells = rows.iter().chain([&heads]).map(|row| row[column].width());
            cells.max().unwrap_or(0).min(36)
        };
        let widths: Vec<usize> = (0..5).map(width).collect();
        for row in [&heads].into_iter().chain(&rows) {
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell}{}", " ".repeat(width.saturating_sub(cell.width()))));
            lines.push(format!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end()));
        }
    }
    for one in departures {
        let name = m.name_of(one.participant);
        lines.push(text!(speech, "cli-lists-leaves", %name, reason = &*one.reason.in_language(speech.0)));
    }
    lines.join("\n")
}

/// The proposal that waits for approval, if there is one.
pub(crate) fn proposed(m: &Meeting, speech: Speech) -> Option<String> {
    match (&m.run_state, m.preparation.as_ref().and_then(|preparation| preparation.proposal.as_ref())) {
        (RunState::Paused { reason: PauseReason::NeedApproval, .. }, Some(proposal)) => {
            Some(team(m, &proposal.candidates, &proposal.departures, speech))
        }
        _ => None,
    }
}

/// The participants: name, role, runner.
pub(crate) fn table(m: &Meeting, speech: Speech) -> String {
    let line = |seat: &quorate_core::Seat| {
        let p = &seat.participant;
        let away = match seat.presence {
            quorate_contract::Presence::Online => "",
            quorate_contract::Presence::Offline => text!(speech, "cli-lists-away"),
        };
        format!("{}  {}  {}{away}", p.name, p.role.name, p.runner.label_for(speech.0))
    };
    match m.present().map(line).collect::<Vec<_>>() {
        lines if lines.is_empty() => text!(speech, "cli-lists-nobody-at-table-yet").to_owned(),
        lines => lines.join("\n"),
    }
}

/// The questions of a paused meeting.
pub(crate) fn questions(m: &Meeting, speech: Speech) -> String {
    match &m.run_state {
        RunState::Paused { questions, .. } if !questions.is_empty() => {
            super::questions::written_down(questions, speech).0
        }
        _ => text!(speech, "cli-lists-nothing-asked-now").to_owned(),
    }
}

/// What coding agents wait to be permitted, in the order of their tasks.
pub(super) fn questions_of_agents(m: &Meeting) -> Vec<(TaskId, u32, &Action)> {
    let mut asked = Vec::new();
    for (task, call) in &m.calls {
        let (task, attempt) = (*task, call.attempt);
        let open = call.permissions.values().filter(|action| action.permission == ActionPermission::Asked);
        asked.extend(open.map(|action| (task, attempt, action)));
    }
    asked
}
