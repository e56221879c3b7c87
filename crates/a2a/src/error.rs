//! The errors of the protocol.

use serde_json::{Value, json};

/// The kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    NotJson,
    InvalidRequest,
    MethodNotFound,
    InvalidParams,
    Internal,
    TaskNotFound,
    TaskNotCancelable,
    PushNotificationNotSupported,
    UnsupportedOperation,
    ContentTypeNotSupported,
    ExtendedCardNotConfigured,
    VersionNotSupported,
    NotSignedIn,
    Forbidden,
    TooMany,
    TooLarge,
}

/// An error with a sentence that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct A2aError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

/// How an error is written in each binding.
struct Written {
    code: i32,
    http: u16,
    grpc: &'static str,
    reason: &'static str,
}

impl ErrorKind {
    fn written(self) -> Written {
        let (code, http, grpc, reason) = match self {
            Self::NotJson => (-32700, 400, "INVALID_ARGUMENT", "PARSE_ERROR"),
            Self::InvalidRequest => (-32600, 400, "INVALID_ARGUMENT", "INVALID_REQUEST"),
            Self::MethodNotFound => (-32601, 404, "NOT_FOUND", "METHOD_NOT_FOUND"),
            Self::InvalidParams => (-32602, 400, "INVALID_ARGUMENT", "INVALID_PARAMS"),
            Self::Internal => (-32603, 500, "INTERNAL", "INTERNAL_ERROR"),
            Self::TaskNotFound => (-32001, 404, "NOT_FOUND", "TASK_NOT_FOUND"),
            Self::TaskNotCancelable => (-32002, 400, "FAILED_PRECONDITION", "TASK_NOT_CANCELABLE"),
            Self::PushNotificationNotSupported => {
                (-32003, 400, "FAILED_PRECONDITION", "PUSH_NOTIFICATION_NOT_SUPPORTED")
            }
            Self::UnsupportedOperation => (-32004, 400, "FAILED_PRECONDITION", "UNSUPPORTED_OPERATION"),
            Self::ContentTypeNotSupported => (-32005, 400, "INVALID_ARGUMENT", "CONTENT_TYPE_NOT_SUPPORTED"),
            Self::ExtendedCardNotConfigured => {
                (-32007, 400, "FAILED_PRECONDITION", "EXTENDED_AGENT_CARD_NOT_CONFIGURED")
            }
            Self::VersionNotSupported => (-32009, 400, "FAILED_PRECONDITION", "VERSION_NOT_SUPPORTED"),
            // The protocol has no codes of its own for these; the status of HTTP says it.
            Self::NotSignedIn => (-32000, 401, "UNAUTHENTICATED", "UNAUTHENTICATED"),
            Self::Forbidden => (-32000, 403, "PERMISSION_DENIED", "PERMISSION_DENIED"),
            Self::TooMany => (-32000, 429, "RESOURCE_EXHAUSTED", "RESOURCE_EXHAUSTED"),
            Self::TooLarge => (-32600, 413, "INVALID_ARGUMENT", "INVALID_REQUEST"),
        };
        Written { code, http, grpc, reason }
    }
}

impl A2aError {
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The status of an answer in JSON-RPC: 200, but for what concerns the request as such.
    pub(crate) fn rpc_status(&self) -> u16 {
        match self.kind {
            ErrorKind::NotSignedIn | ErrorKind::Forbidden | ErrorKind::TooMany | ErrorKind::TooLarge => {
                self.http_status()
            }
            _ => 200,
        }
    }

    /// The status of an answer in HTTP+JSON.
    pub(crate) fn http_status(&self) -> u16 {
        self.kind.written().http
    }

    fn details(&self) -> Value {
        let reason = self.kind.written().reason;
        let info = "type.googleapis.com/google.rpc.ErrorInfo";
        json!([{ "@type": info, "reason": reason, "domain": "a2a-protocol.org" }])
    }

    /// The error object of JSON-RPC.
    pub(crate) fn rpc(&self) -> Value {
        json!({ "code": self.kind.written().code, "message": self.message, "data": self.details() })
    }

    /// The body of an answer in HTTP+JSON.
    pub(crate) fn http(&self) -> Value {
        let Written { http, grpc, .. } = self.kind.written();
        json!({ "error": { "code": http, "status": grpc, "message": self.message, "details": self.details() } })
    }
}
