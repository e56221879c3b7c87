//! Agents of the library that join a running meeting by name.

use quorate_app::LocalDatabase;
use quorate_contract::Command;

/// The command, where `/add NAME` names an agent; otherwise as it was.
pub(crate) async fn resolve_library_name(store: &LocalDatabase, command: Command) -> Command {
    let Command::Invite { by, description } = command else { return command };
    match store.agent(description.trim()).await {
        Ok(agent) => Command::Join { by, newcomer: Box::new(agent.newcomer()) },
        Err(_) => Command::Invite { by, description },
    }
}
