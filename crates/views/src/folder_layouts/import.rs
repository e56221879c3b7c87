//! Import: a meeting from files becomes a complete log of events, by the rules of the core.

use std::collections::BTreeMap;

use quorate_contract::{
    Actor, AgendaChange, AgendaId, AgendaItem, AttachedFile, BallotId, EventBody, FILES_MAX, FileId, Format,
    Language, LayoutKind, MeetingDetails, MeetingId, MeetingOutcome, Message, MessageId, MessageRole,
    Minutes, Moderator, NewFile, Newcomer, Participant, ParticipantId, PauseReason, Person, Phrase, Presence,
    RoundKind, Rules, RunId, SkipReason, TimeZoneName, Timestamp, ToolCallId, TurnId, TurnReason,
    facilitator_name,
};
use quorate_core::{
    Import, Meeting, citations_in, number_after, policy::order, records::rule_based, silence_max_ms,
};
use quorate_messages::message;

use super::sources::MessageSource;
use super::uploads::{UploadedFile, Uploads, fitting};
use super::{Layout, LayoutError, import_meeting, import_room, sources};

/// A meeting out of files, ready to be written as the log of a new one.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The file it came from.
    pub file: String,
    /// The id in the files.
    pub from: String,
    /// The topic.
    pub topic: String,
    /// What was not imported, each in a sentence for people.
    pub notes: Vec<Phrase>,
    /// The log.
    pub log: Import,
}

/// Imports every meeting of a folder. `now` bounds the times in the files and stands for missing ones; `by`
/// is the importing actor; `is_zone` tells whether there is a time zone of a name; `uploads` holds what is known of the
/// contents that messages name; `new_ids` gives each meeting the ids under which it is written.
///
/// A meeting that is in the folder in both layouts is imported once, from the `meetings/` layout, which holds
/// more; what it is called and how its times are shown is taken from the room.
///
/// # Errors
/// The first error in any of the files; then nothing is imported.
pub fn import(
    layout: &Layout,
    now: Timestamp,
    by: &Actor,
    is_zone: &dyn Fn(&TimeZoneName) -> bool,
    uploads: &Uploads,
    mut new_ids: impl FnMut() -> (MeetingId, RunId),
) -> Result<Vec<Imported>, LayoutError> {
    let mut all = Vec::new();
    for file in &layout.meetings {
        let mut story = import_meeting::read(layout, file, now, by)?;
        if let Some(room) = layout.rooms.iter().find(|room| room.room_id == file.id) {
            import_room::describe(&mut story, room, now, is_zone)?;
            import_room::attach(&mut story, layout, room, now, uploads)?;
        }
        all.push(tell(story, now, by, new_ids()));
    }
    let twins = |id: &str| layout.meetings.iter().any(|meeting| meeting.id == id);
    for room in layout.rooms.iter().filter(|room| !twins(&room.room_id)) {
        all.push(tell(import_room::read(layout, room, now, by, is_zone, uploads)?, now, by, new_ids()));
    }
    match all.is_empty() {
        false => Ok(all),
        true => Err(LayoutError::new(
            "data",
            "",
            message!("views-layout-no-meeting"),
            message!("views-layout-no-meeting-hint"),
        )),
    }
}

/// A meeting of either layout, checked.
pub(super) struct ImportedMeeting {
    pub(super) kind: LayoutKind,
    pub(super) file: String,
    pub(super) from: String,
    pub(super) name: String,
    pub(super) topic: String,
    pub(super) background: String,
    pub(super) details: MeetingDetails,
    pub(super) language: Language,
    pub(super) format: Format,
    pub(super) rules: Rules,
    pub(super) moderator: Moderator,
    pub(super) seats: Vec<Newcomer>,
    pub(super) offline: Vec<ParticipantId>,
    pub(super) created_by: Actor,
    pub(super) created_at: Timestamp,
    pub(super) updated_at: Timestamp,
    /// Events beside the discussion, the oldest first; each before the first later entry.
    pub(super) beside: Vec<(Timestamp, SideEntry)>,
    pub(super) entries: Vec<Entry>,
    /// By the place of their first entry, counted from 0.
    pub(super) rounds: Vec<Plan>,
    /// Whether the last round is still running.
    pub(super) open: bool,
    pub(super) ended: bool,
    pub(super) notes: Vec<Phrase>,
}

/// Something beside the talk.
pub(super) enum SideEntry {
    Agenda { title: String, description: String, completed: bool },
    Announced { text: String, by: Actor },
    Minutes { version: u32, author: Actor, minutes: Minutes },
    Attached { file: Box<UploadedFile>, by: Actor },
}

