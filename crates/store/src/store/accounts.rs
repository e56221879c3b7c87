//! Accounts and their sessions.
//!
//! Permissions are a word here (`owner`); the application gives it its meaning. Secrets are stored as hashes
//! only (see [`hash_password`](crate::hash_password), [`fingerprint`](crate::fingerprint)).

use quorate_contract::{MeetingId, NameOf, Refusal, Timestamp, clean_within};
use quorate_messages::message;

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, OptionalExtension, Row};
use crate::store::Store;
use crate::store::{person_settings, webhook_standing};

/// An account: a person who signs in with a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name, unique without regard to case.
    pub name: String,
    /// The permissions: `read`, `speak`, `manage` or `owner`.
    pub scope: String,
    /// When the account was created.
    pub created_ms: Timestamp,
    /// When its password was last changed.
    pub updated_ms: Timestamp,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The id.
    pub id: String,
    /// The account's name, or the guest's.
    pub name: String,
    /// Whether it belongs to a guest of one meeting, who has no account.
    pub guest: bool,
    /// The permissions.
    pub scope: String,
    /// By which a guest is known again: that of the invitation, or one of its own.
    pub person: Option<String>,
    /// The one meeting that a guest may do it at.
    pub meeting: Option<MeetingId>,
    /// The `User-Agent` of the client, cut to length.
    pub agent: String,
    /// The address of the client.
    pub address: String,
    /// When the session started.
    pub created_ms: Timestamp,
    /// When it was last used, to within a refresh.
    pub used_ms: Timestamp,
    /// When it expires unless it is refreshed.
    pub expires_ms: Timestamp,
}

/// The result of using a refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Renewal {
    /// The token was valid: the session continues with the new one.
    Renewed(Session),
    /// The token had been used before. Two clients have it, so the whole session was ended; this is its id.
    Stolen(String),
    /// The token is unknown, or its session has ended.
    Unknown,
}

/// When the last account of an owner stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepOwner {
    /// Always: without one, nobody could manage the server from elsewhere.
    Always,
    /// While there are other accounts. Without any, the server asks nobody to sign in.
    WhileOthers,
}

/// The scope of an owner, as it is stored.
const OWNER: &str = "owner";

/// The result of removing an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// The account was removed.
    Removed,
    /// No account has this name.
    Unknown,
    /// The account is that of the last owner, and was kept.
    LastOne,
}

/// Checks that a name can stand in the log: 1-50 characters on one line.
///
/// # Errors
/// When it cannot; `field` names the input.
pub fn check_name(field: &str, name: &str) -> Result<String, Refusal> {
    let sound = |letter: char| !letter.is_control() && !matches!(letter, ':' | '/' | '@' | '"' | '<' | '>');
    let given = Some(name).filter(|name| name.chars().all(sound));
    match given.and_then(|name| clean_within(name, 1, 50)) {
        Some(name) => Ok(name),
        None => Err(Refusal::Invalid {
            field: field.to_owned(),
            problem: message!("store-accounts-no-name").into(),
            hint: message!("store-accounts-write-1-50-characters-one").into(),
        }),
    }
}

/// A name for a new account beside those that there are.
///
/// # Errors
/// When it is no name, when a reader could take it for another account's, or when the meeting speaks as it.
pub fn check_account_name<'a>(
    field: &str,
    name: &str,
    accounts: impl IntoIterator<Item = &'a str>,
) -> Result<String, Refusal> {
    let name = check_name(field, name)?;
    quorate_contract::check_name(field, &name, NameOf::Account, accounts)?;
    Ok(name)
}

