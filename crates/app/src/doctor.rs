//! Says what is configured, reachable or wrong, and how to mend it.

use std::path::Path;
use std::time::Duration;

use quorate_contract::{Failure, FailureKind, Language, MeetingId, ModelParameters, Timestamp, clean};
use quorate_engine::{EngineError, Fault};
use quorate_messages::text;
use quorate_runners::{
    AcpConfig, ExporterConfig, ModelRunner, ProcessConfig, ProcessConfigError, ProviderConfig,
    ToolSourceConfig,
};
use quorate_store::{DatabaseLocation, Store, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::backups::{BackupOptions, BackupsView, backups_of, newest};
use crate::clock;
use crate::error::ServiceError;
use crate::language::{InBoth, Speech};
use crate::local::LocalDatabase;
use crate::meeting_file::create_meeting::CreateMeetingRequest;
use crate::meeting_file::user_file::UserFile;
use crate::operation::use_case::UseCase;
use crate::providers::available::{FoundProvider, OLLAMA, Source, found_providers, programs_of, stored};
use crate::providers::discover::{fitting, redacted};
use crate::providers::sources::Sources;
use crate::providers::stored::stored_credentials;
use crate::use_cases::App;

/// The time limit for a server to list its models.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The time limit for the one-word answer to a probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(120);

/// The state of a checked part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum DoctorFindingState {
    /// The part can be used.
    Good,
    /// The part is absent and not needed.
    Absent,
    /// The part is needed or configured, and cannot be used.
    Bad,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DoctorFinding {
    /// The part that was checked, for people: `database`, `provider openai (https://…)`.
    pub what: String,
    /// The state.
    pub health: DoctorFindingState,
    /// The details, for people.
    pub detail: String,
    /// How to fix it; empty when nothing has to be done.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl DoctorFinding {
    /// Makes a finding. A server's text is cleaned of control characters before it is shown.
    fn new(
        what: &str,
        health: DoctorFindingState,
        detail: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Self { what: clean(what), health, detail: clean(&detail.into()), hint: clean(&hint.into()) }
    }
}

/// The reader of the findings.
#[derive(Debug, Clone, Copy)]
struct Reader {
    speech: Speech,
    /// Whether the reader is at a terminal of this machine, where commands help.
    at_terminal: bool,
}

impl From<Reader> for Language {
    fn from(reader: Reader) -> Self {
        reader.speech.0
    }
}

impl Reader {
    /// The message and the hint of an error.
    fn told(self, error: ServiceError) -> (String, String) {
        let error = if self.at_terminal { error.at_terminal(self.speech) } else { error };
        let (message, hint) = error.in_both();
        let in_words = |text: quorate_contract::Wording| text.for_reader(self.speech.0).to_string();
        (in_words(message), in_words(hint))
    }
}

/// Looks at everything that a meeting needs at this machine: the database, the user's configuration, and the
/// providers of both and of `file`. With `probe`, each model is asked for one word.
///
/// # Errors
/// When the configuration cannot be read.
pub async fn examine(
    db: &DatabaseLocation,
    sources: Sources<'_>,
    file: &CreateMeetingRequest,
    probe: bool,
    speech: Speech,
) -> Result<Vec<DoctorFinding>, ServiceError> {
    let reader = Reader { speech, at_terminal: true };
    let mut findings = vec![version(), database(db, reader).await];
    let Ok(store) = Store::open_read_only(db) else {
        // There is no audit log to write to.
        findings.extend(configured(sources, file, probe, reader).await?);
        return Ok(findings);
    };
    findings.push(signing_key(&store, reader).await);
    findings.push(backups_configured(&store, sources.config, reader).await?);
    let faults = store.faults().await.unwrap_or_default();
    findings.extend(faults.into_iter().map(|(id, fault)| quarantined(&id, fault, reader)));
    let configured = configured(sources, file, probe, reader).await;
    let examined = async move {
        findings.extend(configured?);
        Ok(findings)
    };
    LocalDatabase::from(store).perform(UseCase::Doctor, None, Value::Null, examined).await
}

impl App {
    /// Looks at everything that a meeting needs in this process. With `probe`, each model is asked for one word.
    ///
    /// # Errors
    /// When the configuration cannot be read.
    pub async fn examine(&self, probe: bool, speech: Speech) -> Result<Vec<DoctorFinding>, ServiceError> {
        let reader = Reader { speech, at_terminal: false };
        let what = text!(speech, "app-doctor-database");
        let mut findings = vec![
            version(),
            match self.check_storage().await {
                Ok(()) => DoctorFinding::new(
                    what,
                    DoctorFindingState::Good,
                    self.store().location().to_string(),
                    "",
                ),
                Err(error) => unusable(what, error.into(), reader),
            },
        ];
        findings.push(signing_key(self.store(), reader).await);
        findings.push(backups(&self.backups(reader.into()).await, clock::now(), reader));
        let faults = self.store().faults().await.unwrap_or_default();
        findings.extend(faults.into_iter().map(|(id, fault)| quarantined(&id, fault, reader)));
        findings.extend(configured(self.sources(), &CreateMeetingRequest::default(), probe, reader).await?);
        Ok(findings)
    }
}

fn version() -> DoctorFinding {
    DoctorFinding::new("quorate", DoctorFindingState::Good, env!("CARGO_PKG_VERSION"), "")
}

/// Checks the configured providers and whether they can be reached.
async fn configured(
    sources: Sources<'_>,
    file: &CreateMeetingRequest,
    probe: bool,
    reader: Reader,
) -> Result<Vec<DoctorFinding>, ServiceError> {
    quorate_runners::install_tls();
    let user = UserFile::read(sources.config)?;
    let config = sources.config.display().to_string();
    let mut findings = vec![match sources.config.exists() {
        true => DoctorFinding::new(
            text!(reader, "app-doctor-configuration"),
            DoctorFindingState::Good,
            config,
            "",
        ),
        false => DoctorFinding::new(
            text!(reader, "app-doctor-configuration"),
            DoctorFindingState::Absent,
            text!(reader, "app-doctor-there-no-none-needed", %config),
            "",
        ),
    }];
    let credentials = match stored_credentials(sources.store_source).await {
        Ok(stored) => stored,
        Err(error) => {
            findings.push(unusable(text!(reader, "app-doctor-stored-credentials"), error, reader));
            Vec::new()
        }
    };
    // One that cannot be used does not hide the others.
    let (sound, broken): (Vec<_>, Vec<_>) =
        credentials.into_iter().partition(|credential| stored(credential).is_ok());
    for credential in &broken {
        if let Err(error) = stored(credential) {
            let what = format!("{} {}", text!(reader, "app-doctor-provider"), credential.provider);
            findings.push(unusable(&what, error, reader));
        }
    }
    let providers = found_providers(file, &user, &sound, true).await?;
    for credential in sound.iter().filter(|credential| !providers.contains_key(&credential.provider)) {
        let what = format!("{} {}", text!(reader, "app-doctor-provider"), credential.provider);
        let detail = text!(reader, "app-doctor-stored-nothing-says-where-its");
        let name = &credential.provider;
        let hint = match reader.at_terminal {
            true => text!(reader, "app-doctor-give-its-address-quorate-providers", %name),
            false => text!(reader, "app-doctor-give-its-address-settings-providers").to_owned(),
        };
        findings.push(DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint));
    }
    let (mut usable, mut meant) = (0, broken.len());
    for FoundProvider { config, source } in providers.values() {
        // A provider from a preset may be absent. It is looked for only where meetings look, too.
        let wanted = *source != Source::Preset;
        if !wanted && config.name != OLLAMA {
            continue;
        }
        let mut finding = provider(config, wanted, probe, reader).await;
        if wanted {
            finding.detail = format!("{} · {}", finding.detail, source.in_words(reader.speech));
        }
        usable += usize::from(finding.health == DoctorFindingState::Good);
        meant += usize::from(wanted);
        findings.push(finding);
    }
    let programs = programs_of(file, &user);
    findings.extend(programs.processes.values().map(|config| process(config, reader)));
    findings.extend(programs.acp.values().map(|config| coding_agent(config, reader)));
    findings.extend(user.tools.values().map(|config| tools(config, reader)));
    findings.extend(user.exporters.values().map(|config| exporter(config, reader)));
    if usable == 0 && meant > 0 {
        findings.push(DoctorFinding::new(
            text!(reader, "app-doctor-models"),
            DoctorFindingState::Bad,
            text!(reader, "app-doctor-no-provider-configured-works-so"),
            text!(reader, "app-doctor-mend-one-those-above-hold"),
        ));
    } else if usable == 0 {
        findings.push(DoctorFinding::new(
            text!(reader, "app-doctor-models"),
            DoctorFindingState::Absent,
            text!(reader, "app-doctor-no-model-can-used-meetings"),
            match reader.at_terminal {
                true => text!(reader, "app-doctor-set-openai-api-key-another"),
                false => text!(reader, "app-doctor-add-provider-its-key-settings"),
            },
        ));
    }
    Ok(findings)
}

