//! Follows a meeting to its end or its pause, and passes on the commands of the person at the terminal.

mod commands;
mod incoming;

use std::io::{IsTerminal, Write};
use std::time::Duration;

use quorate_app::{EngineError, LocalDatabase};
use quorate_contract::{Actor, Command, Language};
use quorate_core::{Meeting, RunState};
use tokio::sync::mpsc;

use super::input::{Source, inputs};
use super::link::{Events, Link, is_refusal};
use super::notice::MeetingNotice;
use super::questions::{AnswersByKey, Asking};
use super::seat::{SeatPrompt, TurnNotice};
use super::view::View;
use super::visible::TerminalUser;
use crate::control::ControlRequest;
use crate::error::CliError;
use crate::language::Speech;

/// The longest wait when leaving at once, in case the journal is slow.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The way in which following a meeting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The meeting is over.
    Finished,
    /// The meeting is paused, and can be resumed.
    Paused,
    /// The person left at once; the meeting can be resumed.
    Stopped,
    /// The person left a meeting that goes on without them.
    Left,
}

/// The way in which a person follows a meeting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionOptions {
    /// Events are printed on stdout instead of the live view.
    pub(crate) json: bool,
    /// Lines are read from stdin.
    pub(crate) listens: bool,
    /// Whether questions take their default.
    pub(crate) takes_defaults: bool,
    /// Whether a person at a terminal stays during a pause, and answers its questions.
    pub(crate) stays: bool,
    /// Whether the meeting is somebody else's: leaving does not pause it, and a pause is waited out.
    pub(crate) attends: bool,
}

/// A terminal session of a meeting.
pub(crate) struct Session {
    store: Option<LocalDatabase>,
    link: Link,
    view: View,
    manner: SessionOptions,
    /// Whether the person leaves as soon as the meeting is paused.
    leaving: bool,
    at_rest: bool,
    asking: Option<Asking>,
    /// Requests of other commands.
    asked: Option<mpsc::Receiver<ControlRequest>>,
    /// The turns of the person at the terminal, where they hold a seat.
    desk: Option<SeatPrompt>,
    user: TerminalUser,
    /// The events of which something is withheld, with the stored line where it is known.
    withheld: Vec<(u64, Option<String>)>,
}

impl Session {
    /// `store` is where agents of the library are found who are asked for by name.
    pub(crate) fn new(store: Option<LocalDatabase>, link: Link, view: View, manner: SessionOptions) -> Self {
        let (leaving, at_rest) = (false, false);
        Self {
            store,
            link,
            view,
            manner,
            leaving,
            at_rest,
            asking: None,
            asked: None,
            desk: None,
            user: TerminalUser::Owner,
            withheld: Vec::new(),
        }
    }

    /// The person at the terminal holds a seat, and answers its turns.
    pub(crate) fn sits(&mut self, desk: SeatPrompt, user: TerminalUser) {
        // The answers of a blind round that is open are shown when it is over.
        let m = self.view.meeting();
        let viewer = user.viewer(m);
        if viewer.is_blind() {
            self.withheld =
                m.said.iter().filter(|said| viewer.is_withheld(said)).map(|said| (said.seq, None)).collect();
        }
        (self.desk, self.user) = (Some(desk), user);
    }

    /// The meeting as the person at the terminal may see it.
    async fn look(&self) -> Result<Meeting, CliError> {
        self.link.look().await.map(|meeting| self.user.seen(meeting))
    }

    /// Whether the meeting goes on when this command ends.
    pub(crate) fn goes_on_alone(&self) -> bool {
        self.link.goes_on_alone()
    }

    /// Does what other commands ask for.
    pub(crate) fn listen_to(&mut self, asked: mpsc::Receiver<ControlRequest>) {
        self.asked = Some(asked);
    }

    /// Puts the questions of the pause to the person before anything else.
    pub(crate) fn ask_first(&mut self, asking: Asking) {
        self.at_rest = true;
        self.ask(asking);
    }

