//! A meeting that a server runs: requests to it, and its notices.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use eventsource_stream::{Event as Frame, EventStreamError, Eventsource};
use futures::{Stream, StreamExt};
use quorate_app::{FragmentKind, LiveFragment, LocalDatabase, Record, UseCase};
use quorate_contract::{Command, Event, MeetingId, Minutes, ParticipantId, RunId};
use quorate_core::{FileRecord, Meeting, apply};
use quorate_messages::message;
use reqwest::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::Remote;
use super::request::{RequestBody, part};
use crate::error::{CliError, ErrorKind};
use crate::live::MeetingNotice;

/// The number of attempts to reconnect before the connection counts as lost.
const TRIES: u32 = 20;
/// The interval between two attempts.
const BETWEEN: Duration = Duration::from_millis(500);

/// A meeting that a server runs.
pub(crate) struct RemoteMeeting {
    remote: Remote,
    /// The same database, to read, where it is on this machine.
    store: Option<LocalDatabase>,
    id: MeetingId,
}

/// The result in a response.
#[derive(Deserialize)]
struct ChangeReceipt {
    #[serde(alias = "last_seq")]
    seq: u64,
}

impl RemoteMeeting {
    pub(crate) fn new(remote: Remote, store: LocalDatabase, id: MeetingId) -> Self {
        Self { remote, store: Some(store), id }
    }

    /// A meeting of which this command knows what the server tells.
    pub(crate) fn elsewhere(remote: Remote, id: MeetingId) -> Self {
        Self { remote, store: None, id }
    }

    /// The server.
    pub(crate) fn remote(&self) -> &Remote {
        &self.remote
    }

    pub(crate) fn id(&self) -> &MeetingId {
        &self.id
    }

    /// The present state of the meeting in the log.
    pub(crate) async fn look(&self) -> Result<Meeting, CliError> {
        let Some(store) = &self.store else { return Ok(self.told_up_to(u64::MAX).await?.0) };
        let mut meeting = Meeting::blank(self.id.clone(), RunId::new(""));
        for (seq, line) in store.lines(UseCase::ShowMeeting, &self.id, 0).await? {
            apply(&mut meeting, &event(seq, &line)?);
        }
        Ok(meeting)
    }

    /// The meeting up to an event, as the server tells it, and the lines of its events by their numbers. What is withheld
    /// is left out.
    ///
    /// # Errors
    /// When the server does not answer, or refuses.
    pub(crate) async fn told_up_to(&self, until: u64) -> Result<(Meeting, BTreeMap<u64, String>), CliError> {
        let mut meeting = Meeting::blank(self.id.clone(), RunId::new(""));
        let mut lines = BTreeMap::new();
        let mut after = 0;
        while after < until {
            let path = format!("/meetings/{}/log?after={after}&limit={PAGE}", part(self.id.as_str()));
            let response = self.remote.send(self.remote.request(Method::GET, &path)).await?;
            let text = response.text().await.map_err(|error| self.remote.broken_off(&error))?;
            let mut count = 0;
            for line in text.lines() {
                count += 1;
                let seq = serde_json::from_str::<Numbered>(line).map_or(after + 1, |numbered| numbered.seq);
                if seq > until {
                    return Ok((meeting, lines));
                }
                after = seq.max(after + 1);
                if let StreamLine::Event(event) = read_line(seq, line)? {
                    apply(&mut meeting, &event);
                    lines.insert(seq, line.to_owned());
                }
            }
            if count < PAGE {
                break;
            }
        }
        Ok((meeting, lines))
    }

    /// Takes a seat, and gives the name at the table. Who has a seat keeps it.
    ///
    /// # Errors
    /// When the server refuses, or does not answer.
    pub(crate) async fn take_seat(&self, name: Option<&str>, role: &str) -> Result<String, CliError> {
        #[derive(Deserialize)]
        struct Joined {
            name: String,
        }
        let path = format!("/meetings/{}/join", part(self.id.as_str()));
        let mut body = serde_json::Map::new();
        body.extend(name.map(|name| ("name".to_owned(), json!(name))));
        if !role.is_empty() {
            body.insert("role".to_owned(), json!(role));
        }
        let joined: Joined = self.remote.ask(Method::POST, &path, Some(&body.into())).await?;
        Ok(joined.name)
    }

    /// Carries out a command; the returned sequence number is durable.
    ///
    /// # Errors
    /// When it is refused, or the server does not answer.
    pub(crate) async fn send(&self, command: Command) -> Result<u64, CliError> {
        if let Command::EditMinutes { by: _, based_on, minutes } = command {
            return self.edit_minutes(based_on, &minutes).await;
        }
        let (method, path, body) = request(command)?;
        let path = format!("/meetings/{}{path}", part(self.id.as_str()));
        let done: ChangeReceipt = self.remote.ask(method, &path, body.as_ref()).await?;
        Ok(done.seq)
    }

