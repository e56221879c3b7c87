//! Denials: answers of [`crate::App::perform`] itself, before a use case begins.

use quorate_contract::{MeetingId, Wording};

use crate::error::{ErrorKind, ServiceError};
use crate::principal::Scope;
use crate::use_case::UseCase;

/// The reason why a call was denied. Each variant is a situation in which the caller does something different
/// next.
#[derive(Debug, Clone)]
pub enum Denial {
    /// The caller has not signed in.
    NotSignedIn,
    /// The meeting does not exist, or the caller may not see it.
    NoSuchMeeting(MeetingId),
    /// The scope of the caller is too narrow.
    Forbidden {
        /// The least scope that is wide enough.
        needed: Option<Scope>,
    },
    /// The meeting asks for its password.
    Locked,
    /// The caller has called too often.
    TooManyCalls {
        /// After how many seconds it may call again.
        retry_after: u64,
    },
    /// There were too many attempts to sign in, to join or to enter.
    TooManyAttempts {
        /// After how many seconds the next one may come.
        retry_after: u64,
    },
    /// The limit of running meetings is reached.
    TooManyMeetings {
        /// The number of running meetings.
        running: u64,
    },
    /// The idempotency key came with another request before.
    KeyReused,
    /// The first request with this idempotency key is not answered yet.
    StillRunning,
    /// The process stopped during the first request with this idempotency key.
    Interrupted {
        /// The use case.
        use_case: UseCase,
        /// The meeting.
        meeting: Option<MeetingId>,
    },
    /// The program itself did not do its part.
    Failed(Box<ServiceError>),
}

impl Denial {
    /// The message and the hint. Hints that hold for one transport only, such as where to sign in, are added
    /// there.
    pub fn in_both(&self) -> (Wording, Wording) {
        let of = |message: (&str, &str), hint: (&str, &str)| (message.into(), hint.into());
        match self {
            Self::NotSignedIn => of(("nobody has signed in", "尚未登录"), ("sign in first", "请先登录")),
            Self::NoSuchMeeting(id) => (
                (
                    format!("there is no meeting {:?} for you", id.as_str()),
                    format!("没有你能看到的会议“{id}”"),
                )
                    .into(),
                ("look at the list of meetings", "查看会议列表").into(),
            ),
            Self::Forbidden { .. } => of(
                ("you may not do this", "你没有权限做这件事"),
                (
                    "ask the owner of this server for a token with a wider scope",
                    "请服务的所有者发放权限更大的令牌",
                ),
            ),
            Self::Locked => of(
                ("this meeting asks for its password", "进入这个会议需要密码"),
                ("give it at /api/v1/meetings/{id}/enter", "在 /api/v1/meetings/{id}/enter 提供密码"),
            ),
            Self::TooManyCalls { retry_after } => {
                (("there were too many requests", "请求过多").into(), wait(*retry_after))
            }
            Self::TooManyAttempts { retry_after } => {
                (("there were too many attempts to sign in", "登录尝试过多").into(), wait(*retry_after))
            }
            Self::TooManyMeetings { running } => (
                (format!("{running} meetings run already"), format!("已有 {running} 场会议在进行")).into(),
                ("wait until one of them ends, or pause one", "等其中一场结束，或暂停一场").into(),
            ),
            Self::KeyReused => of(
                ("the key came with another request before", "这个键已用于另一请求"),
                ("make a new key for each request", "每个请求用新的键"),
            ),
            Self::StillRunning => of(
                ("the first request with this key is not answered yet", "带此键的第一个请求尚未完成"),
                ("ask again with the same key", "稍后用同一个键再问"),
            ),
            Self::Interrupted { use_case, meeting } => interrupted(*use_case, meeting.as_ref()),
            Self::Failed(error) => error.in_both(),
        }
    }
}

/// The hint for a caller beyond its limit.
fn wait(seconds: u64) -> Wording {
    (format!("wait {seconds} s, then try again"), format!("等待 {seconds} 秒后再试")).into()
}

impl From<ServiceError> for Denial {
    fn from(error: ServiceError) -> Self {
        Self::Failed(Box::new(error))
    }
}

impl From<Denial> for ServiceError {
    fn from(denial: Denial) -> Self {
        let kind = match denial {
            Denial::Failed(error) => return *error,
            Denial::NoSuchMeeting(ref id) => {
                let (message, hint) = denial.in_both();
                return Self::new(message, hint).not_found("meeting", id.as_str());
            }
            Denial::NotSignedIn | Denial::Forbidden { .. } | Denial::Locked => ErrorKind::Permission,
            Denial::TooManyCalls { .. }
            | Denial::TooManyAttempts { .. }
            | Denial::TooManyMeetings { .. }
            | Denial::StillRunning
            | Denial::Interrupted { .. } => ErrorKind::MeetingState,
            Denial::KeyReused => ErrorKind::Validation,
        };
        let (message, hint) = denial.in_both();
        Self::new(message, hint).of(kind)
    }
}

