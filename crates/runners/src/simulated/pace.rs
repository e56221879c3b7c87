//! The speed of a simulated participant, and the sizes of its fragments.

use std::time::Duration;

use quorate_contract::{AnswerKind, Language, SimulatedPace};
use quorate_engine::FragmentSink;

use super::rng::Rng;
use super::text::is_han;

/// How a simulation spends its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Answers at once, in one piece. Needs no runtime.
    Instant,
    /// A few milliseconds of delay, in a few pieces: for tests of things that happen in between.
    Brisk,
    /// Thinks for 0.4-1.5 seconds, then writes at a readable speed.
    Live {
        /// Characters a second, at least 1; a reader follows about 20 in Chinese, 40 in English.
        chars_per_second: u32,
    },
}

/// The speed of an answer that people read along with, in Chinese; English says the same with twice the characters.
const READ_ALONG: u32 = 60;

/// How many times as fast an answer is written whose words nobody reads before it is complete.
const UNSEEN: u32 = 5;

/// The pace of a meeting for an answer of this kind in this language.
pub(super) fn of(pace: SimulatedPace, kind: AnswerKind, language: Language) -> Pace {
    match pace {
        SimulatedPace::Live => {
            let is_read = matches!(kind, AnswerKind::Blind | AnswerKind::Speak | AnswerKind::Contribute);
            let words = match language {
                Language::Zh => READ_ALONG,
                Language::En => 2 * READ_ALONG,
            };
            Pace::Live { chars_per_second: if is_read { words } else { UNSEEN * words } }
        }
        SimulatedPace::Brisk => Pace::Brisk,
        SimulatedPace::Instant => Pace::Instant,
    }
}

/// The time of each fragment of an answer. Known before the answer starts, so that the reported latency
/// depends on the seed alone and not on the machine.
pub(super) struct Plan {
    think_ms: u64,
    micros_per_char: u64,
    pieces: Vec<String>,
}

impl Plan {
    /// Plans an answer; `slowness` multiplies every delay.
    pub(super) fn new(pace: Pace, text: &str, seed: u64, slowness: u64) -> Self {
        let mut rng = Rng::new(&[seed, 0x9ace]);
        match pace {
            Pace::Instant => Self { think_ms: 0, micros_per_char: 0, pieces: vec![text.to_owned()] },
            Pace::Brisk => {
                let pieces = cut(text, |_| 60);
                Self { think_ms: slowness * rng.between(1, 5) as u64, micros_per_char: slowness * 10, pieces }
            }
            Pace::Live { chars_per_second } => Self {
                think_ms: slowness * rng.between(400, 1500) as u64,
                micros_per_char: slowness * 1_000_000 / u64::from(chars_per_second.max(1)),
                pieces: live_pieces(text, &mut rng),
            },
        }
    }

    /// From the request to the last piece.
    pub(super) fn latency_ms(&self) -> u64 {
        let chars: usize = self.pieces.iter().map(|piece| piece.chars().count()).sum();
        self.think_ms + self.micros_per_char * chars as u64 / 1000
    }

    /// Waits and writes. Where it is dropped, it stops. `share` of a hundred are written: a
    /// connection that breaks leaves the rest unsaid.
    pub(super) async fn perform(&self, sink: &FragmentSink, share: usize) {
        let until = self.pieces.len() * share / 100;
        if self.think_ms == 0 {
            self.pieces.iter().take(until).for_each(|piece| sink.answer(piece.as_str()));
            return;
        }
        // Each piece has its moment; sleeping from piece to piece would add up the timer's rounding.
        let start = tokio::time::Instant::now() + Duration::from_millis(self.think_ms);
        tokio::time::sleep_until(start).await;
        let mut written = 0;
        for piece in self.pieces.iter().take(until) {
            written += piece.chars().count() as u64;
            if sink.is_heard() {
                tokio::time::sleep_until(start + Duration::from_micros(self.micros_per_char * written)).await;
                sink.answer(piece.as_str());
            }
        }
        tokio::time::sleep_until(start + Duration::from_micros(self.micros_per_char * written)).await;
    }
}

/// Chinese by one to three characters, other scripts word by word.
fn live_pieces(text: &str, rng: &mut Rng) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut room = 0;
    for c in text.chars() {
        let begins_word = pieces.last().is_some_and(|piece| piece.ends_with(char::is_whitespace));
        let wide =
            is_han(c) || ('\u{3000}'..='\u{303f}').contains(&c) || ('\u{ff00}'..='\u{ffef}').contains(&c);
        let after_wide = pieces.last().and_then(|piece| piece.chars().last()).is_some_and(is_han);
        let starts = if wide { room == 0 } else { begins_word && !c.is_whitespace() || after_wide };
        if starts || pieces.is_empty() {
            pieces.push(String::new());
            room = 1 + rng.below(3);
        }
        if wide {
            room = room.saturating_sub(1);
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
            // A long run without a space (JSON, a long word) still arrives bit by bit.
            if piece.chars().count() >= 24 {
                pieces.push(String::new());
                room = 1 + rng.below(3);
            }
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

fn cut(text: &str, length: impl Fn(usize) -> usize) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let end = (at + length(pieces.len()).max(1)).min(chars.len());
        pieces.push(chars[at..end].iter().collect());
        at = end;
    }
    pieces
}
