//! The written form of a moment: RFC 3339 in UTC, with milliseconds.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::ids::Timestamp;

const DAY_MS: i64 = 86_400_000;
/// The first and the last millisecond that RFC 3339 can write: the years 0 to 9999.
const BOUNDS: (i64, i64) = (-62_167_219_200_000, 253_402_300_799_999);

impl Timestamp {
    /// The moment in RFC 3339: `2026-03-01T08:30:00.000Z`. Moments outside the years 0 to 9999 become the
    /// nearest one within.
    pub fn to_rfc3339(self) -> String {
        let at = self.0.clamp(BOUNDS.0, BOUNDS.1);
        let (days, ms) = (at.div_euclid(DAY_MS), at.rem_euclid(DAY_MS));
        let (year, month, day) = date(days);
        let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
    }

    /// Reads RFC 3339, which has seconds and a zone. `None` for anything else.
    pub fn parse_rfc3339(text: &str) -> Option<Self> {
        let (_, clock) = text.split_once(['T', 't'])?;
        let (clock, zone) = clock.split_at(clock.find(['Z', 'z', '+', '-'])?);
        let whole = clock.split(':').count() == 3 && (zone.len() == 1 || zone.contains(':'));
        let widths = text.split(['-', 'T', 't']).zip([4, 2, 2]).all(|(part, width)| part.len() == width);
        let clock_widths = clock.split([':', '.']).take(3).all(|part| part.len() == 2);
        if whole && widths && clock_widths { Self::parse_lenient(text) } else { None }
    }

    /// Reads a date with a time of day; without a zone it is taken to be UTC. `None` when it is neither.
    pub fn parse_lenient(text: &str) -> Option<Self> {
        let text = text.trim();
        let (day, rest) = text.split_once(['T', 't', ' '])?;
        let mut parts = day.splitn(3, '-').map(number);
        let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
        if !(0..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return None;
        }
        let days = days(year, month, day);
        if date(days) != (year, month, day) {
            return None; // the thirtieth of February
        }
        let at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
        let (clock, zone) = rest.split_at(at);
        Some(Self(days * DAY_MS + time_of_day(clock)? - zone_ms(zone)?))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_rfc3339())
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Reader)
    }
}

/// Reads RFC 3339, and milliseconds as they were stored before.
struct Reader;

impl de::Visitor<'_> for Reader {
    type Value = Timestamp;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a time like 2026-03-01T08:30:00Z (RFC 3339)")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
        Timestamp::parse_rfc3339(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }

    fn visit_i64<E: de::Error>(self, ms: i64) -> Result<Timestamp, E> {
        Ok(Timestamp(ms))
    }

    fn visit_u64<E: de::Error>(self, ms: u64) -> Result<Timestamp, E> {
        i64::try_from(ms).map(Timestamp).map_err(|_| E::invalid_value(de::Unexpected::Unsigned(ms), &self))
    }
}

/// A moment as the number of milliseconds since 1970 UTC: `ts_ms` in the envelope of events.
pub mod milliseconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use crate::ids::Timestamp;

    /// Writes the number.
    ///
    /// # Errors
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        at.0.serialize(to)
    }

    /// Reads the number.
    ///
    /// # Errors
    /// When it is not a whole number of 64 bits.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        i64::deserialize(from).map(Timestamp)
    }
}

fn time_of_day(clock: &str) -> Option<i64> {
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let mut parts = clock.split(':').map(number);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 || fraction.len() > 12 {
        return None;
    }
    number(fraction)?;
    let ms: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(((hour * 60 + minute) * 60 + second) * 1000 + ms)
}

fn zone_ms(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None | Some('Z' | 'z') => return (zone.len() <= 1).then_some(0),
        Some('-') => -1,
        Some(_) => 1,
    };
    let digits = zone.get(1..)?.replace(':', "");
    let (hour, minute) = match digits.len() {
        2 => (number(&digits)?, 0),
        4 => (number(digits.get(..2)?)?, number(digits.get(2..)?)?),
        _ => return None,
    };
    (hour <= 18 && minute < 60).then_some(sign * (hour * 60 + minute) * 60_000)
}

/// A few digits and nothing else.
fn number(text: &str) -> Option<i64> {
    let digits = (1..=12).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// Days since 1970 of a date, by the proleptic Gregorian calendar (Hinnant, days_from_civil).
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The date of a day since 1970.
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_as_it_was_written() {
        for ms in [0, 1, -1, 951_782_400_000, 1_772_353_800_123, BOUNDS.0, BOUNDS.1] {
            let at = Timestamp(ms);
            assert_eq!(Timestamp::parse_rfc3339(&at.to_rfc3339()), Some(at), "{}", at.to_rfc3339());
            assert_eq!(serde_json::from_value::<Timestamp>(serde_json::json!(at)).expect("a moment"), at);
        }
        assert_eq!(Timestamp(i64::MAX).to_rfc3339(), "9999-12-31T23:59:59.999Z");
        assert_eq!(Timestamp(i64::MIN).to_rfc3339(), "0000-01-01T00:00:00.000Z");
    }

    #[test]
    fn only_rfc_3339_is_taken_from_strangers() {
        for text in ["2026-03-01T08:30:00Z", "2026-03-01t08:30:00.5z", "2026-03-01T16:30:00+08:00"] {
            assert!(Timestamp::parse_rfc3339(text).is_some(), "{text}");
        }
        for text in [
            "",
            "2026-03-01",
            "2026-03-01T08:30Z",
            "2026-03-01T08:30:00",
            "2026-03-01T08:30:00+0800",
            "26-03-01T08:30:00Z",
            "2026-02-30T08:30:00Z",
            "2026-3-1T08:30:00Z",
            "1772353800123",
        ] {
            assert_eq!(Timestamp::parse_rfc3339(text), None, "{text}");
        }
    }

    #[test]
    fn milliseconds_of_older_logs_are_read() {
        assert_eq!(
            serde_json::from_str::<Timestamp>("1772353800123").expect("a number"),
            Timestamp(1_772_353_800_123)
        );
        assert!(serde_json::from_str::<Timestamp>("1.5").is_err());
    }
}