/// The error when a process stopped during a request with a key: what may have been done, and where it shows.
/// The key can be used again afterwards.
fn interrupted(use_case: UseCase, meeting: Option<&MeetingId>) -> (Wording, Wording) {
    let here = meeting.map(|id| format!("/api/v1/meetings/{id}")).unwrap_or_default();
    let view = || (format!("GET {here} shows its state"), format!("GET {here} 显示它的状态"));
    let newest = (
        "GET /api/v1/meetings shows the newest meetings first".to_owned(),
        "GET /api/v1/meetings 先列出最新的会议".to_owned(),
    );
    let turns = (
        "GET /api/v1/turns lists your open turns".to_owned(),
        "GET /api/v1/turns 列出仍开放的发言机会".to_owned(),
    );
    let part = |name: &str| (format!("GET {here}/{name} shows it"), format!("GET {here}/{name} 可以看到"));
    let list =
        |name: &str| (format!("GET /api/v1/{name} lists them"), format!("GET /api/v1/{name} 列出全部"));
    let in_log = |kind: &str| {
        (
            format!("GET {here}/log shows `{kind}` among its last events"),
            format!("GET {here}/log 最后的事件里会有 `{kind}`"),
        )
    };
    let (what, look) = match use_case {
        UseCase::RequestSpeaker => {
            (("the participant may have been called up", "可能已经请其发言"), in_log("speaker_requested"))
        }
        UseCase::AddParticipant => (("somebody may have joined", "可能已有人加入"), part("participants")),
        UseCase::AddAgendaItem => (("the item may be on the agenda", "议题可能已在议程上"), part("agenda")),
        UseCase::WriteMinutes => {
            (("the minutes may have been asked for", "可能已经请人写纪要"), in_log("minutes_requested"))
        }
        UseCase::WriteArtifact => {
            (("the artifact may have been asked for", "可能已经请人写工件"), in_log("artifact_requested"))
        }
        UseCase::CreateAgent => (("the agent may have been created", "智能体可能已经创建"), list("agents")),
        UseCase::CreateTemplate => {
            (("the template may have been created", "模板可能已经创建"), list("templates"))
        }
        UseCase::ForkMeeting => (("there may be a fork", "可能已经分叉"), newest),
        UseCase::StartMeeting => (("the meeting may have begun", "会议可能已经开始"), view()),
        UseCase::PauseMeeting => (("the meeting may rest", "会议可能已经暂停"), view()),
        UseCase::ResumeMeeting => (("the meeting may go on", "会议可能已经继续"), view()),
        UseCase::EndMeeting => (("the meeting may be ending", "会议可能正在结束"), view()),
        UseCase::AdvanceMeeting => (("the meeting may have gone on", "会议可能已经推进"), view()),
        UseCase::AnswerTurn => (("the turn may have been answered", "发言机会可能已经回答"), turns),
        UseCase::SkipTurn => (("the turn may have been skipped", "发言机会可能已经跳过"), turns),
        UseCase::Say => (("it may have been said", "可能已经说出"), part("messages")),
        _ => (("the meeting may have been created", "会议可能已经创建"), newest),
    };
    let detail = (
        format!(
            "the service stopped during the first request with this key: {}, or nothing happened",
            what.0
        ),
        format!("带此键的第一个请求进行中服务停止了：{}，也可能什么都没有发生", what.1),
    );
    let hint = (
        format!("{}; when it is not done, send the request once more, with the same key or another", look.0),
        format!("{}；没有完成就再发送一次，用原来的键或新的键都可以", look.1),
    );
    (detail.into(), hint.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_use_case_that_is_done_once_says_what_may_have_come_of_it() {
        let id = MeetingId::new("m1");
        let everywhere = [
            UseCase::CreateMeeting,
            UseCase::ForkMeeting,
            UseCase::CreateAgent,
            UseCase::CreateTemplate,
            UseCase::AnswerTurn,
            UseCase::SkipTurn,
        ];
        let mut told = BTreeSet::new();
        for use_case in UseCase::ALL.iter().filter(|one| one.definition().idempotent) {
            let (detail, hint) = interrupted(*use_case, Some(&id));
            let hint = hint.english();
            assert!(hint.starts_with("GET /api/v1/"), "{use_case:?}: {hint}");
            assert_eq!(hint.contains("/m1"), !everywhere.contains(use_case), "{use_case:?}: {hint}");
            assert!(told.insert(detail.english().to_owned()), "{use_case:?}: {}", detail.english());
        }
    }
}
