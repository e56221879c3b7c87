//! A formula as a tree of MathML that the exported page makes nodes of: `[element, attributes, …children]`.
//!
//! pulldown-latex reads the TeX. Of what it writes only known elements and attributes are taken; what is large, deep, or
//! defines something is not read at all, and what it cannot read has no tree.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Event, Parser, RenderConfig, Storage, push_mathml};
use serde_json::{Map, Value};

const LONGEST: usize = 4_000;
/// Groups within each other in the source.
const DEEPEST: usize = 24;
/// Commands: each may hold the next one as its argument, and the parser recurses over them on the stack.
const COMMANDS: usize = 40;
const NODES: usize = 4_000;
const LEVELS: usize = 60;

/// Definitions, which can double without end, and what names addresses, classes or looks.
const REFUSED: [&str; 25] = [
    "def",
    "gdef",
    "edef",
    "xdef",
    "let",
    "futurelet",
    "global",
    "long",
    "newcommand",
    "renewcommand",
    "newenvironment",
    "renewenvironment",
    "providecommand",
    "DeclareMathOperator",
    "href",
    "url",
    "includegraphics",
    "class",
    "cssId",
    "id",
    "style",
    "data",
    "tag",
    "label",
    "ref",
];
const ELEMENTS: [&str; 26] = [
    "math",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "mrow",
    "mfrac",
    "msqrt",
    "mroot",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "mtable",
    "mtr",
    "mtd",
    "mstyle",
    "mpadded",
    "mphantom",
    "menclose",
];
const ATTRIBUTES: [&str; 24] = [
    "display",
    "displaystyle",
    "scriptlevel",
    "mathvariant",
    "stretchy",
    "fence",
    "separator",
    "form",
    "lspace",
    "rspace",
    "largeop",
    "movablelimits",
    "accent",
    "accentunder",
    "symmetric",
    "minsize",
    "maxsize",
    "linethickness",
    "width",
    "height",
    "depth",
    "notation",
    "columnspan",
    "class",
];

/// The tree of a formula, if it can be set.
pub(crate) fn tree(tex: &str, display: bool) -> Option<Value> {
    let commands = tex.as_bytes().windows(2).filter(|pair| pair[0] == b'\\' && pair[1].is_ascii_alphabetic());
    let commands = commands.count();
    if tex.len() > LONGEST || commands > COMMANDS || is_refused(tex) {
        return None;
    }
    let storage = Storage::new();
    let events: Vec<Event<'_>> = Parser::new(tex, &storage).collect::<Result<_, _>>().ok()?;
    if events.len() > NODES {
        return None;
    }
    let display_mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut written = String::new();
    let events = events.into_iter().map(Ok::<_, std::fmt::Error>);
    push_mathml(&mut written, events, RenderConfig { display_mode, ..RenderConfig::default() }).ok()?;
    read(&written)
}

/// Whether it defines or names what no formula of a participant may, or lies too deep.
fn is_refused(tex: &str) -> bool {
    let mut depth = 0_usize;
    let mut rest = tex;
    while let Some(at) = rest.find(['\\', '{', '}']) {
        let (sign, after) = (rest.as_bytes()[at], &rest[at + 1..]);
        rest = after;
        let opens = match sign {
            b'{' => true,
            b'}' => false,
            _ => {
                let length = after.bytes().take_while(u8::is_ascii_alphabetic).count();
                let name = &after[..length];
                if REFUSED.contains(&name) || name.starts_with("html") {
                    return true;
                }
                let other = after.chars().next().map_or(0, char::len_utf8);
                rest = &after[if length == 0 { other } else { length }..];
                match name {
                    "begin" | "left" => true,
                    "end" | "right" => false,
                    _ => continue,
                }
            }
        };
        depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

/// The tree of what pulldown-latex wrote; a `<` that begins no tag is text there.
fn read(written: &str) -> Option<Value> {
    let mut open: Vec<(&str, Vec<Value>)> = Vec::new();
    let mut rest = written;
    let mut nodes = 0;
    while !rest.is_empty() {
        nodes += 1;
        if nodes > 4 * NODES || open.len() > LEVELS {
            return None;
        }
        let is_tag = |rest: &str| {
            rest.strip_prefix('<')
                .is_some_and(|after| after.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()))
        };
        if !is_tag(rest) {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(at, _)| is_tag(&rest[*at..]))
                .map_or(rest.len(), |(at, _)| at);
            let text = rest[..end].replace("&nbsp;", "\u{a0}").replace("&lt;", "<").replace("&gt;", ">");
            let (_, children) = open.last_mut()?;
            children.push(Value::String(text.replace("&amp;", "&")));
            rest = &rest[end..];
            continue;
        }
        let (tag, after) = rest[1..].split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            let (opened, node) = open.pop()?;
            if opened != name {
                return None;
            }
            match open.last_mut() {
                Some((_, children)) => children.push(Value::Array(node)),
                None => return rest.is_empty().then_some(Value::Array(node)),
            }
            continue;
        }
        let closed = tag.strip_suffix('/');
        let tag = closed.unwrap_or(tag);
        let name = tag.split(' ').next()?;
        if !ELEMENTS.contains(&name) {
            return None;
        }
        let node = vec![Value::String(name.to_owned()), Value::Object(attributes(&tag[name.len()..])?)];
        match (closed, open.last_mut()) {
            (Some(_), Some((_, children))) => children.push(Value::Array(node)),
            (Some(_), None) => return None,
            (None, _) => open.push((name, node)),
        }
    }
    None
}

