//! What a meeting is called and how its times are shown. No participant reads any of it.

use std::fmt;

use quorate_messages::{Language, message, text};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::rules::{DESCRIPTION_MAX_CHARS, TITLE_MAX_CHARS};
use crate::text::clean;
use crate::text_bounds::{invalid, length};

/// What a meeting is called, and how its times are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct MeetingDetails {
    /// The title, at most 200 characters; the topic when empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// What the meeting is for, in a line of at most 200 characters; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// How its times are shown.
    #[serde(skip_serializing_if = "TimeDisplay::is_default")]
    pub display: TimeDisplay,
}

impl MeetingDetails {
    /// Whether nothing is set.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The same with texts on one line and within their bounds.
    ///
    /// # Errors
    /// When a text is too long; the field is named.
    pub fn checked(self) -> Result<Self, Refusal> {
        let (title, description) = (one_line(&self.title), one_line(&self.description));
        length("title", &title, 0, TITLE_MAX_CHARS)?;
        length("description", &description, 0, DESCRIPTION_MAX_CHARS)?;
        Ok(Self { title, description, display: self.display })
    }
}

fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How times are shown. What is `None` is left to the reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TimeDisplay {
    /// The time zone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<TimeZoneName>,
    /// Whether hours are counted to 12 or to 24.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_format: Option<TimeFormat>,
    /// The pattern of dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<DateFormat>,
}

impl TimeDisplay {
    /// Whether nothing is set.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// The clock that times are read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum TimeFormat {
    /// 1 to 12, before and after noon.
    #[serde(rename = "12h")]
    TwelveHours,
    /// 0 to 23.
    #[serde(rename = "24h")]
    TwentyFourHours,
}

impl TimeFormat {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::TwelveHours, Self::TwentyFourHours];

    /// The word for it, as in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TwelveHours => "12h",
            Self::TwentyFourHours => "24h",
        }
    }

    /// Reads the word.
    ///
    /// # Errors
    /// When it is another; `field` names the input.
    pub fn read(field: &str, text: &str) -> Result<Self, Refusal> {
        Self::ALL.into_iter().find(|one| one.as_str() == text.trim()).ok_or_else(|| {
            let given: String = text.chars().take(40).collect();
            let problem = message!("contract-display-no-time-format", %given);
            invalid(field, problem, message!("contract-display-no-time-format-hint"))
        })
    }
}

/// The name of a time zone in the IANA database, such as `Asia/Shanghai`. The name is well formed; whether the database
/// has it is checked where it is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, example = "Asia/Shanghai"))]
#[serde(try_from = "String", into = "String")]
pub struct TimeZoneName(String);

/// The longest name of a time zone, in characters. The longest in the database has 32.
const ZONE_MAX_CHARS: usize = 64;

impl TimeZoneName {
    /// Reads a name.
    ///
    /// # Errors
    /// When it cannot be the name of a time zone; `field` names the input.
    pub fn read(field: &str, text: &str) -> Result<Self, Refusal> {
        Self::well_formed(text.trim()).ok_or_else(|| Self::unknown(field, text))
    }

    /// UTC.
    pub fn utc() -> Self {
        Self("UTC".to_owned())
    }

    /// The refusal of a name that no time zone has.
    pub fn unknown(field: &str, text: &str) -> Refusal {
        let given: String = text.chars().take(ZONE_MAX_CHARS).collect();
        let problem = message!("contract-display-no-time-zone", %given);
        invalid(field, problem, message!("contract-display-no-time-zone-hint"))
    }

    fn well_formed(text: &str) -> Option<Self> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/');
        let parts = text.split('/').all(|part| !part.is_empty());
        let begins = text.starts_with(|first: char| first.is_ascii_alphabetic());
        let fits = text.len() <= ZONE_MAX_CHARS && text.bytes().all(plain);
        (fits && parts && begins).then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TimeZoneName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::well_formed(&text).ok_or_else(|| text!(Language::En, "common-decode-time-zone"))
    }
}

impl From<TimeZoneName> for String {
    fn from(name: TimeZoneName) -> Self {
        name.0
    }
}

impl fmt::Display for TimeZoneName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The pattern of dates, such as `yyyy-MM-dd`: year (`yyyy`, `yy`), month (`MM`, `M`) and day (`dd`, `d`) once each, in any
/// order, with `-`, `/`, `.`, `,`, blanks and 年月日 between and after them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(value_type = String, example = "yyyy-MM-dd"))]
#[serde(try_from = "String", into = "String")]
pub struct DateFormat(String);

/// The longest pattern, in characters.
const PATTERN_MAX_CHARS: usize = 20;

impl Default for DateFormat {
    fn default() -> Self {
        Self("yyyy-MM-dd".to_owned())
    }
}

