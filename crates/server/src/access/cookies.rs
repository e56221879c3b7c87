//! Session cookies, which no script can read and no other site can send.
//!
//! Browsers send a cookie to all ports of a host. So its name holds the port, and two servers on one machine
//! do not sign out each other's users.

use axum::http::{HeaderMap, HeaderValue, header};

use super::client::Client;

/// The cookie with the access token, for all pages: `EventSource` cannot set headers.
pub(crate) const ACCESS: &str = "quorate_access";
/// The cookie with the refresh token, which only the routes of sessions see.
pub(crate) const REFRESH: &str = "quorate_refresh";

/// The cookie of a browser in which an account has signed in before. It grants no access.
pub(crate) const KNOWN: &str = "quorate_known";

/// The name at the address that the browser shows: `quorate_access_7420`, and none of the port where it shows none.
fn at(client: &Client, name: &str) -> String {
    let port = client.host.rsplit_once(':').and_then(|(_, port)| port.parse::<u16>().ok());
    port.map_or_else(|| name.to_owned(), |port| format!("{name}_{port}"))
}

/// The value of a cookie that came.
pub(crate) fn read(headers: &HeaderMap, name: &str, client: &Client) -> Option<String> {
    let name = at(client, name);
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key.trim() == name && !value.trim().is_empty()).then(|| value.trim().to_owned())
    })
}

/// Sets both cookies, each with its lifetime in seconds.
pub(crate) fn set(headers: &mut HeaderMap, access: (&str, u64), refresh: (&str, u64), client: &Client) {
    put(headers, ACCESS, access, "/", client);
    put(headers, REFRESH, refresh, "/api/v1/sessions", client);
}

/// Sets the one by which a browser is known when it signs in again.
pub(crate) fn set_known(headers: &mut HeaderMap, value: &str, seconds: u64, client: &Client) {
    put(headers, KNOWN, (value, seconds), "/api/v1/sessions", client);
}

/// Sets the cookie for all pages, with its lifetime in seconds.
pub(crate) fn set_access(headers: &mut HeaderMap, value: &str, seconds: u64, client: &Client) {
    put(headers, ACCESS, (value, seconds), "/", client);
}

/// Deletes both cookies.
pub(crate) fn clear(headers: &mut HeaderMap, client: &Client) {
    set(headers, ("", 0), ("", 0), client);
}

fn put(headers: &mut HeaderMap, name: &str, (value, seconds): (&str, u64), path: &str, client: &Client) {
    let secure = if client.https { "; Secure" } else { "" };
    let name = at(client, name);
    let cookie = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    // Our own tokens contain only letters, digits, dots, dashes and underscores.
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(host: &str) -> Client {
        let address = std::net::Ipv4Addr::LOCALHOST.into();
        Client { address, https: false, host: host.to_owned(), handed_on: false }
    }

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; quorate_access=x.y.z ;b=2"));
        let here = client("meet.example.org");
        assert_eq!(read(&headers, ACCESS, &here).as_deref(), Some("x.y.z"));
        assert_eq!(read(&headers, "quorate", &here), None);
        assert_eq!(read(&headers, REFRESH, &here), None);
    }

    #[test]
    fn two_servers_of_one_host_have_cookies_of_their_own() {
        for (host, name) in [
            ("localhost:7420", "quorate_access_7420"),
            ("localhost:7421", "quorate_access_7421"),
            ("[::1]:7420", "quorate_access_7420"),
            ("[::1]", "quorate_access"),
            ("meet.example.org", "quorate_access"),
            ("meet.example.org:99999", "quorate_access"),
        ] {
            let mut headers = HeaderMap::new();
            set_access(&mut headers, "x", 60, &client(host));
            let cookie = headers[header::SET_COOKIE].to_str().expect("plain");
            assert!(cookie.starts_with(&format!("{name}=x;")), "{host}: {cookie}");
        }
    }
}
