//! The title and the origin of a fork, and what it took over.

use quorate_contract::{CarriedSpending, MeetingDetails, MeetingId, Timestamp};
use quorate_messages::text;
use serde::{Deserialize, Serialize};

use super::Meeting;

/// The meeting that a fork was made of, and what it took over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Forked {
    /// The original meeting.
    pub from: MeetingId,
    /// The sequence number of the last event that was taken over.
    pub at: u64,
    /// When the meeting was forked.
    pub since: Timestamp,
    /// The title; empty once the meeting was called otherwise, and in forks of older versions.
    pub title: String,
    /// What it took over.
    pub carried: CarriedSpending,
}

/// The event from which a meeting was forked, and what the fork took over.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ForkDetails {
    /// The original meeting.
    pub meeting: MeetingId,
    /// The sequence number of the last event that was taken over.
    pub seq: u64,
    /// When the meeting was forked.
    pub forked_at: Timestamp,
    /// What the fork took over from the original meeting; it counts towards the budgets.
    pub carried: CarriedSpending,
}

impl Meeting {
    /// The origin of a fork; `None` for other meetings.
    pub fn fork_origin(&self) -> Option<ForkDetails> {
        let Forked { from, at, since, title: _, carried } = self.forked.as_deref()?;
        Some(ForkDetails { meeting: from.clone(), seq: *at, forked_at: *since, carried: carried.clone() })
    }

    /// The title: its own, else the topic; a fork has one that tells it apart.
    pub fn title(&self) -> &str {
        match &self.forked {
            Some(forked) if !forked.title.is_empty() => &forked.title,
            Some(_) | None if !self.settings.details.title.is_empty() => &self.settings.details.title,
            Some(_) | None => &self.settings.topic,
        }
    }

    /// What the meeting is called, and how its times are shown; the title of a fork included.
    pub fn details(&self) -> MeetingDetails {
        let mut details = self.settings.details.clone();
        if let Some(forked) = self.forked.as_ref().filter(|forked| !forked.title.is_empty()) {
            details.title.clone_from(&forked.title);
        }
        details
    }

    /// The default title of a fork of this meeting.
    pub(crate) fn title_of_fork(&self) -> String {
        let mark = text!(self.language(), "records-fork");
        let (open, close) = mark.split_once('…').unwrap_or((mark, ""));
        let title = self.title();
        let marked = title.strip_suffix(close).and_then(|text| text.rsplit_once(open));
        match marked.map(|(before, number)| (before, number.trim(), number.trim().parse::<u32>())) {
            Some((before, "", _)) => format!("{before}{open} 2{close}"),
            Some((before, _, Ok(number))) => format!("{before}{open} {}{close}", number.saturating_add(1)),
            Some((_, _, Err(_))) | None => format!("{title}{open}{close}"),
        }
    }

    /// What a fork at this moment takes over.
    pub(crate) fn carries(&self) -> CarriedSpending {
        CarriedSpending {
            tokens: self.spent.usage.total(),
            cost_micros: self.spent.known_cost_micros(),
            ran_ms: self.ran_ms,
            calls: self.spent.calls,
            asked_anew: self.calls.keys().copied().collect(),
        }
    }
}
