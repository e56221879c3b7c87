//! Answers of vendors in each wire format. The first byte chooses the format, and whether the answer is whole or a
//! stream; the second how long its pieces are.

use quorate_runners::WireFormat;
use quorate_runners::fuzzing::decode_answer;

const FORMATS: [WireFormat; 6] = [
    WireFormat::Openai,
    WireFormat::Anthropic,
    WireFormat::Responses,
    WireFormat::Gemini,
    WireFormat::Ollama,
    WireFormat::A2a,
];

/// Takes one input.
///
/// # Panics
/// When something does not hold.
pub fn wires(data: &[u8]) {
    let [kind, piece, answer @ ..] = data else { return };
    let format = FORMATS[usize::from(kind & 127) % FORMATS.len()];
    let piece = (kind & 128 != 0).then_some(usize::from(*piece) + 1);
    decode_answer(format, answer, piece);
}
