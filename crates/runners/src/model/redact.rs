//! Redaction of secrets in a server's text, also across fragments.
//!
//! A server that was sent a key can write it into an answer. The fragments that people read pass through a
//! [`Redactor`], which holds back the end of a fragment while it may be the beginning of a secret; the
//! complete text is redacted once more at its end.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use percent_encoding::percent_decode_str;
use quorate_engine::Secret;

use super::proxy::{ProxyRoute, way};
use crate::provider::ProviderConfig;

/// The replacement of a secret.
const SHOWN: &str = "[key]";

/// A shorter value is a placeholder (`none`, `ollama`), not a secret.
const LEAST: usize = 8;

/// This many characters of a secret's beginning are treated as the secret; fewer are its vendor's prefix.
const QUOTED: usize = 10;

/// All that a provider's answers must not show, in the forms in which it may be written.
pub(crate) struct Secrets {
    /// The longest first: one may be the beginning of another.
    forms: Vec<String>,
    /// Whether a form begins with this byte.
    begins: [bool; 256],
}

impl Secrets {
    /// The key, the further headers' values, and the proxy's user and password.
    pub(crate) fn of(config: &ProviderConfig) -> Self {
        let mut forms = Vec::new();
        for secret in config.key.iter().chain(config.extra_headers.values()) {
            add(&mut forms, secret.expose());
        }
        if let Ok(ProxyRoute::Through(url)) = way(config) {
            let (user, password) = (url.username(), url.password().unwrap_or_default());
            let plain = |text: &str| {
                percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
            };
            for text in [user, password, &plain(user), &plain(password)] {
                add(&mut forms, text);
            }
            add(
                &mut forms,
                STANDARD.encode(format!("{}:{}", plain(user), plain(password))).trim_end_matches('='),
            );
        }
        Self::of_forms(forms)
    }

    /// A redactor for these texts, as they are and in the forms in which they may be escaped.
    pub(crate) fn of_all<'a>(texts: impl IntoIterator<Item = &'a Secret>) -> Self {
        let mut forms = Vec::new();
        for text in texts {
            add(&mut forms, text.expose());
        }
        Self::of_forms(forms)
    }

    fn of_forms(mut forms: Vec<String>) -> Self {
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        let mut begins = [false; 256];
        for form in &forms {
            begins[usize::from(form.as_bytes()[0])] = true;
        }
        Self { forms, begins }
    }

    /// Redacts all secrets in a complete text.
    pub(crate) fn redact(&self, text: String) -> String {
        if self.find(&text, 0, true).is_none() {
            return text;
        }
        let mut clean = String::with_capacity(text.len());
        pass(self, &text, true, &mut |piece| clean.push_str(piece));
        clean
    }

    /// Takes also the beginnings of secrets out of an error: some vendors quote that of a key that they
    /// do not know.
    pub(crate) fn redact_quotes(&self, text: String) -> String {
        let text = self.redact(text);
        let (mut clean, mut from) = (String::with_capacity(text.len()), 0);
        for (at, _) in text.char_indices() {
            if at < from {
                continue;
            }
            let rest = &text.as_bytes()[at..];
            let same = |form: &String| form.bytes().zip(rest).take_while(|(a, b)| a == *b).count();
            let most = self.forms.iter().map(same).max().unwrap_or(0);
            if most >= QUOTED && text.is_char_boundary(at + most) {
                clean.push_str(&text[from..at]);
                clean.push_str(SHOWN);
                from = at + most;
            }
        }
        clean + &text[from..]
    }

    /// The first place of a secret, and its length; or, unless this is the `last` part of the text, the place
    /// where one may begin.
    fn find(&self, text: &str, from: usize, last: bool) -> Option<(usize, Option<usize>)> {
        let bytes = text.as_bytes();
        (from..bytes.len()).filter(|at| self.begins[usize::from(bytes[*at])]).find_map(|at| {
            let rest = &bytes[at..];
            // A longer form that may still come is waited for before a shorter one is taken out.
            self.forms.iter().find_map(|form| match form.as_bytes() {
                form if rest.starts_with(form) => Some((at, Some(form.len()))),
                form if !last && form.starts_with(rest) => Some((at, None)),
                _ => None,
            })
        })
    }
}

/// Adds a secret, as it is, as JSON writes it, and in base64.
fn add(forms: &mut Vec<String>, secret: &str) {
    if secret.len() < LEAST {
        return;
    }
    let quoted = serde_json::to_string(secret).expect("a text is JSON");
    let escaped = &quoted[1..quoted.len() - 1];
    let (standard, for_urls) = (STANDARD.encode(secret), URL_SAFE.encode(secret));
    let encoded = [&standard, &for_urls].map(|form| form.trim_end_matches('='));
    let plain = [secret, escaped, &escaped.replace('/', "\\/")];
    for form in plain.into_iter().chain(encoded) {
        if !forms.iter().any(|known| known == form) {
            forms.push(form.to_owned());
        }
    }
}

