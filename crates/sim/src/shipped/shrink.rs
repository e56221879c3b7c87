//! A smaller history that breaks something, too: with fewer kinds of faults, which cease sooner.

use super::play_plan;
use crate::fault_plan::{FaultClass, PlanChange};
use crate::history::Breach;

/// How often the number of appends before the faults cease is made smaller.
const HALVINGS: u32 = 6;

/// Finds a smaller plan under which this seed still breaks something; gives back what breaks then.
pub fn shrink(breach: Breach) -> Breach {
    let mut smallest = breach;
    for class in FaultClass::ALL {
        let mut change = smallest.plan.clone();
        if !change.without.insert(class) {
            continue;
        }
        if let Err(breach) = play_plan(smallest.seed, &change) {
            smallest = breach;
        }
    }
    for _ in 0..HALVINGS {
        let steps = smallest.plan.steps.unwrap_or(160) / 2;
        let change = PlanChange { steps: Some(steps), ..smallest.plan.clone() };
        match play_plan(smallest.seed, &change) {
            Err(breach) => smallest = breach,
            Ok(_) => break,
        }
    }
    smallest
}
