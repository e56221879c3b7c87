//! The texts of errors in the settings of what answers.

use quorate_contract::Wording;
use quorate_runners::RunnerConfigError;

use super::InBoth;

impl InBoth for RunnerConfigError {
    fn in_both(&self) -> (Wording, Wording) {
        (self.told().into(), self.hint().into())
    }
}
