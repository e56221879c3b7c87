//! Exporters: programs of the operator that turn the JSON export of a meeting into another file.
//!
//! The program reads the document from its stdin, to the end, and writes the file to its stdout. It is configured in a
//! file that the operator edits (`[exporters.NAME]`); whoever exports names it and nothing more.

use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use process_wrap::tokio::ChildWrapper;
use quorate_messages::message;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::child::{LAST_WORDS, StderrTail, listen, spawn};
use super::config::{ProcessConfig, ProcessConfigError, out_of_bounds};
use super::failure::last_of;

/// The formats of the program itself, which no exporter replaces.
const BUILT_IN: [&str; 7] = ["md", "markdown", "html", "pdf", "json", "jsonl", "files"];

/// The most characters of a name, of an ending and of a title.
const NAME_MAX: usize = 50;
const EXTENSION_MAX: usize = 10;
const TITLE_MAX: usize = 100;

/// The largest file that can be allowed, in megabytes.
const MEGABYTES_MAX: u64 = 1024;

/// The most characters of its stderr that are shown.
const SHOWN: usize = 300;

/// The environment variable that names the language of the export, `zh` or `en`.
const LANGUAGE: &str = "QUORATE_LANG";

/// One exporter: the body of `[exporters.NAME]` and its name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExporterConfig {
    /// The format that it makes; the table's key in a file.
    #[serde(skip)]
    pub name: String,
    /// The program and its arguments. No shell reads them.
    pub command: Vec<String>,
    /// The variables of our environment that it may see, beside `PATH`, `HOME` and `LANG`.
    #[serde(default)]
    pub env: Vec<String>,
    /// The working directory; a relative path is resolved from the folder of its file.
    #[serde(default)]
    pub cwd: Option<PathBuf>,
    /// The time limit of one export, 1 to 600,000 (ten minutes).
    #[serde(default = "one_minute")]
    pub timeout_ms: u64,
    /// The largest file that is taken from it, in MiB, 1 to 1024.
    #[serde(default = "sixty_four")]
    pub max_megabytes: u64,
    /// What people see in the list of formats; the name when not given.
    #[serde(default)]
    pub title: Option<String>,
    /// The ending of the file's name, without a dot; `txt` when not given.
    #[serde(default = "text_ending")]
    pub extension: String,
    /// The media type of the file.
    #[serde(default = "plain_text")]
    pub media_type: String,
}

fn one_minute() -> u64 {
    60_000
}

fn sixty_four() -> u64 {
    64
}

fn text_ending() -> String {
    "txt".to_owned()
}

fn plain_text() -> String {
    "text/plain; charset=utf-8".to_owned()
}

/// The reason why an exporter made no file.
#[derive(Debug, thiserror::Error)]
pub enum ExporterError {
    /// The configuration cannot work.
    #[error(transparent)]
    Config(#[from] ProcessConfigError),
    /// The program does not exist, or cannot be started.
    #[error("it cannot be started: {0}")]
    NotStarted(std::io::Error),
    /// It took too long, and was stopped.
    #[error("it took longer than {0:?}")]
    TooSlow(Duration),
    /// It wrote more than is taken, and was stopped.
    #[error("it wrote more than {0} MiB")]
    TooLong(u64),
    /// It failed. `said`: the end of its stderr.
    #[error("it ended with {status}{}{said}", if said.is_empty() { "" } else { ": " })]
    Failed {
        /// How it ended.
        status: ExitStatus,
        /// The end of what it wrote to its stderr.
        said: String,
    },
    /// It ended well and wrote nothing.
    #[error("it wrote nothing")]
    Empty,
}

impl ExporterConfig {
    /// The same configuration with its name and a working directory: its own, relative to the folder of the
    /// configuring file, or else that folder.
    pub fn placed(mut self, name: &str, folder: &Path) -> Self {
        name.clone_into(&mut self.name);
        self.cwd = Some(self.cwd.map_or_else(|| folder.to_owned(), |cwd| folder.join(cwd)));
        self
    }

    /// What people see in the list of formats.
    pub fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    /// Its program, as that of a process.
    pub fn process(&self) -> ProcessConfig {
        let Self { name, command, env, cwd, timeout_ms, .. } = self.clone();
        let mut process = ProcessConfig::new(name, command);
        (process.env, process.cwd, process.timeout_ms) = (env, cwd, timeout_ms);
        process
    }

