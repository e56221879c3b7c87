//! The width of text in a terminal.

use unicode_width::UnicodeWidthStr;

/// Columns of the terminal, 80 when there is none.
pub(crate) fn terminal_width() -> usize {
    terminal_size::terminal_size_of(std::io::stderr()).map_or(80, |(width, _)| usize::from(width.0))
}

/// The part of a text that fits into this many columns.
pub(crate) fn cut_to_width(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        if kept.width() + c.to_string().width() + 1 > width {
            break;
        }
        kept.push(c);
    }
    kept + "…"
}
