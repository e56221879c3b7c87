//! Entrances: requests of several callers through the application, as REST makes them: sent once or three times, at once or late,
//! again after a kill, and with another body under the same key.
//!
//! What each caller may do stands in `callers`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use quorate_app::{App, AuditFilter, Caller, Transport, UseCase};
use quorate_contract::*;
use quorate_store::Store;

use super::callers::Who;
use super::entrance_call::{Answer, EntranceCall};
use super::process::Process;
use super::world::{World, locked};
use crate::fault_plan::Act;
use crate::report::count;

/// How long a client waits at the most before it sends the same once more, in milliseconds.
const AGAIN_MS: u64 = 30_000;

/// One request, which may be sent several times.
#[derive(Debug, Clone)]
pub(super) struct EntranceRequest {
    pub(super) number: usize,
    pub(super) who: Who,
    pub(super) act: Act,
    pub(super) use_case: UseCase,
    pub(super) meeting: MeetingId,
    pub(super) command: Command,
    pub(super) key: Option<String>,
    /// A word that occurs in it alone.
    pub(super) mark: Option<String>,
    /// The request whose key it has, with another body.
    instead_of: Option<usize>,
}

/// What is known of one request.
#[derive(Debug)]
struct Known {
    request: EntranceRequest,
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
pub(super) struct Entrances {
    known: Mutex<Vec<Known>>,
}

/// The way into one process.
#[derive(Clone)]
pub(super) struct Entrance {
    pub(super) world: Arc<World>,
    pub(super) process: Arc<Process>,
    pub(super) app: App,
}

impl Entrance {
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
        let request = world.entrances.enter(
            world,
            EntranceRequest {
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
        let request = if key { world.entrances.with_key(request.number) } else { request };
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
            && let Some(other) = world.entrances.with_other_body(world, &request)
        {
            count(&mut world.report().deeds, "another request under a key");
            self.send_later(other, 0);
        }
        answer
    }

    /// Sends again what nobody has answered when a process died.
    pub(super) fn send_again(&self) {
        for request in self.world.entrances.unanswered() {
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

    fn send_later(&self, request: EntranceRequest, late_ms: u64) {
        let entrance = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(std::time::Duration::from_millis(late_ms)).await;
            entrance.send(request).await;
        });
    }

    /// Sends a request once.
    async fn send(&self, request: EntranceRequest) -> Option<Answer> {
        let (world, number) = (&self.world, request.number);
        world.entrances.sent(number);
        let principal = request.who.principal(&request.meeting);
        let caller = Caller { principal: principal.clone(), address: None, transport: Transport::Rest };
        let (use_case, meeting) = (request.use_case, Some(request.meeting.clone()));
        let call = EntranceCall { app: self.app.clone(), principal, request: request.clone() };
        let answer = self.app.perform(use_case, caller, meeting, call).await;
        if self.process.is_dead() {
            return None;
        }
        let mut line = format!("{} {:?} {}", request.meeting, request.who, request.act.name());
        if let Some(key) = &request.key {
            _ = write!(line, " ({key})");
        }
        world.note(format!("{line}: {} {}", answer.name, answer.body));
        if let Err(what) = world.entrances.heard(world, &request, &answer) {
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

impl Entrances {
    fn enter(&self, world: &World, request: EntranceRequest) -> EntranceRequest {
        let process = world.process.load(Ordering::Relaxed);
        let mut known = locked(&self.known);
        let request = EntranceRequest { number: known.len(), ..request };
        let new = Known { request: request.clone(), sent: 0, heard: 0, done: None, process, given_up: false };
        known.push(new);
        request
    }

    fn with_key(&self, number: usize) -> EntranceRequest {
        let mut known = locked(&self.known);
        let request = &mut known[number].request;
        request.key = Some(format!("key-{number}"));
        request.clone()
    }

    /// The same request with another text, where it has one.
    fn with_other_body(&self, world: &World, request: &EntranceRequest) -> Option<EntranceRequest> {
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
        Some(self.enter(world, EntranceRequest { command, mark, instead_of, ..request.clone() }))
    }

    /// Requests with a key that were sent and not answered, and some that were.
    fn unanswered(&self) -> Vec<EntranceRequest> {
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
    fn heard(&self, world: &World, request: &EntranceRequest, answer: &Answer) -> Result<(), String> {
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
