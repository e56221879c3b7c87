//! Rendering of a result: tables and headings in a terminal, Markdown elsewhere.

use std::io::IsTerminal;

use comfy_table::{ContentArrangement, LineStyle, Table, presets};
use unicode_width::UnicodeWidthStr;

use crate::live::{widest_piece, wrapped};

/// The columns of a table's row that are left free beside each cell.
const PADDING: usize = 2;
/// The least width of a column.
const COLUMN_MIN: usize = 2;

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
        let is_fence = line.trim_start().starts_with("```");
        fenced ^= is_fence;
        if !fenced && line.starts_with('|') {
            rows.push(line);
            continue;
        }
        if !rows.is_empty() {
            out.push_str(&table(&rows, columns));
            rows.clear();
        }
        let heading = line.trim_start_matches('#');
        let line = match (fenced || is_fence, heading.len() < line.len() && heading.starts_with(' ')) {
            (true, _) => {
                out.push_str(&format!("{line}\n"));
                continue;
            }
            (false, true) => format!("{bold}{}{bold:#}", inline(heading.trim(), false)),
            (false, false) => match line.strip_prefix("> ").or_else(|| line.strip_prefix('>')) {
                Some(quoted) => format!("│ {}", inline(quoted, true)),
                None => inline(line, true),
            },
        };
        for row in wrapped(&line, columns) {
            out.push_str(&row);
            out.push('\n');
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
    let head = cells(rows[0]);
    let body: Vec<Vec<String>> = rows[2..].iter().map(|row| cells(row)).collect();
    let widths = widths(&head, &body, columns);
    let filled = |row: &[String]| -> Vec<String> {
        let row = row.iter().zip(&widths);
        row.map(|(cell, width)| filled(cell, *width)).collect()
    };
    let mut table = Table::new();
    table
        .load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()))
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(filled(&head));
    for row in &body {
        table.add_row(filled(row));
    }
    for (column, rule) in table.column_iter_mut().zip(cells(rows[1])) {
        if rule.ends_with(':') {
            column.set_cell_alignment(comfy_table::CellAlignment::Right);
        }
    }
    table.to_string() + "\n"
}

/// A cell in rows of this width.
fn filled(cell: &str, width: usize) -> String {
    cell.split('\n').flat_map(|line| wrapped(line, width)).collect::<Vec<_>>().join("\n")
}

/// The widths of the columns: as wide as their cells where there is room. Otherwise no word is broken while that is
/// possible, and what is left goes to the narrow columns first.
fn widths(head: &[String], body: &[Vec<String>], columns: usize) -> Vec<usize> {
    let of = |column: usize, width: &dyn Fn(&str) -> usize| {
        let cells = body.iter().filter_map(|row| row.get(column)).chain(head.get(column));
        cells.flat_map(|cell| cell.split('\n')).map(width).max().unwrap_or(0).max(COLUMN_MIN)
    };
    let whole: Vec<usize> = (0..head.len()).map(|column| of(column, &|line: &str| line.width())).collect();
    let mut widths: Vec<usize> = (0..head.len()).map(|column| of(column, &widest_piece)).collect();
    // A space stands between two columns.
    let room = columns.saturating_sub(PADDING * head.len() + head.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > COLUMN_MIN) else { break };
        *widest -= 1;
    }
    while widths.iter().sum::<usize>() < room {
        let short = widths.iter_mut().zip(&whole).filter(|(width, whole)| **width < **whole);
        let Some((width, _)) = short.min_by_key(|(width, _)| **width) else { break };
        *width += 1;
    }
    widths
}

/// A line without the signs of Markdown; with `styles`, what is strong is bold, and what is emphasized italic.
fn inline(text: &str, styles: bool) -> String {
    let mut out = String::new();
    let mut before = ' ';
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((mark, within, after)) = marked(rest, before) {
            let style = match mark {
                "**" => anstyle::Style::new().bold(),
                "*" => anstyle::Style::new().italic(),
                _ => anstyle::Style::new(),
            };
            let within = if mark == "`" { within.to_owned() } else { inline(within, false) };
            match styles {
                true => out.push_str(&format!("{style}{within}{style:#}")),
                false => out.push_str(&within),
            }
            (rest, before) = (after, ' ');
            continue;
        }
        rest = &rest[c.len_utf8()..];
        before = c;
        match rest.chars().next() {
            Some(escaped) if c == '\\' && escaped.is_ascii_punctuation() => {
                out.push(escaped);
                rest = &rest[escaped.len_utf8()..];
                before = escaped;
            }
            Some(_) | None => out.push(c),
        }
    }
    out
}

/// What a text begins with, where that is marked: the mark, what is within, and what follows.
fn marked(text: &str, before: char) -> Option<(&'static str, &str, &str)> {
    let mark = ["**", "*", "`"].into_iter().find(|mark| text.starts_with(mark))?;
    let (within, after) = text[mark.len()..].split_once(mark)?;
    let is_code = mark == "`";
    let is_tight = !within.starts_with(char::is_whitespace) && !within.ends_with([' ', '\\']);
    // Between letters a star is one that was meant.
    let is_apart = !before.is_ascii_alphanumeric();
    (!within.is_empty() && (is_code || (is_tight && is_apart))).then_some((mark, within, after))
}

/// The cells of a row, without the signs of Markdown.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = row.trim().trim_start_matches('|').chars().peekable();
    while let Some(c) = chars.next() {
        let last = cells.len() - 1;
        match c {
            '\\' if chars.peek() == Some(&'|') => cells[last].extend(chars.next()),
            // Another escape is read with the signs.
            '\\' => {
                cells[last].push(c);
                cells[last].extend(chars.next());
            }
            '|' => cells.push(String::new()),
            c => cells[last].push(c),
        }
    }
    // What comes after the last bar is no cell.
    if cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.into_iter().map(|cell| inline(cell.trim(), false).replace("<br>", "\n")).collect()
}

#[cfg(test)]
mod tests {
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
    fn cells_are_broken_between_words_and_no_row_begins_with_a_sign() {
        let text = drawn(
            "| who | reason |\n|---|---|\n| Facilitator | 事件日志写入频繁，先看数据 再决定，不急着拆分，也不换数据库 |\n",
            44,
        );
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert!(plain.contains("Facilitator") && plain.contains("事件日志写入频繁，先看数据"), "{plain}");
        for line in plain.lines() {
            assert!(line.width() <= 44 && !line.trim_start().starts_with('，'), "{plain}");
        }
    }

    #[test]
    fn the_signs_of_markdown_are_not_shown() {
        let text =
            drawn("**Noor** said `a*b` and 2 * 3 * 4\n> *quoted* \\*\n| a |\n|---|\n| **b** `c` |\n", 40);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert!(plain.starts_with("Noor said a*b and 2 * 3 * 4\n│ quoted *\n"), "{plain}");
        assert!(plain.contains(" b c"), "{plain}");
    }

    #[test]
    fn what_is_no_table_stays_as_it_is() {
        let text = "| just a line\n\n```\n| code |\n|---|\n# no heading\n```\n";
        assert_eq!(drawn(text, 40), text);
    }
}