async fn database(db: &DatabaseLocation, reader: Reader) -> DoctorFinding {
    let what = text!(reader, "app-doctor-database");
    let path = db.to_string();
    if let Some(file) = db.file().filter(|file| !file.exists()) {
        if let Err(error) = can_be_made(file) {
            return unusable(what, error.into(), reader);
        }
        let detail = text!(reader, "app-doctor-does-not-exist-yet-first", %path);
        return DoctorFinding::new(what, DoctorFindingState::Absent, detail, "");
    }
    let opened = match Store::open(db) {
        Ok(store) => Ok((store, "", String::new())),
        Err(StoreError::InUse { .. }) => Store::open_read_only(db)
            .map(|store| (store, text!(reader, "app-doctor-use-by-another-process"), String::new())),
        // Where nothing can be written, as in a read-only folder, meetings can still be read.
        Err(error) => match Store::open_read_only(db) {
            Ok(store) => {
                let (error, _) = reader.told(error.into());
                let hint = text!(reader, "app-doctor-no-meeting-can-held-here", %error);
                Ok((store, text!(reader, "app-doctor-can-only-read"), hint))
            }
            Err(_) => Err(error),
        },
    };
    match opened {
        Ok((store, used, hint)) => match store.meetings(1, 0).await {
            Ok(_) | Err(StoreError::NoMeetings) => {
                DoctorFinding::new(what, DoctorFindingState::Good, format!("{path}{used}"), hint)
            }
            Err(error) => unusable(what, error.into(), reader),
        },
        Err(error) => unusable(what, error.into(), reader),
    }
}

