//! The health of a deliberation: each verdict once, and its properties.

#[path = "health/properties.rs"]
mod properties;
#[path = "health/stage.rs"]
mod stage;
#[path = "health/verdicts.rs"]
mod verdicts;
