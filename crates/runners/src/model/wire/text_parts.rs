//! Texts of a message, which are not copied into one before they are written.

use std::fmt;

use serde::ser::{Serialize, Serializer};

/// Texts with a blank line between them, joined only while they are written.
pub(crate) struct TextParts<'a>(pub(crate) Vec<&'a str>);

impl fmt::Display for TextParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, text) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str("\n\n")?;
            }
            f.write_str(text)?;
        }
        Ok(())
    }
}

impl Serialize for TextParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [text] => serializer.serialize_str(text),
            _ => serializer.collect_str(self),
        }
    }
}
