//! How browsers carry a session: in cookies that no script can read and no other site can send.

use axum::http::{HeaderMap, HeaderValue, header};

/// The cookie with the access token, for all pages: `EventSource` cannot set headers.
pub(crate) const ACCESS: &str = "quorate_access";
/// The cookie with the refresh token, which only the doors to sessions see.
pub(crate) const REFRESH: &str = "quorate_refresh";

/// The value of a cookie that came.
pub(crate) fn read(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).find_map(|pair| {
        let (key, value) = pair.split_once('=')?;
        (key.trim() == name && !value.trim().is_empty()).then(|| value.trim().to_owned())
    })
}

/// Sets both, for so many seconds.
pub(crate) fn set(headers: &mut HeaderMap, access: (&str, u64), refresh: (&str, u64), https: bool) {
    put(headers, ACCESS, access, "/", https);
    put(headers, REFRESH, refresh, "/api/v1/sessions", https);
}

/// Takes both away.
pub(crate) fn clear(headers: &mut HeaderMap, https: bool) {
    set(headers, ("", 0), ("", 0), https);
}

fn put(headers: &mut HeaderMap, name: &str, (value, seconds): (&str, u64), path: &str, https: bool) {
    let secure = if https { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}");
    // Our own tokens hold only letters, digits, dots, dashes and underscores.
    if let Ok(cookie) = HeaderValue::try_from(cookie) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; quorate_access=x.y.z ;b=2"));
        assert_eq!(read(&headers, ACCESS).as_deref(), Some("x.y.z"));
        assert_eq!(read(&headers, "quorate"), None);
        assert_eq!(read(&headers, REFRESH), None);
    }
}
