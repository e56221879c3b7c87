//! Every use case of the program, in one table: who may call it, and what belongs to each call.
//!
//! A transport (REST, WebSocket, the command line) names a use case and nothing more; [`crate::App::perform`] reads
//! here what the call needs. A use case that is not in this table cannot be called.

use quorate_contract::Command;

use crate::operation::principal::Permission;

/// The properties of a use case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UseCaseDefinition {
    /// The name of the action in the audit log.
    pub action: &'static str,
    /// The permission that it needs.
    pub permission: Permission,
    /// Whether each call leaves an audit entry: it changes data, or takes data out of the program.
    pub audited: bool,
    /// Whether a call may carry an idempotency key, with which it is carried out once.
    pub idempotent: bool,
    /// Whether it may start a meeting, and so falls under the limit of running meetings.
    pub sets_running: bool,
    /// Whether it is about what is the caller's own, at whatever meeting: a caller that is bound to one meeting needs the
    /// permission there.
    pub own: bool,
    /// Whether it is what a person does. A token that lets an agent take part in the agent's own name does not do it in the
    /// name of whoever made the token; one that may manage does.
    pub of_person: bool,
    /// For whom it is, of those who have a seat in a blind round that is open at the meeting it is about.
    pub blind: BlindAccess,
    /// Whether it shows what is withheld from those with a seat while a ballot is open, or copies the votes: they wait until
    /// the ballot closes. Everything else leaves the votes out ([`quorate_views::Viewer`]).
    pub awaits_ballot: bool,
}

/// Who may call a use case about a meeting with a blind round, of those who have a seat in it. They can still change
/// their own answer, so they read no other before the round is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlindAccess {
    /// Everybody: it shows none of the answers, or leaves out those of others for everybody.
    Everybody,
    /// People, who may have to act meanwhile: it shows none of the answers. Agents answer and wait.
    People,
    /// People, who look on while others answer: they are shown that others have answered, without the words
    /// ([`quorate_views::Viewer`]). Agents wait.
    Withheld,
    /// The same, and it goes on after the answer: agents wait also before the round.
    Followed,
    /// Nobody: it shows the answers, or what follows from them.
    Nobody,
}

/// A use case that only reads. Nobody may in a blind round: what shows nothing of it says so.
const fn read(permission: Permission, action: &'static str) -> UseCaseDefinition {
    UseCaseDefinition {
        action,
        permission,
        audited: false,
        idempotent: false,
        sets_running: false,
        own: false,
        of_person: false,
        blind: BlindAccess::Nobody,
        awaits_ballot: false,
    }
}

/// Leaves a line in the audit log.
const fn audited(permission: Permission, action: &'static str) -> UseCaseDefinition {
    UseCaseDefinition { audited: true, ..read(permission, action) }
}

/// Creates something or speaks, and is done once for one idempotency key.
const fn once(permission: Permission, action: &'static str) -> UseCaseDefinition {
    UseCaseDefinition { idempotent: true, ..audited(permission, action) }
}

/// The same, and may set a meeting running.
const fn running(permission: Permission, action: &'static str) -> UseCaseDefinition {
    UseCaseDefinition { sets_running: true, ..once(permission, action) }
}

/// The same for what is the caller's own, wherever it is.
const fn own(definition: UseCaseDefinition) -> UseCaseDefinition {
    UseCaseDefinition { own: true, ..definition }
}

/// The same as something that only a person does, or a program that may manage.
const fn of_person(definition: UseCaseDefinition) -> UseCaseDefinition {
    UseCaseDefinition { of_person: true, ..definition }
}

/// The same with another column for blind rounds.
const fn in_blind_round(blind: BlindAccess, definition: UseCaseDefinition) -> UseCaseDefinition {
    UseCaseDefinition { blind, ..definition }
}

/// The same, and those with a seat wait until an open ballot closes.
const fn after_ballot(definition: UseCaseDefinition) -> UseCaseDefinition {
    UseCaseDefinition { awaits_ballot: true, ..definition }
}

