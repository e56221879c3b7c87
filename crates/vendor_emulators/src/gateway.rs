//! Gateways that stand between a client and a vendor, and their habits.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::http::{Received, Reply};

/// The gateway in front of a server.
pub(crate) enum Gateway {
    /// No gateway.
    Absent,
    /// Answers every second request with this status and a web page.
    Refuses(u16),
    /// Writes garbage behind each answer.
    Garbles,
}

/// Takes the gateway out of the name of the model.
pub(crate) fn between(received: &mut Received<'_>) -> Gateway {
    let model = received.body["model"].as_str().unwrap_or_default().to_owned();
    let in_path = received.path.rsplit('/').next().unwrap_or_default().to_owned();
    let name = if model.is_empty() { in_path } else { model };
    let (gateway, behind) = match name.strip_prefix("garble-") {
        Some(behind) => (Gateway::Garbles, behind.to_owned()),
        None => {
            let refuses = name.strip_prefix("gateway-").and_then(|rest| rest.split_once('-'));
            let Some((Ok(status), behind)) = refuses.map(|(status, rest)| (status.parse(), rest)) else {
                return Gateway::Absent;
            };
            (Gateway::Refuses(status), behind.to_owned())
        }
    };
    if received.body["model"].is_string() {
        received.body["model"] = behind.into();
    } else {
        received.path = received.path.replace(&name, &behind);
    }
    gateway
}

impl Gateway {
    /// The web page that comes instead of an answer, this time.
    pub(crate) fn refuses(&self, refused: &AtomicU64) -> Option<Reply> {
        match self {
            Self::Refuses(status) if refused.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) => {
                let page = format!("<html><head><title>{status}</title></head><body>gateway</body></html>");
                Some(Reply::text(*status, "text/html", page))
            }
            Self::Refuses(_) | Self::Garbles | Self::Absent => None,
        }
    }

    pub(crate) fn garbles(&self) -> bool {
        matches!(self, Self::Garbles)
    }
}
