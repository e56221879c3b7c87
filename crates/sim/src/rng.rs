//! The dice of a fault plan: one seed, and everything falls the same way on every machine.

/// A stream of numbers that follows from its seed alone (SplitMix64: Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// Dice of a seed. Neighbouring seeds have nothing to do with each other.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(crate) fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 when the bound is 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.roll().checked_rem(bound).unwrap_or(0)
    }

    /// A place in a list of that length; 0 when it is empty.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.below(length as u64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// The same for the many numbers of the rules that are smaller.
    pub(crate) fn small(&mut self, low: u32, high: u32) -> u32 {
        // Not above `high`, so it fits.
        self.between(low.into(), high.into()) as u32
    }

    /// True in `share` of a thousand rolls.
    pub(crate) fn per_mille(&mut self, share: u64) -> bool {
        self.below(1000) < share
    }

    /// A share from 0.0 to 1.0 with many digits.
    pub(crate) fn share(&mut self) -> f64 {
        self.below(10_001) as f64 / 10_000.0 * (2.0 / 3.0) + self.below(10_001) as f64 / 30_000.0
    }

    /// Picks one of several.
    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.place(from.len())]
    }

    /// Picks one of several by weight.
    pub(crate) fn weighted<T: Copy>(&mut self, from: &[(u64, T)]) -> T {
        let mut left = self.below(from.iter().map(|(weight, _)| weight).sum());
        for (weight, item) in from {
            if left < *weight {
                return *item;
            }
            left -= weight;
        }
        from[from.len() - 1].1
    }

    /// A value in `per_mille` of a thousand cases.
    pub(crate) fn maybe<T>(&mut self, per_mille: u64, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.per_mille(per_mille).then(|| make(self))
    }
}
