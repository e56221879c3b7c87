//! Any command in any state: refused without a trace, or events that keep the invariants.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use quorate_contract::*;
use quorate_core::*;

use super::{cases, invariant_rules};
use crate::support::any;
use crate::support::*;

/// The largest number of events of one command: the longest end a parallel round of a full meeting.
const FACTS_MAX: usize = 400;

/// A step of a meeting, drawn without knowledge of its state.
#[derive(Debug, Clone)]
enum Happening {
    /// A call that is owed is answered.
    Answer(Index, Manner),
    /// An answer of any form comes for any task: wrong, late, doubled, of another attempt.
    Stray {
        task: TaskId,
        attempt: u32,
        what: Delivered,
    },
    /// A delivery for a pending call, with random contents.
    Unread(Index, Delivered),
    /// A request of a call that is owed, or of one that is not, is sent again.
    Retry(Index, u32, u64),
    /// An agent reports an action of a call that is owed, or of one that is not.
    Act(Index, u32, u32, ActionStatus, ActionPermission),
    /// A person answers an action, which may not have been asked about.
    Permit(Index, u32, u32, bool),
    /// A speaker calls this many tools, which may have effects, with these arguments.
    CallTools(Index, usize, bool, String),
    /// A tool that runs, or one that does not, returns this.
    ReturnTool(Index, Option<String>),
    /// The last answer comes again.
    Again,
    Create(Box<MeetingSpec>),
    Start,
    Say {
        words: String,
        called: Option<Index>,
    },
    Request(Index),
    Join(&'static str),
    Leave(Index),
    Pause {
        at_once: bool,
    },
    Resume {
        token: Option<&'static str>,
        manner: Reply,
        take_defaults: bool,
    },
    Advance(Option<Stride>, bool),
    Invite(String),
    Presence(Index, Presence),
    SkipList(Index, Vec<String>),
    SayOutOfTurn(Index, String),
    /// A person beside the owner, one of two of the same name, comes, goes, speaks, or is made host.
    Arrive(bool),
    Depart(bool),
    SayBeside(bool, String),
    HandOver(bool, bool),
    ChangeRules(Box<Rules>),
    ChangeTopic(String),
    ChangeDetails(String, String),
    AddItem(String, String),
    CompleteItem(Index, bool),
    RemoveItem(Index),
    Announce(String),
    AttachFile(String, Option<String>),
    RemoveFile(Index),
    Lock(bool),
    WriteMinutes(Option<Index>, String),
    EditMinutes {
        based_on: Option<u32>,
        text: String,
    },
    WriteArtifact(ArtifactKind),
    End,
    Recover,
    Tick,
    /// The clock is moved, perhaps back.
    Clock(i64),
    Fork,
}

/// The kind of answers to the questions of a pause.
#[derive(Debug, Clone)]
enum Reply {
    /// Each as it wants to be: which of the choices, which words.
    Right(Index, String),
    Missing,
    /// Each with something that no question takes.
    Wrong,
    /// And something that was not asked.
    Unknown,
}

/// Answers to the questions of the present rest, if it is one.
fn answers(meeting: &Meeting, manner: &Reply) -> BTreeMap<String, serde_json::Value> {
    let RunState::Paused { questions, .. } = &meeting.run_state else {
        return match manner {
            Reply::Unknown => BTreeMap::from([("why".to_owned(), serde_json::json!({ "n": 0.1 }))]),
            Reply::Right(..) | Reply::Missing | Reply::Wrong => BTreeMap::new(),
        };
    };
    let answered = |question: &Question| match manner {
        Reply::Right(which, words) => match &question.kind {
            QuestionKind::Text => {
                let names: Vec<_> = meeting.present().map(|seat| &seat.participant.name).collect();
                let mention = (!names.is_empty()).then(|| format!("@\"{}\" ", which.get(&names)));
                serde_json::json!(mention.unwrap_or_default() + words)
            }
            QuestionKind::Number => serde_json::json!(which.index(3) * 40_000),
            QuestionKind::Boolean => serde_json::json!("yes"),
            QuestionKind::Choice { choices } => serde_json::json!(which.get(choices)),
        },
        Reply::Missing => serde_json::Value::Null,
        Reply::Wrong | Reply::Unknown => serde_json::json!({ "n": 0.1 }),
    };
    let mut given: BTreeMap<_, _> = questions.iter().map(|one| (one.key.clone(), answered(one))).collect();
    if matches!(manner, Reply::Unknown) {
        given.insert("why".to_owned(), serde_json::json!(1));
    }
    given
}

fn any_reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        6 => (any::<Index>(), any::words()).prop_map(|(which, words)| Reply::Right(which, words)),
        2 => Just(Reply::Missing),
        1 => Just(Reply::Wrong),
        1 => Just(Reply::Unknown),
    ]
}

