//! Follows a meeting to its end or its pause, and passes on what the person at the terminal wants.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Write};
use std::time::Duration;

use quorate_core::{Command, EventBody, Rest};
use quorate_engine::{Engine, EngineError, MeetingHandle, Notice, Subscription};
use tokio::sync::mpsc;

use super::view::View;
use crate::error::CliError;

/// How long leaving at once may take, when the journal is slow.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The person at this terminal.
pub(crate) const OWNER: &str = "user:owner";

/// How following a meeting ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The meeting is over.
    Finished,
    /// It rests, and can be resumed.
    Paused,
    /// It was left at once; it can be resumed.
    Stopped,
}

/// One sitting in front of a meeting.
pub(crate) struct Session {
    handle: MeetingHandle,
    view: View,
    json: bool,
    listens: bool,
    pause_requested: bool,
}

/// What a person did.
enum Input {
    Line(String),
    Interrupt,
    Terminate,
}

impl Session {
    /// `json` prints events on stdout instead of the live view; `listens` reads lines from stdin.
    pub(crate) fn new(handle: MeetingHandle, view: View, json: bool, listens: bool) -> Self {
        Self { handle, view, json, listens, pause_requested: false }
    }

    /// Shows everything that is heard, until the meeting is over or rests, or is left.
    pub(crate) async fn follow(
        mut self,
        engine: &Engine,
        mut heard: Subscription,
    ) -> Result<Ending, CliError> {
        let mut inputs = inputs(self.listens);
        let mut tick = tokio::time::interval(Duration::from_millis(250));
        loop {
            tokio::select! {
                notice = heard.next() => match notice? {
                    None => return Err(EngineError::Gone.into()),
                    Some(notice) => if let Some(ending) = self.hear(notice).await? {
                        return Ok(ending);
                    },
                },
                Some(input) = inputs.recv() => if let Some(ending) = self.obey(input).await {
                    self.leave(engine, heard).await;
                    return Ok(ending);
                },
                _ = tick.tick() => if !self.json { self.view.tick() },
            }
        }
    }

    /// Lets go of the meeting. What was on its way into the log by then is still printed, so that
    /// what was printed and what is printed after a resume are the whole log.
    async fn leave(self, engine: &Engine, mut heard: Subscription) {
        let Self { handle, json, .. } = self;
        engine.let_go(handle.id());
        drop(handle);
        let rest = async {
            while let Ok(Some(notice)) = heard.next().await {
                if let (Notice::Event(record), true) = (notice, json)
                    && print_line(&record.line).is_err()
                {
                    return;
                }
            }
        };
        _ = tokio::time::timeout(LAST_WORDS, rest).await;
    }

    async fn hear(&mut self, notice: Notice) -> Result<Option<Ending>, CliError> {
        match notice {
            Notice::Event(record) => {
                let event = &record.event;
                let shown = match self.json {
                    true => {
                        self.view.follow(event);
                        print_line(&record.line)
                    }
                    false => {
                        self.view.event(event);
                        Ok(())
                    }
                };
                if shown.is_err() {
                    // Nobody reads any more: rest, so that nothing is spent unseen.
                    _ = self.pause(true).await;
                    return Ok(Some(Ending::Paused));
                }
                Ok(match event.body {
                    EventBody::Finished { .. } => Some(Ending::Finished),
                    EventBody::Pause { .. } => self.still_paused().await.then_some(Ending::Paused),
                    _ => None,
                })
            }
            Notice::Fragment(fragment) => {
                if !self.json {
                    self.view.fragment(&fragment);
                }
                Ok(None)
            }
            Notice::Trouble(error) => {
                let hint = error.hint();
                self.view.note(&format!("{error} — {hint}"));
                Ok(None)
            }
        }
    }

    /// A pause that is read from the log may long be over.
    async fn still_paused(&self) -> bool {
        match self.handle.look().await {
            Ok(meeting) => matches!(meeting.rest, Rest::Paused { .. }),
            Err(_) => true,
        }
    }

