//! How sound a deliberation is: each verdict once, and what always holds.

#[path = "health/properties.rs"]
mod properties;
#[path = "health/stage.rs"]
mod stage;
#[path = "health/verdicts.rs"]
mod verdicts;
