//! Meetings: planned, created, imported, steered, read, forked and deleted.

use quorate_contract::{Actor, Command, MeetingId, MeetingSpec, Newcomer, RunId};
use quorate_core::Meeting;
use quorate_engine::{EngineError, Fork, Journal, MeetingHandle, Record};
use quorate_messages::message;
use quorate_store::MeetingLabels;
use quorate_views::folder_layouts::Files;

use super::damage::is_damage;
use super::{App, PlannedMeeting};
use crate::background::in_background;
use crate::error::{ErrorKind, ServiceError};
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::entries::ParticipantEntry;
use crate::operation::callers_seat::{from_seat, speaks_from_seat};
use crate::operation::principal::{Permission, Principal};
use crate::operation::resume_permission;
use crate::planning::estimate::{Estimate, providers_asked};
use crate::planning::plan::Plan;
use crate::planning::seats::newcomer;
use crate::providers::choose::ModelChoice;
use crate::transfer::import::{ImportResult, import};
use crate::transfer::import_uploads::Contents;

impl App {
    /// Plans a meeting for a remote client. Nothing is written.
    ///
    /// # Errors
    /// When a part of the request is missing or wrong, or is reserved to the operator.
    pub async fn plan(&self, new: &CreateMeetingRequest) -> Result<Plan, ServiceError> {
        new.check_remote()?;
        let mut plan = Plan::make(&self.sources(), new).await?;
        plan.set_pace(self.0.new_pace);
        Ok(plan)
    }

    /// Checks that a principal may create the meeting with the tools that it allows: what they reach belongs to the
    /// server's owner.
    ///
    /// # Errors
    /// When it allows any and the principal is not the owner.
    pub fn may_allow_tools(principal: &Principal, new: &CreateMeetingRequest) -> Result<(), ServiceError> {
        match new.tools.is_empty() || principal.may(Permission::Owner, None) {
            true => Ok(()),
            false => {
                Err(ServiceError::new(message!("app-tools-of-owner"), message!("app-tools-of-owner-hint"))
                    .of(ErrorKind::Permission)
                    .with("field", "tools"))
            }
        }
    }

    /// Estimates the usage of a meeting. No model is called, and nothing is written.
    ///
    /// # Errors
    /// As for [`App::plan`].
    pub async fn estimate(&self, new: &CreateMeetingRequest) -> Result<Estimate, ServiceError> {
        let plan = self.plan(new).await?;
        in_background(move || plan.estimate()).await
    }

    /// Creates a meeting, as a draft: it begins with [`Command::Start`].
    ///
    /// # Errors
    /// As [`App::plan`], and when the database does not take it; then nothing of it is there.
    pub async fn create(
        &self,
        by: &Actor,
        new: &CreateMeetingRequest,
    ) -> Result<MeetingHandle, ServiceError> {
        Ok(self.create_and_tell(by, new).await?.0)
    }

    /// Creates a meeting, and returns which models were chosen where the request names none.
    ///
    /// # Errors
    /// As for [`App::create`].
    pub async fn create_and_tell(
        &self,
        by: &Actor,
        new: &CreateMeetingRequest,
    ) -> Result<(MeetingHandle, Option<ModelChoice>), ServiceError> {
        let plan = self.plan(new).await?;
        let choice = plan.choice.clone();
        // What was configured since the last time is not known yet.
        if !self.0.runners.knows(providers_asked(&plan.spec)).await {
            self.reload().await?;
        }
        let id = MeetingId::new(self.0.new_ids.next());
        if new.off_record {
            self.0.journal.keep_off_record(id.clone());
        }
        let created = self.found(by, &id, plan.spec, new.announce.clone()).await;
        if created.is_err() {
            // Half a meeting is none.
            _ = self.delete(&id).await;
        }
        Ok((created?, choice))
    }

