//! The division of a limit among nodes: fair, and never more than there is.

use proptest::prelude::*;

use super::*;

const ALIVE: fn(&str) -> bool = |_| true;

fn need(limit: u32, held: u32, wanted: u32) -> KeyNeed {
    KeyNeed { key: "k".to_owned(), limit, held, wanted, requests: None, tokens: None }
}

fn rate(per_minute: u32, wanted: u64, unused: u64) -> KeyNeed {
    KeyNeed { requests: Some(RateNeed { per_minute, wanted, unused }), ..need(0, 0, 0) }
}

proptest! {
    #[test]
    fn a_division_gives_all_there_is_and_nobody_more_than_it_wants_or_less_than_another(
        amount in 0u64..200, wants in prop::collection::vec(0u64..60, 0..9),
    ) {
        let parts = divide(amount, &wants);
        let given: u64 = parts.iter().sum();
        prop_assert_eq!(given, amount.min(wants.iter().sum()));
        for (part, want) in parts.iter().zip(&wants) {
            prop_assert!(part <= want);
            if part < want {
                // Whoever wants more has as much as anybody, but for a remainder of one.
                prop_assert!(parts.iter().all(|other| *other <= part + 1), "{:?} of {:?}", parts, wants);
            }
        }
        let spared = with_spare(amount, &wants);
        prop_assert!(spared.iter().sum::<u64>() <= amount);
        prop_assert!(spared.iter().zip(&parts).all(|(with, without)| with >= without));
    }

    /// Nodes come, make calls, lose answers, stand still and die in any order.
    #[test]
    fn all_nodes_together_never_make_more_calls_than_the_limit(
        limit in 1u32..20, steps in prop::collection::vec((0usize..4, 0u32..12, 0u8..10), 1..120),
    ) {
        let mut state = SharedKey::default();
        let mut nodes = vec![Node::default(); 4];
        let mut dead: Vec<String> = Vec::new();
        for (now, (place, load, luck)) in (0..).zip(steps) {
            let token = nodes[place].token(place);
            let (cap, calls) = (nodes[place].cap, nodes[place].calls);
            match luck {
                // It dies, and its lease passes: its calls are over. The next one has another name.
                0 => {
                    dead.push(token);
                    nodes[place] = Node { life: nodes[place].life + 1, ..Node::default() };
                }
                // Calls end and begin.
                1..=4 => nodes[place].calls = if load < calls { load } else { load.min(cap).max(calls) },
                _ => {
                    let held = cap.max(calls);
                    let asked = need(limit, held, load.max(calls));
                    let share =
                        state.exchange(now * 250, |token| !dead.iter().any(|dead| dead == token), &token, &asked);
                    // An answer that is lost changes nothing at the node.
                    if luck != 5 {
                        nodes[place].cap = share.places;
                    }
                }
            }
            let most: u32 = nodes.iter().map(|node| node.cap.max(node.calls)).sum();
            prop_assert!(most <= limit, "{} of {}", most, limit);
        }
    }

    /// Three nodes ask at any time for requests, use them late or not at all, and give some back.
    #[test]
    fn no_minute_sees_more_requests_than_the_limit_over_all_nodes(
        per_minute in 1u32..90, steps in prop::collection::vec((0usize..3, 0i64..4_000, 0u64..40, 0u8..5), 1..200),
    ) {
        let mut state = SharedKey::default();
        let mut now = 0;
        let mut given: [(u64, i64); 3] = [(0, 0); 3];
        let mut sent: Vec<i64> = Vec::new();
        for (place, pause, wanted, luck) in steps {
            now += pause;
            let (left, since) = given[place];
            let left = if now - since <= RATE_HOLD_MS { left } else { 0 };
            if luck == 0 {
                // What it has goes out now, as late as may be.
                sent.extend((0..left).map(|_| now));
                given[place].0 = 0;
                continue;
            }
            let share = state.exchange(now, ALIVE, &place.to_string(), &rate(per_minute, wanted, left));
            prop_assert!(share.requests <= wanted);
            given[place] = (share.requests, now);
        }
        for start in &sent {
            let seen = sent.iter().filter(|time| (*start..*start + 60_000).contains(*time)).count();
            prop_assert!(seen <= per_minute as usize, "{} in a minute, of {}", seen, per_minute);
        }
    }
}

