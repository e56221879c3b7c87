//! Which models can hold a conversation, as far as their names tell.

/// Whether a model can take part in a conversation: one for embeddings, speech or images cannot.
pub(crate) fn talks(model: &str) -> bool {
    let name = model.to_ascii_lowercase();
    let other = [
        "embed",
        "whisper",
        "tts",
        "rerank",
        "moderation",
        "dall-e",
        "image",
        "bge-",
        "clip",
        "audio",
        "realtime",
        "transcribe",
        "sora",
        "veo-",
        "guard",
    ];
    !other.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_that_embeds_is_not_asked_to_talk() {
        assert!(talks("qwen3:4b") && talks("gpt-5-mini"));
        assert!(!talks("nomic-embed-text") && !talks("whisper-1") && !talks("gpt-4o-transcribe"));
    }
}
