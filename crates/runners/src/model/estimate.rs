//! How many tokens a text has, when the provider did not count.
//!
//! Tokenizers differ by model. As a rule of thumb over the common ones, a Chinese, Japanese or
//! Korean character is about 0.9 tokens and other text about one token for 3.5 characters. The
//! estimate is meant to be right within a third, which is enough for a budget; whoever receives
//! it is told that it is one.

use quorate_core::Prompt;

/// About how many tokens `text` has; 0 for no text.
pub(crate) fn tokens(text: &str) -> u64 {
    let (mut wide, mut narrow) = (0u64, 0u64);
    for character in text.chars() {
        if is_wide(character) {
            wide += 1;
        } else {
            narrow += 1;
        }
    }
    // In 630ths, the common denominator of 9/10 and 2/7: whole numbers round the same everywhere.
    (wide * 567 + narrow * 180).div_ceil(630)
}

/// About how many tokens a prompt has; each message costs a few for its frame.
pub(crate) fn prompt_tokens(prompt: &Prompt) -> u64 {
    let messages = prompt.messages.iter().map(|message| tokens(&message.content) + 4);
    tokens(&prompt.system) + messages.sum::<u64>()
}

fn is_wide(character: char) -> bool {
    matches!(u32::from(character),
        0x1100..=0x11ff | 0x2e80..=0xa4cf | 0xac00..=0xd7af | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f | 0xff00..=0xff60 | 0x20000..=0x3ffff)
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn chinese_counts_by_the_character_and_other_text_by_length() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("a"), 1);
        assert_eq!(tokens(&"数据库".repeat(100)), 270);
        assert_eq!(tokens(&"abcdefg".repeat(100)), 200);
        assert_eq!(tokens(&"数据库abcdefg".repeat(100)), 470);
    }
}
