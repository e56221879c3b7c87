//! Refusals of commands in the reader's language. The core writes them in English.

use quorate_contract::{Language, Refusal};

use super::Speech;

/// The message and the hint.
pub fn refusal(refusal: &Refusal, speech: Speech) -> (String, String) {
    match speech.0 {
        Language::Zh => chinese(refusal),
        Language::En => (refusal.to_string(), refusal.hint()),
    }
}

fn chinese(refusal: &Refusal) -> (String, String) {
    let told = |message: &str, hint: &str| (message.to_owned(), hint.to_owned());
    match refusal {
        Refusal::NotCreated => told("会议还不存在", "先创建会议"),
        Refusal::AlreadyCreated => told("会议已经存在", "开始它，或另建一场"),
        Refusal::NotStarted => told("会议还没有开始", "先开始会议"),
        Refusal::AlreadyStarted => told("会议已经开始", "可以发言、暂停，或另建一场"),
        Refusal::MeetingIsOver => told("会议已经结束", "从较早的事件分叉，从那里继续"),
        Refusal::IsPaused => told("会议已暂停", "先继续会议"),
        Refusal::NotPaused => told("会议没有暂停", "会议正在进行，无需继续"),
        Refusal::WrongResumeToken => told("恢复令牌属于另一次暂停", "取最后一个 pause 事件里的令牌"),
        Refusal::NoSuchParticipant { name, present } => {
            (format!("会上没有参会者“{name}”"), format!("在场的有：{}", present.join("、")))
        }
        Refusal::NameTaken { name } => (format!("已经有参会者“{name}”"), "换一个名字".to_owned()),
        Refusal::TurnIsOver { task } => (format!("{task} 已经结束"), "无需处理，以第一个回答为准".to_owned()),
        Refusal::CannotSkip { participant, .. } => {
            (format!("{participant} 被点名，不能跳过"), "先简短回答，下次再跳过".to_owned())
        }
        Refusal::CannotCallUp { phase } => {
            let now = match *phase {
                "everybody speaks at once" => "大家同时发言",
                "the table votes" => "正在表决",
                "the round is being prepared" => "正在准备本轮",
                _ => "正在总结本轮",
            };
            (format!("{now}，现在不能请人发言"), "用 @名字 提到对方，下次发言时会读到".to_owned())
        }
        Refusal::NoSuchAgendaItem { item, known } => {
            let hint = match known.is_empty() {
                true => "议程是空的".to_owned(),
                false => format!("议程上有：{}", known.join("；")),
            };
            (format!("议程上没有“{item}”"), hint)
        }
        Refusal::PeopleMayNotSpeak => told("这场会议里人不能发言", "用 /people on 允许发言，或请主持人发言"),
        Refusal::AnswerMissing { key, ask } => {
            (format!("{key} 还没有回答：{ask}"), format!("用 {key}=… 回答，或让默认值生效"))
        }
        Refusal::BadAnswer { key: field, problem, hint } | Refusal::Invalid { field, problem, hint } => {
            let (problem, hint) = (problem.for_reader(Language::Zh), hint.for_reader(Language::Zh));
            (format!("{field}：{problem}"), hint.to_owned())
        }
        Refusal::NotAsked { key, known } => {
            let hint = match known.is_empty() {
                true => "现在没有问题；直接发言即可".to_owned(),
                false => format!("问题有：{}", known.join("、")),
            };
            (format!("没有问过“{key}”"), hint)
        }
        Refusal::NothingToRecord => told("还没有可以记录的内容", "等有人发言之后再试"),
        Refusal::AlreadyRequested { what } => (format!("已经请人写 {what} 了"), "写好就会出现".to_owned()),
        Refusal::MinutesOutdated { based_on, current } => (
            format!("纪要第 {based_on} 版不是最新版"),
            format!("查看第 {} 版，在它的基础上修改", current.unwrap_or(0)),
        ),
        Refusal::ForkAfterEnd => told("从会议结束之后分叉，没有可以继续的内容", "选择 finished 之前的事件"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_in_the_language_of_the_meeting() {
        let gone = Refusal::NoSuchParticipant { name: "Zoe".into(), present: vec!["林晚".into()] };
        let (message, hint) = refusal(&gone, Speech(Language::Zh));
        assert_eq!((message.as_str(), hint.as_str()), ("会上没有参会者“Zoe”", "在场的有：林晚"));
        assert_eq!(refusal(&gone, Speech(Language::En)), (gone.to_string(), gone.hint()));
    }
}
