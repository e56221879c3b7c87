//! The conditions of a query, put together from the filters that are set.

use rusqlite::types::{ToSql, Value};

/// The conditions of a query, all of which must hold, with the values they speak of.
#[derive(Default)]
pub(crate) struct Conditions {
    sql: String,
    values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition. Each `?` in it takes the next of the values.
    pub(crate) fn add(&mut self, sql: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(if self.sql.is_empty() { " WHERE " } else { " AND " });
        self.sql.push_str(sql);
        self.values.extend(values);
    }

    /// Adds a condition on one value, where there is one.
    pub(crate) fn maybe<T: Into<Value>>(&mut self, sql: &str, value: Option<T>) {
        if let Some(value) = value {
            self.add(sql, [value.into()]);
        }
    }

    /// Adds that a column is one of these texts; none given means any.
    pub(crate) fn one_of<'a>(&mut self, column: &str, texts: impl IntoIterator<Item = &'a str>) {
        let texts: Vec<Value> = texts.into_iter().map(|text| Value::from(text.to_owned())).collect();
        if !texts.is_empty() {
            let places = vec!["?"; texts.len()].join(", ");
            self.add(&format!("{column} IN ({places})"), texts);
        }
    }

    /// ` WHERE …`, or nothing.
    pub(crate) fn sql(&self) -> &str {
        &self.sql
    }

    /// The values, in the order of the question marks.
    pub(crate) fn values(&self) -> Vec<&dyn ToSql> {
        self.values.iter().map(|value| value as &dyn ToSql).collect()
    }
}

/// A pattern for `LIKE … ESCAPE '\'` that finds the text anywhere; nothing in it is a wildcard.
pub(crate) fn anywhere(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}