/// The known attributes of a tag; what holds anything but letters, digits and a few signs is left out.
fn attributes(written: &str) -> Option<Map<String, Value>> {
    let mut found = Map::new();
    let mut rest = written.trim();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"")?;
        let (value, after) = after.split_once('"')?;
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || " .-%+".contains(letter);
        if ATTRIBUTES.contains(&name) && value.len() <= 60 && value.chars().all(is_plain) {
            found.insert(name.to_owned(), Value::String(value.to_owned()));
        }
        rest = after.trim_start();
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_trees() {
        let fraction = tree(r"\frac{a}{b} < \sqrt{2}", true).expect("a tree").to_string();
        assert!(fraction.starts_with(r#"["math",{"display":"block"}"#), "{fraction}");
        for part in ["mfrac", "msqrt", r#""<""#, r#""a""#] {
            assert!(fraction.contains(part), "{part} in {fraction}");
        }
        for tex in [
            r"\begin{aligned} a &= b \\ c &= d \end{aligned}",
            r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}",
            r"\sum_{i=1}^{n} x_i \le \int_0^\infty e^{-x}\,dx",
            r"P_{\text{总}} = 速度",
            r"f(x) = \begin{cases} 1 & x > 0 \\ 0 & \text{otherwise} \end{cases}",
            r"\mathbb{R} \to \mathcal{O}(n \log n), \hat{y}",
        ] {
            assert!(tree(tex, false).is_some(), "{tex}");
        }
    }

    #[test]
    fn what_is_no_formula_or_too_much_has_none() {
        for tex in [
            r"\frac{a}",
            "{",
            r"\unknowncommand",
            r"\def\a{\a\a}\a",
            r"\newcommand{\a}{x}\a",
            r"\href{javascript:alert(1)}{x}",
            r"\includegraphics{https://e.org/x.png}",
            r"\htmlStyle{color:red}{x}",
        ] {
            assert_eq!(tree(tex, true), None, "{tex}");
        }
        assert_eq!(tree(&format!("{}x{}", "{".repeat(500), "}".repeat(500)), true), None);
        assert_eq!(tree(&"x".repeat(LONGEST + 1), true), None);
        let begun = std::time::Instant::now();
        for tex in [r"\left(", r"\sqrt", "^", "_x", "{}", "&", r"\\", "'", r"\frac1", r"\hat"] {
            tree(&tex.repeat(LONGEST / tex.len()), true);
            // As many as may lie within each other, on the stack of a thread.
            tree(&tex.repeat(COMMANDS), true);
        }
        assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
    }

    #[test]
    fn no_look_of_a_participant_is_kept() {
        let coloured = tree(r"\color{red}{x} + \textcolor{blue}{y}", false).map(|tree| tree.to_string());
        assert!(coloured.is_none_or(|tree| !tree.contains("color") && !tree.contains("style")));
    }
}
