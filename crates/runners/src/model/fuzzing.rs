//! What fuzz targets call of the decoder of answers. Its parts stay private: a whole request takes a server and waits.

use std::ops::ControlFlow;

use quorate_engine::FragmentSink;

use super::redact::Secrets;
use super::response::{ResponseDecoder, Stage};
use super::sse::Lines;
use crate::provider::ProviderConfig;
use crate::wire_format::WireFormat;

/// Decodes an answer as it comes over the network: whole, or as a stream in pieces of so many bytes.
///
/// # Panics
/// Never, which is what is tried.
pub fn decode_answer(format: WireFormat, answer: &[u8], piece: Option<usize>) {
    let config =
        ProviderConfig { wire: format, ..ProviderConfig::new("lab", "http://h/v1".parse().expect("a URL")) };
    let (sink, secrets) = (FragmentSink::new(drop), Secrets::of(&config));
    let mut stage = Stage::new(&sink, &secrets);
    stage.answer_tool = Some("vote");
    stage.offers_tools = true;
    let mut decoder = ResponseDecoder::new(&config, &mut stage);
    let Some(piece) = piece else {
        if decoder.take_whole(answer).is_ok() {
            let _ = decoder.end(|| 1);
        }
        return;
    };
    let mut lines = Lines::default();
    let mut take = |data: &[u8]| match decoder.take(data) {
        Ok(()) if decoder.is_done() => ControlFlow::Break(true),
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(false),
    };
    for piece in answer.chunks(piece.max(1)) {
        match lines.feed(piece, &mut take) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(true)) => break,
            Ok(ControlFlow::Break(false)) | Err(_) => return,
        }
    }
    let _ = lines.finish(&mut take);
    let _ = decoder.end(|| 1);
}