#[derive(Debug, Clone, Default)]
struct Node {
    life: u32,
    cap: u32,
    calls: u32,
}

impl Node {
    fn token(&self, place: usize) -> String {
        format!("{place}#{}", self.life)
    }
}

/// Nodes that all want so much, each asking in turn until nothing changes.
fn settled(limit: u32, wants: &[u32]) -> Vec<u32> {
    let (mut state, mut caps) = (SharedKey::default(), vec![0; wants.len()]);
    for round in 0..4 {
        for (place, want) in wants.iter().enumerate() {
            let asked = need(limit, caps[place], *want);
            caps[place] = state.exchange(round * 1_000, ALIVE, &place.to_string(), &asked).places;
        }
    }
    caps
}

#[test]
fn what_idle_nodes_do_not_want_goes_to_those_that_do() {
    assert_eq!(settled(16, &[40, 0, 0, 0]), [16, 0, 0, 0]);
    assert_eq!(settled(16, &[40, 40, 0, 0]), [8, 8, 0, 0]);
    assert_eq!(settled(16, &[40, 2, 40]), [7, 2, 7]);
    // A node that makes a few calls has room for the next ones, and leaves some.
    assert_eq!(settled(16, &[4, 0, 0]), [10, 0, 0]);
}

#[test]
fn what_a_dead_node_holds_is_free_when_its_lease_has_passed() {
    let mut state = SharedKey::default();
    assert_eq!(state.exchange(0, ALIVE, "a", &need(4, 0, 9)).places, 4);
    assert_eq!(state.exchange(1_000, ALIVE, "b", &need(4, 0, 9)).places, 0);
    assert_eq!(state.exchange(9_000, ALIVE, "b", &need(4, 0, 9)).places, 0, "its lease lasts");
    assert_eq!(state.exchange(10_500, |token| token != "a", "b", &need(4, 0, 9)).places, 4);
    assert_eq!(state.holders["b"].held, 4);
}

#[test]
fn with_fewer_places_than_nodes_each_has_its_turn() {
    let (mut state, mut caps, mut had) = (SharedKey::default(), [0; 3], [0; 3]);
    for round in 0..60 {
        for place in 0..3 {
            // Calls last less than a round: what it may not use any more it does not hold.
            let asked = need(2, caps[place], 5);
            caps[place] = state.exchange(round * 1_000, ALIVE, &place.to_string(), &asked).places;
            had[place] += caps[place];
        }
        assert!(caps.iter().sum::<u32>() <= 2, "{caps:?}");
    }
    assert!(had.iter().all(|turns| (20..=50).contains(turns)), "{had:?}");
}

#[test]
fn a_lone_node_gets_the_whole_rate_and_two_get_half_each() {
    // Of 120 in a minute 40 go at once, and 81 are refilled in 64 s.
    for (nodes, expected) in [(1, 780..=800), (2, 370..=430)] {
        let (mut state, mut sent) = (SharedKey::default(), vec![0; nodes]);
        for second in 0..600 {
            for (place, sent) in sent.iter_mut().enumerate() {
                let asked = rate(120, 50, 0);
                *sent += state.exchange(second * 1_000, ALIVE, &place.to_string(), &asked).requests;
            }
        }
        assert!(sent.iter().all(|sent| expected.contains(sent)), "{sent:?}");
    }
}

#[test]
fn one_request_in_a_minute_goes_to_each_node_in_turn() {
    let (mut state, mut sent) = (SharedKey::default(), [0; 2]);
    for second in 0..1_200 {
        for (place, sent) in sent.iter_mut().enumerate() {
            *sent += state.exchange(second * 1_000, ALIVE, &place.to_string(), &rate(1, 5, 0)).requests;
        }
    }
    assert!(sent.iter().all(|sent| (8..=11).contains(sent)), "{sent:?}");
}

#[test]
fn what_a_newer_version_adds_is_no_damage() {
    let state: SharedKey =
        serde_json::from_str(r#"{"holders":{"a#1":{"held":2,"later":true}},"more":1}"#).expect("it is read");
    assert_eq!(state.holders["a#1"].held, 2);
}
