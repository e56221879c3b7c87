//! Export and import of meetings as folders of JSON files.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quorate_app::{
    AgentImportOutcome, CONTENT_MAX_BYTES, CONTENTS_MAX_BYTES, Contents, ImportResult, ImportedAgent,
    ImportedMeeting, LocalDatabase, Pace, Programs, UseCase, encoded_contents,
};
use quorate_contract::{Actor, Event};
use quorate_core::Meeting;
use quorate_messages::{Message, io_problem, message, text};
use quorate_views::folder_layouts::{FILE_MAX_BYTES, Files, FolderExport, SIGNATURES, UPLOADS, WORK};
use reqwest::Method;
use serde_json::{Value, json};

use super::run::app_over;
use super::{print, write_file};
use crate::args::ImportArgs;
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Remote, Writer};
use crate::setup::runners;

/// The names that may occur in an exported folder.
const OURS: [&str; 9] = [
    "agents",
    "meetings",
    "agents.json",
    "rooms.json",
    "room_messages",
    "messages",
    "uploads",
    WORK,
    SIGNATURES,
];
/// The folders whose files are read.
const FOLDERS: [&str; 4] = ["agents", "meetings", "room_messages", "messages"];
/// How many folders lie in each other in `uploads/`.
const UPLOADS_DEPTH: usize = 2;
/// The most files of a folder, and the most bytes of all of them.
const FILES_MAX: usize = 100_000;
const BYTES_MAX: u64 = 32 * FILE_MAX_BYTES;
/// The most bytes that a server that runs takes over at once; they grow a little on the way.
const REMOTE_MAX: usize = 24 << 20;

/// Writes a meeting into `DIR/data`, beside those that lie there, with its signed log in `signatures/`, its files in
/// `uploads/`, and what participants did beside speaking in `work/`.
pub(super) async fn export(
    store: &LocalDatabase,
    meeting: &Meeting,
    events: &[Event],
    signed_log: &Value,
    dir: Option<&Path>,
) -> Result<ExitCode, CliError> {
    let Some(dir) = dir else {
        return Err(CliError::usage(message!("cli-folders-to-stdout"), message!("cli-folders-name-out"))
            .with("field", "out"));
    };
    let data = dir.join("data");
    only_ours(dir, &["data"])?;
    only_ours(&data, &OURS)?;
    let mut there = Files::new();
    for name in ["agents.json", "rooms.json"] {
        if data.join(name).exists() {
            there.insert(name.to_owned(), read_file(&data.join(name))?);
        }
    }
    let folder = FolderExport::of(meeting, events, signed_log, &there)?;
    for name in FOLDERS.into_iter().chain([UPLOADS, SIGNATURES]) {
        make_folder(&data.join(name))?;
    }
    for (path, text) in &folder.texts {
        write_within(&data, path, text)?;
    }
    let mut present = Vec::new();
    for one in &folder.contents {
        let Some(mut content) = store.open_content(&meeting.id, &one.sha256).await? else { continue };
        let path = data.join(&one.path);
        make_folder(path.parent().unwrap_or(&data))?;
        let copied = fs::File::create(&path).and_then(|mut file| std::io::copy(&mut content, &mut file));
        copied.map_err(|error| unusable(&path, &error, message!("cli-choose-folder")))?;
        present.push(one);
    }
    if let Some((path, sums)) = folder.checksums(present) {
        write_within(&data, &path, &sums)?;
    }
    print(&data.display().to_string());
    Ok(ExitCode::SUCCESS)
}

fn make_folder(folder: &Path) -> Result<(), CliError> {
    fs::create_dir_all(folder).map_err(|error| unusable(folder, &error, message!("cli-choose-folder")))
}

/// Writes a file of a folder, below it.
fn write_within(folder: &Path, path: &str, text: &str) -> Result<(), CliError> {
    let path = folder.join(path);
    make_folder(path.parent().unwrap_or(folder))?;
    write_file(&path, text)
}

/// A folder that holds something else is not ours to write into.
fn only_ours(folder: &Path, ours: &[&str]) -> Result<(), CliError> {
    let Ok(entries) = fs::read_dir(folder) else {
        return match folder.exists() {
            true => Err(CliError::usage(
                message!("cli-folders-no-folder", path = %folder.display()),
                message!("cli-folders-another-out"),
            )),
            false => Ok(()),
        };
    };
    for entry in entries.flatten() {
        if !ours.iter().any(|name| entry.file_name() == *name) {
            return Err(CliError::usage(
                message!(
                    "cli-folders-not-ours",
                    path = %folder.display(),
                    name = %entry.file_name().display()
                ),
                message!("cli-folders-not-ours-hint"),
            )
            .with("field", "out"));
        }
    }
    Ok(())
}

