//! The program of an MCP server: how it is started, and what it says when it cannot be used.

use std::io;
use std::process::Stdio;

use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::ToolSourceConfig;
use crate::process::child::{LAST_WORDS, StderrTail, listen};
use crate::process::failure::last_of;

/// The most characters of what a program said at last.
const SAID_MAX_CHARS: usize = 160;

/// What is known of a program while it is started.
#[derive(Default)]
pub(super) struct Program {
    tail: StderrTail,
    listener: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts the program of a source.
    pub(super) fn start(
        &mut self,
        config: &ToolSourceConfig,
    ) -> io::Result<(Child, ChildStdout, ChildStdin)> {
        let process = config.process().ok_or(io::ErrorKind::NotFound)?;
        let program = process.find_program().ok_or(io::ErrorKind::NotFound)?;
        let mut command = Command::new(program);
        command.args(&process.command[1..]).env_clear().envs(process.environment());
        if let Some(folder) = &process.cwd {
            command.current_dir(folder);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn()?;
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let stdin = child.stdin.take().ok_or_else(broken)?;
        let stdout = child.stdout.take().ok_or_else(broken)?;
        let stderr = child.stderr.take().ok_or_else(broken)?;
        self.listener = Some(tokio::spawn(listen(stderr, self.tail.clone())));
        Ok((child, stdout, stdin))
    }

    /// The end of what it wrote to its stderr: one line, without the values of variables that are secret.
    pub(super) async fn last_words(self, config: &ToolSourceConfig) -> String {
        if let Some(listener) = self.listener {
            _ = timeout(LAST_WORDS, listener).await;
        }
        let said = self.tail.text();
        let secrets = config.process().map(|process| process.secrets());
        last_of(&secrets.map_or(said.clone(), |secrets| secrets.redact(said)), SAID_MAX_CHARS)
    }
}
