//! Forks: they make no call and cost nothing by themselves, and there is always a point to continue from.

use quorate_contract::*;
use quorate_core::*;

use crate::support::*;

fn unlimited() -> LimitChanges {
    LimitChanges::default()
}

fn of_kind(table: &Transaction, kind: &str) -> usize {
    table.log.iter().filter(|event| event.body.kind() == kind).count()
}

#[test]
fn a_fork_in_the_middle_of_calls_makes_none_and_charges_none() {
    let mut table = Transaction::started(spec(&["Ada", "Ben", "Cid"], consensus(2)));
    let call = table.call_of("Ada");
    table.answers_well(&call, 60);
    assert_eq!(table.calls().len(), 2, "two blind answers are under way");
    let mut fork = table.forked(None, unlimited());
    assert_eq!(fork.calls(), []);
    assert!(fork.meeting.is_paused());
    assert_eq!((fork.meeting.spent, fork.meeting.lost_calls), (table.meeting.spent, 0));
    assert_eq!(of_kind(&fork, "call_ended"), 1, "nothing was declared lost");
    let carried = &fork.meeting.forked.as_ref().expect("it is a fork").carried;
    assert_eq!((carried.calls, carried.asked_anew.len()), (1, 2));
    assert_eq!(carried.tokens, table.meeting.spent.usage.total());
    fork.recovers();
    fork.execute(Command::Tick);
    assert_eq!(fork.calls(), [], "nobody has let it go on");
    fork.resumes();
    assert_eq!(fork.calls().len(), 2, "what was open is asked");
    fork.goes_on(|_, _| 90);
    assert!(fork.meeting.is_over());
    assert_eq!(fork.replayed().state_hash(), fork.meeting.state_hash());
}

#[test]
fn a_fork_from_the_end_goes_on_with_another_round() {
    for score in [90, 50] {
        let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(1)));
        table.goes_on(|_, _| score);
        assert!(table.meeting.is_over());
        let mut fork = table.forked(None, unlimited());
        assert!(fork.meeting.is_paused() && fork.meeting.outcome().is_none(), "scores of {score}");
        fork.resumes();
        assert!(!fork.calls().is_empty() && !fork.meeting.is_over(), "scores of {score}");
        assert_eq!(fork.meeting.round_number(), 2);
        assert!(fork.meeting.rules().limits.max_rounds >= 2);
        fork.goes_on(|_, _| 95);
        assert!(fork.meeting.is_over());
    }
}

#[test]
fn a_fork_of_a_meeting_that_a_person_ended_asks_what_was_open() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 2));
    table.hears("Ada", "One file is easy to keep.");
    table.ends("enough");
    table.goes_on(|_, _| 60);
    let mut fork = table.forked(None, unlimited());
    assert!(fork.meeting.ended_by.is_none());
    fork.resumes();
    assert_eq!(fork.speaker(), "Ben");
}

#[test]
fn a_fork_whose_budget_is_used_up_asks_for_more_and_does_not_end() {
    let mut rules = consensus(2);
    rules.limits.tokens = Some(60_000);
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    table.goes_to_ballot();
    let small = LimitChanges { tokens: Some(Some(1)), ..unlimited() };
    let fork = table.forked(None, small);
    let RunState::Paused { reason, .. } = &fork.meeting.run_state else { panic!("it runs") };
    assert_eq!(*reason, PauseReason::BudgetLimit);
    assert!(!fork.meeting.is_over() && fork.calls().is_empty());
    let mut larger = table.forked(None, LimitChanges { tokens: Some(None), ..unlimited() });
    larger.resumes();
    larger.goes_on(|_, _| 90);
    assert!(larger.meeting.is_over());
}