impl DateFormat {
    /// Reads a pattern.
    ///
    /// # Errors
    /// When it is none; `field` names the input.
    pub fn read(field: &str, text: &str) -> Result<Self, Refusal> {
        Self::well_formed(text.trim()).ok_or_else(|| {
            let given: String = text.chars().take(40).collect();
            let problem = message!("contract-display-no-date-format", %given);
            invalid(field, problem, message!("contract-display-no-date-format-hint"))
        })
    }

    fn well_formed(text: &str) -> Option<Self> {
        if text.chars().count() > PATTERN_MAX_CHARS {
            return None;
        }
        let (mut year, mut month, mut day) = (0, 0, 0);
        for (letter, length) in runs(text) {
            match (letter, length) {
                ('y', 2 | 4) => year += 1,
                ('M', 1 | 2) => month += 1,
                ('d', 1 | 2) => day += 1,
                ('-' | '/' | '.' | ',' | ' ' | '年' | '月' | '日', _) => {}
                _ => return None,
            }
        }
        ((year, month, day) == (1, 1, 1)).then(|| Self(text.to_owned()))
    }

    /// The pattern.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A date by this pattern.
    pub fn of(&self, year: i32, month: u8, day: u8) -> String {
        let mut date = String::new();
        for (letter, length) in runs(&self.0) {
            date.push_str(&match (letter, length) {
                ('y', 2) => format!("{:02}", year.rem_euclid(100)),
                ('y', _) => format!("{year:04}"),
                ('M', 2) => format!("{month:02}"),
                ('M', _) => month.to_string(),
                ('d', 2) => format!("{day:02}"),
                ('d', _) => day.to_string(),
                (other, length) => other.to_string().repeat(length),
            });
        }
        date
    }
}

impl TryFrom<String> for DateFormat {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::well_formed(&text).ok_or_else(|| text!(Language::En, "common-decode-date-pattern"))
    }
}

impl From<DateFormat> for String {
    fn from(format: DateFormat) -> Self {
        format.0
    }
}

impl fmt::Display for DateFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Each run of one character, with its length.
fn runs(text: &str) -> Vec<(char, usize)> {
    let mut runs: Vec<(char, usize)> = Vec::new();
    for letter in text.chars() {
        match runs.last_mut() {
            Some((last, length)) if *last == letter => *length += 1,
            _ => runs.push((letter, 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_written_by_its_pattern() {
        let written = |pattern: &str| DateFormat::read("date_format", pattern).expect(pattern).of(2026, 3, 7);
        for (pattern, date) in [
            ("yyyy-MM-dd", "2026-03-07"),
            ("d.M.yyyy", "7.3.2026"),
            ("MM/dd/yy", "03/07/26"),
            ("yyyy年M月d日", "2026年3月7日"),
            (" yyyyMMdd ", "20260307"),
        ] {
            assert_eq!(written(pattern), date);
        }
    }

    #[test]
    fn what_is_no_pattern_of_a_date_is_refused() {
        let long = format!("yyyy-MM-dd{}", " ".repeat(20)) + ".";
        for wrong in [
            "",
            "yyyy",
            "yyyy-MM",
            "yyyy-MM-dd-dd",
            "yyy-MM-dd",
            "yyyy-MMM-dd",
            "%Y-%m-%d",
            "yyyy-MM-dd<b>",
            &long,
        ] {
            assert!(DateFormat::read("date_format", wrong).is_err(), "{wrong:?}");
            assert!(serde_json::from_value::<DateFormat>(wrong.into()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn the_name_of_a_zone_leads_to_no_file() {
        for name in
            ["Asia/Shanghai", "UTC", "Etc/GMT+8", "America/Argentina/Buenos_Aires", "America/Port-au-Prince"]
        {
            assert_eq!(TimeZoneName::read("time_zone", name).expect(name).as_str(), name);
        }
        let long = "A".repeat(65);
        for wrong in
            ["", "/etc/passwd", "../UTC", "Asia/../UTC", "Asia//Tokyo", "Asia/", "+08:00", "上海", &long]
        {
            assert!(TimeZoneName::read("time_zone", wrong).is_err(), "{wrong:?}");
            assert!(serde_json::from_value::<TimeZoneName>(wrong.into()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_meeting_without_details_says_nothing_of_them() {
        assert_eq!(serde_json::to_value(MeetingDetails::default()).expect("plain"), serde_json::json!({}));
        let given = MeetingDetails { title: " Store\n choice ".into(), ..MeetingDetails::default() };
        assert_eq!(given.checked().expect("short").title, "Store choice");
        let given = MeetingDetails { description: "x".repeat(201), ..MeetingDetails::default() };
        assert!(matches!(given.checked(), Err(Refusal::Invalid { field, .. }) if field == "description"));
    }
}
