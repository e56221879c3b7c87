//! Tokens that the server issues by itself: for sessions, for browsers in which an account has signed in, and
//! for the browser at this machine.
//!
//! Each is a random secret of which only the fingerprint is stored. Its permissions are looked up on each
//! use.

use quorate_contract::Timestamp;

use crate::error::StoreError;
use crate::sql;
use crate::sql::Row;
use crate::store::Store;

/// The subject of an issued token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSubject {
    /// The session of this id.
    Session(String),
    /// A browser in which the account of this name, in lower case, has signed in.
    KnownBrowser(String),
    /// The browser at this machine, while the local token is the one of this mark.
    Local(String),
}

impl TokenSubject {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Session(id) => ("session", id),
            Self::KnownBrowser(name) => ("known_browser", name),
            Self::Local(mark) => ("local", mark),
        }
    }
}

/// A token that was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The fingerprint of the token.
    pub hash: [u8; 32],
    /// The subject.
    pub subject: TokenSubject,
    /// When the token expires.
    pub expires_ms: Timestamp,
}

impl Store {
    /// The tokens that are not over at `now`.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn issued_tokens(&self, now: Timestamp) -> Result<Vec<IssuedToken>, StoreError> {
        self.reading(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT hash, kind, subject, expires_ms FROM issued_token WHERE expires_ms > ?1 ORDER BY key",
            )?;
            let rows = select.query_map([now.0], issued_of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Stores a token in the place of the one that it `replaces`. Of the subject's tokens the `most` newest stay; what
    /// is over at `now` goes. Returns the fingerprints of those that went.
    ///
    /// # Errors
    /// When the database cannot be written.
    pub async fn issue_token(
        &self,
        token: IssuedToken,
        replaces: Option<[u8; 32]>,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<[u8; 32]>, StoreError> {
        self.change(move |connection| {
            let (kind, subject) = token.subject.parts();
            connection.execute(
                "INSERT INTO issued_token (hash, kind, subject, expires_ms) VALUES (?1, ?2, ?3, ?4)",
                (&token.hash[..], kind, subject, token.expires_ms.0),
            )?;
            let mut delete = connection.prepare_cached(
                "DELETE FROM issued_token WHERE expires_ms <= ?1 OR hash = ?2 OR key IN (
                     SELECT key FROM issued_token WHERE kind = ?3 AND subject = ?4
                     ORDER BY key DESC LIMIT 9223372036854775807 OFFSET ?5
                 ) RETURNING hash",
            )?;
            let replaced = replaces.as_ref().map(|hash| &hash[..]);
            let gone = delete.query_map((now.0, replaced, kind, subject, most), |row| row.get(0))?;
            Ok(gone.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn issued_of(row: &Row<'_>) -> sql::Result<IssuedToken> {
    let (kind, subject): (String, String) = (row.get(1)?, row.get(2)?);
    let subject = match kind.as_str() {
        "session" => TokenSubject::Session(subject),
        "known_browser" => TokenSubject::KnownBrowser(subject),
        "local" => TokenSubject::Local(subject),
        _ => return Err(sql::Error::value("kind", format!("{kind:?}"))),
    };
    Ok(IssuedToken { hash: row.get(0)?, subject, expires_ms: Timestamp(row.get(3)?) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(hash: u8, subject: TokenSubject, end: i64) -> IssuedToken {
        IssuedToken { hash: [hash; 32], subject, expires_ms: Timestamp(end) }
    }

    #[tokio::test]
    async fn tokens_are_stored_until_they_end_are_replaced_or_are_too_many() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        let session = || TokenSubject::Session("s1".to_owned());
        let others = [TokenSubject::KnownBrowser("s1".to_owned()), TokenSubject::Local("s1".to_owned())];
        for (hash, subject) in (1..).zip(others.clone()) {
            assert!(
                store.issue_token(token(hash, subject, 900), None, 2, Timestamp(0)).await.unwrap().is_empty()
            );
        }
        for hash in [11, 12] {
            assert!(
                store
                    .issue_token(token(hash, session(), 500), None, 2, Timestamp(0))
                    .await
                    .unwrap()
                    .is_empty()
            );
        }
        let gone = store.issue_token(token(13, session(), 500), None, 2, Timestamp(0)).await.unwrap();
        assert_eq!(gone, [[11; 32]], "the oldest of the same subject");
        let gone =
            store.issue_token(token(14, session(), 900), Some([13; 32]), 2, Timestamp(0)).await.unwrap();
        assert!(gone.contains(&[13; 32]), "the one that it replaces: {gone:?}");
        let gone = store.issue_token(token(15, session(), 900), None, 5, Timestamp(500)).await.unwrap();
        assert!(!gone.contains(&[14; 32]), "{gone:?}");
        let kept = store.issued_tokens(Timestamp(500)).await.unwrap();
        let [browser, local] = others;
        let expected = [
            token(1, browser, 900),
            token(2, local, 900),
            token(14, session(), 900),
            token(15, session(), 900),
        ];
        assert_eq!(kept, expected);
        assert!(store.issued_tokens(Timestamp(900)).await.unwrap().is_empty());
    }
}