    /// Refuses settings that cannot work on any machine.
    ///
    /// # Errors
    /// What is wrong, and what helps.
    pub fn check(&self) -> Result<(), ProcessConfigError> {
        let wrong = |problem, hint| Err(ProcessConfigError::of_exporter(&self.name, problem, hint));
        let is_plain =
            |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
        let name = &self.name;
        if !(1..=NAME_MAX).contains(&name.len()) || !name.chars().all(is_plain) {
            return wrong(message!("runners-exporter-name"), message!("runners-exporter-name-hint"));
        }
        if BUILT_IN.contains(&name.as_str()) {
            return wrong(message!("runners-exporter-name-taken"), message!("runners-exporter-name-hint"));
        }
        if !(1..=600_000).contains(&self.timeout_ms) {
            let (problem, hint) = out_of_bounds("timeout_ms", 1, 600_000);
            return wrong(problem, hint);
        }
        if !(1..=MEGABYTES_MAX).contains(&self.max_megabytes) {
            let (problem, hint) = out_of_bounds("max_megabytes", 1, MEGABYTES_MAX);
            return wrong(problem, hint);
        }
        let ending = &self.extension;
        if !(1..=EXTENSION_MAX).contains(&ending.len())
            || !ending.chars().all(|letter| letter.is_ascii_alphanumeric())
        {
            return wrong(
                message!("runners-exporter-extension"),
                message!("runners-exporter-extension-hint"),
            );
        }
        let is_type = |text: &str| {
            let visible = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
            visible
                && text.len() <= TITLE_MAX
                && text.split_once('/').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        };
        if !is_type(&self.media_type) {
            return wrong(
                message!("runners-exporter-media-type"),
                message!("runners-exporter-media-type-hint"),
            );
        }
        let is_title = |text: &String| {
            (1..=TITLE_MAX).contains(&text.chars().count()) && !text.chars().any(char::is_control)
        };
        if !self.title.iter().all(is_title) {
            return wrong(message!("runners-exporter-title"), message!("runners-exporter-title-hint"));
        }
        self.process().check().map_err(|error| error.in_exporters())
    }

    /// Makes the file from the document. It is given no more time than `most`. Dropping the future kills the program and
    /// everything that it has started.
    ///
    /// # Errors
    /// When there is no file.
    pub async fn export(
        &self,
        document: Vec<u8>,
        language: &str,
        most: Option<Duration>,
    ) -> Result<Vec<u8>, ExporterError> {
        self.check()?;
        let process = self.process();
        let limit = process.timeout().min(most.unwrap_or(Duration::MAX));
        let mut group = Group(spawn(&process, &[(LANGUAGE, language)]).map_err(ExporterError::NotStarted)?);
        let broken = || ExporterError::NotStarted(std::io::ErrorKind::BrokenPipe.into());
        let mut stdin = group.0.stdin().take().ok_or_else(broken)?;
        let stdout = group.0.stdout().take().ok_or_else(broken)?;
        let stderr = group.0.stderr().take().ok_or_else(broken)?;
        let tail = StderrTail::default();
        let listener = tokio::spawn(listen(stderr, tail.clone()));
        let bytes_max = self.max_megabytes << 20;
        let talk = async {
            let give = async {
                // A program that does not read to the end says why by how it ends.
                _ = stdin.write_all(&document).await;
                _ = stdin.shutdown().await;
                drop(stdin);
            };
            let ((), file) = tokio::join!(give, read(stdout, bytes_max));
            let file = file.ok_or(ExporterError::TooLong(self.max_megabytes))?;
            let status = group.0.inner_mut().wait().await.map_err(ExporterError::NotStarted)?;
            Ok((file, status))
        };
        let talked = timeout(limit, talk).await.unwrap_or(Err(ExporterError::TooSlow(limit)));
        // What it has started and left behind goes with it.
        drop(group);
        _ = timeout(LAST_WORDS, listener).await;
        let (file, status) = talked?;
        if !status.success() {
            let said = process.secrets().redact_quotes(tail.text());
            return Err(ExporterError::Failed { status, said: last_of(&said, SHOWN) });
        }
        if file.is_empty() { Err(ExporterError::Empty) } else { Ok(file) }
    }
}

/// A program with everything that it has started, killed as one when this is dropped.
struct Group(Box<dyn ChildWrapper>);

impl Drop for Group {
    fn drop(&mut self) {
        // A group that has ended needs no signal.
        _ = self.0.start_kill();
    }
}

/// Reads to the end; `None` when there is more than `most`.
async fn read(from: impl AsyncRead + Unpin, most: u64) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let read = from.take(most + 1).read_to_end(&mut file).await;
    (read.is_ok() && file.len() as u64 <= most).then_some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exporter(script: &str) -> ExporterConfig {
        let table = serde_json::json!({ "command": ["sh", "-c", script], "timeout_ms": 5000 });
        let config: ExporterConfig = serde_json::from_value(table).expect("a table");
        config.placed("words", Path::new("/tmp"))
    }

