//! A meeting while it runs: shown as it happens, steered by what is typed.

mod input;
mod keyboard;
mod library_agent;
mod line;
mod link;
mod lists;
mod notice;
mod prompt;
mod questions;
mod seat;
mod seat_command;
mod session;
mod stream;
mod view;
mod visible;
mod waiting;

pub(crate) use library_agent::resolve_library_name;
pub(crate) use line::{LineCommand, read as read_line};
pub(crate) use link::{Events, Link};
pub(crate) use lists::{marks, proposed};
pub(crate) use notice::MeetingNotice;
pub(crate) use questions::{AnswersByKey, Asking, written_down};
pub(crate) use seat::{SeatOptions, SeatPrompt};
pub(crate) use session::{Ending, Session, SessionOptions, can_be_asked, in_terminal, resume, set_going};
pub(crate) use view::{View, cut_to_width, terminal_width, widest_piece, wrapped};
pub(crate) use visible::{TerminalUser, keep_votes, seen_by_owner};
pub(crate) use waiting::standing;
