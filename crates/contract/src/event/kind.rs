//! The name of an event, as its line spells it.

use super::EventBody;

impl EventBody {
    /// All kinds of events that this version writes, in the order of the type.
    pub const KINDS: &'static [&'static str] = <Self as strum::VariantNames>::VARIANTS;

    /// The event's `type`.
    pub fn kind(&self) -> &'static str {
        self.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One event of each type, with every field that it can have.
    const ONE_OF_EACH: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/events.jsonl"));

    #[test]
    fn each_event_is_named_as_its_line_names_it() {
        let mut names = Vec::new();
        for line in ONE_OF_EACH.lines() {
            let body: EventBody = serde_json::from_str(line).expect(line);
            let spelled = serde_json::to_value(&body).unwrap()["type"].clone();
            assert_eq!(body.kind(), spelled);
            names.push(body.kind());
        }
        assert_eq!(names, EventBody::KINDS, "one of each");
    }
}
