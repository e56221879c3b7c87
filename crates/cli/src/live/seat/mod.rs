//! The seat of the person at this terminal: its turns are waited for, shown, answered, skipped, over.
//!
//! What is typed while a turn is open answers it: words for a turn in words, one line for each field otherwise. Nothing
//! that was typed is lost when the answer is refused.

mod programs;
mod shape;
mod show;
mod source;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use quorate_messages::text;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc};

pub(crate) use self::source::{TurnNotice, TurnReply, TurnSource};

use self::shape::{Progress, Shape};
use self::turn::Turn;
use super::seat_command::SeatCommand;
use super::view::View;
use crate::error::CliError;
use crate::language::Speech;

/// So long before its end a turn says that it will be over soon.
const SOON: Duration = Duration::from_secs(30);

/// At the end of a line: the answer goes on in the next one.
const GOES_ON: char = '\\';

/// The longest answer in words, in characters: as the interface takes it.
const WORDS_MAX: usize = 100_000;

/// The way in which a seat is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeatOptions {
    /// Turns are lines of JSON on stdout, and so are the answers on stdin.
    pub(crate) json: bool,
    /// Fields are shown once more before they are sent.
    pub(crate) confirms: bool,
}

/// A turn while it is answered.
struct OpenTurn {
    turn: Turn,
    /// The fields; none for words.
    shape: Option<Shape>,
    /// What was typed for each question.
    lines: Vec<String>,
    /// The beginning of a line that goes on.
    begun: String,
    /// All is filled in, and is sent with Enter.
    is_ready: bool,
    /// It was said that it will be over soon.
    is_warned: bool,
}

/// The turns of one seat.
pub(crate) struct SeatPrompt {
    source: TurnSource,
    manner: SeatOptions,
    notices: mpsc::Receiver<TurnNotice>,
    look: Arc<Notify>,
    open: Option<OpenTurn>,
    /// The ticket of the last answer that was taken.
    answered: Option<String>,
    /// What was typed for an answer that is asked for once more, with the kind of its turn.
    kept: Option<(String, Vec<String>)>,
    /// The words of a turn that was over before they were sent.
    missed: Option<String>,
    /// A turn was over a moment ago: the next line may have been meant for it.
    is_late: bool,
    is_lost: bool,
}

impl SeatPrompt {
    /// Begins to watch for turns.
    pub(crate) fn new(source: TurnSource, manner: SeatOptions) -> Self {
        let look = Arc::new(Notify::new());
        let notices = source.watch(Arc::clone(&look));
        Self {
            source,
            manner,
            notices,
            look,
            open: None,
            answered: None,
            kept: None,
            missed: None,
            is_late: false,
            is_lost: false,
        }
    }

    /// The next notice; never completes when there are no more.
    pub(crate) async fn next(&mut self) -> TurnNotice {
        match self.notices.recv().await {
            Some(notice) => notice,
            None => std::future::pending().await,
        }
    }

    /// Whether what is typed answers a turn, or one that was over a moment ago.
    pub(crate) fn is_asked(&self) -> bool {
        self.open.is_some() || self.is_late
    }

    /// Has an open turn looked at at once: something has happened at the meeting.
    pub(crate) fn look(&self) {
        if self.open.is_some() {
            self.look.notify_one();
        }
    }

    /// Takes what the board of turns says.
    pub(crate) fn hear(&mut self, notice: TurnNotice, view: &mut View) {
        let speech = Speech(view.language());
        if self.is_lost && !matches!(notice, TurnNotice::Lost) {
            self.is_lost = false;
        }
        match notice {
            TurnNotice::Lost => {
                self.is_lost = true;
                if !self.manner.json {
                    view.note(text!(speech, "cli-seat-lost"));
                }
            }
            TurnNotice::Closed => {
                self.close(view);
                if !self.manner.json {
                    view.note(text!(speech, "cli-seat-closed"));
                }
            }
            TurnNotice::Open(turn) => {
                // What was looked up before an answer was taken says nothing new.
                let turn = turn.filter(|turn| Some(&turn.ticket) != self.answered.as_ref());
                let same = self.open.as_ref().map(|open| &open.turn.ticket)
                    == turn.as_ref().map(|turn| &turn.ticket);
                if same {
                    return;
                }
                if let Some(open) = self.open.take() {
                    match &turn {
                        // An answer from elsewhere could not be read: the same is asked for once more.
                        Some(next) if next.problem.is_some() && next.kind == open.turn.kind => {
                            self.kept = Some((open.turn.kind, open.lines));
                        }
                        _ => self.miss(open, view),
                    }
                }
                if let Some(turn) = turn {
                    self.begin(*turn, view);
                }
            }
        }
    }

