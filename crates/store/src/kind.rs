//! The name of an event as its line spells it, for the column that people and queries look at.
//!
//! Taken from the type instead of the line, because the line is long and this is asked for
//! every append.

use quorate_core::EventBody;

/// The `type` of the event's line.
pub(crate) fn kind(body: &EventBody) -> &'static str {
    match body {
        EventBody::MeetingCreated { .. } => "meeting_created",
        EventBody::MeetingForked { .. } => "meeting_forked",
        EventBody::ParticipantJoined { .. } => "participant_joined",
        EventBody::ParticipantLeft { .. } => "participant_left",
        EventBody::MeetingStarted { .. } => "meeting_started",
        EventBody::RoundStarted { .. } => "round_started",
        EventBody::SpeakerSelected { .. } => "speaker_selected",
        EventBody::SpeakerRequested { .. } => "speaker_requested",
        EventBody::CallStarted { .. } => "call_started",
        EventBody::CallEnded { .. } => "call_ended",
        EventBody::AnswerMalformed { .. } => "answer_malformed",
        EventBody::AgentMessage { .. } => "agent_message",
        EventBody::UserMessage { .. } => "user_message",
        EventBody::TurnSkipped { .. } => "turn_skipped",
        EventBody::TurnFailed { .. } => "turn_failed",
        EventBody::RoundEnded { .. } => "round_ended",
        EventBody::SummaryWritten { .. } => "summary_written",
        EventBody::DraftRevised { .. } => "draft_revised",
        EventBody::BallotOpened { .. } => "ballot_opened",
        EventBody::VoteCast { .. } => "vote_cast",
        EventBody::VoteAbstained { .. } => "vote_abstained",
        EventBody::BallotInterrupted { .. } => "ballot_interrupted",
        EventBody::BallotClosed { .. } => "ballot_closed",
        EventBody::FacilitationWritten { .. } => "facilitation_written",
        EventBody::PauseRequested { .. } => "pause_requested",
        EventBody::Pause { .. } => "pause",
        EventBody::Resume { .. } => "resume",
        EventBody::Recovered {} => "recovered",
        EventBody::BudgetReached { .. } => "budget_reached",
        EventBody::Error { .. } => "error",
        EventBody::EndRequested { .. } => "end_requested",
        EventBody::MeetingClosing { .. } => "meeting_closing",
        EventBody::ConclusionWritten { .. } => "conclusion_written",
        EventBody::Finished { .. } => "finished",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each, as a log spells them.
    const ONE_OF_EACH: &str = r#"
        {"type":"meeting_created","payload":{"topic":"t","language":"zh","format":"consensus","rules":{},"seed":1,"facilitator":null,"by":"u"}}
        {"type":"meeting_forked","payload":{"from":"m","at":3}}
        {"type":"participant_joined","payload":{"participant":{"id":"p1","name":"Ada","role":{"name":"r","description":"d"},"runner":{"kind":"simulated","temperament":"balanced"}},"by":"u"}}
        {"type":"participant_left","payload":{"participant":"p1","by":"u"}}
        {"type":"meeting_started","payload":{"by":"u"}}
        {"type":"round_started","payload":{"round":1,"kind":"serial","order":["p1"]}}
        {"type":"speaker_selected","payload":{"turn":"r1t1","participant":"p1","why":"rotation","can_skip":false}}
        {"type":"speaker_requested","payload":{"participant":"p1","by":"u"}}
        {"type":"call_started","payload":{"task":"conclude","attempt":1,"reserved":{}}}
        {"type":"call_ended","payload":{"task":"conclude","attempt":1,"ended":"answered","usage":{},"cost_micros":null,"latency_ms":1}}
        {"type":"answer_malformed","payload":{"task":"conclude","attempt":1,"problem":"p","excerpt":"e"}}
        {"type":"agent_message","payload":{"message_id":"m1","round":1,"turn":"r1t1","participant":"p1","message":{"role":"assistant","name":"Ada","content":"c"}}}
        {"type":"user_message","payload":{"message_id":"m1","round":1,"by":"u","message":{"role":"user","name":"u","content":"c"}}}
        {"type":"turn_skipped","payload":{"turn":"r1t1","participant":"p1"}}
        {"type":"turn_failed","payload":{"turn":"r1t1","participant":"p1","kind":"network","detail":"d","hint":"h"}}
        {"type":"round_ended","payload":{"round":1}}
        {"type":"summary_written","payload":{"round":1,"by":"rules","text":"t","positions":[]}}
        {"type":"draft_revised","payload":{"version":1,"text":"t","by":"rules"}}
        {"type":"ballot_opened","payload":{"ballot":"b1","round":1,"draft_version":1,"voters":["p1"]}}
        {"type":"vote_cast","payload":{"ballot":"b1","participant":"p1","vote":{"score":80,"pass":true,"reason":"r"}}}
        {"type":"vote_abstained","payload":{"ballot":"b1","participant":"p1","kind":"chosen","detail":"d"}}
        {"type":"ballot_interrupted","payload":{"ballot":"b1","by":"m1"}}
        {"type":"ballot_closed","payload":{"ballot":"b1","verdict":{"passed":true,"clauses":[],"votes":1,"abstentions":0}}}
        {"type":"facilitation_written","payload":{"ballot":"b1","message_id":"m1","message":{"role":"system","name":"f","content":"c"},"disagreements":[],"proposed_patch":"p","next_focus":[]}}
        {"type":"pause_requested","payload":{"by":"u"}}
        {"type":"pause","payload":{"pause_reason":"user_request","resume_token":"t","by":"u"}}
        {"type":"resume","payload":{"by":"u"}}
        {"type":"recovered","payload":{}}
        {"type":"budget_reached","payload":{"budget":"tokens","limit":1,"spent":1,"needed":0}}
        {"type":"error","payload":{"task":"conclude","kind":"network","detail":"d","hint":"h"}}
        {"type":"end_requested","payload":{"by":"u"}}
        {"type":"meeting_closing","payload":{"outcome":"completed"}}
        {"type":"conclusion_written","payload":{"by":"rules","conclusion":"c","disagreements":[],"actions":[]}}
        {"type":"finished","payload":{"outcome":"completed","rounds":1,"usage":{},"cost_micros":null}}
    "#;

    #[test]
    fn each_event_is_named_as_its_line_names_it() {
        let bodies = ONE_OF_EACH.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut names = std::collections::BTreeSet::new();
        for line in bodies {
            let body: EventBody = serde_json::from_str(line).expect(line);
            let spelled = serde_json::to_value(&body).unwrap()["type"].clone();
            assert_eq!(kind(&body), spelled);
            names.insert(kind(&body));
        }
        assert_eq!(names.len(), 34, "one of each");
    }
}