fn any_candidate() -> impl Strategy<Value = Candidate> {
    (prop::sample::select(any::NAMES.to_vec()), any::words()).prop_map(|(name, reason)| Candidate {
        newcomer: newcomer(name),
        focus: reason.clone(),
        reason: reason.into(),
    })
}

fn any_question() -> impl Strategy<Value = Question> {
    let kind = prop_oneof![
        Just(QuestionKind::Text),
        Just(QuestionKind::Number),
        Just(QuestionKind::Boolean),
        Just(QuestionKind::Choice { choices: vec!["a".into(), "b".into()] }),
    ];
    (any::words(), kind, any::<bool>(), any::<u8>()).prop_map(|(ask, kind, required, number)| Question {
        key: format!("q{number}"),
        ask: ask.into(),
        why: Default::default(),
        required,
        kind,
        default: None,
    })
}

fn any_minutes() -> impl Strategy<Value = Minutes> {
    any::words().prop_map(|content| Minutes { summary: content.clone(), content, ..Minutes::default() })
}

/// A random delivery for a step beside messages and votes.
fn any_record() -> impl Strategy<Value = Delivered> {
    let marks = prop::collection::vec((1u32..9, 0u8..=10, any::words()), 0..9);
    prop_oneof![
        prop::collection::vec(any_question(), 0..4).prop_map(|questions| Delivered::Asked(1, questions)),
        prop::collection::vec(any_candidate(), 0..4)
            .prop_map(|candidates| Delivered::Proposed(1, candidates)),
        any_candidate().prop_map(|one| Delivered::Invited(1, Box::new(one))),
        marks.prop_map(|marks| {
            let mark = |(id, score, reason)| EvaluationMark {
                participant: ParticipantId(id),
                score,
                reason: String::into(reason),
            };
            Delivered::Evaluated(1, marks.into_iter().map(mark).collect())
        }),
        any_minutes().prop_map(|minutes| Delivered::Minuted(1, Box::new(minutes))),
        any::words().prop_map(|text| Delivered::Drawn(
            ArtifactKind::Adr,
            ArtifactVersion(1),
            serde_json::json!({ "title": text })
        )),
    ]
}

const TURN: TurnId = TurnId { round: 1, place: 1 };