/// A round to be held.
pub(super) struct Plan {
    pub(super) number: u32,
    pub(super) first: usize,
    /// When it began; with its first entry when `None`.
    pub(super) at: Option<Timestamp>,
    /// Whom it asks, when the files say so.
    pub(super) order: Vec<ParticipantId>,
}

/// A message or a skipped turn.
pub(super) struct Entry {
    pub(super) at: Timestamp,
    pub(super) who: EntryAuthor,
    pub(super) name: String,
    pub(super) content: String,
    pub(super) mentions: Vec<ParticipantId>,
    /// The people whom it mentions.
    pub(super) people: Vec<Person>,
    /// The earlier entry that called for it.
    pub(super) answers: Option<usize>,
    /// The results of tools that it cites.
    pub(super) sources: Vec<MessageSource>,
}

/// The author of an entry.
pub(super) enum EntryAuthor {
    Seat(ParticipantId),
    Passed(ParticipantId, SkipReason),
    Person(Actor),
    Facilitator,
    /// A file came, and no message.
    Attached(Box<UploadedFile>, Actor),
}

impl EntryAuthor {
    pub(super) fn seat(&self) -> Option<ParticipantId> {
        match self {
            Self::Seat(id) | Self::Passed(id, _) => Some(*id),
            Self::Person(_) | Self::Facilitator | Self::Attached(..) => None,
        }
    }
}

/// The meeting under import.
pub(super) struct LogBuilder {
    log: Import,
    now: Timestamp,
    /// The message that an entry became.
    messages: BTreeMap<usize, MessageId>,
    /// The number of calls of tools.
    calls: u32,
}

impl LogBuilder {
    pub(super) fn emit(&mut self, at: Timestamp, body: EventBody) {
        self.now = self.now.max(at);
        self.log.add(self.now, body);
    }

    /// The number of the next call of a tool.
    pub(super) fn next_call(&mut self) -> ToolCallId {
        self.calls += 1;
        ToolCallId(self.calls)
    }

    /// The meeting after its last event.
    pub(super) fn meeting(&self) -> &Meeting {
        self.log.meeting()
    }
}

fn tell(mut story: ImportedMeeting, now: Timestamp, by: &Actor, (id, run): (MeetingId, RunId)) -> Imported {
    let mut t =
        LogBuilder { log: Import::begin(id, run), now: Timestamp(0), messages: BTreeMap::new(), calls: 0 };
    found(&mut t, &story, by);
    let mut beside = std::mem::take(&mut story.beside).into_iter().peekable();
    let mut plans = story.rounds.iter().enumerate().peekable();
    for (place, entry) in story.entries.iter().enumerate() {
        // A file that came at the time of a message can be cited by it.
        let comes_before = |(at, thing): &(Timestamp, SideEntry)| {
            *at < entry.at || *at == entry.at && matches!(thing, SideEntry::Attached { .. })
        };
        while let Some((at, thing)) = beside.next_if(comes_before) {
            aside(&mut t, at, thing, &story.created_by);
        }
        while let Some((index, plan)) = plans.next_if(|(_, plan)| plan.first <= place) {
            begin(&mut t, &story, index, plan.at.unwrap_or(entry.at).min(entry.at));
        }
        speak(&mut t, place, entry);
    }
    for (at, thing) in beside {
        aside(&mut t, at, thing, &story.created_by);
    }
    for (index, plan) in plans {
        let at = plan.at.unwrap_or(t.now);
        begin(&mut t, &story, index, at);
    }
    finish(&mut t, &story, by, story.updated_at.min(now));
    let ImportedMeeting { file, from, topic, notes, .. } = story;
    Imported { file, from, topic, notes, log: t.log }
}

fn found(t: &mut LogBuilder, story: &ImportedMeeting, by: &Actor) {
    let at = story.created_at;
    let seed = order::mix(&[story.from.len() as u64, story.entries.len() as u64, at.0.unsigned_abs()]);
    t.emit(
        at,
        EventBody::MeetingCreated {
            topic: story.topic.clone(),
            background: story.background.clone(),
            details: story.details.clone(),
            language: story.language,
            format: story.format,
            rules: Box::new(story.rules.clone()),
            seed,
            facilitator: None,
            moderator: story.moderator,
            models: Vec::new(),
            by: story.created_by.clone(),
        },
    );
    t.emit(
        at,
        EventBody::MeetingImported {
            layout: story.kind,
            from: story.from.clone(),
            name: story.name.clone(),
            notes: story.notes.clone(),
            by: by.clone(),
        },
    );
    for newcomer in &story.seats {
        let id = ParticipantId(number_after(t.meeting().seats.len()));
        let Newcomer { name, role, runner, skip_list } = newcomer.clone();
        let participant = Participant { id, name, role, runner, skip_list };
        let (by, reason) = (story.created_by.clone(), Phrase::default());
        t.emit(at, EventBody::ParticipantJoined { participant, by, reason, invitation: None });
    }
    let silence_max_ms = Some(silence_max_ms(t.meeting().rules()));
    t.emit(at, EventBody::MeetingStarted { by: story.created_by.clone(), silence_max_ms });
}

