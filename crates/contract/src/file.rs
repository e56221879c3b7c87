//! Files that are attached to a meeting, and citations of their lines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::FileId;

/// The longest name of a file, in characters.
pub const FILE_NAME_MAX_CHARS: usize = 255;
/// The most files of one meeting, removed ones included.
pub const FILES_MAX: usize = 1000;
/// The longest excerpt of a file that an event holds, in characters.
pub const FILE_EXCERPT_MAX_CHARS: usize = 8000;
/// The most characters of excerpts of one meeting. Files that are attached when they are used up have no excerpt.
pub const FILE_EXCERPTS_MAX_CHARS: usize = 64_000;
/// The most citations of one message or claim; further ones are not recognized.
pub const CITATIONS_MAX: usize = 50;

/// The most images of one meeting that participants are shown. An image beyond them is refused.
pub const IMAGES_MAX: usize = 20;
/// The longest edge of an image as models are given it, in pixels; larger ones are scaled down.
pub const IMAGE_EDGE_MAX: u32 = 1568;

/// The most tokens that a model of any vendor reads an image as, in the size in which it is sent
/// (docs/decisions/0024): budgets are reserved by it.
pub const IMAGE_MOST_TOKENS: u64 = 4000;

/// A file that is attached to a meeting. The log holds an excerpt of its text; the content is stored beside the
/// log, under its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttachedFile {
    /// The id.
    pub id: FileId,
    /// The name: 1-255 characters. A file of a folder has its path in the folder, with `/` between the parts.
    pub name: String,
    /// The media type: `text/plain`.
    pub media_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// The text; absent when the file has none that can be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<FileText>,
    /// The image, where the file is one that models can be shown: PNG, JPEG, WebP or GIF. Absent in older logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageSize>,
}

/// The size of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImageSize {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

impl ImageSize {
    /// The size in which models are given it: the same, or smaller so that no edge is longer than
    /// [`IMAGE_EDGE_MAX`].
    pub fn shown(self) -> Self {
        let longest = self.width.max(self.height);
        if longest <= IMAGE_EDGE_MAX {
            return self;
        }
        let scaled = |edge: u32| {
            let exact = u64::from(edge) * u64::from(IMAGE_EDGE_MAX) / u64::from(longest);
            u32::try_from(exact).unwrap_or(IMAGE_EDGE_MAX).max(1)
        };
        Self { width: scaled(self.width), height: scaled(self.height) }
    }
}

impl ImageSize {
    /// About how many tokens a model reads it as: one for each 750 pixels of the shown size, as Anthropic counts, and at
    /// least 258, as Gemini counts the smallest (docs/decisions/0024).
    pub fn tokens(self) -> u64 {
        let shown = self.shown();
        let pixels = u64::from(shown.width) * u64::from(shown.height);
        pixels.div_ceil(750).clamp(258, IMAGE_MOST_TOKENS)
    }
}

impl fmt::Display for ImageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// A file that is about to be attached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The name: 1-255 characters; `/` between the parts of a path.
    pub name: String,
    /// The media type.
    pub media_type: String,
    /// The size in bytes.
    pub size: u64,
    /// The SHA-256 of the content, in hexadecimal.
    pub sha256: String,
    /// The text, when the file has one that can be read.
    pub text: Option<FileText>,
    /// The size, when the file is an image that models can be shown.
    pub image: Option<ImageSize>,
}

/// The text of an attached file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FileText {
    /// The number of lines.
    pub lines: u32,
    /// The first lines, at most 8,000 characters; the whole text when it is not longer. Only complete lines, but
    /// for a first line that is longer than an excerpt. Empty for an empty file, and where the excerpts of other
    /// files have used up what a meeting may hold of them (64,000 characters).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub excerpt: String,
}

impl FileText {
    /// The text of a file as it is attached: how many lines it has, and the first of them.
    pub fn of(text: &str) -> Self {
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
        let mut excerpt = String::new();
        let mut chars = 0;
        for line in text.lines() {
            let length = line.chars().count() + 1;
            if chars + length > FILE_EXCERPT_MAX_CHARS {
                if excerpt.is_empty() {
                    excerpt.extend(line.chars().take(FILE_EXCERPT_MAX_CHARS));
                }
                break;
            }
            chars += length;
            excerpt.push_str(line);
            excerpt.push('\n');
        }
        excerpt.truncate(excerpt.trim_end_matches('\n').len());
        Self { lines, excerpt }
    }

    /// The number of lines of which the excerpt has at least the beginning.
    pub fn excerpt_lines(&self) -> u32 {
        u32::try_from(self.excerpt.lines().count()).unwrap_or(u32::MAX)
    }
}

/// A citation of lines of an attached file: `f1#12-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Citation {
    /// The file.
    pub file: FileId,
    /// The first line, counted from 1; absent when the file is cited as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The last line; absent when it is one line, or the whole file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<u32>,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        match (self.first, self.last) {
            (Some(first), Some(last)) => write!(f, "#{first}-{last}"),
            (Some(first), None) => write!(f, "#{first}"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_ends_with_a_whole_line() {
        let long: String = (1..=2000).map(|n| format!("line {n}\n")).collect();
        let text = FileText::of(&long);
        assert_eq!(text.lines, 2000);
        assert!(text.excerpt.chars().count() <= FILE_EXCERPT_MAX_CHARS);
        assert!(long.starts_with(&format!("{}\n", text.excerpt)));
        assert_eq!(text.excerpt_lines() as usize, text.excerpt.lines().count());
    }

    #[test]
    fn a_short_text_is_its_own_excerpt() {
        assert_eq!(FileText::of("甲\n乙\n"), FileText { lines: 2, excerpt: "甲\n乙".to_owned() });
        assert_eq!(FileText::of(""), FileText { lines: 0, excerpt: String::new() });
    }

    #[test]
    fn a_large_image_is_shown_smaller_and_none_without_an_edge() {
        let shown = |width, height| ImageSize { width, height }.shown();
        assert_eq!(shown(800, 600), ImageSize { width: 800, height: 600 });
        assert_eq!(shown(4032, 3024), ImageSize { width: 1568, height: 1176 });
        assert_eq!(shown(1, 10_000), ImageSize { width: 1, height: 1568 });
        let tokens = |width, height| ImageSize { width, height }.tokens();
        assert_eq!((tokens(1, 1), tokens(1500, 1000)), (258, 2000));
        assert_eq!(tokens(9000, 9000), tokens(1568, 1568));
        assert!(tokens(9000, 9000) <= IMAGE_MOST_TOKENS);
    }

    #[test]
    fn one_endless_line_is_cut() {
        let text = FileText::of(&"字".repeat(50_000));
        assert_eq!((text.lines, text.excerpt.chars().count()), (1, FILE_EXCERPT_MAX_CHARS));
    }
}
