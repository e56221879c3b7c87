//! The settings of scheduled backups: `[server.backup]` in the user's configuration.

use std::fmt;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use jiff::{Span, SpanRelativeTo};
use quorate_contract::Language;
use quorate_messages::text;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The shortest and the longest time from one backup to the next, in seconds.
const BOUNDS: (i64, i64) = (60, 366 * 24 * 60 * 60);

/// The number of backups that are kept if nothing else is set.
const KEEP: NonZeroU32 = NonZeroU32::new(7).unwrap();

/// The settings of scheduled backups. None are made without a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BackupOptions {
    /// The folder. It is made when it is not there; the folder above it has to be.
    pub folder: Option<PathBuf>,
    /// The time from one backup to the next.
    pub every: BackupInterval,
    /// The number of backups that are kept, the newest ones.
    pub keep: NonZeroU32,
}

impl Default for BackupOptions {
    fn default() -> Self {
        let every = BackupInterval(Duration::from_secs(24 * 60 * 60));
        Self { folder: None, every, keep: KEEP }
    }
}

impl BackupOptions {
    /// The same with a relative folder taken from the folder of the configuration file.
    #[must_use]
    pub fn beside(mut self, config: &Path) -> Self {
        self.folder = self.folder.map(|folder| config.parent().unwrap_or(Path::new("")).join(folder));
        self
    }
}

/// The time from one backup to the next, as people write it: `24h`, `30m`, `1d`, `PT12H`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BackupInterval(Duration);

impl BackupInterval {
    /// The time.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl FromStr for BackupInterval {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let wrong = || text!(Language::En, "common-decode-interval");
        let span: Span = text.trim().parse().map_err(|_| wrong())?;
        let length = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
        match (BOUNDS.0..=BOUNDS.1).contains(&length.as_secs()) {
            true => Ok(Self(Duration::from_secs(length.as_secs().unsigned_abs()))),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for BackupInterval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}s", self.0.as_secs())
    }
}

impl Serialize for BackupInterval {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BackupInterval {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_read_as_people_write_it() {
        for (text, seconds) in [
            ("24h", 86_400),
            ("1d", 86_400),
            ("30m", 1_800),
            ("90s", 90),
            ("PT12H", 43_200),
            ("1h 30m", 5_400),
            ("1w", 604_800),
        ] {
            let read: BackupInterval = text.parse().expect(text);
            assert_eq!(read.duration().as_secs(), seconds, "{text}");
            assert_eq!(read.to_string().parse(), Ok(read));
        }
        for text in ["", "24", "soon", "59s", "-1h", "367d", "1 month", "1y"] {
            assert!(text.parse::<BackupInterval>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_in_the_configuration_is_said() {
        let read = |text: &str| toml::from_str::<BackupOptions>(text);
        let options = read("folder = '/备份'\nevery = '12h'").expect("sound");
        assert_eq!((options.every.duration().as_secs(), options.keep.get()), (43_200, 7));
        let folder = |options: BackupOptions| options.beside(Path::new("/etc/quorate/config.toml")).folder;
        assert_eq!(folder(options).as_deref(), Some(Path::new("/备份")));
        let relative = read("folder = 'backups'").expect("sound");
        assert_eq!(folder(relative).as_deref(), Some(Path::new("/etc/quorate/backups")));
        for (text, said) in [
            ("every = 'x'", "such as 24h"),
            ("keep = 0", "nonzero"),
            ("keep = -1", "invalid value"),
            ("kept = 3", "unknown field"),
        ] {
            let error = read(text).expect_err(text).to_string();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
