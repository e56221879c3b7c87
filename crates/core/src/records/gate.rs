//! The quality gate: every line of an artifact has to cite messages.

use quorate_contract::MessageId;
use quorate_messages::{Message, message};

use crate::state::Meeting;

/// Whether a line cites existing messages, among the first `known`, and quotes one of them word for word.
pub(super) fn rests_on(
    m: &Meeting,
    known: usize,
    field: &str,
    sources: &[MessageId],
    quote: Option<&str>,
) -> Result<(), Message> {
    if sources.is_empty() {
        return Err(message!("answer-no-sources", field));
    }
    let text = |id: &MessageId| {
        let place = (id.0 as usize).checked_sub(1).filter(|place| *place < known)?;
        m.said.get(place).map(|said| said.content.as_str())
    };
    if let Some(unknown) = sources.iter().find(|id| text(id).is_none()) {
        return Err(message!("answer-unknown-message", field, message = %unknown));
    }
    let Some(quote) = quote else { return Ok(()) };
    // A quote that was cut at its longest is held against the text without the mark of the cut.
    let wanted = bare(quote.trim_end_matches('…'));
    match sources.iter().filter_map(text).any(|said| bare(said).contains(&wanted)) {
        true => Ok(()),
        false => Err(message!("answer-unknown-quote", field, quote)),
    }
}

/// A text without spaces and quotation marks, for those are what models change.
pub(super) fn bare(text: &str) -> String {
    let kept = text.chars().filter(|c| {
        !c.is_whitespace() && !matches!(c, '"' | '“' | '”' | '「' | '」' | '*' | '`' | '\'' | '’' | '‘')
    });
    kept.collect()
}