    /// A turn opens.
    fn begin(&mut self, turn: Turn, view: &mut View) {
        let shape = turn.answer_schema.as_ref().map(Shape::of);
        let kept = self.kept.take().filter(|(kind, _)| *kind == turn.kind).map(|(_, lines)| lines);
        let is_warned = turn.left() <= SOON;
        let lines = kept.unwrap_or_default();
        let is_ready = !lines.is_empty()
            && shape.as_ref().is_none_or(|shape| matches!(shape::next(shape, &lines), Progress::Whole(_)));
        if self.manner.json {
            programs::offered(&turn);
        }
        self.is_late = false;
        let open = OpenTurn { turn, shape, lines, begun: String::new(), is_ready, is_warned };
        if !self.manner.json {
            let speech = Speech(view.language());
            view.turn(&show::headline(&open.turn, speech), &show::asked(&open.turn, speech));
        }
        self.open = Some(open);
        self.ask(view);
    }

    /// Shows the question that is to be answered now.
    fn ask(&mut self, view: &mut View) {
        let Some(open) = &mut self.open else { return };
        if self.manner.json {
            return;
        }
        let speech = Speech(view.language());
        let words = || text!(speech, "cli-seat-your-words").to_owned();
        let label = match (&open.shape, open.is_ready) {
            (Some(shape), _) => match shape::next(shape, &open.lines) {
                Progress::Asks(question) => show::question(&question, speech),
                Progress::Whole(value) => {
                    open.is_ready = true;
                    view.put_plain(&show::summary(&value, &names(shape), speech));
                    text!(speech, "cli-seat-enter-sends").to_owned()
                }
            },
            (None, true) => {
                open.lines.iter().for_each(|line| view.put_plain(line));
                text!(speech, "cli-seat-enter-sends").to_owned()
            }
            (None, false) => words(),
        };
        view.note(&label);
        let short = show::headline(&open.turn, speech);
        let short = short.rsplit_once(" · ").map_or(short.as_str(), |(short, _)| short).to_owned();
        view.set_turn(Some((short, open.turn.left())));
    }

    /// A line that was typed while a turn is open.
    pub(crate) async fn take(&mut self, line: &str, view: &mut View) {
        let speech = Speech(view.language());
        let Some(open) = &mut self.open else {
            self.is_late = false;
            if !line.is_empty() {
                self.missed = Some(line.to_owned());
                view.note(&late(speech));
            }
            return;
        };
        if let Some(line) = line.strip_suffix(GOES_ON).filter(|_| open.begun.len() < WORDS_MAX) {
            open.begun.push_str(line);
            open.begun.push('\n');
            return;
        }
        let line = std::mem::take(&mut open.begun) + line;
        if open.is_ready {
            match line.trim().is_empty() {
                true => self.send(view).await,
                false => view.note(text!(speech, "cli-seat-ready")),
            }
            return;
        }
        let problem = match &open.shape {
            None => words_fault(&line),
            Some(shape) => match shape::next(shape, &open.lines) {
                Progress::Asks(question) => shape::check(&question, &line, open.lines.len()).err(),
                Progress::Whole(_) => None,
            },
        };
        if let Some(problem) = problem {
            // What was typed stays at hand: the key ↑ brings it back.
            view.note(&show::fault(&problem, speech));
            return;
        }
        open.lines.push(line);
        let is_whole = match &open.shape {
            None => true,
            Some(shape) => matches!(shape::next(shape, &open.lines), Progress::Whole(_)),
        };
        match (is_whole, open.shape.is_some() && self.manner.confirms) {
            (true, false) => {
                open.is_ready = true;
                self.send(view).await;
            }
            (true, true) | (false, _) => self.ask(view),
        }
    }

