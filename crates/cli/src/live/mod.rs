//! A meeting while it runs: shown as it happens, steered by what is typed.

mod session;
mod stream;
mod view;

pub(crate) use session::{Ending, OWNER, Session, in_terminal, set_going};
pub(crate) use view::View;
