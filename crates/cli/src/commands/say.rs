//! Sends a message or one command to a paused meeting, without resuming it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use quorate_app::{Directory, LocalDatabase, Pace, UseCase};
use quorate_contract::{Actor, Command, MeetingId, Refusal};
use quorate_core::{Meeting, Phase, RunState};
use quorate_messages::{message, text};

use super::print;
use super::run::{app_over, asks_models, check_providers};
use crate::args::SayArgs;
use crate::error::{CliError, ErrorKind};
use crate::language::Speech;
use crate::live::{
    AnswersByKey, Events, LineCommand, Link, MeetingNotice, View, read_line, resolve_library_name, resume,
};
use crate::place::Place;
use crate::remote::{Remote, RemoteMeeting, Writer};
use crate::setup::{
    CreateMeetingRequest, UserFile, agent_sessions, programs_of, providers_of, runners, stored_credentials,
    tools_of,
};
use crate::{control, password};

/// An open meeting. In this process it does not continue by itself; in a server it may.
pub(super) struct AtRest {
    /// The runners of this process.
    runners: Option<Arc<Directory>>,
    store: LocalDatabase,
    link: Link,
    heard: Events,
    view: View,
    json: bool,
    /// The last event that is known to be durable.
    durable: u64,
}

impl AtRest {
    /// Opens a meeting. One that was cut off is paused from now on.
    pub(super) async fn open(
        place: &Place,
        id: &str,
        config: Option<&Path>,
        json: bool,
    ) -> Result<Self, CliError> {
        let store = match Writer::find(place)? {
            Writer::Here(store) => store,
            Writer::Server(server, store) => return Self::open_at(server, store, id, json).await,
        };
        let id: MeetingId = store.find(id).await?;
        password::ask(&store, &id).await?;
        let file = config.map(CreateMeetingRequest::read).transpose()?.unwrap_or_default();
        let user = UserFile::read(&place.config)?;
        let stored = stored_credentials(place).await;
        let providers = providers_of(&file, &user, stored.as_deref().unwrap_or_default(), true).await?;
        let programs = programs_of(&file, &user);
        let known: BTreeSet<String> = providers.keys().cloned().collect();
        let known_programs = programs.clone();
        let sessions = Some(agent_sessions(&place.db));
        let tools = tools_of(&file, &user);
        let runners =
            runners(providers.into_values(), programs, sessions, tools.into_values(), Pace::Instant)?;
        let app = app_over(place, store.clone(), runners.clone()).await?;
        let meeting = app.load_whole(&id).await?;
        if meeting.is_over() {
            return Err(Refusal::MeetingIsOver.into());
        }
        if let (true, Err(error)) = (asks_models(&meeting), stored) {
            return Err(error);
        }
        check_providers(&meeting, &known, &known_programs)?;
        let handle = app.meeting(&id).await?;
        let link = Link::Here(app, handle);
        let heard = link.subscribe(meeting.seq, false).await?;
        let durable = match (&meeting.phase, &meeting.run_state) {
            (Phase::Draft, _) | (_, RunState::Paused { .. }) => meeting.seq,
            (_, RunState::Running | RunState::PauseRequested { .. }) => {
                link.send(Command::Pause { by: Actor::owner(), at_once: true }).await?
            }
        };
        Ok(Self { runners: Some(runners), store, link, heard, view: View::new(meeting), json, durable })
    }

    /// Opens a meeting of a server.
    async fn open_at(server: Remote, store: LocalDatabase, id: &str, json: bool) -> Result<Self, CliError> {
        let id = store.find(id).await?;
        password::ask(&store, &id).await?;
        let link = Link::Server(RemoteMeeting::new(server, store.clone(), id));
        let meeting = link.look().await?;
        if meeting.is_over() {
            return Err(Refusal::MeetingIsOver.into());
        }
        let heard = link.subscribe(meeting.seq, false).await?;
        let durable = meeting.seq;
        Ok(Self { runners: None, store, link, heard, view: View::new(meeting), json, durable })
    }

    /// Closes the meeting, and its processes.
    pub(super) async fn close(self) {
        if let Some(runners) = self.runners {
            runners.close().await;
        }
    }

    /// The way to the meeting.
    pub(super) fn link(&self) -> &Link {
        &self.link
    }

    pub(super) async fn look(&self) -> Result<Meeting, CliError> {
        self.link.look().await
    }

    pub(super) async fn execute(&mut self, command: Command) -> Result<(), CliError> {
        self.durable = self.link.send(command).await?;
        Ok(())
    }

