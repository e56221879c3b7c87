//! Points in time as the files spell them: ISO 8601, written in UTC.

use quorate_contract::Timestamp;

const DAY_MS: i64 = 86_400_000;

/// `2026-03-01T08:30:00.000Z`.
pub(super) fn iso(at: Timestamp) -> String {
    let (days, ms) = (at.0.div_euclid(DAY_MS), at.0.rem_euclid(DAY_MS));
    let (year, month, day) = date(days);
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
}

/// Reads a date with a time of day; without a zone it is taken to be UTC. `None` when it is neither.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    let (day, rest) = text.split_once(['T', 't', ' '])?;
    let mut parts = day.splitn(3, '-').map(number);
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let days = days(year, month, day);
    if date(days) != (year, month, day) {
        return None; // the thirtieth of February
    }
    let at = rest.find(['Z', 'z', '+', '-']).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(at);
    Some(Timestamp((days * DAY_MS + time_of_day(clock)? - zone_ms(zone)?).max(0)))
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
        for ms in [0, 1, 951_782_400_000, 1_772_353_800_123, 4_102_444_799_999] {
            assert_eq!(parse(&iso(Timestamp(ms))), Some(Timestamp(ms)));
        }
        assert_eq!(iso(Timestamp(951_782_400_000)), "2000-02-29T00:00:00.000Z");
    }

    #[test]
    fn zones_and_fractions_are_understood() {
        let noon = parse("2026-03-01T12:00:00Z");
        assert!(noon.is_some());
        for same in ["2026-03-01 12:00", "2026-03-01T20:00:00+08:00", "2026-03-01T07:00:00.000000-0500"] {
            assert_eq!(parse(same), noon, "{same}");
        }
        for wrong in ["", "yesterday", "2026-02-30T00:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01T1:2:3:4Z"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
