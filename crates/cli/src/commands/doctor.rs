//! Says what is configured, reachable or wrong, and how to mend it.

use std::process::ExitCode;
use std::time::Duration;

use quorate_core::{ModelParameters, clean};
use quorate_runners::{ModelRunner, ProcessConfig, ProviderConfig};
use quorate_store::{SqliteStore, StoreError};
use serde::Serialize;

use super::print;
use super::providers::source_words;
use crate::args::DoctorArgs;
use crate::error::CliError;
use crate::place::Place;
use crate::setup::{
    Found, NewMeeting, OLLAMA, Source, UserFile, fitting, found_providers, processes_of, redacted,
    stored_credentials,
};
use crate::speech::Speech;

/// How long a server may take to list its models.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long the one word of `--probe` may take.
const PROBE_PATIENCE: Duration = Duration::from_secs(120);

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Health {
    Good,
    /// Not there, and not needed.
    Absent,
    Bad,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Finding {
    what: String,
    health: Health,
    detail: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    hint: String,
}

fn finding(what: &str, health: Health, detail: impl Into<String>, hint: impl Into<String>) -> Finding {
    // A server's words are shown as words, whatever they hold.
    let (what, detail, hint) = (clean(what), clean(&detail.into()), clean(&hint.into()));
    Finding { what, health, detail, hint }
}

/// Looks at everything a meeting needs.
pub(crate) async fn doctor(place: &Place, args: DoctorArgs, speech: Speech) -> Result<ExitCode, CliError> {
    quorate_runners::install_tls();
    let mut findings =
        vec![finding("quorate", Health::Good, env!("CARGO_PKG_VERSION"), ""), database(place, speech).await];
    let file = match &args.config {
        Some(path) => NewMeeting::read(path)?,
        None => NewMeeting::default(),
    };
    let user = UserFile::read(&place.config)?;
    let config = place.config.display().to_string();
    findings.push(match place.config.exists() {
        true => finding(speech.pick("配置", "configuration"), Health::Good, config, ""),
        false => finding(
            speech.pick("配置", "configuration"),
            Health::Absent,
            speech
                .pick(format!("没有 {config}（不是必需）"), format!("there is no {config} (none is needed)")),
            "",
        ),
    });
    let stored = match stored_credentials(place).await {
        Ok(stored) => stored,
        Err(error) => {
            let what = speech.pick("存放的凭证", "stored credentials");
            findings.push(finding(what, Health::Bad, error.message(), error.hint()));
            Vec::new()
        }
    };
    let providers = found_providers(&file, &user, &stored, true).await?;
    let mut usable = 0;
    for Found { config, source } in providers.values() {
        // What nobody asked for may be absent, and is looked for only where meetings look, too.
        let wanted = *source != Source::Preset;
        if !wanted && config.name != OLLAMA {
            continue;
        }
        let mut finding = provider(config, wanted, args.probe, speech).await;
        if wanted {
            finding.detail = format!("{} · {}", finding.detail, source_words(source, speech));
        }
        usable += usize::from(finding.health == Health::Good);
        findings.push(finding);
    }
    findings.extend(processes_of(&file, &user).values().map(|config| process(config, speech)));
    if usable == 0 {
        findings.push(finding(
            speech.pick("模型", "models"),
            Health::Absent,
            speech.pick(
                "没有可用的模型，会议将由模拟参会者进行",
                "no model can be used; meetings are held by simulated participants",
            ),
            speech.pick(
                "设置 OPENAI_API_KEY 等密钥（quorate providers list --presets 列出全部），或 OPENAI_BASE_URL，或启动 Ollama",
                "set OPENAI_API_KEY or another key (quorate providers list --presets lists them), or OPENAI_BASE_URL, \
                 or start Ollama",
            ),
        ));
    }
    let bad = findings.iter().filter(|finding| finding.health == Health::Bad).count();
    if args.json {
        print(&serde_json::to_string(&findings).expect("findings have only text keys"));
    } else {
        for Finding { what, health, detail, hint } in &findings {
            let mark = match health {
                Health::Good => "✓",
                Health::Absent => "–",
                Health::Bad => "✗",
            };
            print(&format!("{mark} {what}{}{detail}", speech.pick("：", ": ")));
            if !hint.is_empty() {
                print(&format!("    {hint}"));
            }
        }
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn database(place: &Place, speech: Speech) -> Finding {
    let what = speech.pick("数据库", "database");
    let path = place.db.display().to_string();
    if !place.db.exists() {
        let detail = speech.pick(
            format!("{path} 尚不存在，第一场会议会创建它"),
            format!("{path} does not exist yet; the first meeting makes it"),
        );
        return finding(what, Health::Absent, detail, "");
    }
    let opened = match SqliteStore::open(&place.db) {
        Ok(store) => Ok((store, "")),
        Err(StoreError::InUse { .. }) => SqliteStore::open_read_only(&place.db)
            .map(|store| (store, speech.pick("，另一个进程正在使用", ", in use by another process"))),
        Err(error) => Err(error),
    };
    match opened {
        Ok((store, used)) => match store.meetings(1, 0).await {
            Ok(_) | Err(StoreError::NoMeetings) => finding(what, Health::Good, format!("{path}{used}"), ""),
            Err(error) => finding(what, Health::Bad, error.to_string(), error.hint()),
        },
        Err(error) => finding(what, Health::Bad, error.to_string(), error.hint()),
    }
}

/// Whether a process could be started; none is.
fn process(config: &ProcessConfig, speech: Speech) -> Finding {
    let what = format!("{} {}", speech.pick("进程", "process"), config.name);
    if let Err(error) = config.check() {
        return finding(&what, Health::Bad, error.to_string(), error.hint());
    }
    let program = config.command.first().map_or("", String::as_str);
    let Some(found) = config.find_program() else {
        let detail =
            speech.pick(format!("找不到程序 {program:?}"), format!("the program {program:?} was not found"));
        let name = &config.name;
        let hint = speech.pick(
            format!("安装它，或修改 [processes.{name}] 的 command"),
            format!("install it, or change command in [processes.{name}]"),
        );
        return finding(&what, Health::Bad, detail, hint);
    };
    if let Some(folder) = config.cwd.as_ref().filter(|folder| !folder.is_dir()) {
        let folder = folder.display();
        let detail = speech.pick(format!("没有文件夹 {folder}"), format!("there is no folder {folder}"));
        return finding(&what, Health::Bad, detail, speech.pick("修改 cwd", "change cwd"));
    }
    let unset = config.unset_variables();
    match unset.is_empty() {
        true => finding(&what, Health::Good, found.display().to_string(), ""),
        false => finding(
            &what,
            Health::Good,
            found.display().to_string(),
            speech.pick(
                format!("它要用的变量尚未设置：{}", unset.join("、")),
                format!("variables that it asks for are not set: {}", unset.join(", ")),
            ),
        ),
    }
}

async fn provider(config: &ProviderConfig, wanted: bool, probe: bool, speech: Speech) -> Finding {
    let what = format!("{} {} ({})", speech.pick("供应商", "provider"), config.name, config.shown_url());
    let trouble = if wanted { Health::Bad } else { Health::Absent };
    let runner = match ModelRunner::new(config.clone()) {
        Ok(runner) => runner,
        Err(error) => return finding(&what, Health::Bad, error.to_string(), error.hint()),
    };
    let models = match tokio::time::timeout(PATIENCE, runner.list_models()).await {
        Ok(Ok(models)) => redacted(config, models),
        Ok(Err(failure)) => {
            let hint = if wanted { failure.hint } else { String::new() };
            return finding(&what, trouble, failure.detail, hint);
        }
        Err(_) => {
            let detail = speech.pick("10 秒内没有响应", "no answer within 10 s");
            return finding(
                &what,
                trouble,
                detail,
                speech.pick("服务在运行吗？检查地址", "is it running? check the address"),
            );
        }
    };
    let some: Vec<&str> = models.iter().take(5).map(String::as_str).collect();
    let count = models.len();
    let mut detail = speech
        .pick(format!("{count} 个模型：{}", some.join("、")), format!("{count} models: {}", some.join(", ")));
    if count > some.len() {
        detail.push('…');
    }
    if let (true, Some(model)) = (probe, fitting(config, &models).as_ref().or(models.first())) {
        match tokio::time::timeout(PROBE_PATIENCE, runner.probe(model, ModelParameters::default())).await {
            Ok(Ok(probed)) => detail.push_str(&speech.pick(
                format!("；{model} 用 {} 毫秒作答", probed.latency_ms),
                format!("; {model} answered in {} ms", probed.latency_ms),
            )),
            Ok(Err(refused)) => {
                return finding(&what, Health::Bad, refused.failure.detail, refused.failure.hint);
            }
            Err(_) => {
                let slow = speech.pick("试问超过 120 秒没有回答", "the probe had no answer within 120 s");
                return finding(
                    &what,
                    Health::Bad,
                    slow,
                    speech.pick("换一个更小的模型", "try a smaller model"),
                );
            }
        }
    }
    finding(&what, Health::Good, detail, "")
}
