//! What the formats have in common in how images are written: where they stand between the texts of a message.

use std::fmt;

use quorate_contract::{PromptImage, PromptMessage};
use quorate_engine::LoadedImage;
use quorate_messages::text;
use serde::ser::{Serialize, Serializer};

use super::text_parts::TextParts;
use super::{ModelRequest, Turn, add, add_piece};
use crate::token_estimate::{image_tokens, prompt_tokens, rates_of};

/// A piece of a message: a text, or an image behind the text that speaks of it.
#[derive(Clone, Copy)]
pub(crate) enum Piece<'a> {
    Text(&'a str),
    Image(&'a LoadedImage),
}

/// A block of a message: all texts between two images, or an image.
pub(crate) enum Block<'a> {
    Text(TextParts<'a>),
    Image(&'a LoadedImage),
}

impl<'a> Turn<'a> {
    /// The text of a message without images; `None` when it has some.
    pub(crate) fn joined(&self) -> Option<TextParts<'a>> {
        let text = |piece: &Piece<'a>| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Image(_) => None,
        };
        self.pieces.iter().map(text).collect::<Option<Vec<_>>>().map(TextParts)
    }

    /// All texts of a message, whatever images stand between them.
    pub(crate) fn texts(&self) -> TextParts<'a> {
        let text = |piece: &Piece<'a>| match piece {
            Piece::Text(text) => Some(*text),
            Piece::Image(_) => None,
        };
        TextParts(self.pieces.iter().filter_map(text).collect())
    }

    /// The images of a message.
    pub(crate) fn images(&self) -> impl Iterator<Item = &'a LoadedImage> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text(_) => None,
            Piece::Image(image) => Some(*image),
        })
    }

    /// The blocks of a message, in order.
    pub(crate) fn blocks(self) -> Vec<Block<'a>> {
        let (mut blocks, mut texts) = (Vec::new(), Vec::new());
        for piece in self.pieces {
            match piece {
                Piece::Text(text) => texts.push(text),
                Piece::Image(image) => {
                    if !texts.is_empty() {
                        blocks.push(Block::Text(TextParts(std::mem::take(&mut texts))));
                    }
                    blocks.push(Block::Image(image));
                }
            }
        }
        if !texts.is_empty() {
            blocks.push(Block::Text(TextParts(texts)));
        }
        blocks
    }
}

impl<'a> ModelRequest<'a> {
    /// Whether any image is in the request.
    pub(crate) fn shows_images(&self) -> bool {
        self.prompt.images().any(|image| self.image(image).is_some())
    }

    /// The content of an image of the prompt; `None` for a model that does not see, and where the content is not here.
    fn image(&self, image: &PromptImage) -> Option<&'a LoadedImage> {
        if self.capabilities.no_images || self.hides_images {
            return None;
        }
        self.images.iter().find(|loaded| loaded.sha256 == image.sha256)
    }

    /// Adds a message: its texts, with the images between them, or with a remark where an image is not shown.
    pub(super) fn add_message(&self, turns: &mut Vec<Turn<'a>>, message: &'a PromptMessage) {
        let mut rest = message.content.as_str();
        for image in &message.images {
            let begins = message.content.len() - rest.len();
            let Some((before, after)) =
                image.offset.checked_sub(begins).and_then(|at| rest.split_at_checked(at))
            else {
                continue;
            };
            add(turns, message.role, before);
            match self.image(image) {
                Some(loaded) => add_piece(turns, message.role, Piece::Image(loaded)),
                None => {
                    let remark = text!(self.prompt.brief.language, "records-image-not-shown");
                    add(turns, message.role, remark);
                }
            }
            // Neighbours are joined by blank lines.
            rest = after.trim_start_matches('\n');
        }
        add(turns, message.role, rest);
    }

    /// About how many tokens are read.
    pub(crate) fn prompt_tokens(&self) -> u64 {
        let images = if self.shows_images() { image_tokens(self.prompt) } else { 0 };
        prompt_tokens(self.prompt, rates_of(self.config, self.model)) + images
    }
}

/// An image as the address of itself.
pub(super) struct DataUri<'a>(pub(super) &'a LoadedImage);

impl fmt::Display for DataUri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "data:{};base64,{}", self.0.media_type, self.0.base64)
    }
}

impl Serialize for DataUri<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
