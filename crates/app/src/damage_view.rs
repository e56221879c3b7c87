//! The damage of a meeting's log, as a reader is shown it.

use quorate_contract::Language;
use quorate_store::Damage;
use quorate_views::DamageView;

/// The damage of a log, in the reader's language.
pub fn damage_view(damage: &Damage, language: Language) -> DamageView {
    let Damage { event, detail, last_seq } = damage;
    DamageView { event: *event, detail: detail.text(language), last_seq: *last_seq }
}
