//! Rendering of a result: tables and headings in a terminal, Markdown elsewhere.

use std::io::IsTerminal;

use comfy_table::{ContentArrangement, LineStyle, Table, presets};

/// The text as it is drawn for stdout, where that is a terminal.
pub(crate) fn for_stdout(markdown: &str) -> Option<String> {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    (std::io::stdout().is_terminal() && !dumb).then(|| drawn(markdown, columns()))
}

/// The width of stdout, if it is a terminal.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size_of(std::io::stdout()).map_or(80, |(width, _)| usize::from(width.0)).max(20)
}

fn drawn(markdown: &str, columns: usize) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = String::new();
    let mut rows: Vec<&str> = Vec::new();
    let mut fenced = false;
    for line in markdown.lines().chain([""]) {
        fenced ^= line.trim_start().starts_with("```");
        if !fenced && line.starts_with('|') {
            rows.push(line);
            continue;
        }
        if !rows.is_empty() {
            out.push_str(&table(&rows, columns));
            rows.clear();
        }
        let heading = line.trim_start_matches('#');
        match !fenced && heading.len() < line.len() && heading.starts_with(' ') {
            true => out.push_str(&format!("{bold}{}{bold:#}\n", heading.trim())),
            false => out.push_str(&format!("{line}\n")),
        }
    }
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// A table of Markdown; what is none is left as it is.
fn table(rows: &[&str], columns: usize) -> String {
    let is_rule = |row: &str| row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    if rows.len() < 2 || !is_rule(rows[1]) {
        return rows.iter().flat_map(|row| [row, "\n"]).collect();
    }
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()))
        .set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(columns).unwrap_or(u16::MAX)).set_header(cells(rows[0]));
    for row in &rows[2..] {
        table.add_row(cells(row));
    }
    for (column, rule) in table.column_iter_mut().zip(cells(rows[1])) {
        if rule.ends_with(':') {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    table.to_string() + "\n"
}

/// The cells of a row, without what Markdown escapes.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = row.trim().trim_start_matches('|').chars().peekable();
    while let Some(c) = chars.next() {
        let last = cells.len() - 1;
        match c {
            '\\' if chars.peek().is_some_and(char::is_ascii_punctuation) => cells[last].extend(chars.next()),
            '|' => cells.push(String::new()),
            c => cells[last].push(c),
        }
    }
    // What comes after the last bar is no cell.
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.into_iter().map(|cell| cell.trim().replace("<br>", "\n")).collect()
}

#[cfg(test)]
mod tests {
    use unicode_width::UnicodeWidthStr;

    use super::*;

    const REPORT: &str = "# 结论\n\n| 参会者 | 分数 | 理由 |\n|---|---:|---|\n| 艾达 | 88 | 先看数据，再决定用哪一种数据库，不急着拆分 |\n| Ben | 6 | a \\| b |\n\nend\n";

    #[test]
    fn a_table_is_drawn_aligned_and_as_wide_as_the_terminal() {
        let text = drawn(REPORT, 40);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert!(plain.starts_with("结论\n\n"), "{plain}");
        assert!(plain.lines().all(|line| line.width() <= 40), "{plain}");
        assert!(plain.contains("a | b") && !plain.contains("|---") && plain.ends_with("\nend\n"), "{plain}");
        let at = |word: &str| {
            let line = plain.lines().find(|line| line.contains(word)).expect("it is there");
            line[..line.find(word).unwrap_or(0)].width() + word.width()
        };
        assert_eq!(at("88"), at(" 6"), "numbers stand at the right: {plain}");
    }

    #[test]
    fn what_is_no_table_stays_as_it_is() {
        let text = "| just a line\n\n```\n| code |\n|---|\n# no heading\n```\n";
        assert_eq!(drawn(text, 40), text);
    }
}
