//! Runs a meeting, or resumes one.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use quorate_app::{App, AppOptions, Directory, LocalDatabase, Pace, PlannedMeeting, Programs, UseCase};
use quorate_contract::{Actor, Command, MeetingId, RunId, RunnerSpec, SimulatedPace, Wording};
use quorate_core::{Meeting, RunState};
use quorate_messages::{io_problem, message, text};
use quorate_views::{Report, Viewer};
use reqwest::Method;

use super::attach::FoundFiles;
use super::progress::with_progress;
use super::{attach, estimate, print_markdown, write_file};
use crate::args::{LiveArgs, ResumeArgs, RunArgs, SeatArgs};
use crate::control::Control;
use crate::error::CliError;
use crate::language::Speech;
use crate::live::{
    AnswersByKey, Asking, Ending, Events, Link, SeatOptions, SeatPrompt, Session, SessionOptions,
    TerminalUser, View, can_be_asked, in_terminal, proposed, set_going, written_down,
};
use crate::password;
use crate::place::{Place, quoted, with_database};
use crate::remote::{Remote, RemoteMeeting, Writer};
use crate::setup::{
    CreateMeetingRequest, Plan, UserFile, agent_sessions, create_meeting_request, how_to_add, key_and_value,
    programs_of, providers_of, runners, stored_credentials, tools_of,
};

/// The exit code of a meeting that ended after most of its participants failed: its result is worth little.
const MOSTLY_FAILED: u8 = 4;

/// Holds a meeting about a topic.
pub(crate) async fn run(place: &Place, args: RunArgs, speech: Speech) -> Result<ExitCode, CliError> {
    if let Some(path) = &args.out {
        writable(path)?;
    }
    let new = create_meeting_request(&args)?;
    let files = attach::find(&args.attach, speech)?;
    if new.off_record && !files.files.is_empty() {
        return Err(CliError::usage(
            text!(speech, "cli-attach-off-record"),
            text!(speech, "cli-meet-leave-out-one-them-gone"),
        ));
    }
    let password = match new.off_record {
        // A meeting off the record could not be opened later, and the hash of its password would be on the
        // disk.
        true if args.held.password_stdin => {
            return Err(CliError::usage(
                text!(speech, "cli-meet-meeting-off-record-takes-no"),
                text!(speech, "cli-meet-leave-out-one-them-gone"),
            ));
        }
        true => None,
        false => password::wanted(args.held.password_stdin)?,
    };
    if !args.estimate
        && !new.off_record
        && let Some((server, store)) = Writer::server(place)?
    {
        return run_at(server, store, place, &args, NewMeeting { request: new, files, password }, speech)
            .await;
    }
    let sources = place.sources();
    let planned = Plan::make(&sources, &new);
    let mut plan = with_progress(text!(speech, "cli-waiting-providers"), speech, planned).await?;
    // A script's meeting is instant by default.
    plan.set_pace(Some(usual_pace(&args.live)).filter(|pace| *pace != SimulatedPace::Instant));
    if args.estimate {
        return estimate::estimate(&plan, args.live.json, speech);
    }
    if !args.live.json
        && let Some(line) = estimate::in_short(&plan, speech)
    {
        anstream::eprintln!("{line}");
    }
    if let Some(choice) = plan.choice.as_ref().filter(|_| !args.live.json) {
        estimate::chosen(choice, speech).iter().for_each(|line| anstream::eprintln!("{line}"));
    }
    let store = place.open()?;
    let runners = runners(
        plan.providers,
        plan.programs,
        Some(agent_sessions(&place.db)),
        plan.tools.into_values(),
        Pace::Instant,
    )?;
    if args.live.yes {
        runners.permissions().refuse_all();
    }
    let app = app_over(place, store.clone(), runners.clone()).await?;
    if plan.simulated_for_want_of_models {
        say_simulated(speech);
    }
    let (here, spec) = (app.clone(), plan.spec);
    let (announce, off_record) = (new.announce.clone(), new.off_record);
    let planned = PlannedMeeting { spec, announce, password, off_record };
    let action = async move { here.create_planned(&Actor::owner(), planned).await };
    let handle = app.perform_here(UseCase::CreateMeeting, None, action).await?;
    let id = handle.id().clone();
    password::let_in(&id);
    let blank = Meeting::blank(id, RunId::new(""));
    let link = Link::Here(app, handle);
    furnish(&link, &args, files, speech).await?;
    let heard = link.subscribe(0, wants_words(&args.live)).await?;
    link.send(Command::Start { by: Actor::owner() }).await?;
    let (live, out, stays) = (&args.live, args.out.as_deref(), !new.off_record);
    let config = config_of(args.config.as_deref());
    let terminal_session = TerminalSession { place, store, link, live, out, config, speech, stays };
    let ended = terminal_session.follow(View::new(blank), heard, None).await;
    runners.close().await;
    ended
}

