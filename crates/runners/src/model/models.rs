//! Which models a provider has, and which of them somebody may have meant.

use quorate_core::FailureKind;
use reqwest::RequestBuilder;

use super::attempt::{Patience, send, whole};
use super::trouble::{Trouble, hint};
use super::wire::ModelPage;

/// At most this many names are listed in a hint.
const NAMED: usize = 3;

/// Reads one page of the list of models.
pub(crate) async fn page(request: RequestBuilder, patience: Patience<'_>) -> Result<ModelPage, Trouble> {
    let mut response = send(request, patience).await?;
    let body = whole(&mut response, patience).await?;
    patience.config.wire.wire().models(&body).map_err(|_| {
        let detail = format!("{} sent no list of models", patience.config.name);
        let hint = hint(patience.config, FailureKind::Malformed);
        Trouble::doubtful(FailureKind::Malformed, detail, hint).final_one()
    })
}

/// A hint that names what somebody who wrote `wanted` may have meant.
pub(crate) fn near(provider: &str, wanted: &str, mut models: Vec<String>) -> String {
    if models.is_empty() {
        return format!("{provider} has no models; load or pull one first");
    }
    let count = models.len();
    let lower = wanted.to_lowercase();
    models.sort_by_cached_key(|model| {
        let model = model.to_lowercase();
        let contains = model.contains(&lower) || lower.contains(&model);
        (!contains, distance(&lower, &model))
    });
    models.truncate(NAMED);
    let names = models.join(", ");
    match count - models.len() {
        0 => format!("{provider} has {names}"),
        others => {
            format!(
                "{provider} has {names} and {others} others; `quorate providers models {provider}` lists them"
            )
        }
    }
}

/// How many characters have to be changed, added or removed to turn one name into the other;
/// only the first 64 of each count.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (above, letter) in one.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (place, candidate) in other.iter().enumerate() {
            let changed = diagonal + usize::from(*candidate != letter);
            diagonal = row[place + 1];
            row[place + 1] = changed.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_most_like_the_wanted_one_come_first() {
        let models = ["gpt-4o", "qwen3:8b", "qwen3:14b", "llama3", "qwen2"];
        let models: Vec<String> = models.map(str::to_owned).to_vec();
        assert_eq!(
            near("lab", "Qwen3", models.clone()),
            "lab has qwen3:8b, qwen3:14b, qwen2 and 2 others; `quorate providers models lab` lists them"
        );
        assert!(near("lab", "lama3", models).starts_with("lab has llama3, "));
        assert_eq!(near("lab", "x", vec!["y".to_owned()]), "lab has y");
        assert!(near("lab", "x", Vec::new()).contains("no models"));
    }

    #[test]
    fn distances_are_counted_in_characters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "众议"), 2);
        assert_eq!(distance("众议", "众议"), 0);
    }
}