    /// Creates a meeting from a plan that was made at this machine. With a password, it asks for it from the
    /// beginning.
    ///
    /// # Errors
    /// When the plan cannot be held, or the database does not take it; then nothing of it is there.
    pub async fn create_planned(
        &self,
        by: &Actor,
        plan: PlannedMeeting,
    ) -> Result<MeetingHandle, ServiceError> {
        let PlannedMeeting { spec, announce, password, off_record } = plan;
        let id = MeetingId::new(self.0.new_ids.next());
        if off_record {
            self.0.journal.keep_off_record(id.clone());
        }
        let created = async {
            let handle = self.found(by, &id, spec, announce).await?;
            if let Some(password) = &password {
                self.lock(&id, by, Some(password)).await?;
            }
            Ok(handle)
        };
        let created: Result<MeetingHandle, ServiceError> = created.await;
        if created.is_err() {
            // Half a meeting is none.
            _ = self.delete(&id).await;
        }
        created
    }

    /// Imports every meeting that the files hold, or none of them; with `agents`, their agents, too.
    ///
    /// # Errors
    /// When a file is not what it should be, or the database does not take it.
    pub async fn import(
        &self,
        files: Files,
        contents: Contents,
        agents: bool,
        by: Actor,
    ) -> Result<ImportResult, ServiceError> {
        import(&self.0.engine, &self.0.store, self.pdf_reader(), files, contents, agents, by).await
    }

    async fn found(
        &self,
        by: &Actor,
        id: &MeetingId,
        spec: MeetingSpec,
        announce: Option<String>,
    ) -> Result<MeetingHandle, ServiceError> {
        let handle = self.0.engine.create(id.clone(), self.new_run(), by.clone(), spec).await?;
        if let Some(text) = announce {
            let announced = handle.execute(Command::Announce { by: by.clone(), text }).await;
            announced.map_err(|error| ServiceError::from(error).with("field", "announce"))?;
        }
        Ok(handle)
    }

    fn new_run(&self) -> RunId {
        RunId::new(self.0.new_ids.next())
    }

    /// A running meeting; one that does not run yet is loaded from its log.
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read.
    pub async fn meeting(&self, id: &MeetingId) -> Result<MeetingHandle, ServiceError> {
        Ok(self.0.engine.open(id).await?)
    }

    /// Carries out a command on a meeting, within the permissions of the principal. The returned sequence
    /// number is durable.
    ///
    /// # Errors
    /// When the command is refused, or the meeting does not exist.
    pub async fn command(
        &self,
        principal: &Principal,
        id: &MeetingId,
        command: Command,
    ) -> Result<u64, ServiceError> {
        let command = match resume_permission::looks_at(principal, id, &command) {
            true => resume_permission::within(&self.load(id).await?, command)?,
            false => command,
        };
        let command = match speaks_from_seat(principal, &command) {
            true => from_seat(&self.load(id).await?, principal, command)?,
            false => command,
        };
        match command {
            Command::PermitAction { .. } => self.permit_action(principal, id, command).await,
            command => Ok(self.meeting(id).await?.execute(command).await?),
        }
    }

    /// Releases a meeting that runs here. Calls in flight are dropped, and made again when it is loaded.
    pub fn unload(&self, id: &MeetingId) {
        self.0.engine.unload(id);
    }

    /// The present state of a meeting, whether or not it runs; it is not started. A damaged meeting is
    /// returned in its state before the damage, see [`App::damage`].
    ///
    /// # Errors
    /// When the meeting does not exist, or its log cannot be read.
    pub async fn load(&self, id: &MeetingId) -> Result<Meeting, ServiceError> {
        let meeting = self.load_as_logged(id).await?;
        if !meeting.is_over() {
            return Ok(meeting);
        }
        Ok(match self.labels(id).await?.title {
            Some(title) => meeting.called(title),
            None => meeting,
        })
    }

