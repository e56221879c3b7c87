//! Methods that are not answered: the library names only the method, and this says what to call instead.

use std::borrow::Cow;

use quorate_messages::{Language, text};
use rmcp::model::{ErrorCode, ProtocolVersion, ServerConfig};
use rmcp::service::{NotificationContext, RequestContext, Service, ServiceRole};
use rmcp::{ErrorData, RoleServer};

use crate::QuorateMcp;

/// The longest name of a method that is repeated, in characters.
const METHOD_MAX: usize = 100;

/// The service as clients reach it over standard input and output; over HTTP, the endpoint does the same.
#[derive(Clone)]
pub(crate) struct Served(pub(crate) QuorateMcp);

impl Service<RoleServer> for Served {
    async fn handle_request(
        &self,
        request: <RoleServer as ServiceRole>::PeerReq,
        context: RequestContext<RoleServer>,
    ) -> Result<<RoleServer as ServiceRole>::Resp, ErrorData> {
        let (method, language) = (request.method().to_owned(), self.0.language(&context));
        self.0.handle_request(request, context).await.map_err(|error| {
            let says_no_more = error.code == ErrorCode::METHOD_NOT_FOUND && error.message == method;
            if says_no_more { not_found(&method, language) } else { error }
        })
    }

    async fn handle_notification(
        &self,
        notification: <RoleServer as ServiceRole>::PeerNot,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.0.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        Service::get_info(&self.0)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Service::supported_protocol_versions(&self.0)
    }
}

/// The error for a method that there is not, or not in this version of the protocol.
pub(crate) fn not_found(method: &str, language: Language) -> ErrorData {
    let method: String = method.chars().take(METHOD_MAX).collect();
    ErrorData::new(ErrorCode::METHOD_NOT_FOUND, text!(language, "mcp-no-such-method", method), None)
}
