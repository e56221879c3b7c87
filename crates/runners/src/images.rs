//! Images as models are given them.
//!
//! What models are sent is never the file itself: its pixels are read, turned upright, made smaller where they are many,
//! and written anew as PNG or JPEG, which every vendor takes. So what they are sent is an image for certain, and holds
//! neither the place at which a photo was taken nor anything else behind the pixels. The same file gives the same bytes
//! each time, so that a vendor's prompt cache holds them (docs/decisions/0024).

use std::borrow::Cow;
use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits, Rgb, RgbImage};
use quorate_contract::{ImageSize, Language, PromptImage, PromptMessage};
use quorate_engine::LoadedImage;
use quorate_messages::text;

/// The most pixels of an image.
pub const IMAGE_PIXELS_MAX: u64 = 40_000_000;
/// The longest edge of an image, in pixels.
pub const IMAGE_SIDE_MAX: u32 = 16_384;
/// The most bytes of an image as it is sent. Twenty of them in base64 stay below the least that a vendor takes.
const SENT_BYTES_MAX: usize = 700 << 10;
/// The most memory that reading an image may take, in bytes.
const MEMORY_MAX: u64 = 512 << 20;
/// No format writes more pixels in a byte: a header that says so has no image behind it.
const PIXELS_PER_BYTE_MAX: u64 = 10_000;
/// The qualities in which a photo is written, the best first.
const QUALITIES: [u8; 3] = [85, 70, 50];

/// Why an image cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageProblem {
    /// Its content cannot be read.
    Broken,
    /// It has more pixels than are read.
    TooLarge(ImageSize),
}

/// An image as models are given it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownImage {
    /// `image/png` or `image/jpeg`.
    pub media_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
    /// The size of the original, upright.
    pub size: ImageSize,
}

/// Whether files of this media type are images that models can be shown.
pub fn is_image(media_type: &str) -> bool {
    format_of(media_type).is_some()
}

fn format_of(media_type: &str) -> Option<ImageFormat> {
    match media_type {
        "image/png" => Some(ImageFormat::Png),
        "image/jpeg" => Some(ImageFormat::Jpeg),
        "image/webp" => Some(ImageFormat::WebP),
        "image/gif" => Some(ImageFormat::Gif),
        _ => None,
    }
}

/// The image in a file of this media type; of an animation, its first picture.
///
/// # Errors
/// When the file is no image of this type, cannot be read, or has too many pixels.
pub fn shown_image(media_type: &str, content: &[u8]) -> Result<ShownImage, ImageProblem> {
    let format = format_of(media_type).ok_or(ImageProblem::Broken)?;
    let (image, size) = read(format, content)?;
    let lossless = format != ImageFormat::Jpeg && format != ImageFormat::WebP;
    let (media_type, bytes) = written(image, lossless).ok_or(ImageProblem::Broken)?;
    Ok(ShownImage { media_type, bytes, size })
}

/// The text of a message for somebody who is given images apart from it, or not at all: with a remark where one is not
/// shown. With it, the places of those that are, in bytes of this text.
pub(crate) fn text_of<'m>(
    message: &'m PromptMessage,
    language: Language,
    is_shown: impl Fn(&PromptImage) -> bool,
) -> (Cow<'m, str>, Vec<(usize, &'m PromptImage)>) {
    if message.images.is_empty() {
        return (Cow::Borrowed(&message.content), Vec::new());
    }
    let (mut told, mut shown, mut from) = (String::new(), Vec::new(), 0);
    for image in &message.images {
        let Some(before) = message.content.get(from..image.offset) else { continue };
        told.push_str(before);
        from = image.offset;
        match is_shown(image) {
            true => shown.push((told.len(), image)),
            false => {
                told.push_str("\n\n");
                told.push_str(text!(language, "records-image-not-shown"));
            }
        }
    }
    told.push_str(message.content.get(from..).unwrap_or_default());
    (Cow::Owned(told), shown)
}

/// The content of an image, when it is here.
pub(crate) fn loaded<'r>(images: &'r [LoadedImage], image: &PromptImage) -> Option<&'r LoadedImage> {
    images.iter().find(|loaded| loaded.sha256 == image.sha256)
}

/// The pixels of an image, not more than are shown, and the size of the original.
fn read(format: ImageFormat, content: &[u8]) -> Result<(DynamicImage, ImageSize), ImageProblem> {
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MEMORY_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|_| ImageProblem::Broken)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(ImageProblem::Broken);
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels / PIXELS_PER_BYTE_MAX > content.len() as u64 {
        return Err(ImageProblem::Broken);
    }
    if width.max(height) > IMAGE_SIDE_MAX || pixels > IMAGE_PIXELS_MAX {
        return Err(ImageProblem::TooLarge(ImageSize { width, height }));
    }
    let orientation = decoder.orientation().ok();
    let mut image = DynamicImage::from_decoder(decoder).map_err(|_| ImageProblem::Broken)?;
    // Eight bits for each colour, in red, green and blue: what every vendor reads.
    image = match image.color().has_alpha() {
        true => image.into_rgba8().into(),
        false => image.into_rgb8().into(),
    };
    let stored = ImageSize { width, height };
    let shown = stored.shown();
    if shown != stored {
        image = image.resize_exact(shown.width, shown.height, FilterType::Triangle);
    }
    let before = image.width();
    if let Some(orientation) = orientation {
        image.apply_orientation(orientation);
    }
    let turned = image.width() != before;
    Ok((image, if turned { ImageSize { width: height, height: width } } else { stored }))
}

