//! The terminal while a line of our own is typed into: keys come one by one, and are not shown by the terminal.

use std::io::Write;

/// Holds the terminal; when it is dropped, the terminal is as it was.
pub(crate) struct Keyboard {
    #[cfg(unix)]
    before: rustix::termios::Termios,
}

/// Switches on bracketed paste, so that pasted text arrives as one input.
const PASTE_ON: &str = "\x1b[?2004h";
const PASTE_OFF: &str = "\x1b[?2004l";

impl Keyboard {
    /// Takes the terminal that stdin is.
    #[cfg(unix)]
    pub(crate) fn take() -> Option<Self> {
        let this = Self { before: rustix::termios::tcgetattr(std::io::stdin()).ok()? };
        this.again().then_some(this)
    }

    /// Takes it again: a shell that this process was stopped in has changed it.
    #[cfg(unix)]
    pub(crate) fn again(&self) -> bool {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex};
        let mut modes = self.before.clone();
        modes.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        modes.input_modes -= InputModes::IXON;
        // Ctrl-C and Ctrl-Z stay signals. One that ends the process on the spot would leave the terminal as it is.
        modes.special_codes[SpecialCodeIndex::VQUIT] = 0;
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        let set = rustix::termios::tcsetattr(std::io::stdin(), OptionalActions::Now, &modes).is_ok();
        if set {
            say(PASTE_ON);
        }
        set
    }

    /// Takes the terminal that stdin is.
    #[cfg(not(unix))]
    pub(crate) fn take() -> Option<Self> {
        crossterm::terminal::enable_raw_mode().ok()?;
        say(PASTE_ON);
        Some(Self {})
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        say(PASTE_OFF);
        #[cfg(unix)]
        {
            use rustix::termios::{OptionalActions, tcsetattr};
            _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &self.before);
        }
        #[cfg(not(unix))]
        {
            _ = crossterm::terminal::disable_raw_mode();
        }
    }
}

fn say(sequence: &str) {
    let mut err = std::io::stderr().lock();
    _ = err.write_all(sequence.as_bytes()).and_then(|()| err.flush());
}
