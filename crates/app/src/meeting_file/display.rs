//! How times are shown, as people write it, checked against the database of time zones.

use jiff::tz::TimeZone;
use quorate_contract::{DateFormat, Refusal, TimeDisplay, TimeFormat, TimeZoneName};
use serde::{Deserialize, Serialize};

/// How the times of a meeting are shown; what is left out is left to each reader.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct DisplayEntry {
    /// The IANA name of a time zone: `Asia/Shanghai`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 64))]
    pub time_zone: Option<String>,
    /// `12h` or `24h`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<TimeFormat>))]
    pub time_format: Option<String>,
    /// The pattern of dates, such as `yyyy-MM-dd`: year (`yyyy`, `yy`), month (`MM`, `M`) and day (`dd`, `d`) once each, with
    /// `-`, `/`, `.`, `,`, blanks and 年月日 between them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(max_length = 20))]
    pub date_format: Option<String>,
}

impl DisplayEntry {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same with checked values.
    ///
    /// # Errors
    /// When one of them is none; `display.time_zone` and so on name it.
    pub fn checked(&self) -> Result<TimeDisplay, Refusal> {
        let zone = self.time_zone.as_deref().map(|text| time_zone("display.time_zone", text));
        let format = self.time_format.as_deref().map(|text| TimeFormat::read("display.time_format", text));
        let date = self.date_format.as_deref().map(|text| DateFormat::read("display.date_format", text));
        Ok(TimeDisplay {
            time_zone: zone.transpose()?,
            time_format: format.transpose()?,
            date_format: date.transpose()?,
        })
    }
}

/// The time zone of a name, spelled as the database spells it.
///
/// # Errors
/// When there is none; `field` names the input.
pub fn time_zone(field: &str, text: &str) -> Result<TimeZoneName, Refusal> {
    let name = TimeZoneName::read(field, text)?;
    let unknown = || TimeZoneName::unknown(field, text);
    let zone = TimeZone::get(name.as_str()).map_err(|_| unknown())?;
    let spelled = zone.iana_name().filter(|_| !zone.is_unknown()).ok_or_else(unknown)?;
    TimeZoneName::read(field, spelled)
}

/// Whether there is a time zone of this name.
pub(crate) fn is_time_zone(name: &TimeZoneName) -> bool {
    time_zone("", name.as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_known_by_its_name_in_any_case() {
        let spelled = |text: &str| time_zone("time_zone", text).map(|zone| zone.to_string()).ok();
        for (text, name) in [
            ("Asia/Shanghai", "Asia/Shanghai"),
            (" asia/shanghai ", "Asia/Shanghai"),
            ("UTC", "UTC"),
            ("America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
        ] {
            assert_eq!(spelled(text).as_deref(), Some(name), "{text}");
        }
        for wrong in ["Mars/Olympus", "Etc/Unknown", "EST5EDT,M3.2.0", "../../etc/passwd", ""] {
            assert_eq!(spelled(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let entry = |field: &str, value: &str| -> DisplayEntry {
            serde_json::from_value(serde_json::json!({ field: value })).expect("a text")
        };
        for (field, value) in [("time_zone", "Mars/Olympus"), ("time_format", "13h"), ("date_format", "soon")]
        {
            let refusal = entry(field, value).checked().expect_err("wrong");
            assert!(
                matches!(refusal, Refusal::Invalid { field: named, .. } if named == format!("display.{field}"))
            );
        }
        assert!(entry("date_format", "d.M.yyyy").checked().is_ok());
    }
}