fn aside(t: &mut LogBuilder, at: Timestamp, thing: SideEntry, owner: &Actor) {
    let body = match thing {
        SideEntry::Agenda { title, description, completed } => {
            let id = AgendaId(number_after(t.meeting().agenda.len()));
            let item = AgendaItem { id, title, description, completed };
            EventBody::AgendaChanged { change: AgendaChange::Added { item }, by: owner.clone() }
        }
        SideEntry::Announced { text, by } => EventBody::AnnouncementPublished { text, by },
        SideEntry::Minutes { version, author, minutes } => {
            let covers = t.meeting().said.last().map(|said| said.id);
            EventBody::MinutesWritten { version, author, covers, minutes }
        }
        SideEntry::Attached { file, by } => return attached(t, at, *file, by),
    };
    t.emit(at, body);
}

/// A file came.
fn attached(t: &mut LogBuilder, at: Timestamp, UploadedFile { id, file }: UploadedFile, by: Actor) {
    // What a meeting has no room for was never attached to it.
    let Some(NewFile { name, media_type, size, sha256, text, image }) = fitting(t.meeting(), file) else {
        return;
    };
    // Texts cite it by its number, which the path of its content says, where others before it are missing.
    let next = t.meeting().files.iter().map(|record| record.file.id.0).max().unwrap_or(0).saturating_add(1);
    let id = id.filter(|id| id.0 > next && id.0 as usize <= FILES_MAX).unwrap_or(FileId(next));
    t.emit(
        at,
        EventBody::FileAttached {
            file: AttachedFile { id, name, media_type, size, sha256, text, image },
            by,
        },
    );
}

/// Ends the round before, and begins this one.
fn begin(t: &mut LogBuilder, story: &ImportedMeeting, index: usize, at: Timestamp) {
    end_round(t, at);
    let plan = &story.rounds[index];
    let last = story.rounds.len() == index + 1;
    let until = story.rounds.get(index + 1).map_or(story.entries.len(), |next| next.first);
    let speaking = story.entries[plan.first.min(until)..until].iter().filter_map(|entry| entry.who.seat());
    let online = t.meeting().online().map(|seat| seat.participant.id);
    let online: Vec<_> = online.filter(|id| !story.offline.contains(id)).collect();
    let all = plan.order.iter().copied().chain(speaking);
    let mut order: Vec<ParticipantId> = Vec::new();
    for id in all.chain(online.into_iter().filter(|_| last && story.open && plan.order.is_empty())) {
        if !order.contains(&id) {
            order.push(id);
        }
    }
    let focus = Vec::new();
    t.emit(
        at,
        EventBody::RoundStarted {
            round: plan.number,
            kind: RoundKind::Serial,
            order,
            focus,
            context_from: None,
        },
    );
}

fn end_round(t: &mut LogBuilder, at: Timestamp) {
    if let Some(round) = t.meeting().round().filter(|round| round.ended_seq.is_none()) {
        let round = round.number;
        t.emit(at, EventBody::RoundEnded { round });
    }
}

