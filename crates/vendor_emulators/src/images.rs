//! Images in requests, in every format: what the vendors refuse about them, and which models see.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::http::Reply;
use crate::openai;

/// What Anthropic and OpenAI read.
const USUAL: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/// What Google reads.
const GOOGLES: [&str; 5] = ["image/png", "image/jpeg", "image/webp", "image/heic", "image/heif"];

/// Whether a model sees: `dumb` ones, reasoners, those of DeepSeek and of a llama-server do not.
fn sees(model: &str) -> bool {
    let blind = ["dumb", "reasoner", "deepseek", "llama"];
    !blind.iter().any(|name| model.starts_with(name))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Whether this is an image of the type in base64.
fn is_image(media_type: &str, data: &str) -> bool {
    let Ok(bytes) = STANDARD.decode(data) else { return false };
    let marks: &[u8] = match media_type {
        "image/png" => b"\x89PNG\r\n\x1a\n",
        "image/jpeg" => b"\xff\xd8\xff",
        "image/gif" => b"GIF8",
        "image/webp" => b"RIFF",
        _ => return false,
    };
    bytes.starts_with(marks)
}

fn is_data_uri(uri: &str) -> bool {
    let parts = uri.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,"));
    parts.is_some_and(|(media_type, data)| USUAL.contains(&media_type) && is_image(media_type, data))
}

/// OpenAI's chat completions: the number of images, or the refusal.
pub(crate) fn in_chat(body: &Value) -> Result<usize, Reply> {
    let model = body["model"].as_str().unwrap_or_default();
    let mut count = 0;
    for (place, message) in list(&body["messages"]).iter().enumerate() {
        for (part, content) in list(&message["content"]).iter().enumerate() {
            let at = |field: &str| format!("messages.[{place}].content.[{part}]{field}");
            let refuse = |param: String, code: Value, message: &str| {
                Err(openai::refused(400, "invalid_request_error", code, param.into(), message))
            };
            match content["type"].as_str() {
                Some("text") if content["text"].is_string() => {}
                Some("image_url") => {
                    if let Some(refused) = unseen_in_chat(model, place, part) {
                        return Err(refused);
                    }
                    if message["role"] != "user" {
                        let role = message["role"].as_str().unwrap_or_default();
                        let message = format!(
                            "Image URLs are only allowed for messages with role 'user', but this message with role \
                             '{role}' contains an image URL."
                        );
                        return refuse(at(""), Value::Null, &message);
                    }
                    if !content["image_url"]["url"].as_str().is_some_and(is_data_uri) {
                        let message =
                            "You uploaded an unsupported image. Please make sure your image is valid.";
                        return refuse(at(".image_url.url"), "invalid_image_format".into(), message);
                    }
                    count += 1;
                }
                other => {
                    let other = other.unwrap_or_default();
                    let message = format!(
                        "Invalid value: '{other}'. Supported values are: 'text', 'image_url', 'input_audio', \
                         'refusal', 'audio', and 'file'."
                    );
                    return refuse(at(".type"), "invalid_value".into(), &message);
                }
            }
        }
    }
    Ok(count)
}

/// What a server of OpenAI's format says of an image for a model that sees none.
fn unseen_in_chat(model: &str, message: usize, part: usize) -> Option<Reply> {
    let (kind, null) = ("invalid_request_error", Value::Null);
    match model {
        _ if sees(model) => None,
        _ if model.starts_with("deepseek") => {
            let told = format!(
                "Failed to deserialize the JSON body into the target type: messages[{message}]: unknown variant \
                 `image_url`, expected `text` at line 1 column 1148"
            );
            Some(openai::refused(400, kind, kind.into(), null, &told))
        }
        _ if model.starts_with("llama") => {
            let told = "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj";
            let error = json!({ "code": 500, "message": told, "type": "server_error" });
            Some(Reply::json(500, &json!({ "error": error })))
        }
        _ => {
            let param = format!("messages.[{message}].content.[{part}].type");
            let told = "Invalid content type. image_url is only supported by certain models.";
            Some(openai::refused(400, kind, null, param.into(), told))
        }
    }
}

/// OpenAI's responses.
pub(crate) fn in_responses(body: &Value) -> Result<usize, Reply> {
    let model = body["model"].as_str().unwrap_or_default();
    let mut count = 0;
    for (place, item) in list(&body["input"]).iter().enumerate() {
        for (part, content) in list(&item["content"]).iter().enumerate() {
            let refuse = |field: &str, code: &str, message: &str| {
                let param = format!("input[{place}].content[{part}]{field}");
                Err(openai::refused(400, "invalid_request_error", code.into(), param.into(), message))
            };
            match content["type"].as_str() {
                Some("input_text") if item["role"] == "user" && content["text"].is_string() => {}
                Some("output_text") if item["role"] == "assistant" && content["text"].is_string() => {}
                Some("input_image") if item["role"] == "user" => {
                    if !sees(model) {
                        let told = format!("The model '{model}' does not support image inputs.");
                        return refuse("", "unsupported_value", &told);
                    }
                    if !content["image_url"].as_str().is_some_and(is_data_uri) {
                        let message = "The image data you provided does not represent a valid image. Please check \
                                       your input and try again.";
                        return refuse(".image_url", "invalid_value", message);
                    }
                    count += 1;
                }
                other => {
                    let other = other.unwrap_or_default();
                    let message = format!(
                        "Invalid value: '{other}'. Supported values are: 'input_text', 'input_image', \
                         'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'."
                    );
                    return refuse("", "invalid_value", &message);
                }
            }
        }
    }
    Ok(count)
}

/// Anthropic's messages.
pub(crate) fn in_messages(body: &Value) -> Result<usize, String> {
    let model = body["model"].as_str().unwrap_or_default();
    let mut count = 0;
    for (place, message) in list(&body["messages"]).iter().enumerate() {
        for (part, block) in list(&message["content"]).iter().enumerate() {
            if block["type"] != "image" {
                continue;
            }
            if !sees(model) {
                return Err(format!("'{model}' does not support image input."));
            }
            let at = format!("messages.{place}.content.{part}.image");
            if message["role"] != "user" {
                return Err(format!("{at}: image blocks are only permitted in user messages"));
            }
            let source = &block["source"];
            let media_type = source["media_type"].as_str().unwrap_or_default();
            if source["type"] != "base64" || !USUAL.contains(&media_type) {
                return Err(format!(
                    "{at}.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or \
                     'image/webp'"
                ));
            }
            if !is_image(media_type, source["data"].as_str().unwrap_or_default()) {
                return Err(format!("{at}.source.base64.data: Image does not match the provided media type"));
            }
            count += 1;
        }
    }
    Ok(count)
}

/// Google's generateContent.
pub(crate) fn in_contents(body: &Value, model: &str) -> Result<usize, String> {
    let mut count = 0;
    for part in list(&body["contents"]).iter().flat_map(|content| list(&content["parts"])) {
        let known = ["text", "inlineData", "functionCall", "functionResponse", "thoughtSignature", "thought"];
        let mut fields = part.as_object().into_iter().flat_map(|fields| fields.keys());
        if let Some(unknown) = fields.find(|field| !known.contains(&field.as_str())) {
            return Err(format!(
                "Invalid JSON payload received. Unknown name \"{unknown}\" at 'contents[0].parts[0]': Cannot find field."
            ));
        }
        let Some(inline) = part.get("inlineData") else { continue };
        if part.get("text").is_some() {
            return Err(
                "Invalid value: oneof field 'data' is already set. Cannot set 'inlineData'".to_owned()
            );
        }
        if !sees(model) {
            return Err(format!("Image input modality is not enabled for models/{model}"));
        }
        let media_type = inline["mimeType"].as_str().unwrap_or_default();
        if !GOOGLES.contains(&media_type) {
            return Err(format!("Unsupported MIME type: {media_type}"));
        }
        if !is_image(media_type, inline["data"].as_str().unwrap_or_default()) {
            return Err("Unable to process input image. Please retry or report.".to_owned());
        }
        count += 1;
    }
    Ok(count)
}

/// Ollama's chat.
pub(crate) fn in_ollama(body: &Value) -> Result<usize, String> {
    let model = body["model"].as_str().unwrap_or_default();
    let mut count = 0;
    for message in list(&body["messages"]) {
        if !message["content"].is_string() && !message["content"].is_null() {
            return Err(
                "json: cannot unmarshal array into Go struct field ChatRequest.messages of type string"
                    .to_owned(),
            );
        }
        for image in list(&message["images"]) {
            let bytes = image.as_str().and_then(|data| STANDARD.decode(data).ok());
            let Some(bytes) = bytes else { return Err("illegal base64 data at input byte 0".to_owned()) };
            if !sees(model) {
                return Err("this model does not support image input".to_owned());
            }
            if !bytes.starts_with(b"\x89PNG") && !bytes.starts_with(b"\xff\xd8\xff") {
                return Err("Failed to create new sequence: failed to decode image".to_owned());
            }
            count += 1;
        }
    }
    Ok(count)
}

/// An answer of a model that has seen images, where it is prose.
pub(crate) fn seen(text: String, images: usize, is_prose: bool) -> String {
    match images {
        0 => text,
        _ if !is_prose => text,
        1 => format!("I see 1 image.\n\n{text}"),
        count => format!("I see {count} images.\n\n{text}"),
    }
}
