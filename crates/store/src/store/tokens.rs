//! Tokens for programs, and invitations for guests: access without a password.

use quorate_contract::{MeetingId, Timestamp};

use crate::error::StoreError;
use crate::sql;
use crate::sql::{OptionalExtension, Row};
use crate::store::Store;
use crate::store::webhook_standing;

/// A token of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its id; nothing secret.
    pub id: String,
    /// The purpose, in the words of its creator.
    pub name: String,
    /// The creator, in whose name it acts.
    pub by: String,
    /// The fingerprint of what the program shows.
    pub hash: [u8; 32],
    /// The beginning of the token, to recognize it by.
    pub prefix: String,
    /// The permissions: `read`, `speak`, `manage` or `owner`.
    pub scope: String,
    /// The one meeting that it may do it at.
    pub meeting: Option<MeetingId>,
    /// The agent that it belongs to: with it, that agent answers for its seats.
    pub agent: Option<String>,
    /// When it was created.
    pub created_ms: Timestamp,
    /// When it expires, if it does.
    pub expires_ms: Option<Timestamp>,
    /// When it was last used, to within some minutes.
    pub used_ms: Option<Timestamp>,
}

/// An invitation, with which guests without an account join one meeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id; nothing secret.
    pub id: String,
    /// The meeting.
    pub meeting: MeetingId,
    /// The name that the guest is to have; their own choice when `None`.
    pub name: Option<String>,
    /// By which its guest is known again; each guest has an own one when `None`.
    pub person: Option<String>,
    /// The permissions of a guest: `read` or `speak`.
    pub scope: String,
    /// The role of the seat that it offers, empty for that of a person; `None` when it offers none.
    pub seat: Option<String>,
    /// The person who created it.
    pub by: String,
    /// The remaining uses; `None` for any number.
    pub uses_left: Option<u32>,
    /// When it was created.
    pub created_ms: Timestamp,
    /// When it expires.
    pub expires_ms: Timestamp,
}

impl Store {
    /// All tokens, newest first, also those that are over.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn tokens(&self) -> Result<Vec<Token>, StoreError> {
        self.reading(|connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, name, by, hash, prefix, scope, meeting, agent, created_ms, expires_ms, used_ms
                 FROM token ORDER BY created_ms DESC, id",
            )?;
            let rows = select.query_map([], token_of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps a new token.
    ///
    /// # Errors
    /// When the database cannot be written; so in all that follows.
    pub async fn add_token(&self, token: Token) -> Result<(), StoreError> {
        self.change(move |connection| {
            connection.execute(
                "INSERT INTO token (id, name, by, hash, prefix, scope, meeting, agent, created_ms, expires_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                (
                    &token.id,
                    &token.name,
                    &token.by,
                    &token.hash[..],
                    &token.prefix,
                    &token.scope,
                    token.meeting.as_ref().map(MeetingId::as_str),
                    &token.agent,
                    token.created_ms.0,
                    token.expires_ms.map(|moment| moment.0),
                ),
            )?;
            Ok(())
        })
        .await
    }

    /// Takes a token back; `false` when there is none of that id. The webhooks that it created stop.
    ///
    /// # Errors
    /// As above.
    pub async fn remove_token(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let removed = self.change(move |connection| {
            let removed = connection.execute("DELETE FROM token WHERE id = ?1", [&id])? == 1;
            Ok((removed, webhook_standing::stop_of_token(connection, &id, now)?))
        });
        let (removed, stopped) = removed.await?;
        self.note_stopped(stopped, now);
        Ok(removed)
    }

    /// Notes that a token was shown.
    ///
    /// # Errors
    /// As above.
    pub async fn token_used(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            connection.execute("UPDATE token SET used_ms = ?2 WHERE id = ?1", (&id, now.0))?;
            Ok(())
        })
        .await
    }

    /// The invitations to a meeting that can still be taken at `now`, newest first.
    ///
    /// # Errors
    /// As above.
    pub async fn invitations(
        &self,
        meeting: &MeetingId,
        now: Timestamp,
    ) -> Result<Vec<Invitation>, StoreError> {
        let meeting = meeting.clone();
        self.reading(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, meeting, name, scope, by, uses_left, created_ms, expires_ms, person, seat
                 FROM invitation
                 WHERE meeting = ?1 AND expires_ms > ?2 AND (uses_left IS NULL OR uses_left > 0)
                 ORDER BY created_ms DESC, id",
            )?;
            let rows = select.query_map((meeting.as_str(), now.0), invitation_of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Keeps a new invitation under the fingerprint of its code.
    ///
    /// # Errors
    /// As above.
    pub async fn add_invitation(&self, invitation: Invitation, hash: [u8; 32]) -> Result<(), StoreError> {
        self.change(move |connection| {
            connection.execute("DELETE FROM invitation WHERE expires_ms <= ?1", [invitation.created_ms.0])?;
            connection.execute(
                "INSERT INTO invitation (id, meeting, hash, name, scope, by, uses_left, created_ms, expires_ms,
                 person, seat) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
                (
                    &invitation.id,
                    invitation.meeting.as_str(),
                    &hash[..],
                    &invitation.name,
                    &invitation.scope,
                    &invitation.by,
                    invitation.uses_left,
                    invitation.created_ms.0,
                    invitation.expires_ms.0,
                    &invitation.person,
                    &invitation.seat,
                ),
            )?;
            Ok(())
        })
        .await
    }

    /// The invitation of that code, when it can still be taken at `now`.
    ///
    /// # Errors
    /// As above.
    pub async fn invitation(&self, hash: [u8; 32], now: Timestamp) -> Result<Option<Invitation>, StoreError> {
        self.reading(move |connection| {
            let select =
                "SELECT id, meeting, name, scope, by, uses_left, created_ms, expires_ms, person, seat
                          FROM invitation WHERE hash = ?1 AND expires_ms > ?2
                          AND (uses_left IS NULL OR uses_left > 0)";
            let found = connection.query_row(select, (&hash[..], now.0), invitation_of);
            Ok(found.optional()?)
        })
        .await
    }

    /// Takes one place of an invitation; `false` when none is left.
    ///
    /// # Errors
    /// As above.
    pub async fn take_invitation(&self, id: &str, now: Timestamp) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            let update = "UPDATE invitation SET uses_left = uses_left - 1
                          WHERE id = ?1 AND expires_ms > ?2 AND (uses_left IS NULL OR uses_left > 0)";
            Ok(connection.execute(update, (&id, now.0))? == 1)
        })
        .await
    }

    /// Returns one use of an invitation, because the guest could not join.
    ///
    /// # Errors
    /// As above.
    pub async fn give_back_invitation(&self, id: &str) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            connection.execute("UPDATE invitation SET uses_left = uses_left + 1 WHERE id = ?1", [&id])?;
            Ok(())
        })
        .await
    }

    /// Revokes an invitation to a meeting; `false` when none has this id. Guests who joined with it stay.
    ///
    /// # Errors
    /// As above.
    pub async fn remove_invitation(&self, meeting: &MeetingId, id: &str) -> Result<bool, StoreError> {
        let (meeting, id) = (meeting.clone(), id.to_owned());
        self.change(move |connection| {
            let delete = "DELETE FROM invitation WHERE id = ?1 AND meeting = ?2";
            Ok(connection.execute(delete, (&id, meeting.as_str()))? == 1)
        })
        .await
    }
}