impl Store {
    /// All accounts, by name.
    ///
    /// # Errors
    /// When the database cannot be read; so in all that follows.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.reading(|connection| {
            let mut select = connection
                .prepare_cached("SELECT name, scope, created_ms, updated_ms FROM account ORDER BY name")?;
            let rows = select.query_map([], |row| {
                Ok(Account {
                    name: row.get(0)?,
                    scope: row.get(1)?,
                    created_ms: Timestamp(row.get(2)?),
                    updated_ms: Timestamp(row.get(3)?),
                })
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// The account of that name, and what is kept of its password.
    ///
    /// # Errors
    /// As above.
    pub async fn account_password(&self, name: &str) -> Result<Option<(Account, String)>, StoreError> {
        let name = name.to_owned();
        self.reading(move |connection| {
            let select = "SELECT name, scope, created_ms, updated_ms, hash FROM account WHERE name = ?1";
            let found = connection.prepare_cached(select)?.query_row([&name], |row| {
                let account = Account {
                    name: row.get(0)?,
                    scope: row.get(1)?,
                    created_ms: Timestamp(row.get(2)?),
                    updated_ms: Timestamp(row.get(3)?),
                };
                Ok((account, row.get(4)?))
            });
            Ok(found.optional()?)
        })
        .await
    }

    /// Makes an account; `false` when there is one of that name.
    ///
    /// # Errors
    /// When the database cannot be written; so in all that follows.
    pub async fn add_account(&self, account: Account, hash: String) -> Result<bool, StoreError> {
        self.change(move |connection| {
            let insert = "INSERT INTO account (name, scope, hash, created_ms, updated_ms)
                          VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT (name) DO NOTHING";
            let Account { name, scope, created_ms, updated_ms } = &account;
            Ok(connection.execute(insert, (name, scope, &hash, created_ms.0, updated_ms.0))? == 1)
        })
        .await
    }

    /// Gives an account another password and ends all its sessions, whose ids it returns; `None` when
    /// there is no such account.
    ///
    /// # Errors
    /// As above.
    pub async fn change_account_password(
        &self,
        name: &str,
        hash: String,
        now: Timestamp,
    ) -> Result<Option<Vec<String>>, StoreError> {
        let name = name.to_owned();
        self.change(move |connection| {
            let update = "UPDATE account SET hash = ?2, updated_ms = ?3 WHERE name = ?1";
            match connection.execute(update, (&name, &hash, now.0))? {
                0 => Ok(None),
                _ => end_sessions_of(connection, &name).map(Some),
            }
        })
        .await
    }

    /// Takes an account away, with its sessions, its settings and the tokens that it made; its webhooks stop. The last
    /// owner stays as `keep` says: whether there is another is looked at in the same transaction, so that of two who take
    /// each other away one stays.
    ///
    /// # Errors
    /// As above.
    pub async fn remove_account(
        &self,
        name: &str,
        keep: KeepOwner,
        now: Timestamp,
    ) -> Result<Removal, StoreError> {
        let name = name.to_owned();
        let removed = self.change(move |connection| {
            let select = "SELECT scope FROM account WHERE name = ?1";
            let found: Option<String> = connection.query_row(select, [&name], |row| row.get(0)).optional()?;
            let Some(scope) = found else { return Ok((Removal::Unknown, Vec::new())) };
            if scope == OWNER {
                let others =
                    "SELECT EXISTS (SELECT 1 FROM account WHERE name <> ?1 AND (scope = ?2 OR ?2 = ''))";
                let other = |scope: &str| {
                    connection.query_row(others, [name.as_str(), scope], |row| row.get::<_, bool>(0))
                };
                let stays = !other(OWNER)? && (keep == KeepOwner::Always || other("")?);
                if stays {
                    return Ok((Removal::LastOne, Vec::new()));
                }
            }
            end_sessions_of(connection, &name)?;
            connection.execute("DELETE FROM token WHERE by = ?1 COLLATE NOCASE", [&name])?;
            person_settings::delete_of_account(connection, &name)?;
            let stopped = webhook_standing::stop_of_account(connection, &name, now)?;
            connection.execute("DELETE FROM account WHERE name = ?1", [&name])?;
            Ok((Removal::Removed, stopped))
        });
        let (removal, stopped) = removed.await?;
        self.note_stopped(stopped, now);
        Ok(removal)
    }

    /// Begins a session, which a refresh token of this fingerprint can renew; `false` when a guest of
    /// that name is at the meeting already.
    ///
    /// # Errors
    /// As above.
    pub async fn begin_session(&self, session: Session, refresh: [u8; 32]) -> Result<bool, StoreError> {
        self.change(move |connection| {
            // Expired guests give their names back.
            connection.execute("DELETE FROM session WHERE expires_ms <= ?1", [session.created_ms.0])?;
            let insert = "INSERT INTO session (id, name, guest, scope, meeting, agent, address, created_ms,
                          used_ms, expires_ms, person) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
                          ON CONFLICT DO NOTHING";
            let begun = connection.execute(
                insert,
                sql::values![
                    session.id,
                    session.name,
                    session.guest,
                    session.scope,
                    session.meeting.as_ref().map(MeetingId::as_str),
                    session.agent,
                    session.address,
                    session.created_ms.0,
                    session.used_ms.0,
                    session.expires_ms.0,
                    session.person,
                ],
            )?;
            if begun == 1 {
                remember(connection, &session.id, refresh)?;
            }
            Ok(begun == 1)
        })
        .await
    }

    /// All sessions that are not over at `now`, newest first.
    ///
    /// # Errors
    /// As above.
    pub async fn sessions(&self, now: Timestamp) -> Result<Vec<Session>, StoreError> {
        self.reading(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, name, guest, scope, meeting, agent, address, created_ms, used_ms, expires_ms,
                 person FROM session WHERE expires_ms > ?1 ORDER BY created_ms DESC, id",
            )?;
            let rows = select.query_map([now.0], session_of)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }

    /// Renews the session of a refresh token, which is then used up, until `expires`. One that was used
    /// before `now` by more than `grace_ms` ends the session: within that time two windows of one browser
    /// may have asked at once.
    ///
    /// # Errors
    /// As above.
    pub async fn renew_session(
        &self,
        shown: [u8; 32],
        next: [u8; 32],
        now: Timestamp,
        expires: Timestamp,
        grace_ms: u64,
    ) -> Result<Renewal, StoreError> {
        self.change(move |connection| {
            let known: Option<(String, Option<i64>)> = connection
                .query_row("SELECT session, used_ms FROM refresh WHERE hash = ?1", [&shown[..]], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .optional()?;
            let Some((id, used)) = known else { return Ok(Renewal::Unknown) };
            if used.is_some_and(|used| now.since_ms(Timestamp(used)) >= grace_ms) {
                end_session(connection, &id)?;
                return Ok(Renewal::Stolen(id));
            }
            let update = "UPDATE session SET used_ms = ?2, expires_ms = ?3
                          WHERE id = ?1 AND expires_ms > ?2
                          RETURNING id, name, guest, scope, meeting, agent, address, created_ms, used_ms,
                          expires_ms, person";
            let renewed = connection.query_row(update, (&id, now.0, expires.0), session_of).optional()?;
            let Some(session) = renewed else { return Ok(Renewal::Unknown) };
            let used = "UPDATE refresh SET used_ms = coalesce(used_ms, ?2) WHERE hash = ?1";
            connection.execute(used, (&shown[..], now.0))?;
            remember(connection, &id, next)?;
            Ok(Renewal::Renewed(session))
        })
        .await
    }

    /// Ends a session; `false` when there is none of that id.
    ///
    /// # Errors
    /// As above.
    pub async fn end_session(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        self.change(move |connection| end_session(connection, &id)).await
    }
}

/// The number of used refresh tokens that are remembered for each session, so that a stolen one is noticed.
const REMEMBERED: u32 = 200;

fn remember(connection: &Connection, session: &str, refresh: [u8; 32]) -> Result<(), StoreError> {
    let insert = "INSERT INTO refresh (hash, session) VALUES (?1, ?2)";
    connection.execute(insert, (&refresh[..], session))?;
    connection.execute(
        "DELETE FROM refresh WHERE rowid IN (SELECT rowid FROM refresh WHERE session = ?1
         ORDER BY used_ms IS NULL DESC, used_ms DESC LIMIT 9223372036854775807 OFFSET ?2)",
        (session, REMEMBERED),
    )?;
    Ok(())
}

fn end_session(connection: &Connection, id: &str) -> Result<bool, StoreError> {
    Ok(connection.execute("DELETE FROM session WHERE id = ?1", [id])? == 1)
}

fn end_sessions_of(connection: &Connection, account: &str) -> Result<Vec<String>, StoreError> {
    let delete = "DELETE FROM session WHERE NOT guest AND name = ?1 COLLATE NOCASE RETURNING id";
    let mut delete = connection.prepare(delete)?;
    let ended = delete.query_map([account], |row| row.get(0))?;
    Ok(ended.collect::<Result<_, _>>()?)
}

fn session_of(row: &Row<'_>) -> sql::Result<Session> {
    Ok(Session {
        id: row.get(0)?,
        name: row.get(1)?,
        guest: row.get(2)?,
        scope: row.get(3)?,
        meeting: row.get::<_, Option<String>>(4)?.map(MeetingId::new),
        agent: row.get(5)?,
        address: row.get(6)?,
        created_ms: Timestamp(row.get(7)?),
        used_ms: Timestamp(row.get(8)?),
        expires_ms: Timestamp(row.get(9)?),
        person: row.get(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        (dir, store)
    }

    fn account(name: &str) -> Account {
        let at = Timestamp(1);
        Account { name: name.to_owned(), scope: "owner".to_owned(), created_ms: at, updated_ms: at }
    }

    fn session(id: &str, name: &str, meeting: Option<&str>) -> Session {
        Session {
            id: id.to_owned(),
            name: name.to_owned(),
            guest: meeting.is_some(),
            scope: "speak".to_owned(),
            meeting: meeting.map(MeetingId::new),
            person: None,
            agent: String::new(),
            address: String::new(),
            created_ms: Timestamp(10),
            used_ms: Timestamp(10),
            expires_ms: Timestamp(1000),
        }
    }

    #[tokio::test]
    async fn an_account_is_one_of_its_name_and_a_new_password_ends_its_sessions() {
        let (_dir, store) = store();
        assert!(store.add_account(account("Ada"), "h1".to_owned()).await.unwrap());
        assert!(!store.add_account(account("ada"), "h2".to_owned()).await.unwrap());
        assert!(store.begin_session(session("s1", "Ada", None), [1; 32]).await.unwrap());
        assert!(store.begin_session(session("s2", "Ada", Some("m")), [2; 32]).await.unwrap());
        let ended = store.change_account_password("ADA", "h3".to_owned(), Timestamp(20)).await.unwrap();
        assert_eq!(ended, Some(vec!["s1".to_owned()]), "a guest of the same name is somebody else");
        assert_eq!(store.account_password("ada").await.unwrap().unwrap().1, "h3");
        assert_eq!(store.change_account_password("Ben", "h".to_owned(), Timestamp(20)).await.unwrap(), None);
        assert_eq!(
            store.remove_account("ada", KeepOwner::Always, Timestamp(9)).await.unwrap(),
            Removal::LastOne
        );
        assert_eq!(
            store.remove_account("ada", KeepOwner::WhileOthers, Timestamp(9)).await.unwrap(),
            Removal::Removed
        );
        assert_eq!(
            store.remove_account("ada", KeepOwner::WhileOthers, Timestamp(9)).await.unwrap(),
            Removal::Unknown
        );
        assert!(store.accounts().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn of_two_who_take_each_other_away_one_stays() {
        let (_dir, store) = store();
        for name in ["Ada", "Ben"] {
            assert!(store.add_account(account(name), "h".to_owned()).await.unwrap());
        }
        let (ada, ben) = tokio::join!(
            store.remove_account("Ada", KeepOwner::Always, Timestamp(9)),
            store.remove_account("Ben", KeepOwner::Always, Timestamp(9))
        );
        let mut both = [ada.unwrap(), ben.unwrap()];
        both.sort_by_key(|removal| *removal == Removal::LastOne);
        assert_eq!(both, [Removal::Removed, Removal::LastOne]);
        assert_eq!(store.accounts().await.unwrap().len(), 1);
    }

    #[tokio::test]
    async fn a_refresh_token_is_good_once_and_its_second_use_ends_the_session() {
        let (_dir, store) = store();
        store.begin_session(session("s1", "Ada", None), [1; 32]).await.unwrap();
        let renew = |shown, next, now| {
            store.renew_session([shown; 32], [next; 32], Timestamp(now), Timestamp(5000), 50)
        };
        assert!(matches!(renew(1, 2, 100).await.unwrap(), Renewal::Renewed(_)));
        assert!(matches!(renew(1, 3, 120).await.unwrap(), Renewal::Renewed(_)), "two windows at once");
        assert!(matches!(renew(3, 4, 130).await.unwrap(), Renewal::Renewed(_)));
        assert_eq!(renew(1, 5, 151).await.unwrap(), Renewal::Stolen("s1".to_owned()));
        for shown in 1..6 {
            assert_eq!(renew(shown, shown + 100, 152).await.unwrap(), Renewal::Unknown, "the family is gone");
        }
        assert!(store.sessions(Timestamp(0)).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_session_that_is_over_is_not_renewed() {
        let (_dir, store) = store();
        store.begin_session(session("s1", "Ada", None), [1; 32]).await.unwrap();
        let late = store.renew_session([1; 32], [2; 32], Timestamp(1000), Timestamp(5000), 0).await.unwrap();
        assert_eq!(late, Renewal::Unknown);
        assert!(store.sessions(Timestamp(1000)).await.unwrap().is_empty());
        assert!(store.end_session("s1").await.unwrap());
        assert!(!store.end_session("s1").await.unwrap());
    }

    #[tokio::test]
    async fn a_guest_has_a_name_of_their_own_at_a_meeting() {
        let (_dir, store) = store();
        assert!(store.begin_session(session("s1", "Ada", Some("m")), [1; 32]).await.unwrap());
        assert!(!store.begin_session(session("s2", "ada", Some("m")), [2; 32]).await.unwrap());
        assert!(store.begin_session(session("s3", "Ada", Some("n")), [3; 32]).await.unwrap());
        let mut late = session("s4", "Ada", Some("m"));
        late.created_ms = Timestamp(1000);
        late.expires_ms = Timestamp(2000);
        assert!(store.begin_session(late, [4; 32]).await.unwrap(), "the first Ada is long gone");
    }
}