    /// Carries out a command about the turn. What comes back is to be said as a message.
    pub(crate) async fn carry_out(&mut self, command: SeatCommand, view: &mut View) -> Option<String> {
        let speech = Speech(view.language());
        if command == SeatCommand::Send {
            let words = self.missed.take();
            if words.is_none() {
                view.note(text!(speech, "cli-seat-nothing-to-send"));
            }
            return words;
        }
        let Some(open) = &mut self.open else {
            view.note(text!(speech, "cli-seat-no-turn"));
            return None;
        };
        match command {
            SeatCommand::Send => {}
            SeatCommand::Skip if !open.turn.can_skip => view.note(text!(speech, "cli-seat-may-not-skip")),
            SeatCommand::Skip => {
                let (ticket, kind) = (open.turn.ticket.clone(), "skipped".to_owned());
                self.hand_in(ticket, TurnReply::Skip, kind, view).await;
            }
            SeatCommand::Turn => {
                view.turn(&show::headline(&open.turn, speech), &show::asked(&open.turn, speech));
                self.ask(view);
            }
            SeatCommand::Undo => {
                open.begun.clear();
                open.lines.pop();
                open.is_ready = false;
                self.ask(view);
            }
        }
        None
    }

    /// Sends what is filled in.
    async fn send(&mut self, view: &mut View) {
        let Some(open) = &self.open else { return };
        let given = match &open.shape {
            None => TurnReply::Text(open.lines.join("\n").trim().to_owned()),
            Some(shape) => match shape::next(shape, &open.lines) {
                Progress::Whole(value) => TurnReply::Fields(value),
                Progress::Asks(_) => return,
            },
        };
        let (ticket, kind) = (open.turn.ticket.clone(), open.turn.kind.clone());
        self.hand_in(ticket, given, kind, view).await;
    }

    /// Hands in an answer, and says what became of it.
    async fn hand_in(&mut self, ticket: String, given: TurnReply, kind: String, view: &mut View) {
        let speech = Speech(view.language());
        match self.source.answer(&ticket, given).await {
            Ok(receipt) => {
                let open = self.open.take();
                match receipt.problem {
                    Some(problem) => {
                        self.kept = open.map(|open| (open.turn.kind, open.lines));
                        view.note(&text!(speech, "cli-seat-not-read", %problem));
                    }
                    None => {
                        view.note(match kind.as_str() {
                            "skipped" => text!(speech, "cli-seat-skipped"),
                            "blind" => text!(speech, "cli-seat-taken-blind"),
                            "vote" => text!(speech, "cli-seat-taken-vote"),
                            _ => text!(speech, "cli-seat-taken"),
                        });
                    }
                }
                self.answered = Some(ticket);
                view.set_turn(None);
                self.look.notify_one();
            }
            Err(error) if is_over(&error) => {
                if let Some(open) = self.open.take() {
                    self.miss(open, view);
                }
                self.look.notify_one();
            }
            Err(error) => {
                let line = error.at_terminal(speech).line();
                view.note(&crate::place::with_database(&line));
                if self.open.as_ref().is_some_and(|open| open.is_ready) {
                    view.note(text!(speech, "cli-seat-enter-sends-again"));
                }
            }
        }
    }