    /// What people put on a meeting: tags, and a title that was given after its end. Nothing of one off the record.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn labels(&self, id: &MeetingId) -> Result<MeetingLabels, ServiceError> {
        match self.is_off_record(id) {
            true => Ok(MeetingLabels::default()),
            false => Ok(self.0.store.meeting_labels(id).await?),
        }
    }

    async fn load_as_logged(&self, id: &MeetingId) -> Result<Meeting, ServiceError> {
        if self.0.engine.is_running(id)
            && let Ok(handle) = self.0.engine.open(id).await
            && let Ok(meeting) = handle.look().await
        {
            return Ok(meeting);
        }
        // Limits the number of complete logs in memory.
        let _one_of_few = self.0.log_reads.acquire().await;
        match self.0.engine.load(id).await {
            Ok(meeting) => Ok(meeting),
            Err(error) => {
                let is_damage = matches!(&error, EngineError::Journal(error) if is_damage(error));
                let salvaged = self.salvaged(id, error, is_damage).await?;
                self.salvaged_at(salvaged, u64::MAX).await
            }
        }
    }

    /// The events of a meeting after number `after`, each with its line; of a damaged one, those before the damage.
    ///
    /// # Errors
    /// When there is no such meeting, or its log cannot be read.
    pub async fn records(&self, id: &MeetingId, after: u64) -> Result<Vec<Record>, ServiceError> {
        match self.0.journal.read(id.clone(), after).await {
            Ok(records) => Ok(records),
            Err(error) => {
                let is_damage = is_damage(&error);
                let mut records = self.salvaged(id, error, is_damage).await?.records;
                records.retain(|record| record.event.seq > after);
                Ok(records)
            }
        }
    }

    /// Whether a meeting is off the record.
    pub fn is_off_record(&self, id: &MeetingId) -> bool {
        self.0.journal.is_off_record(id)
    }

    /// Deletes a meeting with all that was said at it. One that runs is stopped first.
    ///
    /// # Errors
    /// When there is no such meeting, or the database cannot be written.
    pub async fn delete(&self, id: &MeetingId) -> Result<(), ServiceError> {
        if self.0.engine.is_running(id)
            && let Ok(handle) = self.0.engine.open(id).await
        {
            // Calls in flight are cut off; a draft or an ended meeting has none.
            _ = handle.execute(Command::Pause { by: Actor::System, at_once: true }).await;
        }
        self.0.engine.unload(id);
        self.0.answers.forget(id);
        match self.0.journal.forget(id) {
            true => Ok(()),
            false => Ok(self.0.store.delete_meeting(id).await?),
        }
    }

    /// Forks a meeting at an event. The fork needs the same password, and is off the record if the original
    /// is. It is paused until it is resumed. Only the server's owner takes over the tools that the original allows: what they
    /// reach belongs to the owner.
    ///
    /// # Errors
    /// When the meeting or the event does not exist, or the meeting cannot be forked there.
    pub async fn fork(
        &self,
        principal: &Principal,
        from: &MeetingId,
        fork: Fork,
    ) -> Result<MeetingHandle, ServiceError> {
        if principal.meeting.is_some() {
            let (message, hint) =
                (message!("app-fork-of-one-meeting"), message!("app-fork-of-one-meeting-hint"));
            return Err(ServiceError::new(message, hint).of(ErrorKind::Permission));
        }
        let without_tools = fork.without_tools || !principal.may(Permission::Owner, None);
        let fork = Fork { without_tools, ..fork };
        let id = MeetingId::new(self.0.new_ids.next());
        if self.is_off_record(from) {
            self.0.journal.keep_off_record(id.clone());
        }
        // The hash first: what could not be opened without a password cannot be opened by copying it.
        let forked = async {
            if let Some(hash) = self.0.journal.password_hash(from).await? {
                self.0.journal.set_password_hash(&id, Some(hash)).await?;
            }
            Ok(self.0.engine.fork(from, fork, id.clone(), self.new_run()).await?)
        };
        let forked: Result<MeetingHandle, ServiceError> = forked.await;
        if forked.is_err() && !self.0.journal.forget(&id) {
            self.0.journal.set_password_hash(&id, None).await?;
        }
        let handle = forked?;
        // The fork is there, with its password, whether or not its files can be read in it.
        if !self.is_off_record(from)
            && let Err(error) = self.copy_files(from, &handle).await
        {
            tracing::warn!(fork = %id, error = error.message(), "the fork has no content of its files");
        }
        Ok(handle)
    }

    /// A participant who is to join an existing meeting: an agent of the library by name, or a description.
    /// Without a model of its own it gets the model of the other participants.
    ///
    /// # Errors
    /// When the agent or the model does not exist, or the request brings a program.
    pub async fn newcomer(
        &self,
        entry: ParticipantEntry,
        meeting: &Meeting,
    ) -> Result<Newcomer, ServiceError> {
        newcomer(&self.sources(), entry, meeting).await
    }
}
