//! A program that processes content of foreign origin in a process of its own, under limits of time and memory. A crash there
//! does not affect this program, and the process is killed when the caller is gone.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// The number of bytes of its error output that are kept.
const ERROR_OUTPUT_MAX: u64 = 4 << 10;
/// The environment variables that it is given: fonts, the time zone, nothing secret.
const VARIABLES: &[&str] = &[
    "HOME",
    "LOCALAPPDATA",
    "PATH",
    "QUORATE_FONT",
    "SystemRoot",
    "TZ",
    "TZDIR",
    "USERPROFILE",
    "WINDIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_DIRS",
    "XDG_DATA_HOME",
];

/// The program: it reads its task from standard input and writes the result to standard output. It gets its limits as
/// `--seconds N --megabytes N`, and is expected to keep them by itself, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitedProgram {
    /// The path of the program.
    pub program: PathBuf,
    /// The arguments before the limits.
    pub args: Vec<OsString>,
}

/// What one process may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProcessLimits {
    /// The time limit, in seconds; at least 1.
    pub seconds: u32,
    /// The limit of address space, in MiB; at least 1.
    pub megabytes: u32,
    /// The most bytes that are taken of its output.
    pub output_bytes: u64,
}

/// What a process left behind.
#[derive(Debug)]
pub struct ProcessOutput {
    /// Its output, up to the limit.
    pub output: Vec<u8>,
    /// The beginning of its error output.
    pub errors: String,
    /// How it ended.
    pub status: ExitStatus,
}

/// Why there is no output.
#[derive(Debug)]
pub enum LimitedProgramError {
    /// The process does not start.
    NotStarted(io::Error),
    /// The time limit was reached after this many seconds, and the process was killed.
    TimedOut(u64),
    /// Its pipes cannot be read.
    Pipe(io::Error),
}

impl LimitedProgram {
    /// Runs the program on a task. Dropping the future kills the process.
    ///
    /// # Errors
    /// When it does not start, takes too long, or its pipes break.
    pub async fn run(
        &self,
        task: Vec<u8>,
        limits: ProcessLimits,
    ) -> Result<ProcessOutput, LimitedProgramError> {
        let child = self.start(limits).map_err(LimitedProgramError::NotStarted)?;
        let most = Duration::from_secs(limits.seconds.max(1).into());
        let ended = tokio::time::timeout(most, communicate(child, task, limits.output_bytes)).await;
        ended.map_err(|_| LimitedProgramError::TimedOut(most.as_secs()))?.map_err(LimitedProgramError::Pipe)
    }

    fn start(&self, limits: ProcessLimits) -> io::Result<Child> {
        let mut command = Command::new(&self.program);
        let kept = VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command
            .args(&self.args)
            .args(["--seconds", &limits.seconds.max(1).to_string()])
            .args(["--megabytes", &limits.megabytes.max(1).to_string()])
            .env_clear()
            .envs(kept)
            // Arenas and threads reserve memory that is never used.
            .env("MALLOC_ARENA_MAX", "2")
            .env("RAYON_NUM_THREADS", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        command.arg0("quorate");
        command.spawn()
    }
}

/// Hands the task over and takes what comes back, all at the same time: pipes are small.
async fn communicate(mut child: Child, task: Vec<u8>, output_bytes: u64) -> io::Result<ProcessOutput> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let give = async {
        if let Some(mut stdin) = stdin {
            // A process that does not read to the end says why by how it ends.
            _ = stdin.write_all(&task).await;
            _ = stdin.shutdown().await;
        }
    };
    let ((), output, errors) =
        tokio::join!(give, read_all(stdout, output_bytes), read_all(stderr, ERROR_OUTPUT_MAX));
    let status = child.wait().await?;
    let errors = String::from_utf8_lossy(&errors?).trim().to_owned();
    Ok(ProcessOutput { output: output?, errors, status })
}

/// Reads a stream to its end and keeps the first `most` bytes.
async fn read_all(from: Option<impl AsyncRead + Unpin>, most: u64) -> io::Result<Vec<u8>> {
    let mut read = Vec::new();
    if let Some(from) = from {
        let mut from = from.take(most);
        from.read_to_end(&mut read).await?;
        tokio::io::copy(&mut from.into_inner(), &mut tokio::io::sink()).await?;
    }
    Ok(read)
}