/// The same answer to another task; `None` where that task is answered otherwise.
fn for_task(what: &Delivered, task: TaskId) -> Option<Delivered> {
    Some(match (what.clone(), task) {
        (Delivered::Said(_, speech), TaskId::Speak(turn)) => Delivered::Said(turn, speech),
        (Delivered::Skipped(_), TaskId::Speak(turn)) => Delivered::Skipped(turn),
        (Delivered::Voted(_, _, vote), TaskId::Vote(ballot, voter)) => Delivered::Voted(ballot, voter, vote),
        (Delivered::Abstained { malformed, detail, .. }, TaskId::Vote(ballot, voter)) => {
            Delivered::Abstained { ballot, voter, malformed, detail }
        }
        (Delivered::Summarized(_, form), TaskId::Summarize(round)) => Delivered::Summarized(round, form),
        (Delivered::Facilitated(_, form), TaskId::Facilitate(ballot)) => Delivered::Facilitated(ballot, form),
        (Delivered::Concluded(form), TaskId::Conclude) => Delivered::Concluded(form),
        (Delivered::Asked(_, questions), TaskId::Intake(round)) => Delivered::Asked(round, questions),
        (Delivered::Proposed(_, candidates), TaskId::Team(round)) => Delivered::Proposed(round, candidates),
        (Delivered::Invited(_, candidate), TaskId::Invite(number)) => Delivered::Invited(number, candidate),
        (Delivered::Evaluated(_, marks), TaskId::Evaluate(round)) => Delivered::Evaluated(round, marks),
        (Delivered::Minuted(_, minutes), TaskId::Minutes(version)) => Delivered::Minuted(version, minutes),
        (Delivered::Drawn(_, _, content), TaskId::Artifact(kind, version)) => {
            Delivered::Drawn(kind, version, content)
        }
        (Delivered::Malformed { problem, text, .. }, task) => Delivered::Malformed { task, problem, text },
        (Delivered::Failed { kind, detail, hint, doubtful, .. }, task) => {
            Delivered::Failed { task, kind, detail, hint, doubtful }
        }
        (_, _) => return None,
    })
}

fn any_delivered() -> impl Strategy<Value = Delivered> {
    let words = any::words;
    prop_oneof![
        (words(), prop::option::of(words())).prop_map(|(content, position)| {
            let claims = vec![content.clone(); 9];
            let changed_by = Some(ClaimId(content.len() as u32));
            let ideas = vec![(content.clone(), vec![ClaimId(1), ClaimId(99)])];
            let memory = Some(PrivateMemory { notes: vec![content.clone()], ..PrivateMemory::default() });
            let agenda_done = vec![AgendaId(1), AgendaId(7)];
            let said = SpokenAnswer {
                content,
                position,
                claims,
                changed_by,
                ideas,
                memory,
                agenda_done,
                ..SpokenAnswer::default()
            };
            Delivered::Said(TURN, Box::new(said))
        }),
        Just(Delivered::Said(TURN, Box::default())),
        Just(Delivered::Skipped(TURN)),
        (any::<u8>(), any::<bool>(), words()).prop_map(|(score, pass, reason)| {
            Delivered::Voted(
                BallotId(1),
                ParticipantId(1),
                Vote { score, pass, missing: vec![reason.clone(); 9], reason },
            )
        }),
        (any::<bool>(), words()).prop_map(|(malformed, detail)| Delivered::Abstained {
            ballot: BallotId(1),
            voter: ParticipantId(1),
            malformed,
            detail: detail.into(),
        }),
        (words(), prop::collection::vec(0u32..9, 0..5)).prop_map(|(text, holders)| {
            let holders: Vec<_> = holders.into_iter().map(ParticipantId).collect();
            let positions = vec![SummaryPosition { text: text.clone(), holders }; 3];
            Delivered::Summarized(1, SummaryForm { summary: text, positions, ..SummaryForm::default() })
        }),
        words().prop_map(|text| Delivered::Facilitated(
            BallotId(1),
            FacilitationForm { disagreements: vec![text; 9], ..FacilitationForm::default() }
        )),
        words().prop_map(|conclusion| Delivered::Concluded(ConclusionForm {
            conclusion,
            ..ConclusionForm::default()
        })),
        words().prop_map(|text| Delivered::Malformed {
            task: TaskId::Conclude,
            problem: text.clone().into(),
            text
        }),
        any_record(),
        prop::sample::select(TROUBLES.to_vec()).prop_map(|kind| Delivered::Failed {
            task: TaskId::Conclude,
            kind,
            detail: "broken".into(),
            hint: "mend it".into(),
            doubtful: false
        }),
    ]
}

