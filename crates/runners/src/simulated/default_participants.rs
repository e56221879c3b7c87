//! Default participants: names, roles and temperaments for a first meeting.
//!
//! The same cast serves real models; only the runner of each seat differs.

use quorate_contract::{Format, Language, ModelOffer, Newcomer, Role, RunnerSpec, Temperament};

use super::phrases::bank;
use super::rng::Rng;
use super::scripts;

/// Participants with short, distinct names and roles in the language of the meeting.
///
/// `count` is held to 1-12. The first roles differ most from each other, so a small table has
/// them; the seed shuffles the names. `runner` says what answers for each seat, counted from 0.
pub fn default_cast(
    language: Language,
    count: usize,
    seed: u64,
    mut runner: impl FnMut(usize) -> RunnerSpec,
) -> Vec<Newcomer> {
    let bank = bank(language);
    let (names, roles) = (bank.lines("cast.names"), bank.lines("cast.roles"));
    let order = Rng::new(&[seed, 0xca57]).order(names.len());
    order
        .into_iter()
        .zip(roles)
        .take(count.clamp(1, 12))
        .enumerate()
        .map(|(seat, (name, role))| {
            let (title, description) = role.split_once('|').unwrap_or((role, role));
            Newcomer {
                name: names[name].to_owned(),
                role: Role {
                    name: title.to_owned(),
                    description: description.to_owned(),
                    system_prompt: String::new(),
                },
                runner: runner(seat),
                skip_list: Vec::new(),
            }
        })
        .collect()
}

/// The participants of the script that an example topic has, where it is written for this format.
pub fn example_cast(
    topic: &str,
    format: Format,
    language: Language,
    mut runner: impl FnMut(usize) -> RunnerSpec,
) -> Option<Vec<Newcomer>> {
    let script = scripts::of(topic, language).filter(|script| script.format == format)?;
    let seat = |(seat, member): (usize, &scripts::Member)| Newcomer {
        name: member.name.clone(),
        role: Role {
            name: member.role.clone(),
            description: member.description.clone(),
            system_prompt: String::new(),
        },
        runner: runner(seat),
        skip_list: Vec::new(),
    };
    Some(script.cast.iter().enumerate().map(seat).collect())
}

/// A mixed table: mostly balanced, one agreeable in four or so, one stubborn in four or so.
/// The seed decides who is who; from three seats on there is one of each.
pub fn default_temperaments(count: usize, seed: u64) -> Vec<Temperament> {
    use Temperament::{Agreeable, Balanced, Stubborn};
    const MIX: [Temperament; 8] =
        [Balanced, Agreeable, Stubborn, Balanced, Balanced, Balanced, Agreeable, Balanced];
    let mix: Vec<Temperament> = MIX.into_iter().cycle().take(count).collect();
    let order = Rng::new(&[seed, 0x7e3]).order(count);
    order.into_iter().map(|place| mix[place]).collect()
}

/// Simulated models for newcomers to be given, each with what it is good at.
pub fn default_offers(language: Language) -> Vec<ModelOffer> {
    use Temperament::{Agreeable, Balanced, Stubborn, Verbose};
    let kinds =
        [(Balanced, "balanced"), (Agreeable, "agreeable"), (Stubborn, "stubborn"), (Verbose, "verbose")];
    let offer = |(temperament, name): (Temperament, &str)| ModelOffer {
        name: format!("simulated {name}"),
        runner: RunnerSpec::Simulated { temperament },
        good_at: bank(language).line(&format!("offer.{name}"), 0).to_owned(),
    };
    kinds.into_iter().map(offer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn cast(language: Language, count: usize, seed: u64) -> Vec<Newcomer> {
        let temperaments = default_temperaments(12, seed);
        default_cast(language, count, seed, |seat| RunnerSpec::Simulated { temperament: temperaments[seat] })
    }

    #[test]
    fn twelve_can_sit_down_without_a_name_or_role_twice() {
        for language in [Language::Zh, Language::En] {
            let cast = cast(language, 40, 3);
            assert_eq!(cast.len(), 12);
            assert_eq!(cast.iter().map(|seat| &seat.name).collect::<BTreeSet<_>>().len(), 12);
            assert_eq!(cast.iter().map(|seat| &seat.role.name).collect::<BTreeSet<_>>().len(), 12);
            for seat in &cast {
                assert!((20..=2000).contains(&seat.role.description.chars().count()), "{:?}", seat.role);
            }
        }
        assert_eq!(cast(Language::Zh, 0, 3).len(), 1);
    }

    #[test]
    fn an_example_topic_has_the_cast_of_its_script_in_its_format() {
        let cast = |topic: &str, format| {
            let balanced = |_| RunnerSpec::Simulated { temperament: Temperament::Balanced };
            example_cast(topic, format, Language::En, balanced)
        };
        let topic = "Do we release version 2.0 on Friday?";
        let names: Vec<String> =
            cast(topic, Format::Room).expect("a cast").into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["Ada", "Ben", "Mira", "Noor"]);
        assert_eq!(cast(topic, Format::Consensus), None);
        assert_eq!(cast("Do we release version 3.0 on Friday?", Format::Room), None);
    }

    #[test]
    fn the_seed_shuffles_the_names_and_nothing_else() {
        let (one, two) = (cast(Language::Zh, 5, 1), cast(Language::Zh, 5, 2));
        assert_eq!(one, cast(Language::Zh, 5, 1));
        assert_ne!(one[0].name, two[0].name);
        assert_eq!(one[0].role, two[0].role);
    }

    #[test]
    fn offers_have_names_and_say_what_they_are_good_at() {
        for language in [Language::Zh, Language::En] {
            let offers = default_offers(language);
            assert_eq!(offers.iter().map(|offer| &offer.name).collect::<BTreeSet<_>>().len(), 4);
            assert!(
                offers.iter().all(|offer| offer.name.starts_with("simulated ") && !offer.good_at.is_empty())
            );
        }
        assert_ne!(default_offers(Language::Zh)[0].good_at, default_offers(Language::En)[0].good_at);
    }

    #[test]
    fn every_table_of_three_has_one_of_each_character() {
        for seed in 0..20 {
            let table: BTreeSet<String> =
                default_temperaments(3, seed).iter().map(|temperament| format!("{temperament:?}")).collect();
            assert_eq!(table.len(), 3);
        }
    }
}
