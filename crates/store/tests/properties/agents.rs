//! The library of agents.

use proptest::prelude::*;
use proptest::sample::Index;
use quorate_contract::{AgentId, Refusal, Timestamp};
use quorate_store::{Agent, Credential, StoreError};

use crate::{Bench, any, cases};

impl Bench {
    /// An empty library, whatever the previous case has left.
    fn empty_library(&self) {
        self.wait(async {
            for agent in self.store.agents().await.expect("a list") {
                self.store.delete_agent(agent.id.as_str(), Timestamp(9)).await.expect("it is there");
            }
        });
    }

    fn create(&self, agents: &[Agent]) {
        self.wait(async {
            for agent in agents {
                self.store.create_agent(agent.clone(), None).await.expect("a sound agent");
            }
        });
    }
}

fn sorted(mut agents: Vec<Agent>) -> Vec<Agent> {
    agents.sort_by(|a, b| a.name.cmp(&b.name));
    agents
}

/// Feature: ai-agent-meeting, Property 1: what an agent is created with is what comes back, its key
/// with its provider.
#[test]
fn p01_an_agent_has_all_that_it_was_created_with() {
    let bench = Bench::new();
    proptest!(cases(), |(agent in any::agent(), key in any::key())| {
        bench.empty_library();
        let credential = match &agent.runner {
            quorate_contract::RunnerSpec::Model { provider, .. } => {
                Some(Credential { provider: provider.clone(), base_url: None, key: Some(key), settings: Default::default() })
            }
            quorate_contract::RunnerSpec::Simulated { .. } | quorate_contract::RunnerSpec::Process { .. } | quorate_contract::RunnerSpec::Acp { .. } | quorate_contract::RunnerSpec::External { .. } => None,
        };
        let created = bench.wait(bench.store.create_agent(agent.clone(), credential.clone())).unwrap();
        prop_assert_eq!(&created, &agent);
        prop_assert_eq!(created.newcomer().role, agent.role);
        if let Some(credential) = credential {
            let stored = bench.wait(bench.store.credential(&credential.provider)).unwrap().unwrap();
            prop_assert_eq!(stored.key, credential.key);
        }
    });
}

/// Feature: ai-agent-meeting, Property 2: an agent that is read back is the agent that was stored.
#[test]
fn p02_an_agent_is_read_back_as_it_was_stored() {
    let bench = Bench::new();
    proptest!(cases(), |(agent in any::agent())| {
        bench.empty_library();
        bench.create(std::slice::from_ref(&agent));
        let reopened = bench.reopened();
        prop_assert_eq!(&bench.wait(reopened.agent(&agent.name)).unwrap(), &agent);
        prop_assert_eq!(&bench.wait(reopened.agent(agent.id.as_str())).unwrap(), &agent);
    });
}

/// Feature: ai-agent-meeting, Property 3: the list has every agent, with name, role and model.
#[test]
fn p03_the_list_has_every_agent() {
    let bench = Bench::new();
    proptest!(cases(), |(agents in any::agents(0..6))| {
        bench.empty_library();
        bench.create(&agents);
        let listed = bench.wait(bench.reopened().agents()).unwrap();
        prop_assert_eq!(&listed, &agents, "in the order of their creation");
        for (listed, agent) in listed.iter().zip(&agents) {
            prop_assert_eq!((&listed.name, &listed.role), (&agent.name, &agent.role));
            prop_assert_eq!(listed.runner.label(), agent.runner.label());
        }
    });
}