/// Whether a file, and the folders that it lies in, can be created.
fn can_be_made(file: &Path) -> Result<(), StoreError> {
    let mut folders = file
        .ancestors()
        .skip(1)
        .map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    let Some(nearest) = folders.find(|folder| folder.exists()) else { return Ok(()) };
    let probe = nearest.join(format!(".quorate-{}", std::process::id()));
    let written = std::fs::OpenOptions::new().write(true).create_new(true).open(&probe);
    let made = written.and_then(|_| std::fs::remove_file(&probe));
    made.map_err(|source| StoreError::Unreachable { path: file.to_owned(), source })
}

/// The key that signs exports.
async fn signing_key(store: &Store, reader: Reader) -> DoctorFinding {
    let what = text!(reader, "app-doctor-signing-key");
    match store.log_signer().await {
        Ok(Some(signer)) => DoctorFinding::new(what, DoctorFindingState::Good, &*signer.public().id, ""),
        Ok(None) => DoctorFinding::new(
            what,
            DoctorFindingState::Absent,
            text!(reader, "app-doctor-signing-key-none"),
            "",
        ),
        Err(error) => unusable(what, error.into(), reader),
    }
}

/// The scheduled backups, as the configuration of the server at this machine has them.
async fn backups_configured(
    store: &Store,
    config: &Path,
    reader: Reader,
) -> Result<DoctorFinding, ServiceError> {
    let server = UserFile::read(config)?.server.unwrap_or_default();
    let options = match server.get("backup").cloned().map(toml::Value::try_into::<BackupOptions>) {
        None => BackupOptions::default(),
        Some(Ok(options)) => options.beside(config),
        Some(Err(error)) => {
            let what = text!(reader, "app-doctor-backups");
            let detail = format!("{}: [server.backup] {}", config.display(), error.message());
            return Ok(DoctorFinding::new(what, DoctorFindingState::Bad, detail, ""));
        }
    };
    Ok(backups(&backups_of(store, &options, reader.into()).await?, clock::now(), reader))
}

