//! Every sort of problem that there is, explained: what the `type` of a problem refers to.

use quorate_contract::Language;
use quorate_messages::keyed;

/// Every sort. Its texts are `problem-SORT-title`, `problem-SORT` (what it means) and `problem-SORT-hint` (what helps).
pub(crate) const SORTS: &[&str] = &[
    "unreadable",
    "invalid",
    "not-found",
    "method-not-allowed",
    "too-large",
    "uploads-full",
    "too-many",
    "sign-in",
    "token-needed",
    "forbidden",
    "blind-round",
    "open-ballot",
    "locked",
    "is-paused",
    "not-paused",
    "not-started",
    "already-started",
    "meeting-is-over",
    "wrong-resume-token",
    "no-such-participant",
    "name-taken",
    "turn-is-over",
    "cannot-skip",
    "bad-signature",
    "replayed",
    "cannot-call-up",
    "no-such-agenda-item",
    "no-such-file",
    "people-may-not-speak",
    "not-the-host",
    "no-such-person",
    "no-seat",
    "too-many-people",
    "answer-missing",
    "bad-answer",
    "not-asked",
    "nothing-to-record",
    "already-requested",
    "minutes-outdated",
    "changed-meanwhile",
    "somebody-was-faster",
    "elsewhere",
    "quarantined",
    "broken-off",
    "off-record",
    "no-ballot",
    "interrupted",
    "idempotency-key-reused",
    "still-running",
    "provider",
    "key-refused",
    "stopping",
    "storage",
    "disk-full",
    "database-read-only",
    "database-gone",
    "database-busy",
    "damaged",
    "already-subscribed",
    "already-signed-in",
    "too-many-subscriptions",
    "too-many-lines",
    "too-many-meetings",
    "too-many-meetings-of-account",
    "passwords-busy",
    "too-slow",
    "no-session",
    "wrong-password",
    "wrong-host",
    "wrong-origin",
    "through-a-proxy",
    "last-owner",
    "no-random-numbers",
    "no-pdf",
    "pdf-failed",
    "exporter-failed",
    "exports-busy",
    "busy",
    "bug",
];

/// What a sort is called.
pub(crate) fn title(language: Language, sort: &str) -> &str {
    keyed(language, &format!("problem-{sort}-title")).unwrap_or(sort)
}

/// What a sort means.
pub(crate) fn meaning(language: Language, sort: &str) -> &str {
    keyed(language, &format!("problem-{sort}")).unwrap_or(sort)
}

/// What helps.
pub(crate) fn hint(language: Language, sort: &str) -> &'static str {
    keyed(language, &format!("problem-{sort}-hint")).unwrap_or_default()
}

/// The word for the type of a resource: `version of the minutes`.
pub(crate) fn thing(language: Language, what: &str) -> &str {
    keyed(language, &format!("problem-thing-{}", what.replace(' ', "-"))).unwrap_or(what)
}

/// All of them as a page.
pub(crate) fn page() -> String {
    let mut rows = String::new();
    for sort in SORTS {
        let told = [Language::En, Language::Zh].map(|language| {
            let [title, meaning, hint] =
                [title(language, sort), meaning(language, sort), hint(language, sort)];
            format!("<p lang=\"{}\"><strong>{title}</strong> {meaning} {hint}</p>", language.tag())
        });
        rows.push_str(&format!("<section id=\"{sort}\"><h2>{sort}</h2>{}</section>\n", told.concat()));
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Quorate: problems</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\"><style>body{{font:15px/1.6 system-ui,sans-serif;\
         max-width:44rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}}h2{{font:600 1rem \
         ui-monospace,monospace;margin:1.6rem 0 .2rem}}p{{margin:.2rem 0}}:target{{background:color-mix(in srgb,\
         Highlight 15%,transparent);padding:.2rem .6rem}}</style></head>\n<body><h1>Problems · 问题</h1>\n{rows}</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use quorate_messages::keys;

    use super::*;

    /// The text of all files of this crate.
    fn sources() -> String {
        fn gather(folder: &std::path::Path, text: &mut String) {
            for entry in std::fs::read_dir(folder).expect("the sources").flatten() {
                let path = entry.path();
                match path.is_dir() {
                    true => gather(&path, text),
                    false => text.push_str(&std::fs::read_to_string(&path).expect("a source")),
                }
            }
        }
        let mut text = String::new();
        gather(&std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut text);
        text
    }

    #[test]
    fn every_sort_and_every_thing_has_its_texts_and_no_text_is_left_over() {
        let sources = sources();
        let things = sources.split("not_found(\"").skip(1).filter_map(|after| after.split('"').next());
        let told = ["participant", "agenda item", "credential", "database", "webhook"];
        let told = told.into_iter().chain(["account", "token", "session", "guest", "invitation"]);
        let things: BTreeSet<_> = things.chain(told).map(|what| what.replace(' ', "-")).collect();
        let sorts = SORTS.iter().flat_map(|sort| {
            [format!("problem-{sort}-title"), format!("problem-{sort}"), format!("problem-{sort}-hint")]
        });
        let used: BTreeSet<_> =
            sorts.chain(things.iter().map(|what| format!("problem-thing-{what}"))).collect();
        for language in Language::ALL {
            let known: BTreeSet<_> = keys(language, "problem").map(str::to_owned).collect();
            assert_eq!(used, known, "in {}", language.tag());
        }
    }

    #[test]
    fn every_sort_is_explained_and_every_explanation_needed() {
        let sources = sources();
        let mut named = BTreeSet::new();
        for after in sources.split("Problem::new(").chain(sources.split("Self::new(")).skip(1) {
            // The second argument, when it is written out.
            let head: String = after.chars().take(160).collect();
            let Some((before, rest)) = head.split_once('"') else { continue };
            if before.contains([')', '!']) {
                continue;
            }
            let Some((sort, _)) = rest.split_once('"') else { continue };
            if !sort.is_empty() && sort.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') {
                named.insert(sort.to_owned());
            }
        }
        assert!(named.contains("bug") && named.contains("too-large"), "{named:?}");
        for sort in &named {
            assert!(SORTS.contains(&sort.as_str()), "{sort} is not explained");
        }
        for sort in SORTS {
            let quoted = format!("\"{sort}\"");
            // Once in the list.
            assert!(sources.matches(&quoted).count() > 1, "{sort} is explained and never said");
        }
    }
}