    /// Deletes the meeting.
    ///
    /// # Errors
    /// When the server refuses, or does not answer.
    pub(crate) async fn delete(&self) -> Result<(), CliError> {
        let path = format!("/meetings/{}", part(self.id.as_str()));
        self.remote.ask::<Value>(Method::DELETE, &path, None).await.map(|_| ())
    }

    /// Attaches a file.
    ///
    /// # Errors
    /// When the server refuses, or does not answer.
    pub(crate) async fn attach(&self, name: &str, content: Vec<u8>) -> Result<FileRecord, CliError> {
        let path = format!("/meetings/{}/files?name={}", part(self.id.as_str()), part(name));
        let response = self.remote.call(Method::POST, &path, &[], RequestBody::Bytes(content)).await?;
        response.json().await.map_err(|error| self.remote.broken_off(&error))
    }

    /// Puts edited minutes in the place of those that they are based on.
    async fn edit_minutes(&self, based_on: Option<u32>, minutes: &Minutes) -> Result<u64, CliError> {
        let path = format!("/meetings/{}/minutes", part(self.id.as_str()));
        let mut request = self.remote.request(Method::PUT, &path).json(minutes);
        if let Some(version) = based_on {
            request = request.header("if-match", format!("\"{version}\""));
        }
        self.remote.send(request).await?;
        Ok(self.look().await?.seq)
    }

    /// Sets the meeting's password, or takes it away.
    pub(crate) async fn set_password(&self, password: Option<&str>) -> Result<u64, CliError> {
        let path = format!("/meetings/{}", part(self.id.as_str()));
        let body = json!({ "password": password });
        let done: ChangeReceipt = self.remote.ask(Method::PATCH, &path, Some(&body)).await?;
        Ok(done.seq)
    }

    /// Subscribes: every event after `after`, then live; with `fragments`, also answers while they are
    /// generated.
    pub(crate) async fn subscribe(&self, after: u64, fragments: bool) -> Result<RemoteEvents, CliError> {
        let (remote, id) = (self.remote.clone(), self.id.clone());
        let stream = open(&remote, &id, after, fragments).await?;
        Ok(RemoteEvents {
            remote,
            id,
            connection: Connection::Open(stream),
            after,
            fragments,
            over: false,
            waiting: VecDeque::new(),
        })
    }
}

/// The most events of one page of the log.
const PAGE: usize = 1000;

/// The number of a line.
#[derive(Deserialize)]
struct Numbered {
    seq: u64,
}

/// What a line tells.
enum StreamLine {
    Event(Box<Event>),
    /// That something happened, and no more.
    Withheld,
}

/// Reads a line of a server, which may withhold what it is about.
fn read_line(seq: u64, line: &str) -> Result<StreamLine, CliError> {
    match event(seq, line) {
        Ok(event) => Ok(StreamLine::Event(Box::new(event))),
        Err(error) => {
            let payload = serde_json::from_str::<Value>(line).map(|line| line["payload"]["withheld"] == true);
            if payload.unwrap_or(false) { Ok(StreamLine::Withheld) } else { Err(error) }
        }
    }
}

fn event(seq: u64, line: &str) -> Result<Event, CliError> {
    Event::from_json(line).map_err(|error| {
        CliError::new(message!("cli-replay-event-unreadable", seq, %error), message!("cli-remote-event-hint"))
    })
}