/// A meeting that is to be held in a server, with what it is given beside the request.
struct NewMeeting {
    request: CreateMeetingRequest,
    files: FoundFiles,
    password: Option<String>,
}

/// Holds a meeting in the server that holds the database.
async fn run_at(
    server: Remote,
    store: LocalDatabase,
    place: &Place,
    args: &RunArgs,
    new: NewMeeting,
    speech: Speech,
) -> Result<ExitCode, CliError> {
    #[derive(serde::Deserialize)]
    struct Created {
        id: MeetingId,
    }
    let NewMeeting { request: mut new, files, password } = new;
    let mut rules = new.rules()?;
    rules.turns.pace.get_or_insert(usual_pace(&args.live));
    new.set_rules(&rules);
    new.check_remote()?;
    if !new.folders.is_empty() {
        return Err(CliError::usage(
            text!(speech, "cli-folder-at-server"),
            text!(speech, "cli-folder-at-server-hint"),
        ));
    }
    let body = serde_json::to_value(&new).expect("a meeting has only text keys");
    let Created { id } = server.ask(Method::POST, "/meetings", Some(&body)).await?;
    let meeting = RemoteMeeting::new(server, store.clone(), id.clone());
    if let Some(password) = password
        && let Err(error) = meeting.set_password(Some(&password)).await
    {
        // Half a meeting is none.
        _ = meeting.delete().await;
        return Err(error);
    }
    let link = Link::Server(meeting);
    furnish(&link, args, files, speech).await?;
    let heard = link.subscribe(0, wants_words(&args.live)).await?;
    link.send(Command::Start { by: Actor::owner() }).await?;
    let (live, out) = (&args.live, args.out.as_deref());
    let terminal_session =
        TerminalSession { place, store, link, live, out, config: None, speech, stays: true };
    terminal_session.follow(View::new(Meeting::blank(id, RunId::new(""))), heard, None).await
}

/// The person at the terminal takes the seat that they asked for.
async fn take_seat(link: &Link, seat: &SeatArgs) -> Result<(), CliError> {
    if let Some(name) = &seat.seat {
        link.take_seat(Some(name), seat.role.as_deref().unwrap_or_default()).await?;
    }
    Ok(())
}

/// Gives a new meeting what belongs to it beside its rules: the seat of the person at the terminal, and files. A meeting
/// that cannot be given it is deleted.
async fn furnish(link: &Link, args: &RunArgs, files: FoundFiles, speech: Speech) -> Result<(), CliError> {
    let furnished = async {
        take_seat(link, &args.seat).await?;
        attach::attach_all(link, files, &args.attach, speech).await.map(|_| ())
    };
    let done = furnished.await;
    if done.is_err() {
        _ = link.discard().await;
    }
    done
}

/// A result that has nowhere to go is better known of before the meeting than after it.
fn writable(path: &Path) -> Result<(), CliError> {
    super::spares_databases(path)?;
    super::folder_exists(path)
}

/// Resumes a meeting.
pub(crate) async fn resume(place: &Place, args: ResumeArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = match Writer::find(place)? {
        Writer::Here(store) => store,
        Writer::Server(server, store) => {
            let id = store.find(&args.id).await?;
            password::ask(&store, &id).await?;
            let meeting = RemoteMeeting::new(server, store.clone(), id);
            let going = GoingOn { place, args: &args, store, speech };
            return going.follow(Link::Server(meeting)).await;
        }
    };
    let id = store.find(&args.id).await?;
    password::ask(&store, &id).await?;
    let file = match &args.config {
        Some(path) => CreateMeetingRequest::read(path)?,
        None => CreateMeetingRequest::default(),
    };
    let user = UserFile::read(&place.config)?;
    let stored = stored_credentials(place).await;
    let providers = providers_of(&file, &user, stored.as_deref().unwrap_or_default(), true).await?;
    let programs = programs_of(&file, &user);
    let known: BTreeSet<String> = providers.keys().cloned().collect();
    let known_programs = programs.clone();
    let sessions = Some(agent_sessions(&place.db));
    let tools = tools_of(&file, &user);
    let runners = runners(providers.into_values(), programs, sessions, tools.into_values(), Pace::Instant)?;
    if args.live.yes {
        runners.permissions().refuse_all();
    }
    let app = app_over(place, store.clone(), runners.clone()).await?;
    // Resuming a quarantined meeting tries it again.
    store.release(&id).await?;
    let meeting = app.load_whole(&id).await?;
    // Simulated participants need no key, and so no key file.
    if let (false, true, Err(error)) = (meeting.is_over(), asks_models(&meeting), stored) {
        return Err(error);
    }
    if !meeting.is_over() {
        check_providers(&meeting, &known, &known_programs)?;
    }
    let handle = app.handle(&id);
    let link = Link::Here(app, handle);
    let ended = GoingOn { place, args: &args, store, speech }.follow(link).await;
    runners.close().await;
    ended
}

