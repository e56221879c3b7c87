//! Files that people attach: the first byte chooses the name, the rest is the content.

use quorate_runners::{decode, find_secret, is_image, is_secret_name, media_type, shown_image};

const NAMES: [&str; 8] = ["a.txt", "a.csv", "a.md", "a.png", ".env", "a.html", "a.pdf", "a"];

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn uploads(data: &[u8]) {
    let Some((first, content)) = data.split_first() else { return };
    let name = NAMES[usize::from(*first) % NAMES.len()];
    is_secret_name(name);
    let kind = media_type(name, content);
    assert!(!kind.contains("html") && !kind.contains("script"), "a browser would run {kind}");
    if is_image(&kind) {
        let _ = shown_image(&kind, content);
    }
    if let Some(text) = decode(content) {
        find_secret(&text);
        is_secret_name(&text);
    }
}
