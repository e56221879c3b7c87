//! The thresholds of all measures. They are ours, tuned on simulations or guessed, and no evidence about real
//! models; `docs/health.md` says which is which.

/// The share of holders from which on the participants agree: the median of consensus studies by the Delphi
/// method.
pub(super) const AGREEMENT_HIGH: f64 = 0.75;
/// An agreement that a smaller share than this held in the blind round, and that rests on nothing new, is
/// suspicious.
pub(super) const BLIND_SUPPORT_LOW: f64 = 0.40;
/// From this share of seats on that changed their mind by nothing they name, an agreement is not believed.
pub(super) const UNEVIDENCED_HIGH: f64 = 0.30;
/// A model family with more than this share of the support dominates the result.
pub(super) const FAMILY_SHARE_HIGH: f64 = 0.60;
/// The share of votes against above which the participants are split; one vote against never is.
pub(super) const AGAINST_SHARE: f64 = 0.15;
/// The leading position may gain so much in one round without anything new.
pub(super) const JUMP: f64 = 0.30;
/// The leading position may gain so much since the blind round without anything new.
pub(super) const BLIND_GAP: f64 = 0.35;
/// In at most this share of rounds may all disagreements vanish with nothing new.
pub(super) const COLLAPSE: f64 = 0.20;
/// Fewer new claims a seat than this, two rounds in a row, say that the matter is talked out.
pub(super) const NOVELTY_LOW: f64 = 0.50;
/// At least this share of what is raised should be answered.
pub(super) const COVERAGE_LOW: f64 = 0.60;
/// More than this inequality of claims (Gini) says that some hardly took part.
pub(super) const GINI_HIGH: f64 = 0.40;
/// Fewer effective seats than this are hardly more than one opinion.
pub(super) const EFFECTIVE_SEATS_LOW: f64 = 2.5;
/// A round that moves the mean score by less than this share of the scale was worth little.
pub(super) const VALUE_LOW: f64 = 0.03;
/// The correlation of errors between two seats: of the same model …
pub(super) const RHO_SAME_MODEL: f64 = 0.6;
/// … of different models of one family …
pub(super) const RHO_SAME_FAMILY: f64 = 0.3;
/// … and of others.
pub(super) const RHO_OTHER: f64 = 0.1;
