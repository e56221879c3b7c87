//! What servers say when a model sees no images, and when something else is wrong with one.

use super::REFUSING_WORDS;

/// What a refusal of images speaks of.
const NAMES: [&str; 10] = [
    "image",
    "vision",
    "multimodal",
    "multi-modal",
    "modality",
    "inline_data",
    "inlinedata",
    "图片",
    "图像",
    "视觉",
];

/// What it says of them, beside the words for all parts of a request.
const MORE_REFUSING_WORDS: [&str; 12] = [
    // OpenAI.
    "only supported by certain models",
    // DeepSeek, whose messages have parts of text alone.
    "expected `text`",
    // vLLM.
    "at most 0",
    "is not a multimodal",
    // OpenRouter.
    "no endpoints found",
    // Ollama, earlier versions.
    "missing data required",
    // Google.
    "not enabled",
    "text-only",
    "text only",
    "cannot read",
    "不支持",
    // GLM: `messages.content.type 参数非法，取值范围 ['text']`.
    "取值范围",
];

/// What a server says that takes no parts at all: Groq, Z.AI and DeepSeek in earlier versions.
const NO_PARTS: [&str; 5] = [
    "content must be a string",
    "invalid type: sequence, expected a string",
    "untagged enum chatcompletionrequestcontent",
    "messages.content.type",
    "content field is a required field",
];

/// What is wrong with one image, or with the number of them: a model that says so sees.
const ABOUT_ONE_IMAGE: [&str; 10] = [
    "image format",
    "media_type",
    "media type",
    "could not process",
    "unable to process",
    "dimension",
    "pixel",
    "too many images",
    "failed to download",
    "exceeds",
];

/// Whether a refusal (in lower case) of a request with images says that the model sees none.
pub(super) fn are_refused(refusal: &str) -> bool {
    let speaks_of = |words: &[&str]| words.iter().any(|word| refusal.contains(word));
    if speaks_of(&NO_PARTS) {
        return true;
    }
    let refuses = speaks_of(&REFUSING_WORDS) || speaks_of(&MORE_REFUSING_WORDS);
    speaks_of(&NAMES) && refuses && !speaks_of(&ABOUT_ONE_IMAGE)
}

/// Whether a refusal of a request with images is about one of them.
pub(crate) fn are_blamed(refusal: &str) -> bool {
    NAMES.iter().any(|word| refusal.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_vendors_say_of_models_that_see_nothing_is_understood() {
        for refusal in [
            "Invalid content type. image_url is only supported by certain models.",
            "Failed to deserialize the JSON body into the target type: messages[7]: unknown variant `image_url`, \
             expected `text` at line 1 column 114708",
            "messages[2]: invalid type: sequence, expected a string at line 1 column 2901",
            "this model does not support image input (ref: b8bd630e)",
            "this model is missing data required for image input",
            "Image input modality is not enabled for models/gemma-3-1b-it",
            "No endpoints found that support image input",
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
            "At most 0 image(s) may be provided in one prompt.",
            "'claude-2.1' does not support image input.",
            "Model does not support images. Please use a model that does.",
            "messages.content.type 参数非法，取值范围 ['text']",
        ] {
            assert!(are_refused(&refusal.to_lowercase()), "{refusal}");
        }
    }

    #[test]
    fn what_is_wrong_with_one_image_does_not_make_a_model_blind() {
        for refusal in [
            "messages.34.content.2.image.source.base64.data: Image format image/png not supported",
            "Could not process image",
            "At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
            "Too many images provided. This model supports up to 5 images",
        ] {
            assert!(!are_refused(&refusal.to_lowercase()), "{refusal}");
            assert!(are_blamed(&refusal.to_lowercase()), "{refusal}");
        }
        assert!(!are_refused("temperature is not supported with this model"));
    }
}
