//! Validation of a change of rules.

use quorate_contract::{Refusal, Rules, check_lengths, check_price, check_rules};

use crate::state::Meeting;

/// Checks that these rules may replace the present ones.
pub(crate) fn check_changed(meeting: &Meeting, rules: &Rules) -> Result<(), Refusal> {
    check_rules(rules)?;
    check_lengths(rules, meeting.seats.iter().map(|seat| seat.participant.name.as_str()))?;
    let seated = meeting.present().map(|seat| &seat.participant.runner);
    let offered = meeting.settings.models.iter().map(|offer| &offer.runner);
    let facilitator = meeting.settings.facilitator.iter().map(|facilitator| &facilitator.runner);
    let mut all = seated.chain(facilitator).chain(offered);
    all.try_for_each(|runner| check_price(rules, runner))
}