fn any_task() -> impl Strategy<Value = TaskId> {
    (0u8..11, 0u32..4, 0u32..8).prop_map(|(kind, round, place)| match kind {
        0 => TaskId::Speak(TurnId { round, place }),
        1 => TaskId::Vote(BallotId(round), ParticipantId(place)),
        2 => TaskId::Summarize(round),
        3 => TaskId::Facilitate(BallotId(round)),
        4 => TaskId::Intake(round),
        5 => TaskId::Team(round),
        6 => TaskId::Invite(round),
        7 => TaskId::Evaluate(round),
        8 => TaskId::Minutes(round),
        9 => TaskId::Artifact(ArtifactKind::ALL[place as usize % 5], ArtifactVersion(round)),
        _ => TaskId::Conclude,
    })
}

fn any_action() -> impl Strategy<Value = (ActionStatus, ActionPermission)> {
    use {ActionPermission as Permission, ActionStatus as Status};
    let statuses = vec![Status::Pending, Status::Running, Status::Completed, Status::Failed];
    let permissions =
        vec![Permission::NotNeeded, Permission::Asked, Permission::Allowed, Permission::Refused];
    (prop::sample::select(statuses), prop::sample::select(permissions))
}

fn any_happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        30 => (any::<Index>(), any_manner()).prop_map(|(call, manner)| Happening::Answer(call, manner)),
        10 => (any::<Index>(), 60u8..=100).prop_map(|(call, score)| Happening::Answer(call, Manner::Well(score))),
        6 => (any::<Index>(), any_delivered()).prop_map(|(call, what)| Happening::Unread(call, what)),
        2 => (any::<Index>(), 0u32..3, 0u64..3000)
            .prop_map(|(call, late, wait)| Happening::Retry(call, late, wait)),
        3 => (any::<Index>(), 0u32..2, 1u32..4, any_action()).prop_map(|(call, late, number, (status, permission))| {
            Happening::Act(call, late, number, status, permission)
        }),
        2 => (any::<Index>(), 0u32..2, 1u32..4, any::<bool>())
            .prop_map(|(call, late, number, allowed)| Happening::Permit(call, late, number, allowed)),
        2 => (any_task(), 0u32..3, any_delivered())
            .prop_map(|(task, attempt, what)| Happening::Stray { task, attempt, what }),
        3 => (any::<Index>(), 0usize..20, any::<bool>(), any::words())
            .prop_map(|(call, count, effects, words)| Happening::CallTools(call, count, effects, words)),
        3 => (any::<Index>(), prop::option::of(any::words()))
            .prop_map(|(run, text)| Happening::ReturnTool(run, text)),
        2 => Just(Happening::Again),
        1 => any::any_founding().prop_map(|spec| Happening::Create(Box::new(spec))),
        1 => Just(Happening::Start),
        4 => (any::words(), prop::option::of(any::<Index>()))
            .prop_map(|(words, called)| Happening::Say { words, called }),
        2 => any::<Index>().prop_map(Happening::Request),
        2 => prop::sample::select(any::NAMES.to_vec()).prop_map(Happening::Join),
        2 => any::<Index>().prop_map(Happening::Leave),
        3 => any::<bool>().prop_map(|at_once| Happening::Pause { at_once }),
        6 => any_resume(),
        3 => (any_stride(), any::<bool>()).prop_map(|(until, unattended)| Happening::Advance(until, unattended)),
        3 => any_guest(),
        6 => any_setting(),
        5 => any_writing(),
        1 => Just(Happening::End),
        2 => Just(Happening::Recover),
        2 => Just(Happening::Tick),
        2 => prop_oneof![-300i64..300, -1_000_000_000i64..1_000_000_000].prop_map(Happening::Clock),
        1 => Just(Happening::Fork),
    ]
}

fn any_stride() -> impl Strategy<Value = Option<Stride>> {
    prop::sample::select(vec![None, Some(Stride::Turn), Some(Stride::Round), Some(Stride::Ballot)])
}

fn any_resume() -> impl Strategy<Value = Happening> {
    let token = prop_oneof![4 => Just(None), 1 => Just(Some("wrong")), 2 => Just(Some("right"))];
    (token, any_reply(), any::<bool>()).prop_map(|(token, manner, take_defaults)| Happening::Resume {
        token,
        manner,
        take_defaults,
    })
}

