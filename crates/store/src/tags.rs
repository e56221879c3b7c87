//! Tags of meetings, as they stand in a column and are looked for.

use crate::conditions::anywhere;
use crate::sql;
use crate::sql::Row;

/// The tags in a column; none where there is nothing.
pub(crate) fn tags_of(row: &Row<'_>, column: usize) -> sql::Result<Vec<String>> {
    let text: Option<String> = row.get(column)?;
    let read = |text: String| {
        serde_json::from_str(&text)
            .map_err(|_| sql::Error::value(column, format!("{text:?} is no list of tags")))
    };
    text.map_or_else(|| Ok(Vec::new()), read)
}

/// The tags as they are looked for: in lower case, each in a line of its own.
pub(crate) fn folded(tags: &[String]) -> String {
    match tags {
        [] => String::new(),
        tags => format!("\n{}\n", tags.iter().map(|tag| tag.to_lowercase()).collect::<Vec<_>>().join("\n")),
    }
}

/// The pattern by which meetings with a tag are found.
pub(crate) fn pattern(tag: &str) -> String {
    anywhere(&folded(&[tag.to_owned()]))
}
