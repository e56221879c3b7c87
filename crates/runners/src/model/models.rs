//! The models of a provider, and the likely meaning of a misspelt name.

use quorate_contract::FailureKind;
use quorate_messages::{Message, message};
use reqwest::RequestBuilder;
use strsim::levenshtein;

use super::attempt::{CallTime, send, whole};
use super::failure::{AttemptFailure, hint};
use super::wire::ModelPage;

/// The number of names in a hint that are most like the given one.
const NEAR: usize = 3;
/// The number of other names behind them.
const OTHERS: usize = 10;
/// The number of characters of a name that are compared.
const COMPARED_CHARS: usize = 64;

/// Reads one page of the list of models.
pub(crate) async fn page(
    request: RequestBuilder,
    call_time: CallTime<'_>,
) -> Result<ModelPage, AttemptFailure> {
    let mut response = send(request, call_time).await?;
    let body = whole(&mut response, call_time).await?;
    call_time.config.wire.wire().models(&body).map_err(|_| {
        let detail = message!("failure-no-model-list", provider = &call_time.config.name);
        let hint = hint(call_time.config, FailureKind::Malformed);
        AttemptFailure::doubtful(FailureKind::Malformed, detail, hint).final_one()
    })
}

/// A hint that lists the likely meanings of `wanted`, and other models.
pub(crate) fn near(provider: &str, wanted: &str, models: Vec<String>) -> Message {
    if models.is_empty() {
        return message!("remedy-load-model", %provider);
    }
    let count = models.len();
    let named = near_models(wanted, models);
    match count - named.len() {
        0 => message!("remedy-models-there-are", provider, models = named),
        others => message!("remedy-models-and-others", provider, models = named, count = others),
    }
}

/// The models that are most like `wanted`, and after them some of the others by name.
pub fn near_models(wanted: &str, mut models: Vec<String>) -> Vec<String> {
    let lower = wanted.to_lowercase();
    models.sort_by_cached_key(|model| {
        let model = model.to_lowercase();
        let contains = model.contains(&lower) || lower.contains(&model);
        (!contains, levenshtein(&beginning(&lower), &beginning(&model)))
    });
    let mut others = models.split_off(models.len().min(NEAR));
    others.sort();
    others.truncate(OTHERS);
    models.append(&mut others);
    models
}

/// The part of a name that is compared: its provider decides how long it is.
fn beginning(name: &str) -> String {
    name.chars().take(COMPARED_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use quorate_contract::Language;

    use super::*;

    #[test]
    fn the_names_most_like_the_wanted_one_come_first() {
        let models = ["gpt-4o", "qwen3:8b", "qwen3:14b", "llama3", "qwen2"];
        let models: Vec<String> = models.map(str::to_owned).to_vec();
        let near = |wanted: &str, models| near("lab", wanted, models).text(Language::En);
        assert_eq!(near("Qwen3", models.clone()), "lab has qwen3:8b, qwen3:14b, qwen2, gpt-4o, llama3");
        assert!(near("lama3", models).starts_with("lab has llama3, "));
        assert_eq!(near("x", vec!["y".to_owned()]), "lab has y");
        assert!(near("x", Vec::new()).contains("no models"));
        let many: Vec<String> = (10..40).map(|number| format!("m{number}")).collect();
        assert_eq!(
            near("m25", many),
            "lab has m25, m15, m20, m10, m11, m12, m13, m14, m16, m17, m18, m19, m21 and 17 others"
        );
    }
}