/// The target of an import.
enum Importer {
    Here(LocalDatabase),
    Server(Remote),
}

/// Takes over every meeting that a folder or a file holds, or none of them.
pub(crate) async fn import(place: &Place, args: ImportArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let (files, contents) = gather(&args.path)?;
    let writer = match Remote::named(place)? {
        Some(server) => Importer::Server(server),
        None => match Writer::find(place)? {
            Writer::Here(store) => Importer::Here(store),
            Writer::Server(server, _) => Importer::Server(server),
        },
    };
    let imported = match writer {
        Importer::Here(store) => {
            let app =
                app_over(place, store, runners([], Programs::default(), None, [], Pace::Instant)?).await?;
            let (here, agents) = (app.clone(), args.agents);
            let action = async move { here.import(files, contents, agents, Actor::owner()).await };
            app.perform_here(UseCase::Import, None, action).await?
        }
        Importer::Server(server) => {
            let uploads = encoded_contents(&contents);
            let bytes = files.values().chain(uploads.values()).map(String::len).sum::<usize>();
            if bytes > REMOTE_MAX {
                return Err(CliError::usage(
                    text!(speech, "cli-folders-files-have-bytes-more-than", %bytes, remote_max = %REMOTE_MAX),
                    text!(speech, "cli-folders-import-them-several-folders-stop"),
                ));
            }
            let body = json!({ "files": files, "uploads": uploads, "agents": args.agents });
            server.ask(Method::POST, "/import", Some(&body)).await?
        }
    };
    let ImportResult { meetings, agents, agents_left } = imported;
    for meeting in meetings {
        if args.json {
            print(&serde_json::to_string(&meeting).unwrap_or_default());
            continue;
        }
        let ImportedMeeting { meeting_id, file, topic, state, notes, .. } = meeting;
        print(meeting_id.as_str());
        anstream::eprintln!("{file} {topic}");
        for note in notes {
            anstream::eprintln!("  {}", note.in_language(speech.0));
        }
        if state == "paused" {
            let command = place.command(&format!("resume {meeting_id}"));
            anstream::eprintln!("  {}{command}", text!(speech, "cli-folders-go"));
        }
    }
    agents.iter().for_each(|agent| say_agent(agent, speech));
    // Agents that the import did not ask for.
    if agents_left > 0 && !args.json {
        anstream::eprintln!("{}", text!(speech, "cli-folders-folder-also-holds-agents-agents", agents_left));
    }
    Ok(ExitCode::SUCCESS)
}

fn say_agent(agent: &ImportedAgent, speech: Speech) {
    let ImportedAgent { name, outcome, detail } = agent;
    let text = match outcome {
        AgentImportOutcome::Taken => format!("{}{name}", text!(speech, "cli-folders-library")),
        AgentImportOutcome::Known => text!(speech, "cli-folders-library-already-passed-over", %name),
        AgentImportOutcome::Refused => text!(speech, "cli-folders-not-taken-into-library", %name, %detail),
    };
    anstream::eprintln!("{text}");
}

/// The texts of a folder of either layout, of its parent, or of one file of it, and the contents in its `uploads/`.
fn gather(path: &Path) -> Result<(Files, Contents), CliError> {
    let kind =
        fs::metadata(path).map_err(|error| unusable(path, &error, message!("cli-folders-name-one")))?;
    if kind.is_file() {
        return one_file(path);
    }
    let root = root_of(path);
    Ok((gather_texts(&root)?, gather_contents(&root)?))
}

/// The folder `data` in a folder, or the folder itself.
fn root_of(path: &Path) -> PathBuf {
    let data = path.join("data");
    if data.is_dir() { data } else { path.to_owned() }
}

