//! The error of an attempt, kept in each language, since nobody knows yet who reads it.

use std::collections::BTreeMap;

use quorate_contract::{Language, Wording, clean};
use quorate_messages::message;
use quorate_runners::{WebhookFailure, check_webhook_address};
use quorate_store::Webhook;

use super::manage::address_problem;

/// The longest error that is kept in one language, in characters.
const ERROR_MAX: usize = 300;

/// The text for the delivery log: as it is, or an object with the text in each language.
pub(super) fn kept(error: &Wording) -> String {
    let short = |text: &str| clean(text).chars().take(ERROR_MAX).collect::<String>();
    let texts = Language::ALL.iter().filter_map(|language| {
        error.in_language(*language).map(|text| (language.tag().to_owned(), short(text)))
    });
    let texts: BTreeMap<String, String> = texts.collect();
    match texts.is_empty() {
        true => short(error.english()),
        false => serde_json::to_string(&texts).expect("texts have no keys but text"),
    }
}

/// What was kept, for a reader.
pub(super) fn text(kept: String, language: Language) -> String {
    let Ok(mut texts) = serde_json::from_str::<BTreeMap<String, String>>(&kept) else { return kept };
    let own = texts.remove(language.tag());
    own.or_else(|| texts.remove(Language::En.tag())).unwrap_or(kept)
}

/// Why a message could not be sent.
pub(super) fn failure(webhook: &Webhook, failure: &WebhookFailure) -> Wording {
    match failure {
        WebhookFailure::Open { failures, .. } => message!("app-delivery-paused", %failures).into(),
        WebhookFailure::TooLong(bytes) => message!("app-delivery-long", %bytes).into(),
        WebhookFailure::TimedOut(seconds) => message!("failure-no-answer-within", %seconds).into(),
        WebhookFailure::Network(told) => told.as_str().into(),
        WebhookFailure::Address(told) => match url::Url::parse(&webhook.url) {
            Err(_) => message!("app-webhook-url").into(),
            Ok(url) => match check_webhook_address(&url, webhook.public_only) {
                Err(error) => address_problem(&error).into(),
                Ok(()) => told.as_str().into(),
            },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_read_in_the_language_of_its_reader() {
        let ours = kept(&message!("app-delivery-turn-over").into());
        assert_eq!(text(ours.clone(), Language::En), "the turn is over");
        assert_eq!(text(ours, Language::Zh), "发言机会已经结束");
        for theirs in ["connection refused", "{\"code\":3}", "{}", ""] {
            let stored = kept(&Wording::from(theirs));
            assert_eq!(text(stored, Language::Zh), theirs);
        }
        let long = kept(&message!("app-delivery-asked-again", problem = "x".repeat(2_000)).into());
        assert!(long.len() < 1_000 && text(long, Language::Zh).starts_with("再次询问"));
    }
}
