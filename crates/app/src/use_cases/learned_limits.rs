//! Limits of models that servers have reported, kept across restarts of the program.

use std::sync::{Arc, Weak};

use quorate_engine::{Clock, SystemClock};
use quorate_runners::{ModelLimits, lessons, recall};
use quorate_store::LearnedModel;
use tokio::sync::mpsc::UnboundedReceiver;

use super::AppState;

/// Loads what earlier runs have learned, and stores new lessons as long as the app lives. When the database
/// cannot be read or written, they are learned again.
pub(super) async fn remember(app_state: &Arc<AppState>) {
    let learned = lessons();
    match app_state.store.learned_models(SystemClock.now()).await {
        Ok(models) => recall(models.into_iter().map(|learned| {
            let LearnedModel { provider, address, model, window, whole, blind, since: _ } = learned;
            ModelLimits { provider, address, model, window, whole, blind }
        })),
        Err(error) => tracing::debug!(%error, "what was learned of models cannot be read"),
    }
    tokio::spawn(keep(Arc::downgrade(app_state), learned));
}

/// Stores learned limits. It holds only a weak reference, so it ends when the app is dropped.
async fn keep(app_state: Weak<AppState>, mut learned: UnboundedReceiver<ModelLimits>) {
    while let Some(ModelLimits { provider, address, model, window, whole, blind }) = learned.recv().await {
        let Some(app_state) = app_state.upgrade() else { return };
        let since = SystemClock.now();
        let learned = LearnedModel { provider, address, model, window, whole, blind, since };
        if let Err(error) = app_state.store.keep_learned_model(learned).await {
            tracing::debug!(%error, "what was learned of a model is not kept");
        }
    }
}
