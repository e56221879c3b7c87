//! The failure of one attempt: its kind, its remedy, its usage, and whether a retry can help.

use std::time::Duration;

use quorate_contract::{ContextWindow, FailureKind, Usage, Wording};

use super::proxy;
use crate::provider::ProviderConfig;

/// Whether the same request may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// No: it would end the same way.
    Never,
    /// Yes: nothing was done. Not before this time has passed, when the server named one.
    Safely(Option<Duration>),
    /// Unknown: it may have been carried out, and may have to be paid twice.
    Doubtful,
}

/// The usage of an attempt without an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Spent {
    /// None: the request was refused.
    Nothing,
    /// The provider did not say; at least about this many tokens were written.
    Unknown {
        /// Estimated from what came.
        written: u64,
    },
    /// The provider's counts.
    Counted(Box<Usage>),
}

/// One attempt without an answer.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) kind: FailureKind,
    pub(crate) detail: String,
    pub(crate) hint: Wording,
    pub(crate) again: Again,
    pub(crate) spent: Spent,
    /// The wait that the server asks for.
    pub(crate) asked: Option<Duration>,
    /// The status of an answer that was none, when there was one.
    pub(crate) status: Option<u16>,
    /// The server's words in lower case, when it did not accept the form of the request.
    pub(crate) refusal: Option<Box<str>>,
    /// The provider's own name for the request.
    pub(crate) request_id: Option<Box<str>>,
    /// The model's context window, when the server named it because the prompt did not fit.
    pub(crate) window: Option<ContextWindow>,
}

impl Trouble {
    /// A trouble after which it is unknown whether the provider did the work.
    pub(crate) fn doubtful(kind: FailureKind, detail: String, hint: impl Into<Wording>) -> Self {
        Self {
            kind,
            detail,
            hint: hint.into(),
            again: Again::Doubtful,
            spent: Spent::Unknown { written: 0 },
            asked: None,
            status: None,
            refusal: None,
            request_id: None,
            window: None,
        }
    }

    /// The same, but asking again would not help.
    pub(crate) fn final_one(self) -> Self {
        Self { again: Again::Never, ..self }
    }
}