    /// Gives the meeting another password, or none.
    async fn change_password(&mut self, speech: Speech) -> Result<(), CliError> {
        let (by, id) = (Actor::owner(), self.link.id().clone());
        let password = password::another(speech)?;
        self.durable = match &self.link {
            Link::Server(meeting) => meeting.set_password(password.as_deref()).await?,
            Link::Here(app, _) => {
                let (here, meeting) = (app.clone(), id.clone());
                let command = Command::SetAccess { by, locked: password.is_some() };
                let action = async move { here.change(&meeting, command, Some(password.as_deref())).await };
                app.perform_here(UseCase::ChangeMeeting, Some(id.clone()), action).await?
            }
        };
        password::let_in(&id);
        Ok(())
    }

    /// Shows events until no call is in flight any more.
    pub(super) async fn until_quiet(&mut self) -> Result<(), CliError> {
        loop {
            let m = self.view.meeting();
            let rests = m.is_over() || m.is_paused() || m.phase == Phase::Draft;
            // A meeting that goes on without this command is not waited for.
            if m.is_over() || (self.link.goes_on_alone() && !rests && m.seq >= self.durable) {
                return Ok(());
            }
            if m.seq >= self.durable && rests && m.calls.is_empty() {
                // The last event may be in the middle of one append.
                match self.link.look().await {
                    Ok(now) if now.seq > m.seq => self.durable = now.seq,
                    Ok(_) | Err(_) => return Ok(()),
                }
            }
            match self.heard.next().await? {
                None => return Ok(()),
                Some(MeetingNotice::Event(record)) if self.json => {
                    self.view.follow(&record.event);
                    print(&record.line);
                }
                Some(MeetingNotice::Event(record)) => self.view.event(&record.event),
                Some(MeetingNotice::Fragment(_) | MeetingNotice::Lagged | MeetingNotice::Withheld { .. }) => {
                }
                Some(MeetingNotice::Problem(text)) => {
                    return Err(CliError::new(text, message!("app-try-again")).of(ErrorKind::Storage));
                }
            }
        }
    }
}

/// Says each line through the command that holds the meeting. `None` when no command does.
async fn say_elsewhere(place: &Place, args: &SayArgs) -> Result<Option<ExitCode>, CliError> {
    let Ok(store) = place.read() else { return Ok(None) };
    let Ok(id) = store.find(&args.id).await else { return Ok(None) };
    let mut said = false;
    for line in &args.lines {
        if !said {
            password::ask(&store, &id).await?;
        }
        match control::ask(place, &id, line).await? {
            Some(told) if !told.is_empty() => print(&told),
            Some(_) => {}
            None => return Ok(None),
        }
        said = true;
    }
    Ok(said.then_some(ExitCode::SUCCESS))
}

/// Says each line to the meeting.
pub(crate) async fn say(place: &Place, args: SayArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(code) = say_elsewhere(place, &args).await? {
        return Ok(code);
    }
    let mut meeting = AtRest::open(place, &args.id, args.config.as_deref(), args.json).await?;
    let mut given = AnswersByKey::new();
    let mut goes_on = false;
    for text in &args.lines {
        let line = match read_line(text, &meeting.look().await?, speech) {
            Ok(line) => line,
            Err(error) => {
                // Earlier requests are still fulfilled, and shown.
                meeting.until_quiet().await?;
                return Err(error);
            }
        };
        match line {
            LineCommand::Command(command) => {
                let command = resolve_library_name(&meeting.store, command).await;
                let done = meeting.execute(command).await;
                if done.is_err() {
                    meeting.until_quiet().await?;
                }
                done.map_err(|error| {
                    let error = error.at_terminal(speech);
                    if text.trim().is_empty() { error } else { error.at(text) }
                })?;
            }
            LineCommand::Tell(text) => print(&text),
            LineCommand::Answer(key, value) => _ = given.insert(key, value.into()),
            LineCommand::Password => meeting.change_password(speech).await?,
            LineCommand::Resume => goes_on = true,
            LineCommand::Quit => {}
            LineCommand::Seat(_) => {
                let (message, hint) =
                    (text!(speech, "cli-seat-elsewhere"), text!(speech, "cli-seat-elsewhere-hint"));
                return Err(CliError::usage(message, hint));
            }
        }
    }
    if goes_on || !given.is_empty() {
        meeting.execute(resume(None, given, goes_on)).await?;
    }
    meeting.until_quiet().await?;
    meeting.close().await;
    Ok(ExitCode::SUCCESS)
}