/// A meeting to resume.
struct GoingOn<'a> {
    place: &'a Place,
    args: &'a ResumeArgs,
    store: LocalDatabase,
    speech: Speech,
}

impl GoingOn<'_> {
    async fn follow(self, link: Link) -> Result<ExitCode, CliError> {
        let Self { place, args, store, speech } = self;
        let id = link.id().clone();
        let (meeting, _) = super::inspect::load(&store, UseCase::ShowMeeting, &id).await?;
        if meeting.is_over() {
            let next = place.command(&format!("show {id}"));
            anstream::eprintln!("{}", text!(speech, "cli-meet-meeting-over-there-nothing-resume", %next));
            if args.live.json && args.events_after.is_some() {
                super::replay::print_lines(&store, &id, args.events_after.unwrap_or(0), Viewer::everything())
                    .await?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let given = answers(&args.answers.answer)?;
        let manner = manner(&args.live);
        let asking = Asking::of(&meeting, given.clone());
        let waits = asking.as_ref().is_some_and(|asking| !asking.missing().is_empty());
        if waits && !manner.stays && !manner.takes_defaults {
            return Err(unanswered(&meeting, &id, place, speech));
        }
        let after = match args.live.json {
            true => args.events_after.unwrap_or(meeting.seq),
            false => meeting.seq,
        };
        let link = link.open().await?;
        take_seat(&link, &args.seat).await?;
        let heard = link.subscribe(after, wants_words(&args.live)).await?;
        if let Some(pace) = args.live.pace {
            change_pace(&link, &meeting, pace.into()).await?;
        }
        // At a terminal, unanswered questions are asked before the meeting is resumed.
        let asking = asking.filter(|asking| {
            let mut asking = asking.clone();
            manner.stays && given.is_empty() && args.answers.token.is_none() && asking.next().is_some()
        });
        if asking.is_none() {
            set_going(&link, args.answers.token.clone(), given, manner.takes_defaults).await?;
        }
        let mut view = View::new(meeting);
        if !args.live.json {
            view.recap();
        }
        let (live, out) = (&args.live, args.out.as_deref());
        let config = config_of(args.config.as_deref()).filter(|_| matches!(link, Link::Here(..)));
        let terminal_session = TerminalSession { place, store, link, live, out, config, speech, stays: true };
        terminal_session.follow(view, heard, asking).await
    }
}

/// The file, if it configures providers: it is needed again to resume the meeting.
fn config_of(file: Option<&Path>) -> Option<&Path> {
    let answers = |path: &&Path| {
        CreateMeetingRequest::read(path)
            .is_ok_and(|new| !(new.providers.is_empty() && new.processes.is_empty() && new.acp.is_empty()))
    };
    file.filter(answers)
}

/// The runners of all participants, of the facilitator, and of possible newcomers.
fn runners_of(meeting: &Meeting) -> impl Iterator<Item = &RunnerSpec> {
    let seated = meeting.present().map(|seat| &seat.participant.runner);
    let rules = &meeting.rules().roster;
    let offered = meeting.settings.models.iter().filter(|_| rules.assemble || rules.newcomers);
    let facilitator = meeting.settings.facilitator.iter().map(|f| &f.runner);
    let all = seated.chain(facilitator).chain(offered.map(|offer| &offer.runner));
    // And their fallbacks.
    all.flat_map(|runner| match runner {
        RunnerSpec::Model { fallback, .. } => [Some(runner), fallback.as_deref()],
        RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::Simulated { .. }
        | RunnerSpec::External { .. } => [Some(runner), None],
    })
    .flatten()
}

pub(super) fn asks_models(meeting: &Meeting) -> bool {
    runners_of(meeting).any(|runner| matches!(runner, RunnerSpec::Model { .. }))
}

/// `KEY=VALUE` each; a value that begins with `@` names a file.
fn answers(pairs: &[String]) -> Result<AnswersByKey, CliError> {
    let mut given = AnswersByKey::new();
    for pair in pairs {
        let (key, value) = key_and_value(pair, "--answer")?;
        let value = match value.strip_prefix('@').filter(|path| Path::new(path).is_file()) {
            Some(path) => std::fs::read_to_string(path).map_err(|error| {
                CliError::usage(
                    message!("common-unreadable", path, error = io_problem(&error)),
                    message!("cli-run-answer-file"),
                )
            })?,
            None => value.to_owned(),
        };
        given.insert(key.to_owned(), value.into());
    }
    Ok(given)
}

/// The error for a meeting that waits for answers.
fn unanswered(meeting: &Meeting, id: &MeetingId, place: &Place, speech: Speech) -> CliError {
    let RunState::Paused { questions, .. } = &meeting.run_state else { return CliError::new("", "") };
    let (text, flags) = written_down(questions, speech);
    let text = proposed(meeting, speech).map_or(text.clone(), |team| format!("{team}\n{text}"));
    let command = place.command(&format!("resume {id}{flags}"));
    CliError::usage(
        text!(speech, "cli-meet-meeting-waits-answer-nothing-changed", %text),
        text!(speech, "cli-meet-let-defaults-hold-yes", %command),
    )
}

fn with_what_it_was_started(or: &Wording) -> Wording {
    Wording::in_each(|language| text!(language, "cli-meet-started-with", or = or.for_reader(language)))
}

/// Checks that every runner is configured before a call is made.
pub(super) fn check_providers(
    meeting: &Meeting,
    known: &BTreeSet<String>,
    programs: &Programs,
) -> Result<(), CliError> {
    for runner in runners_of(meeting) {
        match runner {
            RunnerSpec::Model { provider, .. } if !known.contains(provider) => {
                return Err(CliError::usage(
                    message!("cli-meet-provider-missing", %provider),
                    with_what_it_was_started(&how_to_add(provider).for_terminal()),
                ));
            }
            RunnerSpec::Process { name } if !programs.processes.contains_key(name) => {
                return Err(CliError::usage(
                    message!("cli-meet-process-missing", %name),
                    message!("cli-meet-process-missing-hint", %name),
                ));
            }
            RunnerSpec::Acp { name, .. } if !programs.acp.contains_key(name) => {
                return Err(CliError::usage(
                    message!("cli-meet-acp-missing", %name),
                    message!("cli-meet-acp-missing-hint", %name),
                ));
            }
            RunnerSpec::Model { .. }
            | RunnerSpec::Process { .. }
            | RunnerSpec::Acp { .. }
            | RunnerSpec::Simulated { .. }
            | RunnerSpec::External { .. } => {}
        }
    }
    Ok(())
}

/// The terminal session of a meeting.
struct TerminalSession<'a> {
    place: &'a Place,
    store: LocalDatabase,
    link: Link,
    live: &'a LiveArgs,
    out: Option<&'a Path>,
    /// The file with the provider configuration, unless a server has it.
    config: Option<&'a Path>,
    speech: Speech,
    /// Whether the meeting still exists when the command ends.
    stays: bool,
}

