//! Says what is configured, reachable or wrong, and how to mend it.

use std::process::ExitCode;
use std::time::Duration;

use quorate_contract::{
    Failure, FailureKind, Language, ModelParameters, clean, failure_advice, failure_text,
};
use quorate_engine::EngineError;
use quorate_runners::{ModelRunner, ProcessConfig, ProviderConfig};
use quorate_store::{SqliteStore, StoreError};
use serde::Serialize;

use super::print;
use super::providers::source_words;
use crate::args::DoctorArgs;
use crate::error::CliError;
use crate::place::{Place, with_database};
use crate::setup::{
    Found, NewMeeting, OLLAMA, Source, UserFile, fitting, found_providers, processes_of, redacted,
    stored_credentials,
};
use crate::speech::Speech;

/// How long a server may take to list its models.
const TIMEOUT: Duration = Duration::from_secs(10);
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
    let (what, detail, hint) = (clean(what), clean(&detail.into()), clean(&with_database(&hint.into())));
    Finding { what, health, detail, hint }
}

/// Looks at everything a meeting needs.
pub(crate) async fn doctor(place: &Place, args: DoctorArgs, speech: Speech) -> Result<ExitCode, CliError> {
    quorate_runners::install_tls();
    let mut findings =
        vec![finding("quorate", Health::Good, env!("CARGO_PKG_VERSION"), ""), database(place, speech).await];
    findings.extend(quarantined(place, speech).await);
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
            let error = error.at_terminal(speech);
            findings.push(finding(what, Health::Bad, error.message(), error.hint()));
            Vec::new()
        }
    };
    // One that cannot be used does not hide the others.
    let (stored, broken): (Vec<_>, Vec<_>) =
        stored.into_iter().partition(|credential| quorate_app::stored(credential).is_ok());
    for credential in &broken {
        if let Err(error) = quorate_app::stored(credential) {
            let what = format!("{} {}", speech.pick("供应商", "provider"), credential.provider);
            let error = error.at_terminal(speech);
            findings.push(finding(&what, Health::Bad, error.message(), error.hint()));
        }
    }
    let providers = found_providers(&file, &user, &stored, true).await?;
    for credential in stored.iter().filter(|credential| !providers.contains_key(&credential.provider)) {
        let what = format!("{} {}", speech.pick("供应商", "provider"), credential.provider);
        let detail = speech.pick("已存放，但没有接口地址", "is stored, and nothing says where its API is");
        let hint = speech.pick(
            format!("给出地址：quorate providers add {} --base-url URL", credential.provider),
            format!("give its address: quorate providers add {} --base-url URL", credential.provider),
        );
        findings.push(finding(&what, Health::Bad, detail, hint));
    }
    let (mut usable, mut meant) = (0, broken.len());
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
        meant += usize::from(wanted);
        findings.push(finding);
    }
    findings.extend(processes_of(&file, &user).values().map(|config| process(config, speech)));
    if usable == 0 && meant > 0 {
        findings.push(finding(
            speech.pick("模型", "models"),
            Health::Bad,
            speech.pick(
                "已配置的供应商都不可用，会议无法用真实模型开始",
                "no provider that is configured works, so no meeting can begin with models",
            ),
            speech.pick(
                "修好上面的任一个；--simulate 可由模拟参会者进行",
                "mend one of those above; --simulate holds a meeting of simulated participants",
            ),
        ));
    } else if usable == 0 {
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
        Ok(store) => Ok((store, "", String::new())),
        Err(StoreError::InUse { .. }) => SqliteStore::open_read_only(&place.db).map(|store| {
            (store, speech.pick("，另一个进程正在使用", ", in use by another process"), String::new())
        }),
        // Where nothing can be written, as in a read-only folder, meetings can still be read.
        Err(error) => match SqliteStore::open_read_only(&place.db) {
            Ok(store) => {
                let hint = speech
                    .pick(format!("这里不能开会：{error}"), format!("no meeting can be held here: {error}"));
                Ok((store, speech.pick("，只能读取", ", can only be read"), hint))
            }
            Err(_) => Err(error),
        },
    };
    match opened {
        Ok((store, used, hint)) => match store.meetings(1, 0).await {
            Ok(_) | Err(StoreError::NoMeetings) => finding(what, Health::Good, format!("{path}{used}"), hint),
            Err(error) => stored_badly(what, error.into(), speech),
        },
        Err(error) => stored_badly(what, error.into(), speech),
    }
}

fn stored_badly(what: &str, error: CliError, speech: Speech) -> Finding {
    let error = error.at_terminal(speech);
    finding(what, Health::Bad, error.message(), error.hint())
}

/// The meetings that run no more because they failed again and again.
async fn quarantined(place: &Place, speech: Speech) -> Vec<Finding> {
    let Ok(store) = SqliteStore::open_read_only(&place.db) else { return Vec::new() };
    let faults = store.faults().await.unwrap_or_default();
    let found = faults.into_iter().map(|(id, fault)| {
        let what = format!("{} {id}", speech.pick("会议", "meeting"));
        let error = CliError::from(EngineError::Quarantined(Box::new(fault))).at_terminal(speech);
        let command = place.command(&format!("resume {id}"));
        finding(&what, Health::Bad, error.message(), format!("{} — {command}", error.hint()))
    });
    found.collect()
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

/// What a provider's failure means and what helps; its own words are quoted in Chinese.
fn in_words(config: &ProviderConfig, failure: Failure, speech: Speech) -> (String, String) {
    let key = |hint: String| match (failure.kind, &config.key_variable) {
        // Here is where a key is stored, too.
        (FailureKind::Authentication, None) => {
            let name = &config.name;
            speech.pick(
                format!("重新存放密钥：quorate providers add {name} --api-key-stdin"),
                format!("store another key: quorate providers add {name} --api-key-stdin"),
            )
        }
        _ => hint,
    };
    match speech.0 {
        Language::En => (failure.detail, key(failure.hint.english().to_owned())),
        Language::Zh => {
            let detail = format!("{}：“{}”", failure_text(Language::Zh, failure.kind), failure.detail);
            let advice = || failure_advice(Language::Zh, failure.kind);
            (detail, key(failure.hint.chinese().unwrap_or_else(advice).to_owned()))
        }
    }
}

async fn provider(config: &ProviderConfig, wanted: bool, probe: bool, speech: Speech) -> Finding {
    let what = format!("{} {} ({})", speech.pick("供应商", "provider"), config.name, config.shown_url());
    let trouble = if wanted { Health::Bad } else { Health::Absent };
    let runner = match ModelRunner::new(config.clone()) {
        Ok(runner) => runner,
        Err(error) => return finding(&what, Health::Bad, error.to_string(), error.hint()),
    };
    let models = match tokio::time::timeout(TIMEOUT, runner.list_models()).await {
        Ok(Ok(models)) => redacted(config, models),
        Ok(Err(failure)) => {
            let (detail, hint) = in_words(config, failure, speech);
            return finding(&what, trouble, detail, if wanted { hint } else { String::new() });
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
                let (detail, hint) = in_words(config, refused.failure, speech);
                return finding(&what, Health::Bad, detail, hint);
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