/// The remedy for a kind of trouble with this provider. It is read in a terminal, on the page and in an
/// export, and the provider may be stored or written in a file. So it names the setting, and no command or
/// file.
pub(crate) fn hint(config: &ProviderConfig, kind: FailureKind) -> Wording {
    let name = &config.name;
    match kind {
        FailureKind::Authentication => match (&config.key_variable, &config.key_file) {
            (Some(variable), _) if config.key.is_none() => {
                (format!("set {variable} to a key of {name}"), format!("把 {variable} 设为 {name} 的密钥"))
            }
            (Some(variable), _) => (
                format!("check the key in {variable}, or give {name} another one"),
                format!("检查 {variable} 里的密钥，或为 {name} 换一个密钥"),
            ),
            (None, Some(file)) => (
                format!("check the key in {}, or give {name} another one", file.display()),
                format!("检查 {} 里的密钥，或为 {name} 换一个密钥", file.display()),
            ),
            // A key that neither the environment nor a file gave was stored.
            (None, None) if config.key.is_some() => (
                format!("store another key for the provider {name}"),
                format!("为供应商 {name} 保存另一个密钥"),
            ),
            (None, None) => (format!("give the provider {name} a key"), format!("为供应商 {name} 提供密钥")),
        },
        FailureKind::RateLimit => (
            format!("lower the concurrency of the provider {name}, or go on in a minute"),
            format!("降低供应商 {name} 的并发数，或过一分钟再继续"),
        ),
        FailureKind::Quota => (
            format!("add credit at {name}, or choose another provider"),
            format!("给 {name} 充值，或换一个供应商"),
        ),
        FailureKind::ModelUnknown => {
            (format!("choose one of the models that {name} lists"), format!("从 {name} 列出的模型里选一个"))
        }
        FailureKind::BadRequest => (
            format!("check base_url ({}) and the model's parameters", config.shown_url()),
            format!("检查接口地址（{}）和模型参数", config.shown_url()),
        ),
        FailureKind::Network => match proxy::shown(config) {
            Some(proxy) => (
                format!("are it and the proxy {proxy} running? base_url is {}", config.shown_url()),
                format!("确认它和代理 {proxy} 正在运行；接口地址是 {}", config.shown_url()),
            ),
            None => (
                format!("is it running? base_url is {}", config.shown_url()),
                format!("确认它正在运行；接口地址是 {}", config.shown_url()),
            ),
        },
        FailureKind::TimedOut => {
            (format!("raise the timeouts of the provider {name}"), format!("放宽供应商 {name} 的时限"))
        }
        FailureKind::Malformed => {
            let (url, title) = (config.shown_url(), config.wire.wire().title());
            (format!("does {url} speak the {title} format?"), format!("确认 {url} 使用 {title} 格式"))
        }
        FailureKind::NotConfigured => (
            format!("add the provider {name} with its address"),
            format!("添加供应商 {name}，并给出它的接口地址"),
        ),
        FailureKind::Overloaded => fixed("go on later, or choose another model", "稍后继续，或换一个模型"),
        FailureKind::ContextTooLong => fixed(
            "choose a model with a longer context, or let the meeting hand on less of its history",
            "换上下文更长的模型，或让会议少带一些历史",
        ),
        FailureKind::ContentRefused => {
            fixed("put the topic in other words, or choose another model", "换个说法描述主题，或换一个模型")
        }
        FailureKind::Empty => {
            fixed("choose another model, or allow it more tokens", "换一个模型，或允许它输出更多 token")
        }
        FailureKind::Left | FailureKind::Budget => fixed("nothing has to be done", "不需要做什么"),
    }
    .into()
}

fn fixed(en: &str, zh: &str) -> (String, String) {
    (en.to_owned(), zh.to_owned())
}

/// Two hints, one after the other.
pub(crate) fn joined(first: (String, String), then: &Wording) -> Wording {
    let (en, zh) = first;
    let chinese = then.chinese().unwrap_or_else(|| then.english());
    (format!("{en}; {}", then.english()), format!("{zh}；{chinese}")).into()
}

/// The likely correct address of a server whose address leads to something else.
pub(crate) fn wants_v1(url: &str) -> Wording {
    (
        format!("base_url is {url}; most servers want /v1 at its end"),
        format!("接口地址是 {url}；多数服务要求以 /v1 结尾"),
    )
        .into()
}

/// The same, where the format has an address of its own.
pub(crate) fn speaks(url: &str, title: &str) -> Wording {
    (
        format!("base_url is {url}; does it speak the {title} format?"),
        format!("接口地址是 {url}；确认它使用 {title} 格式"),
    )
        .into()
}

/// One line of at most 300 characters. Secrets must be redacted before: a key that is cut in half would no
/// longer be recognised.
pub(crate) fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_helps_is_said_in_both_languages_without_a_command() {
        use FailureKind as K;
        let config = ProviderConfig::new("lab", "http://127.0.0.1:9/v1".parse().expect("an address"));
        let kinds = [
            K::Authentication,
            K::RateLimit,
            K::Quota,
            K::Overloaded,
            K::ContextTooLong,
            K::ContentRefused,
            K::ModelUnknown,
            K::BadRequest,
            K::Network,
            K::TimedOut,
            K::Malformed,
            K::Empty,
            K::Left,
            K::Budget,
            K::NotConfigured,
        ];
        for kind in kinds {
            let hint = hint(&config, kind);
            let chinese = hint.chinese().expect("in Chinese, too");
            assert!(chinese.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{kind:?}: {chinese}");
            assert!(!hint.english().contains("quorate ") && !chinese.contains("quorate "), "{kind:?}");
        }
    }
}
