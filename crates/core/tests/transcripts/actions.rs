//! What agents report of their actions while they answer, and what a person says of it.

use quorate_contract::*;

use crate::support::*;

fn action(number: u32, kind: ActionKind, title: &str, path: &str) -> Action {
    Action {
        number,
        kind,
        title: title.to_owned(),
        locations: vec![ActionLocation { path: path.to_owned(), line: Some(7) }],
        status: ActionStatus::Completed,
        permission: ActionPermission::NotNeeded,
        by: None,
        unusable: None,
    }
}

fn asked(number: u32, kind: ActionKind, title: &str) -> Action {
    let (status, permission) = (ActionStatus::Pending, ActionPermission::Asked);
    Action { status, permission, locations: Vec::new(), ..action(number, kind, title, "") }
}

fn report(table: &mut Transaction, call: &Call, action: Action) -> Vec<Event> {
    let (task, attempt) = (call.id, call.attempt);
    table.execute(Command::NoteAction { task, attempt, action: Box::new(action) })
}

fn permit(table: &mut Transaction, call: &Call, number: u32, allowed: bool) -> Vec<Event> {
    let by = Person { id: "u".to_owned(), name: "Lin".to_owned() };
    table.execute(Command::PermitAction { by, task: call.id, attempt: call.attempt, number, allowed })
}

/// A meeting with actions, as it is written: the other logs of `fixtures/meetings` have none.
/// `QUORATE_BLESS=1 cargo test -p quorate-core --test transcripts actions` writes it anew.
#[test]
fn a_meeting_with_actions_writes_what_it_wrote_before() {
    let mut table = Transaction::draft(discussion(&["Ada", "Ben"], 1));
    table.starts();
    let call = table.calls()[0].clone();
    report(&mut table, &call, action(1, ActionKind::Read, "Read main.rs", "src/main.rs"));
    report(&mut table, &call, asked(2, ActionKind::Execute, "cargo test"));
    permit(&mut table, &call, 2, true);
    // Nobody but a person permits, and what a person said stays.
    let done = report(&mut table, &call, action(2, ActionKind::Execute, "cargo test", "Cargo.toml"));
    let EventBody::AgentAction { action: done, .. } = &done[0].body else { panic!("{done:?}") };
    assert_eq!(done.permission, ActionPermission::Allowed);
    assert_eq!(done.by.as_ref().map(|by| by.name.as_str()), Some("Lin"));
    report(&mut table, &call, asked(3, ActionKind::Edit, "Write notes.md"));
    permit(&mut table, &call, 3, false);
    let failed = Action {
        status: ActionStatus::Failed,
        permission: ActionPermission::Allowed,
        ..action(3, ActionKind::Edit, "Write notes.md", "notes.md")
    };
    let failed = report(&mut table, &call, failed);
    let EventBody::AgentAction { action: failed, .. } = &failed[0].body else { panic!("{failed:?}") };
    assert_eq!(failed.permission, ActionPermission::Refused);
    table.goes_on(|_, _| 85);
    assert!(table.meeting.is_over());
    let now: String = table.log.iter().map(|event| event.to_json() + "\n").collect();
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/meetings/en/actions.jsonl");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(&path, &now).expect("it can be written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), now, "{}", path.display());
}

#[test]
fn every_action_of_an_answer_can_be_asked_about_permitted_and_reported_done() {
    let mut table = Transaction::started(discussion(&["Ada"], 1));
    let call = table.calls()[0].clone();
    let from = table.log.len();
    for number in 1..=ACTIONS_MAX {
        report(&mut table, &call, asked(number, ActionKind::Execute, "cargo test"));
        permit(&mut table, &call, number, true);
        report(&mut table, &call, action(number, ActionKind::Execute, "cargo test", "Cargo.toml"));
    }
    assert_eq!(table.log.len() - from, 3 * ACTIONS_MAX as usize);
}

#[test]
fn an_agent_cannot_permit_itself_and_a_question_without_an_answer_settles_nothing() {
    let mut table = Transaction::started(discussion(&["Ada"], 1));
    let call = table.calls()[0].clone();
    let last = |events: Vec<Event>| match &events[0].body {
        EventBody::AgentAction { action, .. } => (action.permission, action.status),
        other => panic!("{other:?}"),
    };
    let claims =
        Action { permission: ActionPermission::Allowed, ..action(1, ActionKind::Edit, "Write a.md", "a.md") };
    assert_eq!(last(report(&mut table, &call, claims)).0, ActionPermission::NotNeeded);
    let runs = Action { status: ActionStatus::Running, ..asked(2, ActionKind::Execute, "cargo test") };
    report(&mut table, &call, runs.clone());
    let again = last(report(&mut table, &call, Action { status: ActionStatus::Pending, ..runs.clone() }));
    assert_eq!(again, (ActionPermission::Asked, ActionStatus::Pending), "it is asked still");
    let goes_on = Action { permission: ActionPermission::NotNeeded, ..runs.clone() };
    assert_eq!(last(report(&mut table, &call, goes_on)).0, ActionPermission::NotNeeded);
    report(&mut table, &call, runs);
    let permitted = last(permit(&mut table, &call, 2, true));
    assert_eq!(permitted, (ActionPermission::Allowed, ActionStatus::Pending), "it has not begun");
}
