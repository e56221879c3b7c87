//! How times are written: in which zone, by which clock, in which order of a date.

use jiff::Zoned;
use jiff::tz::TimeZone;
use quorate_contract::{DateFormat, Language, TimeDisplay, TimeFormat, Timestamp};
use quorate_core::Meeting;
use quorate_messages::text;

/// How times are written; in UTC, by 24 hours, as `yyyy-MM-dd` when nothing else is chosen.
#[derive(Debug, Clone)]
pub struct Times {
    zone: TimeZone,
    format: TimeFormat,
    date: DateFormat,
    language: Language,
}

impl Default for Times {
    fn default() -> Self {
        let (format, date) = (TimeFormat::TwentyFourHours, DateFormat::default());
        Self { zone: TimeZone::UTC, format, date, language: Language::default() }
    }
}

impl Times {
    /// Those of this machine's time zone, or of Shanghai's when it is not known.
    pub fn of_machine() -> Self {
        let zone = TimeZone::try_system().or_else(|_| TimeZone::get("Asia/Shanghai"));
        Self { zone: zone.unwrap_or(TimeZone::UTC), ..Self::default() }
    }

    /// Those that a meeting chose, and this machine's where it chose nothing.
    pub fn of_meeting(meeting: &Meeting) -> Self {
        Self::of_machine().with(&meeting.settings.details.display, meeting.language())
    }

    /// These with others laid over them. A zone that this program does not know is left out.
    fn with(self, display: &TimeDisplay, language: Language) -> Self {
        let zone = display.time_zone.as_ref().and_then(|name| TimeZone::get(name.as_str()).ok());
        Self {
            zone: zone.unwrap_or(self.zone),
            format: display.time_format.unwrap_or(self.format),
            date: display.date_format.clone().unwrap_or(self.date),
            language,
        }
    }

    /// The time of a moment as `09:30:05`; a dash when it is out of all range.
    pub fn clock(&self, moment: Timestamp) -> String {
        self.at(moment).map_or_else(dash, |at| self.time(&at, &format!(":{:02}", at.second())))
    }

    /// A moment as `2026-11-22 09:30`; a dash when it is out of all range.
    pub fn tell(&self, moment: Timestamp) -> String {
        self.at(moment).map_or_else(dash, |at| {
            let (year, month, day) = (at.year(), at.month().unsigned_abs(), at.day().unsigned_abs());
            format!("{} {}", self.date.of(year.into(), month, day), self.time(&at, ""))
        })
    }

    fn at(&self, moment: Timestamp) -> Option<Zoned> {
        let at = jiff::Timestamp::from_millisecond(moment.0).ok()?;
        Some(at.to_zoned(self.zone.clone()))
    }

    fn time(&self, at: &Zoned, seconds: &str) -> String {
        let (hour, minute) = (at.hour(), at.minute());
        match self.format {
            TimeFormat::TwentyFourHours => format!("{hour:02}:{minute:02}{seconds}"),
            TimeFormat::TwelveHours => {
                let time = format!("{}:{minute:02}{seconds}", (hour + 11) % 12 + 1);
                match hour < 12 {
                    true => text!(self.language, "print-times-before-noon", %time),
                    false => text!(self.language, "print-times-after-noon", %time),
                }
            }
        }
    }
}

fn dash() -> String {
    "—".to_owned()
}

#[cfg(test)]
mod tests {
    use quorate_contract::TimeZoneName;

    use super::*;

    fn times(zone: &str, format: TimeFormat, date: &str, language: Language) -> Times {
        let display = TimeDisplay {
            time_zone: Some(TimeZoneName::read("", zone).expect("a name")),
            time_format: Some(format),
            date_format: Some(DateFormat::read("", date).expect("a pattern")),
        };
        Times::default().with(&display, language)
    }

    /// 2026-03-01 00:05:09 UTC.
    const MOMENT: Timestamp = Timestamp(1_772_323_509_000);

    #[test]
    fn a_moment_is_told_as_was_chosen() {
        use TimeFormat::{TwelveHours, TwentyFourHours};
        let plain = Times::default();
        assert_eq!((plain.tell(MOMENT), plain.clock(MOMENT)), ("2026-03-01 00:05".into(), "00:05:09".into()));
        let here = times("Asia/Shanghai", TwelveHours, "yyyy年M月d日", Language::Zh);
        assert_eq!(
            (here.tell(MOMENT), here.clock(MOMENT)),
            ("2026年3月1日 上午8:05".into(), "上午8:05:09".into())
        );
        let there = times("America/New_York", TwelveHours, "M/d/yy", Language::En);
        assert_eq!(
            (there.tell(MOMENT), there.clock(MOMENT)),
            ("2/28/26 7:05 PM".into(), "7:05:09 PM".into())
        );
        let night = times("UTC", TwelveHours, "dd.MM.yyyy", Language::En);
        assert_eq!(night.tell(MOMENT), "01.03.2026 12:05 AM");
        let gone = times("Nowhere/Else", TwentyFourHours, "yyyy-MM-dd", Language::En);
        assert_eq!(gone.tell(MOMENT), "2026-03-01 00:05", "a zone that is not known is left out");
        assert_eq!(plain.tell(Timestamp(i64::MAX)), "—");
    }
}
