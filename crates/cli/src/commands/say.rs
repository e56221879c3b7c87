//! Says something to a meeting that rests, or has one thing done, without resuming it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use quorate_core::{Command, Meeting, MeetingId, Phase, Refusal, Rest};
use quorate_engine::{Engine, MeetingHandle, Notice, Subscription};
use quorate_runners::{Directory, Pace};
use quorate_store::SqliteStore;

use super::meet::{asks_models, check_providers, engine};
use super::print;
use crate::args::SayArgs;
use crate::error::CliError;
use crate::live::{Given, Line, OWNER, View, from_library, read_line, resume};
use crate::password;
use crate::place::Place;
use crate::setup::{NewMeeting, UserFile, processes_of, providers_of, runners, stored_credentials};
use crate::speech::Speech;

/// A meeting that is open and does not go on by itself.
pub(super) struct AtRest {
    // Keeps the meeting's loop running.
    _engine: Engine,
    runners: Arc<Directory>,
    store: SqliteStore,
    handle: MeetingHandle,
    heard: Subscription,
    view: View,
    json: bool,
    /// The last event that is known to be durable.
    durable: u64,
}

impl AtRest {
    /// Opens a meeting. One that was cut off rests from now on.
    pub(super) async fn open(
        place: &Place,
        id: &str,
        config: Option<&Path>,
        json: bool,
    ) -> Result<Self, CliError> {
        let store = place.open()?;
        let id: MeetingId = store.find(id).await?;
        password::ask(&store, &id).await?;
        let file = config.map(NewMeeting::read).transpose()?.unwrap_or_default();
        let user = UserFile::read(&place.config)?;
        let stored = stored_credentials(place).await;
        let providers = providers_of(&file, &user, stored.as_deref().unwrap_or_default(), true).await?;
        let processes = processes_of(&file, &user);
        let known: BTreeSet<String> = providers.keys().cloned().collect();
        let known_processes: BTreeSet<String> = processes.keys().cloned().collect();
        let runners = runners(providers.into_values(), processes.into_values(), Pace::Instant)?;
        let engine = engine(store.clone(), runners.clone());
        let meeting = engine.load(&id).await?;
        if meeting.is_over() {
            return Err(Refusal::MeetingIsOver.into());
        }
        if let (true, Err(error)) = (asks_models(&meeting), stored) {
            return Err(error);
        }
        check_providers(&meeting, &known, &known_processes)?;
        let handle = engine.open(&id).await?;
        let heard = handle.subscribe(meeting.seq, false).await?;
        let durable = match (&meeting.phase, &meeting.rest) {
            (Phase::Draft, _) | (_, Rest::Paused { .. }) => meeting.seq,
            (_, Rest::Running | Rest::PauseRequested { .. }) => {
                handle.wish(Command::Pause { by: OWNER.to_owned(), at_once: true }).await?
            }
        };
        Ok(Self { _engine: engine, runners, store, handle, heard, view: View::new(meeting), json, durable })
    }

    /// Lets go of it, and of the processes that answered for it.
    pub(super) async fn close(self) {
        self.runners.close().await;
    }

    pub(super) async fn look(&self) -> Result<Meeting, CliError> {
        Ok(self.handle.look().await?)
    }

    pub(super) async fn wish(&mut self, wish: Command) -> Result<(), CliError> {
        self.durable = self.handle.wish(wish).await?;
        Ok(())
    }

    /// Gives the meeting another password, or none.
    async fn change_password(&mut self, speech: Speech) -> Result<(), CliError> {
        let (by, id) = (OWNER.to_owned(), self.handle.id().clone());
        match password::another(speech)? {
            Some(password) => {
                password::keep(&self.store, &id, Some(&password)).await?;
                self.wish(Command::SetAccess { by, locked: true }).await
            }
            None => {
                self.wish(Command::SetAccess { by, locked: false }).await?;
                password::keep(&self.store, &id, None).await
            }
        }
    }

    /// Shows what follows, until nothing is under way any more.
    pub(super) async fn until_quiet(&mut self) -> Result<(), CliError> {
        loop {
            let m = self.view.meeting();
            let rests = m.is_over() || m.is_paused() || m.phase == Phase::Draft;
            if m.is_over() {
                return Ok(());
            }
            if m.seq >= self.durable && rests && m.calls.is_empty() {
                // What was heard may be the middle of what follows from one answer.
                match self.handle.look().await {
                    Ok(now) if now.seq > m.seq => self.durable = now.seq,
                    Ok(_) | Err(_) => return Ok(()),
                }
            }
            match self.heard.next().await? {
                None => return Ok(()),
                Some(Notice::Event(record)) if self.json => {
                    self.view.follow(&record.event);
                    print(&record.line);
                }
                Some(Notice::Event(record)) => self.view.event(&record.event),
                Some(Notice::Fragment(_) | Notice::Lagged) => {}
                Some(Notice::Trouble(error)) => return Err(error.into()),
            }
        }
    }
}

/// Says each line to the meeting.
pub(crate) async fn say(place: &Place, args: SayArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let mut meeting = AtRest::open(place, &args.id, args.config.as_deref(), args.json).await?;
    let mut given = Given::new();
    let mut goes_on = false;
    for text in &args.lines {
        let line = match read_line(text, &meeting.look().await?) {
            Ok(line) => line,
            Err(error) => {
                // What was asked for before it is still done, and told.
                meeting.until_quiet().await?;
                return Err(error);
            }
        };
        match line {
            Line::Wish(wish) => {
                let wish = from_library(&meeting.store, wish).await;
                let done = meeting.wish(wish).await;
                if done.is_err() {
                    meeting.until_quiet().await?;
                }
                done.map_err(|error| error.in_words(speech).at(text))?;
            }
            Line::Tell(text) => print(&text),
            Line::Answer(key, value) => _ = given.insert(key, value.into()),
            Line::Password => meeting.change_password(speech).await?,
            Line::Resume => goes_on = true,
            Line::Quit => {}
        }
    }
    if goes_on || !given.is_empty() {
        meeting.wish(resume(None, given, goes_on)).await?;
    }
    meeting.until_quiet().await?;
    meeting.close().await;
    Ok(ExitCode::SUCCESS)
}
