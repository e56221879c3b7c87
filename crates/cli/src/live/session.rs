//! Follows a meeting to its end or its pause, and passes on the commands of the person at the terminal.

use std::io::{IsTerminal, Write};
use std::time::Duration;

use quorate_app::{EngineError, LocalDatabase};
use quorate_contract::{Actor, Command, Event, EventBody, Language, PauseReason};
use quorate_core::{Meeting, RunState, Said};
use quorate_messages::text;
use tokio::sync::mpsc;

use super::asking;
use super::asking::{Asking, Given};
use super::input::{Input, Source, inputs};
use super::line::{self, Line};
use super::link::{Events, Link, is_refusal};
use super::notice::Heard;
use super::seat::{Desk, TurnNotice};
use super::sight::{Shown, Viewer};
use super::view::View;
use crate::control::Asked;
use crate::error::CliError;
use crate::speech::Speech;

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
pub(crate) struct Manner {
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
    manner: Manner,
    /// Whether the person leaves as soon as the meeting is paused.
    leaving: bool,
    at_rest: bool,
    asking: Option<Asking>,
    /// Requests of other commands.
    asked: Option<mpsc::Receiver<Asked>>,
    /// The turns of the person at the terminal, where they hold a seat.
    desk: Option<Desk>,
    viewer: Viewer,
    /// The events of which something is withheld, with the stored line where it is known.
    withheld: Vec<(u64, Option<String>)>,
}

