//! The usage of each model: a fallback is not credited to the model that failed.

use quorate_contract::{ParticipantId, RunnerSpec, TaskId};
use serde::{Deserialize, Serialize};

use super::{Meeting, Spending};
use crate::state::tasks;

/// The usage of one model's calls for one participant or the facilitator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ModelSpent {
    /// The participant; `None` is the facilitator.
    pub participant: Option<ParticipantId>,
    /// The model, as `provider/model`.
    pub model: String,
    /// Its usage.
    pub spent: Spending,
}

impl Meeting {
    /// Everything that is spent on a task counts for the model that is asked for it.
    pub(super) fn spend_of_model(&mut self, task: TaskId, change: impl Fn(&mut Spending)) {
        let participant = tasks::answerer(self, task);
        let model = tasks::runner(self, task).map_or_else(String::new, RunnerSpec::label);
        let known = self.models.iter().position(|one| one.participant == participant && one.model == model);
        let place = known.unwrap_or_else(|| {
            self.models.push(ModelSpent { participant, model, spent: Spending::default() });
            self.models.len() - 1
        });
        change(&mut self.models[place].spent);
    }
}