/// Whether backups are made when they are due.
fn backups(view: &BackupsView, now: Timestamp, reader: Reader) -> DoctorFinding {
    let what = text!(reader, "app-doctor-backups");
    let (Some(folder), true) = (&view.folder, view.enabled) else {
        let detail = text!(reader, "app-doctor-backups-none");
        return DoctorFinding::new(what, DoctorFindingState::Absent, detail, "");
    };
    let told = |at: Timestamp| at.to_rfc3339().replace('T', " ").replace(".000Z", "Z");
    if let Some(failure) = &view.failure {
        let at = told(failure.failed_at);
        let detail = text!(reader, "app-doctor-backups-failed", %at, detail = &failure.detail);
        return DoctorFinding::new(what, DoctorFindingState::Bad, detail, failure.hint.as_str());
    }
    let Some(newest) = newest(&view.items, now) else {
        let detail = text!(reader, "app-doctor-backups-first", %folder);
        return DoctorFinding::new(what, DoctorFindingState::Absent, detail, "");
    };
    let (at, count) = (told(newest.made_at), view.items.len());
    let detail = text!(reader, "app-doctor-backups-newest", %folder, count, %at);
    match now.since_ms(newest.made_at) / 1000 > view.every_seconds.saturating_mul(2) {
        true => DoctorFinding::new(
            what,
            DoctorFindingState::Bad,
            detail,
            text!(reader, "app-doctor-backups-old-hint"),
        ),
        false => DoctorFinding::new(what, DoctorFindingState::Good, detail, ""),
    }
}

/// Something that cannot be used, and why.
fn unusable(what: &str, error: ServiceError, reader: Reader) -> DoctorFinding {
    let (detail, hint) = reader.told(error);
    DoctorFinding::new(what, DoctorFindingState::Bad, detail, hint)
}

/// A meeting that runs no more because it failed again and again.
fn quarantined(id: &MeetingId, fault: Fault, reader: Reader) -> DoctorFinding {
    let what = format!("{} {id}", text!(reader, "app-doctor-meeting"));
    let mut finding = unusable(&what, EngineError::Quarantined(Box::new(fault)).into(), reader);
    if reader.at_terminal {
        finding.hint = format!("{} — quorate resume {id}", finding.hint);
    }
    finding
}

/// Checks whether a source of tools could be used; no server is connected to and no program started.
fn tools(config: &ToolSourceConfig, reader: Reader) -> DoctorFinding {
    let what = format!("{} {}", text!(reader, "app-doctor-tool-source"), config.name);
    if let Err(error) = config.check() {
        return unusable(&what, error.into(), reader);
    }
    if let Some(process) = config.process() {
        return program(what, "tools", Ok(()), &process, reader);
    }
    let folder = config.folder.as_ref().map(|path| path.display().to_string());
    let address = config.url.as_ref().and_then(|url| url.host_str().map(str::to_owned));
    let detail = folder.or(address).unwrap_or_default();
    match config.unset_token() {
        Some(variable) => {
            let hint = text!(reader, "app-doctor-unset-variables", unset = &[variable][..]);
            DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint)
        }
        None => DoctorFinding::new(&what, DoctorFindingState::Good, detail, ""),
    }
}

/// Checks whether an exporter could be started, without starting it.
fn exporter(config: &ExporterConfig, reader: Reader) -> DoctorFinding {
    let what = format!("{} {}", text!(reader, "app-doctor-exporter"), config.name);
    program(what, "exporters", config.check(), &config.process(), reader)
}

/// Checks whether a process could be started, without starting it.
fn process(config: &ProcessConfig, reader: Reader) -> DoctorFinding {
    let what = format!("{} {}", text!(reader, "app-doctor-process"), config.name);
    program(what, "processes", config.check(), config, reader)
}

/// Checks whether a coding agent could be started, and whether its folders are there, without starting it.
fn coding_agent(config: &AcpConfig, reader: Reader) -> DoctorFinding {
    let what = format!("{} {}", text!(reader, "app-doctor-coding-agent"), config.name);
    if let Err(error) = config.check() {
        return unusable(&what, error.into(), reader);
    }
    if let Some(folder) = config.folders.values().find(|folder| !folder.is_dir()) {
        let folder = folder.display();
        let detail = text!(reader, "app-doctor-there-no-folder", %folder);
        let hint = text!(reader, "app-doctor-change-folders", name = &config.name);
        return DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint);
    }
    program(what, "acp", Ok(()), &config.program(), reader)
}