impl Session {
    /// `store` is where agents of the library are found who are asked for by name.
    pub(crate) fn new(store: Option<LocalDatabase>, link: Link, view: View, manner: Manner) -> Self {
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
            viewer: Viewer::Owner,
            withheld: Vec::new(),
        }
    }

    /// The person at the terminal holds a seat, and answers its turns.
    pub(crate) fn sits(&mut self, desk: Desk, viewer: Viewer) {
        // The answers of a blind round that is open are shown when it is over.
        let m = self.view.meeting();
        if let Some(blind) = viewer.blind(m) {
            let is_other = |said: &&std::sync::Arc<Said>| {
                said.round == blind.round && said.speaker.as_participant().is_some_and(|id| id != blind.seat)
            };
            self.withheld = m.said.iter().filter(is_other).map(|said| (said.seq, None)).collect();
        }
        (self.desk, self.viewer) = (Some(desk), viewer);
    }

    /// The meeting as the person at the terminal may see it.
    async fn look(&self) -> Result<Meeting, CliError> {
        self.link.look().await.map(|meeting| self.viewer.seen(meeting))
    }

    /// Whether the meeting goes on when this command ends.
    pub(crate) fn goes_on_alone(&self) -> bool {
        self.link.goes_on_alone()
    }

    /// Does what other commands ask for.
    pub(crate) fn listen_to(&mut self, asked: mpsc::Receiver<Asked>) {
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
                        desk.iter().for_each(Desk::look);
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
                Some(Asked { line, answer }) = next(&mut asked) => {
                    _ = answer.send(self.asked_elsewhere(&line).await);
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
        link.let_go();
        let rest = async {
            while let Ok(Some(notice)) = heard.next().await {
                if let (Heard::Event(record), true) = (notice, manner.json)
                    && print_line(&record.line).is_err()
                {
                    return;
                }
            }
        };
        _ = tokio::time::timeout(LAST_WORDS, rest).await;
    }

    async fn hear(&mut self, notice: Heard) -> Result<Option<Ending>, CliError> {
        match notice {
            Heard::Withheld { seq, line } => {
                self.withheld.push((seq, None));
                if self.manner.json && print_line(&line).is_err() {
                    return Ok(Some(self.output_closed().await));
                }
                Ok(None)
            }
            Heard::Event(record) => {
                let event = &record.event;
                if self.show(event, &record.line).await.is_err() {
                    return Ok(Some(self.output_closed().await));
                }
                match &event.body {
                    EventBody::Finished { .. } => Ok(Some(Ending::Finished)),
                    EventBody::Pause { pause_reason, resume_token, .. } => {
                        Ok(self.rests(*pause_reason, resume_token).await)
                    }
                    EventBody::Resume { .. } | EventBody::MeetingClosing { .. } => {
                        (self.at_rest, self.asking) = (false, None);
                        Ok(None)
                    }
                    _ => Ok(None),
                }
            }
            Heard::Fragment(fragment) => {
                let blind = self.viewer.blind(self.view.meeting());
                let may_be_seen = blind.is_none_or(|blind| blind.fragment(fragment.task));
                if !self.manner.json && may_be_seen {
                    self.view.fragment(&fragment);
                }
                Ok(None)
            }
            // The missing text comes again, and the view knows how much of it has been shown.
            Heard::Lagged => {
                self.view.forget_thinking();
                Ok(None)
            }
            Heard::Trouble(text) => {
                self.view.note(&text);
                Ok(None)
            }
        }
    }

    /// Shows an event, or what may be seen of it, and what was withheld until it came.
    async fn show(&mut self, event: &Event, line: &str) -> std::io::Result<()> {
        let was_restricted = self.viewer.is_restricted(self.view.meeting());
        let before = self.view.take_in(event);
        let meeting = self.view.meeting();
        match (self.viewer.shown(meeting, event), self.manner.json) {
            (Shown::Whole, true) => print_line(line)?,
            (Shown::Whole, false) => self.view.tell(event, &before),
            (Shown::Withheld { line: instead }, json) => {
                // What a server tells is withheld already.
                let stored = (!self.link.goes_on_alone()).then(|| line.to_owned());
                if json || matches!(event.body, EventBody::AgentMessage { .. }) {
                    self.withheld.push((event.seq, stored));
                }
                match (json, &event.body, Event::from_json(&instead)) {
                    (true, ..) => print_line(&instead)?,
                    (false, EventBody::AgentMessage { participant, .. }, _) => {
                        self.view.withheld(*participant);
                    }
                    (false, _, Ok(masked)) => self.view.tell(&masked, &before),
                    (false, _, Err(_)) => {}
                }
            }
        }
        match was_restricted && !self.viewer.is_restricted(self.view.meeting()) {
            true => self.reveal(event.seq).await,
            false => Ok(()),
        }
    }

    /// Shows what was withheld up to an event, now that it may be seen.
    async fn reveal(&mut self, until: u64) -> std::io::Result<()> {
        let mut withheld = std::mem::take(&mut self.withheld);
        // In this process, the view knows all of it.
        if self.link.goes_on_alone() && withheld.iter().any(|(_, stored)| stored.is_none()) {
            let lines = match self.link.told_up_to(until).await {
                Ok((meeting, lines)) => {
                    self.view.replace(meeting);
                    lines
                }
                Err(error) => {
                    self.view.note(&plain(error, self.view.language()));
                    return Ok(());
                }
            };
            withheld.iter_mut().for_each(|(seq, stored)| *stored = lines.get(seq).cloned());
        }
        for (seq, stored) in withheld {
            match (self.manner.json, stored) {
                (true, Some(line)) => print_line(&line)?,
                (true, None) => {}
                (false, _) => self.view.reveal(seq),
            }
        }
        Ok(())
    }

    /// The output is closed. A meeting of one's own is paused, so that it costs nothing unseen.
    async fn output_closed(&mut self) -> Ending {
        if self.manner.attends {
            return Ending::Left;
        }
        _ = self.pause(true).await;
        Ending::Paused
    }

    /// Handles a pause: answers its questions, waits for the person, or ends the session.
    async fn rests(&mut self, reason: PauseReason, token: &str) -> Option<Ending> {
        if self.manner.attends {
            if !self.manner.json {
                self.view.note(text!(Speech(self.view.language()), "cli-session-others-let-it-go-on"));
            }
            return None;
        }
        // A pause that is read from the log may long be over.
        let meeting = match self.link.look().await {
            Ok(meeting) => meeting,
            // It may have ended since; the next notice says so.
            Err(_) => return None,
        };
        match &meeting.run_state {
            RunState::Paused { token: present, .. } if present == token => {}
            RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => return None,
        }
        let asks = !matches!(reason, PauseReason::UserRequest | PauseReason::NobodyAnswered);
        if self.leaving {
            return Some(Ending::Paused);
        }
        if asks && self.manner.takes_defaults {
            let command = resume(Some(token.to_owned()), reason.unattended_answers(), true);
            return match self.link.send(command).await {
                Ok(_) => None,
                Err(error) => {
                    self.view.note(&plain(error, self.view.language()));
                    Some(Ending::Paused)
                }
            };
        }
        if !self.manner.stays {
            return Some(Ending::Paused);
        }
        self.at_rest = true;
        match Asking::of(&meeting, Given::new()) {
            Some(asking) => self.ask(asking),
            None => self
                .view
                .note(text!(Speech(self.view.language()), "cli-session-meeting-rests-speak-add-sentence")),
        }
        None
    }

    /// Shows the next question; when all are answered there is none.
    fn ask(&mut self, mut asking: Asking) {
        let speech = Speech(self.view.language());
        if let Some(question) = asking.next() {
            let text = asking::words(question, speech, false);
            let how = text!(speech, "cli-session-enter-takes-default");
            self.view.note(&format!("{text}\n    {how}"));
        }
        self.asking = Some(asking);
    }

    /// Takes a typed line as the answer to the present question.
    async fn answer(&mut self, mut asking: Asking, text: &str) {
        let speech = Speech(self.view.language());
        if let Err(problem) = asking.take(text, speech) {
            self.view.note(&problem);
            return self.ask(asking);
        }
        if asking.next().is_some() {
            return self.ask(asking);
        }
        self.go_on(asking, true).await;
    }

    /// Sends the answers; what is refused is asked again.
    async fn go_on(&mut self, mut asking: Asking, take_defaults: bool) {
        let command = resume(Some(asking.token.clone()), asking.given.clone(), take_defaults);
        match self.link.send(command).await {
            Ok(_) => self.asking = None,
            Err(error) => {
                self.view.note(&plain(error, self.view.language()));
                asking.again();
                self.ask(asking);
            }
        }
    }

    async fn obey(&mut self, input: Input, desk: &mut Option<Desk>) -> Option<Ending> {
        let input = match input {
            Input::Key(event) => self.view.key(&event)?,
            other => other,
        };
        match input {
            Input::Key(_) => None,
            #[cfg(unix)]
            Input::Continued => {
                self.view.continued();
                None
            }
            Input::Interrupt | Input::Terminate if self.manner.attends => Some(Ending::Left),
            Input::Closed if self.manner.attends && self.manner.stays => Some(Ending::Left),
            Input::Interrupt if self.at_rest => Some(Ending::Paused),
            Input::Interrupt if self.leaving => Some(Ending::Stopped),
            Input::Interrupt => {
                self.leaving = true;
                self.view.note(text!(
                    Speech(self.view.language()),
                    "cli-session-pausing-after-current-speaker-press"
                ));
                self.pause(false).await
            }
            Input::Terminate if self.at_rest => Some(Ending::Paused),
            Input::Terminate => {
                self.leaving = true;
                self.pause(true).await
            }
            // Closing a terminal's input leaves the meeting; the end of a script's input does not.
            Input::Closed if self.manner.stays && self.at_rest => Some(Ending::Paused),
            Input::Closed => {
                self.manner.stays = false;
                None
            }
            Input::Line(line) => {
                let line = line.trim();
                if let Some(desk) = desk.as_mut()
                    && self.asking.is_none()
                    && self.answers_turn(line, desk).await
                {
                    return None;
                }
                // Messages are shown when they have been stored.
                if self.asking.is_some() || line.starts_with('/') {
                    self.view.echo(line);
                }
                match self.asking.take() {
                    Some(asking) if !line.starts_with('/') => {
                        self.answer(asking, line).await;
                        None
                    }
                    asking => {
                        self.asking = asking;
                        if line.is_empty() { None } else { self.line(line, desk).await }
                    }
                }
            }
        }
    }

    /// Takes a line as the answer to the turn that is open, where it is one.
    async fn answers_turn(&mut self, line: &str, desk: &mut Desk) -> bool {
        if self.manner.json {
            let is_answer = line.starts_with('{');
            if is_answer && let Some(content) = desk.answer_of_program(line, &mut self.view).await {
                self.execute(Command::Say { by: Actor::owner(), content }).await;
            }
            return is_answer;
        }
        let answers = desk.is_asked() && !line::is_command(line);
        if answers {
            self.view.echo(line);
            desk.take(line, &mut self.view).await;
        }
        answers
    }

    /// Handles a typed line: a command that begins with `/`, or a message.
    async fn line(&mut self, line: &str, desk: &mut Option<Desk>) -> Option<Ending> {
        let meeting = match self.look().await {
            Ok(meeting) => meeting,
            Err(error) => {
                self.view.note(&plain(error, self.view.language()));
                return None;
            }
        };
        match line::read(line, &meeting) {
            Err(error) => self.view.note(&error.line()),
            Ok(Line::Tell(text)) => self.view.note(&text),
            Ok(Line::Password) => {
                let command =
                    crate::place::with_database(&format!("quorate say {} /password", self.link.id()));
                let text = text!(Speech(self.view.language()), "cli-session-password-not-typed-into-meeting");
                self.view.note(&format!("{text} {command}"));
            }
            Ok(Line::Seat(command)) => match desk {
                Some(desk) => {
                    if let Some(content) = desk.carry_out(command, &mut self.view).await {
                        self.execute(Command::Say { by: Actor::owner(), content }).await;
                    }
                }
                None => self.view.note(text!(Speech(self.view.language()), "cli-seat-none")),
            },
            Ok(Line::Quit) if self.manner.attends => return Some(Ending::Left),
            Ok(Line::Quit) if self.at_rest => return Some(Ending::Paused),
            Ok(Line::Quit) => {
                self.leaving = true;
                return self.pause(false).await;
            }
            Ok(Line::Resume) => self.execute(resume(None, Given::new(), true)).await,
            Ok(Line::Answer(key, value)) => {
                let asking = self.asking.take().or_else(|| Asking::of(&meeting, Given::new()));
                let Some(mut asking) = asking else {
                    let given = Given::from([(key, value.into())]);
                    self.execute(resume(None, given, false)).await;
                    return None;
                };
                asking.given.insert(key, value.into());
                match asking.missing().is_empty() {
                    true => self.go_on(asking, self.manner.stays).await,
                    false => self.ask(asking),
                }
            }
            Ok(Line::Command(command)) => {
                self.execute(command).await;
            }
        }
        None
    }

    /// Carries out a request of another command of this user, and returns the text for it.
    async fn asked_elsewhere(&mut self, text: &str) -> Result<String, CliError> {
        let line = line::read(text, &self.look().await?)?;
        if !self.manner.json {
            let speech = Speech(self.view.language());
            let from = text!(speech, "cli-session-from-another-command");
            self.view.note(&format!("{from} {text}"));
        }
        let command = match line {
            Line::Tell(text) => return Ok(text),
            Line::Command(command) => self.from_library(command).await,
            Line::Resume => resume(None, Given::new(), true),
            Line::Answer(key, value) => resume(None, Given::from([(key, value.into())]), false),
            Line::Password | Line::Quit | Line::Seat(_) => {
                let speech = Speech(self.view.language());
                return Err(CliError::usage(
                    text!(speech, "cli-session-terminal-meeting", %text),
                    text!(speech, "cli-session-try-again-while-meeting-rests"),
                ));
            }
        };
        self.link.send(command).await.map(|_| String::new())
    }

    /// The command, where it names an agent of the library.
    async fn from_library(&self, command: Command) -> Command {
        match &self.store {
            Some(store) => super::library::from_library(store, command).await,
            None => command,
        }
    }

    async fn execute(&mut self, command: Command) {
        let command = self.from_library(command).await;
        if let Err(error) = self.link.send(command).await {
            self.view.note(&plain(error, self.view.language()));
        }
    }

    /// Requests a pause. An ended or paused meeting needs none.
    async fn pause(&mut self, at_once: bool) -> Option<Ending> {
        let command = Command::Pause { by: Actor::owner(), at_once };
        match self.link.send(command).await {
            Ok(_) => None,
            Err(error) if is_refusal(&error) => None,
            Err(_) => Some(Ending::Stopped),
        }
    }
}

/// The next notice about a turn; never completes where nobody holds a seat.
async fn next_turn(desk: &mut Option<Desk>) -> TurnNotice {
    match desk {
        Some(desk) => desk.next().await,
        None => std::future::pending().await,
    }
}

/// The next request of another command; never completes where there is no socket.
async fn next(asked: &mut Option<mpsc::Receiver<Asked>>) -> Option<Asked> {
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
pub(crate) fn resume(token: Option<String>, answers: Given, take_defaults: bool) -> Command {
    Command::Resume { by: Actor::owner(), token, answers, take_defaults }
}

/// Resumes a paused meeting, or starts one that has not started.
pub(crate) async fn set_going(
    link: &Link,
    token: Option<String>,
    answers: Given,
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
                RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => Given::new(),
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
