//! Who has open turns at other nodes.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

/// Who is asked at one node.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct AskedThere {
    /// Changes with each turn that opens there.
    pub(super) version: u64,
    /// Those who have an open turn.
    pub(super) asked: BTreeSet<String>,
}

/// Who is asked at the other nodes, by their addresses.
pub(crate) type TurnsElsewhere = watch::Sender<HashMap<String, AskedThere>>;
