//! The card of a remote agent: where it is asked, in which version and binding, and what it can do.
//!
//! Nothing in a card is believed without a check: an address elsewhere gets no key, and no request at all where
//! only public addresses are allowed.

use reqwest::header::{AUTHORIZATION, HeaderName};
use serde_json::Value;
use url::{Host, Url};

use crate::address::check_public;
use crate::provider::ProviderConfig;

/// Where a card lies, below the address of its agent.
const WELL_KNOWN: &str = ".well-known/agent-card.json";
/// The same before version 0.3.
const WELL_KNOWN_BEFORE: &str = ".well-known/agent.json";
/// At most so many interfaces and schemes of a card are looked at.
const ENTRIES_MAX: usize = 50;
/// The longest name or description that is shown, in characters.
const SHOWN_MAX: usize = 200;
/// The most skills that are shown.
const SKILLS_MAX: usize = 8;

/// How an agent is spoken to: the binding with the version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Dialect {
    /// JSON-RPC of version 1.0.
    JsonRpc,
    /// JSON-RPC of version 0.3.
    JsonRpcBefore,
    /// HTTP+JSON of version 1.0.
    Http,
}

impl Dialect {
    /// Its name for people.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::JsonRpc => "JSON-RPC 1.0",
            Self::JsonRpcBefore => "JSON-RPC 0.3",
            Self::Http => "HTTP+JSON 1.0",
        }
    }

    /// The version of the protocol, for its header.
    pub(crate) fn version(self) -> &'static str {
        match self {
            Self::JsonRpc | Self::Http => "1.0",
            Self::JsonRpcBefore => "0.3",
        }
    }
}

/// What a card says that matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) version: String,
    pub(crate) skills: Vec<String>,
    pub(crate) url: Url,
    pub(crate) dialect: Dialect,
    /// Whom the interface is for, where one address serves several.
    pub(crate) tenant: Option<String>,
    pub(crate) streaming: bool,
    /// Whether it takes data beside text.
    pub(crate) takes_data: bool,
    /// Whether it takes images.
    pub(crate) takes_images: bool,
    /// The header that carries the key.
    pub(crate) key_header: HeaderName,
}

impl Card {
    /// The card in one line, for people.
    pub(crate) fn in_a_line(&self) -> String {
        let mut line = self.name.clone();
        for (before, text, after) in
            [(" ", &self.version, ""), (" — ", &self.description, ""), (" [", &self.skills.join(", "), "]")]
        {
            if !text.is_empty() {
                line.push_str(&format!("{before}{text}{after}"));
            }
        }
        let stream = if self.streaming { ", streaming" } else { "" };
        format!("{line} ({}{stream}, {})", self.dialect.title(), self.url)
    }
}

/// The reason why a card cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CardProblem {
    /// It is no object with a name.
    NotACard,
    /// No interface is one that is spoken here.
    NoDialect(String),
    /// Its interface lies at another address, which gets no key.
    Elsewhere(String),
    /// Its interface lies within this machine or its network.
    NotPublic(String),
    /// It asks for what is not supported here: an extension.
    Requires(String),
}

/// The addresses where the card may lie, in the order in which they are tried.
pub(crate) fn card_urls(base: &Url) -> Vec<Url> {
    if base.path().ends_with(".json") {
        return vec![base.clone()];
    }
    [WELL_KNOWN, WELL_KNOWN_BEFORE]
        .into_iter()
        .map(|path| {
            let mut url = base.clone();
            url.set_path(&format!("{}/{path}", base.path().trim_end_matches('/')));
            url
        })
        .collect()
}

