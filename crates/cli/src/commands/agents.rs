//! The library of agents: described once, taking part in many meetings.

use std::process::ExitCode;

use quorate_app::{
    Agent, AgentRequest, LocalDatabase, ProviderConfig, SavedAgent, UseCase, key_source, nothing_given,
    simulated_needs_no_key, test_agent,
};
use quorate_contract::RunnerSpec;
use quorate_messages::{io_problem, message, text};
use reqwest::Method;
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::print;
use super::providers::key;
use crate::args::{
    AgentArgs, AgentsTask, CreateAgentArgs, KeyArgs, ListAgentsArgs, TestAgentArgs, UpdateAgentArgs,
    VoiceArgs,
};
use crate::error::CliError;
use crate::language::Speech;
use crate::place::Place;
use crate::remote::{Writer, part};
use crate::setup::{CreateMeetingRequest, UserFile, providers_of, stored_credentials};

/// Does what was asked of the library.
pub(crate) async fn agents(place: &Place, task: AgentsTask, speech: Speech) -> Result<ExitCode, CliError> {
    match task {
        AgentsTask::Create(args) => create(place, *args, speech).await,
        AgentsTask::Update(args) => update(place, *args, speech).await,
        AgentsTask::Delete(args) => delete(place, args, speech).await,
        AgentsTask::List(args) => list(place, args, speech).await,
        AgentsTask::Show(args) => show(place, args, speech).await,
        AgentsTask::Test(args) => test(place, args, speech).await,
    }
}

async fn create(place: &Place, args: CreateAgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let mut request = AgentRequest {
        name: Some(args.name),
        role: Some(args.role),
        description: Some(text_of("--description", &args.description)?),
        ..request(&args.voice)?
    };
    let agent = request.new_agent()?;
    add_key(&mut request, &agent, &args.key, speech)?;
    let saved = match Writer::find(place)? {
        Writer::Here(store) => store.create_agent(request).await?,
        Writer::Server(server, store) => {
            let answer = server.ask(Method::POST, "/agents", Some(&request.to_body())).await?;
            saved_at(&store, answer).await?
        }
    };
    said(place, &saved.agent, args.json, text!(speech, "cli-agents-library"), speech);
    say_shared(&saved, speech);
    Ok(ExitCode::SUCCESS)
}

async fn update(place: &Place, args: UpdateAgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    let before = store.agent(&args.agent).await?;
    let description = args.description.as_deref().map(|text| text_of("--description", text)).transpose()?;
    let mut request = AgentRequest { name: args.name, role: args.role, description, ..request(&args.voice)? };
    let agent = request.changed(&before)?;
    add_key(&mut request, &agent, &args.key, speech)?;
    if agent == before && request.api_key.is_none() && request.base_url.is_none() {
        return Err(nothing_given());
    }
    let saved = match &writer {
        Writer::Here(store) => store.update_agent(&before, request).await?,
        Writer::Server(server, store) => {
            let path = format!("/agents/{}", part(before.id.as_str()));
            let answer = server.ask(Method::PATCH, &path, Some(&request.to_body())).await?;
            saved_at(store, answer).await?
        }
    };
    said(place, &saved.agent, args.json, text!(speech, "cli-agents-changed"), speech);
    say_shared(&saved, speech);
    Ok(ExitCode::SUCCESS)
}

