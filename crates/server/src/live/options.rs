//! How live telling is tuned.

use std::time::Duration;

/// The frame of a screen: what comes within it is seen together.
pub(crate) const SCREEN_FRAME: Duration = Duration::from_millis(16);

/// How live telling is tuned. The defaults suit nearly every installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveOptions {
    /// The least time between two frames of answers of one meeting. `None` goes by the number of
    /// listeners: none up to 16, 15 ms up to 1,000, 50 ms up to 5,000, 100 ms beyond. A model that
    /// writes 50 pieces a second is so told without delay to 1,000. While this process tells many pieces of
    /// all meetings, those of one go together within the 16 ms of a frame on a screen.
    pub frame: Option<Duration>,
    /// After so long without a word, a listener is told that the connection stands.
    pub heartbeat: Duration,
    /// How much a listener may be behind before it reads from the log, in bytes. It is kept once for
    /// a whole meeting, whatever the number of listeners.
    pub behind_max: usize,
    /// How long frames are kept for those who are behind.
    pub keep: Duration,
    /// How often the other end of a WebSocket is asked whether it is there.
    pub ping: Duration,
    /// A WebSocket of which nothing is heard for so long is cut; so is a client that takes nothing.
    pub write_timeout: Duration,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            frame: None,
            heartbeat: Duration::from_secs(15),
            behind_max: 256 * 1024,
            keep: Duration::from_secs(5),
            ping: Duration::from_secs(20),
            write_timeout: Duration::from_secs(60),
        }
    }
}

impl LiveOptions {
    /// The least time between two frames of answers, when so many listen, and many answers are told.
    pub(crate) fn frame_for(&self, listeners: usize, is_busy: bool) -> Duration {
        self.frame.unwrap_or(match listeners {
            0..=16 if is_busy => SCREEN_FRAME,
            0..=16 => Duration::ZERO,
            17..=1_000 => Duration::from_millis(15),
            1_001..=5_000 => Duration::from_millis(50),
            _ => Duration::from_millis(100),
        })
    }
}
