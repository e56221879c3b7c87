//! Agent cards: one for each format, and one for all.

use quorate_contract::Format;
use quorate_messages::{Language, keyed, text};
use serde_json::{Map, Value, json};

/// The URI by which the settings in the metadata of a message are known.
const EXTENSION: &str = "urn:quorate:a2a:meeting-settings:1";

/// The card of the agent at `url`: of one format, or of all. It is one of version 1.0 that clients of 0.3 read, too.
pub(crate) fn card(format: Option<Format>, url: &str, language: Language, site: &str) -> Value {
    let name = match format {
        Some(format) => text!(language, "a2a-agent", format = label(format, language)),
        None => "Quorate 众议".to_owned(),
    };
    let formats: Vec<Format> = format.map_or_else(|| Format::ALL.to_vec(), |format| vec![format]);
    let skills: Vec<Value> = formats.iter().map(|format| skill(*format, language)).collect();
    let interfaces = json!([
        { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "1.0" },
        { "url": url, "protocolBinding": "HTTP+JSON", "protocolVersion": "1.0" },
        { "url": url, "protocolBinding": "JSONRPC", "protocolVersion": "0.3" },
    ]);
    let settings =
        json!({ "uri": EXTENSION, "required": false, "description": text!(language, "a2a-extension") });
    json!({
        "name": name,
        "description": text!(language, "a2a-description"),
        "version": env!("CARGO_PKG_VERSION"),
        "provider": { "organization": "Quorate 众议", "url": site },
        "documentationUrl": format!("{site}/api/v1/docs"),
        "supportedInterfaces": interfaces,
        "capabilities": {
            "streaming": true, "pushNotifications": false, "extendedAgentCard": false, "extensions": [settings],
        },
        "securitySchemes": { "bearer": {
            "httpAuthSecurityScheme": { "scheme": "Bearer", "description": text!(language, "a2a-token") },
            "type": "http", "scheme": "Bearer", "description": text!(language, "a2a-token"),
        } },
        "securityRequirements": [{ "schemes": { "bearer": { "list": [] } } }],
        "defaultInputModes": ["text/plain", "application/json"],
        "defaultOutputModes": ["text/markdown", "application/json"],
        "skills": skills,
        // Version 0.3.
        "protocolVersion": "0.3.0",
        "url": url,
        "preferredTransport": "JSONRPC",
        "security": [{ "bearer": [] }],
        "supportsAuthenticatedExtendedCard": false,
    })
}

fn label(format: Format, language: Language) -> String {
    of_format("format", format, language)
}

/// A text of the catalogue about a format.
fn of_format(what: &str, format: Format, language: Language) -> String {
    keyed(language, &format!("rules-{what}-{}", format.as_str())).unwrap_or(format.as_str()).to_owned()
}

fn skill(format: Format, language: Language) -> Value {
    let [when, yields] = ["when", "yields"].map(|what| of_format(what, format, language));
    let description = text!(language, "a2a-skill", when, yields);
    let mut skill = Map::new();
    skill.insert("id".to_owned(), format.as_str().into());
    skill.insert("name".to_owned(), label(format, language).into());
    skill.insert("description".to_owned(), description.into());
    skill.insert("tags".to_owned(), json!(["deliberation", format.as_str()]));
    skill.insert("examples".to_owned(), json!([text!(language, "a2a-example")]));
    skill.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_a_card_of_both_versions_and_the_root_names_all() {
        for language in Language::ALL {
            for format in Format::ALL {
                let url = format!("https://q.example/a2a/{}", format.as_str());
                let card = card(Some(format), &url, language, "https://q.example");
                assert_eq!(card["url"], url);
                assert_eq!(card["supportedInterfaces"][0]["url"], url);
                assert_eq!(card["skills"][0]["id"], format.as_str());
                assert!(card["skills"][0]["description"].as_str().is_some_and(|text| text.len() > 20));
            }
            let all = card(None, "https://q.example/a2a", language, "https://q.example");
            assert_eq!(all["skills"].as_array().map(Vec::len), Some(Format::ALL.len()));
        }
    }
}
