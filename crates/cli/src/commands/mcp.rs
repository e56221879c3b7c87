//! Speaks the Model Context Protocol over standard input and output, for editors and agents that start programs.

use std::process::ExitCode;
use std::sync::Arc;

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
        return Err(CliError::usage(
            ("no server runs on this database", "这个数据库上没有运行中的服务器"),
            (
                "start one with `quorate serve`, or name one with --server URL and QUORATE_TOKEN",
                "用 quorate serve 启动，或用 --server URL 和 QUORATE_TOKEN 指定一个",
            ),
        ));
    };
    quorate_mcp::serve_stdio(Arc::new(AtServer(remote))).await.map_err(|error| {
        CliError::new(
            error,
            "start it from a client of the Model Context Protocol; docs/guides/mcp.md shows how",
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
