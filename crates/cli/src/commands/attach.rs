//! Attaches files and folders of this machine to a meeting.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use ignore::WalkBuilder;
use quorate_app::{belongs_to_database, is_secret_name};
use quorate_contract::FileId;
use quorate_messages::{io_problem, text};
use serde_json::json;

use super::print;
use super::say::AtRest;
use crate::args::AttachArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::live::Link;
use crate::place::Place;

/// The largest file, in bytes.
const FILE_MAX: u64 = 20 << 20;
/// The most files of one command.
const FILES_MAX: usize = 500;

/// The files that were found under the given paths.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FoundFiles {
    /// Each file, and its name in the meeting: its path in the folder, or its own name.
    pub(super) files: Vec<(PathBuf, String)>,
    /// What was left out, and why, as lines for people.
    pub(super) left_out: Vec<String>,
}

/// Finds files: those named, and those of named folders, except what their ignore files name, hidden ones, what usually
/// holds keys or passwords, databases with what belongs to them, and what is too large.
///
/// # Errors
/// When a path is not there, or there are too many files.
pub(super) fn find(paths: &[PathBuf], speech: Speech) -> Result<FoundFiles, CliError> {
    let mut found = FoundFiles::default();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| {
            let detail =
                text!(speech, "common-unreadable", path = %path.display(), error = io_problem(&error));
            CliError::usage(detail, text!(speech, "cli-attach-unreadable-hint"))
        })?;
        if metadata.is_file() {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            found.files.push((path.clone(), name));
            continue;
        }
        let mut walk = WalkBuilder::new(path);
        walk.require_git(false).sort_by_file_path(Ord::cmp);
        let walk =
            walk.filter_entry(|entry| entry.depth() == 0 || !belongs_to_database(entry.path())).build();
        for entry in walk.filter_map(Result::ok) {
            let name = entry.path().strip_prefix(path).unwrap_or(entry.path());
            let name = name.to_string_lossy().replace('\\', "/");
            match entry.metadata() {
                Ok(metadata) if !metadata.is_file() => {}
                _ if is_secret_name(&name) => {
                    found.left_out.push(text!(speech, "cli-attach-left-out-secret", %name));
                }
                Ok(metadata) if metadata.len() > FILE_MAX || metadata.len() == 0 => {
                    found
                        .left_out
                        .push(text!(speech, "cli-attach-left-out-size", %name, bytes = %metadata.len()));
                }
                Ok(_) => found.files.push((entry.path().to_owned(), name)),
                Err(error) => {
                    found.left_out.push(text!(speech, "cli-attach-left-out-unreadable", %name, %error));
                }
            }
            if found.files.len() > FILES_MAX {
                let detail = text!(speech, "cli-attach-too-many", most = FILES_MAX);
                return Err(CliError::usage(detail, text!(speech, "cli-attach-too-many-hint")));
            }
        }
    }
    Ok(found)
}

/// Attaches the files. Of a folder, what holds a key is left out; of files that were named, it is an error.
pub(super) async fn attach_all(
    link: &Link,
    found: FoundFiles,
    named: &[PathBuf],
    speech: Speech,
) -> Result<Vec<(FileId, String)>, CliError> {
    let FoundFiles { files, left_out } = found;
    let all = files.len();
    let mut attached = Vec::new();
    for line in left_out {
        anstream::eprintln!("{line}");
    }
    for (place, (path, name)) in files.into_iter().enumerate() {
        if all > 20 && place % 20 == 0 && place > 0 {
            anstream::eprintln!("{}", text!(speech, "cli-attach-progress", done = place, %all));
        }
        let content = read(&path, speech)?;
        match link.attach(&name, content).await {
            Ok(record) => attached.push((record.file.id, record.file.name)),
            Err(error) if named.contains(&path) => return Err(error),
            Err(error) if error.is_usage() => {
                anstream::eprintln!("{}", text!(speech, "cli-attach-left-out", %name, why = %error.line()));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(attached)
}

fn read(path: &Path, speech: Speech) -> Result<Vec<u8>, CliError> {
    let unreadable = |error: std::io::Error| {
        let detail = text!(speech, "common-unreadable", path = %path.display(), error = io_problem(&error));
        CliError::usage(detail, text!(speech, "cli-attach-unreadable-hint"))
    };
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size == 0 || size > FILE_MAX {
        let detail = text!(speech, "cli-attach-left-out-size", name = %path.display(), bytes = %size);
        return Err(CliError::usage(detail, text!(speech, "cli-attach-size-hint", most = FILE_MAX >> 20)));
    }
    fs::read(path).map_err(unreadable)
}

/// Attaches files to a meeting, or lists those it has.
pub(crate) async fn attach(place: &Place, args: AttachArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let AttachArgs { id, paths, json } = args;
    let found = find(&paths, speech)?;
    let meeting = AtRest::open(place, &id, None, json).await?;
    let attached = attach_all(meeting.link(), found, &paths, speech).await;
    meeting.close().await;
    for (id, name) in attached? {
        match json {
            true => print(&json!({ "id": id, "name": name }).to_string()),
            false => print(&format!("{id}  {name}")),
        }
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use quorate_messages::Language;

    use super::*;

    #[test]
    fn a_folder_is_given_without_what_it_ignores_and_without_secrets() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write(".gitignore", "target/\n*.log\n");
        write("src/main.rs", "fn main() {}\n");
        write("README.md", "# It\n");
        write("target/big.bin", "x");
        write("debug.log", "x");
        write(".env", "KEY=1");
        write("tls/server.key", "k");
        write("empty.txt", "");
        let found = find(&[folder.path().to_owned()], Speech(Language::En)).expect("it is there");
        let names: Vec<_> = found.files.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["README.md", "src/main.rs"]);
        assert_eq!(found.left_out.len(), 2, "{:?}", found.left_out);
    }

    #[test]
    fn a_path_that_is_not_there_is_an_error() {
        let missing = [PathBuf::from("/nowhere/at/all")];
        let error = find(&missing, Speech(Language::En)).expect_err("there is none");
        assert!(error.is_usage());
    }
}
