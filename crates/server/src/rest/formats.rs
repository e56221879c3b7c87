//! The formats with their default rules, and every field of the rules: what an editor needs to offer them, in the
//! reader's language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use quorate_contract::{
    ClauseKind, ClauseRule, ClauseUse, DecisionMode, Format, Language, RULE_FIELDS, RuleField, RuleKind,
    RuleUnit, Rules, SCORE_FAILS_BELOW, SCORE_PASSES_FROM, clause_name, rule_group_label, rule_groups,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::{IntoParams, ToSchema};

use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::content_language::preferred;
use crate::requests::extract::Query;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(list))
}

/// All that can be chosen in the rules of a meeting: formats, fields, clauses and modes of decision.
#[derive(Debug, Serialize, ToSchema)]
struct RuleCatalogue {
    /// The formats, in the order in which they are offered.
    formats: Vec<FormatView>,
    /// The groups of the rules, in order.
    groups: Vec<RuleGroupView>,
    /// Every field of the rules, group by group.
    fields: Vec<RuleFieldView>,
    /// The clauses of a ballot, in the order in which a verdict names them.
    clauses: Vec<ClauseView>,
    /// The modes of decision, as a what-if takes them.
    modes: Vec<DecisionModeView>,
    /// What the score of a vote says of the draft.
    score_scale: ScoreScale,
}

/// What the score of a vote says of the draft. Between both bounds a voter may decide either way; beyond them, a vote
/// that decides otherwise contradicts itself.
#[derive(Debug, Serialize, ToSchema)]
struct ScoreScale {
    /// From this score on, the draft should pass.
    #[schema(schema_with = passes_from)]
    passes_from: u8,
    /// Below this score, it should not.
    #[schema(schema_with = fails_below)]
    fails_below: u8,
}

fn passes_from() -> Object {
    only(SCORE_PASSES_FROM)
}

fn fails_below() -> Object {
    only(SCORE_FAILS_BELOW)
}

/// A number that is always the same, so that whoever is generated from the document can rely on it.
fn only(value: u8) -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([value])).build()
}

/// A format: a named preset of rules.
#[derive(Debug, Serialize, ToSchema)]
struct FormatView {
    /// Its name in JSON.
    name: Format,
    /// Its name for people.
    label: &'static str,
    /// When to choose it.
    description: &'static str,
    /// What it yields.
    yields: &'static str,
    /// Its default rules.
    rules: Rules,
}

/// A group of rules.
#[derive(Debug, Serialize, ToSchema)]
struct RuleGroupView {
    /// Its name in JSON.
    name: &'static str,
    /// Its name for people.
    label: &'static str,
}

/// The kind of value that a field of the rules takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum RuleFieldType {
    /// Yes or no.
    Switch,
    /// One of `choices`.
    Choice,
    /// A whole number.
    Number,
    /// A number from 0 to 1.
    Share,
    /// A list of some of `choices`.
    List,
    /// An object with one of `choices` for each participant that it names.
    PerParticipant,
    /// An object; its fields follow, with its path in front of theirs.
    Group,
}

/// A field of the rules.
#[derive(Debug, Serialize, ToSchema)]
struct RuleFieldView {
    /// Its path in the rules: `turns.timeout_ms`.
    path: &'static str,
    /// The group that it belongs to.
    group: &'static str,
    /// What it takes.
    #[serde(rename = "type")]
    kind: RuleFieldType,
    /// What it sets.
    label: &'static str,
    /// What one has to know to set it.
    help: &'static str,
    /// Whether it can be `null`: then the rule is off.
    optional: bool,
    /// Its default in each format.
    #[schema(value_type = BTreeMap<String, Value>)]
    defaults: BTreeMap<&'static str, Value>,
    /// The value to begin with when the rule is switched on; null where there is none.
    initial: Option<Value>,
    /// The least that a number may be.
    minimum: Option<u64>,
    /// The most that a number may be.
    maximum: Option<u64>,
    /// The path of a number that it must not pass either.
    at_most: Option<&'static str>,
    /// What a number counts.
    unit: Option<RuleUnitView>,
    /// The values among which one chooses; empty where there are none.
    choices: Vec<RuleChoiceView>,
}

/// The unit of a number.
#[derive(Debug, Serialize, ToSchema)]
struct RuleUnitView {
    /// The unit.
    name: RuleUnit,
    /// How much of the value is one of the unit: 60000 where milliseconds are shown as minutes.
    scale: u64,
    /// Its word for one.
    one: String,
    /// Its word for several.
    other: String,
}

/// A value that can be chosen.
#[derive(Debug, Serialize, ToSchema)]
struct RuleChoiceView {
    /// The value in JSON.
    value: &'static str,
    /// Its name for people.
    label: &'static str,
}

/// A clause of a ballot.
#[derive(Debug, Serialize, ToSchema)]
struct ClauseView {
    /// The clause.
    name: ClauseKind,
    /// The path of the rule that sets it.
    path: &'static str,
    /// Its name in a verdict.
    label: &'static str,
}