/// The image in a form that every vendor takes: drawings and screenshots without loss where they are small enough,
/// everything else as a photo.
fn written(mut image: DynamicImage, lossless: bool) -> Option<(&'static str, Vec<u8>)> {
    if lossless || image.color().has_alpha() {
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).ok()?;
        if bytes.len() <= SENT_BYTES_MAX {
            return Some(("image/png", bytes));
        }
    }
    let mut photo = on_white(std::mem::take(&mut image));
    loop {
        for quality in QUALITIES {
            let mut bytes = Vec::new();
            JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(&photo).ok()?;
            if bytes.len() <= SENT_BYTES_MAX {
                return Some(("image/jpeg", bytes));
            }
        }
        let (width, height) = (photo.width() * 3 / 4, photo.height() * 3 / 4);
        photo = photo.resize_exact(width.max(1), height.max(1), FilterType::Triangle);
    }
}

/// The image without transparency.
fn on_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image;
    }
    let image = image.into_rgba8();
    let over_white = |channel: u8, alpha: u8| {
        let (channel, alpha) = (u32::from(channel), u32::from(alpha));
        u8::try_from((channel * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX)
    };
    let opaque = RgbImage::from_fn(image.width(), image.height(), |x, y| {
        let [red, green, blue, alpha] = image.get_pixel(x, y).0;
        Rgb([over_white(red, alpha), over_white(green, alpha), over_white(blue, alpha)])
    });
    opaque.into()
}

#[cfg(test)]
mod tests {
    use image::RgbaImage;

    use super::*;

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Vec::new();
        image.write_to(&mut Cursor::new(&mut bytes), format).expect("written");
        bytes
    }

    fn picture(width: u32, height: u32) -> DynamicImage {
        let colour = |x: u32, y: u32| Rgb([(x % 251) as u8, (y % 241) as u8, ((x * y) % 239) as u8]);
        RgbImage::from_fn(width, height, colour).into()
    }

    #[test]
    fn each_format_is_read_and_written_as_one_that_all_vendors_take() {
        let image = picture(60, 40);
        for (format, media_type, expected) in [
            (ImageFormat::Png, "image/png", "image/png"),
            (ImageFormat::Gif, "image/gif", "image/png"),
            (ImageFormat::Jpeg, "image/jpeg", "image/jpeg"),
            (ImageFormat::WebP, "image/webp", "image/jpeg"),
        ] {
            let image =
                if format == ImageFormat::Gif { DynamicImage::from(image.to_rgba8()) } else { image.clone() };
            let shown = shown_image(media_type, &encoded(&image, format)).expect("an image");
            assert_eq!((shown.media_type, shown.size), (expected, ImageSize { width: 60, height: 40 }));
            assert_eq!(crate::media_type("image", &shown.bytes), expected);
        }
    }

    #[test]
    fn a_large_image_is_made_smaller_and_the_same_each_time() {
        let file = encoded(&picture(3200, 1600), ImageFormat::Jpeg);
        let shown = shown_image("image/jpeg", &file).expect("an image");
        assert_eq!(shown.size, ImageSize { width: 3200, height: 1600 });
        let again = image::load_from_memory(&shown.bytes).expect("an image");
        assert_eq!((again.width(), again.height()), (1568, 784));
        assert!(shown.bytes.len() <= SENT_BYTES_MAX);
        assert_eq!(shown_image("image/jpeg", &file), Ok(shown));
    }

    #[test]
    fn noise_fits_as_well() {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let noise = RgbaImage::from_fn(900, 900, |_, _| image::Rgba([next(), next(), next(), 200]));
        let shown = shown_image("image/png", &encoded(&noise.into(), ImageFormat::Png)).expect("an image");
        assert!(shown.bytes.len() <= SENT_BYTES_MAX);
        assert_eq!(shown.media_type, "image/jpeg");
    }

    #[test]
    fn what_is_behind_the_pixels_is_not_sent() {
        let mut file = encoded(&picture(8, 8), ImageFormat::Jpeg);
        // A comment segment directly behind the start of the image.
        let comment = b"GPS 31.2304 N 121.4737 E";
        let mut segment = vec![0xff, 0xfe, 0, comment.len() as u8 + 2];
        segment.extend_from_slice(comment);
        file.splice(2..2, segment);
        let shown = shown_image("image/jpeg", &file).expect("an image");
        assert!(!shown.bytes.windows(3).any(|part| part == b"GPS"));
    }

    #[test]
    fn what_is_no_image_or_has_too_many_pixels_is_refused() {
        let mut cut = encoded(&picture(60, 40), ImageFormat::Png);
        cut.truncate(60);
        for content in [&cut[..], b"\x89PNG\r\n\x1a\n", b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>"] {
            assert_eq!(shown_image("image/png", content), Err(ImageProblem::Broken));
        }
        assert_eq!(shown_image("image/svg+xml", b"<svg/>"), Err(ImageProblem::Broken));
        // A header that promises many pixels is refused before any of them is read.
        let mut bomb = encoded(&picture(4, 4), ImageFormat::Png);
        bomb[16..20].copy_from_slice(&60_000u32.to_be_bytes());
        bomb[20..24].copy_from_slice(&60_000u32.to_be_bytes());
        let checksum = crc32(&bomb[12..29]);
        bomb[29..33].copy_from_slice(&checksum.to_be_bytes());
        assert_eq!(shown_image("image/png", &bomb), Err(ImageProblem::Broken), "there is nothing behind it");
        bomb.resize(400_000, 0);
        let size = ImageSize { width: 60_000, height: 60_000 };
        assert_eq!(shown_image("image/png", &bomb), Err(ImageProblem::TooLarge(size)));
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        !bytes.iter().fold(!0u32, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
    }
}
