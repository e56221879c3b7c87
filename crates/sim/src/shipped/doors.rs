//! Doors: requests of several callers through the application, as REST makes them: sent once or three times, at once or late,
//! again after a kill, and with another body under the same key.
//!
//! What each caller may do stands here a second time, in a table that shares nothing with the one of the application.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use quorate_app::{
    App, AuditFilter, Caller, Denial, ErrorKind, InterruptedRequest, Invocation, Principal, RequestKey,
    Scope, ServiceError, StoredResponse, Transport, UseCase,
};
use quorate_contract::*;
use quorate_store::Store;
use serde_json::{Value, json};

use super::process::Process;
use super::world::{World, locked};
use crate::fault_plan::Act;
use crate::report::count;
use crate::rng::Rng;

/// The name of the agent that has a token.
pub(super) const AGENT: &str = "scout";

/// The name of the account that may speak.
pub(super) const SPEAKER: &str = "mei";

/// How many events are looked through for the message of a request.
const EVENTS: u64 = 64;

/// How long a client waits at the most before it sends the same once more, in milliseconds.
const AGAIN_MS: u64 = 30_000;

/// Somebody who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Who {
    Owner,
    /// An account that manages meetings.
    Host,
    /// An account that speaks.
    Speaker,
    /// A guest of the meeting.
    Guest(u8),
    /// An account that reads.
    Reader,
    /// A token of an agent that speaks.
    Agent,
    /// Nobody in particular.
    Stranger,
}

impl Who {
    /// All, with two guests.
    pub(super) const ALL: [Self; 8] = [
        Self::Owner,
        Self::Host,
        Self::Speaker,
        Self::Guest(1),
        Self::Guest(2),
        Self::Reader,
        Self::Agent,
        Self::Stranger,
    ];

    /// Somebody by chance.
    fn any(rng: &mut Rng) -> Self {
        rng.weighted(&[
            (10, Self::Owner),
            (20, Self::Host),
            (20, Self::Speaker),
            (12, Self::Guest(1)),
            (6, Self::Guest(2)),
            (6, Self::Reader),
            (10, Self::Agent),
            (2, Self::Stranger),
        ])
    }

    /// The caller behind a person of the log.
    pub(super) fn of(actor: &Actor) -> Option<Self> {
        let id = &actor.as_person()?.id;
        Self::ALL.into_iter().find(|who| who.person() == Some(id))
    }

    /// The id of the person in the log.
    pub(super) fn person(self) -> Option<&'static str> {
        match self {
            Self::Owner => Some(Actor::OWNER),
            Self::Host => Some("ruth"),
            Self::Speaker => Some(SPEAKER),
            Self::Guest(1) => Some("guest:1"),
            Self::Guest(_) => Some("guest:2"),
            Self::Reader => Some("vera"),
            Self::Agent | Self::Stranger => None,
        }
    }

    /// The caller as the application knows it, at a meeting.
    pub(super) fn principal(self, meeting: &MeetingId) -> Option<Principal> {
        let account = |scope| {
            let name = self.person().unwrap_or_default();
            Principal::of_session(&format!("session of {name}"), name.to_owned(), scope, None, None)
        };
        Some(match self {
            Self::Owner => Principal::owner(),
            Self::Host => account(Scope::Manage),
            Self::Speaker => account(Scope::Speak),
            Self::Reader => account(Scope::Read),
            Self::Guest(number) => {
                let (id, person) = (format!("session of guest {number}"), Some(number.to_string()));
                Principal::of_session(&id, "林晚".to_owned(), Scope::Speak, Some(meeting.clone()), person)
            }
            Self::Agent => {
                let by = Actor::OWNER.to_owned();
                Principal::of_agent("token of scout", AGENT.to_owned(), by, Scope::Speak, None)
            }
            Self::Stranger => return None,
        })
    }

    /// Whether it may do this at a meeting that lets everybody in.
    fn may(self, act: Act) -> bool {
        let speaks =
            matches!(act, Act::Say | Act::Mention | Act::SayNothing | Act::SaySomebodyElse | Act::AttachFile);
        let takes_part = speaks
            || matches!(
                act,
                Act::RequestSpeaker
                    | Act::Resume
                    | Act::ResumeWithAnswers
                    | Act::ResumeWithAnyToken
                    | Act::Arrive
                    | Act::Depart
                    | Act::HandOver
            );
        match self {
            Self::Owner | Self::Host => true,
            Self::Speaker | Self::Guest(_) => takes_part,
            Self::Agent => speaks,
            Self::Reader | Self::Stranger => false,
        }
    }

    /// Checks that an event of which somebody is the actor is one that they may cause.
    pub(super) fn check(event: &Event) -> Result<(), String> {
        let Some(person) = event.actor.as_person() else { return Ok(()) };
        let kind = event.body.kind();
        let may = match Self::of(&event.actor) {
            Some(Self::Owner | Self::Host) => true,
            Some(Self::Speaker | Self::Guest(_)) => !BY_WHO_MANAGES.contains(&kind),
            Some(Self::Reader | Self::Agent | Self::Stranger) | None => false,
        };
        if may { Ok(()) } else { Err(format!("{} has caused {kind}", person.id)) }
    }
}