/// A mode of decision.
#[derive(Debug, Serialize, ToSchema)]
struct DecisionModeView {
    /// The mode.
    name: DecisionMode,
    /// Its name for people.
    label: &'static str,
    /// Which clauses it asks for, in words.
    help: &'static str,
    /// The clauses that it asks for.
    asks: Vec<ClauseKind>,
    /// The clauses of which a change has no effect: it does not ask for them, or for everybody.
    ignores: Vec<ClauseKind>,
}

/// The language of the texts.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct FormatsQuery {
    /// The language of the texts, before the header.
    lang: Option<Language>,
}

/// List the formats and the rules
///
/// Each format with its default rules, and every field of the rules once: its type, its bounds, its default in each format
/// and its texts. The texts are in the language that `Accept-Language` or `?lang=` asks for.
#[utoipa::path(
    get, path = "/api/v1/formats", tag = "meetings", operation_id = "list_formats",
    params(FormatsQuery),
    responses((status = 200, body = RuleCatalogue), (status = 422, body = Problem)),
)]
async fn list(
    Query(asked): Query<FormatsQuery>,
    headers: HeaderMap,
) -> ([(HeaderName, HeaderValue); 2], Json<&'static RuleCatalogue>) {
    let language = asked.lang.unwrap_or_else(|| preferred(&headers));
    let list = match language {
        Language::Zh => &*CHINESE,
        Language::En => &*ENGLISH,
    };
    let told = HeaderValue::from_static(language.pick("zh-CN", "en"));
    let varies = HeaderValue::from_static("accept-language");
    ([(header::CONTENT_LANGUAGE, told), (header::VARY, varies)], Json(list))
}

// The same for every caller, so each is made once.
static CHINESE: LazyLock<RuleCatalogue> = LazyLock::new(|| RuleCatalogue::of(Language::Zh));
static ENGLISH: LazyLock<RuleCatalogue> = LazyLock::new(|| RuleCatalogue::of(Language::En));

impl RuleCatalogue {
    fn of(language: Language) -> Self {
        let format = |format: Format| FormatView {
            name: format,
            label: format.label(language),
            description: format.description(language),
            yields: format.yields(language),
            rules: format.rules(),
        };
        let group = |name: &'static str| RuleGroupView { name, label: rule_group_label(language, name) };
        Self {
            formats: Format::ALL.map(format).into(),
            groups: rule_groups().into_iter().map(group).collect(),
            fields: RULE_FIELDS.iter().map(|field| RuleFieldView::of(field, language)).collect(),
            clauses: ClauseRule::ALL.iter().map(|rule| ClauseView::of(rule, language)).collect(),
            modes: DecisionMode::ALL.map(|mode| DecisionModeView::of(mode, language)).into(),
            score_scale: ScoreScale { passes_from: SCORE_PASSES_FROM, fails_below: SCORE_FAILS_BELOW },
        }
    }
}

impl RuleFieldView {
    fn of(field: &'static RuleField, language: Language) -> Self {
        let number = field.number();
        let is_share = matches!(field.kind, RuleKind::Share(_));
        let default = |format: Format| (format.as_str(), field.value(&format.rules()));
        let choice =
            |value: &&'static str| RuleChoiceView { value, label: field.choice_label(language, value) };
        Self {
            path: field.path,
            group: field.group(),
            kind: match field.kind {
                RuleKind::Switch => RuleFieldType::Switch,
                RuleKind::Choice(_) => RuleFieldType::Choice,
                RuleKind::Number(_) => RuleFieldType::Number,
                RuleKind::Share(_) => RuleFieldType::Share,
                RuleKind::List(_) => RuleFieldType::List,
                RuleKind::PerParticipant(_) => RuleFieldType::PerParticipant,
                RuleKind::Group => RuleFieldType::Group,
            },
            label: field.label(language),
            help: field.help(language),
            optional: field.optional,
            defaults: Format::ALL.map(default).into(),
            initial: field.initial(),
            minimum: number.map(|number| number.min).or(is_share.then_some(0)),
            maximum: number.map(|number| number.max).or(is_share.then_some(1)),
            at_most: number.and_then(|number| number.at_most),
            unit: number.map(|number| RuleUnitView::of(number.unit, language)),
            choices: field.choices().iter().map(choice).collect(),
        }
    }
}

impl RuleUnitView {
    fn of(unit: RuleUnit, language: Language) -> Self {
        Self { name: unit, scale: unit.scale(), one: unit.label(language, 1), other: unit.label(language, 2) }
    }
}

impl ClauseView {
    fn of(rule: &ClauseRule, language: Language) -> Self {
        Self { name: rule.kind, path: rule.path, label: clause_name(language, rule.kind) }
    }
}

impl DecisionModeView {
    fn of(mode: DecisionMode, language: Language) -> Self {
        let with = |is_such: &dyn Fn(ClauseUse) -> bool| {
            let rules = ClauseRule::ALL.iter().filter(|rule| is_such(rule.under(Some(mode))));
            rules.map(|rule| rule.kind).collect()
        };
        Self {
            name: mode,
            label: mode.label(language),
            help: mode.help(language),
            asks: with(&ClauseUse::is_asked),
            ignores: with(&|used| !used.heeds_change()),
        }
    }
}
