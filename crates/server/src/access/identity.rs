//! Access over HTTP: where requests may come from, what they show, and within which limits.
//!
//! Who holds what is shown is decided by [`Identity`], in the application.

use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::{HeaderMap, StatusCode, header};
use ipnet::IpNet;
use quorate_app::{AccessCredential, App, Identity, IdentityError, IdentityOptions};
use quorate_messages::{Message, message};

use super::client::{self, Client};
use super::options::{AccessError, AccessOptions, AccessSecrets};
use super::origin::{Origins, is_loopback};
use super::{Principal, cookies};
use crate::limits::rates::{LimitOptions, Limits};
use crate::problem::Problem;

/// Access over HTTP. Cheap to clone.
#[derive(Clone)]
pub struct Access(Arc<Inner>);

struct Inner {
    identity: Identity,
    options: AccessOptions,
    origins: Origins,
    proxies: Vec<IpNet>,
    limits: RwLock<Arc<Limits>>,
}

impl Access {
    /// Access on this machine alone, with no account and no token: every client is the person at this
    /// machine.
    ///
    /// # Panics
    /// When this machine gives no random numbers.
    pub fn alone(app: App) -> Self {
        let options = AccessOptions { no_token: true, ..AccessOptions::default() };
        Self(Arc::new(Inner {
            identity: Identity::alone(app, identity_options(&options, true)),
            origins: Origins::default(),
            proxies: Vec::new(),
            limits: RwLock::new(Arc::new(Limits::new(LimitOptions::default()))),
            options,
        }))
    }

    /// Opens access as the options and accounts say. `address` is where the server listens.
    ///
    /// # Errors
    /// When the server could be reached from elsewhere and no account has full permissions; when an option is
    /// invalid, or the store fails.
    pub async fn open(
        app: App,
        options: AccessOptions,
        address: IpAddr,
        secrets: &AccessSecrets,
    ) -> Result<Self, AccessError> {
        let origins = Origins::of(&options)?;
        let proxies = client::networks(&options.trust_proxy)?;
        let outside = reached_from_outside(&options, address.to_canonical().is_loopback());
        let (password, token) = (secrets.owner_password.as_deref(), secrets.token.as_deref());
        let identity =
            Identity::open(app, identity_options(&options, outside.is_none()), password, token).await?;
        if let Some(what) = outside
            && !identity.has_owner()
        {
            return Err(AccessError::NoOwner(what));
        }
        let limits = RwLock::new(Arc::new(Limits::new(options.limits.clone())));
        Ok(Self(Arc::new(Inner { identity, origins, proxies, limits, options })))
    }

    /// Accounts, sessions, tokens and invitations.
    pub fn identity(&self) -> &Identity {
        &self.0.identity
    }

    /// The error for a client without a credential.
    pub(crate) fn who_are_you(&self) -> Problem {
        if self.identity().is_alone() {
            return token_needed();
        }
        sign_in(message!("server-not-signed-in")).hint(message!("server-not-signed-in-hint"))
    }

    /// What the application has decided, as a problem.
    pub(crate) fn problem(&self, error: IdentityError) -> Problem {
        match error {
            IdentityError::NotSignedIn => self.who_are_you(),
            other => other.into(),
        }
    }

    /// The options of access.
    pub fn options(&self) -> &AccessOptions {
        &self.0.options
    }

    pub(crate) fn limits(&self) -> Arc<Limits> {
        self.0.limits.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on these limits hold.
    pub(crate) fn set_limits(&self, options: LimitOptions) {
        let mut limits = self.0.limits.write().unwrap_or_else(PoisonError::into_inner);
        *limits = Arc::new(limits.otherwise(options));
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.0.origins
    }

    /// The trusted proxies.
    pub(crate) fn proxies(&self) -> &[IpNet] {
        &self.0.proxies
    }

    /// From where a request comes.
    pub(crate) fn client(&self, parts: &axum::http::request::Parts) -> Client {
        client::client(parts, &self.0.proxies)
    }

    /// Identifies the sender of a request; `None` when the request carries no valid credential.
    ///
    /// # Errors
    /// When the request carries a token that is no longer valid. It is not treated as anonymous, because its
    /// sender expects an identity.
    pub(crate) fn identify(
        &self,
        headers: &HeaderMap,
        client: &Client,
    ) -> Result<Option<(Principal, AccessCredential)>, Problem> {
        if let Some(shown) = headers.get(header::AUTHORIZATION) {
            let shown = shown.to_str().unwrap_or_default();
            let token = shown.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            let token = token.map(|(_, token)| token.trim()).unwrap_or_default();
            return self.identity().by_token(token).map(Some).ok_or_else(unknown_token);
        }
        let by_cookie = cookies::read(headers, cookies::ACCESS, client)
            .and_then(|token| self.identity().by_session(&token));
        Ok(by_cookie
            .or_else(|| self.identity().is_open().then(|| (Principal::owner(), AccessCredential::Alone))))
    }
}

fn identity_options(options: &AccessOptions, loopback: bool) -> IdentityOptions {
    IdentityOptions {
        loopback,
        no_token: options.no_token,
        access_seconds: options.access_seconds,
        session_days: options.session_days,
        refresh_grace_ms: options.refresh_grace_ms,
    }
}

/// How the server could be reached from elsewhere; `None` if it could not.
fn reached_from_outside(options: &AccessOptions, loopback: bool) -> Option<Message> {
    if !loopback {
        return Some(message!("server-start-reached"));
    }
    if !options.trust_proxy.is_empty() {
        return Some(message!("server-start-behind-proxy"));
    }
    let named = options.public_url.as_deref().and_then(|url| url::Url::parse(url).ok());
    let outside = named.is_some_and(|url| !url.host_str().is_some_and(is_loopback));
    outside.then(|| message!("server-start-public-url"))
}

/// The error for a request without credentials while only the person at this machine has access.
pub(crate) fn token_needed() -> Problem {
    let detail = message!("server-local-token-needed");
    Problem::new(StatusCode::UNAUTHORIZED, "token-needed", detail)
        .hint(message!("server-local-token-needed-hint"))
}

/// The error for a token that is unknown or has expired.
pub(crate) fn unknown_token() -> Problem {
    sign_in(message!("server-token-unknown")).hint(message!("server-token-unknown-hint"))
}

/// The error for a request that needs a sign-in.
pub(crate) fn sign_in(detail: impl Into<quorate_contract::Wording>) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "sign-in", detail)
}