    async fn obey(&mut self, input: Input) -> Option<Ending> {
        match input {
            Input::Interrupt if self.pause_requested => Some(Ending::Stopped),
            Input::Interrupt => {
                self.pause_requested = true;
                let language = self.view.language();
                self.view.note(match language {
                    quorate_core::Language::Zh => "当前发言结束后暂停；再按一次 Ctrl-C 立即停止，什么都不会丢。",
                    quorate_core::Language::En => "pausing after the current speaker; press Ctrl-C again to stop at once, nothing is lost",
                });
                self.pause(false).await
            }
            Input::Terminate => self.pause(true).await,
            Input::Line(line) => {
                let line = line.trim();
                if !line.is_empty() {
                    self.line(line).await;
                }
                None
            }
        }
    }

    /// What was typed: a command that begins with `/`, or words for the table.
    async fn line(&mut self, line: &str) {
        let by = OWNER.to_owned();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim().to_owned();
        let wish = match word {
            "/pause" => {
                self.pause_requested = true;
                Command::Pause { by, at_once: false }
            }
            "/end" => Command::End { by, note: rest },
            "/next" => {
                Command::RequestSpeaker { by, participant: rest.trim_start_matches(['@', '＠']).to_owned() }
            }
            word if word.starts_with('/') && !word[1..].contains('/') => {
                return self.view.note(match self.view.language() {
                    quorate_core::Language::Zh => {
                        "可用的命令：/pause 暂停，/end 结束，/next 名字 请某人发言；其他文字作为插话。"
                    }
                    quorate_core::Language::En => {
                        "commands: /pause, /end, /next NAME; anything else is said to the table"
                    }
                });
            }
            _ => Command::Say { by, content: line.to_owned() },
        };
        if let Err(error) = self.handle.wish(wish).await {
            self.view.note(&format!("{error} — {}", error.hint()));
        }
    }

    /// Asks for a pause. A meeting that is already over, or rests, needs none.
    async fn pause(&mut self, at_once: bool) -> Option<Ending> {
        let wish = Command::Pause { by: OWNER.to_owned(), at_once };
        match self.handle.wish(wish).await {
            Ok(_) => None,
            Err(EngineError::Refused(_)) => None,
            Err(_) => Some(Ending::Stopped),
        }
    }
}

/// Goes on with a meeting that rests, begins one that has not begun.
pub(crate) async fn set_going(handle: &MeetingHandle) -> Result<(), CliError> {
    let meeting = handle.look().await?;
    let by = OWNER.to_owned();
    match (&meeting.phase, &meeting.rest) {
        (quorate_core::Phase::Draft, _) => _ = handle.wish(Command::Start { by }).await?,
        (_, Rest::Running) => {}
        (_, Rest::PauseRequested { .. } | Rest::Paused { .. }) => {
            let answers = BTreeMap::new();
            handle.wish(Command::Resume { by, token: None, answers, take_defaults: true }).await?;
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

/// Lines from stdin, and signals.
fn inputs(listens: bool) -> mpsc::Receiver<Input> {
    let (sender, inputs) = mpsc::channel(16);
    if listens {
        let lines = sender.clone();
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { return };
                if lines.blocking_send(Input::Line(line)).is_err() {
                    return;
                }
            }
        });
    }
    #[cfg(unix)]
    {
        use tokio::signal::unix::SignalKind;
        heed(SignalKind::interrupt(), || Input::Interrupt, sender.clone());
        heed(SignalKind::terminate(), || Input::Terminate, sender);
    }
    #[cfg(not(unix))]
    tokio::spawn(async move {
        while tokio::signal::ctrl_c().await.is_ok() {
            if sender.send(Input::Interrupt).await.is_err() {
                return;
            }
        }
    });
    inputs
}

/// From now on this signal no longer ends the process, but is heard. It is caught before the first
/// event is shown, so that whoever answers what it sees is understood.
#[cfg(unix)]
fn heed(kind: tokio::signal::unix::SignalKind, input: fn() -> Input, heard: mpsc::Sender<Input>) {
    let Ok(mut signals) = tokio::signal::unix::signal(kind) else { return };
    tokio::spawn(async move {
        while signals.recv().await.is_some() {
            if heard.send(input()).await.is_err() {
                return;
            }
        }
    });
}

/// Whether a person sits in front of the live view.
pub(crate) fn in_terminal() -> bool {
    std::io::stderr().is_terminal()
}
