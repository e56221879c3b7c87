//! Separation of a model's reasoning from its answer, when both come in one text.
//!
//! Three forms are known: `<think>…</think>` before the answer, or a pair of another name; the same without
//! the opening tag, because the chat template had already written it; and an opening tag that is never
//! closed, because the tokens ran out. An opening tag counts only at the beginning of an answer: an answer
//! may well *mention* the tag.
//!
//! In a stream, a missing opening tag shows only when the closing one comes. Fragments that were sent as
//! answer by then cannot be taken back; the final text is authoritative.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// The tags around a model's reasoning. No closing tag has its first character twice.
const TAGS: [(&str, &str); 7] = [
    (OPEN, CLOSE),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    // The harmony format of gpt-oss, where a server does not take it apart.
    ("<|channel|>analysis<|message|>", "<|end|>"),
];

/// Frames that stand before an answer and are not part of it.
const FRAMES: [&str; 2] = ["<|start|>assistant", "<|channel|>final<|message|>"];

/// The kind of a piece of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThinkState {
    /// Only blanks so far: an opening tag may follow.
    Beginning,
    /// Between the tags, until this one.
    Thinking(&'static str),
    /// In the answer.
    Answering,
}

/// Reads a text piece by piece and keeps both parts.
pub(crate) struct Splitter {
    place: ThinkState,
    /// The end of what was read, while it may be the beginning of a tag.
    held: String,
    /// Whether a closing tag without an opening one may still turn the text before it into reasoning.
    may_be_prefilled: bool,
    pub(crate) answer: String,
    pub(crate) reasoning: String,
}

impl Default for Splitter {
    fn default() -> Self {
        Self {
            place: ThinkState::Beginning,
            held: String::new(),
            may_be_prefilled: true,
            answer: String::new(),
            reasoning: String::new(),
        }
    }
}

