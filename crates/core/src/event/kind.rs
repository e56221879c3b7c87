//! The name of an event, as its line spells it.

use super::EventBody;

impl EventBody {
    /// All kinds of events that this version writes, in the order of the type.
    pub const KINDS: [&str; 34] = [
        "meeting_created",
        "meeting_forked",
        "participant_joined",
        "participant_left",
        "meeting_started",
        "round_started",
        "speaker_selected",
        "speaker_requested",
        "call_started",
        "call_ended",
        "answer_malformed",
        "agent_message",
        "user_message",
        "turn_skipped",
        "turn_failed",
        "round_ended",
        "summary_written",
        "draft_revised",
        "ballot_opened",
        "vote_cast",
        "vote_abstained",
        "ballot_interrupted",
        "ballot_closed",
        "facilitation_written",
        "pause_requested",
        "pause",
        "resume",
        "recovered",
        "budget_reached",
        "error",
        "end_requested",
        "meeting_closing",
        "conclusion_written",
        "finished",
    ];

    /// The event's `type`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::MeetingCreated { .. } => "meeting_created",
            Self::MeetingForked { .. } => "meeting_forked",
            Self::ParticipantJoined { .. } => "participant_joined",
            Self::ParticipantLeft { .. } => "participant_left",
            Self::MeetingStarted { .. } => "meeting_started",
            Self::RoundStarted { .. } => "round_started",
            Self::SpeakerSelected { .. } => "speaker_selected",
            Self::SpeakerRequested { .. } => "speaker_requested",
            Self::CallStarted { .. } => "call_started",
            Self::CallEnded { .. } => "call_ended",
            Self::AnswerMalformed { .. } => "answer_malformed",
            Self::AgentMessage { .. } => "agent_message",
            Self::UserMessage { .. } => "user_message",
            Self::TurnSkipped { .. } => "turn_skipped",
            Self::TurnFailed { .. } => "turn_failed",
            Self::RoundEnded { .. } => "round_ended",
            Self::SummaryWritten { .. } => "summary_written",
            Self::DraftRevised { .. } => "draft_revised",
            Self::BallotOpened { .. } => "ballot_opened",
            Self::VoteCast { .. } => "vote_cast",
            Self::VoteAbstained { .. } => "vote_abstained",
            Self::BallotInterrupted { .. } => "ballot_interrupted",
            Self::BallotClosed { .. } => "ballot_closed",
            Self::FacilitationWritten { .. } => "facilitation_written",
            Self::PauseRequested { .. } => "pause_requested",
            Self::Pause { .. } => "pause",
            Self::Resume { .. } => "resume",
            Self::Recovered {} => "recovered",
            Self::BudgetReached { .. } => "budget_reached",
            Self::Error { .. } => "error",
            Self::EndRequested { .. } => "end_requested",
            Self::MeetingClosing { .. } => "meeting_closing",
            Self::ConclusionWritten { .. } => "conclusion_written",
            Self::Finished { .. } => "finished",
        }
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
