//! Meetings and agents that lie in a folder of JSON files, taken over.

use quorate_contract::{Actor, AgentId, MeetingId, Newcomer, Phrase, RunId};
use quorate_engine::{Clock, Engine, SystemClock};
use quorate_store::{Agent, NewUpload, Store, StoreError};
use quorate_views::folder_layouts;
use quorate_views::folder_layouts::Files;
use serde::{Deserialize, Serialize};

use super::import_uploads::{Contents, read_uploads};
use crate::error::ServiceError;
use crate::meeting_file::display::is_time_zone;
use crate::pdf_text::PdfReader;

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportResult {
    /// The meetings, in the order of their files.
    pub meetings: Vec<ImportedMeeting>,
    /// The agents; empty when they were not requested.
    pub agents: Vec<ImportedAgent>,
    /// The number of agents in the files that were not imported because they were not requested.
    pub agents_left: usize,
}

/// An imported meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedMeeting {
    /// The id of the new meeting.
    pub meeting_id: MeetingId,
    /// The meeting's id in the file.
    pub from: String,
    /// The path of the file.
    pub file: String,
    /// The topic.
    pub topic: String,
    /// The state: `paused` or `ended`.
    #[cfg_attr(feature = "openapi", schema(value_type = quorate_core::MeetingState))]
    pub state: String,
    /// What was not imported, one text per entry.
    pub notes: Vec<Phrase>,
}

/// An agent in the imported files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ImportedAgent {
    /// The name.
    pub name: String,
    /// The outcome.
    pub outcome: AgentImportOutcome,
    /// The reason for a refusal; empty otherwise.
    pub detail: String,
}

/// The result of the import for one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AgentImportOutcome {
    /// The agent was added to the library.
    Taken,
    /// The library already has an agent of that name.
    Known,
    /// The agent is invalid.
    Refused,
}

/// Takes over every meeting that the files hold, or none of them, with the contents that their messages name; with `agents`,
/// their agents, too.
///
/// # Errors
/// When a file is not what it should be, or the database does not take it.
pub(crate) async fn import(
    engine: &Engine,
    store: &Store,
    pdf: &PdfReader,
    files: Files,
    contents: Contents,
    agents: bool,
    by: Actor,
) -> Result<ImportResult, ServiceError> {
    let now = SystemClock.now();
    let layout =
        crate::background::in_background(move || folder_layouts::read(&files).map_err(ServiceError::from))
            .await?;
    let (uploads, contents) = read_uploads(pdf, &layout, contents).await?;
    let importer = by.clone();
    let read = move || -> Result<_, ServiceError> {
        let newcomers = if agents { folder_layouts::newcomers(&layout)? } else { Vec::new() };
        let none = layout.meetings.is_empty() && layout.rooms.is_empty();
        let meetings = match none && !newcomers.is_empty() {
            true => Vec::new(), // a folder of agents alone
            false => folder_layouts::import(&layout, now, &importer, &is_time_zone, &uploads, new_ids)?,
        };
        Ok((meetings, newcomers, if agents { 0 } else { layout.agents.len() }))
    };
    let (meetings, newcomers, agents_left) = crate::background::in_background(read).await?;
    let mut imported = ImportResult { agents_left, ..ImportResult::default() };
    for meeting in meetings {
        let folder_layouts::Imported { file, from, topic, notes, log } = meeting;
        let written = engine.import(log).await?;
        let state = if written.is_over() { "ended" } else { "paused" }.to_owned();
        let meeting_id = written.id.clone();
        for record in &written.files {
            if let Some(content) = contents.get(&record.file.sha256) {
                let what = NewUpload {
                    id: uuid::Uuid::now_v7().to_string(),
                    meeting: meeting_id.clone(),
                    name: record.file.name.clone(),
                    media_type: record.file.media_type.clone(),
                    by: by.clone(),
                    created_ms: now,
                };
                let mut uploading = store.begin_upload(what, content.len() as u64).await?;
                uploading.write(content).await?;
                uploading.finish().await?;
            }
        }
        imported.meetings.push(ImportedMeeting { meeting_id, from, file, topic, state, notes });
    }
    for newcomer in newcomers {
        imported.agents.push(seat_in_library(store, newcomer).await?);
    }
    Ok(imported)
}

fn new_ids() -> (MeetingId, RunId) {
    let new = || uuid::Uuid::now_v7().to_string();
    (MeetingId::new(new()), RunId::new(new()))
}

async fn seat_in_library(store: &Store, newcomer: Newcomer) -> Result<ImportedAgent, ServiceError> {
    let now = SystemClock.now();
    let name = newcomer.name.clone();
    let agent = Agent {
        id: AgentId::new(uuid::Uuid::now_v7().to_string()),
        name: newcomer.name,
        role: newcomer.role,
        runner: newcomer.runner,
        profile: None,
        skip_list: Vec::new(),
        created_ms: now,
        updated_ms: now,
    };
    let (outcome, detail) = match store.create_agent(agent, None).await {
        Ok(_) => (AgentImportOutcome::Taken, String::new()),
        Err(StoreError::AgentExists { .. }) => (AgentImportOutcome::Known, String::new()),
        Err(StoreError::Invalid(refusal)) => (AgentImportOutcome::Refused, refusal.to_string()),
        Err(error) => return Err(error.into()),
    };
    Ok(ImportedAgent { name, outcome, detail })
}
