//! Whether whoever may search the web with its provider's own search has a provider that has one.

use quorate_contract::{MeetingSpec, Newcomer, RunnerSpec, ToolGrant, WEB_SEARCH, is_same};
use quorate_messages::message;
use quorate_runners::{ProviderConfig, has_web_search, searches_without_tools};

use crate::error::ServiceError;

/// What a participant has of a web search.
enum WebSearch {
    /// Its provider has one.
    Own,
    /// Its provider has one, whose price is not known.
    Unpriced,
    /// It is simulated and searches nothing.
    Simulated,
    None,
}

/// Checks the permission to search the web: everybody who is named needs a provider with a search, and of all at least one
/// when nobody is named. A budget of money needs the price of a search. Nobody is given a search beside other tools whose
/// vendor takes only one of them.
pub(super) fn check(
    spec: &MeetingSpec,
    grant: &ToolGrant,
    providers: &[&ProviderConfig],
) -> Result<(), ServiceError> {
    let is_named = |newcomer: &&Newcomer| grant.participants.iter().any(|name| is_same(name, &newcomer.name));
    let allowed: Vec<&Newcomer> = match grant.participants.is_empty() {
        true => spec.participants.iter().collect(),
        false => spec.participants.iter().filter(is_named).collect(),
    };
    let mut any = allowed.is_empty();
    for newcomer in &allowed {
        let label = newcomer.runner.label();
        if let Some(tools) = excluded_by(spec, newcomer, providers) {
            let name = &newcomer.name;
            let problem = message!("app-web-search-excluded", name, %label, tools);
            return Err(ServiceError::usage(problem, message!("app-web-search-excluded-hint", name, tools)));
        }
        match of(&newcomer.runner, providers) {
            WebSearch::Own | WebSearch::Simulated => any = true,
            WebSearch::Unpriced if spec.rules.limits.cost_micros.is_some() => {
                let problem = message!("app-web-search-unpriced", %label);
                return Err(ServiceError::usage(
                    problem,
                    message!("app-web-search-unpriced-hint", model = %label),
                ));
            }
            WebSearch::Unpriced => any = true,
            WebSearch::None if grant.participants.is_empty() => {}
            WebSearch::None => {
                let problem = message!("app-web-search-none", name = &newcomer.name, %label);
                return Err(ServiceError::usage(problem, message!("app-web-search-none-hint")));
            }
        }
    }
    match any {
        true => Ok(()),
        false => {
            Err(ServiceError::usage(message!("app-web-search-nobody"), message!("app-web-search-none-hint")))
        }
    }
}

fn of(runner: &RunnerSpec, providers: &[&ProviderConfig]) -> WebSearch {
    match runner {
        RunnerSpec::Simulated { .. } => WebSearch::Simulated,
        RunnerSpec::Model { provider, model, price, .. } => {
            let config = providers.iter().find(|config| config.name == *provider);
            match config.is_some_and(|config| has_web_search(config, model)) {
                true if price.is_some_and(|price| price.search_micros.is_some()) => WebSearch::Own,
                true => WebSearch::Unpriced,
                false => WebSearch::None,
            }
        }
        RunnerSpec::Process { .. } | RunnerSpec::Acp { .. } | RunnerSpec::External { .. } => WebSearch::None,
    }
}

/// The source of tools that a participant may call, and beside which its vendor takes no search.
fn excluded_by<'s>(
    spec: &'s MeetingSpec,
    newcomer: &Newcomer,
    providers: &[&ProviderConfig],
) -> Option<&'s str> {
    let RunnerSpec::Model { provider, model, .. } = &newcomer.runner else { return None };
    let config = providers.iter().find(|config| config.name == *provider)?;
    if !has_web_search(config, model) || !searches_without_tools(config) {
        return None;
    }
    let may = |grant: &&ToolGrant| {
        grant.name != WEB_SEARCH
            && (grant.participants.is_empty()
                || grant.participants.iter().any(|name| is_same(name, &newcomer.name)))
    };
    spec.tools.iter().find(may).map(|grant| grant.name.as_str())
}

#[cfg(test)]
mod tests {
    use quorate_contract::{Format, Language, ModelParameters, Price, Role, Temperament};
    use quorate_runners::WireFormat;

    use super::*;

    fn model(name: &str, provider: &str, search_micros: Option<u64>) -> Newcomer {
        let price = Some(Price { search_micros, ..Price::new(1, 1) });
        let (provider, parameters) = (provider.to_owned(), ModelParameters::default());
        seat(name, RunnerSpec::Model { provider, model: "m".into(), parameters, price, fallback: None })
    }