fn token_of(row: &Row<'_>) -> sql::Result<Token> {
    Ok(Token {
        id: row.get(0)?,
        name: row.get(1)?,
        by: row.get(2)?,
        hash: row.get(3)?,
        prefix: row.get(4)?,
        scope: row.get(5)?,
        meeting: row.get::<_, Option<String>>(6)?.map(MeetingId::new),
        agent: row.get(7)?,
        created_ms: Timestamp(row.get(8)?),
        expires_ms: row.get::<_, Option<i64>>(9)?.map(Timestamp),
        used_ms: row.get::<_, Option<i64>>(10)?.map(Timestamp),
    })
}

fn invitation_of(row: &Row<'_>) -> sql::Result<Invitation> {
    Ok(Invitation {
        id: row.get(0)?,
        meeting: MeetingId::new(row.get::<_, String>(1)?),
        name: row.get(2)?,
        scope: row.get(3)?,
        by: row.get(4)?,
        uses_left: row.get(5)?,
        created_ms: Timestamp(row.get(6)?),
        expires_ms: Timestamp(row.get(7)?),
        person: row.get(8)?,
        seat: row.get(9)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invitation(uses_left: Option<u32>) -> Invitation {
        Invitation {
            id: "i1".to_owned(),
            meeting: MeetingId::new("m"),
            name: None,
            person: None,
            scope: "speak".to_owned(),
            seat: Some("Architect".to_owned()),
            by: "owner".to_owned(),
            uses_left,
            created_ms: Timestamp(1),
            expires_ms: Timestamp(100),
        }
    }

    #[tokio::test]
    async fn an_invitation_has_so_many_places_and_no_more() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        store.add_invitation(invitation(Some(2)), [7; 32]).await.unwrap();
        let now = Timestamp(5);
        let taken = futures::future::join_all((0..10).map(|_| store.take_invitation("i1", now))).await;
        assert_eq!(taken.into_iter().filter(|taken| *taken.as_ref().unwrap()).count(), 2);
        assert_eq!(store.invitation([7; 32], now).await.unwrap(), None);
        store.give_back_invitation("i1").await.unwrap();
        let left = store.invitation([7; 32], now).await.unwrap().unwrap();
        assert_eq!((left.uses_left, left.seat.as_deref()), (Some(1), Some("Architect")));
        assert_eq!(store.invitation([7; 32], Timestamp(100)).await.unwrap(), None, "it is over");
        assert!(!store.remove_invitation(&MeetingId::new("n"), "i1").await.unwrap());
        assert!(store.remove_invitation(&MeetingId::new("m"), "i1").await.unwrap());
    }

    #[tokio::test]
    async fn tokens_are_kept_noted_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        let token = Token {
            id: "t1".to_owned(),
            name: "build".to_owned(),
            by: "owner".to_owned(),
            hash: [9; 32],
            prefix: "qt_12345678".to_owned(),
            scope: "read".to_owned(),
            meeting: Some(MeetingId::new("m")),
            agent: Some("reviewer".to_owned()),
            created_ms: Timestamp(1),
            expires_ms: None,
            used_ms: None,
        };
        store.add_token(token.clone()).await.unwrap();
        assert_eq!(store.tokens().await.unwrap(), vec![token.clone()]);
        store.token_used("t1", Timestamp(9)).await.unwrap();
        assert_eq!(store.tokens().await.unwrap()[0].used_ms, Some(Timestamp(9)));
        assert!(store.remove_token("t1", Timestamp(9)).await.unwrap());
        assert!(!store.remove_token("t1", Timestamp(9)).await.unwrap());
    }
}
