//! Which records the end waits for, and whether there is time for them.

use quorate_contract::{AbortReason, ArtifactKind, ArtifactVersion, BudgetKind, MeetingOutcome, TaskId};

use super::{Meeting, Phase};

/// The next record that has to be there before the meeting is finished.
pub(crate) fn next_record(m: &Meeting) -> Option<TaskId> {
    missing_records(m).next()
}

/// The records that have to be there before the meeting is finished, in their order.
pub(crate) fn missing_records(m: &Meeting) -> impl Iterator<Item = TaskId> {
    // From nothing, nothing can be drawn.
    let wanted: &[ArtifactKind] = if m.said.is_empty() { &[] } else { &m.rules().closing.artifacts };
    wanted.iter().filter(|kind| !is_written(m, **kind)).map(|kind| match kind {
        ArtifactKind::Minutes => TaskId::Minutes(m.next_minutes()),
        kind => TaskId::Artifact(*kind, next_version(m, *kind)),
    })
}

/// The number of the version that comes next.
pub(crate) fn next_version(m: &Meeting, kind: ArtifactKind) -> ArtifactVersion {
    let asked =
        m.artifact_requests.iter().filter(|(other, _)| *other == kind).map(|(_, version)| *version).max();
    asked.unwrap_or_else(|| ArtifactVersion(m.artifact(kind).map_or(1, |artifact| artifact.version.0 + 1)))
}

/// Whether there is a record that covers all messages.
pub(crate) fn is_written(m: &Meeting, kind: ArtifactKind) -> bool {
    match kind {
        ArtifactKind::Minutes => m.current_minutes().is_some_and(|minutes| minutes.covers == m.said.len()),
        kind => m.artifact(kind).is_some_and(|artifact| artifact.covers == m.said.len()),
    }
}

/// Whether the end of the meeting waits for a record, so that the gate decides about it.
pub(crate) fn waits_for(m: &Meeting, kind: ArtifactKind) -> bool {
    matches!(m.phase, Phase::Closing { .. })
        && m.rules().closing.artifacts.contains(&kind)
        && !is_written(m, kind)
}

/// Whether no further call may be made except for the conclusion, for which time was kept.
pub(crate) fn is_out_of_time(m: &Meeting) -> bool {
    let late = AbortReason::Budget { budget: BudgetKind::WallTime };
    matches!(&m.phase, Phase::Closing { outcome } if *outcome == MeetingOutcome::Aborted(late))
}
