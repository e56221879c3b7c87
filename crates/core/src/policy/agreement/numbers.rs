//! Numbers that come out the same wherever they are computed.

/// The most items of any list.
pub const HEALTH_LIST_MAX: usize = 30;

/// A number that is the same wherever it is computed.
pub fn even(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// The share of a part; 0 of nothing.
pub fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { even(part as f64 / whole as f64) }
}

/// Events in their order, each once, the last of them.
pub fn cited(seqs: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let mut seqs: Vec<u64> = seqs.into_iter().collect();
    seqs.sort_unstable();
    seqs.dedup();
    seqs.split_off(seqs.len().saturating_sub(HEALTH_LIST_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_four_digits() {
        assert_eq!((share(1, 3), share(2, 3), share(3, 3)), (0.3333, 0.6667, 1.0));
        assert_eq!((share(0, 5), share(0, 0), share(1, 0)), (0.0, 0.0, 0.0));
    }

    #[test]
    fn the_last_events_are_cited_in_their_order() {
        assert_eq!(cited([5, 2, 5, 9]), [2, 5, 9]);
        assert_eq!(cited((1..=32).rev()), (3..=32).collect::<Vec<u64>>());
    }
}
