//! A meeting as a response shows it: the view of its log, and what no event tells.

use quorate_app::damage_view;
use quorate_contract::{Language, MeetingId};
use quorate_core::Meeting;
use quorate_views::{FaultView, MeetingView, Viewer};

use crate::state::ServerState;

/// The meeting with its last `messages` messages.
pub(crate) fn meeting_view(
    server: &ServerState,
    m: &Meeting,
    viewer: Viewer,
    messages: usize,
    language: Language,
) -> MeetingView {
    let mut view = MeetingView::of(m, viewer, messages).named();
    view.off_record = server.app().is_off_record(&m.id);
    view.fault = fault_view(server, &m.id, viewer.fault_detail(), language);
    view.damage = server.app().damage(&m.id).map(|damage| damage_view(&damage, language));
    view
}

/// Why a meeting does not run; nothing where it does.
pub(super) fn fault_view(
    server: &ServerState,
    meeting: &MeetingId,
    with_detail: bool,
    language: Language,
) -> Option<FaultView> {
    let fault = server.app().fault(meeting)?;
    let detail = with_detail.then(|| fault.detail.text(language)).filter(|detail| !detail.is_empty());
    Some(FaultView { kind: fault.kind.as_str(), failures: fault.failures, failed_at: fault.since, detail })
}
