//! Templates: meetings that are asked for again and again.

use quorate_contract::Timestamp;
use quorate_store::{StoreError, Template};
use serde_json::Value;

use super::App;

impl App {
    /// All templates.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn templates(&self) -> Result<Vec<Template>, StoreError> {
        self.store().templates().await
    }

    /// One template, by its id or name.
    ///
    /// # Errors
    /// When there is none.
    pub async fn template(&self, name: &str) -> Result<Template, StoreError> {
        self.store().template(name).await
    }

    /// Creates a template.
    ///
    /// # Errors
    /// When another template has the name, or the name is invalid.
    pub async fn create_template(
        &self,
        name: &str,
        body: Value,
        now: Timestamp,
    ) -> Result<Template, StoreError> {
        self.store().create_template(uuid::Uuid::now_v7().to_string(), name, body, now).await
    }

    /// Replaces a template; with `expected`, only when it is still at this version.
    ///
    /// # Errors
    /// When there is none, it was changed meanwhile, or another one has the name.
    pub async fn update_template(
        &self,
        id: &str,
        name: &str,
        body: Value,
        expected: Option<u64>,
        now: Timestamp,
    ) -> Result<Template, StoreError> {
        self.store().update_template(id, name, body, expected, now).await
    }

    /// Deletes a template; with `expected`, only when it is still at this version.
    ///
    /// # Errors
    /// When there is none, or it was changed meanwhile.
    pub async fn delete_template(&self, id: &str, expected: Option<u64>) -> Result<(), StoreError> {
        self.store().delete_template(id, expected).await
    }
}
