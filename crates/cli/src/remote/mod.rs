//! A server of this user that holds the database: where it announces itself, and how a command asks it.
//!
//! While `quorate serve` runs it is the database's one writer. A command that only reads opens the file; a command
//! that changes something asks the server over its interface, as its owner.

mod announce;
mod download;
mod meeting;
mod request;

use std::path::PathBuf;
use std::time::Duration;

use quorate_app::{LocalDatabase, StoreError};
use quorate_messages::{message, text};
use serde::Deserialize;

use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;

pub(crate) use self::announce::RunningServer;
pub(crate) use self::meeting::{RemoteEvents, RemoteMeeting};
pub(crate) use self::request::{RequestBody, part};

/// The time limit for a server of this machine to answer at all.
const CONNECT: Duration = Duration::from_secs(5);

/// The time limit for a server of this machine to take a connection.
const LISTENS: Duration = Duration::from_millis(500);

/// The process that writes the database.
pub(crate) enum Writer {
    /// This process, from now on.
    Here(LocalDatabase),
    /// A server that runs already. The store beside it can be read.
    Server(Remote, LocalDatabase),
}

impl Writer {
    /// Opens the database as its writer, or finds the server that is.
    ///
    /// # Errors
    /// When it cannot be opened, or another command that is no server writes it.
    pub(crate) fn find(place: &Place) -> Result<Self, CliError> {
        // A database on a server takes several writers; the meetings of a server on this machine run there.
        if place.location.file().is_none()
            && let Some(remote) = Remote::of(place)?
            && remote.listens()
        {
            return Ok(Self::Server(remote, place.read()?));
        }
        match LocalDatabase::open(&place.location) {
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
    pub(crate) fn server(place: &Place) -> Result<Option<(Remote, LocalDatabase)>, CliError> {
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

/// The announcement of a server, in the file beside its database.
#[derive(Debug, Deserialize, serde::Serialize)]
pub(crate) struct Announcement {
    /// The id of its process.
    pub(crate) pid: u32,
    /// Its URL from this machine.
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
    /// The database beside which the server announced itself; `None` for one that was named.
    db: Option<PathBuf>,
    speech: Speech,
}

impl Remote {
    /// The server that is asked instead of the database, when one was named.
    ///
    /// # Errors
    /// When its address or its token cannot be used.
    pub(crate) fn named(place: &Place) -> Result<Option<Self>, CliError> {
        place.server.as_deref().map(Self::at).transpose()
    }

    /// The server at a URL, with the token in `QUORATE_TOKEN` or in a URL that `quorate url` prints.
    ///
    /// # Errors
    /// When the URL is invalid, or there is no token.
    fn at(address: &str) -> Result<Self, CliError> {
        let speech = crate::language::current();
        let usage = |message: String| {
            let hint = text!(speech, "cli-remote-example-quorate-token-quorate-doctor");
            CliError::usage(message, hint).with("field", "server")
        };
        let url = url::Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| usage(text!(speech, "cli-remote-no-address-server", %address)))?;
        let given = url.query_pairs().find(|(name, _)| name == "token").map(|(_, token)| token.into_owned());
        let token = given.or_else(|| std::env::var("QUORATE_TOKEN").ok()).filter(|token| !token.is_empty());
        let token = token
            .ok_or_else(|| usage(text!(speech, "cli-remote-there-no-token-quorate-token").to_owned()))?;
        let client = quorate_app::http_client().connect_timeout(CONNECT).build().map_err(no_client)?;
        let (origin, path) = (url.origin().ascii_serialization(), url.path().trim_end_matches('/'));
        Ok(Self { client, url: format!("{origin}{path}"), token, db: None, speech })
    }

    /// Its URL, without a slash at the end.
    pub(crate) fn url(&self) -> &str {
        self.url.trim_end_matches('/')
    }

    /// The server that announced itself beside the database, if there is one.
    pub(crate) fn of(place: &Place) -> Result<Option<Self>, CliError> {
        let Some(announcement) = announce::read(&place.db) else { return Ok(None) };
        let builder = match announcement.url.starts_with("https:") {
            // Its certificate is for the name that people elsewhere use. That it is ours is said by the file, which
            // only this user can write, and by the lock that it holds.
            true => {
                quorate_app::install_tls();
                reqwest::Client::builder().tls_danger_accept_invalid_certs(true)
            }
            false => quorate_app::http_client(),
        };
        let client = builder.connect_timeout(CONNECT).no_proxy().build().map_err(no_client)?;
        let Announcement { url, token, .. } = announcement;
        let (token, db) = (access_token().unwrap_or(token), Some(place.db.clone()));
        Ok(Some(Self { client, url, token, db, speech: crate::language::current() }))
    }

    /// Whether somebody listens at its address: a server that was killed leaves its announcement behind.
    fn listens(&self) -> bool {
        let Ok(url) = url::Url::parse(&self.url) else { return false };
        let addresses = url.socket_addrs(|| None).unwrap_or_default();
        addresses.iter().any(|address| std::net::TcpStream::connect_timeout(address, LISTENS).is_ok())
    }

    /// The server as it announces itself now. Its token changes with the first account, its port with a restart.
    fn refreshed(&self) -> Self {
        match self.db.as_deref().and_then(announce::read) {
            Some(Announcement { url, token, .. }) => {
                Self { url, token: access_token().unwrap_or(token), ..self.clone() }
            }
            None => self.clone(),
        }
    }
}

/// An access token in `QUORATE_TOKEN`. It is used for the server of this machine, too: whoever gives a token of less
/// rights than the owner's must not act as the owner. The same variable may hold the local token, which the
/// announcement has as it is now.
fn access_token() -> Option<String> {
    std::env::var("QUORATE_TOKEN").ok().filter(|token| token.starts_with(quorate_app::ACCESS_TOKEN_PREFIX))
}

fn no_client(error: reqwest::Error) -> CliError {
    CliError::new(message!("app-http-client", %error), message!("app-try-again"))
}

/// The server that holds the database, as it announced itself; `None` when no server does.
///
/// # Errors
/// When the database cannot be opened.
pub(crate) fn running(place: &Place) -> Result<Option<Announcement>, CliError> {
    Ok(match Remote::of(place)? {
        // A file that a killed server left behind counts for nothing: the lock is free.
        Some(_) => Writer::server(place)?.and_then(|_| announce::read(&place.db)),
        None => None,
    })
}
