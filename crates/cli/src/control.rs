//! Requests of other commands to a meeting that `quorate run` or `resume` holds: lines over a socket beside
//! the database.
//!
//! A connection carries one request: a line of JSON each way. Only processes of the same user are accepted.

use std::path::{Path, PathBuf};

use quorate_contract::{Language, MeetingId};
use quorate_messages::text;
use serde::{Deserialize, Serialize};
use tokio::sync::{mpsc, oneshot};

use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;

/// The longest line that is read.
const LONGEST: usize = 100_000;

/// The request: a line as it is typed into the meeting.
#[derive(Debug, Serialize, Deserialize)]
struct Question {
    meeting: MeetingId,
    line: String,
    /// The language of whoever asks; that of this command where it is not told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    language: Option<Language>,
}

/// The response.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ControlResponse {
    /// The text to print.
    told: String,
    /// The error and its remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<(String, String)>,
}

/// A line from another command, and where its answer goes.
pub(crate) struct ControlRequest {
    pub(crate) line: String,
    /// The language in which it is answered.
    pub(crate) speech: Speech,
    pub(crate) answer: oneshot::Sender<Result<String, CliError>>,
}

/// The listening socket; removed when this is dropped.
pub(crate) struct Control {
    path: PathBuf,
    #[cfg(unix)]
    listening: tokio::task::JoinHandle<()>,
    /// Closes when all requests are answered.
    #[cfg(unix)]
    talks: mpsc::Receiver<()>,
}

/// The longest wait for sending the last response.
#[cfg(unix)]
const LAST_WORDS: std::time::Duration = std::time::Duration::from_secs(1);

impl Control {
    /// Stops listening, after the last request was answered: it may have ended the meeting.
    #[cfg_attr(not(unix), allow(unused_mut, reason = "nobody is answered there"))]
    pub(crate) async fn close(mut self) {
        #[cfg(unix)]
        {
            self.listening.abort();
            _ = tokio::time::timeout(LAST_WORDS, self.talks.recv()).await;
        }
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        #[cfg(unix)]
        self.listening.abort();
        _ = std::fs::remove_file(&self.path);
    }
}

