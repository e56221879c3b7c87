//! What is known about the vendors of models: a table of data, `vendors.toml`, that ships with the
//! program.

use std::sync::LazyLock;

use serde::Deserialize;
use url::Url;

use crate::provider::{Structured, WireFormat};

/// A vendor's API, as far as it is the same for everybody.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vendor {
    /// By which it is chosen, and what its provider is called when nothing else is said.
    pub name: String,
    /// What people call it.
    pub title: String,
    /// The format in which it speaks.
    pub wire: WireFormat,
    /// Where its API begins.
    pub base_url: Url,
    /// The environment variables that its own tools read the key from, the usual one first; none for
    /// a server that wants no key.
    #[serde(default)]
    pub key_env: Vec<String>,
    /// The environment variables that its own tools read the address from.
    #[serde(default)]
    pub base_url_env: Vec<String>,
    /// How answers are held to a schema.
    #[serde(default)]
    pub structured: Structured,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    vendor: Vec<Vendor>,
}

static VENDORS: LazyLock<Vec<Vendor>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("vendors.toml")).expect("a test reads this table");
    table.vendor
});

/// All vendors that are known.
pub fn vendors() -> &'static [Vendor] {
    &VENDORS
}

/// The vendor of this name.
pub fn vendor(name: &str) -> Option<&'static Vendor> {
    vendors().iter().find(|vendor| vendor.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read_and_each_name_is_one_of_its_own() {
        let mut names: Vec<&str> = vendors().iter().map(|vendor| vendor.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), vendors().len());
        assert!(vendors().iter().all(|vendor| vendor.base_url.host().is_some()));
    }
}
