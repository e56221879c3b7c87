//! The library of agents: described once, seated at many meetings.

use std::process::ExitCode;
use std::time::Duration;

use quorate_core::{AgentId, ModelParameters, Role, RunnerSpec, Temperament};
use quorate_engine::{Clock, SystemClock};
use quorate_runners::{ModelRunner, ProviderConfig};
use quorate_store::{Agent, Credential, SqliteStore};
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::print;
use super::providers::{given, nothing_given};
use crate::args::{
    AgentArgs, AgentsTask, CreateAgentArgs, KeyArgs, ListAgentsArgs, TestAgentArgs, UpdateAgentArgs,
    VoiceArgs,
};
use crate::error::CliError;
use crate::place::Place;
use crate::setup::{NO_FALLBACK, NewMeeting, UserFile, not_configured, providers_of, stored_credentials};
use crate::speech::Speech;

/// How long the one word of a test may take: a local model may have to be loaded first.
const PATIENCE: Duration = Duration::from_secs(120);

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
    let Some(runner) = runner(None, &args.voice)? else {
        return Err(CliError::usage(
            "nothing answers for this agent",
            "give --model PROVIDER/NAME, or --temperament KIND for a simulated one",
        )
        .with("field", "agent.model"));
    };
    let now = SystemClock.now();
    let agent = Agent {
        id: AgentId::new(uuid::Uuid::now_v7().to_string()),
        name: args.name,
        role: Role {
            name: args.role,
            description: text_of("--description", &args.description)?,
            system_prompt: args.voice.prompt.as_deref().map(prompt).transpose()?.unwrap_or_default(),
        },
        runner,
        created_ms: now,
        updated_ms: now,
    };
    let credential = credential_of(&agent, &args.key, speech)?;
    let store = place.open()?;
    let others = others_with(&store, &agent, credential.as_ref()).await?;
    let agent = store.create_agent(agent, credential).await?;
    said(place, &agent, args.json, speech.pick("已入库：", "in the library:"), speech);
    say_shared(&agent, &others, speech);
    Ok(ExitCode::SUCCESS)
}

async fn update(place: &Place, args: UpdateAgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let store = place.open()?;
    let before = store.agent(&args.agent).await?;
    let mut agent = before.clone();
    if let Some(runner) = runner(Some(&before.runner), &args.voice)? {
        agent.runner = runner;
    }
    agent.name = args.name.unwrap_or(agent.name);
    agent.role.name = args.role.unwrap_or(agent.role.name);
    if let Some(text) = &args.description {
        agent.role.description = text_of("--description", text)?;
    }
    if let Some(text) = &args.voice.prompt {
        agent.role.system_prompt = prompt(text)?;
    }
    let credential = credential_of(&agent, &args.key, speech)?;
    if agent == before && credential.is_none() {
        return Err(nothing_given());
    }
    agent.updated_ms = SystemClock.now().max(before.updated_ms);
    let others = others_with(&store, &agent, credential.as_ref()).await?;
    let agent = store.update_agent(agent, credential).await?;
    said(place, &agent, args.json, speech.pick("已更新：", "changed:"), speech);
    say_shared(&agent, &others, speech);
    Ok(ExitCode::SUCCESS)
}

async fn delete(place: &Place, args: AgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agent = read(place, &args.name).await?;
    let store = place.open()?;
    store.delete_agent(agent.id.as_str()).await?;
    match args.json {
        true => print(&json!({ "agent": agent.name, "deleted": true }).to_string()),
        false => anstream::eprintln!("{} {}", speech.pick("已删除：", "deleted:"), agent.name),
    }
    if let RunnerSpec::Model { provider, .. } = &agent.runner
        && store.credential_names().await?.iter().any(|(name, _)| name == provider)
        && others_at(&store, &agent).await?.is_empty()
    {
        let command = place.command(&format!("providers remove {provider}"));
        let text = speech.pick(
            format!("{provider} 的凭证仍然存放着；要删除："),
            format!("the credential of {provider} is still stored; to forget it:"),
        );
        anstream::eprintln!("{text} {command}");
    }
    Ok(ExitCode::SUCCESS)
}

