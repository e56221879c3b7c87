//! Looks once a minute for guests whose sessions have expired.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};

use crate::state::ServerState;

/// The interval between two looks.
const EVERY: Duration = Duration::from_secs(60);

impl ServerState {
    /// Takes guests from the table whose sessions have expired, for as long as it is polled.
    pub(crate) async fn run_expiry(self) {
        let mut due = interval(EVERY);
        due.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            due.tick().await;
            self.vacate_expired_guests().await;
        }
    }

    /// Takes guests from the table whose sessions have expired by now.
    pub async fn vacate_expired_guests(&self) {
        self.access().identity().vacate_expired_guests().await;
    }

    /// Takes guests from the tables of meetings that are not over who have no session any more.
    pub async fn vacate_gone_guests(&self) {
        self.access().identity().vacate_gone_guests().await;
    }
}
