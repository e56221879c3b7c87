//! Checks of the host that a request is for, and of the page that sent it.
//!
//! A page elsewhere can make a browser send requests here. Without accounts, or with a cookie, such a request
//! would be taken for the person's own; so the host must be ours (against DNS rebinding), and so must the
//! origin (against forged requests).

use std::net::IpAddr;

use axum::http::{HeaderMap, Method, StatusCode, header};
use quorate_messages::message;
use url::Url;

use super::client::Client;
use super::options::{AccessError, AccessOptions};
use crate::problem::Problem;

/// Our own hosts and origins.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// Other names of this machine.
    hosts: Vec<String>,
    /// The public URL, and the origins that may use it: `https://tools.example.org`.
    pages: Vec<String>,
}

impl Origins {
    pub(crate) fn of(options: &AccessOptions) -> Result<Self, AccessError> {
        let mut hosts: Vec<String> = options
            .allow_host
            .iter()
            .map(|host| without_port(&host.trim().to_ascii_lowercase()).to_owned())
            .collect();
        let mut pages = Vec::new();
        if let Some(url) = &options.public_url {
            let url = page("--public-url", url)?;
            // The page and links begin at the root of a host.
            let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
            if !is_bare || !url.username().is_empty() || url.password().is_some() {
                return Err(AccessError::Option {
                    option: "--public-url",
                    problem: message!("server-start-not-root"),
                    hint: message!("server-start-not-root-hint", origin = url.origin().ascii_serialization()),
                });
            }
            hosts.extend(url.host_str().map(str::to_owned));
            pages.push(url.origin().ascii_serialization());
        }
        for url in &options.allow_origin {
            pages.push(page("--allow-origin", url)?.origin().ascii_serialization());
        }
        Ok(Self { hosts, pages })
    }

    /// The pages that may use it.
    pub(crate) fn pages(&self) -> &[String] {
        &self.pages
    }

    /// Checks that a request for this host may come from the person at this machine.
    pub(crate) fn check_host(&self, client: &Client) -> Result<(), Problem> {
        let host = without_port(&client.host);
        if is_loopback(host) || self.hosts.iter().any(|own| own == host) {
            return Ok(());
        }
        let host = quorate_contract::clean(host);
        let detail = message!("server-wrong-host", %host);
        Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, "wrong-host", detail)
            .hint(message!("server-wrong-host-hint")))
    }

    /// Whether the request comes from one of our pages. Programs send no origin and are allowed.
    pub(crate) fn allowed(&self, headers: &HeaderMap, client: &Client) -> bool {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("null"));
        match (text(header::ORIGIN.as_str()), text("sec-fetch-site")) {
            (Some(origin), _) => self.is_ours(origin, client),
            (None, Some(site)) => matches!(site, "same-origin" | "none"),
            (None, None) => true,
        }
    }

    /// The same, as a refusal.
    pub(crate) fn check(&self, headers: &HeaderMap, client: &Client) -> Result<(), Problem> {
        if self.allowed(headers, client) {
            return Ok(());
        }
        Err(Problem::new(StatusCode::FORBIDDEN, "wrong-origin", message!("server-wrong-origin"))
            .hint(message!("server-wrong-origin-hint")))
    }

    fn is_ours(&self, origin: &str, client: &Client) -> bool {
        let Ok(url) = Url::parse(origin) else { return false };
        if !matches!(url.scheme(), "http" | "https") {
            return false;
        }
        let origin = url.origin().ascii_serialization();
        let scheme = if client.https { "https" } else { url.scheme() };
        let own = Url::parse(&format!("{scheme}://{}", client.host)).ok();
        own.is_some_and(|own| own.origin().ascii_serialization() == origin) || self.pages.contains(&origin)
    }
}

/// Whether a request changes data, or opens a connection on which it could.
pub(crate) fn needs_own_page(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    !reads || headers.contains_key(header::UPGRADE) || crate::limits::rates::is_live(path)
}