macro_rules! use_cases {
    ($($(#[$doc:meta])* $name:ident = $definition:expr;)+) => {
        /// Something that can be asked of the program.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum UseCase {
            $($(#[$doc])* $name,)+
        }

        impl UseCase {
            /// All use cases.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The properties of the use case.
            pub const fn definition(self) -> UseCaseDefinition {
                match self {
                    $(Self::$name => $definition,)+
                }
            }
        }
    };
}

use BlindAccess::{Everybody, Followed, People, Withheld};
use Permission::{Manage, Open, Owner, Read, SignedIn, Speak};

use_cases! {
    /// Says whether the process lives.
    Health = read(Open, "healthz.get");
    /// Says whether requests are answered.
    Readiness = read(Open, "readyz.get");
    /// Reads what an operator measures.
    Metrics = read(Read, "metrics.get");
    /// Reads the description of the interface.
    Document = read(Open, "openapi.json.get");
    /// Opens the documentation.
    DocumentationFront = read(Open, "docs.get");
    /// Reads a file of the documentation.
    DocumentationFile = read(Open, "docs.get");
    /// Reads what each problem means.
    Problems = read(Open, "problems.get");
    /// Shows the caller's identity.
    WhoAmI = read(SignedIn, "me.get");
    /// Shows the settings of the caller.
    ShowOwnSettings = read(SignedIn, "me.settings.get");
    /// Changes the settings of the caller.
    ChangeOwnSettings = of_person(audited(SignedIn, "me.settings.patch"));
    /// Begins a session with name and password. Noted as `sign_in.accepted` or `sign_in.refused`.
    SignIn = read(Open, "sessions.post");
    /// Begins a session of the person at this machine.
    SignInLocally = audited(Open, "sessions.local.post");
    /// Renews a session.
    RenewSession = read(Open, "sessions.refresh.post");
    /// Lists the sessions of the caller.
    ListSessions = of_person(read(SignedIn, "sessions.get"));
    /// Ends the session of the caller.
    SignOut = of_person(audited(SignedIn, "sessions.delete"));
    /// Ends one session.
    EndSession = of_person(audited(SignedIn, "sessions.delete"));
    /// Lists the accounts.
    ListAccounts = read(Owner, "accounts.get");
    /// Creates an account.
    CreateAccount = audited(Owner, "accounts.post");
    /// Deletes an account.
    DeleteAccount = audited(Owner, "accounts.delete");
    /// Changes the password of an account.
    ChangePassword = of_person(audited(SignedIn, "accounts.password.put"));
    /// Lists the webhooks.
    ListWebhooks = read(Manage, "webhooks.get");
    /// Creates a webhook.
    CreateWebhook = audited(Manage, "webhooks.post");
    /// Shows a webhook.
    ShowWebhook = read(Manage, "webhooks.get");
    /// Changes a webhook.
    ChangeWebhook = audited(Manage, "webhooks.patch");
    /// Deletes a webhook.
    DeleteWebhook = audited(Manage, "webhooks.delete");
    /// Gives a webhook another secret.
    RotateWebhookSecret = audited(Manage, "webhooks.secret.post");
    /// Lists the attempts to deliver to a webhook.
    ListDeliveries = read(Manage, "webhooks.deliveries.get");
    /// Delivers a message to a webhook once more.
    Redeliver = audited(Manage, "webhooks.deliveries.redeliver.post");
    /// Sends a test message to a webhook.
    TestWebhook = audited(Manage, "webhooks.test.post");
    /// Takes a signed call-back of a webhook. The answer in it is a use case of its own, noted as such.
    CallBack = read(Open, "webhooks.callback.post");
    /// Lists the tokens.
    ListTokens = read(Manage, "tokens.get");
    /// Creates a token for a program.
    CreateToken = audited(Manage, "tokens.post");
    /// Revokes a token.
    RevokeToken = audited(Manage, "tokens.delete");
    /// Shows to what an invitation invites.
    PreviewInvitation = read(Open, "join.preview.post");
    /// Joins a meeting by an invitation. Noted as `guest.came`.
    JoinByInvitation = read(Open, "join.post");
    /// Joins a meeting by its password.
    EnterByPassword = in_blind_round(People, audited(Open, "meetings.enter.post"));
    /// Lists the invitations to a meeting.
    ListInvitations = in_blind_round(People, read(Manage, "meetings.invitations.get"));
    /// Creates an invitation to a meeting.
    CreateInvitation = in_blind_round(People, audited(Manage, "meetings.invitations.post"));
    /// Revokes an invitation.
    RevokeInvitation = in_blind_round(People, audited(Manage, "meetings.invitations.delete"));
    /// Lists the guests of a meeting.
    ListGuests = in_blind_round(People, read(Manage, "meetings.guests.get"));
    /// Ends the session of a guest.
    RemoveGuest = in_blind_round(People, audited(Manage, "meetings.guests.delete"));
    /// Lists the links to the result of a meeting.
    ListResultLinks = in_blind_round(People, read(Manage, "meetings.result-links.get"));
    /// Creates a link with which anybody reads the result of a meeting.
    CreateResultLink = in_blind_round(People, audited(Manage, "meetings.result-links.post"));
    /// Revokes such a link.
    RevokeResultLink = in_blind_round(People, audited(Manage, "meetings.result-links.delete"));
    /// Reads a result by a link. The link counts how often.
    ReadSharedResult = read(Open, "shared.get");
    /// Reads the audit log.
    ReadAudit = read(Owner, "audit.get");
    /// Lists the formats and every field of the rules. They are those of the program, and say nothing of what is stored.
    ListFormats = read(Open, "formats.get");
    /// Lists meetings.
    ListMeetings = read(Read, "meetings.get");
    /// Creates a meeting, as a draft.
    CreateMeeting = once(Manage, "meetings.post");
    /// Estimates what a meeting will take.
    EstimateMeeting = read(Manage, "meetings.estimate.post");
    /// Shows a meeting.
    ShowMeeting = in_blind_round(Withheld, read(Read, "meetings.get"));
    /// Changes title, description, topic, rules, display of times or password of a meeting.
    ChangeMeeting = in_blind_round(People, audited(Manage, "meetings.patch"));
    /// Deletes a meeting with all that was said at it.
    DeleteMeeting = in_blind_round(People, audited(Manage, "meetings.delete"));
    /// Shows the rules of a meeting.
    ShowRules = in_blind_round(Everybody, read(Read, "meetings.rules.get"));
    /// Changes the rules of a meeting.
    ChangeRules = in_blind_round(People, audited(Manage, "meetings.rules.put"));
    /// Starts a meeting.
    StartMeeting = in_blind_round(Everybody, running(Manage, "meetings.start.post"));
    /// Pauses a meeting.
    PauseMeeting = in_blind_round(Everybody, once(Manage, "meetings.pause.post"));
    /// Registers the agent that calls, or changes its introduction.
    RegisterAgent = audited(Speak, "agents.self.put");
    /// Seats the caller at a meeting.
    JoinMeeting = in_blind_round(Everybody, audited(Speak, "meetings.join.post"));
    /// Gives up the seat of the caller.
    LeaveMeeting = in_blind_round(Everybody, audited(Speak, "meetings.join.delete"));
    /// Reads what was said since the agent's own last message.
    ReadContext = in_blind_round(Everybody, read(Read, "meetings.context.get"));
    /// Calls a tool of the Model Context Protocol; each tool is a use case of its own.
    CallTool = read(SignedIn, "mcp.post");
    /// Shows the card of an agent of the Agent2Agent protocol.
    ShowAgentCard = read(Open, "a2a.card.get");
    /// An operation of the Agent2Agent protocol: each of its requests is a use case of its own.
    AskAgent = read(SignedIn, "a2a.post");
    /// Lists the open turns of the caller, or waits for one.
    ListTurns = in_blind_round(Everybody, own(read(Speak, "turns.get")));
    /// Answers a turn.
    AnswerTurn = in_blind_round(Everybody, own(once(Speak, "turns.answer.post")));
    /// Skips a turn.
    SkipTurn = in_blind_round(Everybody, own(once(Speak, "turns.skip.post")));
    /// Permits or refuses what an agent asks for while it answers.
    PermitAction = in_blind_round(People, once(Manage, "meetings.permissions.post"));
    /// Lists the programs that can take a seat: processes and coding agents of the operator's configuration.
    ListProcesses = read(Manage, "processes.get");
    /// Lists the processes that share the database.
    ListNodes = read(Manage, "nodes.get");
    /// Resumes a meeting, with answers to what it asks.
    ResumeMeeting = of_person(in_blind_round(Everybody, running(Speak, "meetings.resume.post")));
    /// Ends a meeting with the best available conclusion.
    EndMeeting = in_blind_round(Everybody, once(Manage, "meetings.end.post"));
    /// Begins a new meeting from the events of another.
    ForkMeeting = after_ballot(once(Manage, "meetings.fork.post"));
    /// Continues a meeting by a turn, a round, or to its end.
    AdvanceMeeting = running(Manage, "meetings.advance.post");
    /// Judges the votes of a meeting under other rules.
    WhatIf = audited(Read, "meetings.what-if.post");
    /// Lists the messages of a meeting.
    ListMessages = in_blind_round(Withheld, read(Read, "meetings.messages.get"));
    /// Says something at a meeting.
    Say = in_blind_round(People, once(Speak, "meetings.messages.post"));
    /// Shows a message.
    ShowMessage = read(Read, "meetings.messages.get");
    /// Asks a participant to speak next.
    RequestSpeaker = of_person(in_blind_round(People, once(Speak, "meetings.speaker.post")));
    /// Lists the participants of a meeting.
    ListParticipants = read(Read, "meetings.participants.get");
    /// Adds a participant to a meeting.
    AddParticipant = in_blind_round(People, once(Manage, "meetings.participants.post"));
    /// Shows a participant.
    ShowParticipant = read(Read, "meetings.participants.get");
    /// Changes whether a participant is asked, and its skip list.
    ChangeParticipant = in_blind_round(People, audited(Manage, "meetings.participants.patch"));
    /// Removes a participant from a meeting.
    RemoveParticipant = in_blind_round(People, audited(Manage, "meetings.participants.delete"));
    /// Lists the people and the participants of a meeting, with whether each is there.
    ListPeople = in_blind_round(Everybody, read(Read, "meetings.people.get"));
    /// Brings the caller to the table.
    Arrive = of_person(in_blind_round(Everybody, once(Speak, "meetings.people.put")));
    /// Takes the caller from the table.
    Depart = of_person(in_blind_round(Everybody, once(Speak, "meetings.people.delete")));
    /// Hands over as host.
    HandOver = of_person(in_blind_round(Everybody, once(Speak, "meetings.host.put")));
    /// Says whether the caller is there, busy or away.
    Heartbeat = read(SignedIn, "me.presence.put");
    /// Lists the messages that mention the caller, at all meetings that they may see.
    ListMentions = own(read(Read, "me.mentions.get"));
    /// Notes how far the caller has read what mentions them.
    MarkMentionsRead = own(read(Read, "me.mentions.read.put"));
    /// Lists the agenda of a meeting.
    ListAgenda = in_blind_round(Everybody, read(Read, "meetings.agenda.get"));
    /// Adds an item to the agenda.
    AddAgendaItem = in_blind_round(People, once(Manage, "meetings.agenda.post"));
    /// Completes an item of the agenda.
    ChangeAgendaItem = in_blind_round(People, audited(Manage, "meetings.agenda.patch"));
    /// Removes an item from the agenda.
    RemoveAgendaItem = in_blind_round(People, audited(Manage, "meetings.agenda.delete"));
    /// Lists the ballots of a meeting.
    ListBallots = read(Read, "meetings.ballots.get");
    /// Shows a ballot.
    ShowBallot = read(Read, "meetings.ballots.get");
    /// Lists the votes of a ballot.
    ListVotes = read(Read, "meetings.ballots.votes.get");
    /// Shows the minutes of a meeting.
    ShowMinutes = read(Read, "meetings.minutes.get");
    /// Has the minutes written.
    WriteMinutes = in_blind_round(People, once(Manage, "meetings.minutes.post"));
    /// Replaces the minutes by a text of a person.
    EditMinutes = in_blind_round(People, audited(Manage, "meetings.minutes.put"));
    /// Compares two versions of the minutes.
    CompareMinutes = read(Read, "meetings.minutes.diff.get");
    /// Lists the versions of the minutes.
    ListMinutesVersions = read(Read, "meetings.minutes.versions.get");
    /// Shows one version of the minutes.
    ShowMinutesVersion = read(Read, "meetings.minutes.versions.get");
    /// Lists the artifacts of a meeting.
    ListArtifacts = read(Read, "meetings.artifacts.get");
    /// Has an artifact written.
    WriteArtifact = in_blind_round(People, once(Manage, "meetings.artifacts.post"));
    /// Shows an artifact.
    ShowArtifact = read(Read, "meetings.artifacts.get");
    /// Shows one version of an artifact.
    ShowArtifactVersion = read(Read, "meetings.artifacts.get");
    /// Lists the hidden evaluations of a meeting.
    ListEvaluations = after_ballot(read(Manage, "meetings.evaluations.get"));
    /// Shows what a meeting has used.
    ShowUsage = read(Read, "meetings.usage.get");
    /// Shows the report on a meeting.
    ShowReport = read(Read, "meetings.report.get");
    /// Reads the events of a meeting.
    ReadLog = in_blind_round(Withheld, read(Read, "meetings.log.get"));
    /// Lists the claims of a meeting.
    ListClaims = read(Read, "meetings.claims.get");
    /// Shows the quality of a deliberation.
    ShowHealth = read(Read, "meetings.health.get");
    /// Shows the shape of a meeting's log, without its content.
    ShowDiagnostics = read(Manage, "meetings.diagnostics.get");
    /// Exports a meeting.
    Export = audited(Read, "meetings.export.get");
    /// Lists the formats that the operator's exporters make.
    ListExporters = read(SignedIn, "exporters.get");
    /// Lists the files of a meeting.
    ListFiles = in_blind_round(Everybody, read(Read, "meetings.files.get"));
    /// Attaches a file to a meeting.
    AttachFile = in_blind_round(People, audited(Speak, "meetings.files.post"));
    /// Downloads a file of a meeting, or reads lines of it.
    ReadFile = in_blind_round(Everybody, read(Read, "meetings.files.get"));
    /// Removes a file from a meeting.
    RemoveFile = in_blind_round(People, audited(Manage, "meetings.files.delete"));
    /// Searches what was said. A principal that is bound to one meeting searches that one.
    Search = read(SignedIn, "search.get");
    /// Lists the agents of the library.
    ListAgents = read(Read, "agents.get");
    /// Creates an agent.
    CreateAgent = once(Manage, "agents.post");
    /// Shows an agent.
    ShowAgent = read(Read, "agents.get");
    /// Changes an agent.
    ChangeAgent = audited(Manage, "agents.patch");
    /// Deletes an agent.
    DeleteAgent = audited(Manage, "agents.delete");
    /// Asks the model of an agent for one word.
    TestAgent = audited(Manage, "agents.test.post");
    /// Lists the providers.
    ListProviders = read(Manage, "providers.get");
    /// Seals the stored keys with a new key file.
    RotateKeys = audited(Owner, "keys.rotate.post");
    /// Imports meetings and agents from a folder of JSON files.
    Import = once(Owner, "import.post");
    /// Lists the presets of providers.
    ListProviderPresets = read(Read, "providers.presets.get");
    /// Creates a provider, or replaces what is stored of one.
    ReplaceProvider = audited(Owner, "providers.put");
    /// Changes what is stored of a provider.
    UpdateProvider = audited(Owner, "providers.patch");
    /// Deletes what is stored of a provider.
    DeleteProvider = audited(Owner, "providers.delete");
    /// Lists the models of a provider.
    ListModels = read(Manage, "providers.models.get");
    /// Tries out what a provider can do.
    TestProvider = audited(Manage, "providers.test.post");
    /// Lists what models cost.
    ListPrices = read(Manage, "prices.get");
    /// Checks that the database holds what was written to it.
    Verify = audited(Owner, "verify.post");
    /// Copies the database with its uploaded files, to be downloaded.
    Backup = audited(Owner, "backup.post");
    /// Puts a copy in the place of the database. Only at this machine, with the server stopped.
    Restore = audited(Owner, "restore.post");
    /// Shows the public key that signs logs.
    ShowSigningKey = read(Open, "signing-key.get");
    /// Shows the scheduled backups.
    ListBackups = read(Owner, "backups.get");
    /// Makes another key pair to sign logs.
    ReplaceSigningKey = audited(Owner, "signing-key.post");
    /// Says what is configured, reachable or wrong.
    Doctor = audited(Owner, "doctor.post");
    /// Lists the templates.
    ListTemplates = read(Read, "templates.get");
    /// Creates a template.
    CreateTemplate = once(Manage, "templates.post");
    /// Shows a template.
    ShowTemplate = read(Read, "templates.get");
    /// Replaces a template.
    ChangeTemplate = audited(Manage, "templates.put");
    /// Deletes a template.
    DeleteTemplate = audited(Manage, "templates.delete");
    /// Shows the settings of the server.
    ShowSettings = read(Owner, "settings.get");
    /// Changes the settings of the server.
    ChangeSettings = audited(Owner, "settings.patch");
    /// Follows a meeting as it happens.
    FollowEvents = in_blind_round(Followed, read(Read, "meetings.events.get"));
    /// Opens a WebSocket. A browser can set no header there, so signing in may be its first message.
    OpenSocket = read(Open, "ws.get");
}

impl UseCase {
    /// The use case that a command to a meeting belongs to; `None` for what only the engine says.
    pub fn of_command(command: &Command) -> Option<Self> {
        Some(match command {
            Command::Create { .. } => Self::CreateMeeting,
            Command::Fork { .. } => Self::ForkMeeting,
            Command::Start { .. } => Self::StartMeeting,
            Command::Say { .. } | Command::Reply { .. } => Self::Say,
            Command::RequestSpeaker { .. } => Self::RequestSpeaker,
            Command::Join { .. } | Command::Invite { .. } => Self::AddParticipant,
            Command::Leave { .. } => Self::RemoveParticipant,
            Command::SetPresence { .. } | Command::ChangeParticipant { .. } => Self::ChangeParticipant,
            Command::Arrive { .. } => Self::Arrive,
            Command::Depart { .. } => Self::Depart,
            Command::HandOver { .. } => Self::HandOver,
            Command::ChangeRules { .. } => Self::ChangeRules,
            Command::ChangeTopic { .. }
            | Command::Announce { .. }
            | Command::SetAccess { .. }
            | Command::ChangeMeeting { .. } => Self::ChangeMeeting,
            Command::AttachFile { .. } => Self::AttachFile,
            Command::RemoveFile { .. } => Self::RemoveFile,
            Command::AddAgendaItem { .. } => Self::AddAgendaItem,
            Command::CompleteAgendaItem { .. } => Self::ChangeAgendaItem,
            Command::RemoveAgendaItem { .. } => Self::RemoveAgendaItem,
            Command::WriteMinutes { .. } => Self::WriteMinutes,
            Command::EditMinutes { .. } => Self::EditMinutes,
            Command::WriteArtifact { .. } => Self::WriteArtifact,
            Command::Pause { .. } => Self::PauseMeeting,
            Command::Resume { .. } => Self::ResumeMeeting,
            Command::Advance { .. } => Self::AdvanceMeeting,
            Command::End { .. } => Self::EndMeeting,
            Command::PermitAction { .. } => Self::PermitAction,
            Command::Deliver(_)
            | Command::ReturnTool { .. }
            | Command::NoteRetry { .. }
            | Command::NoteAction { .. }
            | Command::NoteIdle { .. }
            | Command::Tick => {
                return None;
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_once_or_sets_a_meeting_running_is_audited_and_needs_somebody() {
        for use_case in UseCase::ALL {
            let UseCaseDefinition { action, permission, audited, idempotent, sets_running, .. } =
                use_case.definition();
            let needs_somebody = !matches!(permission, Permission::Open | Permission::SignedIn);
            assert!(!idempotent || (audited && needs_somebody), "{use_case:?}");
            assert!(!sets_running || idempotent, "{use_case:?}");
            let reads = action.ends_with(".get");
            assert!(
                reads || action.rsplit('.').next().is_some_and(|verb| "post put patch delete".contains(verb))
            );
        }
    }
}