/// Two names of one database lead to one socket.
fn path_of(db: &Path) -> PathBuf {
    let mut name = std::fs::canonicalize(db).unwrap_or_else(|_| db.to_owned()).into_os_string();
    name.push(".run");
    name.into()
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::PermissionsExt;

    use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
    use tokio::net::{UnixListener, UnixStream};

    use super::*;
    use crate::language::current;

    impl Control {
        /// Listens for requests to this meeting. Where there can be no socket (a path that is too long, a
        /// folder that is not writable) there are none.
        pub(crate) fn listen(
            db: &Path,
            meeting: &MeetingId,
        ) -> Option<(Self, mpsc::Receiver<ControlRequest>)> {
            let path = path_of(db);
            // This process holds the database: an existing socket was left by a process that was killed.
            _ = std::fs::remove_file(&path);
            let listener = UnixListener::bind(&path).ok()?;
            _ = std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600));
            let (sender, asked) = mpsc::channel(4);
            let meeting = meeting.clone();
            let (talk, talks) = mpsc::channel(1);
            let listening = tokio::spawn(async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (sender, meeting, talk) = (sender.clone(), meeting.clone(), talk.clone());
                    tokio::spawn(async move {
                        serve(stream, &meeting, &sender).await;
                        drop(talk);
                    });
                }
            });
            Some((Self { path, listening, talks }, asked))
        }
    }

    async fn serve(
        stream: UnixStream,
        meeting: &MeetingId,
        sender: &mpsc::Sender<ControlRequest>,
    ) -> Option<()> {
        let mine = stream.peer_cred().ok()?.uid() == rustix::process::getuid().as_raw();
        if !mine {
            return None;
        }
        let (read, mut write) = stream.into_split();
        let mut line = String::new();
        BufReader::new(read.take(LONGEST as u64)).read_line(&mut line).await.ok()?;
        let question: Question = serde_json::from_str(&line).ok()?;
        let speech = question.language.map_or_else(current, Speech);
        let reply = if question.meeting == *meeting {
            let (answer, answered) = oneshot::channel();
            sender.send(ControlRequest { line: question.line, speech, answer }).await.ok()?;
            match answered.await.ok()? {
                Ok(told) => ControlResponse { told, error: None },
                Err(error) => {
                    let error = error.at_terminal(speech);
                    ControlResponse {
                        told: String::new(),
                        error: Some((error.message().to_owned(), error.hint().to_owned())),
                    }
                }
            }
        } else {
            let message = text!(speech, "cli-control-another-meeting-held-there", %meeting);
            let hint = text!(speech, "cli-control-try-again-when-over-paused");
            ControlResponse { told: String::new(), error: Some((message, hint.to_owned())) }
        };
        let text = serde_json::to_string(&reply).ok()? + "\n";
        write.write_all(text.as_bytes()).await.ok()
    }

    /// Sends a line to the command that holds the database, as if it was typed there. `None` when no command
    /// holds it.
    ///
    /// # Errors
    /// When the command refused it.
    pub(crate) async fn ask(
        place: &Place,
        meeting: &MeetingId,
        line: &str,
    ) -> Result<Option<String>, CliError> {
        let Ok(mut stream) = UnixStream::connect(path_of(&place.db)).await else { return Ok(None) };
        let language = Some(current().0);
        let question = Question { meeting: meeting.clone(), line: line.to_owned(), language };
        let text = serde_json::to_string(&question).expect("a question has only text keys") + "\n";
        let gone = |_| {
            let speech = current();
            CliError::new(
                text!(speech, "cli-control-command-holds-meeting-did-not"),
                text!(speech, "cli-control-may-just-have-ended-try"),
            )
        };
        stream.write_all(text.as_bytes()).await.map_err(gone)?;
        let mut answer = String::new();
        BufReader::new(stream.take(16 * LONGEST as u64)).read_line(&mut answer).await.map_err(gone)?;
        let reply: ControlResponse =
            serde_json::from_str(&answer).map_err(|_| gone(std::io::ErrorKind::InvalidData.into()))?;
        match reply.error {
            Some((message, hint)) => {
                Err(CliError::new(message, hint).of(crate::error::ErrorKind::MeetingState))
            }
            None => Ok(Some(reply.told)),
        }
    }
}

#[cfg(unix)]
pub(crate) use unix::ask;

#[cfg(not(unix))]
impl Control {
    /// Commands of this system do not ask each other.
    pub(crate) fn listen(_: &Path, _: &MeetingId) -> Option<(Self, mpsc::Receiver<ControlRequest>)> {
        None
    }
}

#[cfg(not(unix))]
pub(crate) async fn ask(_: &Place, _: &MeetingId, _: &str) -> Result<Option<String>, CliError> {
    Ok(None)
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn whoever_asked_is_told_though_that_ended_the_meeting() {
        let folder = tempfile::tempdir().expect("a folder");
        let db = folder.path().join("quorate.db");
        let path = path_of(&db);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let asking = runtime.block_on(async {
            let (control, mut asked) = Control::listen(&db, &MeetingId::new("m")).expect("a socket");
            let asking = std::thread::spawn(move || {
                let mut stream = UnixStream::connect(path).expect("somebody listens");
                stream.write_all(b"{\"meeting\":\"m\",\"line\":\"/end\"}\n").expect("it is read");
                let mut told = String::new();
                stream.read_to_string(&mut told).expect("it is answered");
                told
            });
            let ControlRequest { answer, .. } = asked.recv().await.expect("something is asked");
            _ = answer.send(Ok("done".to_owned()));
            control.close().await;
            asking
        });
        drop(runtime);
        assert!(asking.join().expect("it does not panic").contains("done"));
    }
}