/// The contents of attached files. What is too large to be attached is left where it is.
fn gather_contents(root: &Path) -> Result<Contents, CliError> {
    let mut contents = Contents::new();
    let mut bytes = 0u64;
    let mut folders = vec![(UPLOADS.to_owned(), 0)];
    while let Some((name, depth)) = folders.pop() {
        let Ok(entries) = fs::read_dir(root.join(&name)) else { continue };
        for entry in entries.flatten() {
            let Some(part) = entry.file_name().to_str().map(str::to_owned) else { continue };
            let (path, below) = (entry.path(), format!("{name}/{part}"));
            // A link could lead out of the folder.
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < UPLOADS_DEPTH {
                folders.push((below, depth + 1));
            } else if kind.is_file() && contents.len() < FILES_MAX {
                let size = entry.metadata().map_or(0, |known| known.len());
                if size > CONTENT_MAX_BYTES {
                    continue;
                }
                bytes += size;
                if bytes > CONTENTS_MAX_BYTES {
                    let root = root.join(UPLOADS);
                    let problem = message!(
                        "cli-folders-too-much", path = %root.display(), files = %FILES_MAX, bytes = %CONTENTS_MAX_BYTES
                    );
                    return Err(CliError::usage(problem, message!("cli-folders-too-much-hint")));
                }
                let content = fs::read(&path)
                    .map_err(|error| unusable(&path, &error, message!("cli-folders-leave-out")))?;
                contents.insert(below, content);
            }
        }
    }
    Ok(contents)
}

/// The texts of a folder of either layout.
fn gather_texts(root: &Path) -> Result<Files, CliError> {
    let mut files = Files::new();
    let mut bytes = 0u64;
    let mut take = |name: String, path: &Path, files: &mut Files| -> Result<(), CliError> {
        let text = read_file(path)?;
        bytes += text.len() as u64;
        files.insert(name, text);
        match bytes <= BYTES_MAX && files.len() <= FILES_MAX {
            true => Ok(()),
            false => Err(CliError::usage(
                message!(
                    "cli-folders-too-much",
                    path = %root.display(),
                    files = %FILES_MAX,
                    bytes = %BYTES_MAX
                ),
                message!("cli-folders-too-much-hint"),
            )),
        }
    };
    for name in ["agents.json", "rooms.json"] {
        let file = root.join(name);
        if file.is_file() {
            take(name.to_owned(), &file, &mut files)?;
        }
    }
    for folder in FOLDERS {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { continue };
        for entry in entries.flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            if let Some(name) = name.to_str().filter(|name| name.ends_with(".json"))
                && path.is_file()
            {
                take(format!("{folder}/{name}"), &path, &mut files)?;
            }
        }
    }
    Ok(files)
}

/// A single meeting file, or `rooms.json` with the files beside it.
fn one_file(path: &Path) -> Result<(Files, Contents), CliError> {
    let text = read_file(path)?;
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("meeting.json");
    if name == "rooms.json" {
        let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let (mut files, contents) = gather(beside.unwrap_or(Path::new(".")))?;
        // An import that names rooms wants them, even when they are also there as meetings.
        files.retain(|name, _| !name.starts_with("meetings/"));
        return Ok((files, contents));
    }
    if is_log(&text) {
        let problem = message!("cli-folders-is-log", path = %path.display());
        return Err(CliError::usage(problem, message!("cli-folders-is-log-hint")));
    }
    let name = if name.ends_with(".json") { name.to_owned() } else { format!("{name}.json") };
    Ok((Files::from([(format!("meetings/{name}"), text)]), Contents::new()))
}

/// Whether a text is the log of a meeting, an event a line.
fn is_log(text: &str) -> bool {
    let first = text.lines().next().and_then(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    first.is_some_and(|first| first["seq"].is_u64() && first["type"].is_string())
}

fn read_file(path: &Path) -> Result<String, CliError> {
    let file =
        fs::File::open(path).map_err(|error| unusable(path, &error, message!("cli-folders-leave-out")))?;
    let mut bytes = Vec::new();
    let mut limited = file.take(FILE_MAX_BYTES + 1);
    limited
        .read_to_end(&mut bytes)
        .map_err(|error| unusable(path, &error, message!("cli-folders-leave-out")))?;
    if bytes.len() as u64 > FILE_MAX_BYTES {
        return Err(CliError::usage(
            message!("cli-folders-file-long", path = %path.display(), bytes = %FILE_MAX_BYTES),
            message!("views-layout-shorten"),
        )
        .with("file", path.display().to_string()));
    }
    String::from_utf8(bytes).map_err(|_| {
        let problem = message!("cli-folders-not-utf-8", path = %path.display());
        CliError::usage(problem, message!("cli-folders-save-utf-8")).with("file", path.display().to_string())
    })
}

fn unusable(path: &Path, error: &std::io::Error, hint: Message) -> CliError {
    CliError::new(message!("common-file", path = %path.display(), problem = io_problem(error)), hint)
        .with("file", path.display().to_string())
}