    /// Shows all notices until the meeting has ended or is paused, or the person leaves. Also returns the
    /// last known state of the meeting.
    pub(crate) async fn follow(mut self, mut heard: Events) -> Result<(Ending, Meeting), CliError> {
        let source = match (self.manner.listens, self.manner.stays) {
            (false, _) => Source::Nobody,
            (true, true) if self.view.open_prompt() => Source::Keys,
            (true, _) => Source::Lines,
        };
        let mut inputs = inputs(source);
        let mut asked = self.asked.take();
        let mut desk = self.desk.take();
        let mut tick = tokio::time::interval(Duration::from_millis(250));
        loop {
            tokio::select! {
                notice = heard.next() => match notice? {
                    None => return Err(EngineError::Gone.into()),
                    Some(notice) => {
                        let ending = self.hear(notice).await?;
                        desk.iter().for_each(SeatPrompt::look);
                        if let Some(ending) = ending {
                            return Ok((ending, self.view.meeting().clone()));
                        }
                    }
                },
                notice = next_turn(&mut desk) => if let Some(desk) = &mut desk {
                    desk.hear(notice, &mut self.view);
                },
                Some(input) = inputs.recv() => if let Some(ending) = self.obey(input, &mut desk).await {
                    let meeting = self.view.meeting().clone();
                    self.leave(heard).await;
                    return Ok((ending, meeting));
                },
                Some(ControlRequest { line, speech, answer }) = next(&mut asked) => {
                    _ = answer.send(self.asked_elsewhere(&line, speech).await);
                },
                _ = tick.tick() => if !self.manner.json {
                    if let Some(desk) = &mut desk {
                        desk.tick(&mut self.view);
                    }
                    self.view.tick();
                },
            }
        }
    }

    /// Leaves the meeting. Events that are being appended are still printed, so that the output before and
    /// after a resume is the whole log.
    async fn leave(self, mut heard: Events) {
        let Self { link, manner, .. } = self;
        if link.goes_on_alone() {
            return;
        }
        link.unload();
        let rest = async {
            while let Ok(Some(notice)) = heard.next().await {
                if let (MeetingNotice::Event(record), true) = (notice, manner.json)
                    && print_line(&record.line).is_err()
                {
                    return;
                }
            }
        };
        _ = tokio::time::timeout(LAST_WORDS, rest).await;
    }
}

/// The next notice about a turn; never completes where nobody holds a seat.
async fn next_turn(desk: &mut Option<SeatPrompt>) -> TurnNotice {
    match desk {
        Some(desk) => desk.next().await,
        None => std::future::pending().await,
    }
}

/// The next request of another command; never completes where there is no socket.
async fn next(asked: &mut Option<mpsc::Receiver<ControlRequest>>) -> Option<ControlRequest> {
    match asked {
        Some(asked) => asked.recv().await,
        None => std::future::pending().await,
    }
}

/// A refusal in one line.
fn plain(error: CliError, language: Language) -> String {
    crate::place::with_database(&error.at_terminal(Speech(language)).line())
}

/// The command that resumes a meeting.
pub(crate) fn resume(token: Option<String>, answers: AnswersByKey, take_defaults: bool) -> Command {
    Command::Resume { by: Actor::owner(), token, answers, take_defaults }
}

/// Resumes a paused meeting, or starts one that has not started.
pub(crate) async fn set_going(
    link: &Link,
    token: Option<String>,
    answers: AnswersByKey,
    take_defaults: bool,
) -> Result<(), CliError> {
    // A meeting that lacked only its last event may have ended as soon as it was opened; the notices say so.
    let meeting = match link.look().await {
        Ok(meeting) if !meeting.is_over() => meeting,
        Ok(_) | Err(_) => return Ok(()),
    };
    match (&meeting.phase, &meeting.run_state) {
        (quorate_core::Phase::Draft, _) => _ = link.send(Command::Start { by: Actor::owner() }).await?,
        (_, RunState::Running) if answers.is_empty() && token.is_none() => {}
        (_, state) => {
            let mut given = match state {
                RunState::Paused { reason, .. } if take_defaults => reason.unattended_answers(),
                RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => {
                    AnswersByKey::new()
                }
            };
            given.extend(answers);
            link.send(resume(token, given, take_defaults)).await?;
        }
    }
    Ok(())
}

fn print_line(line: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Whether a person is at a terminal, sees the live view and can answer.
pub(crate) fn can_be_asked() -> bool {
    in_terminal() && std::io::stdin().is_terminal()
}

/// Whether a person sees the live view.
pub(crate) fn in_terminal() -> bool {
    std::io::stderr().is_terminal()
}