/// Events that only those who manage cause by themselves.
const BY_WHO_MANAGES: [&str; 16] = [
    "meeting_created",
    "meeting_forked",
    "meeting_started",
    "rules_changed",
    "topic_changed",
    "details_changed",
    "agenda_changed",
    "announcement_published",
    "access_changed",
    "participant_invited",
    "participant_changed",
    "presence_changed",
    "participant_joined",
    "file_removed",
    "tools_allowed",
    "pause",
];

/// One request, which may be sent several times.
#[derive(Debug, Clone)]
pub(super) struct DoorRequest {
    number: usize,
    who: Who,
    act: Act,
    use_case: UseCase,
    meeting: MeetingId,
    command: Command,
    key: Option<String>,
    /// A word that occurs in it alone.
    mark: Option<String>,
    /// The request whose key it has, with another body.
    instead_of: Option<usize>,
}

/// What is known of one request.
#[derive(Debug)]
struct Known {
    request: DoorRequest,
    /// How often it was sent, and answered.
    sent: u32,
    heard: u32,
    /// What it was answered with when it was done.
    done: Option<String>,
    /// The process in which it was made.
    process: u64,
    /// Whether it is given up: its outcome is unknown, and the client was told so.
    given_up: bool,
}

/// All requests of one simulation. They outlive processes.
#[derive(Default)]
pub(super) struct Doors {
    known: Mutex<Vec<Known>>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    status: u16,
    /// What it says, the same each time.
    body: String,
    /// The last event that it acknowledges.
    pub(super) seq: Option<u64>,
    /// Why it was refused, by name.
    name: &'static str,
    pub(super) refusal: Option<Refusal>,
    is_unknown: bool,
    /// A computation broke off.
    is_bug: bool,
    /// The request that was answered, as far as it is known.
    request: Option<usize>,
}

impl Answer {
    fn refused(request: usize, name: &'static str, status: u16) -> Self {
        Self {
            status,
            body: String::new(),
            seq: None,
            name,
            refusal: None,
            is_unknown: false,
            is_bug: false,
            request: Some(request),
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.status < 300
    }
}

/// One sending of a request.
struct DoorCall {
    app: App,
    principal: Option<Principal>,
    request: DoorRequest,
}

impl DoorCall {
    async fn carried_out(&self) -> Result<(u64, String), ServiceError> {
        let (app, request) = (&self.app, &self.request);
        // Nobody without a name is let through to here.
        let principal = self.principal.clone().unwrap_or_else(Principal::owner);
        let command = request.command.clone();
        let seq = match command {
            // To make a hash takes a thread and most of a second.
            Command::SetAccess { locked, .. } => {
                let hash = locked.then(|| "a hash".to_owned());
                app.change_hashed(&request.meeting, command, hash).await?
            }
            command => app.command(&principal, &request.meeting, command).await?,
        };
        if !matches!(request.command, Command::Say { .. }) {
            return Ok((seq, seq.to_string()));
        }
        let records = app.records(&request.meeting, seq.saturating_sub(EVENTS)).await?;
        let said = records.iter().rev().skip_while(|record| record.event.seq > seq).find_map(|record| {
            let EventBody::UserMessage { message_id, .. } = &record.event.body else { return None };
            Some(message_id.to_string())
        });
        Ok((seq, said.unwrap_or_else(|| "nothing".to_owned())))
    }

