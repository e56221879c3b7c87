//! How a list is answered: its items, and a cursor for the page after them.

use quorate_messages::message;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ItemPage<T> {
    /// The items of this page.
    pub(crate) items: Vec<T>,
    /// The `cursor` of the next page; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

impl<T> ItemPage<T> {
    /// A list that fits on one page.
    pub(crate) fn whole(items: impl IntoIterator<Item = T>) -> Self {
        Self { items: items.into_iter().collect(), next_cursor: None }
    }
}

/// One page of a list that belongs to a meeting.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MeetingItems<T> {
    /// The items of this page.
    pub(crate) items: Vec<T>,
    /// The `cursor` of the next page; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
    /// The sequence number of the last event that the list reflects.
    pub(crate) last_seq: u64,
}

impl<T> MeetingItems<T> {
    /// A list that fits on one page.
    pub(crate) fn whole(items: impl IntoIterator<Item = T>, last_seq: u64) -> Self {
        Self { items: items.into_iter().collect(), next_cursor: None, last_seq }
    }
}

/// How many items a page may have.
pub(crate) fn limit(given: Option<u32>, usual: u32, most: u32) -> Result<u32, Problem> {
    match given.unwrap_or(usual) {
        limit if (1..=most).contains(&limit) => Ok(limit),
        limit => {
            let detail = message!("server-limit", %limit);
            Err(Problem::invalid("limit", detail, message!("server-limit-hint", %most)))
        }
    }
}
