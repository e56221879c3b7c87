//! Attacks: other sites, forged tokens, strange names, strange bodies.

use quorate_server::{AccessOptions, LimitOptions};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::access::generous;
use crate::access_server::{App, PASSWORD};
use crate::test_server::Rig;

const GET: Method = Method::GET;
const POST: Method = Method::POST;

#[tokio::test]
async fn a_page_elsewhere_reaches_nothing_with_anybodys_cookie() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let body = json!({"name": "owner", "password": PASSWORD});
    let begun = app.ask(POST, "/sessions", &[], Some(body)).await;
    let set = begun.headers.get_all("set-cookie").iter().filter_map(|cookie| cookie.to_str().ok());
    let cookie = set.filter_map(|cookie| cookie.split(';').next()).collect::<Vec<_>>().join("; ");
    let own = app.url.clone();
    for (origin, status) in [
        (("origin", "https://evil.example"), StatusCode::FORBIDDEN),
        (("origin", "null"), StatusCode::FORBIDDEN),
        (("origin", "http://localhost"), StatusCode::FORBIDDEN),
        (("origin", &*format!("{own}.evil.example")), StatusCode::FORBIDDEN),
        (("origin", &*own.replace("127.0.0.1", "127.0.0.1@evil.example")), StatusCode::FORBIDDEN),
        (("sec-fetch-site", "cross-site"), StatusCode::FORBIDDEN),
        (("sec-fetch-site", "same-site"), StatusCode::FORBIDDEN),
        (("origin", &*own), StatusCode::OK),
        (("sec-fetch-site", "same-origin"), StatusCode::OK),
    ] {
        let headers = [("cookie", &*cookie), origin];
        let stream = app.ask(GET, "/meetings/m1/events", &headers, None).await;
        assert_eq!(stream.status, status, "a stream, {origin:?}");
        let change = app.ask(Method::PATCH, "/meetings/m1", &headers, Some(json!({"topic": "x"}))).await;
        assert_eq!(change.status, status, "a change, {origin:?}: {}", change.body);
        let upgrade = [
            ("cookie", &*cookie),
            origin,
            ("connection", "upgrade"),
            ("upgrade", "websocket"),
            ("sec-websocket-version", "13"),
            ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
        ];
        let mut request = app.client.get(format!("{}/api/v1/ws", app.url));
        for (name, value) in upgrade {
            request = request.header(name, value);
        }
        let socket = request.send().await.expect("an answer").status();
        let wanted = if status == StatusCode::OK { StatusCode::SWITCHING_PROTOCOLS } else { status };
        assert_eq!(socket, wanted, "a socket, {origin:?}");
        // Without a cookie, the request is not signed in.
        let forms = [origin, ("content-type", "text/plain")];
        let refused = app.ask(POST, "/tokens", &forms, Some(json!({"name": "x", "scope": "owner"}))).await;
        assert!(refused.status.is_client_error(), "{origin:?}");
    }
    // A simple request of a form cannot carry JSON.
    let form = app.client.post(format!("{}/api/v1/tokens", app.url)).header("cookie", &cookie);
    let form = form.header("content-type", "text/plain").body(r#"{"name":"x","scope":"owner"}"#);
    assert_eq!(form.send().await.expect("an answer").status(), StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn nobody_is_told_more_by_a_preflight_than_who_may_ask() {
    let options = AccessOptions { allow_origin: vec!["https://tools.example".to_owned()], ..generous() };
    let app = App::open(options).await;
    for origin in [
        "https://tools.example",
        "https://evil.example",
        "null",
        "https://tools.example.evil",
        "HTTPS://TOOLS.EXAMPLE",
    ] {
        for path in ["/tokens", "/meetings", "/ws", "/meetings/m1/events"] {
            let ask = [("origin", origin), ("access-control-request-method", "DELETE")];
            let answer = app.ask(Method::OPTIONS, path, &ask, None).await;
            let told =
                answer.headers.get("access-control-allow-origin").and_then(|value| value.to_str().ok());
            let wanted = (origin == "https://tools.example").then_some(origin);
            assert_eq!(told, wanted, "{origin} {path}");
        }
        let answer = app.ask(GET, "/me", &[("origin", origin)], None).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
        let told = answer.headers.get("access-control-allow-origin").and_then(|value| value.to_str().ok());
        assert_eq!(told, (origin == "https://tools.example").then_some(origin));
    }
    let closed = App::open(generous()).await;
    let answer = closed.ask(Method::OPTIONS, "/tokens", &[("origin", "https://tools.example")], None).await;
    assert!(answer.headers.get("access-control-allow-origin").is_none());
}

#[tokio::test]
async fn alone_only_names_of_this_machine_are_answered() {
    let app = App::alone(AccessOptions::default()).await;
    let port = app.address.port();
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        "evil.example, localhost".to_owned(),
        "localhost@evil.example".to_owned(),
        format!("0.0.0.0:{port}"),
        "[::ffff:10.0.0.1]".to_owned(),
    ] {
        for path in ["/me", "/meetings", "/openapi.json", "/ws"] {
            let status = app.ask(GET, path, &[("host", &host)], None).await.status;
            let refused = matches!(status, StatusCode::MISDIRECTED_REQUEST | StatusCode::BAD_REQUEST);
            assert!(refused, "{host} {path}: {status}");
        }
    }
    for header in ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host"] {
        let answer = app.ask(GET, "/me", &[(header, "127.0.0.1")], None).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{header}");
    }
}

