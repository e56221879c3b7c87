//! Arguments of import, search, backup and restore.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Parser;

use super::ServerArgs;

#[derive(Debug, Parser)]
#[command(
    after_help = "Each import creates new meetings, even from files that were imported before. Unfinished meetings \
    are imported as paused; resume them with quorate resume. Keys in files are not read."
)]
pub(crate) struct ImportArgs {
    /// A folder with agents/ and meetings/, or with rooms.json and room_messages/; or a meeting's file
    pub(crate) path: PathBuf,

    /// Also import the agents of agents/ into the library; taken names are skipped
    #[arg(long)]
    pub(crate) agents: bool,

    /// Print one new meeting per line as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Participants read the beginning of each text from the next turn on, agents that fetch their turns read the \
    rest, and what they take from a file is cited, like [f1#12-20].\n\n\
    Of a folder, files that .gitignore or .ignore name and hidden files are left out. Files that hold keys or \
    passwords are never attached. At most 500 files at once, 20 MiB each.\n\n\
    Example:  quorate attach last costs.csv docs/"
)]
pub(crate) struct AttachArgs {
    /// The meeting: its id, the beginning of it, or `last`
    pub(crate) id: String,

    /// Files and folders
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print each attached file as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "All words must occur. For a phrase, use quotes within quotes: '\"two writers\"'. A word of three \
    letters or more also finds longer words that begin with it. Reasoning, marks and private memory are \
    not searched. Meetings with a password are searched only when --meeting names one.\n\n\
    Example:  quorate search 收敛 --participant Ada --since 2026-01-01"
)]
pub(crate) struct SearchArgs {
    /// The words to search for, in any language
    #[arg(required = true)]
    pub(crate) words: Vec<String>,

    /// Only in this meeting: its id, the beginning of it, or `last`
    #[arg(long, value_name = "ID")]
    pub(crate) meeting: Option<String>,

    /// Only hits of this speaker or author
    #[arg(long, value_name = "NAME")]
    pub(crate) participant: Option<String>,

    /// Only hits of this kind; repeat it for several
    #[arg(long, value_parser = ["message", "minutes", "artifact", "conclusion", "topic"])]
    pub(crate) kind: Vec<String>,

    /// Only hits since this day (2026-01-31) or moment (2026-01-31T09:30:00Z)
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,

    /// Only hits up to the end of this day, or before this moment
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,

    /// The largest number of hits
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u32,

    /// Print one hit per line as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "Meetings keep running meanwhile. The copy gets its name once it is complete and verified; uploaded \
    files are stored beside it in TO.files. Without --with-key, the provider keys in the copy can only \
    be decrypted with the key file of this database: keep that file elsewhere, or use --with-key and \
    protect the copy like the keys."
)]
pub(crate) struct BackupArgs {
    /// The path of the copy, which must not exist yet
    pub(crate) to: PathBuf,

    /// Also copy the key file, which decrypts the provider keys
    #[arg(long)]
    pub(crate) with_key: bool,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) server: ServerArgs,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "The original stays as it is; stop the server that uses it first. The database on the server has to be \
    empty. All checksums are verified on both sides, and nothing is in it unless both are the same. Afterwards name it \
    with --db or QUORATE_DB. The key file is copied to this machine's data directory; other nodes need it too."
)]
pub(crate) struct MigrateArgs {
    /// The database to move: a file, or the address of another one on a server
    #[arg(long, value_name = "DATABASE")]
    pub(crate) from: OsString,

    /// The address of the empty database: postgres://USER:PASSWORD@HOST/NAME
    #[arg(long, value_name = "URL")]
    pub(crate) to: OsString,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Parser)]
#[command(
    after_help = "The backup is copied and verified before anything is replaced. With --force, the existing database \
    is kept beside it, under a name with the date; restore it with: quorate restore THAT --force"
)]
pub(crate) struct RestoreArgs {
    /// The backup, as `quorate backup` wrote it
    pub(crate) from: PathBuf,

    /// Replace the existing database, and keep it under another name
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
