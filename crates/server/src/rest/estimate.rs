//! What a meeting would take, before it is created.

use axum::Json;
use axum::extract::State;
use quorate_app::{CreateMeetingRequest, ModelChoice};
use quorate_contract::Usage;
use utoipa::ToSchema;

use crate::api_router::{ApiRouter, routes};
use crate::problem::Problem;
use crate::requests::extract::Body;
use crate::state::ServerState;

pub(crate) fn routes() -> ApiRouter {
    ApiRouter::new().routes(routes!(estimate))
}

/// An estimate of the usage of a meeting, for the shortest, the likely and the longest course.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct MeetingEstimate {
    /// The shortest course: participants agree quickly, and the first ballot passes.
    least: EstimatedCourse,
    /// The likely course.
    likely: EstimatedCourse,
    /// The longest course: no ballot passes, and all rounds take place.
    most: EstimatedCourse,
    /// The range over all courses.
    range: EstimateRange,
    /// The currency: `USD`; `null` when a price comes from another source and its currency is not known.
    currency: Option<String>,
    /// The sources of the prices.
    prices: Vec<PriceSource>,
    /// The models that were chosen because the request names none; `null` when it names them.
    chosen: Option<ModelChoice>,
}

/// An estimate of one course of a meeting.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimatedCourse {
    /// The number of discussion rounds; the blind round does not count.
    rounds: u32,
    /// Whether the rules set no limit that was reached, so that the meeting could go on.
    open_ended: bool,
    /// The number of calls to models.
    calls: u32,
    /// The number of input and output tokens.
    tokens: u64,
    /// The cost in millionths of the currency; `null` when a price is not known.
    known_cost_micros: Option<u64>,
    /// Whether all prices are known.
    all_prices_known: bool,
    /// The usage of each participant and, last, of the facilitator.
    shares: Vec<EstimatedShare>,
}

/// The estimated usage of one participant, or of the facilitator.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimatedShare {
    /// The participant's name; `null` for the facilitator.
    name: Option<String>,
    /// The model or process that answers.
    runner: String,
    /// The number of calls.
    calls: u32,
    /// The token usage.
    usage: Usage,
    /// The cost in millionths of the currency, web searches included; `null` when a price is not known.
    cost_micros: Option<u64>,
    /// Whether there are web searches in it whose price is not known.
    unpriced_searches: bool,
    /// The relative error of the token estimate, which holds for 19 texts of 20.
    error: f64,
}

/// The range of an estimate.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct EstimateRange {
    /// The number of calls.
    #[schema(value_type = Vec<u32>, min_items = 2, max_items = 2)]
    calls: (u32, u32),
    /// The number of tokens, including the error of their estimate.
    #[schema(value_type = Vec<u64>, min_items = 2, max_items = 2)]
    tokens: (u64, u64),
    /// The cost in millionths of the currency; `null` when a price is not known.
    #[schema(value_type = Option<Vec<u64>>)]
    known_cost_micros: Option<(u64, u64)>,
}

/// The source of a price.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the service writes")]
struct PriceSource {
    /// The date of the price.
    as_of: String,
    /// The source, a URL.
    source: String,
}

/// Estimate the usage of a meeting
///
/// Estimates calls, tokens and cost for the shortest, the likely and the longest course, by a trial run with
/// simulated participants. No model is called and nothing is stored.
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
