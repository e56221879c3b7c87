//! What the person at the terminal types, and what other commands ask for: answers, messages, commands, keys that leave.

use quorate_contract::{Actor, Command};
use quorate_messages::text;

use super::{Ending, Session, is_refusal, plain, resume};
use crate::error::CliError;
use crate::language::Speech;
use crate::live::input::Input;
use crate::live::library_agent;
use crate::live::line::{self, LineCommand};
use crate::live::questions::{self, AnswersByKey, Asking};
use crate::live::seat::SeatPrompt;

impl Session {
    /// Shows the next question; when all are answered there is none.
    pub(super) fn ask(&mut self, mut asking: Asking) {
        let speech = Speech(self.view.language());
        if let Some(question) = asking.next() {
            let text = questions::words(question, speech, false);
            let how = text!(speech, "cli-session-enter-takes-default");
            self.view.note(&format!("{text}\n    {how}"));
        }
        self.asking = Some(asking);
    }

    /// Takes a typed line as the answer to the present question.
    pub(super) async fn answer(&mut self, mut asking: Asking, text: &str) {
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
    pub(super) async fn go_on(&mut self, mut asking: Asking, take_defaults: bool) {
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

    pub(super) async fn obey(&mut self, input: Input, desk: &mut Option<SeatPrompt>) -> Option<Ending> {
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
    async fn answers_turn(&mut self, line: &str, desk: &mut SeatPrompt) -> bool {
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
    async fn line(&mut self, line: &str, desk: &mut Option<SeatPrompt>) -> Option<Ending> {
        let meeting = match self.look().await {
            Ok(meeting) => meeting,
            Err(error) => {
                self.view.note(&plain(error, self.view.language()));
                return None;
            }
        };
        match line::read(line, &meeting, Speech(self.view.language())) {
            Err(error) => self.view.note(&plain(error, self.view.language())),
            Ok(LineCommand::Tell(text)) => self.view.note(&text),
            Ok(LineCommand::Password) => {
                let command =
                    crate::place::with_database(&format!("quorate say {} /password", self.link.id()));
                let text = text!(Speech(self.view.language()), "cli-session-password-not-typed-into-meeting");
                self.view.note(&format!("{text}{command}"));
            }
            Ok(LineCommand::Seat(command)) => match desk {
                Some(desk) => {
                    if let Some(content) = desk.carry_out(command, &mut self.view).await {
                        self.execute(Command::Say { by: Actor::owner(), content }).await;
                    }
                }
                None => self.view.note(text!(Speech(self.view.language()), "cli-seat-none")),
            },
            Ok(LineCommand::Quit) if self.manner.attends => return Some(Ending::Left),
            Ok(LineCommand::Quit) if self.at_rest => return Some(Ending::Paused),
            Ok(LineCommand::Quit) => {
                self.leaving = true;
                // Nobody else is cut off where the meeting waits for whoever leaves.
                let at_once = meeting.calls.len() == 1 && desk.as_ref().is_some_and(SeatPrompt::is_asked);
                return self.pause(at_once).await;
            }
            Ok(LineCommand::Resume) => self.execute(resume(None, AnswersByKey::new(), true)).await,
            Ok(LineCommand::Answer(key, value)) => {
                let asking = self.asking.take().or_else(|| Asking::of(&meeting, AnswersByKey::new()));
                let Some(mut asking) = asking else {
                    let given = AnswersByKey::from([(key, value.into())]);
                    self.execute(resume(None, given, false)).await;
                    return None;
                };
                asking.given.insert(key, value.into());
                match asking.missing().is_empty() {
                    true => self.go_on(asking, self.manner.stays).await,
                    false => self.ask(asking),
                }
            }
            Ok(LineCommand::Command(command)) => {
                self.execute(command).await;
            }
        }
        None
    }

    /// Carries out a request of another command of this user, and returns the text for it in the language of that one.
    pub(super) async fn asked_elsewhere(&mut self, text: &str, reader: Speech) -> Result<String, CliError> {
        let line = line::read(text, &self.look().await?, reader)?;
        if !self.manner.json {
            let speech = Speech(self.view.language());
            let from = text!(speech, "cli-session-from-another-command");
            self.view.note(&format!("{from}{text}"));
        }
        let command = match line {
            LineCommand::Tell(text) => return Ok(text),
            LineCommand::Command(command) => self.resolve_library_name(command).await,
            LineCommand::Resume => resume(None, AnswersByKey::new(), true),
            LineCommand::Answer(key, value) => resume(None, AnswersByKey::from([(key, value.into())]), false),
            LineCommand::Password | LineCommand::Quit | LineCommand::Seat(_) => {
                return Err(CliError::usage(
                    text!(reader, "cli-session-terminal-meeting", %text),
                    text!(reader, "cli-session-try-again-while-meeting-paused"),
                ));
            }
        };
        self.link.send(command).await.map(|_| String::new())
    }

    /// The command, where it names an agent of the library.
    pub(super) async fn resolve_library_name(&self, command: Command) -> Command {
        match &self.store {
            Some(store) => library_agent::resolve_library_name(store, command).await,
            None => command,
        }
    }

    pub(super) async fn execute(&mut self, command: Command) {
        let command = self.resolve_library_name(command).await;
        if let Err(error) = self.link.send(command).await {
            self.view.note(&plain(error, self.view.language()));
        }
    }

    /// Requests a pause. An ended or paused meeting needs none.
    pub(super) async fn pause(&mut self, at_once: bool) -> Option<Ending> {
        let command = Command::Pause { by: Actor::owner(), at_once };
        match self.link.send(command).await {
            Ok(_) => None,
            Err(error) if is_refusal(&error) => None,
            Err(_) => Some(Ending::Stopped),
        }
    }
}
