//! Generators that cover the real ranges: agents, credentials, meetings.

use proptest::collection::btree_map;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use quorate_contract::*;
use quorate_engine::{Record, Secret};
use quorate_store::{Agent, Credential, Settings};

/// A name that one can call by `@name`, in any script.
pub fn name() -> impl Strategy<Value = String> {
    let sound = |text: &String| {
        let role = Role { name: "r".into(), description: "d".into(), system_prompt: String::new() };
        let runner = RunnerSpec::Simulated { temperament: Temperament::Balanced };
        let newcomer = Newcomer { name: text.clone(), role, runner, skip_list: Vec::new() };
        check_newcomer("agent", &newcomer).is_ok()
    };
    prop_oneof![
        "[a-zA-Z\\p{Han}][a-zA-Z0-9\\p{Han}._'-]{0,49}",
        "\\PC{1,25}".prop_map(|text| {
            let callable = text.replace(['"', '“', '”', '<', '>', '@', '＠', '`'], "_");
            callable.split_whitespace().collect::<Vec<_>>().join(" ")
        }),
    ]
    .prop_filter("a name that can be called", sound)
}

fn text(most: usize) -> impl Strategy<Value = String> {
    let any = proptest::string::string_regex(&format!("[\\PC\\n]{{0,{}}}[a-z字]", most - 1));
    any.expect("the pattern is well formed")
}

pub fn role() -> impl Strategy<Value = Role> {
    let prompt = proptest::string::string_regex("[\\PC\\n]{0,300}").expect("a good pattern");
    (text(50), prop_oneof![4 => text(200), 1 => text(2000)], prompt)
        .prop_map(|(name, description, system_prompt)| Role { name, description, system_prompt })
}

pub fn provider() -> impl Strategy<Value = String> {
    prop_oneof![
        select(vec!["openai", "anthropic", "google", "glm"]).prop_map(str::to_owned),
        "[a-zA-Z0-9._-]{1,50}",
    ]
}

pub fn runner() -> impl Strategy<Value = RunnerSpec> {
    let parameters = (option::of(0.0f64..=2.0), option::of(0.0f64..=1.0), option::of(1u32..)).prop_map(
        |(temperature, top_p, max_tokens)| ModelParameters {
            temperature,
            top_p,
            max_tokens,
            effort: None,
            thinking_tokens: None,
            context_tokens: None,
        },
    );
    let temperament = select(vec![Temperament::Balanced, Temperament::Stubborn, Temperament::Injecting]);
    prop_oneof![
        5 => (provider(), "[!-~\\p{Han}]{1,50}", parameters).prop_map(|(provider, model, parameters)| {
            RunnerSpec::Model { provider, model, parameters, price: None, fallback: None }
        }),
        1 => temperament.prop_map(|temperament| RunnerSpec::Simulated { temperament }),
    ]
}

/// Agents under different names, and when each was created.
pub fn agents(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Agent>> {
    btree_map(name(), (role(), runner(), 0i64..=4_102_444_800_000), count).prop_map(|agents| {
        let agent = |(name, (role, runner, ms)): (String, (Role, RunnerSpec, i64))| Agent {
            id: AgentId::new(format!("id of {name}")),
            name,
            role,
            runner,
            profile: None,
            skip_list: Vec::new(),
            created_ms: Timestamp(ms),
            updated_ms: Timestamp(ms),
        };
        agents.into_iter().map(agent).collect()
    })
}

pub fn agent() -> impl Strategy<Value = Agent> {
    agents(1..=1).prop_map(|mut one| one.remove(0))
}

/// A key as a provider issues it, or any other text.
pub fn key() -> impl Strategy<Value = Secret> {
    let any = prop_oneof![4 => "sk-[a-zA-Z0-9_-]{8,120}", 1 => "[\\PC]{0,60}[!-~]"];
    any.prop_map(Secret::new)
}

pub fn credential() -> impl Strategy<Value = Credential> {
    let url = "https?://[a-z]{1,20}\\.example(:[0-9]{2,4})?/[a-z0-9/._-]{0,30}";
    (provider(), option::of(url), key()).prop_map(|(provider, base_url, key)| Credential {
        provider,
        base_url,
        key: Some(key),
        settings: Settings::default(),
    })
}

/// A meeting that was stored, and what a list should say of it.
#[derive(Debug, Clone)]
pub struct Stored {
    pub id: MeetingId,
    pub topic: String,
    pub created: i64,
    pub participants: u32,
    pub said: Vec<String>,
    pub ended: bool,
}

impl Stored {
    /// Its log.
    pub fn records(&self) -> Vec<Record> {
        let by = || Actor::person("ada", "ada");
        let created = EventBody::MeetingCreated {
            topic: self.topic.clone(),
            background: String::new(),
            details: Default::default(),
            language: Language::Zh,
            format: Format::Consensus,
            rules: Box::new(Format::Consensus.rules()),
            seed: 7,
            facilitator: None,
            moderator: Moderator::User,
            models: Vec::new(),
            by: by(),
        };
        let joined = |number: u32| EventBody::ParticipantJoined {
            participant: Participant {
                id: ParticipantId(number),
                name: format!("Ben {number}"),
                role: Role { name: "r".into(), description: "d".into(), system_prompt: String::new() },
                runner: RunnerSpec::Simulated { temperament: Temperament::Stubborn },
                skip_list: Vec::new(),
            },
            by: by(),
            reason: Default::default(),
            invitation: None,
        };
        let said = |(words, number): (&String, u32)| EventBody::UserMessage {
            reply_to: None,
            message_id: MessageId(number),
            round: 1,
            by: by(),
            message: Message {
                role: MessageRole::User,
                name: "ada".to_owned(),
                content: words.clone(),
                citations: Vec::new(),
                evidence: Vec::new(),
            },
            mentions: Vec::new(),
            mentioned_people: Vec::new(),
        };
        let finished = self.ended.then(|| EventBody::Finished {
            outcome: MeetingOutcome::Completed,
            rounds: 1,
            usage: Usage::default(),
            cost_micros: None,
        });
        let bodies = std::iter::once(created)
            .chain((1..=self.participants).map(joined))
            .chain(self.said.iter().zip(1..).map(said))
            .chain(finished);
        let record = |(body, seq): (EventBody, u64)| {
            Record::of(Event {
                version: ContractVersion,
                seq,
                meeting_id: self.id.clone(),
                run_id: RunId::new("run-1"),
                ts_ms: Timestamp(self.created + seq.cast_signed()),
                actor: Actor::person("ada", "ada"),
                cause: "test".to_owned(),
                body,
            })
        };
        bodies.zip(1..).map(record).collect()
    }
}

/// Meetings under different ids; some began in the same millisecond.
pub fn meetings(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Stored>> {
    let words = proptest::string::string_regex("[\\PC\\n]{1,60}").expect("a good pattern");
    let said = prop::collection::vec(words, 0..5);
    let created = prop_oneof![Just(1_000i64), 0i64..4_102_444_800_000];
    btree_map("[0-9a-f]{1,12}", (text(200), created, 0u32..4, said, any::<bool>()), count).prop_map(|all| {
        let stored = |(id, (topic, created, participants, said, ended))| Stored {
            id: MeetingId::new(String::as_str(&id)),
            topic,
            created,
            participants,
            said,
            ended,
        };
        all.into_iter().map(stored).collect()
    })
}
