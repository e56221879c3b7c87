//! Speaks the Model Context Protocol over standard input and output, for editors and agents that start programs.

use std::process::ExitCode;
use std::sync::Arc;

use quorate_mcp::QuorateMcp;
use quorate_messages::message;

use crate::error::CliError;
use crate::mcp::AtServer;
use crate::place::Place;
use crate::remote::Remote;

/// Serves one client until it closes its end. The meetings are those of a running server.
///
/// # Errors
/// When no server is found, or the client does not speak the protocol.
pub(crate) async fn mcp(place: &Place) -> Result<ExitCode, CliError> {
    let remote = match Remote::named(place)? {
        Some(named) => Some(named),
        None => Remote::of(place)?,
    };
    let Some(remote) = remote else {
        return Err(CliError::usage(message!("cli-mcp-no-server"), message!("cli-mcp-no-server-hint")));
    };
    let tools = QuorateMcp::new(Arc::new(AtServer(remote)), crate::language::current().0);
    quorate_mcp::serve_stdio(tools)
        .await
        .map_err(|error| CliError::new(error, message!("cli-mcp-from-client")))?;
    Ok(ExitCode::SUCCESS)
}