#[tokio::test]
async fn no_forged_token_is_taken() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await;
    let token = owner.text("access_token");
    let session = owner.body["session"]["id"].as_str().expect("an id").to_owned();
    let elsewhere = App::open(generous()).await.owner().await.text("access_token");
    let random = token.strip_prefix("qa_").expect("an access token");
    let fingerprint: String =
        quorate_store::fingerprint(&token).iter().map(|byte| format!("{byte:02x}")).collect();
    let mut forged = vec![
        elsewhere,
        session.clone(),
        format!("qa_{session}"),
        format!("qa_{fingerprint}"),
        fingerprint,
        "qa_".to_owned(),
        format!("qa_{}", "A".repeat(43)),
        random.to_owned(),
        format!("qt_{random}"),
        format!("qr_{random}"),
        format!("qa_{}", random.to_uppercase()),
        token[..token.len() - 1].to_owned(),
        format!("{token}A"),
        format!("{token}="),
        format!("{token}.{token}"),
        "qt_".to_owned(),
        format!("qt_{}", "A".repeat(43)),
        owner.text("refresh_token"),
        "A".repeat(30_000),
        format!("qa_{}", "A".repeat(30_000)),
    ];
    // Signed tokens of the sort that other servers take: nothing is read from what a token says.
    forged.extend(
        ["eyJhbGciOiJub25lIn0.e30.", "eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJvd25lciJ9.AAAA", ".."]
            .map(str::to_owned),
    );
    for token in forged {
        let answer = app.by(&token, GET, "/me", None).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token}");
        let cookie = format!("quorate_access_{}={token}", app.address.port());
        let answer = app.ask(GET, "/me", &[("cookie", &cookie)], None).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{token} as a cookie");
    }
    for scheme in ["bearer ", "BEARER  "] {
        let shown = format!("{scheme}{token}");
        assert_eq!(app.ask(GET, "/me", &[("authorization", &shown)], None).await.status, StatusCode::OK);
    }
    for shown in
        [token.clone(), format!("Basic {token}"), "Bearer".to_owned(), format!("Bearer {token} {token}")]
    {
        let answer = app.ask(GET, "/me", &[("authorization", &shown)], None).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{shown}");
    }
}