fn any_guest() -> impl Strategy<Value = Happening> {
    prop_oneof![
        2 => any::<bool>().prop_map(Happening::Arrive),
        1 => any::<bool>().prop_map(Happening::Depart),
        2 => (any::<bool>(), any::words()).prop_map(|(which, words)| Happening::SayBeside(which, words)),
        2 => (any::<bool>(), any::<bool>()).prop_map(|(which, back)| Happening::HandOver(which, back)),
    ]
}

fn any_setting() -> impl Strategy<Value = Happening> {
    let presence = prop::sample::select(vec![Presence::Online, Presence::Offline]);
    prop_oneof![
        2 => any::words().prop_map(Happening::Invite),
        2 => (any::<Index>(), prop::collection::vec(any::words(), 0..3))
            .prop_map(|(who, phrases)| Happening::SkipList(who, phrases)),
        3 => (any::<Index>(), any::words()).prop_map(|(who, words)| Happening::SayOutOfTurn(who, words)),
        3 => (any::<Index>(), presence).prop_map(|(who, presence)| Happening::Presence(who, presence)),
        2 => any::wide_rules().prop_map(|rules| Happening::ChangeRules(Box::new(rules))),
        1 => any::words().prop_map(Happening::ChangeTopic),
        1 => (any::words(), any::words())
            .prop_map(|(title, description)| Happening::ChangeDetails(title, description)),
        1 => (any::words(), any::words()).prop_map(|(title, text)| Happening::AddItem(title, text)),
        1 => (any::<Index>(), any::<bool>()).prop_map(|(item, done)| Happening::CompleteItem(item, done)),
        1 => any::<Index>().prop_map(Happening::RemoveItem),
        1 => any::words().prop_map(Happening::Announce),
        2 => (any::words(), prop::option::of(any::words()))
            .prop_map(|(name, text)| Happening::AttachFile(name, text)),
        1 => any::<Index>().prop_map(Happening::RemoveFile),
        1 => any::<bool>().prop_map(Happening::Lock),
    ]
}

fn any_writing() -> impl Strategy<Value = Happening> {
    prop_oneof![
        3 => (prop::option::of(any::<Index>()), prop_oneof![Just(String::new()), any::words()])
            .prop_map(|(writer, note)| Happening::WriteMinutes(writer, note)),
        2 => (prop::option::of(0u32..4), any::words())
            .prop_map(|(based_on, text)| Happening::EditMinutes { based_on, text }),
        3 => prop::sample::select(ArtifactKind::ALL.to_vec()).prop_map(Happening::WriteArtifact),
    ]
}

