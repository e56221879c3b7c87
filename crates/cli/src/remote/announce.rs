//! The announcement of a running server: a file beside the database that only this user can read.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use quorate_server::Server;
use tokio::task::JoinHandle;

use super::Announcement;
use crate::place::Place;

/// The interval of retries after the file could not be written.
const AGAIN: Duration = Duration::from_secs(15);

/// The announcement of a server; it is gone with this.
pub(crate) struct RunningServer {
    path: PathBuf,
    keeping: JoinHandle<()>,
}

impl RunningServer {
    /// Announces a server beside its database, and again when its token changes.
    /// When the file cannot be written, as on a full disk, the server runs all the same, and other commands do not
    /// find it; it is tried again until they can.
    pub(crate) fn announce(place: &Place, server: &Server) -> Self {
        let path = path_of(&place.db);
        let (url, page, mut tokens) = (server.local_url(), server.page_url(), server.local_tokens());
        let announcement = |token: String, page: String| Announcement {
            pid: std::process::id(),
            url: url.clone(),
            page,
            token,
        };
        let first = tokens.borrow_and_update().text().to_owned();
        let first = announcement(first, page);
        let mut unsaid = match write(&path, &first) {
            Ok(()) => None,
            Err(error) => {
                tracing::warn!(
                    path = %path.display(), %error,
                    "`quorate url` and other commands will not find this server: its announcement cannot be written; make \
                     room in the folder of the database, and see that this user may write there"
                );
                Some(first)
            }
        };
        let keeping = tokio::spawn({
            let (path, url, public) = (path.clone(), url.clone(), server.url());
            async move {
                loop {
                    let changed = match &unsaid {
                        Some(_) => tokio::time::timeout(AGAIN, tokens.changed()).await.ok(),
                        None => Some(tokens.changed().await),
                    };
                    if matches!(changed, Some(Err(_))) {
                        break;
                    }
                    if changed.is_some() {
                        let token = tokens.borrow_and_update().text().to_owned();
                        // A token changes when people begin to sign in: from then on it opens no page.
                        let (pid, url, page) = (std::process::id(), url.clone(), public.clone());
                        unsaid = Some(Announcement { pid, url, page, token });
                    }
                    if let Some(next) = &unsaid {
                        match write(&path, next) {
                            Ok(()) => unsaid = None,
                            Err(error) if changed.is_some() => {
                                tracing::warn!(%error, "other commands cannot be told where this server is");
                            }
                            Err(_) => {}
                        }
                    }
                }
            }
        });
        Self { path, keeping }
    }
}

impl Drop for RunningServer {
    fn drop(&mut self) {
        self.keeping.abort();
        // A leftover file is harmless: the lock is free then.
        _ = std::fs::remove_file(&self.path);
    }
}

/// The announcement beside a database; `None` when it cannot be read.
pub(super) fn read(db: &Path) -> Option<Announcement> {
    let text = std::fs::read_to_string(path_of(db)).ok()?;
    serde_json::from_str(&text).ok()
}

/// Two names of one database lead to one file.
fn path_of(db: &Path) -> PathBuf {
    let mut name = std::fs::canonicalize(db).unwrap_or_else(|_| db.to_owned()).into_os_string();
    name.push(".server");
    name.into()
}

/// Writes it completely or not at all, for this user alone.
fn write(path: &Path, announcement: &Announcement) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    // Other users cannot read a temporary file.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(serde_json::to_string(announcement)?.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
