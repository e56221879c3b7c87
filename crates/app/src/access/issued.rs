//! Tokens that the server issues by itself, as they are known in memory: what was issued, for what, and until when.
//!
//! A token is a random secret. It says nothing; what it opens is looked up with every request, so that signing out and
//! changes hold at once.

use std::collections::HashMap;

use quorate_contract::Timestamp;
use quorate_store::{IssuedToken, TokenSubject, fingerprint};

/// The prefix of issued tokens.
pub(super) const PREFIX: &str = "qa_";
/// Longer texts are no tokens of ours and are not hashed.
const MAX_CHARS: usize = 100;

/// The tokens that are good, by fingerprint.
#[derive(Debug, Default)]
pub(super) struct IssuedTokens(HashMap<[u8; 32], (TokenSubject, Timestamp)>);

impl IssuedTokens {
    pub(super) fn of(tokens: Vec<IssuedToken>) -> Self {
        Self(tokens.into_iter().map(|token| (token.hash, (token.subject, token.expires_ms))).collect())
    }

    pub(super) fn subject(&self, token: &str, now: Timestamp) -> Option<TokenSubject> {
        if !token.starts_with(PREFIX) || token.len() > MAX_CHARS {
            return None;
        }
        let (subject, end) = self.0.get(&fingerprint(token))?;
        (*end > now).then(|| subject.clone())
    }

    pub(super) fn add(&mut self, token: IssuedToken, gone: &[[u8; 32]], now: Timestamp) {
        for hash in gone {
            self.0.remove(hash);
        }
        self.0.retain(|_, (_, end)| *end > now);
        self.0.insert(token.hash, (token.subject, token.expires_ms));
    }
}

/// The number of valid tokens of one subject; one more ends the oldest.
pub(super) fn most(subject: &TokenSubject) -> u32 {
    match subject {
        // Each window of a browser may renew the session for itself.
        TokenSubject::Session(_) => 32,
        TokenSubject::KnownBrowser(_) => 100,
        TokenSubject::Local(_) => 1_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp(1_000_000);

    fn issued(text: &str, end: Timestamp) -> IssuedToken {
        IssuedToken {
            hash: fingerprint(text),
            subject: TokenSubject::Session("s1".to_owned()),
            expires_ms: end,
        }
    }

    #[test]
    fn a_token_is_good_until_its_end_or_until_it_is_replaced() {
        let mut tokens = IssuedTokens::of(vec![issued("qa_one", NOW.plus_ms(60_000))]);
        let session = Some(TokenSubject::Session("s1".to_owned()));
        assert_eq!(tokens.subject("qa_one", NOW), session);
        assert_eq!(tokens.subject("qa_one", NOW.plus_ms(60_000)), None, "it is over");
        tokens.add(issued("qa_two", NOW.plus_ms(60_000)), &[fingerprint("qa_one")], NOW);
        assert_eq!(tokens.subject("qa_one", NOW), None);
        assert_eq!(tokens.subject("qa_two", NOW), session);
    }

    #[test]
    fn no_changed_token_is_taken() {
        let token = format!("{PREFIX}{}", "A".repeat(43));
        let tokens = IssuedTokens::of(vec![issued(&token, NOW.plus_ms(60_000))]);
        assert!(tokens.subject(&token, NOW).is_some());
        for place in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[place] = if bytes[place] == b'A' { b'Q' } else { b'A' };
            let changed = String::from_utf8(bytes).expect("letters");
            assert_eq!(tokens.subject(&changed, NOW), None, "{place}");
        }
        for other in ["", PREFIX, &token[..token.len() - 1], &format!("{token}A"), &token.to_lowercase()] {
            assert_eq!(tokens.subject(other, NOW), None, "{other}");
        }
        let long = format!("{PREFIX}{}", "A".repeat(MAX_CHARS));
        let tokens = IssuedTokens::of(vec![issued(&long, NOW.plus_ms(60_000))]);
        assert_eq!(tokens.subject(&long, NOW), None, "nothing of that length is looked up");
    }
}