async fn list(place: &Place, args: ListAgentsArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agents = match place.db.exists() {
        true => place.read()?.agents().await?,
        false => Vec::new(),
    };
    if agents.is_empty() && !args.json {
        let text = speech.pick("库里还没有人：", "there is nobody in the library yet:");
        anstream::eprintln!("{text} {}", place.command("agents create --help"));
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
            provider_named(place, &NewMeeting::default(), provider, false).await?
        }
        RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. } => None,
    };
    let key = provider.as_ref().map(|provider| key_source(provider));
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
        lines.push(format!("{} {}", speech.pick("指令：", "prompt:"), role.system_prompt));
    }
    lines.push(format!("{} {}", speech.pick("模型：", "model:"), runner.label()));
    if let RunnerSpec::Model { parameters, provider: name, fallback, .. } = runner {
        if let Some(fallback) = fallback {
            lines.push(format!("{} {}", speech.pick("备用模型：", "fallback:"), fallback.label()));
        }
        let parameters = serde_json::to_string(parameters).expect("parameters have only text keys");
        lines.push(format!("{} {parameters}", speech.pick("参数：", "parameters:")));
        lines.push(match (&provider, key) {
            (Some(provider), Some(key)) => speech.pick(
                format!("供应商： {}（密钥：{}）", provider.shown_url(), key_words(key, speech)),
                format!("provider: {} (key: {})", provider.shown_url(), key_words(key, speech)),
            ),
            (Some(_), None) | (None, _) => speech
                .pick(format!("供应商： {name} 没有配置"), format!("provider: {name} is not configured")),
        });
    }
    print(&lines.join("\n"));
    Ok(ExitCode::SUCCESS)
}

