//! A server of this user that holds the database: where it announces itself, and how a command asks it.
//!
//! While `quorate serve` runs it is the database's one writer. A command that only reads opens the file; a command
//! that changes something asks the server over its interface, as its owner.

mod announce;
mod meeting;
mod request;

use std::time::Duration;

use quorate_store::{SqliteStore, StoreError};
use serde::Deserialize;

use crate::error::CliError;
use crate::place::Place;
use crate::speech::Speech;

pub(crate) use self::announce::RunningServer;
pub(crate) use self::meeting::{RemoteEvents, RemoteMeeting};
pub(crate) use self::request::part;

/// How long a server of this machine may take to answer at all.
const CONNECT: Duration = Duration::from_secs(5);

/// Who writes the database.
pub(crate) enum Writer {
    /// This process, from now on.
    Here(SqliteStore),
    /// A server that runs already. The store beside it can be read.
    Server(Remote, SqliteStore),
}

impl Writer {
    /// Opens the database as its writer, or finds the server that is.
    ///
    /// # Errors
    /// When it cannot be opened, or another command that is no server writes it.
    pub(crate) fn find(place: &Place) -> Result<Self, CliError> {
        match SqliteStore::open(&place.db) {
            Ok(store) => Ok(Self::Here(store)),
            Err(StoreError::InUse { path, pid }) => match Remote::of(place)? {
                Some(remote) => Ok(Self::Server(remote, place.read()?)),
                None => Err(StoreError::InUse { path, pid }.into()),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// The server that writes the database, when one does. Makes no database.
    ///
    /// # Errors
    /// When the database cannot be opened, or another command that is no server writes it.
    pub(crate) fn server(place: &Place) -> Result<Option<(Remote, SqliteStore)>, CliError> {
        if announce::read(&place.db).is_none() {
            return Ok(None);
        }
        match Self::find(place)? {
            Self::Server(remote, store) => Ok(Some((remote, store))),
            // What was left behind by one that was killed.
            Self::Here(_) => Ok(None),
        }
    }
}

/// What a server says of itself in the file beside its database.
#[derive(Debug, Deserialize, serde::Serialize)]
pub(crate) struct Announcement {
    /// Its process.
    pub(crate) pid: u32,
    /// Where this machine reaches it.
    pub(crate) url: String,
    /// The address that lets a browser in.
    pub(crate) page: String,
    /// The local token.
    pub(crate) token: String,
}

/// The server that holds the database. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Remote {
    client: reqwest::Client,
    url: String,
    token: String,
    speech: Speech,
}

impl Remote {
    /// The server that announced itself beside the database, if there is one.
    pub(crate) fn of(place: &Place) -> Result<Option<Self>, CliError> {
        let Some(announcement) = announce::read(&place.db) else { return Ok(None) };
        quorate_runners::install_tls();
        let client = reqwest::Client::builder()
            .connect_timeout(CONNECT)
            .no_proxy()
            // Its certificate is for the name that people elsewhere use. That it is ours is said by the file, which
            // only this user can write, and by the lock that it holds.
            .tls_danger_accept_invalid_certs(announcement.url.starts_with("https:"))
            .build()
            .map_err(|error| CliError::new(format!("no client can be made: {error}"), "try again"))?;
        let Announcement { url, token, .. } = announcement;
        Ok(Some(Self { client, url, token, speech: crate::speech::current() }))
    }
}

/// The server that holds the database, as it announced itself; `None` when no server does.
///
/// # Errors
/// When the database cannot be opened.
pub(crate) fn running(place: &Place) -> Result<Option<Announcement>, CliError> {
    Ok(match Remote::of(place)? {
        // What was left behind by one that was killed is no server: nobody holds the lock.
        Some(_) => Writer::server(place)?.and_then(|_| announce::read(&place.db)),
        None => None,
    })
}