#[tokio::test]
async fn whatever_stands_in_a_path_is_a_name_and_nothing_else() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let long = "x".repeat(10_000);
    let names = [
        "..%2F..%2Fetc%2Fpasswd",
        "..%5c..%5c",
        "%2e%2e",
        "%00",
        "a%00b",
        "%0d%0aset-cookie:%20a=b",
        "%F0%9F%98%80",
        "%E4%BC%9A",
        "%FF%FE",
        "%zz",
        "%",
        "a%2Fevents",
        "'%20OR%201=1--",
        "%22",
        "{id}",
        "*",
        "null",
        "-1",
        "18446744073709551616",
        &long,
    ];
    for name in names {
        for path in [
            format!("/meetings/{name}"),
            format!("/meetings/{name}/log"),
            format!("/meetings/{name}/events"),
            format!("/meetings/{name}/files/{name}"),
            format!("{meeting}/files/{name}"),
            format!("{meeting}/messages/{name}"),
            format!("{meeting}/participants/{name}"),
            format!("{meeting}/ballots/{name}"),
            format!("{meeting}/minutes/versions/{name}"),
            format!("{meeting}/artifacts/{name}/{name}"),
            format!("/agents/{name}"),
            format!("/templates/{name}"),
            format!("/docs/{name}"),
            format!("{meeting}/export?format={name}"),
            format!("/search?q={name}&cursor={name}"),
            format!("/{name}/"),
        ] {
            let answer = rig.send(GET, &path, &[], None).await;
            let is_fine = answer.status.is_client_error() || path.starts_with("/search");
            assert!(is_fine && !answer.status.is_server_error(), "{path}: {} {}", answer.status, answer.body);
            assert!(!answer.headers.contains_key("set-cookie"), "{path}");
            assert!(answer.body.to_string().len() < 25_000, "{path}: what was asked for comes back whole");
        }
        for path in [
            format!("/agents/{name}"),
            format!("/providers/{name}"),
            format!("{meeting}/agenda/{name}"),
            format!("/templates/{name}"),
            format!("/accounts/{name}"),
        ] {
            let answer = rig.send(Method::DELETE, &path, &[], None).await;
            assert!(answer.status.is_client_error(), "{path}: {} {}", answer.status, answer.body);
        }
    }
    assert_eq!(rig.see(&meeting).await["state"], "draft");
}