    fn seat(name: &str, runner: RunnerSpec) -> Newcomer {
        let description = "says what it thinks".to_owned();
        let role = Role { name: name.to_owned(), description, system_prompt: String::new() };
        Newcomer { name: name.to_owned(), role, runner, skip_list: Vec::new() }
    }

    fn result(participants: Vec<Newcomer>, named: &[&str], cost_micros: Option<u64>) -> Result<(), String> {
        result_with(Vec::new(), participants, named, cost_micros)
    }

    fn result_with(
        tools: Vec<ToolGrant>,
        participants: Vec<Newcomer>,
        named: &[&str],
        cost_micros: Option<u64>,
    ) -> Result<(), String> {
        let mut rules = Format::Consensus.rules();
        rules.limits.cost_micros = cost_micros;
        let spec = MeetingSpec {
            topic: "Rents".to_owned(),
            background: String::new(),
            details: Default::default(),
            language: Language::En,
            format: Format::Consensus,
            rules,
            seed: 1,
            facilitator: None,
            moderator: None,
            agenda: Vec::new(),
            models: Vec::new(),
            tools,
            participants,
        };
        let config = |name: &str, wire, url: &str| {
            let mut config = ProviderConfig::new(name, url.parse().expect("a URL"));
            config.wire = wire;
            config
        };
        let anthropic = config("anthropic", WireFormat::Anthropic, "https://api.anthropic.com");
        let deepseek = config("deepseek", WireFormat::Openai, "https://api.deepseek.com");
        let gemini = config("gemini", WireFormat::Gemini, "https://generativelanguage.googleapis.com");
        let ollama = config("ollama", WireFormat::Ollama, "http://localhost:11434");
        let participants = named.iter().map(|name| (*name).to_owned()).collect();
        let grant = ToolGrant { name: "web-search".to_owned(), participants };
        check(&spec, &grant, &[&anthropic, &deepseek, &gemini, &ollama]).map_err(|error| error.to_string())
    }

    #[test]
    fn whoever_is_named_needs_a_provider_with_a_search() {
        let table = || {
            vec![
                model("Ada", "anthropic", Some(1)),
                model("Ben", "deepseek", None),
                model("Cid", "ollama", None),
            ]
        };
        assert_eq!(result(table(), &[], None), Ok(()), "of all, those search who can");
        assert_eq!(result(table(), &["Ada"], None), Ok(()));
        for name in ["Ben", "Cid"] {
            let refused = result(table(), &["Ada", name], None).expect_err("it has none");
            assert!(refused.contains(name), "{refused}");
        }
        let others = || table().into_iter().skip(1).collect::<Vec<_>>();
        result(others(), &[], None).expect_err("none of them has one");
        let simulated = vec![seat("Ada", RunnerSpec::Simulated { temperament: Temperament::Balanced })];
        assert_eq!(result(simulated, &["Ada"], None), Ok(()), "what is simulated searches nothing");
        assert_eq!(result(Vec::new(), &[], None), Ok(()), "a team is not known yet");
    }

    #[test]
    fn a_vendor_that_searches_only_without_tools_is_named_before_the_meeting() {
        let table = || vec![model("Ada", "anthropic", Some(1)), model("Gil", "gemini", Some(1))];
        let tools = |participants: &[&str]| {
            let participants = participants.iter().map(|name| (*name).to_owned()).collect();
            vec![ToolGrant { name: "repo".to_owned(), participants }]
        };
        assert_eq!(result_with(Vec::new(), table(), &[], None), Ok(()));
        assert_eq!(result_with(tools(&["Ada"]), table(), &[], None), Ok(()));
        assert_eq!(result_with(tools(&[]), table(), &["Ada"], None), Ok(()));
        for (participants, named) in [(&[][..], &[][..]), (&["Gil"], &["Ada", "Gil"])] {
            let refused = result_with(tools(participants), table(), named, None).expect_err("it is silent");
            assert!(refused.contains("Gil") && refused.contains("repo"), "{refused}");
        }
    }

    #[test]
    fn a_budget_of_money_needs_the_price_of_a_search() {
        assert_eq!(result(vec![model("Ada", "anthropic", Some(1))], &[], Some(1_000_000)), Ok(()));
        result(vec![model("Ada", "anthropic", None)], &[], Some(1_000_000)).expect_err("it is not known");
        assert_eq!(result(vec![model("Ada", "anthropic", None)], &[], None), Ok(()));
    }
}
