//! Templates of meetings: requests for a meeting, stored under a name.
//!
//! A template's body belongs to the caller; here it is a JSON value that is returned unchanged.

use quorate_contract::{Refusal, Timestamp, clean};
use quorate_messages::{Message, message};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::StoreError;
use crate::sql;
use crate::sql::{Connection, ErrorKind, OptionalExtension, Row};
use crate::store::Store;

/// The longest name, in characters.
const NAME_CHARS: usize = 100;
/// The longest body, in bytes of JSON.
const BODY_BYTES: usize = 1 << 20;

/// A template for meetings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Template {
    /// The id, generated once; it stays the same when the name changes.
    pub id: String,
    /// The name, 1-100 characters, unique.
    pub name: String,
    /// The content, at most 1 MiB.
    pub body: Value,
    /// The version: 1 when it is created, one more with each change.
    pub version: u64,
    /// When the template was created.
    #[serde(rename = "created_at")]
    pub created_ms: Timestamp,
    /// When it was last changed.
    #[serde(rename = "updated_at")]
    pub updated_ms: Timestamp,
}

impl Store {
    /// Keeps a new template.
    ///
    /// # Errors
    /// When its name or body is not right, or there is one of that name or id.
    pub async fn create_template(
        &self,
        id: String,
        name: &str,
        body: Value,
        now: Timestamp,
    ) -> Result<Template, StoreError> {
        let template =
            Template { id, name: checked_name(name)?, body, version: 1, created_ms: now, updated_ms: now };
        let body = checked_body(&template.body)?;
        self.change(move |connection| {
            connection
                .execute(
                    "INSERT INTO template (id, name, body, version, created_ms, updated_ms)
                     VALUES (?1, ?2, ?3, 1, ?4, ?4)",
                    (&template.id, &template.name, &body, now.0),
                )
                .map_err(|error| taken(error, &template.name))?;
            Ok(template.clone())
        })
        .await
    }

    /// Puts another name and body in the place of those that a template has. With `expected` it is
    /// done only while the template has that version.
    ///
    /// # Errors
    /// When there is none of that id, it has another version, or the name or body is not right.
    pub async fn update_template(
        &self,
        id: &str,
        name: &str,
        body: Value,
        expected: Option<u64>,
        now: Timestamp,
    ) -> Result<Template, StoreError> {
        let (id, name, text) = (id.to_owned(), checked_name(name)?, checked_body(&body)?);
        self.change(move |connection| {
            let before = at_version(connection, &id, expected)?;
            let version = before.version + 1;
            connection
                .execute(
                    "UPDATE template SET name = ?2, body = ?3, version = ?4, updated_ms = ?5 WHERE id = ?1",
                    (&before.id, &name, &text, version, now.0),
                )
                .map_err(|error| taken(error, &name))?;
            Ok(Template { name: name.clone(), body: body.clone(), version, updated_ms: now, ..before })
        })
        .await
    }

    /// Forgets a template. With `expected` it is done only while the template has that version.
    ///
    /// # Errors
    /// When there is none of that id, or it has another version.
    pub async fn delete_template(&self, id: &str, expected: Option<u64>) -> Result<(), StoreError> {
        let id = id.to_owned();
        self.change(move |connection| {
            let before = at_version(connection, &id, expected)?;
            connection.execute("DELETE FROM template WHERE id = ?1", [&before.id])?;
            Ok(())
        })
        .await
    }

    /// The template of that id, or else of that name.
    ///
    /// # Errors
    /// When there is none.
    pub async fn template(&self, name: &str) -> Result<Template, StoreError> {
        let name = name.to_owned();
        self.reading(move |connection| {
            connection
                .prepare_cached("SELECT * FROM template WHERE id = ?1 OR name = ?1 ORDER BY id = ?1 DESC")?
                .query_row([&name], template_in)
                .optional()?
                .ok_or(StoreError::NoSuchTemplate { name })
        })
        .await
    }

    /// All templates, by name.
    pub async fn templates(&self) -> Result<Vec<Template>, StoreError> {
        self.reading(|connection| {
            let mut select = connection.prepare_cached("SELECT * FROM template ORDER BY name")?;
            let rows = select.query_map([], template_in)?;
            Ok(rows.collect::<Result<_, _>>()?)
        })
        .await
    }
}