fn page(option: &'static str, text: &str) -> Result<Url, AccessError> {
    let parsed = Url::parse(text.trim()).ok();
    let sound = |url: &Url| matches!(url.scheme(), "http" | "https") && url.host_str().is_some();
    parsed.filter(sound).ok_or_else(|| AccessError::Option {
        option,
        problem: message!("server-start-no-page", text),
        hint: message!("server-start-no-page-hint"),
    })
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => {
            // `::1` has no port; `[::1]:80` has one.
            if name.contains(':') && !name.ends_with(']') { host } else { name }
        }
        _ => host,
    }
}

/// Whether a host name can only mean this machine.
pub(crate) fn is_loopback(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    bare == "localhost"
        || bare.ends_with(".localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(host: &str, https: bool) -> Client {
        Client { address: IpAddr::from([127, 0, 0, 1]), https, host: host.to_owned(), handed_on: false }
    }

    fn headers(given: &[(&'static str, &'static str)]) -> HeaderMap {
        given
            .iter()
            .map(|(name, value)| (name.parse().expect("a name"), value.parse().expect("a value")))
            .collect()
    }

    #[test]
    fn only_names_of_this_machine_are_answered() {
        let options = AccessOptions { allow_host: vec!["Box.local".to_owned()], ..AccessOptions::default() };
        let origins = Origins::of(&options).expect("sound");
        for own in [
            "localhost",
            "localhost:7878",
            "127.0.0.1:7878",
            "127.9.9.9",
            "[::1]:7878",
            "[::1]",
            "a.localhost",
            "box.local:1",
        ] {
            assert!(origins.check_host(&client(own, false)).is_ok(), "{own}");
        }
        for other in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            "0.0.0.0",
            "10.0.0.1",
            "box.local.evil",
        ] {
            assert!(origins.check_host(&client(other, false)).is_err(), "{other}");
        }
    }

    #[test]
    fn the_public_url_is_the_root_of_a_host() {
        let of = |url: &str| {
            let options = AccessOptions { public_url: Some(url.to_owned()), ..AccessOptions::default() };
            Origins::of(&options).map(|origins| origins.pages)
        };
        for url in ["https://quorate.example", "https://quorate.example/"] {
            assert_eq!(of(url).expect("a root"), ["https://quorate.example"], "{url}");
        }
        for rest in
            ["quorate.example/team", "quorate.example/?a=1", "quorate.example/#x", "me:pw@quorate.example"]
        {
            assert!(of(&format!("https://{rest}")).is_err(), "{rest}");
        }
    }

    #[test]
    fn only_pages_of_ours_may_send_something() {
        let options = AccessOptions {
            allow_origin: vec!["https://tools.example".to_owned()],
            ..AccessOptions::default()
        };
        let origins = Origins::of(&options).expect("sound");
        let here = client("localhost:7878", false);
        let ours: [&[_]; 5] = [
            &[],
            &[("origin", "http://localhost:7878")],
            &[("origin", "https://tools.example")],
            &[("sec-fetch-site", "same-origin")],
            &[("sec-fetch-site", "none")],
        ];
        for given in ours {
            assert!(origins.allowed(&headers(given), &here), "{given:?}");
        }
        let others: [&[_]; 7] = [
            &[("origin", "null")],
            &[("origin", "http://localhost:7879")],
            &[("origin", "http://evil.example"), ("sec-fetch-site", "same-origin")],
            &[("origin", "https://tools.example.evil")],
            &[("origin", "file://localhost")],
            &[("sec-fetch-site", "cross-site")],
            &[("sec-fetch-site", "same-site")],
        ];
        for given in others {
            assert!(!origins.allowed(&headers(given), &here), "{given:?}");
        }
        let plain = headers(&[("origin", "http://meet.example")]);
        assert!(
            !origins.allowed(&plain, &client("meet.example", true)),
            "an unencrypted page of the same name"
        );
        assert!(
            origins
                .allowed(&headers(&[("origin", "https://meet.example")]), &client("meet.example:443", true))
        );
    }
}
