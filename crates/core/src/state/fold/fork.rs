//! A fork: what it takes over, and that it makes no call by itself.

use std::sync::Arc;

use quorate_contract::{CarriedSpending, EventBody, MeetingId, Timestamp};

use crate::state::{Forked, Meeting};

pub(super) fn forked(
    m: &mut Meeting,
    at: Timestamp,
    from: &MeetingId,
    until: u64,
    title: &str,
    carried: Option<&CarriedSpending>,
) {
    if carried.is_some() {
        // What was being asked is asked in the other meeting; here it is open again.
        m.calls.clear();
        m.held = true;
        Arc::make_mut(&mut m.settings).created_at = at;
    }
    m.forked = Some(Arc::new(Forked {
        from: from.clone(),
        at: until,
        since: at,
        title: title.to_owned(),
        carried: carried.cloned().unwrap_or_default(),
    }));
}

/// Releases a fork when it is resumed or gets a request: from here on it runs as any other meeting.
pub(super) fn release(m: &mut Meeting, body: &EventBody) {
    let asks = matches!(
        body,
        EventBody::Resume { .. }
            | EventBody::MeetingStarted { .. }
            | EventBody::EndRequested { .. }
            | EventBody::MinutesRequested { .. }
            | EventBody::ArtifactRequested { .. }
            | EventBody::ParticipantInvited { .. }
            | EventBody::MeetingClosing { .. }
    );
    m.held &= !asks;
}
