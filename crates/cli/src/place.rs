//! Paths on this machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::CommandFactory;
use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};
use quorate_app::{DatabaseLocation, LocalDatabase, OpenDatabase, Sources, StoreSource, UseCase};
use quorate_messages::message;
use serde_json::Value;

use crate::args::Args;
use crate::error::CliError;

/// The paths of the database and the configuration.
pub(crate) struct Place {
    /// Where the database is.
    pub(crate) location: DatabaseLocation,
    /// Its path; of a database on a server, the one beside which this machine keeps what belongs to it.
    pub(crate) db: PathBuf,
    /// Whether the database was given on the command line or in the environment.
    named: bool,
    /// The user's configuration, whether or not there is one.
    pub(crate) config: PathBuf,
    /// The server that is asked instead, when one was named.
    pub(crate) server: Option<String>,
}

impl Place {
    /// `QUORATE_DB` and `--db` win over the platform's data directory, `QUORATE_CONFIG` over its
    /// configuration directory.
    pub(crate) fn find(db: Option<PathBuf>, server: Option<String>) -> Result<Self, CliError> {
        let home = home();
        let config = std::env::var_os("QUORATE_CONFIG").map(PathBuf::from);
        let named = db.is_some();
        let config = match (config, &home) {
            (Some(config), _) => config,
            (None, Ok(home)) => home.in_config_dir("config.toml"),
            (None, Err(_)) => PathBuf::new(),
        };
        let location = match (db, home) {
            (Some(db), home) => {
                let folder = home.map(|home| home.data_dir()).unwrap_or_default();
                DatabaseLocation::parse(db.as_os_str(), &folder)?
            }
            (None, Ok(home)) => DatabaseLocation::File(home.in_data_dir("quorate.db")),
            (None, Err(error)) => return Err(error),
        };
        if let Some(key_file) = std::env::var_os("QUORATE_KEY_FILE").filter(|path| !path.is_empty()) {
            location.take_key_file(Path::new(&key_file))?;
        }
        if named && std::env::var_os("QUORATE_DB").is_none() {
            _ = NAMED.set(quoted(Path::new(&location.to_string())));
        }
        Ok(Self { db: location.path().to_owned(), location, named, config, server })
    }

    /// Whether there is a database, as far as can be said without opening it.
    pub(crate) fn has_database(&self) -> bool {
        self.location.file().is_none_or(Path::exists)
    }

    /// Opens the database as its one writer.
    pub(crate) fn open(&self) -> Result<LocalDatabase, CliError> {
        Ok(LocalDatabase::open(&self.location)?)
    }

    /// Opens the database for reading, also while a meeting runs. An older one is migrated first.
    pub(crate) fn read(&self) -> Result<LocalDatabase, CliError> {
        self.finish_what_was_cut_off();
        Ok(LocalDatabase::read_only(&self.location)?)
    }

    /// Leaves the line in the audit log for what a command has done, with `detail`, where there is a database.
    pub(crate) async fn noted<T: Send + 'static>(
        &self,
        use_case: UseCase,
        detail: Value,
        done: Result<T, CliError>,
    ) -> Result<T, CliError> {
        match self.has_database().then(|| self.read()) {
            Some(Ok(database)) => database.perform(use_case, None, detail, async move { done }).await,
            Some(Err(_)) | None => done,
        }
    }

    /// The sources of a plan besides the command line.
    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources { store_source: self, config: &self.config }
    }

    /// Rolls back an interrupted creation of the database. A process that was killed in it leaves a rollback
    /// journal, which only a writer can undo; readers are then told the state.
    pub(crate) fn finish_what_was_cut_off(&self) {
        let Some(file) = self.location.file() else { return };
        let mut journal = file.as_os_str().to_owned();
        journal.push("-journal");
        if file.exists() && Path::new(&journal).exists() {
            // An error here shows again in the next step.
            _ = LocalDatabase::open(&self.location);
        }
    }

    /// A command of ours about this database, as one would type it.
    pub(crate) fn command(&self, words: &str) -> String {
        match self.named && std::env::var_os("QUORATE_DB").is_none() {
            true => format!("quorate {words} --db {}", quoted(Path::new(&self.location.to_string()))),
            false => format!("quorate {words}"),
        }
    }
}

/// The directories of this user.
fn home() -> Result<impl AppStrategy, CliError> {
    let name = AppStrategyArgs {
        top_level_domain: "org".to_owned(),
        author: "Quorate".to_owned(),
        app_name: "quorate".to_owned(),
    };
    choose_app_strategy(name)
        .map_err(|_| CliError::new(message!("cli-place-no-home"), message!("cli-place-no-home-hint")))
}

/// The database that a person names besides the one of the command.
///
/// # Errors
/// When it is an address that cannot be used.
pub(crate) fn located(given: &OsStr) -> Result<DatabaseLocation, CliError> {
    Ok(DatabaseLocation::parse(given, &home().map(|home| home.data_dir()).unwrap_or_default())?)
}

/// Opened when something of it is needed.
impl StoreSource for Place {
    fn is_there(&self) -> bool {
        self.has_database()
    }

    fn read(&self) -> Result<OpenDatabase, CliError> {
        Ok(Place::read(self)?.source())
    }
}

/// The database that was named on the command line, as one would type it.
static NAMED: OnceLock<String> = OnceLock::new();

/// The text with the database named in each command of ours, where it was named to this one.
pub(crate) fn with_database(text: &str) -> String {
    NAMED.get().map_or_else(|| text.to_owned(), |db| insert_database(text, db))
}

fn insert_database(text: &str, db: &str) -> String {
    let names: Vec<String> =
        Args::command().get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut parts = text.split("quorate ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let word = part.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        let is_command = names.iter().any(|name| name == word) && !part.contains("--db ");
        out.push_str(&if is_command {
            format!("quorate --db {db} {part}")
        } else {
            format!("quorate {part}")
        });
    }
    out
}

/// A path as one would type it.
pub(crate) fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    match text.contains(|c: char| c.is_whitespace() || "'\"$&;()".contains(c)) {
        true => format!("'{}'", text.replace('\'', "'\\''")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_names_the_database_where_it_speaks_of_a_command() {
        let said =
            insert_database("start quorate again; `quorate verify` says more: quorate show last", "x.db");
        assert_eq!(
            said,
            "start quorate again; `quorate --db x.db verify` says more: quorate --db x.db show last"
        );
        assert_eq!(insert_database("quorate resume m1 --db x.db", "x.db"), "quorate resume m1 --db x.db");
    }
}