/// Feature: ai-agent-meeting, Property 4: after an update all changes are there, and nothing else.
#[test]
fn p04_an_update_changes_all_that_it_names() {
    let bench = Bench::new();
    proptest!(cases(), |(agents in any::agents(1..5), pick in any::<Index>(), new in any::agent(),
                        which in any::<[bool; 3]>())| {
        bench.empty_library();
        bench.create(&agents);
        let before = pick.get(&agents);
        let changed = Agent {
            name: if which[0] { new.name } else { before.name.clone() },
            role: if which[1] { new.role } else { before.role.clone() },
            runner: if which[2] { new.runner } else { before.runner.clone() },
            updated_ms: Timestamp(before.created_ms.0 + 1),
            ..before.clone()
        };
        let clash = agents.iter().any(|other| other.id != changed.id && other.name == changed.name);
        let updated = bench.wait(bench.store.update_agent(changed.clone(), None));
        let mut expected: Vec<Agent> = agents.clone();
        match updated {
            Ok(updated) => {
                prop_assert!(!clash);
                prop_assert_eq!(&updated, &changed);
                expected.retain(|agent| agent.id != changed.id);
                expected.push(changed);
            }
            Err(StoreError::AgentExists { .. }) => prop_assert!(clash),
            Err(other) => prop_assert!(false, "{other}"),
        }
        prop_assert_eq!(sorted(bench.wait(bench.reopened().agents()).unwrap()), sorted(expected));
    });
}

/// Feature: ai-agent-meeting, Property 5: a deleted agent is neither listed nor found.
#[test]
fn p05_a_deleted_agent_is_gone() {
    let bench = Bench::new();
    proptest!(cases(), |(agents in any::agents(1..6), pick in any::<Index>(), by_id in any::<bool>())| {
        bench.empty_library();
        bench.create(&agents);
        let gone = pick.get(&agents);
        let named = if by_id { gone.id.as_str() } else { &gone.name };
        bench.wait(bench.store.delete_agent(named, Timestamp(9))).unwrap();
        let reopened = bench.reopened();
        for name in [gone.id.as_str(), &gone.name] {
            let found = bench.wait(reopened.agent(name));
            prop_assert!(matches!(found, Err(StoreError::NoSuchAgent { .. })), "{:?}", found);
        }
        let left: Vec<Agent> = agents.iter().filter(|agent| agent.id != gone.id).cloned().collect();
        prop_assert_eq!(bench.wait(reopened.agents()).unwrap(), left);
        let again = bench.wait(bench.store.delete_agent(named, Timestamp(9)));
        prop_assert!(matches!(again, Err(StoreError::NoSuchAgent { .. })), "{:?}", again);
        let update = bench.wait(bench.store.update_agent(gone.clone(), None));
        prop_assert!(matches!(update, Err(StoreError::NoSuchAgent { .. })), "{:?}", update);
    });
}

/// The other side of P1: what is not right is refused by its field, and nothing is stored.
#[test]
fn an_agent_that_is_not_right_is_not_taken_in() {
    let bench = Bench::new();
    proptest!(cases(), |(agent in any::agent(), wrong in 0usize..6, sign in "[a字🦉]")| {
        bench.empty_library();
        let mut agent = Agent { id: AgentId::new("x"), ..agent };
        let field = match wrong {
            0 => { agent.name = sign.repeat(51); "agent.name" }
            1 => { agent.name = " \n".into(); "agent.name" }
            2 => { agent.role.description = sign.repeat(2001); "agent.role.description" }
            3 => { agent.role.description = "\t\u{3000}".into(); "agent.role.description" }
            4 => { agent.role.name = String::new(); "agent.role.name" }
            _ => {
                let parameters = Default::default();
                let (provider, model) = ("a/b".to_owned(), sign);
                agent.runner = quorate_contract::RunnerSpec::Model { provider, model, parameters, price: None, fallback: None };
                "agent.provider"
            }
        };
        match bench.wait(bench.store.create_agent(agent, None)) {
            Err(StoreError::Invalid(Refusal::Invalid { field: found, .. })) => prop_assert_eq!(found, field),
            other => prop_assert!(false, "{:?}", other),
        }
        prop_assert!(bench.wait(bench.store.agents()).unwrap().is_empty());
    });
}
