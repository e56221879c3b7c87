//! Reads the text of one PDF file: this program starts itself for each that is attached to a meeting.

use std::process::ExitCode;

use quorate_app::LimitedProgram;

use super::limited;
use crate::args::LimitArgs;

/// The command by which this program starts itself to read a PDF; `None` when it was built without.
pub(super) fn reader() -> Option<LimitedProgram> {
    limited::this_program("read-pdf")
}

/// Reads a PDF from standard input and writes its text to standard output, with a line before each page but the first.
#[cfg(feature = "pdf")]
pub(crate) fn read_pdf(limits: &LimitArgs) -> ExitCode {
    limited::carry_out(limits, |content| {
        let pages = pdf_extract::extract_text_from_mem_by_pages(&content).map_err(std::io::Error::other)?;
        Ok(joined(&pages).into_bytes())
    })
}

#[cfg(not(feature = "pdf"))]
pub(crate) fn read_pdf(limits: &LimitArgs) -> ExitCode {
    limited::carry_out(limits, Ok)
}

/// Pages as one text: no spaces at the ends of lines, at most one empty line in a row, and a line with its number before each
/// page but the first. Nothing when no page has text.
#[cfg(any(feature = "pdf", test))]
fn joined(pages: &[String]) -> String {
    let mut text = String::new();
    if pages.iter().all(|page| page.trim().is_empty()) {
        return text;
    }
    for (number, page) in (1..).zip(pages) {
        if number > 1 {
            text.push_str(&format!("\n— {number} —\n\n"));
        }
        let mut is_empty = true;
        for line in page.lines().map(str::trim_end) {
            // Lines that are set apart from each other come with an empty one between them.
            if !(line.is_empty() && is_empty) {
                text.extend(line.chars().filter(|c| !c.is_control() || *c == '\t').map(plain));
                text.push('\n');
            }
            is_empty = line.is_empty();
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// The usual character in the place of one that fonts of PDFs map a glyph to: radicals that look like the whole character.
#[cfg(any(feature = "pdf", test))]
fn plain(c: char) -> char {
    use unicode_normalization::UnicodeNormalization;

    match c {
        '\u{2f00}'..='\u{2fdf}' => std::iter::once(c).nfkc().next().unwrap_or(c),
        '⺠' => '民',
        '⻁' => '虎',
        '⻄' => '西',
        '⻅' => '见',
        '⻆' => '角',
        '⻉' => '贝',
        '⻋' => '车',
        '⻓' => '长',
        '⻔' => '门',
        '⻘' => '青',
        '⻙' => '韦',
        '⻚' => '页',
        '⻛' => '风',
        '⻜' => '飞',
        '⻝' => '食',
        '⻢' => '马',
        '⻣' => '骨',
        '⻤' => '鬼',
        '⻥' => '鱼',
        '⻦' => '鸟',
        '⻨' => '麦',
        '⻩' => '黄',
        '⻬' => '齐',
        '⻮' => '齿',
        '⻰' => '龙',
        '⻳' => '龟',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_one_text_with_their_numbers() {
        let pages = [
            "\n\n季度报告  \n\n\n\n成本 1200\n\n".to_owned(),
            " \n".to_owned(),
            "第⼆⻚\u{0}：结论".to_owned(),
        ];
        assert_eq!(joined(&pages), "季度报告\n\n成本 1200\n\n— 2 —\n\n— 3 —\n\n第二页：结论\n");
    }

    #[test]
    fn scanned_pages_have_no_text() {
        assert_eq!(joined(&["\n".to_owned(), " ".to_owned()]), "");
    }
}
