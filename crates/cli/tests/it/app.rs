//! A home in which nothing lies but what a test puts there, and the binary that runs in it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::terminal_session::TerminalSession;

/// A loopback address at which nothing listens, so that no Ollama of this machine is found.
const NOBODY: &str = "127.0.0.1:9";

/// A user's home, gone when it is dropped.
pub struct App {
    dir: tempfile::TempDir,
    variables: Vec<(String, String)>,
    unset: Vec<String>,
}

impl Drop for App {
    fn drop(&mut self) {
        quorate_test_database::keep(self.dir.path());
    }
}

impl App {
    pub fn new() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a temporary folder"),
            variables: Vec::new(),
            unset: Vec::new(),
        }
    }

    /// Sets a variable for all commands that follow.
    pub fn with(mut self, variable: &str, value: impl Into<String>) -> Self {
        self.set(variable, value);
        self
    }

    /// Sets a variable for all commands that follow.
    pub fn set(&mut self, variable: &str, value: impl Into<String>) {
        self.variables.push((variable.to_owned(), value.into()));
    }

    /// The value that a variable was set to last.
    pub fn variable(&self, variable: &str) -> String {
        let set = self.variables.iter().rev().find(|(name, _)| name == variable);
        set.map(|(_, value)| value.clone()).expect("it was set")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Takes a variable away that every home has.
    pub fn unset(&mut self, variable: &str) {
        self.unset.push(variable.to_owned());
    }

    /// Writes a file into the home, and gives its path as text.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        let folder = path.parent().expect("it lies in the home");
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&path, text))
            .expect("the home can be written");
        path.to_str().expect("temporary folders have plain names").to_owned()
    }

    /// The default path of the database.
    pub fn db(&self) -> PathBuf {
        self.path("data/quorate/quorate.db")
    }

    /// `quorate` with these arguments, in this home and with nothing of the surrounding environment.
    pub fn command(&self, args: &[&str]) -> Command {
        self.program(env!("CARGO_BIN_EXE_quorate"), args)
    }

    /// Runs a shell command to its end.
    pub fn shell(&self, typed: &str) -> Said {
        let mut command = self.program("sh", &["-c", typed]);
        let folder = Path::new(env!("CARGO_BIN_EXE_quorate")).parent().expect("it lies in a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", folder.display())).stdin(Stdio::null());
        TerminalSession::of(command, &[typed]).end()
    }

    fn program(&self, name: &str, args: &[&str]) -> Command {
        let mut command = Command::new(name);
        command
            .args(args)
            .current_dir(self.dir.path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.path())
            .env("XDG_DATA_HOME", self.path("data"))
            .env("XDG_CONFIG_HOME", self.path("config"))
            .env("XDG_STATE_HOME", self.path("state"))
            .env("XDG_CACHE_HOME", self.path("cache"))
            .env("QUORATE_LANG", "en")
            .env("OLLAMA_HOST", NOBODY)
            .envs(self.variables.iter().map(|(name, value)| (name, value)));
        self.unset.iter().for_each(|variable| _ = command.env_remove(variable));
        command
    }

    /// Runs a command to its end, without input.
    pub fn quorate(&self, args: &[&str]) -> Said {
        let mut command = self.command(args);
        command.stdin(Stdio::null());
        TerminalSession::of(command, args).end()
    }

    /// Runs a command to its end that reads this from standard input.
    pub fn quorate_reading(&self, args: &[&str], text: &str) -> Said {
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        let mut terminal_session = TerminalSession::of(command, args);
        terminal_session.types(text);
        terminal_session.end()
    }

    /// Starts a command whose lines can be waited for, and to which one can type.
    pub fn start(&self, args: &[&str]) -> TerminalSession {
        let mut command = self.command(args);
        command.stdin(Stdio::piped());
        TerminalSession::of(command, args)
    }

    /// The same for a command that is to outlive its terminal, as with `nohup`.
    pub fn start_outliving(&self, args: &[&str]) -> TerminalSession {
        let shell = ["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quorate")];
        let mut command = self.program("sh", &[&shell[..], args].concat());
        command.stdin(Stdio::piped());
        TerminalSession::of(command, args)
    }

    /// The files of this home, at any depth, that contain this text.
    pub fn files_with(&self, text: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        search(self.dir.path(), text.as_bytes(), &mut found);
        found
    }
}

fn search(folder: &Path, needle: &[u8], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the home") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            search(&path, needle, found);
        } else {
            let bytes = std::fs::read(&path).expect("a file of the home");
            if bytes.windows(needle.len()).any(|window| window == needle) {
                found.push(path);
            }
        }
    }
}