/// The kind of a piece of text.
pub(crate) enum TextPart<'a> {
    Answer(&'a str),
    Reasoning(&'a str),
}

impl Splitter {
    /// Takes reasoning that the provider has separated itself; from then on a stray closing tag
    /// is part of the answer.
    pub(crate) fn reasoned(&mut self, piece: &str) {
        self.may_be_prefilled = false;
        self.reasoning.push_str(piece);
    }

    /// Takes the next piece of the text and hands on what is certain.
    pub(crate) fn feed(&mut self, piece: &str, hand_on: &mut impl FnMut(TextPart<'_>)) {
        if self.held.is_empty() {
            let kept = self.advance(piece, hand_on);
            self.held.push_str(&piece[kept..]);
        } else {
            let mut text = std::mem::take(&mut self.held);
            text.push_str(piece);
            let kept = self.advance(&text, hand_on);
            self.held.push_str(&text[kept..]);
        }
    }

    /// Hands on what was held back: no tag can follow any more.
    pub(crate) fn finish(&mut self, hand_on: &mut impl FnMut(TextPart<'_>)) {
        let held = std::mem::take(&mut self.held);
        self.put(&held, hand_on);
    }

    /// Reads as far as it is certain what the text is; returns how far that was.
    fn advance(&mut self, text: &str, hand_on: &mut impl FnMut(TextPart<'_>)) -> usize {
        let mut at = 0;
        loop {
            let rest = &text[at..];
            match self.place {
                ThinkState::Beginning => {
                    at += rest.len() - rest.trim_start().len();
                    let rest = &text[at..];
                    if let Some((open, close)) = TAGS.iter().find(|(open, _)| rest.starts_with(open)) {
                        self.may_be_prefilled = false;
                        self.place = ThinkState::Thinking(close);
                        at += open.len();
                    } else if let Some(frame) = FRAMES.iter().find(|frame| rest.starts_with(**frame)) {
                        at += frame.len();
                    } else if begins_a_tag(rest) {
                        return at;
                    } else {
                        self.place = ThinkState::Answering;
                    }
                }
                ThinkState::Thinking(close) => match rest.find(close) {
                    Some(end) => {
                        self.put(&rest[..end], hand_on);
                        self.place = ThinkState::Beginning;
                        at += end + close.len();
                    }
                    None => return at + self.put_certain(rest, close, hand_on),
                },
                ThinkState::Answering if !self.may_be_prefilled => {
                    self.put(rest, hand_on);
                    return text.len();
                }
                ThinkState::Answering => match rest.find(CLOSE) {
                    Some(end) => {
                        self.put(&rest[..end], hand_on);
                        at += end + CLOSE.len();
                        self.may_be_prefilled = false;
                        if self.answer.ends_with('`') || self.answer.contains(OPEN) {
                            // The answer speaks of the tag.
                            self.put(CLOSE, hand_on);
                        } else {
                            self.reasoning.push_str(&std::mem::take(&mut self.answer));
                            self.place = ThinkState::Beginning;
                        }
                    }
                    None => return at + self.put_certain(rest, CLOSE, hand_on),
                },
            }
        }
    }

    /// Puts all of `rest` but an end that may be the beginning of the closing tag.
    fn put_certain(&mut self, rest: &str, close: &str, hand_on: &mut impl FnMut(TextPart<'_>)) -> usize {
        let first = close.chars().next().unwrap_or('<');
        let open_end =
            rest.rfind(first).filter(|start| close.starts_with(&rest[*start..])).unwrap_or(rest.len());
        self.put(&rest[..open_end], hand_on);
        open_end
    }

    fn put(&mut self, text: &str, hand_on: &mut impl FnMut(TextPart<'_>)) {
        if text.is_empty() {
            return;
        }
        if matches!(self.place, ThinkState::Thinking(_)) {
            self.reasoning.push_str(text);
            hand_on(TextPart::Reasoning(text));
        } else {
            self.answer.push_str(text);
            hand_on(TextPart::Answer(text));
        }
    }
}

/// Whether the rest may be the beginning of an opening tag or a frame.
fn begins_a_tag(rest: &str) -> bool {
    TAGS.iter().any(|(open, _)| open.starts_with(rest)) || FRAMES.iter().any(|frame| frame.starts_with(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splits `text` in pieces of `size` characters: (answer, reasoning, handed on as answer).
    fn split(text: &str, size: usize) -> (String, String, String) {
        let mut splitter = Splitter::default();
        let mut shown = String::new();
        let mut hand_on = |part: TextPart<'_>| {
            if let TextPart::Answer(text) = part {
                shown.push_str(text);
            }
        };
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(size) {
            splitter.feed(&piece.iter().collect::<String>(), &mut hand_on);
        }
        splitter.finish(&mut hand_on);
        (splitter.answer, splitter.reasoning, shown)
    }

    #[test]
    fn thinking_is_taken_out_wherever_the_pieces_are_cut() {
        let cases = [
            ("plain 众议 <b>", "plain 众议 <b>", ""),
            ("<think>hm</think>\n\nyes", "yes", "hm"),
            ("\n <think>嗯 < 5 </thin </think>好", "好", "嗯 < 5 </thin "),
            ("<think>a</think> <think>b</think> yes", "yes", "ab"),
            ("<think>never closed", "", "never closed"),
            ("<think>never closed </thi", "", "never closed </thi"),
            ("it was written before</think>\nyes", "yes", "it was written before"),
            ("a `</think>` in code", "a `</think>` in code", ""),
            (
                "it begins with <think> and ends with </think>",
                "it begins with <think> and ends with </think>",
                "",
            ),
            ("<thinking>a</think>b</thinking> yes", "yes", "a</think>b"),
            ("<thought>hm</thought>yes <thought>", "yes <thought>", "hm"),
            ("<seed:think>hm</seed:think>yes", "yes", "hm"),
            ("[THINK]hm [1][/THINK]yes [/THINK]", "yes [/THINK]", "hm [1]"),
            ("◁think▷嗯◁/think▷好", "好", "嗯"),
            (
                "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>yes",
                "yes",
                "hm",
            ),
            ("<|channel|>final<|message|>yes", "yes", ""),
            ("<|chan", "<|chan", ""),
            ("[1] says so", "[1] says so", ""),
            ("<thinner", "<thinner", ""),
            ("<thi", "<thi", ""),
            ("ends with </", "ends with </", ""),
            ("", "", ""),
        ];
        for (text, answer, reasoning) in cases {
            for size in 1..=text.chars().count().max(1) {
                let (got_answer, got_reasoning, _) = split(text, size);
                let got = (got_answer.as_str(), got_reasoning.as_str());
                assert_eq!(got, (answer, reasoning), "{text:?} in pieces of {size}");
            }
        }
    }

    #[test]
    fn fragments_are_the_answer_unless_the_opening_tag_was_missing() {
        for size in 1..9 {
            let (answer, _, shown) = split("<think>hm</think>yes, <i>", size);
            assert_eq!(answer, shown);
        }
    }

    #[test]
    fn a_stray_tag_is_text_when_the_provider_separates_reasoning_itself() {
        let mut splitter = Splitter::default();
        splitter.reasoned("hm");
        splitter.feed("the tag </think> ends it", &mut |_| {});
        assert_eq!(splitter.answer, "the tag </think> ends it");
    }
}