/// Hands a text on, piece by piece, without the secrets in it.
#[derive(Default)]
pub(crate) struct Redactor {
    /// The end of what came, while it may be the beginning of a secret.
    held: String,
}

impl Redactor {
    /// Takes the next piece and hands on what is certain.
    pub(crate) fn feed(&mut self, secrets: &Secrets, piece: &str, mut hand_on: impl FnMut(&str)) {
        if self.held.is_empty() {
            let kept = pass(secrets, piece, false, &mut hand_on);
            self.held.push_str(&piece[kept..]);
        } else {
            self.held.push_str(piece);
            let kept = pass(secrets, &self.held, false, &mut hand_on);
            self.held.drain(..kept);
        }
    }

    /// Hands on what was held back: nothing follows any more.
    pub(crate) fn finish(&mut self, secrets: &Secrets, mut hand_on: impl FnMut(&str)) {
        let held = std::mem::take(&mut self.held);
        pass(secrets, &held, true, &mut hand_on);
    }
}

/// Hands on as much of `text` as is certain, and returns how far that was. A secret begins with the
/// first byte of a character, so every cut is between two characters.
fn pass(secrets: &Secrets, text: &str, last: bool, hand_on: &mut impl FnMut(&str)) -> usize {
    let mut at = 0;
    loop {
        match secrets.find(text, at, last) {
            None => {
                hand_on_some(&text[at..], hand_on);
                return text.len();
            }
            Some((start, None)) => {
                hand_on_some(&text[at..start], hand_on);
                return start;
            }
            Some((start, Some(length))) => {
                hand_on_some(&text[at..start], hand_on);
                hand_on(SHOWN);
                at = start + length;
            }
        }
    }
}

fn hand_on_some(text: &str, hand_on: &mut impl FnMut(&str)) {
    if !text.is_empty() {
        hand_on(text);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn secrets(key: &str, header: &str) -> Secrets {
        let mut config = ProviderConfig::new("lab", "https://h/v1".parse().expect("a URL"));
        config.key = Some(Secret::new(key));
        config.extra_headers.insert("x-gateway".to_owned(), Secret::new(header));
        Secrets::of(&config)
    }

    fn through(secrets: &Secrets, pieces: &[&str]) -> String {
        let (mut redact, mut shown) = (Redactor::default(), String::new());
        for piece in pieces {
            redact.feed(secrets, piece, |text| shown.push_str(text));
        }
        redact.finish(secrets, |text| shown.push_str(text));
        shown
    }

    #[test]
    fn a_secret_is_taken_out_wherever_it_is_cut() {
        let secrets = secrets("sk-planted/01\"3", "sk-planted-too");
        let text = "众s sk-p, sk-planted/01\"3ssk-planted/01\"3; sk-planted-too sk-planted/01\\\"3 \
                    sk-planted\\/01\\\"3 sk-pl";
        let expected = "众s sk-p, [key]s[key]; [key] [key] [key] sk-pl";
        assert_eq!(secrets.redact(text.to_owned()), expected);
        let characters: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        for size in 1..characters.len() {
            let ends: Vec<usize> = characters.iter().copied().step_by(size).chain([text.len()]).collect();
            let pieces: Vec<&str> = ends.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect();
            assert_eq!(through(&secrets, &pieces), expected, "in pieces of {size}");
        }
    }

    #[test]
    fn an_error_quotes_no_beginning_of_a_secret_either() {
        let secrets = secrets("sk-planted-0123456789", "x-planted-header");
        let text = "众 bad key sk-planted-0123… (sk-planted) and sk-p".to_owned();
        assert_eq!(secrets.redact_quotes(text), "众 bad key [key]… ([key]) and sk-p");
    }

    #[test]
    fn placeholders_and_other_words_are_handed_on_at_once() {
        let secrets = secrets("ollama", "sk-planted-123");
        let mut redact = Redactor::default();
        let mut shown = Vec::new();
        for piece in ["ollama", " is", " sk", "ip"] {
            redact.feed(&secrets, piece, |text| shown.push(text.to_owned()));
        }
        assert_eq!(shown, ["ollama", " i", "s ", "skip"]);
    }

    proptest! {
        /// A subscriber gets the same text as the whole answer without its secrets.
        #[test]
        fn pieces_and_the_whole_agree(
            parts in prop::collection::vec(
                prop::sample::select(vec!["sk-planted-1", "sk-plan", "ted-1", "gate-secret", "s", "g", "字", " ", "sk-"]),
                0..30,
            ),
        ) {
            let secrets = secrets("sk-planted-1", "gate-secret-2");
            let whole = parts.concat();
            prop_assert_eq!(through(&secrets, &parts), secrets.redact(whole));
        }
    }
}