fn at_version(connection: &Connection, id: &str, expected: Option<u64>) -> Result<Template, StoreError> {
    let template = connection
        .prepare_cached("SELECT * FROM template WHERE id = ?1")?
        .query_row([id], template_in)
        .optional()?
        .ok_or_else(|| StoreError::NoSuchTemplate { name: id.to_owned() })?;
    match expected {
        Some(expected) if expected != template.version => {
            Err(StoreError::TemplateChanged { name: template.name, found: template.version })
        }
        _ => Ok(template),
    }
}

fn template_in(row: &Row<'_>) -> sql::Result<Template> {
    let body: String = row.get("body")?;
    Ok(Template {
        id: row.get("id")?,
        name: row.get("name")?,
        body: serde_json::from_str(&body).map_err(|error| sql::Error::value(3, error))?,
        version: row.get("version")?,
        created_ms: Timestamp(row.get("created_ms")?),
        updated_ms: Timestamp(row.get("updated_ms")?),
    })
}

fn checked_name(given: &str) -> Result<String, StoreError> {
    let name = clean(given);
    let length = name.chars().count();
    match (1..=NAME_CHARS).contains(&length) && !name.chars().any(char::is_control) {
        true => Ok(name),
        false => {
            let problem = message!("store-template-name", %length);
            let hint = message!("store-template-name-hint", name_chars = %NAME_CHARS);
            Err(invalid("name", problem, hint))
        }
    }
}

fn checked_body(body: &Value) -> Result<String, StoreError> {
    let text = body.to_string();
    match text.len() <= BODY_BYTES {
        true => Ok(text),
        false => {
            let problem = message!("store-template-body", bytes = %text.len());
            Err(invalid("body", problem, message!("store-template-body-hint", body_bytes = %BODY_BYTES)))
        }
    }
}

fn invalid(field: &str, problem: Message, hint: Message) -> StoreError {
    let (field, problem, hint) = (format!("template.{field}"), problem.into(), hint.into());
    StoreError::Invalid(Refusal::Invalid { field, problem, hint })
}

fn taken(error: sql::Error, name: &str) -> StoreError {
    match error.kind() {
        ErrorKind::Constraint => StoreError::TemplateExists { name: name.to_owned() },
        _ => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn a_template_is_kept_changed_at_its_version_and_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(crate::testing::location(dir.path().join("meetings.db"))).unwrap();
        let now = Timestamp(7);
        let body = json!({ "topic": "周会", "rules": { "z": 1, "a": [1.5, null] } });
        let made = store.create_template("t1".to_owned(), " 周会 ", body.clone(), now).await.unwrap();
        assert_eq!((made.name.as_str(), made.version), ("周会", 1));
        assert_eq!(store.template("周会").await.unwrap(), made);
        assert_eq!(store.template("t1").await.unwrap().body, body);
        let again = store.create_template("t2".to_owned(), "周会", json!({}), now).await.unwrap_err();
        assert!(matches!(again, StoreError::TemplateExists { .. }), "{again}");

        let later = Timestamp(8);
        let changed = store.update_template("t1", "月会", json!(1), Some(1), later).await.unwrap();
        assert_eq!((changed.version, changed.created_ms, changed.updated_ms), (2, now, later));
        let late = store.update_template("t1", "年会", json!(2), Some(1), later).await.unwrap_err();
        assert!(matches!(late, StoreError::TemplateChanged { found: 2, .. }), "{late}");
        assert!(late.hint().contains("again"), "{}", late.hint());
        store.create_template("t2".to_owned(), "周会", json!({}), now).await.unwrap();
        let taken = store.update_template("t2", "月会", json!(2), None, later).await.unwrap_err();
        assert!(matches!(taken, StoreError::TemplateExists { .. }), "{taken}");
        assert_eq!(store.templates().await.unwrap().len(), 2);
        assert!(store.delete_template("t1", Some(1)).await.is_err());
        store.delete_template("t1", Some(2)).await.unwrap();
        let gone = store.template("月会").await.unwrap_err();
        assert!(matches!(gone, StoreError::NoSuchTemplate { .. }), "{gone}");
        for name in ["", "two\nlines", &"长".repeat(101)] {
            let refused = store.create_template("t3".to_owned(), name, json!({}), now).await.unwrap_err();
            assert!(matches!(refused, StoreError::Invalid(_)), "{refused}");
        }
    }
}
