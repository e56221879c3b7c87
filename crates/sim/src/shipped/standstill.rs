//! Whether a meeting goes on by itself: what is owed to it, how long it may be silent, and that its live state is its log.

use std::sync::atomic::Ordering;
use std::time::Duration;

use quorate_contract::*;
use quorate_core::{Meeting, Phase, RunState};
use quorate_engine::Engine;

use super::director::Director;
use crate::invariants::{check_live, check_settled};

/// The longest that a meeting may be silent while it runs and waits for no provider: its longest call, with all that it
/// waits for before.
const SILENCE: Duration = Duration::from_secs(3_600);

/// How much longer than its rules say a meeting may be silent: a failing disk is tried again after a while.
const SLACK_MS: u64 = 120_000;

/// The longest that a meeting with calls under way may be run by nobody: the longest wait for another beginning, and one
/// that fails.
const STANDS_MS: u64 = 120_000;

impl Director {
    /// Whether a meeting with calls under way is run by nobody: then nobody looks at it either, for that would take it up. It
    /// has to go on by itself.
    pub(super) fn is_left_alone(&mut self, engine: &Engine, meetings: &[MeetingId]) -> bool {
        let now = self.world.now_ms();
        let stands = |id: &&MeetingId| {
            let owes = self.world.known().get(*id).is_some_and(|known| known.own.has_open_calls());
            owes && !self.is_over(id) && !engine.is_running(id) && engine.fault(id).is_none()
        };
        let standing: Vec<&MeetingId> = meetings.iter().filter(stands).collect();
        self.stands.retain(|id, _| standing.contains(&id));
        for id in &standing {
            let since = *self.stands.entry((*id).clone()).or_insert(now);
            if now.saturating_sub(since) > STANDS_MS {
                self.world
                    .breach(format!("{id} has calls under way, and nobody runs it for {} ms", now - since));
            }
        }
        !standing.is_empty()
    }

    /// Compares the live state with the folded log, as far as the process knows it.
    pub(super) fn compare(&self, live: &Meeting) {
        let all = self.world.known();
        let Some(known) = all.get(&live.id) else { return };
        let folded = &known.checker.meeting;
        let checked = match folded.seq == live.seq {
            true if folded != live => Err(format!("the live state at {} is not the folded log", live.seq)),
            true => check_live(live).and_then(|()| check_settled(live)),
            // What was kept though it failed is not known yet.
            false => Ok(()),
        };
        drop(all);
        if let Err(what) = checked {
            self.world.breach(format!("{}: {what}", live.id));
        }
    }

    /// For how long a meeting has waited for a time that has passed, since its process began and its disk could be
    /// written. `None` where a clock was set: then a time comes that the engine does not wait for.
    fn overdue_ms(&self, meeting: &Meeting) -> Option<u64> {
        if self.world.clock_was_set() > 0 {
            return None;
        }
        let now = self.world.now_ms();
        let wakes = quorate_core::pending(meeting).into_iter().filter_map(|task| match task {
            Task::Wake(at) => Some(self.world.wall_clock(now).since_ms(at)),
            Task::Call(_) | Task::Tool(_) => None,
        });
        wakes.max().map(|late| late.min(self.disk_writes_for_ms()))
    }

    /// Checks that a call whose runner has broken down ends.
    fn broken_calls_end(&self, meeting: &Meeting) {
        let since_disk = self.disk_writes_for_ms();
        for (task, call) in &meeting.calls {
            let key = format!("{}/{task}#{}", meeting.id, call.attempt);
            let broken_ms = self.world.vendors.broken_for_ms(&self.world, &key);
            if let Some(late_ms) =
                broken_ms.map(|broken| broken.min(since_disk)).filter(|late| *late > STANDS_MS)
            {
                self.world
                    .breach(format!("the runner of {key} broke down {late_ms} ms ago, and it has not ended"));
            }
        }
    }

    /// For how long the process has lived with a disk that can be written.
    fn disk_writes_for_ms(&self) -> u64 {
        let since = self.began_ms.max(self.world.disk_fails_ms.load(Ordering::Relaxed));
        self.world.now_ms().saturating_sub(since)
    }

    /// Checks that a meeting that runs waits for something that can come.
    pub(super) fn waits_for_something(&self, engine: &Engine, meeting: &Meeting) {
        self.broken_calls_end(meeting);
        let runs = matches!(meeting.run_state, RunState::Running | RunState::PauseRequested { .. });
        let is_in_course = !matches!(meeting.phase, Phase::Blank | Phase::Draft) && !meeting.is_over();
        if !runs || !is_in_course {
            return;
        }
        if let Some(wait) = engine.provider_wait(&meeting.id) {
            // A clock that is set makes a moment come that the engine does not wait for.
            let late_ms = self.world.wall_clock(self.world.now_ms()).since_ms(wait.next_try_at);
            if meeting.calls.is_empty() && late_ms > STANDS_MS && self.world.clock_was_set() == 0 {
                self.world.breach(format!("{} was to try its provider {late_ms} ms ago", meeting.id));
            }
            return;
        }
        if let Some(late_ms) = self.overdue_ms(meeting).filter(|late| *late > STANDS_MS) {
            return self.world.breach(format!("{} was to be woken {late_ms} ms ago", meeting.id));
        }
        if !quorate_core::is_owed_something(meeting) {
            return self.world.breach(format!("{} runs, and nothing is owed to it", meeting.id));
        }
        let long = self.world.known().get(&meeting.id).and_then(|known| {
            let since = known.written_ms.max(self.began_ms);
            let since = since.max(self.world.disk_fails_ms.load(Ordering::Relaxed));
            let silent_ms = self.world.now_ms().saturating_sub(since);
            known.secrets.silence_ms.filter(|most| silent_ms > most + SLACK_MS).map(|most| (silent_ms, most))
        });
        if let Some((silent_ms, most)) = long {
            return self.world.breach(format!(
                "{} runs, waits for nobody by a rule, and has been silent for {silent_ms} ms of {most} ms",
                meeting.id
            ));
        }
        let silent_ms = self.world.wall_clock(self.world.now_ms()).since_ms(meeting.updated_at);
        if self.world.is_calm() && u128::from(silent_ms) > SILENCE.as_millis() && self.calm_acts > 400 {
            self.world.breach(format!("{} runs, and has been silent for {silent_ms} ms", meeting.id));
        }
    }
}

/// Whether the program takes a meeting up when it begins: one that runs, or a paused one that is owed something.
pub(super) async fn is_taken_up(engine: &Engine, id: &MeetingId) -> bool {
    match engine.load(id).await {
        Ok(meeting) if meeting.is_paused() => quorate_core::is_owed_something(&meeting),
        Ok(_) | Err(_) => true,
    }
}