impl TerminalSession<'_> {
    async fn follow(self, view: View, heard: Events, asking: Option<Asking>) -> Result<ExitCode, CliError> {
        let id = self.link.id().clone();
        let (place, config) = (self.place, self.config);
        let resume_command = |flags: &str| {
            let config = config.map(|path| format!(" --config {}", quoted(path))).unwrap_or_default();
            place.command(&format!("resume {id}{flags}{config}"))
        };
        let manner = manner(self.live);
        let turns = self.link.turns();
        let is_seated = TerminalUser::Owner.holds_seat(&self.link.look().await?);
        let mut session = Session::new(Some(self.store), self.link, view, manner);
        // With --yes nobody answers, and turns time out.
        if is_seated && manner.listens {
            let seat_manner = SeatOptions { json: manner.json, confirms: manner.stays };
            session.sits(SeatPrompt::new(turns, seat_manner), TerminalUser::Owner);
        }
        // What a server runs is asked of the server.
        let control = match session.goes_on_alone() {
            true => None,
            false => Control::listen(&self.place.db, &id).map(|(control, asked)| {
                session.listen_to(asked);
                control
            }),
        };
        if let Some(asking) = asking {
            session.ask_first(asking);
        }
        let followed = session.follow(heard).await;
        if let Some(control) = control {
            control.close().await;
        }
        let (ending, meeting) = followed?;
        match ending {
            Ending::Finished => {
                let report = Report::of(&meeting);
                if let Some(path) = self.out {
                    let json = path.extension().is_some_and(|extension| extension == "json");
                    write_file(path, &if json { report.to_json() } else { report.to_markdown() })?;
                    let text = text!(self.speech, "cli-meet-result");
                    anstream::eprintln!("{text} {}", path.display());
                }
                if !self.live.json && (self.out.is_none() || !std::io::stdout().is_terminal()) {
                    if std::io::stdout().is_terminal() {
                        anstream::eprintln!();
                    }
                    print_markdown(&report.to_markdown());
                }
                match &report.incomplete {
                    Some(incomplete) => {
                        anstream::eprintln!("✗ {}", incomplete.text);
                        Ok(ExitCode::from(MOSTLY_FAILED))
                    }
                    None => Ok(ExitCode::SUCCESS),
                }
            }
            Ending::Paused | Ending::Stopped if !self.stays => {
                let text = text!(self.speech, "cli-meet-meeting-did-not-come-its");
                anstream::eprintln!("{text}");
                Ok(ExitCode::from(if matches!(ending, Ending::Stopped) { 130 } else { 3 }))
            }
            Ending::Paused => {
                let flags = match &meeting.run_state {
                    RunState::Paused { questions, .. } if !questions.is_empty() => {
                        let (text, flags) = written_down(questions, self.speech);
                        if !self.live.json {
                            anstream::eprintln!("{text}");
                        }
                        flags
                    }
                    RunState::Paused { .. } | RunState::PauseRequested { .. } | RunState::Running => {
                        String::new()
                    }
                };
                say_resume(self.speech, &resume_command(&flags));
                Ok(ExitCode::from(3))
            }
            Ending::Stopped => {
                say_resume(self.speech, &resume_command(""));
                Ok(ExitCode::from(130))
            }
            // Only somebody else's meeting goes on when one leaves.
            Ending::Left => Ok(ExitCode::SUCCESS),
        }
    }
}

