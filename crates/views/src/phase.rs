//! The phase and the origin of a meeting, in words.

use quorate_contract::{CarriedSpending, Language};
use quorate_core::{ForkDetails, Meeting, Phase};
use quorate_messages::text;

/// The phase in words.
pub fn phase_text(m: &Meeting) -> &'static str {
    let language = m.language();
    match &m.phase {
        Phase::Blank | Phase::Draft => text!(language, "views-phase-draft"),
        _ if m.is_paused() => text!(language, "views-phase-paused"),
        Phase::Preparation => text!(language, "views-phase-preparing"),
        Phase::Discussion => text!(language, "views-phase-discussion"),
        Phase::Summary => text!(language, "views-phase-summing-up"),
        Phase::Ballot => text!(language, "views-phase-ballot"),
        Phase::Facilitation => text!(language, "views-phase-facilitation"),
        Phase::Closing { .. } => text!(language, "views-phase-closing"),
        Phase::Ended { .. } => text!(language, "views-phase-ended"),
    }
}

/// The origin of a fork and what it took over, in a sentence.
pub fn fork_text(language: Language, origin: &ForkDetails) -> String {
    let ForkDetails { meeting, seq, forked_at: _, carried } = origin;
    let CarriedSpending { tokens, cost_micros, ran_ms, calls, asked_anew: _ } = carried;
    let cost = match cost_micros {
        Some(micros) => {
            let cost = *micros as f64 / 1e6;
            text!(language, "views-phase-cost", cost = %format_args!("{:.4}", cost))
        }
        None => text!(language, "views-phase-cost-unknown").to_owned(),
    };
    let seconds = ran_ms.div_ceil(1000);
    text!(language, "views-phase-forked-from-meeting-after-event", %meeting, %seq, calls = *calls, %tokens, %cost, %seconds)
}
