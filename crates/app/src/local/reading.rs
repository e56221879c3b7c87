//! What a command reads of a database of this machine, each as a use case of its owner.

use quorate_contract::{Event, EventBody, Language, MeetingId};
use quorate_engine::Fault;
use quorate_store::{
    Agent, AuditEntry, AuditFilter, EventFilter, MeetingFilter, MeetingLabels, MeetingSummary, Node,
    OwnerChange, Page, Salvaged, SearchFilter, SearchHit, Store, StoreError,
};
use serde_json::Value;

use super::LocalDatabase;
use crate::error::ServiceError;
use crate::operation::principal::Principal;
use crate::operation::use_case::UseCase;

impl LocalDatabase {
    /// Reads as the owner, about a meeting when the use case is about one.
    async fn read<T, E, F>(
        &self,
        use_case: UseCase,
        meeting: Option<&MeetingId>,
        action: impl FnOnce(Store) -> F,
    ) -> Result<T, ServiceError>
    where
        T: Send + 'static,
        ServiceError: From<E>,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        let reading = action(self.store().clone());
        self.perform(use_case, meeting.cloned(), Value::Null, async move { Ok(reading.await?) }).await
    }

    /// The meetings, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meetings(&self, limit: u32, offset: u32) -> Result<Vec<MeetingSummary>, ServiceError> {
        self.read(UseCase::ListMeetings, None, move |store| async move {
            match store.meetings(limit, offset).await {
                Err(StoreError::NoMeetings) => Ok(Vec::new()),
                meetings => meetings,
            }
        })
        .await
    }

    /// The meetings with a tag, newest first.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn meetings_tagged(&self, tag: &str, limit: u32) -> Result<Vec<MeetingSummary>, ServiceError> {
        let filter = MeetingFilter { tag: Some(tag.to_owned()), ..MeetingFilter::default() };
        self.read(UseCase::ListMeetings, None, move |store| async move {
            match store.meetings_page(filter, None, limit).await {
                Err(StoreError::NoMeetings) => Ok(Vec::new()),
                page => page.map(|page| page.items),
            }
        })
        .await
    }

    /// What people put on a meeting: tags, and a title that was given after its end.
    ///
    /// # Errors
    /// When the owner may not read the meeting now, or the database cannot be read.
    pub async fn labels(&self, id: &MeetingId) -> Result<MeetingLabels, ServiceError> {
        let which = id.clone();
        self.read(UseCase::ShowMeeting, Some(id), |store| async move { store.meeting_labels(&which).await })
            .await
    }

    /// The meetings in quarantine, and why.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn faults(&self) -> Result<Vec<(MeetingId, Fault)>, ServiceError> {
        self.read(UseCase::ListMeetings, None, |store| async move { store.faults().await }).await
    }

    /// The events of a meeting before its damage, and the damage, as `use_case` needs them.
    ///
    /// # Errors
    /// When the owner may not read them now, there is no such meeting, or the database cannot be read.
    pub async fn salvage(&self, use_case: UseCase, id: &MeetingId) -> Result<Salvaged, ServiceError> {
        let which = id.clone();
        self.read(use_case, Some(id), |store| async move { store.salvage(&which).await }).await
    }

    /// The lines of the events of a meeting after number `after`, as `use_case` needs them.
    ///
    /// # Errors
    /// When the owner may not read them now, there is no such meeting, or its log cannot be read.
    pub async fn lines(
        &self,
        use_case: UseCase,
        id: &MeetingId,
        after: u64,
    ) -> Result<Vec<(u64, String)>, ServiceError> {
        let which = id.clone();
        self.read(use_case, Some(id), move |store| async move { store.lines(&which, after).await }).await
    }

    /// The language of a meeting, in which a command about it speaks; `None` where its log does not begin with it.
    pub async fn language_of(&self, id: &MeetingId) -> Option<Language> {
        let first =
            EventFilter { kinds: Vec::new(), after: None, before: None, newest_first: false, limit: 1 };
        let lines = self.store().events_page(id, first).await.ok()?.lines;
        match Event::from_json(&lines.first()?.1).ok()?.body {
            EventBody::MeetingCreated { language, .. } => Some(language),
            _ => None,
        }
    }

    /// A page of hits, the last written first. What was said at a meeting in whose blind round the owner has a seat is left
    /// out, so a page may hold fewer than `limit`.
    ///
    /// # Errors
    /// When there is nothing to look for, no such meeting, or the cursor is none of this list.
    pub async fn search(
        &self,
        filter: SearchFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<SearchHit>, ServiceError> {
        let (app, cursor) = (self.idle_app().await?, cursor.map(str::to_owned));
        self.read(UseCase::Search, None, move |store| async move {
            let mut page = store.search(filter, cursor.as_deref(), limit).await?;
            page.items = app.without_blind_rounds(&Principal::owner(), page.items).await?;
            Ok::<_, ServiceError>(page)
        })
        .await
    }

    /// The processes that share the database; none for a file.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn nodes(&self) -> Result<Vec<Node>, ServiceError> {
        self.read(UseCase::ListNodes, None, |store| async move { store.nodes().await }).await
    }

    /// Which meetings have gone over from one process to another, the newest first; those of one meeting when it is given.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn owner_changes(
        &self,
        meeting: Option<MeetingId>,
        most: u32,
    ) -> Result<Vec<OwnerChange>, ServiceError> {
        let read = move |store: Store| async move { store.owner_changes(meeting, most).await };
        self.read(UseCase::ListNodes, None, read).await
    }

    /// The agents of the library, in the order in which they were created.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub async fn agents(&self) -> Result<Vec<Agent>, ServiceError> {
        self.read(UseCase::ListAgents, None, |store| async move { store.agents().await }).await
    }

    /// The agent of this name or id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn agent(&self, name: &str) -> Result<Agent, ServiceError> {
        let name = name.to_owned();
        self.read(UseCase::ShowAgent, None, |store| async move { store.agent(&name).await }).await
    }

    /// A page of the audit log, the newest first.
    ///
    /// # Errors
    /// When the database cannot be read, or the cursor is none of this list.
    pub async fn audit_page(
        &self,
        filter: AuditFilter,
        cursor: Option<&str>,
        limit: u32,
    ) -> Result<Page<AuditEntry>, ServiceError> {
        self.drain_audit();
        let cursor = cursor.map(str::to_owned);
        let read =
            move |store: Store| async move { store.audit_page(filter, cursor.as_deref(), limit).await };
        self.read(UseCase::ReadAudit, None, read).await
    }
}
