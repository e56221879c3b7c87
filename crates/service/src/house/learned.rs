//! What servers have taught about their models, kept from one run of the program to the next.

use std::sync::{Arc, Weak};

use quorate_engine::{Clock, SystemClock};
use quorate_runners::{ModelFacts, lessons, recall};
use quorate_store::LearnedModel;
use tokio::sync::mpsc::UnboundedReceiver;

use super::Rooms;

/// Takes over what earlier runs have learned, and keeps what this one learns as long as the house stands. Where the
/// database cannot be read or written, it is learned again.
pub(super) async fn remember(rooms: &Arc<Rooms>) {
    let facts = lessons();
    match rooms.store.learned_models(SystemClock.now()).await {
        Ok(models) => recall(models.into_iter().map(|learned| {
            let LearnedModel { provider, address, model, window, whole, since: _ } = learned;
            ModelFacts { provider, address, model, window, whole }
        })),
        Err(error) => tracing::debug!(%error, "what was learned of models cannot be read"),
    }
    tokio::spawn(keep(Arc::downgrade(rooms), facts));
}

/// Without a hold on the house: it ends when everybody else has left it.
async fn keep(rooms: Weak<Rooms>, mut facts: UnboundedReceiver<ModelFacts>) {
    while let Some(ModelFacts { provider, address, model, window, whole }) = facts.recv().await {
        let Some(rooms) = rooms.upgrade() else { return };
        let since = SystemClock.now();
        let learned = LearnedModel { provider, address, model, window, whole, since };
        if let Err(error) = rooms.store.keep_learned_model(learned).await {
            tracing::debug!(%error, "what was learned of a model is not kept");
        }
    }
}
