//! Somebody who watches a meeting: each event is heard once, in order, and as it is stored.

use std::sync::Arc;
use std::time::Duration;

use quorate_contract::*;
use quorate_engine::{Engine, EngineError, FaultKind, JournalError, MeetingHandle, Notice};
use tokio::time::{Instant, sleep_until, timeout};

use super::director::Director;
use super::world::World;

impl Director {
    /// Somebody watches a meeting from its beginning until it ends, or the process does.
    pub(super) fn watch(&self, engine: &Engine, meeting: &MeetingId) {
        let (world, handle) = (Arc::clone(&self.world), engine.handle(meeting));
        let fragments = world.rng().per_mille(500);
        let leaves_after = world.rng().maybe(300, |rng| Duration::from_millis(rng.below(600_000)));
        tokio::spawn(async move {
            let watching = listen(world, handle, fragments);
            match leaves_after {
                Some(time) => _ = timeout(time, watching).await,
                None => watching.await,
            }
        });
    }
}

/// Listens until the meeting ends; each event once, in order, and as it is stored.
async fn listen(world: Arc<World>, handle: MeetingHandle, fragments: bool) {
    let id = handle.id().clone();
    let mut listener = loop {
        match handle.subscribe(0, fragments).await {
            Ok(listener) => break listener,
            Err(_) => sleep_until(Instant::now() + Duration::from_secs(7)).await,
        }
    };
    let mut heard = 0u64;
    loop {
        match listener.next().await {
            Ok(Some(Notice::Event(record))) => {
                let same = world.known().get(&id).and_then(|known| known.lines.get(heard as usize).cloned());
                heard += 1;
                if record.event.seq != heard || same.as_deref() != Some(&*record.line) {
                    return world
                        .breach(format!("{id}: event {} is heard as number {heard}", record.event.seq));
                }
                world.acknowledge(&id, heard);
                if matches!(record.event.body, EventBody::Finished { .. }) {
                    return;
                }
            }
            Ok(Some(Notice::Problem(EngineError::Quarantined(fault)))) => {
                if !matches!(fault.kind, FaultKind::Contended) {
                    return world.breach(format!("{id} is quarantined: {fault:?}"));
                }
            }
            Ok(Some(Notice::Fragment(_) | Notice::Lagged | Notice::Problem(_))) => {}
            // It was let go, or the process ends.
            Ok(None) => return,
            Err(EngineError::Journal(JournalError::Unavailable { .. })) => {
                sleep_until(Instant::now() + Duration::from_secs(1)).await;
            }
            Err(error) => return world.breach(format!("{id} cannot be followed: {error}")),
        }
    }
}