    fn failed(&self, error: &ServiceError) -> Answer {
        let state = error.details().get("current_state").and_then(Value::as_str).unwrap_or_default();
        let (name, status) = match error.kind() {
            ErrorKind::Validation => ("invalid", 422),
            ErrorKind::NotFound => ("not found", 404),
            ErrorKind::Api => ("a provider", 502),
            ErrorKind::MeetingState if state == "no_seat" => ("no seat", 409),
            ErrorKind::MeetingState | ErrorKind::Agenda => ("meeting state", 409),
            ErrorKind::Permission => ("not permitted", 403),
            ErrorKind::Storage => ("storage", 503),
            ErrorKind::Internal => ("internal", 500),
        };
        let name = error.refusal().map_or(name, crate::report::refused);
        let is_stopping = matches!(state, "stopping" | "broken_off");
        Answer {
            refusal: error.refusal().cloned(),
            is_unknown: is_stopping || matches!(error.kind(), ErrorKind::Storage | ErrorKind::Internal),
            is_bug: state == "broken_off" || error.kind() == ErrorKind::Internal,
            ..Answer::refused(self.request.number, name, status)
        }
    }
}

impl Invocation for DoorCall {
    type Outcome = Answer;

    async fn key(&mut self) -> Result<Option<RequestKey>, Answer> {
        let Some(key) = self.request.key.clone() else { return Ok(None) };
        let text = format!("{} {:?}", self.request.meeting, self.request.command);
        let mut checksum = [0; 32];
        for (place, part) in checksum.chunks_mut(8).enumerate() {
            let mix = |mix: u64, byte: u8| Rng::new(mix ^ u64::from(byte)).roll();
            part.copy_from_slice(&text.bytes().fold(place as u64, mix).to_le_bytes());
        }
        Ok(Some(RequestKey { key, checksum }))
    }

    async fn execute(self) -> Answer {
        match self.carried_out().await {
            Ok((seq, body)) => {
                Answer { body, seq: Some(seq), ..Answer::refused(self.request.number, "done", 200) }
            }
            Err(error) => self.failed(&error),
        }
    }

