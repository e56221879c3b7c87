//! The share of this process in the limits of a key that several nodes use.
//!
//! Each node has an equal part: it counts every call as many times as there are nodes. So all of them together stay within the
//! limits, and nothing has to be agreed on before a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::provider::ProviderConfig;

/// More nodes than anybody has; with more, a limit would let nothing through.
const MOST: u32 = 64;

static NODES: AtomicU32 = AtomicU32::new(1);

/// From now on this process is one of so many that call the same providers.
pub fn share_limits(nodes: u32) {
    NODES.store(nodes.clamp(1, MOST), Ordering::Relaxed);
}

/// Among how many nodes the limits of a provider are shared.
pub(super) fn nodes() -> u32 {
    NODES.load(Ordering::Relaxed)
}

/// How often a call of a provider counts. What runs on this machine is called by this node alone.
pub(super) fn weight(config: &ProviderConfig) -> u32 {
    if config.is_loopback() { 1 } else { nodes() }
}

/// A place among the concurrent calls of a provider, of which there are `most` at all nodes together, and at least one at
/// each.
pub(super) async fn place(
    permits: &Arc<Semaphore>,
    weight: u32,
    most: usize,
) -> Option<OwnedSemaphorePermit> {
    let share = weight.min(u32::try_from(most.max(1)).unwrap_or(u32::MAX));
    Arc::clone(permits).acquire_many_owned(share).await.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn nodes_together_have_as_many_calls_as_one_and_each_has_one_at_least() {
        for (most, nodes, each) in [(16, 1, 16), (16, 3, 5), (4, 2, 2), (2, 3, 1), (1, 3, 1)] {
            let permits = Arc::new(Semaphore::new(most));
            let mut held = Vec::new();
            while let Some(Some(permit)) = futures::FutureExt::now_or_never(place(&permits, nodes, most)) {
                held.push(permit);
            }
            assert_eq!(held.len(), each, "{most} calls of {nodes} nodes");
        }
    }
}
