//! What a meeting would take, before it is created.

use axum::Json;
use axum::extract::State;
use quorate_app::{Choice, CreateMeetingRequest};
use quorate_contract::Usage;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::body::Body;
use crate::problem::Problem;
use crate::state::ServerState;

pub(crate) fn routes() -> OpenApiRouter<ServerState> {
    OpenApiRouter::new().routes(routes!(estimate))
}

/// What a meeting would take, in the shortest, the likely and the longest course.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct MeetingEstimate {
    /// Agreement comes quickly, and the first ballot passes.
    least: EstimatedCourse,
    /// The course to expect.
    likely: EstimatedCourse,
    /// No ballot passes, and every round is held.
    most: EstimatedCourse,
    /// From the least to the most, over all courses.
    range: EstimateRange,
    /// `USD`; `null` when a price comes from elsewhere and its currency is not known.
    currency: Option<String>,
    /// Where the prices come from.
    prices: Vec<PriceSource>,
    /// The models that were chosen where none was named.
    chosen: Option<Choice>,
}

/// One course of a meeting.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimatedCourse {
    /// Rounds of discussion; the blind one is not counted.
    rounds: u32,
    /// Whether the rules set no end that was reached.
    open_ended: bool,
    /// Calls of models.
    calls: u32,
    /// Tokens read and written.
    tokens: u64,
    /// What it costs, in millionths of the currency; `null` when a price is not known.
    known_cost_micros: Option<u64>,
    /// Whether all prices are known.
    all_prices_known: bool,
    /// What each participant takes, and then the facilitator.
    shares: Vec<EstimatedShare>,
}

/// What one participant, or the facilitator, takes.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimatedShare {
    /// The participant; `null` for the facilitator.
    name: Option<String>,
    /// What answers for it.
    runner: String,
    /// How often it is asked.
    calls: u32,
    /// What it reads and writes.
    usage: Usage,
    /// What that costs, in millionths of the currency; `null` when no price is known.
    cost_micros: Option<u64>,
    /// By which share the tokens may be wrong, for 19 texts of 20.
    error: f64,
}

/// From the least to the most.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimateRange {
    /// Calls.
    #[schema(value_type = Vec<u32>, min_items = 2, max_items = 2)]
    calls: (u32, u32),
    /// Tokens, with the error of their estimates.
    #[schema(value_type = Vec<u64>, min_items = 2, max_items = 2)]
    tokens: (u64, u64),
    /// Cost in millionths of the currency; `null` when a price is not known.
    #[schema(value_type = Option<Vec<u64>>)]
    known_cost_micros: Option<(u64, u64)>,
}

/// Where a price comes from.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct PriceSource {
    /// Its day.
    as_of: String,
    /// Its page.
    source: String,
}

/// What a meeting would take
///
/// Calls, tokens and money in the shortest, the likely and the longest course, from a trial run with simulated
/// participants. No model is called, and nothing is stored.
#[utoipa::path(
    post, path = "/api/v1/meetings/estimate", tag = "meetings", operation_id = "estimate_meeting",
    request_body(content = CreateMeetingRequest, example = json!({"topic": "Which framework?", "format": "decision"})),
    responses((status = 200, body = MeetingEstimate), (status = 502, body = Problem)),
)]
async fn estimate(
    State(server): State<ServerState>,
    Body(new): Body<CreateMeetingRequest>,
) -> Result<Json<serde_json::Value>, Problem> {
    let estimate = server.app().estimate(&new).await?;
    serde_json::to_value(&estimate).map(Json).map_err(|error| Problem::bug(&error))
}