    async fn recall(&mut self, since: Timestamp) -> Result<InterruptedRequest<Answer>, Answer> {
        let (Command::Say { content, .. }, Some(principal)) = (&self.request.command, &self.principal) else {
            return Ok(InterruptedRequest::Unknown);
        };
        let (meeting, place) = (&self.request.meeting, |message: MessageId| message.to_string());
        match self.app.said_since(principal, meeting, since, (content, None), place).await {
            Ok(None) => Ok(InterruptedRequest::NotDone),
            Ok(Some((seq, message))) => Ok(InterruptedRequest::Done(Answer {
                body: message.to_string(),
                seq: Some(seq),
                ..Answer::refused(self.request.number, "done", 200)
            })),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn denied(&self, denial: Denial) -> Answer {
        let (name, status) = match &denial {
            Denial::NotSignedIn => ("not signed in", 401),
            Denial::NoSuchMeeting(_) => ("no such meeting for them", 404),
            Denial::Forbidden { .. } => ("forbidden", 403),
            Denial::OfPerson => ("what a person does", 403),
            Denial::Locked => ("asks for a password", 403),
            Denial::BlindRound => ("a blind round", 409),
            Denial::OpenBallot => ("an open ballot", 409),
            Denial::TooManyCalls { .. } | Denial::TooManyAttempts { .. } => ("too many calls", 429),
            Denial::TooManyMeetings { .. } | Denial::TooManyOfAccount { .. } => ("too many meetings", 429),
            Denial::KeyReused => ("the key of another request", 422),
            Denial::StillRunning => ("still under way", 409),
            Denial::Interrupted { .. } => ("interrupted", 409),
            Denial::Failed(error) => return self.failed(error),
        };
        Answer::refused(self.request.number, name, status)
    }

    fn broken() -> Answer {
        Answer { is_bug: true, request: None, ..Answer::refused(0, "internal", 500) }
    }

    fn status(answer: &Answer) -> u16 {
        answer.status
    }

    fn is_unknown(answer: &Answer) -> bool {
        answer.is_unknown
    }

    fn detail(answer: &Answer) -> Option<Value> {
        Some(json!({ "request": answer.request }))
    }

    async fn answer(answer: Answer) -> Result<(StoredResponse, Answer), Answer> {
        let headers = vec![("location".to_owned(), answer.body.clone())];
        let body = json!({ "body": answer.body, "request": answer.request }).to_string().into_bytes();
        Ok((StoredResponse { status: answer.status, headers, body, meeting: None }, answer))
    }

    fn replay(stored: StoredResponse) -> Answer {
        let kept: Value = serde_json::from_slice(&stored.body).unwrap_or_default();
        let request = kept["request"].as_u64().map(|number| number as usize);
        let body = kept["body"].as_str().unwrap_or_default().to_owned();
        Answer { body, request, ..Answer::refused(0, "done", stored.status) }
    }
}

/// The way into one process.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) world: Arc<World>,
    pub(super) process: Arc<Process>,
    pub(super) app: App,
}

impl Door {
    /// Who does something that usually somebody else does.
    pub(super) fn caller(&self, usual: &Actor) -> Who {
        let mut rng = self.world.rng();
        match Who::of(usual) {
            Some(usual) if self.world.is_calm() || rng.per_mille(600) => usual,
            _ if self.world.is_calm() => Who::Owner,
            _ => Who::any(&mut rng),
        }
    }

    /// Sends a request, at times more than once; gives the first answer, and none when the process has died.
    pub(super) async fn act(
        &self,
        who: Who,
        act: Act,
        use_case: UseCase,
        meeting: &MeetingId,
        command: Command,
    ) -> Option<Answer> {
        let (world, calm) = (&self.world, self.world.is_calm());
        let command = within(who, command);
        let (command, mark) = marked(world, command);
        let is_idempotent = use_case.definition().idempotent;
        let key = is_idempotent && !calm && world.rng().per_mille(600);
        let copies = match (key, mark.is_some()) {
            (true, true) if matches!(command, Command::Say { .. }) => world.rng().pick(&[1, 1, 2, 3]),
            // Whoever is told that nobody knows whether it was done may use the key again; a third one would do so unasked.
            (true, _) => world.rng().pick(&[1, 1, 2]),
            (false, false) if !calm && world.rng().per_mille(100) => 2,
            _ => 1,
        };
        let request = world.doors.enter(
            world,
            DoorRequest {
                number: 0,
                who,
                act,
                use_case,
                meeting: meeting.clone(),
                command,
                key: None,
                mark,
                instead_of: None,
            },
        );
        let request = if key { world.doors.with_key(request.number) } else { request };
        for _ in 1..copies {
            // A client that got no answer sends the same again, and both are on their way at once, or not.
            let late_ms = world.rng().maybe(500, |rng| rng.below(AGAIN_MS)).unwrap_or(0);
            self.send_later(request.clone(), late_ms);
        }
        let answer = self.send(request.clone()).await;
        if key
            && !calm
            && answer.as_ref().is_some_and(Answer::is_done)
            && world.rng().per_mille(150)
            && let Some(other) = world.doors.with_other_body(world, &request)
        {
            count(&mut world.report().deeds, "another request under a key");
            self.send_later(other, 0);
        }
        answer
    }