fn speak(t: &mut LogBuilder, place: usize, entry: &Entry) {
    let at = entry.at;
    let round = t.meeting().round_number();
    let message_id = t.meeting().next_message();
    let citations = citations_in(t.meeting(), &entry.content);
    let message = |role: MessageRole| Message {
        role,
        name: entry.name.clone(),
        content: entry.content.clone(),
        citations: citations.clone(),
        evidence: Vec::new(),
    };
    let mentions = entry.mentions.clone();
    match &entry.who {
        EntryAuthor::Attached(file, by) => return attached(t, at, file.as_ref().clone(), by.clone()),
        EntryAuthor::Person(by) => {
            let (by, message) = (by.clone(), message(MessageRole::User));
            let reply_to = answered(t, entry);
            let body = EventBody::UserMessage {
                message_id,
                round,
                by,
                message,
                mentions,
                mentioned_people: entry.people.clone(),
                reply_to,
            };
            t.emit(at, body);
        }
        EntryAuthor::Facilitator => t.emit(
            at,
            EventBody::FacilitationWritten {
                ballot: BallotId(0), // of no ballot: it was held elsewhere, or there was none
                message_id,
                message: Message { name: facilitator_of(&entry.name), ..message(MessageRole::System) },
                disagreements: Vec::new(),
                proposed_patch: String::new(),
                next_focus: Vec::new(),
            },
        ),
        EntryAuthor::Seat(id) => {
            let turn = give_floor(t, *id, entry, false);
            let evidence = sources::called(t, at, (turn, *id), &entry.sources);
            t.emit(
                at,
                EventBody::AgentMessage {
                    message_id,
                    round,
                    turn,
                    participant: *id,
                    message: Message { evidence, ..message(MessageRole::Assistant) },
                    stance: None,
                    mentions,
                    mentioned_people: entry.people.clone(),
                    cut_from_chars: None,
                    ended_early: None,
                    reasoning: None,
                },
            );
        }
        EntryAuthor::Passed(id, reason) => {
            let turn = give_floor(t, *id, entry, true);
            t.emit(
                at,
                EventBody::TurnSkipped { turn, participant: *id, reason: *reason, phrases: Vec::new() },
            );
            return;
        }
    }
    t.messages.insert(place, message_id);
}

/// The name that the files give the facilitator; empty for one of ours, which each reader gives in its own language.
fn facilitator_of(name: &str) -> String {
    let is_ours = Language::ALL.iter().any(|language| facilitator_name(*language) == name);
    if is_ours { String::new() } else { name.to_owned() }
}

/// The message that called for an entry.
fn answered(t: &LogBuilder, entry: &Entry) -> Option<MessageId> {
    entry.answers.and_then(|place| t.messages.get(&place)).copied()
}

fn give_floor(t: &mut LogBuilder, participant: ParticipantId, entry: &Entry, passes: bool) -> TurnId {
    let round = t.meeting().round_number();
    let place = number_after(t.meeting().round().map_or(0, |round| round.turns.len()));
    let turn = TurnId { round, place };
    let reason = answered(t, entry).map_or(TurnReason::Rotation, |by| TurnReason::Mentioned { by });
    let can_skip = passes || (t.meeting().rules().turns.may_skip && reason == TurnReason::Rotation);
    let reply_targets = Vec::new();
    t.emit(entry.at, EventBody::SpeakerSelected { turn, participant, reason, can_skip, reply_targets });
    turn
}

fn finish(t: &mut LogBuilder, story: &ImportedMeeting, by: &Actor, at: Timestamp) {
    let at = at.max(t.now);
    if story.ended || !story.open {
        end_round(t, t.now);
    }
    for participant in &story.offline {
        let (participant, presence) = (*participant, Presence::Offline);
        let by = by.clone();
        t.emit(t.now, EventBody::PresenceChanged { participant, presence, by, leaves_queue: false });
    }
    if !story.ended {
        let token = order::mix(&[t.meeting().settings.seed, t.meeting().seq]);
        return t.emit(
            at,
            EventBody::Pause {
                pause_reason: PauseReason::UserRequest,
                resume_token: format!("{token:016x}"),
                questions: Vec::new(),
                suggested_next: "resume".to_owned(),
                by: by.clone(),
                budget: None,
            },
        );
    }
    let outcome = MeetingOutcome::Completed;
    t.emit(at, EventBody::MeetingClosing { outcome: outcome.clone(), asked_again: Some(Vec::new()) });
    let form = rule_based::conclusion(t.meeting());
    let held = t.meeting().current_minutes().map(|version| &version.minutes);
    let conclusion = match held {
        Some(minutes) if !minutes.summary.is_empty() => minutes.summary.clone(),
        Some(minutes) => minutes.content.clone(),
        None => form.conclusion,
    };
    t.emit(
        at,
        EventBody::ConclusionWritten {
            by: Actor::System,
            conclusion,
            reasons: String::new(),
            disagreements: form.disagreements,
            actions: form.actions,
            best: Vec::new(),
            wildcard: None,
        },
    );
    let (rounds, spent) = (t.meeting().rounds_held(), t.meeting().spent);
    let (usage, cost_micros) = (spent.usage, spent.known_cost_micros());
    t.emit(at, EventBody::Finished { outcome, rounds, usage, cost_micros });
}