async fn delete(place: &Place, args: AgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agent = read(place, &args.name).await?;
    let writer = Writer::find(place)?;
    let (Writer::Here(store) | Writer::Server(_, store)) = &writer;
    match &writer {
        Writer::Here(store) => store.delete_agent(&agent).await?,
        Writer::Server(server, _) => {
            let path = format!("/agents/{}", part(agent.id.as_str()));
            server.ask::<Value>(Method::DELETE, &path, None).await?;
        }
    }
    match args.json {
        true => print(&json!({ "agent": agent.name, "deleted": true }).to_string()),
        false => anstream::eprintln!("{}{}", text!(speech, "cli-agents-deleted"), agent.name),
    }
    if let RunnerSpec::Model { provider, .. } = &agent.runner
        && store.has_credential(provider).await?
        && store.others_at(&agent).await?.is_empty()
    {
        let command = place.command(&format!("providers remove {provider}"));
        let text = text!(speech, "cli-agents-credential-still-stored-forget", %provider);
        anstream::eprintln!("{text}{command}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The server's response after saving an agent.
#[derive(serde::Deserialize)]
struct Saved {
    /// The agent's name as it was saved; the rest is read from the database.
    name: String,
    #[serde(default)]
    shared_with: Vec<String>,
}

async fn saved_at(store: &LocalDatabase, answer: Saved) -> Result<SavedAgent, CliError> {
    let agent = store.agent(&answer.name).await?;
    Ok(SavedAgent { agent, shared_with: answer.shared_with })
}

async fn list(place: &Place, args: ListAgentsArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agents = match place.has_database() {
        true => place.read()?.agents().await?,
        false => Vec::new(),
    };
    if agents.is_empty() && !args.json {
        let text = text!(speech, "cli-agents-there-nobody-library-yet");
        anstream::eprintln!("{text}{}", place.command("agents create --help"));
    }
    let width = |column: fn(&Agent) -> &str| agents.iter().map(|agent| column(agent).width()).max();
    let names = width(|agent| &agent.name).unwrap_or(0);
    let roles = width(|agent| &agent.role.name).unwrap_or(0);
    let padded = |text: &str, to: usize| format!("{text}{}", " ".repeat(to.saturating_sub(text.width())));
    for agent in &agents {
        match args.json {
            true => print(&as_json(agent)),
            false => print(&format!(
                "{}  {}  {}",
                padded(&agent.name, names),
                padded(&agent.role.name, roles),
                agent.runner.label()
            )),
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(place: &Place, args: AgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agent = read(place, &args.name).await?;
    let provider = match &agent.runner {
        RunnerSpec::Model { provider, .. } => {
            provider_named(place, &CreateMeetingRequest::default(), provider, false).await?
        }
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => None,
    };
    let key = provider.as_ref().map(key_source);
    let key = key.as_deref().map(|source| source.split(':').next().unwrap_or(source));
    if args.json {
        let mut shown = serde_json::to_value(&agent).expect("an agent has only text keys");
        shown["base_url"] = provider.as_ref().map(ProviderConfig::shown_url).into();
        shown["key"] = key.into();
        print(&shown.to_string());
        return Ok(ExitCode::SUCCESS);
    }
    let Agent { name, role, runner, .. } = &agent;
    let mut lines = vec![format!("{name} · {}", role.name), role.description.clone()];
    if !role.system_prompt.is_empty() {
        lines.push(format!("{}{}", text!(speech, "cli-agents-prompt"), role.system_prompt));
    }
    lines.push(format!("{}{}", text!(speech, "cli-agents-model"), runner.label()));
    if let RunnerSpec::Model { parameters, provider: name, fallback, .. } = runner {
        if let Some(fallback) = fallback {
            lines.push(format!("{}{}", text!(speech, "cli-agents-fallback"), fallback.label()));
        }
        let parameters = serde_json::to_string(parameters).expect("parameters have only text keys");
        lines.push(format!("{}{parameters}", text!(speech, "cli-agents-parameters")));
        lines.push(match (&provider, key) {
            (Some(provider), Some(key)) => text!(speech, "cli-agents-provider-key", shown_url = %provider.shown_url(), key_words = %key_words(key, speech)),
            (Some(_), None) | (None, _) => text!(speech, "cli-agents-provider-not-configured", %name),
        });
    }
    print(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}

/// Tests the connection by asking the agent's model for one word.
async fn test(place: &Place, args: TestAgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agent = read(place, &args.name).await?;
    let file = match &args.config {
        Some(path) => CreateMeetingRequest::read(path)?,
        None => CreateMeetingRequest::default(),
    };
    let tested = test_agent(&place.sources(), &file, &agent).await;
    let tested = place.noted(UseCase::TestAgent, json!({ "name": agent.name }), tested).await?;
    let (RunnerSpec::Model { provider, model, .. }, Some(probe)) = (&agent.runner, tested) else {
        match args.json {
            true => print(&json!({ "agent": agent.name, "ok": true, "simulated": true }).to_string()),
            false => print(&text!(speech, "cli-agents-simulated-can-always-speak", name = %agent.name)),
        }
        return Ok(ExitCode::SUCCESS);
    };
    match args.json {
        true => print(
            &json!({
                "agent": agent.name, "ok": true, "provider": provider, "model": model,
                "latency_ms": probe.latency_ms, "said": probe.said,
            })
            .to_string(),
        ),
        false => {
            let label = agent.runner.label();
            let (ms, said) = (probe.latency_ms, &probe.said);
            print(&text!(speech, "cli-agents-answered-ms", name = %agent.name, %label, %ms, %said));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An agent, from a database that is only read.
async fn read(place: &Place, name: &str) -> Result<Agent, CliError> {
    place.read()?.agent(name).await
}

async fn provider_named(
    place: &Place,
    file: &CreateMeetingRequest,
    name: &str,
    ask: bool,
) -> Result<Option<ProviderConfig>, CliError> {
    let user = UserFile::read(&place.config)?;
    let mut providers = providers_of(file, &user, &stored_credentials(place).await?, ask).await?;
    Ok(providers.remove(name))
}

/// The agent's settings in the arguments.
fn request(voice: &VoiceArgs) -> Result<AgentRequest, CliError> {
    let temperament = |name: &str| {
        serde_json::from_value(name.into()).map_err(|_| {
            CliError::usage(message!("cli-setup-no-temperament", name), message!("cli-see-help"))
                .with("field", "temperament")
        })
    };
    let temperament = voice.temperament.as_deref().map(temperament).transpose()?;
    Ok(AgentRequest {
        system_prompt: voice.prompt.as_deref().map(|text| text_of("--prompt", text)).transpose()?,
        model: voice.model.clone(),
        fallback: voice.fallback.clone(),
        temperament,
        temperature: voice.temperature.map(|setting| setting.0),
        top_p: voice.top_p.map(|setting| setting.0),
        max_tokens: voice.max_tokens.map(|setting| setting.0),
        effort: voice.effort.map(|setting| setting.0.map(|effort| effort.0)),
        allow_local: true,
        ..AgentRequest::default()
    })
}

/// Adds the agent's provider credential from the arguments. The key is read only where one is needed.
fn add_key(
    request: &mut AgentRequest,
    agent: &Agent,
    args: &KeyArgs,
    speech: Speech,
) -> Result<(), CliError> {
    match &agent.runner {
        RunnerSpec::Model { provider, .. } => {
            request.api_key = key(provider, args, speech)?;
            request.base_url.clone_from(&args.base_url);
            Ok(())
        }
        RunnerSpec::Simulated { .. }
        | RunnerSpec::Process { .. }
        | RunnerSpec::Acp { .. }
        | RunnerSpec::External { .. } => {
            match args.base_url.is_some() || args.api_key_stdin || args.api_key_env.is_some() {
                false => Ok(()),
                true => Err(simulated_needs_no_key()),
            }
        }
    }
}

fn say_shared(saved: &SavedAgent, speech: Speech) {
    let SavedAgent { agent, shared_with: others } = saved;
    if let (RunnerSpec::Model { provider, .. }, false) = (&agent.runner, others.is_empty()) {
        anstream::eprintln!("{}", text!(speech, "cli-agents-shared", provider, others = &others[..]));
    }
}

fn said(place: &Place, agent: &Agent, json: bool, what: &str, speech: Speech) {
    if json {
        print(&as_json(agent));
        return;
    }
    let (name, role, label) = (&agent.name, &agent.role.name, agent.runner.label_for(speech.0));
    anstream::eprintln!("{what}{}", text!(speech, "cli-agents-said", name, role, %label));
    let name = match agent.name.chars().all(char::is_alphanumeric) {
        true => agent.name.clone(),
        false => format!("'{}'", agent.name.replace('\'', "'\\''")),
    };
    let command = place.command(&format!("agents test {name}"));
    anstream::eprintln!("{}{command}", text!(speech, "cli-agents-try"));
}

fn as_json(agent: &Agent) -> String {
    serde_json::to_string(agent).expect("an agent has only text keys")
}

fn key_words(source: &str, speech: Speech) -> &'static str {
    match source {
        "environment" => text!(speech, "cli-agents-from-environment"),
        "file" => text!(speech, "cli-agents-from-file"),
        "stored" => text!(speech, "cli-agents-stored-sealed"),
        _ => text!(speech, "cli-agents-none"),
    }
}

/// The text itself, or with `@` the file that holds it.
fn text_of(option: &str, text: &str) -> Result<String, CliError> {
    match text.strip_prefix('@') {
        None => Ok(text.to_owned()),
        Some(path) => std::fs::read_to_string(path).map(|text| text.trim_end().to_owned()).map_err(|error| {
            CliError::usage(
                message!("common-unreadable", path, error = io_problem(&error)),
                message!("cli-give-file", option),
            )
        }),
    }
}
