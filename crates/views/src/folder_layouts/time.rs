//! Points in time as the files spell them: ISO 8601, written in UTC.

use quorate_contract::Timestamp;

/// A time in ISO 8601: `2026-03-01T08:30:00.000Z`.
pub(super) fn iso(at: Timestamp) -> String {
    at.to_rfc3339()
}

/// Reads a date with a time of day; without a zone it is taken to be UTC. `None` when it is neither, or before 1970.
pub(super) fn parse(text: &str) -> Option<Timestamp> {
    let year = text.trim().split('-').next()?.parse::<u32>().ok()?;
    if year < 1970 { None } else { Timestamp::parse_lenient(text).map(|at| at.max(Timestamp(0))) }
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
