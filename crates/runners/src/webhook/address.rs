//! The addresses that a webhook may have.

use url::{Host, Url};

use crate::address::{NotPublic, check_public};

/// The reason why an address is not accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookAddressError {
    /// It is neither `https` nor `http` on this machine.
    #[error("the address does not begin with https://")]
    NotHttps,
    /// It carries a user, a password or a fragment.
    #[error("the address has a user, a password or a fragment")]
    Decorated,
    /// It leads into this machine or its network.
    #[error(transparent)]
    NotPublic(#[from] NotPublic),
}

/// Checks an address as it is written. What its name leads to is checked at each connection.
///
/// # Errors
/// When nothing may be sent there.
pub fn check_webhook_address(url: &Url, public_only: bool) -> Result<(), WebhookAddressError> {
    if url.fragment().is_some() || !url.username().is_empty() || url.password().is_some() {
        return Err(WebhookAddressError::Decorated);
    }
    if public_only {
        check_public(url)?;
    }
    match url.scheme() {
        "https" => Ok(()),
        // Nobody listens between a program and its own machine.
        "http" if !public_only && is_loopback(url) => Ok(()),
        _ => Err(WebhookAddressError::NotHttps),
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str, public_only: bool) -> Result<(), WebhookAddressError> {
        check_webhook_address(&url.parse().expect("a URL"), public_only)
    }

    #[test]
    fn private_addresses_are_refused() {
        // All spellings are in `address/tests.rs`.
        for host in ["127.0.0.1", "localhost", "[::ffff:a9fe:a9fe]", "metadata.google.internal"] {
            let refused = check(&format!("https://{host}/hook"), true);
            assert!(matches!(refused, Err(WebhookAddressError::NotPublic(_))), "{host}: {refused:?}");
        }
        assert_eq!(check("https://hooks.example.com/x?y=z", true), Ok(()));
    }

    #[test]
    fn plain_http_is_for_this_machine_alone() {
        assert_eq!(check("http://hooks.example.com/", true), Err(WebhookAddressError::NotHttps));
        assert_eq!(check("http://hooks.example.com/", false), Err(WebhookAddressError::NotHttps));
        assert_eq!(check("http://10.0.0.7/", false), Err(WebhookAddressError::NotHttps));
        for here in ["http://127.0.0.1:9/x", "http://localhost/x", "http://[::1]:9/", "https://10.0.0.7/"] {
            assert_eq!(check(here, false), Ok(()), "{here}");
        }
        for odd in ["https://me@example.com/", "https://me:pass@example.com/", "https://example.com/#x"] {
            assert_eq!(check(odd, true), Err(WebhookAddressError::Decorated), "{odd}");
        }
        let other = check("ftp://example.com/", false);
        assert_eq!(other, Err(WebhookAddressError::NotHttps));
    }
}