    /// A turn is over without the answer of this terminal.
    fn miss(&mut self, open: OpenTurn, view: &mut View) {
        view.set_turn(None);
        if self.manner.json {
            return programs::over(&open.turn);
        }
        let speech = Speech(view.language());
        // In a terminal, the line that is being typed belongs to it; elsewhere the next line may be on its way.
        let typed = view.take_typed();
        self.is_late = typed.is_none();
        let words = [open.words(), typed.unwrap_or_default()];
        let words: Vec<&str> =
            words.iter().map(|words| words.trim()).filter(|words| !words.is_empty()).collect();
        match words.is_empty() {
            true => view.note(text!(speech, "cli-seat-over")),
            false => {
                self.missed = Some(words.join("\n\n"));
                view.note(&late(speech));
            }
        }
    }

    /// The seat is not answered for from here any more.
    fn close(&mut self, view: &mut View) {
        self.open = None;
        view.set_turn(None);
    }

    /// Says once that a turn will be over soon.
    pub(crate) fn tick(&mut self, view: &mut View) {
        let Some(open) = self.open.as_mut().filter(|_| !self.manner.json) else { return };
        if !open.is_warned && open.turn.left() <= SOON {
            open.is_warned = true;
            let speech = Speech(view.language());
            let left = show::left(open.turn.left(), speech);
            view.note(&text!(speech, "cli-seat-soon", %left));
        }
    }

    /// An answer of a program: an object with the fields of an answer, or `None` for another line.
    pub(crate) async fn answer_of_program(&mut self, line: &str, view: &mut View) -> Option<String> {
        let open = self.open.as_ref().map(|open| open.turn.ticket.clone());
        let (ticket, given) = match programs::answer(line, open) {
            Ok(programs::ProgramMessage::Say(text)) => return Some(text),
            Ok(programs::ProgramMessage::Answer(ticket, given)) => (ticket, given),
            Err(problem) => {
                let speech = crate::language::current();
                let how = text!(speech, "cli-seat-program-how");
                programs::refused(None, "invalid", &problem.text(speech.0), how);
                return None;
            }
        };
        match self.source.answer(&ticket, given).await {
            Ok(receipt) => {
                programs::answered(&ticket, &receipt);
                if self.open.as_ref().is_some_and(|open| open.turn.ticket == ticket) {
                    self.close(view);
                }
                self.answered = Some(ticket);
                self.look.notify_one();
            }
            Err(error) => {
                let problem = error.details().get("problem").and_then(Value::as_str).map(str::to_owned);
                let problem =
                    problem.unwrap_or_else(|| json!(error.kind()).as_str().unwrap_or_default().to_owned());
                let error = error.at_terminal(crate::language::current());
                programs::refused(Some(&ticket), &problem, &error.message(), error.hint());
            }
        }
        None
    }
}

impl OpenTurn {
    /// What was filled in, as words for a message.
    fn words(&self) -> String {
        match &self.shape {
            None => (self.lines.join("\n") + &self.begun).trim().to_owned(),
            Some(shape) => match shape::next(shape, &self.lines) {
                Progress::Whole(value) => shape::words_of(&value),
                Progress::Asks(_) => {
                    let lines = self.lines.iter().map(|line| line.trim()).filter(|line| !line.is_empty());
                    lines.collect::<Vec<_>>().join("\n\n")
                }
            },
        }
    }
}

/// A turn is over, and the words for it are kept.
fn late(speech: Speech) -> String {
    format!("{} {}", text!(speech, "cli-seat-over"), text!(speech, "cli-seat-over-send"))
}

/// The names of the parts of a shape, in the order in which they are asked.
fn names(shape: &Shape) -> Vec<String> {
    match shape {
        Shape::Group { parts, .. } => parts.iter().map(|part| part.name.clone()).collect(),
        _ => Vec::new(),
    }
}

/// What is wrong with an answer in words.
fn words_fault(line: &str) -> Option<shape::Fault> {
    let length = line.trim().chars().count();
    match length {
        0 => Some(shape::Fault::Missing),
        length if length > WORDS_MAX => Some(shape::Fault::Long { most: WORDS_MAX as u64, length }),
        _ => None,
    }
}

/// Whether an answer came too late, or was the second one.
fn is_over(error: &CliError) -> bool {
    error.details().get("problem").is_some_and(|problem| problem == "turn-is-over")
}