fn say_resume(speech: Speech, command: &str) {
    anstream::eprintln!("{}{command}", text!(speech, "cli-meet-go"));
}

/// The application over a database that this command writes, with those who answer in it.
pub(super) async fn app_over(
    place: &Place,
    store: LocalDatabase,
    runners: Arc<Directory>,
) -> Result<App, CliError> {
    let board = Some(runners.board());
    let (permissions, pdf_reader) = (Some(runners.permissions()), super::read_pdf::reader());
    let options = AppOptions {
        runners: Some(runners),
        board,
        permissions,
        pdf_reader,
        ..AppOptions::new(place.config.clone())
    };
    let app = store.app(options).await?;
    app.begin_provider_shares();
    Ok(app)
}

/// The way in which a person follows the meeting.
fn manner(live: &LiveArgs) -> SessionOptions {
    let stays = !live.json && !live.yes && can_be_asked();
    SessionOptions { json: live.json, listens: !live.yes, takes_defaults: live.yes, stays, attends: false }
}

/// Whether to stream answers: only where a person watches them.
fn wants_words(live: &LiveArgs) -> bool {
    !live.json && in_terminal()
}

/// The default speed of simulated participants: readable for people, or instant for a script.
fn usual_pace(live: &LiveArgs) -> SimulatedPace {
    match !live.json && in_terminal() && std::io::stdout().is_terminal() {
        true => SimulatedPace::Live,
        false => SimulatedPace::Instant,
    }
}

/// From now on simulated participants of this meeting speak at this pace.
async fn change_pace(link: &Link, meeting: &Meeting, pace: SimulatedPace) -> Result<(), CliError> {
    let simulated = runners_of(meeting).any(|runner| matches!(runner, RunnerSpec::Simulated { .. }));
    let is_so = meeting.rules().turns.pace.unwrap_or(SimulatedPace::Instant) == pace;
    if simulated && !is_so {
        let mut rules = Box::new(meeting.rules().clone());
        rules.turns.pace = Some(pace);
        link.send(Command::ChangeRules { by: Actor::owner(), rules }).await?;
    }
    Ok(())
}

fn say_simulated(speech: Speech) {
    let style = anstyle::AnsiColor::Yellow.on_default().bold();
    let text = text!(speech, "cli-meet-no-model-found-so-simulated");
    anstream::eprintln!("{style}▸ {}{style:#}", with_database(text));
}