/// The output and the exit code of a command.
#[derive(Debug)]
pub struct Said {
    /// The arguments, for messages.
    pub args: Vec<String>,
    /// The exit code; `None` when a signal ended it.
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    /// Asserts success.
    #[track_caller]
    pub fn ok(self) -> Self {
        self.ends(0)
    }

    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{self}");
        self
    }

    /// Asserts failure: with this exit code, a message that contains each of these words, and a hint; and
    /// without output on stdout.
    #[track_caller]
    pub fn fails(self, code: i32, words: &[&str]) -> Self {
        if self.args.iter().any(|arg| arg == "--json") {
            return self.fails_in_json(code, words);
        }
        let this = self.ends(code).says(words);
        assert!(this.err.contains("error: ") && this.err.contains(" hint: "), "an error and a hint: {this}");
        assert!(!this.err.contains("panicked"), "{this}");
        assert_eq!(this.out, "", "errors go to stderr alone: {this}");
        this
    }

    /// The same for programs: the last line of stderr is the error.
    #[track_caller]
    fn fails_in_json(self, code: i32, words: &[&str]) -> Self {
        let this = self.ends(code);
        let error = this.error();
        let said = format!("{}\n{}", text(&error["message"]), text(&error["hint"]));
        assert!(!text(&error["message"]).is_empty() && !text(&error["kind"]).is_empty(), "{this}");
        for word in words {
            assert!(said.contains(word), "no {word:?} in what was said: {this}");
        }
        assert_eq!(this.out, "", "errors go to stderr alone: {this}");
        this
    }

    /// The error that it ended with, as programs read it.
    #[track_caller]
    pub fn error(&self) -> Value {
        let last = self.err.lines().last().unwrap_or_default();
        let line: Value = serde_json::from_str(last)
            .unwrap_or_else(|error| panic!("{error}: no error for programs: {self}"));
        line["error"].clone()
    }

    /// Its stderr holds each of these.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.err.contains(word), "no {word:?} in what was said: {self}");
        }
        self
    }

    /// Its result holds all of these words.
    #[track_caller]
    pub fn says_out(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.out.contains(word), "no {word:?} in what was printed: {self}");
        }
        self
    }

    pub fn lines(&self) -> Vec<&str> {
        self.out.lines().collect()
    }

    /// Its stdout, a JSON value each line.
    #[track_caller]
    pub fn events(&self) -> Vec<Value> {
        events(&self.out)
    }

    /// Its stdout as one JSON value.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self}"))
    }
}

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (args, code) = (self.args.join(" "), self.code);
        write!(f, "\n$ quorate {args}\n{}\n--- stderr\n{}\n--- exit code {code:?}", self.out, self.err)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Parses lines of JSON.
#[track_caller]
pub fn events(text: &str) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(parse).collect()
}

/// The events of one type.
pub fn of_type<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// The meeting that lines belong to.
#[track_caller]
pub fn meeting_of(lines: &str) -> String {
    let first = events(lines.lines().next().expect("a line"));
    first[0]["meeting_id"].as_str().expect("every event names its meeting").to_owned()
}

/// Checks the log of an ended meeting, for any history.
#[track_caller]
pub fn check_whole(lines: &str) {
    use std::collections::BTreeSet;
    let events = events(lines);
    let seqs: Vec<u64> = events.iter().filter_map(|event| event["seq"].as_u64()).collect();
    let dense: Vec<u64> = (1..=events.len() as u64).collect();
    assert_eq!(seqs, dense, "sequence numbers are dense from 1");
    let meetings: BTreeSet<&str> = events.iter().filter_map(|event| event["meeting_id"].as_str()).collect();
    assert_eq!(meetings.len(), 1, "one log, one meeting");
    assert_eq!(events[0]["type"], "meeting_created");
    let finished: Vec<u64> = of_type(&events, "finished").iter().filter_map(|e| e["seq"].as_u64()).collect();
    assert_eq!(finished, [events.len() as u64], "the last event, and it alone, is `finished`");
    assert!(events.is_sorted_by_key(|event| event["ts_ms"].as_i64()), "time does not run backwards");

    let mut turns = BTreeSet::new();
    let mut votes = BTreeSet::new();
    let mut calls = BTreeSet::new();
    for event in &events {
        let payload = &event["payload"];
        match event["type"].as_str().expect("a type") {
            "agent_message" | "turn_skipped" | "turn_failed" => {
                assert!(turns.insert(payload["turn"].to_string()), "a turn ends once: {event}");
            }
            "vote_cast" | "vote_abstained" => {
                let vote = format!("{} {}", payload["ballot"], payload["participant"]);
                assert!(votes.insert(vote), "one vote for each voter and ballot: {event}");
            }
            "call_started" => {
                let call = format!("{} {}", payload["task"], payload["attempt"]);
                assert!(calls.insert(call), "each attempt begins once: {event}");
            }
            _ => {}
        }
    }
    let selected: BTreeSet<String> =
        of_type(&events, "speaker_selected").iter().map(|e| e["payload"]["turn"].to_string()).collect();
    assert!(turns.is_subset(&selected), "only whoever had the floor ends a turn");
}