/// Asks the agent's model for one word (000, connection test; P8).
async fn test(place: &Place, args: TestAgentArgs, speech: Speech) -> Result<ExitCode, CliError> {
    let agent = read(place, &args.name).await?;
    let RunnerSpec::Model { provider: name, model, parameters, .. } = &agent.runner else {
        match args.json {
            true => print(&json!({ "agent": agent.name, "ok": true, "simulated": true }).to_string()),
            false => print(&speech.pick(
                format!("{} 由程序模拟，随时可以发言", agent.name),
                format!("{} is simulated, and can always speak", agent.name),
            )),
        }
        return Ok(ExitCode::SUCCESS);
    };
    let file = match &args.config {
        Some(path) => NewMeeting::read(path)?,
        None => NewMeeting::default(),
    };
    let Some(mut provider) = provider_named(place, &file, name, true).await? else {
        let missing = not_configured(&agent.name, name);
        return Err(CliError::api(name, None, missing.message(), missing.hint()));
    };
    // How it stands now is the question, not how it stands after some patience.
    provider.retries = 0;
    let runner = ModelRunner::new(provider)
        .map_err(|error| CliError::api(name, None, error.to_string(), error.hint()))?;
    let probe = match tokio::time::timeout(PATIENCE, runner.probe(model, *parameters)).await {
        Ok(probe) => probe?,
        Err(_) => {
            let message = format!("{name} had no answer within {} s", PATIENCE.as_secs());
            return Err(CliError::api(name, None, message, "try again, or choose a smaller model"));
        }
    };
    match args.json {
        true => print(
            &json!({
                "agent": agent.name, "ok": true, "provider": name, "model": model,
                "latency_ms": probe.latency_ms, "said": probe.said,
            })
            .to_string(),
        ),
        false => {
            let label = agent.runner.label();
            let (ms, said) = (probe.latency_ms, &probe.said);
            print(&speech.pick(
                format!("{}（{label}）用 {ms} 毫秒作答：{said}", agent.name),
                format!("{} ({label}) answered in {ms} ms: {said}", agent.name),
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// An agent, from a database that is only read.
async fn read(place: &Place, name: &str) -> Result<Agent, CliError> {
    Ok(place.read()?.agent(name).await?)
}

async fn provider_named(
    place: &Place,
    file: &NewMeeting,
    name: &str,
    ask: bool,
) -> Result<Option<ProviderConfig>, CliError> {
    let user = UserFile::read(&place.config)?;
    let mut providers = providers_of(file, &user, &stored_credentials(place).await?, ask).await?;
    Ok(providers.remove(name))
}

/// What answers from now on; nothing when the arguments do not touch it.
fn runner(before: Option<&RunnerSpec>, voice: &VoiceArgs) -> Result<Option<RunnerSpec>, CliError> {
    if let Some(name) = &voice.temperament {
        let temperament: Temperament = serde_json::from_value(name.as_str().into())
            .map_err(|error| CliError::usage(error.to_string(), "see --help").with("field", "temperament"))?;
        return match sampling(voice) {
            false => Ok(Some(RunnerSpec::Simulated { temperament })),
            true => Err(no_sampling()),
        };
    }
    let (provider, model, mut parameters) = match (&voice.model, before) {
        (Some(text), before) => {
            let (provider, model) = provider_and_model(text)?;
            let parameters = match before {
                Some(RunnerSpec::Model { parameters, .. }) => *parameters,
                Some(RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. }) | None => {
                    ModelParameters::default()
                }
            };
            (provider, model, parameters)
        }
        (None, _) if !sampling(voice) => return Ok(None),
        (None, Some(RunnerSpec::Model { provider, model, parameters, .. })) => {
            (provider.clone(), model.clone(), *parameters)
        }
        (None, Some(RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. })) => return Err(no_sampling()),
        (None, None) => return Ok(None),
    };
    parameters.temperature = voice.temperature.map_or(parameters.temperature, |setting| setting.0);
    parameters.top_p = voice.top_p.map_or(parameters.top_p, |setting| setting.0);
    parameters.max_tokens = voice.max_tokens.map_or(parameters.max_tokens, |setting| setting.0);
    parameters.effort = voice.effort.map_or(parameters.effort, |setting| setting.0.map(|effort| effort.0));
    let fallback = match (voice.fallback.as_deref(), before) {
        (Some(NO_FALLBACK), _) => None,
        (Some(text), _) => {
            let (provider, model) = provider_and_model(text)?;
            Some(RunnerSpec::Model { provider, model, parameters, price: None, fallback: None })
        }
        (None, Some(RunnerSpec::Model { fallback, .. })) => {
            fallback.as_deref().map(|own| match own.clone() {
                RunnerSpec::Model { provider, model, price, fallback, .. } => {
                    RunnerSpec::Model { provider, model, parameters, price, fallback }
                }
                other => other,
            })
        }
        (None, _) => None,
    };
    Ok(Some(RunnerSpec::Model { provider, model, parameters, price: None, fallback: fallback.map(Box::new) }))
}

/// `PROVIDER/NAME` in two.
fn provider_and_model(text: &str) -> Result<(String, String), CliError> {
    let named = text.split_once('/').filter(|(provider, name)| !provider.is_empty() && !name.is_empty());
    match named {
        None => Err(CliError::usage(
            format!("{text:?} does not say whose model it is"),
            "write PROVIDER/NAME, such as openai/gpt-5-mini or ollama/qwen3:8b",
        )
        .with("field", "agent.model")),
        Some(("process", _)) => Err(CliError::usage(
            "a process is configured where it runs, so the library cannot hold it",
            "seat it in the meeting file: process = \"NAME\" (see docs/meeting-file.md)",
        )
        .with("field", "agent.model")),
        Some((provider, model)) => Ok((provider.to_owned(), model.to_owned())),
    }
}

fn sampling(voice: &VoiceArgs) -> bool {
    let numbers = voice.temperature.is_some() || voice.top_p.is_some() || voice.max_tokens.is_some();
    numbers || voice.effort.is_some() || voice.fallback.is_some()
}

fn no_sampling() -> CliError {
    CliError::usage(
        "a simulated agent has no temperature, top-p or max-tokens, no effort and no fallback",
        "leave them out, or give it a model: --model PROVIDER/NAME",
    )
    .with("field", "agent.parameters")
}

/// What the arguments say about the agent's provider.
fn credential_of(agent: &Agent, key: &KeyArgs, speech: Speech) -> Result<Option<Credential>, CliError> {
    match &agent.runner {
        RunnerSpec::Model { provider, .. } => given(provider, key, speech),
        RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. } => {
            match key.base_url.is_some() || key.api_key_stdin || key.api_key_env.is_some() {
                false => Ok(None),
                true => Err(CliError::usage(
                    "a simulated agent needs no key and no address",
                    "leave them out, or give it a model: --model PROVIDER/NAME",
                )
                .with("field", "api_key")),
            }
        }
    }
}

/// Who else speaks through the provider whose stored credential is about to change.
async fn others_with(
    store: &SqliteStore,
    agent: &Agent,
    credential: Option<&Credential>,
) -> Result<Vec<String>, CliError> {
    match credential {
        Some(_) => others_at(store, agent).await,
        None => Ok(Vec::new()),
    }
}

async fn others_at(store: &SqliteStore, agent: &Agent) -> Result<Vec<String>, CliError> {
    let provider_of = |agent: &Agent| match &agent.runner {
        RunnerSpec::Model { provider, .. } => Some(provider.clone()),
        RunnerSpec::Simulated { .. } | RunnerSpec::Process { .. } => None,
    };
    let all = store.agents().await?;
    let others = all.iter().filter(|other| other.id != agent.id && provider_of(other) == provider_of(agent));
    Ok(others.map(|other| other.name.clone()).collect())
}

fn say_shared(agent: &Agent, others: &[String], speech: Speech) {
    if let (RunnerSpec::Model { provider, .. }, false) = (&agent.runner, others.is_empty()) {
        anstream::eprintln!(
            "{}",
            speech.pick(
                format!("{provider} 的凭证也用于：{}", others.join("、")),
                format!("the credential of {provider} is also used by {}", others.join(", ")),
            )
        );
    }
}

fn said(place: &Place, agent: &Agent, json: bool, what: &str, speech: Speech) {
    if json {
        print(&as_json(agent));
        return;
    }
    anstream::eprintln!("{what} {} ({}, {})", agent.name, agent.role.name, agent.runner.label());
    let name = match agent.name.chars().all(char::is_alphanumeric) {
        true => agent.name.clone(),
        false => format!("'{}'", agent.name.replace('\'', "'\\''")),
    };
    let command = place.command(&format!("agents test {name}"));
    anstream::eprintln!("{} {command}", speech.pick("试一试：", "try it:"));
}

fn as_json(agent: &Agent) -> String {
    serde_json::to_string(agent).expect("an agent has only text keys")
}

fn key_source(provider: &ProviderConfig) -> &'static str {
    let set = |variable: &String| std::env::var(variable).is_ok_and(|text| !text.trim().is_empty());
    match (&provider.key, &provider.key_variable, &provider.key_file) {
        (None, _, _) => "none",
        (Some(_), Some(variable), _) if set(variable) => "environment",
        (Some(_), _, Some(_)) => "file",
        (Some(_), _, None) => "stored",
    }
}

fn key_words(source: &'static str, speech: Speech) -> &'static str {
    match source {
        "environment" => speech.pick("来自环境变量", "from the environment"),
        "file" => speech.pick("来自文件", "from a file"),
        "stored" => speech.pick("已加密存放", "stored, sealed"),
        _ => speech.pick("没有", "none"),
    }
}

fn prompt(text: &str) -> Result<String, CliError> {
    text_of("--prompt", text)
}

/// The text itself, or with `@` the file that holds it.
fn text_of(option: &str, text: &str) -> Result<String, CliError> {
    match text.strip_prefix('@') {
        None => Ok(text.to_owned()),
        Some(path) => std::fs::read_to_string(path).map(|text| text.trim_end().to_owned()).map_err(|error| {
            CliError::usage(format!("{path} cannot be read: {error}"), format!("give {option} @FILE"))
        }),
    }
}
