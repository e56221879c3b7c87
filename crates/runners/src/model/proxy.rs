//! Through which proxy a provider is asked.

use quorate_messages::{Message, message};
use reqwest::{ClientBuilder, NoProxy, Proxy};
use url::Url;

use crate::address::PublicOnly;
use crate::provider::ProviderConfig;

/// The route from this machine to the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ProxyRoute {
    /// By the environment variables of proxies.
    Environment,
    /// Without a proxy.
    Direct,
    /// Through this proxy; the URL holds its user and password.
    Through(Url),
}

/// Reads the setting `proxy`; what is wrong with it is the end of a sentence, and shows nothing of it.
pub(crate) fn way(config: &ProviderConfig) -> Result<ProxyRoute, Message> {
    let Some(given) = &config.proxy else {
        // A provider on this machine is asked directly. The environment of this program does not apply to
        // addresses of foreign origin.
        let direct = config.is_loopback() || config.public_only;
        return Ok(if direct { ProxyRoute::Direct } else { ProxyRoute::Environment });
    };
    if given.expose().eq_ignore_ascii_case("none") {
        return Ok(ProxyRoute::Direct);
    }
    let url: Url = given.expose().parse().map_err(|_| message!("failure-setting-url-unreadable"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return Err(message!("failure-setting-url-scheme"));
    }
    if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
        return Err(message!("failure-setting-url-after-port"));
    }
    Ok(ProxyRoute::Through(url))
}

/// Configures a client for the route, with the exceptions in `NO_PROXY`.
pub(crate) fn apply(config: &ProviderConfig, builder: ClientBuilder) -> reqwest::Result<ClientBuilder> {
    let (builder, proxy) = match way(config) {
        Ok(ProxyRoute::Through(url)) => {
            let host = url.host_str().map(str::to_owned);
            (builder.proxy(Proxy::all(url)?.no_proxy(NoProxy::from_env())), host)
        }
        Ok(ProxyRoute::Environment) => (builder, None),
        // A setting that is wrong was refused before.
        Ok(ProxyRoute::Direct) | Err(_) => (builder.no_proxy(), None),
    };
    Ok(if config.public_only { builder.dns_resolver(PublicOnly::of_system(proxy)) } else { builder })
}

/// The proxy as it may be shown: without user and password.
pub(crate) fn shown(config: &ProviderConfig) -> Option<String> {
    match way(config) {
        Ok(ProxyRoute::Through(url)) => {
            let port = url.port_or_known_default().map(|port| format!(":{port}")).unwrap_or_default();
            Some(format!("{}://{}{port}", url.scheme(), url.host_str()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Secret;

    fn with(base_url: &str, proxy: Option<&str>) -> ProviderConfig {
        let mut config = ProviderConfig::new("lab", base_url.parse().expect("a URL"));
        config.proxy = proxy.map(Secret::new);
        config
    }

    #[test]
    fn the_setting_wins_and_this_machine_is_asked_directly() {
        let way_of = |base_url, proxy| way(&with(base_url, proxy));
        assert_eq!(way_of("https://h/v1", None), Ok(ProxyRoute::Environment));
        assert_eq!(way_of("http://localhost:1/v1", None), Ok(ProxyRoute::Direct));
        assert_eq!(way_of("https://h/v1", Some("none")), Ok(ProxyRoute::Direct));
        let told = way_of("http://127.0.0.1:1/v1", Some("http://proxy:3128"));
        assert_eq!(told, Ok(ProxyRoute::Through("http://proxy:3128".parse().expect("a URL"))));
        let mut foreign = with("https://h/v1", None);
        foreign.public_only = true;
        assert_eq!(way(&foreign), Ok(ProxyRoute::Direct), "the environment is not asked");
    }

    #[test]
    fn what_is_no_proxy_is_refused_at_the_start_and_not_shown() {
        for wrong in ["proxy:3128", "socks5://proxy:1080", "", "http://", "http://me:hunter22@h/x?y"] {
            let config = with("https://h/v1", Some(wrong));
            let error = crate::ModelRunner::new(config).expect_err(wrong);
            assert!(error.to_string().starts_with("provider lab: proxy "), "{error}");
            let hint = error.hint().text(quorate_messages::Language::En);
            assert!(hint.contains("http://proxy.example.com:3128"), "{hint}");
            assert!(!format!("{error} {error:?}").contains("hunter22"));
        }
    }

    #[test]
    fn user_and_password_are_taken_out_of_texts() {
        let config = with("https://h/v1", Some("http://somebody:p%40ssword1@proxy.lan:3128"));
        assert_eq!(shown(&config).as_deref(), Some("http://proxy.lan:3128"));
        for secret in ["somebody", "p%40ssword1", "p@ssword1", "c29tZWJvZHk6cEBzc3dvcmQx"] {
            assert_eq!(config.redact(format!("no, {secret}!")), "no, [key]!");
        }
    }
}
