//! Whoever is asked for by the name of an agent of the library comes as that agent.

use quorate_core::Command;
use quorate_store::SqliteStore;

/// The wish, where `/add NAME` names an agent; otherwise as it was.
pub(crate) async fn from_library(store: &SqliteStore, wish: Command) -> Command {
    let Command::Invite { by, description } = wish else { return wish };
    match store.agent(description.trim()).await {
        Ok(agent) => Command::Join { by, newcomer: Box::new(agent.newcomer()) },
        Err(_) => Command::Invite { by, description },
    }
}
