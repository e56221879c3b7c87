//! The fonts of a page. Latin ones are part of the program; a Chinese one is this machine's, or a file
//! that was named.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use quorate_messages::{Language, Message, message};
use typst::foundations::Bytes;
use typst::text::{Font, FontFlags, FontInfo};
use typst_kit::fonts::FontStore;

use super::ink::is_wide;

/// The family of the carried text font.
pub(super) const LATIN: &str = "Noto Sans";
/// The family of the carried font for code.
pub(super) const MONO: &str = "DejaVu Sans Mono";

/// Chinese fonts for screens and paper alike, the best first.
const CHINESE: [&str; 14] = [
    "Noto Sans CJK SC",
    "Source Han Sans SC",
    "Source Han Sans CN",
    "Noto Sans SC",
    "PingFang SC",
    "HarmonyOS Sans SC",
    "MiSans",
    "Microsoft YaHei",
    "Hiragino Sans GB",
    "Sarasa Gothic SC",
    "LXGW WenKai",
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "SimHei",
];

/// Fonts to print with. Looking for them takes a while: keep them for the next page.
pub struct Fonts {
    pub(super) store: FontStore,
    /// The family of the file that was named.
    named: Option<String>,
}

/// A font file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// The file cannot be read.
    #[error("{}", self.problem().text(Language::En))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        #[source]
        source: std::io::Error,
    },
    /// The file contains no usable font.
    #[error("{}", self.problem().text(Language::En))]
    NoFont(PathBuf),
}

impl FontError {
    /// What to do about it.
    pub fn hint(&self) -> Message {
        match self {
            Self::Unreadable { .. } => message!("print-font-unreadable-hint"),
            Self::NoFont(_) => message!("print-no-font-hint"),
        }
    }

    /// What is wrong.
    pub fn problem(&self) -> Message {
        match self {
            Self::Unreadable { path, source } => {
                message!("print-font-unreadable", path = %path.display(), error = %source)
            }
            Self::NoFont(path) => message!("print-no-font", path = %path.display()),
        }
    }
}

impl Fonts {
    /// The carried fonts, this machine's, and those of a file, which come first.
    ///
    /// # Errors
    /// When the file cannot be read, or is no font.
    pub fn of_machine(file: Option<&Path>) -> Result<Self, FontError> {
        let mut fonts = Self::carried();
        if let Some(path) = file {
            fonts.add_file(path)?;
        }
        fonts.store.extend(typst_kit::fonts::system());
        Ok(fonts)
    }

    /// The embedded fonts only: Latin, Greek and Cyrillic letters.
    pub fn carried() -> Self {
        let mut store = FontStore::new();
        let carried = [
            notosans::REGULAR_TTF,
            notosans::BOLD_TTF,
            notosans::ITALIC_TTF,
            notosans::BOLD_ITALIC_TTF,
            dejavu::sans_mono::regular(),
            dejavu::sans_mono::bold(),
        ];
        for data in carried {
            add(&mut store, Bytes::new(data));
        }
        Self { store, named: None }
    }

    fn add_file(&mut self, path: &Path) -> Result<(), FontError> {
        let data =
            std::fs::read(path).map_err(|source| FontError::Unreadable { path: path.to_owned(), source })?;
        let family = add(&mut self.store, Bytes::new(data));
        self.named = Some(family.ok_or_else(|| FontError::NoFont(path.to_owned()))?);
        Ok(())
    }

    fn infos(&self) -> impl Iterator<Item = &FontInfo> {
        (0..).map_while(|place| self.store.book().info(place))
    }

    /// The font family for the Chinese characters of a text, if there are any: the named file, then the best
    /// known font, then the one with most of them.
    pub(super) fn chinese(&self, text: &str) -> Chinese {
        let wanted: HashSet<u32> = text.chars().filter(|one| is_han(*one)).map(u32::from).collect();
        if wanted.is_empty() {
            return Chinese::NotNeeded;
        }
        let rank = |info: &FontInfo| {
            let has = wanted.iter().filter(|letter| info.coverage.contains(**letter)).count();
            let named = self.named.as_ref() == Some(&info.family);
            let known =
                CHINESE.iter().position(|name| *name == info.family).map_or(0, |at| CHINESE.len() - at);
            let plain = !info.flags.contains(FontFlags::MONOSPACE) && !info.flags.contains(FontFlags::SERIF);
            let most = has * 20 >= wanted.len() * 19;
            (has > 0).then_some((named, most, known, plain, has))
        };
        let best = self.infos().filter_map(|info| Some((rank(info)?, &info.family)));
        match best.max_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(one.1))) {
            Some((_, family)) => Chinese::Family { name: family.clone(), has_bold: self.has_bold(family) },
            None => Chinese::Missing,
        }
    }

    fn has_bold(&self, family: &str) -> bool {
        self.infos().any(|info| {
            info.family == family
                && (info.variant.weight.to_number() >= 600 || info.flags.contains(FontFlags::VARIABLE))
        })
    }

    /// Whether any font has the letter.
    pub(super) fn has(&self, letter: char) -> bool {
        self.infos().any(|info| info.coverage.contains(u32::from(letter)))
    }
}

/// The font for the Chinese characters of a text.
pub(super) enum Chinese {
    NotNeeded,
    /// No font has any of them.
    Missing,
    Family {
        name: String,
        has_bold: bool,
    },
}

/// Adds the fonts of a file, and gives the family of the first.
fn add(store: &mut FontStore, data: Bytes) -> Option<String> {
    let mut family = None;
    for font in Font::iter(data) {
        let info = font.info().clone();
        family.get_or_insert_with(|| info.family.clone());
        store.push((font, info));
    }
    family
}

/// A Chinese character, not merely a wide mark.
fn is_han(letter: char) -> bool {
    is_wide(letter) && letter.is_alphabetic()
}
