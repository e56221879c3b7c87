//! The sender of a call: the principal, the address and the transport.

use std::net::IpAddr;

use crate::operation::principal::Principal;

/// The transport by which a call reached the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Transport {
    /// A request over HTTP.
    Rest,
    /// A message over a WebSocket.
    WebSocket,
    /// A tool of the Model Context Protocol.
    Mcp,
    /// An operation of the Agent2Agent protocol.
    A2a,
    /// A signed message to or from a webhook.
    Webhook,
    /// A command of `quorate` on a database of this machine.
    CommandLine,
    /// The server itself, as its configuration says.
    Schedule,
}

impl Transport {
    /// The word for it, as in the audit log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::WebSocket => "websocket",
            Self::Mcp => "mcp",
            Self::A2a => "a2a",
            Self::Webhook => "webhook",
            Self::CommandLine => "command_line",
            Self::Schedule => "schedule",
        }
    }
}

/// The caller and its address.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The principal; `None` for a client that has not signed in.
    pub principal: Option<Principal>,
    /// From where; `None` at this machine, without a network.
    pub address: Option<IpAddr>,
    /// The transport.
    pub transport: Transport,
}

impl Caller {
    /// The person at this machine, who uses a command.
    pub fn at_this_machine() -> Self {
        Self { principal: Some(Principal::owner()), address: None, transport: Transport::CommandLine }
    }

    /// The server itself, which does what its owner has set.
    pub(crate) fn schedule() -> Self {
        Self { transport: Transport::Schedule, ..Self::at_this_machine() }
    }
}
