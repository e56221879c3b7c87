//! Secrets in files: of what is read only stays whether there was one, and none is written.

use serde::{Deserialize, Deserializer, Serializer};

pub(super) fn forget<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.is_some_and(|text| !text.is_empty()))
}

pub(super) fn as_text<S: Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str("")
}

pub(super) fn as_null<S: Serializer>(_: &bool, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_none()
}