/// Reads a card, of version 1.0 or 0.3.
pub(crate) fn read(config: &ProviderConfig, card: &Value) -> Result<Card, CardProblem> {
    let name = shown(&card["name"]);
    if name.is_empty() {
        return Err(CardProblem::NotACard);
    }
    let capabilities = &card["capabilities"];
    let required = array(&capabilities["extensions"]).find(|extension| extension["required"] == true);
    if let Some(extension) = required {
        return Err(CardProblem::Requires(shown(&extension["uri"])));
    }
    let Chosen { url, dialect, tenant } = interface(config, card)?;
    let modes: Vec<&str> = array(&card["defaultInputModes"]).filter_map(Value::as_str).collect();
    let takes_data = modes.is_empty()
        || modes.iter().any(|mode| matches!(*mode, "application/json" | "data" | "*/*" | "application/*"));
    let takes_images =
        modes.iter().any(|mode| matches!(*mode, "image/png" | "image/jpeg" | "image/*" | "image" | "*/*"));
    Ok(Card {
        name,
        description: shown(&card["description"]),
        version: shown(&card["version"]),
        skills: array(&card["skills"]).take(SKILLS_MAX).map(|skill| shown(&skill["name"])).collect(),
        url,
        dialect,
        tenant,
        streaming: capabilities["streaming"] == true,
        takes_data,
        takes_images,
        key_header: key_header(card),
    })
}

/// An interface that was chosen.
struct Chosen {
    url: Url,
    dialect: Dialect,
    tenant: Option<String>,
}

/// The first interface of the best dialect.
fn interface(config: &ProviderConfig, card: &Value) -> Result<Chosen, CardProblem> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut all: Vec<(String, String, String, Option<String>)> = array(&card["supportedInterfaces"])
        .map(|one| {
            let tenant = Some(text(&one["tenant"])).filter(|tenant| !tenant.is_empty());
            (text(&one["url"]), text(&one["protocolBinding"]), text(&one["protocolVersion"]), tenant)
        })
        .collect();
    if all.is_empty() {
        let version = match text(&card["protocolVersion"]) {
            version if version.is_empty() => "0.3".to_owned(),
            version => version,
        };
        let preferred = match text(&card["preferredTransport"]) {
            binding if binding.is_empty() => "JSONRPC".to_owned(),
            binding => binding,
        };
        all.push((text(&card["url"]), preferred, version.clone(), None));
        let others = array(&card["additionalInterfaces"]);
        all.extend(others.map(|one| (text(&one["url"]), text(&one["transport"]), version.clone(), None)));
    }
    let offered = all.iter().map(|(_, binding, version, _)| format!("{binding} {version}").trim().to_owned());
    let offered = cut(&offered.collect::<Vec<_>>().join(", "));
    let mut spoken: Vec<(Dialect, String, Option<String>)> = all
        .into_iter()
        .filter_map(|(url, binding, version, tenant)| Some((dialect(&binding, &version)?, url, tenant)))
        .collect();
    spoken.sort_by_key(|(dialect, ..)| *dialect);
    let mut problem = CardProblem::NoDialect(offered);
    for (dialect, url, tenant) in spoken {
        match address(config, &url) {
            Ok(url) => return Ok(Chosen { url, dialect, tenant }),
            Err(wrong) => problem = wrong,
        }
    }
    Err(problem)
}

fn dialect(binding: &str, version: &str) -> Option<Dialect> {
    let mut numbers = version.split('.');
    let version = (numbers.next()?, numbers.next().unwrap_or("0"));
    match (binding, version) {
        ("JSONRPC", ("1", _)) => Some(Dialect::JsonRpc),
        ("JSONRPC", ("0", "3" | "2")) => Some(Dialect::JsonRpcBefore),
        ("HTTP+JSON", ("1", _)) => Some(Dialect::Http),
        _ => None,
    }
}