fn program(
    what: String,
    table: &str,
    checked: Result<(), ProcessConfigError>,
    config: &ProcessConfig,
    reader: Reader,
) -> DoctorFinding {
    if let Err(error) = checked {
        return unusable(&what, error.into(), reader);
    }
    let program = config.command.first().map_or("", String::as_str);
    let Some(found) = config.find_program() else {
        let detail = text!(reader, "app-doctor-program-not-found", %program);
        let name = &config.name;
        let hint = text!(reader, "app-doctor-install-change-command-processes", table, %name);
        return DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint);
    };
    if let Some(folder) = config.cwd.as_ref().filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        let detail = text!(reader, "app-doctor-there-no-folder", %folder);
        return DoctorFinding::new(
            &what,
            DoctorFindingState::Bad,
            detail,
            text!(reader, "app-doctor-change-cwd"),
        );
    }
    let unset = config.unset_variables();
    match unset.is_empty() {
        true => DoctorFinding::new(&what, DoctorFindingState::Good, found.display().to_string(), ""),
        false => DoctorFinding::new(
            &what,
            DoctorFindingState::Good,
            found.display().to_string(),
            text!(reader, "app-doctor-unset-variables", unset = &unset[..]),
        ),
    }
}

/// A provider's failure and its remedy.
fn in_words(config: &ProviderConfig, failure: Failure, reader: Reader) -> (String, String) {
    let key = |hint: String| match (failure.kind, &config.key_variable) {
        // Here is where a key is stored, too.
        (FailureKind::Authentication, None) if reader.at_terminal => {
            let name = &config.name;
            text!(reader, "app-doctor-store-another-key-quorate-providers", %name)
        }
        _ => hint,
    };
    let [detail, hint] =
        [&failure.detail, &failure.hint].map(|text| text.in_language(reader.speech.0).into_owned());
    (detail, key(hint))
}

async fn provider(config: &ProviderConfig, wanted: bool, probe: bool, reader: Reader) -> DoctorFinding {
    let what = format!("{} {} ({})", text!(reader, "app-doctor-provider"), config.name, config.shown_url());
    let trouble = if wanted { DoctorFindingState::Bad } else { DoctorFindingState::Absent };
    let runner = match ModelRunner::new(config.clone()) {
        Ok(runner) => runner,
        Err(error) => {
            let (detail, hint) = error.in_both();
            let [detail, hint] = [detail, hint].map(|text| text.for_reader(reader.speech.0).to_owned());
            return DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint);
        }
    };
    let models = match tokio::time::timeout(TIMEOUT, runner.list_models()).await {
        Ok(Ok(models)) => redacted(config, models),
        Ok(Err(failure)) => {
            let (detail, hint) = in_words(config, failure, reader);
            return DoctorFinding::new(&what, trouble, detail, if wanted { hint } else { String::new() });
        }
        Err(_) => {
            let detail = text!(reader, "app-doctor-no-answer-within-10-s");
            return DoctorFinding::new(
                &what,
                trouble,
                detail,
                text!(reader, "app-doctor-running-check-address"),
            );
        }
    };
    let some: Vec<&str> = models.iter().take(5).map(String::as_str).collect();
    let count = models.len();
    let mut detail = text!(reader, "app-doctor-count-models", count, some = &some[..]);
    if count > some.len() {
        detail.push('…');
    }
    if let Some(card) = runner.shown_card().await {
        detail = card;
    }
    if let (true, Some(model)) = (probe, fitting(config, &models).as_ref().or(models.first())) {
        match tokio::time::timeout(PROBE_TIMEOUT, runner.probe(model, ModelParameters::default())).await {
            Ok(Ok(probed)) => detail
                .push_str(&text!(reader, "app-doctor-answered-ms", %model, latency_ms = %probed.latency_ms)),
            Ok(Err(refused)) => {
                let (detail, hint) = in_words(config, refused.failure, reader);
                return DoctorFinding::new(&what, DoctorFindingState::Bad, detail, hint);
            }
            Err(_) => {
                let slow = text!(reader, "app-doctor-probe-had-no-answer-within");
                return DoctorFinding::new(
                    &what,
                    DoctorFindingState::Bad,
                    slow,
                    text!(reader, "app-doctor-try-smaller-model"),
                );
            }
        }
    }
    DoctorFinding::new(&what, DoctorFindingState::Good, detail, "")
}
