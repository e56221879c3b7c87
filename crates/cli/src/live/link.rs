//! A meeting that a terminal follows, wherever it runs: in this process, or in a server that holds the database.

use std::collections::BTreeMap;

use quorate_app::{App, MeetingHandle, Notice, OwnSeat, Principal, Subscription, UseCase};
use quorate_contract::{Command, MeetingId};
use quorate_core::{FileRecord, Meeting};

use super::notice::MeetingNotice;
use super::seat::TurnSource;
use crate::error::{CliError, ErrorKind};
use crate::place::with_database;
use crate::remote::{RemoteEvents, RemoteMeeting};

/// A meeting that can be asked for something.
pub(crate) enum Link {
    /// In this process.
    Here(App, MeetingHandle),
    /// In a server.
    Server(RemoteMeeting),
}

impl Link {
    pub(crate) fn id(&self) -> &MeetingId {
        match self {
            Self::Here(_, handle) => handle.id(),
            Self::Server(meeting) => meeting.id(),
        }
    }

    /// Whether the meeting goes on when this process ends.
    pub(crate) fn goes_on_alone(&self) -> bool {
        matches!(self, Self::Server(_))
    }

    /// The present state of the meeting.
    pub(crate) async fn look(&self) -> Result<Meeting, CliError> {
        match self {
            Self::Here(_, handle) => Ok(handle.look().await?),
            Self::Server(meeting) => meeting.look().await,
        }
    }

    /// The meeting up to an event as a server tells it, and the lines of its events; in this process, the present state.
    pub(crate) async fn told_up_to(&self, until: u64) -> Result<(Meeting, BTreeMap<u64, String>), CliError> {
        match self {
            Self::Here(_, handle) => Ok((handle.look().await?, BTreeMap::new())),
            Self::Server(meeting) => meeting.told_up_to(until).await,
        }
    }

    /// Where the turns of the person at this terminal come from.
    pub(crate) fn turns(&self) -> TurnSource {
        match self {
            Self::Here(app, handle) => TurnSource::Here(app.clone(), handle.id().clone()),
            Self::Server(meeting) => TurnSource::Server(meeting.remote().clone(), meeting.id().clone()),
        }
    }

    /// Takes a seat for the person at this terminal, and gives the name at the table.
    ///
    /// # Errors
    /// When the meeting takes nobody in, or something of the seat is not right.
    pub(crate) async fn take_seat(&self, name: Option<&str>, role: &str) -> Result<String, CliError> {
        match self {
            Self::Here(app, handle) => {
                let (here, id) = (app.clone(), handle.id().clone());
                let wanted = OwnSeat { name: name.map(str::to_owned), role: role.to_owned() };
                let action = async move { here.take_seat(&Principal::owner(), &id, wanted).await };
                app.perform_here(UseCase::JoinMeeting, Some(handle.id().clone()), action).await
            }
            Self::Server(meeting) => meeting.take_seat(name, role).await,
        }
    }

    /// Deletes the meeting.
    ///
    /// # Errors
    /// When the database or the server does not do it.
    pub(crate) async fn discard(&self) -> Result<(), CliError> {
        match self {
            Self::Here(app, handle) => Ok(app.delete(handle.id()).await?),
            Self::Server(meeting) => meeting.delete().await,
        }
    }

    /// Attaches a file.
    ///
    /// # Errors
    /// When the meeting is over or has too many files, or the file holds a key.
    pub(crate) async fn attach(&self, name: &str, content: Vec<u8>) -> Result<FileRecord, CliError> {
        match self {
            Self::Here(app, handle) => {
                let (here, id, name) = (app.clone(), handle.id().clone(), name.to_owned());
                let most = content.len() as u64;
                let action =
                    async move { here.attach_content(&Principal::owner(), &id, &name, &content, most).await };
                app.perform_here(UseCase::AttachFile, Some(handle.id().clone()), action).await
            }
            Self::Server(meeting) => meeting.attach(name, content).await,
        }
    }

    /// Carries out a command; the returned sequence number is durable.
    pub(crate) async fn send(&self, command: Command) -> Result<u64, CliError> {
        match self {
            Self::Here(app, handle) => app.command_here(handle.id(), command).await,
            Self::Server(meeting) => meeting.send(command).await,
        }
    }

    /// Starts the loop of the meeting here, if it is to run in this process.
    pub(crate) async fn open(self) -> Result<Self, CliError> {
        match self {
            Self::Here(app, handle) => {
                let handle = app.meeting(handle.id()).await?;
                Ok(Self::Here(app, handle))
            }
            server @ Self::Server(_) => Ok(server),
        }
    }

    /// Subscribes: every event after `after`, then live; with `fragments`, also answers while they are
    /// generated.
    pub(crate) async fn subscribe(&self, after: u64, fragments: bool) -> Result<Events, CliError> {
        match self {
            Self::Here(_, handle) => Ok(Events::Here(handle.subscribe(after, fragments).await?)),
            Self::Server(meeting) => Ok(Events::Server(Box::new(meeting.subscribe(after, fragments).await?))),
        }
    }

    /// Releases the meeting. Its calls in this process then stop.
    pub(crate) fn unload(self) {
        if let Self::Here(app, handle) = self {
            app.unload(handle.id());
        }
    }
}

/// A subscription to a meeting.
pub(crate) enum Events {
    /// From this process.
    Here(Subscription),
    /// From a server.
    Server(Box<RemoteEvents>),
}

impl Events {
    /// The next notice; `None` when the meeting is over, or stops here, and everything was handed out.
    pub(crate) async fn next(&mut self) -> Result<Option<MeetingNotice>, CliError> {
        let heard = match self {
            Self::Server(heard) => return heard.next().await,
            Self::Here(heard) => heard.next().await?,
        };
        Ok(heard.map(|notice| match notice {
            Notice::Event(record) => MeetingNotice::Event(record),
            Notice::Fragment(fragment) => MeetingNotice::Fragment(fragment),
            Notice::Lagged => MeetingNotice::Lagged,
            Notice::Problem(error) => {
                let error = CliError::from(error).at_terminal(crate::language::current());
                MeetingNotice::Problem(with_database(&error.line()))
            }
        }))
    }
}

/// Whether the error is a refusal, so that nothing has changed.
pub(crate) fn is_refusal(error: &CliError) -> bool {
    error.refusal().is_some() || matches!(error.kind(), ErrorKind::MeetingState | ErrorKind::Validation)
}