/// The address of an interface, where it may be asked. Agents behind a port of this machine often name it by another of its
/// names; they are asked at the one that was configured.
fn address(config: &ProviderConfig, text: &str) -> Result<Url, CardProblem> {
    let base = &config.base_url;
    let Ok(mut url) = base.join(text) else { return Err(CardProblem::NotACard) };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() || !url.username().is_empty() {
        return Err(CardProblem::NotACard);
    }
    url.set_fragment(None);
    let same_port =
        url.port_or_known_default() == base.port_or_known_default() && url.scheme() == base.scheme();
    if same_port && is_here(&url) && is_here(base) {
        _ = url.set_host(base.host_str());
        return Ok(url);
    }
    let place = || cut(&url.origin().ascii_serialization());
    if url.origin() == base.origin() {
        return Ok(url);
    }
    let has_secrets = config.key.is_some() || !config.extra_headers.is_empty();
    if has_secrets || (base.scheme() == "https" && url.scheme() == "http") || is_here(&url) {
        return Err(CardProblem::Elsewhere(place()));
    }
    match config.public_only && check_public(&url).is_err() {
        true => Err(CardProblem::NotPublic(place())),
        false => Ok(url),
    }
}

/// Whether an address names this machine.
fn is_here(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Ipv6(address)) => address.is_loopback() || address.is_unspecified(),
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        None => false,
    }
}

/// The header for the key: the one of an API key where the card knows no bearer token.
fn key_header(card: &Value) -> HeaderName {
    let Some(schemes) = card["securitySchemes"].as_object() else { return AUTHORIZATION };
    let mut named = None;
    for scheme in schemes.values().take(ENTRIES_MAX) {
        let inner = &scheme["apiKeySecurityScheme"];
        let key = match inner.is_object() {
            true => (inner["location"].as_str(), inner["name"].as_str()),
            false if scheme["type"] == "apiKey" => (scheme["in"].as_str(), scheme["name"].as_str()),
            false => return AUTHORIZATION,
        };
        if let (Some("header"), Some(name)) = key {
            named = named.or_else(|| name.parse::<HeaderName>().ok());
        }
    }
    let taken = ["host", "content-length", "content-type", "transfer-encoding", "connection", "a2a-version"];
    named.filter(|name| !taken.contains(&name.as_str())).unwrap_or(AUTHORIZATION)
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten().take(ENTRIES_MAX)
}

fn shown(value: &Value) -> String {
    cut(value.as_str().unwrap_or_default())
}

