//! Validation of a provider's settings, and redaction of their secrets.

use quorate_messages::message;

use super::proxy::way;
use super::redact::Secrets;
use crate::address::check_public;
use crate::provider::{ProviderConfig, RunnerConfigError};

impl ProviderConfig {
    /// Redacts the key, the values of extra headers, and the proxy's user and password in a text of foreign
    /// origin.
    pub(crate) fn redact(&self, text: String) -> String {
        Secrets::of(self).redact(text)
    }

    /// Refuses what cannot work.
    pub(crate) fn check(&self) -> Result<(), RunnerConfigError> {
        let base_url = |problem| RunnerConfigError::BaseUrl { provider: self.name.clone(), problem };
        let url = &self.base_url;
        if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
            return Err(base_url(message!("failure-setting-url-scheme")));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(base_url(message!("failure-setting-url-user")));
        }
        if url.fragment().is_some() {
            return Err(base_url(message!("failure-setting-url-fragment")));
        }
        if self.public_only {
            check_public(url)
                .map_err(|source| RunnerConfigError::NotPublic { provider: self.name.clone(), source })?;
        }
        way(self).map_err(|problem| RunnerConfigError::Proxy { provider: self.name.clone(), problem })?;
        let out_of_range = |setting, least, most| {
            Err(RunnerConfigError::OutOfRange { provider: self.name.clone(), setting, least, most })
        };
        if !(1..=1024).contains(&self.permits()) {
            return out_of_range("concurrency", 1, Some(1024));
        }
        if self.retries > 10 {
            return out_of_range("retries", 0, Some(10));
        }
        if self.requests_per_minute.is_some_and(|most| !(1..=1_000_000).contains(&most)) {
            return out_of_range("requests_per_minute", 1, Some(1_000_000));
        }
        if self.tokens_per_minute == Some(0) {
            return out_of_range("tokens_per_minute", 1, None);
        }
        let timeouts = [
            ("timeouts.connect_ms", self.timeouts.connect_ms),
            ("timeouts.first_byte_ms", self.timeouts.first_byte_ms),
            ("timeouts.idle_ms", self.timeouts.idle_ms),
            ("timeouts.total_ms", self.timeouts.total_ms),
        ];
        // A day is more than any answer takes, and keeps sums of times far from their limits.
        const DAY_MS: u64 = 86_400_000;
        match timeouts.iter().find(|(_, ms)| !(1..=DAY_MS).contains(ms)) {
            Some((setting, _)) => out_of_range(setting, 1, Some(DAY_MS)),
            None if self.timeouts.backoff_ms > 60_000 => out_of_range("timeouts.backoff_ms", 0, Some(60_000)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(base_url: &str) -> ProviderConfig {
        ProviderConfig::new("lab", base_url.parse().expect("a URL"))
    }

    #[test]
    fn what_cannot_work_is_refused_with_what_to_change() {
        let refused = |config: ProviderConfig| config.check().expect_err("refused").to_string();
        assert!(refused(provider("ftp://h/v1")).contains("http://"));
        assert!(refused(provider("https://me:secret@h/v1")).contains("key_env"));
        assert!(!refused(provider("https://me:secret@h/v1")).contains("secret"));
        let mut config = provider("https://h/v1");
        config.concurrency = Some(0);
        assert!(refused(config).contains("concurrency must be 1 to 1024"));
        let mut config = provider("https://h/v1");
        config.timeouts.idle_ms = 0;
        assert!(refused(config).contains("timeouts.idle_ms"));
        let mut config = provider("https://h/v1");
        config.requests_per_minute = Some(0);
        assert!(refused(config).contains("requests_per_minute must be 1 to 1000000"));
        let mut config = provider("http://0x7f.1/v1");
        config.public_only = true;
        let error = config.check().expect_err("an address of this machine");
        assert!(error.to_string().contains("127.0.0.1 is an address of this machine"), "{error}");
        assert!(error.told().is_of_events() && error.hint().is_of_events(), "the log can say it");
        assert_eq!(provider("https://h/v1").permits(), 16);
        assert_eq!(provider("http://[::ffff:127.0.0.1]:8080/v1").permits(), 2);
        assert_eq!(provider("http://10.0.0.7:8080/v1").permits(), 4);
        provider("http://127.0.0.1:8080/v1").check().expect("a local server needs no key");
    }
}
