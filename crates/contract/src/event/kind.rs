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

    /// One event of each type, as a log spells it.
    const ONE_OF_EACH: &str = r#"
        {"type":"meeting_created","payload":{"topic":"t","language":"zh","format":"consensus","rules":{},"seed":1,"facilitator":null,"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"meeting_imported","payload":{"layout":"rooms","from":"r","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"meeting_forked","payload":{"from":"m","at":3,"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"participant_joined","payload":{"participant":{"id":"p1","name":"Ada","role":{"name":"r","description":"d"},"runner":{"kind":"simulated","temperament":"balanced"}},"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"participant_left","payload":{"participant":"p1","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"participant_invited","payload":{"invitation":1,"description":"d","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"presence_changed","payload":{"participant":"p1","presence":"offline","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"participant_changed","payload":{"participant":"p1","skip_list":["ok"],"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"person_joined","payload":{"person":{"id":"u","name":"U"}}}
        {"type":"person_left","payload":{"person":{"id":"u","name":"U"},"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"host_changed","payload":{"host":{"id":"u","name":"U"},"by":{"kind":"person","id":"v","name":"V"}}}
        {"type":"meeting_started","payload":{"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"rules_changed","payload":{"rules":{},"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"topic_changed","payload":{"topic":"t","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"agenda_changed","payload":{"change":"added","item":{"id":"a1","title":"t","completed":false},"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"announcement_published","payload":{"text":"t","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"access_changed","payload":{"locked":true,"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"preparation_started","payload":{"round":1}}
        {"type":"intake_written","payload":{"round":1,"by":{"kind":"facilitator"},"questions":[{"key":"k","ask":{"text":"a"}}]}}
        {"type":"team_proposed","payload":{"round":1,"by":{"kind":"facilitator"},"departures":[{"participant":"p1","reason":{"text":"r"}}]}}
        {"type":"team_reviewed","payload":{"round":1,"by":{"kind":"person","id":"u","name":"U"},"decision":"accepted","left_out":["Ada"]}}
        {"type":"evaluation_written","payload":{"round":1,"by":{"kind":"facilitator"},"marks":[{"participant":"p1","score":7,"reason":{"text":"r"}}]}}
        {"type":"round_started","payload":{"round":1,"kind":"serial","order":["p1"]}}
        {"type":"speaker_selected","payload":{"turn":"r1t1","participant":"p1","why":"rotation","can_skip":false}}
        {"type":"speaker_requested","payload":{"participant":"p1","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"queue_changed","payload":{"queue":[{"participant":"p1","why":"mentioned","by":"m1"}],"reason":"mentioned"}}
        {"type":"call_started","payload":{"task":"conclude","attempt":1,"reserved":{}}}
        {"type":"call_retried","payload":{"task":"conclude","attempt":1,"request":1,"kind":"rate_limit","detail":{"text":"d"},"wait_ms":1,"usage":{},"cost_micros":0}}
        {"type":"call_ended","payload":{"task":"conclude","attempt":1,"ended":"answered","usage":{},"cost_micros":null,"latency_ms":1}}
        {"type":"answer_malformed","payload":{"task":"conclude","attempt":1,"problem":{"text":"p"},"excerpt":"e"}}
        {"type":"agent_message","payload":{"message_id":"m1","round":1,"turn":"r1t1","participant":"p1","message":{"role":"assistant","name":"Ada","content":"c"}}}
        {"type":"user_message","payload":{"message_id":"m1","round":1,"by":{"kind":"person","id":"u","name":"U"},"message":{"role":"user","name":"u","content":"c"}}}
        {"type":"turn_skipped","payload":{"turn":"r1t1","participant":"p1"}}
        {"type":"memory_written","payload":{"participant":"p1","memory":{"assumptions":["a"]}}}
        {"type":"turn_failed","payload":{"turn":"r1t1","participant":"p1","kind":"network","detail":{"text":"d"},"hint":{"text":"h"}}}
        {"type":"round_ended","payload":{"round":1}}
        {"type":"summary_written","payload":{"round":1,"by":{"kind":"system"},"text":"t","positions":[]}}
        {"type":"metric","payload":{"round":1,"open_questions_count":2,"disagreements_count":1,"convergence_score":60,"stable_rounds":1}}
        {"type":"draft_revised","payload":{"version":1,"text":"t","by":{"kind":"system"}}}
        {"type":"ballot_opened","payload":{"ballot":"b1","round":1,"draft_version":1,"voters":["p1"]}}
        {"type":"vote_cast","payload":{"ballot":"b1","participant":"p1","vote":{"score":80,"pass":true,"reason":"r"}}}
        {"type":"vote_abstained","payload":{"ballot":"b1","participant":"p1","kind":"chosen","detail":{"text":"d"}}}
        {"type":"ballot_interrupted","payload":{"ballot":"b1","by":"m1"}}
        {"type":"ballot_closed","payload":{"ballot":"b1","verdict":{"passed":true,"clauses":[],"votes":1,"abstentions":0}}}
        {"type":"facilitation_written","payload":{"ballot":"b1","message_id":"m1","message":{"role":"system","name":"f","content":"c"},"disagreements":[],"proposed_patch":"p","next_focus":[]}}
        {"type":"pause_requested","payload":{"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"pause","payload":{"pause_reason":"user_request","resume_token":"t","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"resume","payload":{"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"minutes_requested","payload":{"version":1,"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"minutes_written","payload":{"version":1,"author":{"kind":"facilitator"},"minutes":{"content":"c"}}}
        {"type":"artifact_requested","payload":{"artifact_type":"ADR","version":"v1","by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"artifact_written","payload":{"artifact_type":"ADR","version":"v1","content":{},"author":{"kind":"facilitator"}}}
        {"type":"recovered","payload":{}}
        {"type":"budget_reached","payload":{"budget":"tokens","limit":1,"spent":1,"needed":0}}
        {"type":"provider_wait_started","payload":{"waiting_for":["ollama"],"kind":"network","detail":{"text":"d"},"hint":{"text":"h"},"tries":1,"next_try_at":5000,"gives_up_at":600000}}
        {"type":"provider_wait_ended","payload":{"reason":"reachable"}}
        {"type":"error","payload":{"task":"conclude","kind":"network","detail":{"text":"d"},"hint":{"text":"h"}}}
        {"type":"end_requested","payload":{"by":{"kind":"person","id":"u","name":"U"}}}
        {"type":"meeting_closing","payload":{"outcome":"completed"}}
        {"type":"conclusion_written","payload":{"by":{"kind":"system"},"conclusion":"c","disagreements":[],"actions":[]}}
        {"type":"finished","payload":{"outcome":"completed","rounds":1,"usage":{},"cost_micros":null}}
    "#;

    #[test]
    fn each_event_is_named_as_its_line_names_it() {
        let bodies = ONE_OF_EACH.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut names = Vec::new();
        for line in bodies {
            let body: EventBody = serde_json::from_str(line).expect(line);
            let spelled = serde_json::to_value(&body).unwrap()["type"].clone();
            assert_eq!(body.kind(), spelled);
            names.push(body.kind());
        }
        assert_eq!(names, EventBody::KINDS, "one of each");
    }
}