    /// Sends again what nobody has answered when a process died.
    pub(super) fn send_again(&self) {
        for request in self.world.doors.unanswered() {
            if self.world.rng().per_mille(700) {
                count(&mut self.world.report().deeds, "sent again after a kill");
                let is_message = matches!(request.command, Command::Say { .. });
                let copies = if is_message { self.world.rng().pick(&[1, 1, 2]) } else { 1 };
                for _ in 0..copies {
                    let late_ms = self.world.rng().below(5_000);
                    self.send_later(request.clone(), late_ms);
                }
            }
        }
    }

    fn send_later(&self, request: DoorRequest, late_ms: u64) {
        let door = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(std::time::Duration::from_millis(late_ms)).await;
            door.send(request).await;
        });
    }

    /// Sends a request once.
    async fn send(&self, request: DoorRequest) -> Option<Answer> {
        let (world, number) = (&self.world, request.number);
        world.doors.sent(number);
        let principal = request.who.principal(&request.meeting);
        let caller = Caller { principal: principal.clone(), address: None, transport: Transport::Rest };
        let (use_case, meeting) = (request.use_case, Some(request.meeting.clone()));
        let call = DoorCall { app: self.app.clone(), principal, request: request.clone() };
        let answer = self.app.perform(use_case, caller, meeting, call).await;
        if self.process.is_dead() {
            return None;
        }
        let mut line = format!("{} {:?} {}", request.meeting, request.who, request.act.name());
        if let Some(key) = &request.key {
            _ = write!(line, " ({key})");
        }
        world.note(format!("{line}: {} {}", answer.name, answer.body));
        if let Err(what) = world.doors.heard(world, &request, &answer) {
            world.breach(format!("{line}: {what}"));
        }
        Some(answer)
    }
}

/// The command as somebody can ask for it.
fn within(who: Who, mut command: Command) -> Command {
    if let Command::HandOver { manages, .. } = &mut command {
        *manages = matches!(who, Who::Owner | Who::Host);
    }
    command
}

/// The command with a word that occurs in it alone, where it has a text.
pub(super) fn marked(world: &World, mut command: Command) -> (Command, Option<String>) {
    let text = match &mut command {
        Command::Say { content, .. } if !content.trim_matches(['\u{1b}', ' ']).is_empty() => content,
        Command::AddAgendaItem { title, .. } => title,
        Command::Invite { description, .. } => description,
        _ => return (command, None),
    };
    let mark = world.mark();
    text.push_str(&mark);
    (command, Some(mark))
}

impl Doors {
    fn enter(&self, world: &World, request: DoorRequest) -> DoorRequest {
        let process = world.process.load(Ordering::Relaxed);
        let mut known = locked(&self.known);
        let request = DoorRequest { number: known.len(), ..request };
        let new = Known { request: request.clone(), sent: 0, heard: 0, done: None, process, given_up: false };
        known.push(new);
        request
    }

    fn with_key(&self, number: usize) -> DoorRequest {
        let mut known = locked(&self.known);
        let request = &mut known[number].request;
        request.key = Some(format!("key-{number}"));
        request.clone()
    }

    /// The same request with another text, where it has one.
    fn with_other_body(&self, world: &World, request: &DoorRequest) -> Option<DoorRequest> {
        let old = request.mark.as_ref()?;
        let mut command = request.command.clone();
        let mark = world.mark();
        let (Command::Say { content: text, .. }
        | Command::AddAgendaItem { title: text, .. }
        | Command::Invite { description: text, .. }) = &mut command
        else {
            return None;
        };
        *text = text.replace(old.as_str(), &mark);
        let (mark, instead_of) = (Some(mark), Some(request.number));
        Some(self.enter(world, DoorRequest { command, mark, instead_of, ..request.clone() }))
    }