/// One line without control characters, of bounded length.
fn cut(text: &str) -> String {
    let line = quorate_contract::clean(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.char_indices().nth(SHOWN_MAX) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use quorate_engine::Secret;
    use serde_json::json;

    use super::*;

    fn config(base: &str) -> ProviderConfig {
        ProviderConfig::new("archive", base.parse().expect("an address"))
    }

    fn read_at(base: &str, card: &Value) -> Result<Card, CardProblem> {
        read(&config(base), card)
    }

    #[test]
    fn cards_of_both_versions_are_read() {
        let before = json!({
            "name": "Archivist", "description": "says", "version": "2", "url": "https://w.example/rpc", "protocolVersion": "0.3.0",
            "preferredTransport": "GRPC", "additionalInterfaces": [{ "url": "https://w.example/rpc", "transport": "JSONRPC" }],
            "capabilities": { "streaming": true }, "defaultInputModes": ["text"], "skills": [{ "name": "Forecast" }],
        });
        let card = read_at("https://w.example", &before).expect("a card");
        assert_eq!((card.dialect, card.streaming, card.takes_data), (Dialect::JsonRpcBefore, true, false));
        assert_eq!((card.url.as_str(), card.skills), ("https://w.example/rpc", vec!["Forecast".to_owned()]));
        let now = json!({
            "name": "Archivist", "supportedInterfaces": [
                { "url": "https://w.example/grpc", "protocolBinding": "GRPC", "protocolVersion": "1.0" },
                { "url": "https://w.example/old", "protocolBinding": "JSONRPC", "protocolVersion": "0.3" },
                { "url": "https://w.example/http", "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
            ],
        });
        let card = read_at("https://w.example", &now).expect("a card");
        assert_eq!((card.dialect, card.url.path()), (Dialect::JsonRpcBefore, "/old"));
    }

    #[test]
    fn a_card_that_lies_about_its_address_gets_no_key() {
        let of = |url: &str| json!({ "name": "W", "url": url, "protocolVersion": "0.3.0" });
        let mut with_key = config("https://w.example/agent");
        with_key.key = Some(Secret::new("sk-planted-0123456789"));
        for elsewhere in ["https://evil.example/", "http://w.example/", "https://w.example:8443/"] {
            let told = read(&with_key, &of(elsewhere));
            assert!(matches!(told, Err(CardProblem::Elsewhere(_))), "{elsewhere}: {told:?}");
        }
        assert!(read(&with_key, &of("https://w.example/rpc")).is_ok());
        // Without a key it may, where it leads nowhere that the operator keeps for himself.
        assert!(read_at("https://w.example", &of("https://api.example/rpc")).is_ok());
        let mut public = config("https://w.example");
        public.public_only = true;
        assert!(matches!(read(&public, &of("https://10.0.0.7/rpc")), Err(CardProblem::NotPublic(_))));
        for here in ["http://169.254.169.254/x", "http://127.0.0.1/x"] {
            assert!(matches!(read(&public, &of(here)), Err(CardProblem::Elsewhere(_))), "{here}");
        }
    }

    #[test]
    fn an_agent_of_this_machine_is_asked_at_the_address_that_was_configured() {
        for named in ["http://localhost:9999/", "http://0.0.0.0:9999/", "http://[::1]:9999/"] {
            let card = json!({ "name": "W", "url": named, "protocolVersion": "0.3.0" });
            let read = read_at("http://127.0.0.1:9999", &card).expect("the same machine and port");
            assert_eq!(read.url.as_str(), "http://127.0.0.1:9999/");
        }
    }

    #[test]
    fn what_is_no_card_is_told_apart_from_one_that_is_not_spoken() {
        for odd in [json!(null), json!([]), json!({}), json!({ "name": 7 }), json!({ "name": "  " })] {
            assert_eq!(read_at("https://w.example", &odd), Err(CardProblem::NotACard), "{odd}");
        }
        let grpc = json!({ "name": "W", "url": "https://w.example", "preferredTransport": "GRPC" });
        let told = read_at("https://w.example", &grpc);
        assert_eq!(told, Err(CardProblem::NoDialect("GRPC 0.3".to_owned())));
        let extension = json!({ "name": "W", "url": "https://w.example",
            "capabilities": { "extensions": [{ "uri": "urn:pay", "required": true }] } });
        assert_eq!(
            read_at("https://w.example", &extension),
            Err(CardProblem::Requires("urn:pay".to_owned()))
        );
    }

    #[test]
    fn the_key_goes_into_the_header_that_the_card_names() {
        let of = |schemes: Value| key_header(&json!({ "securitySchemes": schemes })).as_str().to_owned();
        assert_eq!(
            of(json!({ "k": { "type": "apiKey", "in": "header", "name": "X-API-Key" } })),
            "x-api-key"
        );
        let now = json!({ "k": { "apiKeySecurityScheme": { "location": "header", "name": "X-Key" } } });
        assert_eq!(of(now), "x-key");
        assert_eq!(of(json!({ "b": { "type": "http", "scheme": "bearer" } })), "authorization");
        assert_eq!(of(json!({ "k": { "type": "apiKey", "in": "header", "name": "Host" } })), "authorization");
    }

    #[test]
    fn the_card_lies_below_the_address_or_is_the_address() {
        let of = |base: &str| card_urls(&base.parse().expect("an address"))[0].to_string();
        assert_eq!(of("https://w.example"), "https://w.example/.well-known/agent-card.json");
        assert_eq!(of("https://w.example/a/"), "https://w.example/a/.well-known/agent-card.json");
        assert_eq!(of("https://w.example/cards/w.json"), "https://w.example/cards/w.json");
    }
}
