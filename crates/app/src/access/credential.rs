//! Credentials: by what a caller was identified.

use quorate_contract::hex::to_hex;

/// The credential by which a principal was identified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AccessCredential {
    /// The person at this machine while there are no accounts: without a token if none is needed, or with its
    /// cookie.
    Alone,
    /// The local token, by its fingerprint.
    Local([u8; 32]),
    /// A session: its id.
    Session(String),
    /// A token: its id, and the fingerprint under which it is known.
    Token(String, [u8; 32]),
}

impl AccessCredential {
    /// Whether it is the person at this machine, for whom fewer limits apply.
    pub fn is_here(&self) -> bool {
        matches!(self, Self::Alone | Self::Local(_))
    }

    /// By what other nodes know it. It is no secret, and of no use to anybody but a node.
    pub fn name(&self) -> String {
        match self {
            Self::Alone | Self::Local(_) => "here:".to_owned(),
            Self::Session(id) => format!("session:{id}"),
            Self::Token(_, hash) => format!("token:{}", to_hex(hash)),
        }
    }

    /// Under which name their requests and lines are counted.
    pub fn key(&self) -> &str {
        match self {
            Self::Alone | Self::Local(_) => "",
            Self::Session(id) | Self::Token(id, _) => id,
        }
    }
}
