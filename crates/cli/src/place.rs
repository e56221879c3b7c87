//! Paths on this machine.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use clap::CommandFactory;
use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};
use quorate_app::{LocalDatabase, OpenDatabase, Sources, StoreSource, UseCase};
use quorate_messages::message;
use serde_json::Value;

use crate::args::Args;
use crate::error::CliError;

/// The paths of the database and the configuration.
pub(crate) struct Place {
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
        let name = AppStrategyArgs {
            top_level_domain: "org".to_owned(),
            author: "Quorate".to_owned(),
            app_name: "quorate".to_owned(),
        };
        let home = choose_app_strategy(name)
            .map_err(|_| CliError::new(message!("cli-place-no-home"), message!("cli-place-no-home-hint")));
        let config = std::env::var_os("QUORATE_CONFIG").map(PathBuf::from);
        let named = db.is_some();
        if let (Some(db), None) = (&db, std::env::var_os("QUORATE_DB")) {
            _ = NAMED.set(quoted(db));
        }
        match (db, home) {
            (Some(db), Ok(home)) => {
                let config = config.unwrap_or_else(|| home.in_config_dir("config.toml"));
                Ok(Self { db, named, config, server })
            }
            (Some(db), Err(_)) => Ok(Self { db, named, config: config.unwrap_or_default(), server }),
            (None, Ok(home)) => Ok(Self {
                db: home.in_data_dir("quorate.db"),
                named,
                config: config.unwrap_or_else(|| home.in_config_dir("config.toml")),
                server,
            }),
            (None, Err(error)) => Err(error),
        }
    }

    /// Opens the database as its one writer.
    pub(crate) fn open(&self) -> Result<LocalDatabase, CliError> {
        Ok(LocalDatabase::open(&self.db)?)
    }

    /// Opens the database for reading, also while a meeting runs. An older one is migrated first.
    pub(crate) fn read(&self) -> Result<LocalDatabase, CliError> {
        self.finish_what_was_cut_off();
        Ok(LocalDatabase::read_only(&self.db)?)
    }

    /// Leaves the line in the audit log for what a command has done, with `detail`, where there is a database.
    pub(crate) async fn noted<T: Send + 'static>(
        &self,
        use_case: UseCase,
        detail: Value,
        done: Result<T, CliError>,
    ) -> Result<T, CliError> {
        match self.db.exists().then(|| self.read()) {
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
        let mut journal = self.db.as_os_str().to_owned();
        journal.push("-journal");
        if self.db.exists() && Path::new(&journal).exists() {
            // An error here shows again in the next step.
            _ = LocalDatabase::open(&self.db);
        }
    }

    /// A command of ours about this database, as one would type it.
    pub(crate) fn command(&self, words: &str) -> String {
        match self.named && std::env::var_os("QUORATE_DB").is_none() {
            true => format!("quorate {words} --db {}", quoted(&self.db)),
            false => format!("quorate {words}"),
        }
    }
}

/// Opened when something of it is needed.
impl StoreSource for Place {
    fn is_there(&self) -> bool {
        self.db.exists()
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
