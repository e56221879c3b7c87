//! A PDF: A4 pages with the result and all that was said. Typst sets them, by a fixed template that
//! is handed plain data; it has no file system, no network and no clock.

mod blocks;
mod fonts;
mod ink;
mod world;

use quorate_core::{Meeting, Report};
use serde::Serialize;

use crate::{Options, report};
use blocks::{Block, Headings, blocks};
use fonts::Chinese;
pub use fonts::{FontError, Fonts};
use ink::Ink;

/// Why there is no PDF.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// The meeting has Chinese letters and no font does.
    #[error("no font on this machine has Chinese letters")]
    NoChineseFont,
    /// The template does not fit the data; that is a fault of Quorate itself.
    #[error("the pages cannot be set: {0}")]
    Setting(String),
}

impl PdfError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoChineseFont => {
                "install one (Debian, Ubuntu: fonts-noto-cjk; Fedora: google-noto-sans-cjk-fonts; Arch: \
                 noto-fonts-cjk; Alpine: font-noto-cjk), or name a file with --font or QUORATE_FONT"
            }
            Self::Setting(_) => "this is a bug in quorate: please report it; --format html needs no pages",
        }
    }
}

/// What the template is handed.
#[derive(Serialize)]
struct Paper {
    topic: String,
    /// The topic as it stands above each page.
    short: String,
    maker: &'static str,
    lang: &'static str,
    region: Option<&'static str>,
    fonts: Vec<Family>,
    mono: Vec<Family>,
    /// Whether bold letters have to be made of thin ones.
    faux: bool,
    facts: Vec<(String, String)>,
    blocks: Vec<Block>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Family {
    All(String),
    Some { name: String, covers: &'static str },
}

/// The PDF of a meeting.
///
/// # Errors
/// When the meeting has Chinese letters and no font does.
pub fn pdf(meeting: &Meeting, options: &Options, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
    let result = report(meeting, options);
    let body = result.to_markdown();
    let said: String = meeting.said.iter().map(|said| said.content.as_str()).collect();
    let names: String = meeting.seats.iter().map(|seat| seat.participant.name.as_str()).collect();
    let chinese = fonts.chinese(&[result.topic.as_str(), &body, &said, &names].concat());
    let (families, mono, faux) = match chinese {
        Chinese::Missing => return Err(PdfError::NoChineseFont),
        Chinese::NotNeeded => {
            (vec![Family::All(fonts::LATIN.to_owned())], vec![Family::All(fonts::MONO.to_owned())], false)
        }
        Chinese::Family { name, has_bold } => {
            // Quotation marks and dashes are as wide as Chinese ones in a Chinese meeting.
            let latin = match result.language {
                quorate_core::Language::Zh => {
                    Family::Some { name: fonts::LATIN.to_owned(), covers: "latin-in-cjk" }
                }
                quorate_core::Language::En => Family::All(fonts::LATIN.to_owned()),
            };
            let mono = vec![Family::All(fonts::MONO.to_owned()), Family::All(name.clone())];
            (vec![latin, Family::All(name)], mono, !has_bold)
        }
    };
    let mut ink = Ink::new(|letter| fonts.has(letter));
    let blocks = body_blocks(meeting, &result, &body, options, &mut ink);
    let short = result.topic.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paper = Paper {
        topic: ink.text(&result.topic),
        short: ink.text(&short),
        maker: result.language.pick("众议", "Quorate"),
        lang: result.language.pick("zh", "en"),
        region: result.language.pick(Some("CN"), None),
        fonts: families,
        mono,
        faux,
        facts: facts(meeting, &result, options, &mut ink),
        blocks,
    };
    if let Some(note) = missing_note(&result, &ink) {
        paper.blocks.push(Block::Rule);
        paper.blocks.extend(self::blocks::blocks(&note, Headings::Kept, &mut ink));
    }
    world::print(&paper, fonts, meeting)
}

/// The result, and all that was said. Each message is read by itself, so that none can swallow the next.
fn body_blocks(
    meeting: &Meeting,
    result: &Report,
    body: &str,
    options: &Options,
    ink: &mut Ink<'_>,
) -> Vec<Block> {
    // The first line of the report is the topic, which has a place of its own.
    let body = body.trim_start().split_once('\n').map_or("", |(_, rest)| rest);
    let mut made = blocks(body, Headings::From(2), ink);
    let language = result.language;
    let heading = |made: &mut Vec<Block>, level, text: String| {
        let line = vec![blocks::Span::Text { text }];
        made.push(Block::Heading { level, line });
    };
    heading(&mut made, 1, language.pick("会议记录", "Record").to_owned());
    let mut round = None;
    for said in &meeting.said {
        if round != Some(said.round) {
            round = Some(said.round);
            let text = language.pick(format!("第 {} 轮", said.round), format!("Round {}", said.round));
            heading(&mut made, 2, text);
        }
        made.push(Block::Said {
            name: ink.text(&said.name),
            about: format!("{} · {}", said.id, options.zone.tell(said.at)),
            blocks: blocks(&said.content, Headings::Kept, ink),
        });
    }
    made
}

/// What stands below the topic: when, who, how it came out.
fn facts(meeting: &Meeting, result: &Report, options: &Options, ink: &mut Ink<'_>) -> Vec<(String, String)> {
    let language = result.language;
    let who = |seat: &quorate_core::Seat| match seat.participant.role.name.as_str() {
        "" => seat.participant.name.clone(),
        role => language.pick(
            format!("{}（{role}）", seat.participant.name),
            format!("{} ({role})", seat.participant.name),
        ),
    };
    let seats: Vec<String> = meeting.seats.iter().map(|seat| who(seat)).collect();
    let began = result.started_at.unwrap_or(meeting.charter.created_at);
    let rows = [
        (language.pick("日期", "Date"), options.zone.tell(began)),
        (language.pick("参会者", "Participants"), seats.join(language.pick("、", ", "))),
        (language.pick("结局", "Outcome"), result.outcome_text.clone()),
    ];
    let filled = rows.into_iter().filter(|(_, what)| !what.is_empty());
    filled.map(|(name, what)| (name.to_owned(), ink.text(&what))).collect()
}

/// Which letters stand there as numbers, when some do.
fn missing_note(result: &Report, ink: &Ink<'_>) -> Option<String> {
    let count = ink.missing.len();
    (count > 0).then(|| {
        result.language.pick(
            format!("文中有 {count} 种字符（如表情符号）在本机字体里没有，以 [U+编码] 的形式印出。"),
            format!("{count} characters, such as emoji, are in no font of this machine and are printed as [U+number]."),
        )
    })
}