/// Makes a happening a command of this table; `None` when there is nothing it could mean.
fn execute(table: &mut Transaction, happening: &Happening, last: &Option<Command>) -> Option<Command> {
    let by = Actor::owner();
    // Mostly a participant, now and then a name that does not exist.
    let somebody = |index: &Index| {
        let mut names = table.names();
        names.push("Nobody".into());
        index.get(&names).clone()
    };
    Some(match happening {
        Happening::Answer(index, manner) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            interpret(&table.meeting, &call, manner.outcome(&table.meeting, &call))
        }
        Happening::Retry(index, late, wait) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            // What is sent again within a call was refused, and used nothing.
            let usage = Usage::default();
            let (kind, detail) = (FailureKind::RateLimit, "slow down".into());
            let retry = Retry { request: 1, kind, detail, wait_ms: *wait, usage };
            Command::NoteRetry { task: call.id, attempt: call.attempt + late, retry: Box::new(retry) }
        }
        Happening::Act(index, late, number, status, permission) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            let action = Action {
                number: *number,
                kind: ActionKind::Execute,
                title: "make".to_owned(),
                locations: Vec::new(),
                status: *status,
                permission: *permission,
                by: None,
                unusable: None,
            };
            Command::NoteAction { task: call.id, attempt: call.attempt + late, action: Box::new(action) }
        }
        Happening::Permit(index, late, number, allowed) => {
            let calls = table.calls();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            let by = Person { id: "u".to_owned(), name: "U".to_owned() };
            let (task, attempt) = (call.id, call.attempt + late);
            Command::PermitAction { by, task, attempt, number: *number, allowed: *allowed }
        }
        Happening::Unread(index, what) => {
            let calls = table.calls();
            let fitting = calls.iter().filter_map(|call| Some((call.attempt, for_task(what, call.id)?)));
            let fitting: Vec<(u32, Delivered)> = fitting.collect();
            let (attempt, what) = (!fitting.is_empty()).then(|| index.get(&fitting).clone())?;
            delivery(attempt, what)
        }
        Happening::Stray { task, attempt, what } => {
            delivery(*attempt, for_task(what, *task).unwrap_or_else(|| what.clone()))
        }
        Happening::CallTools(index, count, effects, words) => {
            let speaks = |call: &Call| matches!(call.id, TaskId::Speak(_));
            let calls: Vec<Call> = table.calls().into_iter().filter(speaks).collect();
            let call = (!calls.is_empty()).then(|| index.get(&calls).clone())?;
            let request = |place: usize| ToolRequest {
                tool: ["repo__read", "repo__write", "other__x"][place % 3].into(),
                arguments: if place.is_multiple_of(4) { words.clone() } else { "{}".into() },
                effects: *effects && place % 3 == 1,
            };
            let requests =
                ToolRequests { continuation: words.clone(), calls: (0..*count).map(request).collect() };
            let answer = answer(words);
            interpret(&table.meeting, &call, Outcome::CalledTools(answer, requests))
        }
        Happening::ReturnTool(index, text) => {
            let runs: Vec<ToolRun> = pending(&table.meeting)
                .into_iter()
                .filter_map(|task| if let Task::Tool(run) = task { Some(run) } else { None })
                .collect();
            let (turn, call) = match runs.is_empty() {
                true => (TurnId { round: 1, place: 1 }, ToolCallId(index.index(9) as u32)),
                false => (index.get(&runs).turn, index.get(&runs).call),
            };
            let outcome = match text {
                None => ToolOutcome::failed(ToolFailureKind::TimedOut, ""),
                Some(text) => ToolOutcome::Returned {
                    text: text.repeat(300),
                    truncated: false,
                    sources: vec![ToolSource::lines(text.clone(), 3, 2)],
                },
            };
            Command::ReturnTool { turn, call, outcome, latency_ms: 1 }
        }
        Happening::Again => last.clone()?,
        Happening::Create(spec) => Command::Create { by, spec: spec.clone() },
        Happening::Start => Command::Start { by },
        Happening::Say { words, called } => {
            let call = called.as_ref().map(|index| format!("@\"{}\" ", somebody(index)));
            Command::Say { by, content: call.unwrap_or_default() + words }
        }
        Happening::Request(index) => Command::RequestSpeaker { by, participant: somebody(index) },
        Happening::Join(name) => Command::Join { by, newcomer: Box::new(newcomer(name)) },
        Happening::Leave(index) => Command::Leave { by, participant: somebody(index) },
        Happening::Pause { at_once } => Command::Pause { by, at_once: *at_once },
        Happening::Resume { token, manner, take_defaults } => {
            let token = match (token, &table.meeting.run_state) {
                (Some("right"), RunState::Paused { token, .. }) => Some(token.clone()),
                (token, _) => token.map(str::to_owned),
            };
            let answers = answers(&table.meeting, manner);
            Command::Resume { by, token, answers, take_defaults: *take_defaults }
        }
        Happening::Advance(until, unattended) => Command::Advance {
            by,
            until: *until,
            token: None,
            answers: Default::default(),
            take_defaults: *unattended,
        },
        Happening::Invite(description) => Command::Invite { by, description: description.clone() },
        Happening::Presence(who, presence) => {
            Command::SetPresence { by, participant: somebody(who), presence: *presence }
        }
        Happening::SkipList(who, phrases) => Command::ChangeParticipant {
            by,
            participant: somebody(who),
            presence: None,
            skip_list: Some(phrases.clone()),
        },
        Happening::SayOutOfTurn(who, words) => {
            let ids: Vec<ParticipantId> = table.meeting.present().map(|seat| seat.participant.id).collect();
            let id = if ids.is_empty() { ParticipantId(1) } else { *who.get(&ids) };
            Command::Say { by: Actor::participant(id), content: words.clone() }
        }
        Happening::Arrive(which) => Command::Arrive { by: guest(*which) },
        Happening::Depart(which) => Command::Depart { by, person: guest_id(*which).into() },
        Happening::SayBeside(which, words) => Command::Say { by: guest(*which), content: words.clone() },
        Happening::HandOver(which, back) => {
            let host = table.meeting.host_person.clone().map_or(by, Actor::from);
            let to = if *back { Actor::OWNER } else { guest_id(*which) };
            Command::HandOver { by: host, to: to.into(), manages: *which }
        }
        Happening::ChangeRules(rules) => Command::ChangeRules { by, rules: rules.clone() },
        Happening::ChangeTopic(topic) => Command::ChangeTopic { by, topic: topic.clone() },
        Happening::ChangeDetails(title, description) => {
            let (title, description) = (title.clone(), description.clone());
            let details = Some(MeetingDetails { title, description, ..MeetingDetails::default() });
            Command::ChangeMeeting { by, topic: None, details, rules: None, announcement: None, locked: None }
        }
        Happening::AddItem(title, description) => {
            Command::AddAgendaItem { by, title: title.clone(), description: description.clone() }
        }
        Happening::CompleteItem(index, completed) => {
            Command::CompleteAgendaItem { by, item: item(table, index), completed: *completed }
        }
        Happening::RemoveItem(index) => Command::RemoveAgendaItem { by, item: item(table, index) },
        Happening::Announce(text) => Command::Announce { by, text: text.clone() },
        Happening::AttachFile(name, text) => {
            let file = NewFile {
                name: name.clone(),
                media_type: "text/plain".to_owned(),
                size: 1,
                sha256: name.clone(),
                text: text.as_deref().map(FileText::of),
                image: name.ends_with("图").then_some(ImageSize { width: 640, height: 480 }),
            };
            Command::AttachFile { by, file: Box::new(file) }
        }
        Happening::RemoveFile(index) => {
            let files = &table.meeting.files;
            let file = if files.is_empty() { FileId(7) } else { files[index.index(files.len())].file.id };
            Command::RemoveFile { by, file }
        }
        Happening::Lock(locked) => Command::SetAccess { by, locked: *locked },
        Happening::WriteMinutes(writer, note) => {
            Command::WriteMinutes { by, writer: writer.as_ref().map(somebody), note: note.clone() }
        }
        Happening::EditMinutes { based_on, text } => {
            let minutes = Minutes { content: text.clone(), ..Minutes::default() };
            Command::EditMinutes { by, based_on: *based_on, minutes: Box::new(minutes) }
        }
        Happening::WriteArtifact(kind) => Command::WriteArtifact { by, kind: *kind },
        Happening::End => Command::End { by, note: "enough".into() },
        // `origin` says which of the two it is.
        Happening::Recover | Happening::Tick => Command::Tick,
        Happening::Clock(ms) => {
            table.now = Timestamp(table.now.0 + ms);
            return None;
        }
        Happening::Fork => forks("another"),
    })
}