#[test]
fn a_fork_has_a_title_a_date_and_a_mark_of_its_own() {
    let mut table = Transaction::started(discussion(&["Ada"], 2));
    let fork = table.forked(None, unlimited());
    assert_eq!(fork.meeting.title(), "Is SQLite enough? (fork)");
    assert!(fork.meeting.settings.created_at > table.now);
    let again = fork.forked(None, unlimited());
    assert_eq!(again.meeting.title(), "Is SQLite enough? (fork 2)");
    let from = again.meeting.forked.as_ref().map(|one| (one.from.as_str().to_owned(), one.at));
    assert_eq!(from, Some(("fork".to_owned(), fork.log.len() as u64)));
    let origin = again.meeting.fork_origin().expect("it is a fork");
    assert_eq!((origin.meeting.as_str(), origin.seq), ("fork", fork.log.len() as u64));
    assert_eq!(
        (table.meeting.fork_origin(), again.meeting.details().title.as_str()),
        (None, again.meeting.title())
    );
    let title = "The cheap way".to_owned();
    let (by, from) = (Actor::owner(), MeetingId::new("meeting"));
    table.execute(Command::Fork { by, from, title, limits: unlimited(), without_tools: false });
    assert_eq!(table.meeting.title(), "The cheap way");
    assert_eq!(table.forked(None, unlimited()).meeting.title(), "The cheap way (fork)");
    let (by, from, title) = (Actor::owner(), MeetingId::new("meeting"), "x".repeat(201));
    table.is_refused(Command::Fork { by, from, title, limits: unlimited(), without_tools: false });
    let mut fork = table.forked(None, unlimited());
    fork.execute(Command::ChangeTopic { by: Actor::owner(), topic: "Is a file enough?".into() });
    assert_eq!(fork.meeting.title(), "Is a file enough?");
}

#[test]
fn time_counts_while_the_meeting_runs_and_at_no_other_time() {
    let mut rules = consensus(8);
    rules.limits.wall_ms = Some(600_000);
    let mut table = Transaction::started(spec(&["Ada", "Ben"], rules));
    let ran = |table: &Transaction| table.meeting.ran_ms / 1000;
    table.waits_ms(30_000);
    table.pauses_at_once();
    assert_eq!(ran(&table), 30);
    table.waits_ms(3_600_000);
    table.resumes();
    assert_eq!(ran(&table), 30, "a pause does not count");
    table.waits_ms(7_200_000);
    table.recovers();
    assert_eq!(ran(&table), 30, "a process that is gone runs nothing");
    table.waits_ms(20_000);
    table.execute(Command::NoteIdle { idle_ms: 15_000 });
    assert_eq!(ran(&table), 35, "a machine that sleeps runs nothing");
    table.now = table.now.plus_ms(86_400_000);
    table.says("The clock was set forward by a day.");
    assert!(ran(&table) <= 35 + 240, "no more than a meeting can be silent: {}", ran(&table));
    assert!(!table.meeting.is_over());
    let mut fork = table.forked(None, unlimited());
    assert_eq!(fork.meeting.ran_ms, table.meeting.ran_ms, "the time before a fork does not count");
    fork.waits_ms(3_600_000);
    fork.resumes();
    assert_eq!(fork.meeting.ran_ms, table.meeting.ran_ms);
    let spent = |table: &Transaction| {
        table.log.iter().find_map(|event| match event.body {
            EventBody::BudgetReached { spent, .. } => Some(spent),
            _ => None,
        })
    };
    for _ in 0..20 {
        if !fork.meeting.is_over() && spent(&fork).is_none() {
            fork.waits_ms(60_000);
            fork.execute(Command::Tick);
            if spent(&fork).is_none() {
                fork.says("Go on.");
            }
        }
    }
    // The last 90 s are the conclusion's.
    assert!(spent(&fork).is_some_and(|ms| (510_000..570_100).contains(&ms)), "{:?}", spent(&fork));
}

#[test]
fn a_fork_between_a_departure_and_the_queue_without_it_asks_nobody_who_is_absent() {
    let leaves = Command::Leave { by: Actor::owner(), participant: "Ben".into() };
    let (by, participant) = (Actor::owner(), "Ben".into());
    let goes_offline = Command::SetPresence { by, participant, presence: Presence::Offline };
    for (command, reason) in [(leaves, QueueReason::Left), (goes_offline, QueueReason::WentOffline)] {
        let mut table = Transaction::started(discussion(&["Ada", "Ben", "Cid"], 2));
        let gone = table.execute(command)[0].seq;
        let mut fork = table.forked(Some(gone), unlimited());
        fork.resumes();
        fork.hears("Ada", "One file is easy to keep.");
        assert_eq!(fork.speaker(), "Cid");
        let why = fork.log.iter().rev().find_map(|event| match &event.body {
            EventBody::QueueChanged { reason, .. } => Some(*reason),
            _ => None,
        });
        assert_eq!(why, Some(reason));
    }
}

