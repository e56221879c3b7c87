//! A meeting's state as bytes: for the hash that proves it, and to take a long meeting up without
//! folding its log from the first event.

use serde::de::Error as _;
use sha2::{Digest, Sha256};

use super::Meeting;

/// The format of a stored state. States of another format are not read; the log is folded instead.
///
/// It changes with every release, and has to be raised whenever the state has other fields or the fold gives
/// another result for the same events. `tests/golden.rs` notices when that was forgotten.
pub const STATE_FORMAT: &str = concat!(env!("CARGO_PKG_VERSION"), "/24");

impl Meeting {
    /// The state as bytes, always the same for the same state, and their [`state_hash`](Self::state_hash).
    pub fn to_state(&self) -> (Vec<u8>, String) {
        let state = serde_json::to_vec(self).expect("a meeting has only text keys");
        let hash = hash(&state);
        (state, hash)
    }

    /// SHA-256 of the state, as hexadecimal digits. Two folds of one log give the same.
    pub fn state_hash(&self) -> String {
        self.to_state().1
    }

    /// The state that was written as these bytes in this [`STATE_FORMAT`].
    ///
    /// # Errors
    /// When the bytes are not those of `state_hash`, or are no state.
    pub fn from_state(state: &[u8], state_hash: &str) -> Result<Self, serde_json::Error> {
        if hash(state) != state_hash {
            return Err(serde_json::Error::custom("the state is not the one that was written"));
        }
        serde_json::from_slice(state)
    }
}

fn hash(state: &[u8]) -> String {
    Sha256::digest(state).iter().map(|byte| format!("{byte:02x}")).collect()
}