/// The request that carries out a command: method, path under the meeting, body.
fn request(command: Command) -> Result<(Method, String, Option<Value>), CliError> {
    let post = |path: &str, body: Value| (Method::POST, path.to_owned(), Some(body));
    let change = |body: Value| (Method::PATCH, String::new(), Some(body));
    Ok(match command {
        Command::Start { by: _ } => (Method::POST, "/start".to_owned(), None),
        Command::Say { by: _, content } => post("/messages", json!({ "content": content })),
        Command::Reply { by: _, to, content } => {
            post("/messages", json!({ "content": content, "reply_to": to }))
        }
        Command::RequestSpeaker { by: _, participant } => {
            post("/speaker", json!({ "participant": participant }))
        }
        Command::Invite { by: _, description } => {
            post("/participants", json!({ "description": description }))
        }
        Command::Leave { by: _, participant } => {
            (Method::DELETE, format!("/participants/{}", part(&participant)), None)
        }
        Command::SetPresence { by: _, participant, presence } => {
            let body = json!({ "presence": presence });
            (Method::PATCH, format!("/participants/{}", part(&participant)), Some(body))
        }
        Command::ChangeParticipant { by: _, participant, presence, skip_list } => {
            let mut body = serde_json::Map::new();
            body.extend(presence.map(|presence| ("presence".to_owned(), json!(presence))));
            body.extend(skip_list.map(|phrases| ("skip_list".to_owned(), json!(phrases))));
            (Method::PATCH, format!("/participants/{}", part(&participant)), Some(body.into()))
        }
        Command::Arrive { by: _ } => (Method::PUT, "/people/self".to_owned(), None),
        Command::Depart { by: _, person: _ } => (Method::DELETE, "/people/self".to_owned(), None),
        Command::HandOver { by: _, to, manages: _ } => {
            (Method::PUT, "/host".to_owned(), Some(json!({ "person": to })))
        }
        Command::ChangeRules { by: _, rules } => (Method::PUT, "/rules".to_owned(), Some(json!(rules))),
        Command::ChangeTopic { by: _, topic } => change(json!({ "topic": topic })),
        Command::Announce { by: _, text } => change(json!({ "announcement": text })),
        Command::AddAgendaItem { by: _, title, description } => {
            post("/agenda", json!({ "title": title, "description": description }))
        }
        Command::CompleteAgendaItem { by: _, item, completed } => {
            (Method::PATCH, format!("/agenda/{}", part(&item)), Some(json!({ "completed": completed })))
        }
        Command::RemoveAgendaItem { by: _, item } => {
            (Method::DELETE, format!("/agenda/{}", part(&item)), None)
        }
        Command::WriteMinutes { by: _, writer, note } => {
            post("/minutes", json!({ "writer": writer, "note": note }))
        }
        Command::WriteArtifact { by: _, kind } => post("/artifacts", json!({ "kind": kind })),
        Command::Pause { by: _, at_once } => post("/pause", json!({ "at_once": at_once })),
        Command::Resume { by: _, token, answers, take_defaults } => {
            post("/resume", json!({ "token": token, "answers": answers, "take_defaults": take_defaults }))
        }
        Command::End { by: _, note } => post("/end", json!({ "note": note })),
        // An agent of the library is asked for by its name.
        Command::Join { by: _, newcomer } => post("/participants", json!({ "agent": newcomer.name })),
        Command::PermitAction { by: _, task, attempt, number, allowed } => post(
            "/permissions",
            json!({ "task": task, "attempt": attempt, "number": number, "allow": allowed }),
        ),
        Command::RemoveFile { by: _, file } => (Method::DELETE, format!("/files/{file}"), None),
        other @ (Command::Create { .. }
        | Command::Fork { .. }
        | Command::SetAccess { .. }
        | Command::ChangeMeeting { .. }
        | Command::EditMinutes { .. }
        | Command::Advance { .. }
        | Command::AttachFile { .. }
        | Command::Deliver(_)
        | Command::ReturnTool { .. }
        | Command::NoteRetry { .. }
        | Command::NoteAction { .. }
        | Command::NoteIdle { .. }
        | Command::Tick) => {
            return Err(CliError::new(
                message!("cli-remote-not-asked", command = other.cause()),
                message!("cli-remote-not-asked-hint"),
            ));
        }
    })
}

type Frames = Pin<Box<dyn Stream<Item = Result<Frame, EventStreamError<reqwest::Error>>> + Send>>;

async fn open(remote: &Remote, id: &MeetingId, after: u64, fragments: bool) -> Result<Frames, CliError> {
    let path = format!("/meetings/{}/events?after={after}&fragments={fragments}", part(id.as_str()));
    let response = remote.send(remote.request(Method::GET, &path)).await?;
    Ok(Box::pin(response.bytes_stream().eventsource()))
}

/// Opens a stream that broke off, where it was.
///
/// # Errors
/// When the server does not answer for some seconds, or refuses.
async fn reopen(remote: Remote, id: MeetingId, after: u64, fragments: bool) -> Result<Frames, CliError> {
    for _ in 0..TRIES {
        tokio::time::sleep(BETWEEN).await;
        match open(&remote, &id, after, fragments).await {
            Err(error) if matches!(error.kind(), ErrorKind::Storage | ErrorKind::Validation) => {}
            opened => return opened,
        }
    }
    open(&remote, &id, after, fragments).await
}

/// The stream of a meeting's events.
enum Connection {
    Open(Frames),
    /// Reconnecting runs in a task of its own: the future of the next notice may be dropped at any time.
    Reopening(JoinHandle<Result<Frames, CliError>>),
}