#[test]
fn a_fork_without_tools_allows_none() {
    let grant = ToolGrant { name: "repo".into(), participants: Vec::new() };
    let with_tools = Transaction::started(MeetingSpec { tools: vec![grant], ..discussion(&["Ada"], 2) });
    let without = Transaction::started(discussion(&["Ada"], 2));
    for (table, without_tools, allowed, told) in
        [(&with_tools, true, 0, 1), (&with_tools, false, 1, 0), (&without, true, 0, 0)]
    {
        let mut fork = table.clone();
        let (by, from, title) = (Actor::owner(), table.meeting.id.clone(), String::new());
        fork.execute(Command::Fork { by, from, title, limits: unlimited(), without_tools });
        let events = of_kind(&fork, "tools_allowed") - of_kind(table, "tools_allowed");
        assert_eq!((fork.meeting.tools.allowed.len(), events), (allowed, told));
    }
}

#[test]
fn a_fork_of_a_draft_is_a_draft_and_one_of_a_pause_asks_what_that_asked() {
    let draft = Transaction::draft(discussion(&["Ada"], 2)).forked(None, unlimited());
    assert_eq!((&draft.meeting.phase, draft.meeting.is_paused()), (&Phase::Draft, false));
    let mut spec = discussion(&["Ada"], 2);
    spec.rules.intake.when = IntakeTiming::EachRound;
    let mut table = Transaction::started(spec);
    table.goes_on(|_, _| 60);
    let fork = table.forked(None, unlimited());
    assert!(fork.meeting.is_paused());
    assert_eq!(fork.meeting.run_state, table.meeting.run_state);
}

#[test]
fn a_fork_in_the_last_round_goes_on_with_that_round() {
    let mut table = Transaction::started(discussion(&["Ada", "Ben"], 1));
    table.hears("Ada", "One file is easy to keep.");
    let mut fork = table.forked(None, unlimited());
    fork.resumes();
    assert_eq!((fork.speaker(), fork.meeting.round_number()), ("Ben".into(), 1));
    assert_eq!(fork.meeting.rules().limits.max_rounds, 1);
    fork.goes_on(|_, _| 60);
    assert!(fork.meeting.is_over());
    let mut again = fork.forked(None, unlimited());
    again.resumes();
    assert_eq!((again.speaker(), again.meeting.round_number()), ("Ada".into(), 2), "one more after the last");
}

#[test]
fn a_fork_of_a_meeting_that_agreed_early_keeps_its_limit_of_rounds() {
    let mut table = Transaction::started(spec(&["Ada", "Ben"], consensus(5)));
    table.goes_on(|_, _| 90);
    assert_eq!((table.meeting.is_over(), table.meeting.round_number()), (true, 1));
    let mut fork = table.forked(None, unlimited());
    fork.resumes();
    assert_eq!((fork.meeting.round_number(), fork.meeting.rules().limits.max_rounds), (2, 5));
}

#[test]
fn a_fork_goes_on_from_before_what_led_to_the_end() {
    // A budget: what it cut off is asked again.
    let mut small = discussion(&["Ada", "Ben"], 8);
    small.rules.limits.tokens = Some(20_000);
    small.rules.limits.when_reached = BudgetAction::End;
    let mut table = Transaction::started(small);
    table.goes_on(|_, _| 60);
    let ended_by = |kind: &str| of_kind(&table, kind);
    assert_eq!((ended_by("budget_reached"), ended_by("turn_failed"), table.meeting.is_over()), (1, 1, true));
    let fork = table.forked(None, LimitChanges { tokens: Some(None), ..unlimited() });
    assert_eq!((of_kind(&fork, "budget_reached"), of_kind(&fork, "turn_failed")), (0, 0));
    // An answer: the question is asked again.
    let mut room = MeetingSpec { format: Format::Room, ..spec(&["Ada"], Format::Room.rules()) };
    room.rules.limits.rounds_alone = 1;
    let mut table = Transaction::started(room);
    table.hears("Ada", "One file is enough.");
    let asked = table.meeting.run_state.clone();
    assert!(matches!(asked, RunState::Paused { reason: PauseReason::NothingNew, .. }), "{table:?}");
    let (by, answers) = (Actor::owner(), [("next".to_owned(), "end".into())].into());
    table.execute(Command::Resume { by, token: None, answers, take_defaults: false });
    table.goes_on(|_, _| 60);
    assert!(table.meeting.is_over());
    assert_eq!(table.forked(None, unlimited()).meeting.run_state, asked);
}