    #[tokio::test]
    async fn a_program_makes_a_file_of_the_document() {
        let made =
            exporter("tr a-z A-Z; echo $QUORATE_LANG").export(b"a meeting\n".to_vec(), "zh", None).await;
        assert_eq!(made.expect("a file"), b"A MEETING\nzh\n");
        // More than any pipe holds, either way.
        let large = vec![b'x'; 4 << 20];
        assert_eq!(exporter("cat").export(large.clone(), "en", None).await.expect("a file"), large);
        let unread = exporter("echo short").export(large, "en", None).await;
        assert_eq!(unread.expect("it need not read"), b"short\n");
    }

    #[tokio::test]
    async fn what_goes_wrong_is_said_and_nothing_is_left_behind() {
        let run = async |script: &str| exporter(script).export(b"{}".to_vec(), "en", None).await;
        let failed = run("echo 'no such template' >&2; exit 3").await.expect_err("it failed").to_string();
        assert!(failed.contains('3') && failed.contains("no such template"), "{failed}");
        assert!(matches!(run("cat >/dev/null").await, Err(ExporterError::Empty)));
        let mut small = exporter("yes");
        small.max_megabytes = 1;
        let long = small.export(b"{}".to_vec(), "en", None).await;
        assert!(matches!(long, Err(ExporterError::TooLong(1))), "{long:?}");
        let began = std::time::Instant::now();
        let most = Some(Duration::from_millis(200));
        let slow = exporter("sleep 60 & sleep 60").export(b"{}".to_vec(), "en", most).await;
        assert!(matches!(slow, Err(ExporterError::TooSlow(_))), "{slow:?}");
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        let mut missing = exporter("");
        missing.command = vec!["/no/such/program".to_owned()];
        let missing = missing.export(b"{}".to_vec(), "en", None).await;
        assert!(matches!(missing, Err(ExporterError::NotStarted(_))), "{missing:?}");
    }

    #[tokio::test]
    async fn it_sees_of_our_environment_what_it_is_given() {
        let seen = exporter("env").export(b"{}".to_vec(), "en", None).await.expect("a file");
        let seen = String::from_utf8(seen).expect("text");
        let names: Vec<&str> = seen.lines().filter_map(|line| Some(line.split_once('=')?.0)).collect();
        let allowed = ["PATH", "HOME", "LANG", "QUORATE_LANG", "PWD", "OLDPWD", "SHLVL", "_"];
        assert!(names.iter().all(|name| allowed.contains(name)), "{names:?}");
    }

    #[test]
    fn a_table_that_cannot_work_is_refused() {
        type Change = fn(&mut ExporterConfig);
        let changes: [(&str, Change); 11] = [
            ("name", |one| one.name = "pdf".to_owned()),
            ("name", |one| one.name = "Words".to_owned()),
            ("name", |one| one.name = "../x".to_owned()),
            ("name", |one| one.name.clear()),
            ("command", |one| one.command.clear()),
            ("timeout_ms", |one| one.timeout_ms = 0),
            ("max_megabytes", |one| one.max_megabytes = 0),
            ("extension", |one| one.extension = "a/b".to_owned()),
            ("media_type", |one| one.media_type = "text\r\nx: y".to_owned()),
            ("title", |one| one.title = Some("a\nb".to_owned())),
            ("env", |one| one.env = vec!["A=B".to_owned()]),
        ];
        assert!(exporter("cat").check().is_ok());
        for (what, change) in changes {
            let mut wrong = exporter("cat");
            change(&mut wrong);
            let error = wrong.check().expect_err(what);
            assert!(error.to_string().starts_with("exporter"), "{error}");
        }
        let unknown = serde_json::json!({ "command": ["sh"], "shell": true });
        serde_json::from_value::<ExporterConfig>(unknown).expect_err("a misspelt setting");
    }
}
