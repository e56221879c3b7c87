//! The tools of those who hold meetings: created, started, resumed, ended, and what came of them.

use quorate_messages::text;
use rmcp::service::RequestContext;
use rmcp::{Json, RoleServer, tool, tool_router};
use serde_json::{Map, Value, json};

use crate::api::encoded;
use crate::arguments::{CreateMeeting, OneMeeting, Parameters, ResumeMeeting};
use crate::results::{MeetingResult, MeetingState};
use crate::service::QuorateMcp;
use crate::standing::MeetingPause;

impl QuorateMcp {
    /// How a meeting stands after a command, with the pause that it may be in.
    async fn stands(
        &self,
        context: &RequestContext<RoleServer>,
        meeting: String,
        otherwise: &'static str,
    ) -> Result<Json<MeetingState>, String> {
        let shown = self.get(context, format!("/meetings/{}?messages=0", encoded(&meeting))).await?;
        let language = self.language(context);
        let state = shown["state"].as_str().unwrap_or_default().to_owned();
        let next = match state.as_str() {
            "ended" => text!(language, "mcp-next-ended"),
            "paused" => text!(language, "mcp-next-paused"),
            _ => otherwise,
        };
        let pause = MeetingPause::of(&shown, language);
        Ok(Json(MeetingState { meeting, state, pause, next: next.to_owned() }))
    }
}

#[tool_router(router = host_tools, vis = "pub(crate)")]
impl QuorateMcp {
    /// Create a meeting. It is a draft until you call start_meeting. Requires an access token with the scope `manage`.
    #[tool(
        name = "create_meeting",
        annotations(
            title = "Create a meeting",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn create_meeting(
        &self,
        Parameters(new): Parameters<CreateMeeting>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MeetingState>, String> {
        let body = json!({
            "topic": new.topic, "background": new.background, "format": new.format, "lang": new.language,
            "participants": new.participants, "simulate": new.simulate, "rules": new.rules,
        });
        let given = |(_, value): &(String, Value)| !value.is_null() && *value != json!([]);
        let body: Map<String, Value> =
            body.as_object().cloned().unwrap_or_default().into_iter().filter(given).collect();
        let made = self.post(&context, "/meetings".to_owned(), Some(body.into())).await?;
        let meeting = made["id"].as_str().unwrap_or_default().to_owned();
        let next = text!(self.language(&context), "mcp-next-start").to_owned();
        Ok(Json(MeetingState { meeting, state: "draft".to_owned(), pause: None, next }))
    }

    /// Start a meeting that is a draft. Its participants are then asked in turn, and their models can incur cost. Requires an
    /// access token with the scope `manage`.
    #[tool(
        name = "start_meeting",
        annotations(
            title = "Start a meeting",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn start_meeting(
        &self,
        Parameters(OneMeeting { meeting }): Parameters<OneMeeting>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MeetingState>, String> {
        self.post(&context, format!("/meetings/{}/start", encoded(&meeting)), None).await?;
        let next = text!(self.language(&context), "mcp-next-started");
        self.stands(&context, meeting, next).await
    }

    /// Resume a paused meeting with answers to the questions of its pause, which get_result shows. Requires an
    /// access token with the scope `manage`.
    #[tool(
        name = "resume_meeting",
        annotations(
            title = "Resume a meeting",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn resume_meeting(
        &self,
        Parameters(ResumeMeeting { meeting, answers, take_defaults, token }): Parameters<ResumeMeeting>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MeetingState>, String> {
        let path = format!("/meetings/{}/resume", encoded(&meeting));
        let body = json!({ "token": token, "answers": answers, "take_defaults": take_defaults });
        let language = self.language(&context);
        if let Err(told) = self.post(&context, path, Some(body)).await {
            let has_ended =
                self.standing(&context, &meeting).await.is_ok_and(|standing| standing.state == "ended");
            return Err(if has_ended { text!(language, "mcp-next-ended").to_owned() } else { told });
        }
        self.stands(&context, meeting, text!(language, "mcp-next-until-ended")).await
    }

    /// End a meeting early. Its conclusion is written from what was said so far. A room continues until you call this tool.
    /// Requires an access token with the scope `manage`.
    #[tool(
        name = "end_meeting",
        annotations(
            title = "End a meeting",
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = true
        )
    )]
    async fn end_meeting(
        &self,
        Parameters(OneMeeting { meeting }): Parameters<OneMeeting>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MeetingState>, String> {
        let path = format!("/meetings/{}/end", encoded(&meeting));
        self.post(&context, path, Some(json!({}))).await?;
        let next = text!(self.language(&context), "mcp-next-until-ended");
        self.stands(&context, meeting, next).await
    }

    /// Get the result of a meeting: conclusion, dissent, votes with reasons, and actions. Before the meeting ends, the result
    /// contains what is known so far; it is final when `state` is `ended`. When `state` is `paused`, `pause` holds the
    /// questions that resume_meeting answers.
    #[tool(
        name = "get_result",
        annotations(title = "Get the result", read_only_hint = true, open_world_hint = false)
    )]
    async fn get_result(
        &self,
        Parameters(OneMeeting { meeting }): Parameters<OneMeeting>,
        context: RequestContext<RoleServer>,
    ) -> Result<Json<MeetingResult>, String> {
        let shown = self.get(&context, format!("/meetings/{}?messages=0", encoded(&meeting))).await?;
        let state = shown["state"].as_str().unwrap_or_default().to_owned();
        let report = self.get(&context, format!("/meetings/{}/report", encoded(&meeting))).await?;
        let language = self.language(&context);
        let next = match state.as_str() {
            "ended" => text!(language, "mcp-next-final"),
            "paused" => text!(language, "mcp-next-paused"),
            "draft" => text!(language, "mcp-next-draft"),
            _ => text!(language, "mcp-next-later"),
        };
        let pause = MeetingPause::of(&shown, language);
        Ok(Json(MeetingResult { meeting, state, pause, report, next: next.to_owned() }))
    }
}