fn guest_id(which: bool) -> &'static str {
    if which { "guest:1" } else { "guest:2" }
}

/// A guest with the name that others see the owner by.
fn guest(which: bool) -> Actor {
    Actor::person(guest_id(which), "User")
}

/// An item of the agenda by its id or title; now and then one that is not there.
fn item(table: &Transaction, index: &Index) -> String {
    let items = table.meeting.agenda.iter().flat_map(|item| [item.id.to_string(), item.title.clone()]);
    let items: Vec<_> = items.chain(["nothing".to_owned()]).collect();
    index.get(&items).clone()
}

fn delivery(attempt: u32, what: Delivered) -> Command {
    Command::Deliver(Box::new(Delivery {
        attempt,
        usage: None,
        latency_ms: 7,
        what,
        web: WebFindings::default(),
        mended: Vec::new(),
        window: None,
        retry_after_ms: None,
        request_id: None,
    }))
}

/// The origin of the state in which something happens.
fn origin(happening: &Happening) -> Origin {
    match happening {
        Happening::Recover => Origin::Recovered,
        _ => Origin::Fresh,
    }
}

/// Tries a command and checks the invariants for a single step.
fn step(table: &mut Transaction, origin: Origin, command: Command) -> Result<(), TestCaseError> {
    let before = table.clone();
    let result = table.takes_step(origin, command.clone());
    let again = before.clone().takes_step(origin, command.clone());
    prop_assert_eq!(&result, &again, "the same command at the same table came out differently");
    match result {
        Err(refusal) => {
            prop_assert_eq!(&table.meeting, &before.meeting, "{} left a trace", refusal);
            prop_assert!(!refusal.to_string().is_empty() && !refusal.hint().is_empty(), "{:?}", refusal);
        }
        Ok(events) => {
            if before.meeting.is_over() {
                prop_assert!(events.is_empty(), "{:?} after the end", command);
            }
            prop_assert!(events.len() < FACTS_MAX, "{} events follow from {:?}", events.len(), command);
            // The events hold all that follows; asking again at the same moment adds nothing.
            let more = decide(&table.meeting, Command::Tick, table.now);
            prop_assert_eq!(more, Ok(Vec::new()), "more follows after {:?}", command);
        }
    }
    invariant_rules::of_pending(&table.meeting)?;
    invariant_rules::of_a_rest(table)
}

