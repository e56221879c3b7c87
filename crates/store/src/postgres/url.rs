//! The address of a database on a PostgreSQL server.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use postgres::Config;
use postgres::config::SslMode;
use quorate_engine::Secret;
use quorate_messages::message;
use sha2::{Digest, Sha256};
use url::Url;

use crate::error::StoreError;

/// After how long a server is given up whose machine acknowledges nothing: before the lease of this process passes.
const GONE_AFTER: Duration = Duration::from_secs(6);

/// The address of a database: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with the options of libpq. What it shows of
/// itself has no password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    whole: Secret,
    shown: String,
    /// A file with certificates of authorities besides those of the system.
    pub(super) root_certificates: Option<String>,
}

impl PostgresUrl {
    /// Whether a text is meant as one.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// How connections are made.
    pub(super) fn config(&self) -> Result<Config, StoreError> {
        let mut config =
            Config::from_str(self.whole.expose()).map_err(|error| StoreError::BadDatabaseUrl {
                url: self.shown.clone(),
                detail: message!("store-postgres-url", %error),
            })?;
        if config.get_application_name().is_none() {
            config.application_name("quorate");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(5));
        }
        // A server whose machine is gone answers nothing, not even that: without this, whatever was sent to it is waited for
        // until the kernel gives up, which takes a quarter of an hour.
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(GONE_AFTER);
        }
        if config.get_keepalives_interval().is_none() && config.get_keepalives_retries().is_none() {
            config.keepalives_idle(GONE_AFTER).keepalives_interval(GONE_AFTER / 5).keepalives_retries(5);
        }
        Ok(config)
    }

    /// A name for this database among the files of this machine: the same for each address of it.
    pub fn slug(&self) -> String {
        let hash = Sha256::digest(self.shown.as_bytes());
        hash[..6].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl FromStr for PostgresUrl {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        let bad = |shown: &str, detail| StoreError::BadDatabaseUrl { url: shown.to_owned(), detail };
        let mut url =
            Url::parse(text).map_err(|error| bad("postgres://…", message!("store-postgres-url", %error)))?;
        let mut shown = url.clone();
        shown.set_query(None);
        if shown.password().is_some() {
            // An address with a host takes any password.
            let _ = shown.set_password(Some("***"));
        }
        let (mut root_certificates, mut options) = (None, Vec::new());
        for (name, value) in url.query_pairs() {
            match (&*name, &*value) {
                ("sslrootcert", path) => root_certificates = Some(path.to_owned()),
                // What is encrypted here is always verified.
                ("sslmode", "verify-ca" | "verify-full") => {
                    options.push(("sslmode".to_owned(), "require".to_owned()));
                }
                ("password", _) => {
                    return Err(bad(shown.as_str(), message!("store-postgres-password-option")));
                }
                (name, value) => options.push((name.to_owned(), value.to_owned())),
            }
        }
        url.set_query(None);
        if !options.is_empty() {
            url.query_pairs_mut().extend_pairs(options);
        }
        let parsed = Self { whole: Secret::new(url.as_str()), shown: shown.to_string(), root_certificates };
        let config = parsed.config()?;
        if config.get_ssl_mode() == SslMode::Prefer && config.get_hosts().is_empty() {
            return Err(bad(&parsed.shown, message!("store-postgres-no-host")));
        }
        Ok(parsed)
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_has_no_password_and_no_options() {
        let url: PostgresUrl =
            "postgres://ada:s3cret@db.example:5433/meetings?sslmode=verify-full".parse().unwrap();
        assert_eq!(url.to_string(), "postgres://ada:***@db.example:5433/meetings");
        assert!(!format!("{url:?}").contains("s3cret"));
        let config = url.config().unwrap();
        assert_eq!((config.get_dbname(), config.get_ports()), (Some("meetings"), &[5433][..]));
        assert_eq!(config.get_ssl_mode(), SslMode::Require);
        assert_eq!(config.get_tcp_user_timeout(), Some(&GONE_AFTER));
        let own: PostgresUrl = "postgres://ada@db.example/meetings?tcp_user_timeout=20".parse().unwrap();
        assert_eq!(own.config().unwrap().get_tcp_user_timeout(), Some(&Duration::from_secs(20)));
    }

    #[test]
    fn what_cannot_be_used_is_refused_without_its_password() {
        for text in [
            "postgres://ada:s3cret@",
            "postgres://ada:s3cret@h/db?password=s3cret",
            "postgres://a:s3cret@h/db?odd=1",
        ] {
            let error = text.parse::<PostgresUrl>().unwrap_err();
            let said = format!("{error} {error:?} {}", error.hint());
            assert!(!said.contains("s3cret"), "{said}");
        }
    }
}