#[tokio::test]
async fn strange_bodies_are_refused_with_a_word() {
    let rig = Rig::start().await;
    let meeting = rig.meeting(json!({})).await;
    let deep =
        |open: &str, close: &str| format!(r#"{{"topic":{}{}}}"#, open.repeat(10_000), close.repeat(10_000));
    let many =
        format!(r#"{{{}"topic":"x"}}"#, (0..20_000).map(|n| format!("\"k{n}\":1,")).collect::<String>());
    let bodies: Vec<(String, u16)> = vec![
        // A text is wanted there, so nothing of what is nested is read.
        (deep("[", "]"), 422),
        (deep(r#"{"a":"#, "}").replacen(":}", ":1}", 1), 422),
        ("[".repeat(500_000), 422),
        (format!(r#"{{"topic":"x","rules":{{"a":{}"#, "[".repeat(10_000)), 400),
        (r#"{"topic":"x","topic":"y"}"#.to_owned(), 422),
        (r#"{"topic":NaN}"#.to_owned(), 400),
        (r#"{"topic":"x","seed":1e400}"#.to_owned(), 400),
        (r#"{"topic":"x","seed":-1}"#.to_owned(), 422),
        (r#"{"topic":"x","seed":18446744073709551616}"#.to_owned(), 422),
        (r#"{"topic":"x","seed":1.5}"#.to_owned(), 422),
        (r#"{"topic":"\ud800"}"#.to_owned(), 400),
        (r#"{"topic":"\udc00\ud800"}"#.to_owned(), 400),
        ("{\"topic\":\"\u{0}\"}".to_owned(), 400),
        (r#"{"topic":"x"} {"topic":"y"}"#.to_owned(), 400),
        (r#"{"topic":"x"}//"#.to_owned(), 400),
        ("\u{feff}{\"topic\":\"x\"}".to_owned(), 400),
        (r#"{"__proto__":{"a":1},"topic":"x"}"#.to_owned(), 422),
        ("null".to_owned(), 422),
        ("[]".to_owned(), 422),
        ("\"x\"".to_owned(), 422),
        (many, 422),
        (format!(r#"{{"topic":"{}"}}"#, "x".repeat(2 << 20)), 413),
    ];
    for path in ["/meetings", "/meetings/estimate", "/templates", "/agents"] {
        for (body, status) in &bodies {
            let request = rig.client.post(format!("{}/api/v1{path}", rig.url));
            let request = request.header("content-type", "application/json").body(body.clone());
            let answer = request.send().await.expect("an answer");
            let (found, shown) = (answer.status().as_u16(), &body[..body.len().min(60)]);
            let wanted = if path == "/meetings" { vec![*status] } else { vec![400, 413, 422] };
            assert!(wanted.contains(&found), "{path} {shown}: {found}, not {status}");
            let problem: serde_json::Value = answer.json().await.expect("a problem");
            assert!(problem["hint"].as_str().is_some_and(|hint| !hint.is_empty()), "{shown}: {problem}");
        }
    }
    let bytes =
        rig.client.post(format!("{}/api/v1/meetings", rig.url)).header("content-type", "application/json");
    let answer = bytes.body(&b"{\"topic\":\"\xff\xfe\"}"[..]).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
    let many: String = (0..10_000).map(|n| format!("&k{n}=1")).collect();
    for path in ["/meetings?x=1", &*format!("{meeting}/messages?limit=1"), "/search?q=x"] {
        let answer = rig.send(GET, &format!("{path}{}", &many[..many.len().min(60_000)]), &[], None).await;
        assert!(answer.status.is_client_error(), "{path}: {}", answer.status);
        assert!(answer.body.to_string().len() < 10_000);
    }
    // What is hidden in a text is taken out of it.
    rig.execute(&format!("{meeting}/messages"), json!({"content": "a\u{202e}b\u{0}c\u{1b}[31md"})).await;
    let said = rig.see(&format!("{meeting}/messages")).await["items"][0]["content"].clone();
    assert!(said.as_str().is_some_and(|text| !text.contains(['\u{0}', '\u{1b}', '\u{202e}'])), "{said}");
}

#[tokio::test]
async fn every_path_answers_every_method_with_sense() {
    let app = App::open(generous()).await;
    app.meeting("m1").await;
    let owner = app.owner().await.text("access_token");
    let document = quorate_server::openapi();
    for (path, item) in document["paths"].as_object().expect("paths") {
        let asked = path.replace("{id}", "m1").trim_start_matches("/api/v1").to_owned();
        let asked = asked
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect::<Vec<_>>()
            .join("/");
        for method in ["HEAD", "OPTIONS", "TRACE", "PROPFIND", "PUT", "PATCH"] {
            if item.get(method.to_lowercase()).is_some() {
                continue;
            }
            let method: Method = method.parse().expect("a method");
            for token in ["", &*owner] {
                let answer = app.by(token, method.clone(), &asked, None).await;
                let is_get = method == Method::HEAD && item.get("get").is_some();
                assert!(!answer.status.is_server_error(), "{method} {asked}: {}", answer.status);
                if is_get {
                    assert_ne!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{method} {asked}");
                    assert_eq!(answer.body, json!(""), "{method} {asked} has no body");
                } else {
                    assert_eq!(
                        answer.status,
                        StatusCode::METHOD_NOT_ALLOWED,
                        "{method} {asked}: {}",
                        answer.body
                    );
                    assert!(answer.headers.contains_key("allow"), "{method} {asked}");
                }
            }
        }
    }
}

#[tokio::test]
async fn nobody_makes_up_where_they_come_from() {
    let limits = LimitOptions { attempts_per_minute: 2, ..LimitOptions::default() };
    let app = App::open(AccessOptions { limits, ..AccessOptions::default() }).await;
    let attempt = |from: String| {
        let app = &app;
        async move {
            let headers = [("x-forwarded-for", &*from), ("x-real-ip", &from), ("forwarded", "for=9.9.9.9")];
            app.ask(POST, "/sessions", &headers, Some(json!({"name": "owner", "password": "guess"}))).await
        }
    };
    let mut last = attempt("1.1.1.1".to_owned()).await;
    for other in 2..5 {
        last = attempt(format!("{other}.1.1.1")).await;
    }
    assert_eq!(last.status, StatusCode::TOO_MANY_REQUESTS, "another address each time, but none is believed");
    let wait: u64 = last.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
    assert!((1..=31).contains(&wait), "{wait}");
    assert_eq!(last.body["retry_after"], wait);
}