impl Drop for Connection {
    fn drop(&mut self) {
        if let Self::Reopening(task) = self {
            task.abort();
        }
    }
}

/// The notices of a meeting. A lost connection is made again from the same place.
pub(crate) struct RemoteEvents {
    remote: Remote,
    id: MeetingId,
    connection: Connection,
    /// The last event that was handed out.
    after: u64,
    fragments: bool,
    over: bool,
    waiting: VecDeque<MeetingNotice>,
}

impl RemoteEvents {
    /// The next notice; `None` when the meeting is over and everything was handed out. Dropping the future loses
    /// nothing.
    ///
    /// # Errors
    /// When the server no longer answers, or refuses to.
    pub(crate) async fn next(&mut self) -> Result<Option<MeetingNotice>, CliError> {
        loop {
            if let Some(notice) = self.waiting.pop_front() {
                return Ok(Some(notice));
            }
            if self.over {
                return Ok(None);
            }
            match &mut self.connection {
                Connection::Open(frames) => match frames.next().await {
                    Some(Ok(frame)) => {
                        let notice = self.read(&frame)?;
                        self.waiting.extend(notice);
                    }
                    Some(Err(_)) | None => {
                        self.waiting.push_back(MeetingNotice::Lagged);
                        let reopened =
                            reopen(self.remote.clone(), self.id.clone(), self.after, self.fragments);
                        self.connection = Connection::Reopening(tokio::spawn(reopened));
                    }
                },
                Connection::Reopening(task) => {
                    let opened = task.await.map_err(|error| {
                        CliError::new(message!("cli-remote-not-connected", %error), message!("app-try-again"))
                    })?;
                    self.connection = Connection::Open(opened?);
                }
            }
        }
    }

    fn read(&mut self, frame: &Frame) -> Result<Option<MeetingNotice>, CliError> {
        match frame.event.as_str() {
            "token" => Ok(serde_json::from_str::<Token>(&frame.data).ok().and_then(Token::notice)),
            "resync" => Ok(Some(MeetingNotice::Lagged)),
            "problem" => {
                let said = serde_json::from_str::<Value>(&frame.data).unwrap_or_default();
                let text = |field: &str| said[field].as_str().filter(|text| !text.is_empty());
                let told = [text("detail"), text("hint")].into_iter().flatten().collect::<Vec<_>>();
                Ok(Some(MeetingNotice::Problem(told.join(" — "))))
            }
            _ if frame.data.starts_with('{') => {
                let seq = serde_json::from_str::<Numbered>(&frame.data).map_or(0, |numbered| numbered.seq);
                let event = match read_line(self.after + 1, &frame.data)? {
                    StreamLine::Event(event) => *event,
                    StreamLine::Withheld if seq <= self.after => return Ok(None),
                    StreamLine::Withheld => {
                        self.after = seq;
                        return Ok(Some(MeetingNotice::Withheld { seq, line: frame.data.clone() }));
                    }
                };
                if event.seq <= self.after {
                    return Ok(None);
                }
                self.after = event.seq;
                self.over = matches!(event.body, quorate_contract::EventBody::Finished { .. });
                Ok(Some(MeetingNotice::Event(Record {
                    event: Arc::new(event),
                    line: frame.data.as_str().into(),
                })))
            }
            _ => Ok(None),
        }
    }
}

/// A fragment of an answer, as a server sends it.
#[derive(Deserialize)]
struct Token {
    task: String,
    attempt: u32,
    participant: Option<ParticipantId>,
    kind: String,
    offset: usize,
    text: String,
}

impl Token {
    fn notice(self) -> Option<MeetingNotice> {
        let kind = match self.kind.as_str() {
            "reasoning" => FragmentKind::Reasoning,
            _ => FragmentKind::Answer,
        };
        let Self { task, attempt, participant, kind: _, offset, text } = self;
        let task = task.parse().ok()?;
        Some(MeetingNotice::Fragment(Arc::new(LiveFragment {
            task,
            attempt,
            participant,
            kind,
            offset,
            text,
        })))
    }
}

#[cfg(test)]
mod tests {
    use quorate_contract::Actor;

    use super::*;

    #[test]
    fn names_are_encoded_in_paths() {
        let by = || Actor::owner();
        let (_, path, _) =
            request(Command::Leave { by: by(), participant: "艾达 / Ada?".to_owned() }).expect("a path");
        assert_eq!(path, "/participants/%E8%89%BE%E8%BE%BE%20%2F%20Ada%3F");
        assert!(request(Command::Tick).is_err());
    }
}