/// A meeting, how far it is opened, and what happens then.
type Story = (MeetingSpec, u8, Vec<Happening>);

fn any_story() -> impl Strategy<Value = Story> {
    (any::any_founding(), 0u8..10, prop::collection::vec(any_happening(), 1..90))
}

/// Plays a story, most of the time at a meeting that was created and started.
fn play((spec, opened, happenings): Story) -> Result<Transaction, TestCaseError> {
    let mut table = Transaction::blank();
    if opened > 0 {
        step(&mut table, Origin::Fresh, Command::Create { by: Actor::owner(), spec: Box::new(spec) })?;
    }
    if opened > 1 {
        step(&mut table, Origin::Fresh, Command::Start { by: Actor::owner() })?;
    }
    let mut last = None;
    for happening in &happenings {
        let Some(command) = execute(&mut table, happening, &last) else { continue };
        if matches!(command, Command::Deliver(_)) {
            last = Some(command.clone());
        }
        step(&mut table, origin(happening), command)?;
    }
    Ok(table)
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_command_in_any_state_keeps_the_invariants(story in any_story()) {
        invariant_rules::of_the_log(&play(story)?)?;
    }
}

/// The test above is worth as much as its stories: they lead to every kind of event.
#[test]
fn the_stories_lead_to_every_kind_of_event() -> Result<(), TestCaseError> {
    let mut rng = TestRunner::deterministic();
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..1000 {
        let story =
            any_story().new_tree(&mut rng).map_err(|reason| TestCaseError::fail(reason.to_string()))?;
        for event in play(story.current())?.log {
            *seen.entry(event.body.kind()).or_default() += 1;
        }
    }
    // No command leads to an import, and few to a meeting without anyone to ask: `layout.rs` and the engine's
    // `outage.rs` have their own tests.
    let elsewhere = ["meeting_imported", "provider_wait_started", "provider_wait_ended"];
    let kinds = EventBody::KINDS.iter().filter(|kind| !elsewhere.contains(kind));
    let missing: Vec<_> = kinds.filter(|kind| !seen.contains_key(**kind)).collect();
    prop_assert!(missing.is_empty(), "never seen: {missing:?}; seen: {seen:?}");
    Ok(())
}