    /// Requests with a key that were sent and not answered, and some that were.
    fn unanswered(&self) -> Vec<DoorRequest> {
        let is_open = |known: &&Known| {
            let is_open = known.sent > known.heard || known.done.is_some();
            known.request.key.is_some() && is_open && !known.given_up && known.request.instead_of.is_none()
        };
        // The last ones: a client does not try for ever.
        locked(&self.known).iter().rev().filter(is_open).take(3).map(|known| known.request.clone()).collect()
    }

    fn sent(&self, number: usize) {
        locked(&self.known)[number].sent += 1;
    }

    /// Notes an answer, and checks it.
    fn heard(&self, world: &World, request: &DoorRequest, answer: &Answer) -> Result<(), String> {
        let mut all = locked(&self.known);
        let original = request.instead_of.map(|number| all[number].done.is_some());
        let known = &mut all[request.number];
        known.heard += 1;
        if answer.is_bug {
            return Err(format!("a computation broke off: {answer:?}"));
        }
        if !answer.is_done() {
            known.given_up |= answer.name == "interrupted";
            let (is_alone, key) = (known.sent == 1, known.request.key.is_some());
            drop(all);
            count(&mut world.report().refusals, answer.name);
            if answer.name == "the key of another request" && original.is_none() {
                return Err("it is refused as another request than the first one".to_owned());
            }
            if let Some(mark) = &request.mark
                && !answer.is_unknown
                && ((is_alone && !key) || answer.name == "the key of another request")
            {
                world.never(mark);
            }
            return Ok(());
        }
        if !request.who.may(request.act) {
            return Err(format!("{:?} may not", request.who));
        }
        if request.who == Who::Agent && !world.had_seat(&request.meeting, Who::Agent) {
            return Err("an agent without a seat speaks".to_owned());
        }
        if original == Some(true) {
            return Err("another request is carried out under the key of one that was".to_owned());
        }
        if request.key.is_some() {
            let first = known.done.get_or_insert_with(|| answer.body.clone());
            if *first != answer.body {
                return Err(format!("it is answered with {first}, and then with {}", answer.body));
            }
        }
        drop(all);
        if let Some(seq) = answer.seq {
            world.acknowledge(&request.meeting, seq);
        }
        if let Some(mark) = &request.mark {
            world.acknowledge_said(mark);
        }
        Ok(())
    }

    /// Checks that each call left one line in the audit log, by whom it was and with what came of it. A process that died
    /// may have lost the last ones.
    pub(super) async fn check_audit(&self, world: &World, store: &Store) -> Result<(), String> {
        let process = world.process.load(Ordering::Relaxed);
        let mut lines: BTreeMap<usize, u32> = BTreeMap::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = store.audit_page(AuditFilter::default(), cursor.as_deref(), 200).await;
            let page = page.map_err(|error| error.to_string())?;
            for entry in &page.items {
                let Some(number) = entry.detail["request"].as_u64() else { continue };
                let known = locked(&self.known);
                let request = &known[number as usize].request;
                let action = request.use_case.definition().action;
                let by = request.who.principal(&request.meeting).map(|principal| principal.account());
                if entry.action != action || Some(&entry.by) != by.as_ref() {
                    return Err(format!("{entry:?} is in the audit log for {request:?}"));
                }
                *lines.entry(number as usize).or_default() += 1;
            }
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        for known in &*locked(&self.known) {
            let found = lines.get(&known.request.number).copied().unwrap_or_default();
            let is_stranger = known.request.who == Who::Stranger;
            let all_heard_here = known.process == process && known.sent == known.heard && !is_stranger;
            if found > known.sent || (is_stranger && found > 0) || (all_heard_here && found != known.sent) {
                let request = &known.request;
                return Err(format!(
                    "{found} lines of the audit log are of {request:?}, sent {} times",
                    known.sent
                ));
            }
        }
        Ok(())
    }
}
