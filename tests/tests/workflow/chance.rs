//! Numbers that look like chance and come from a seed, so that a world can be made once more.
//!
//! SplitMix64.

/// Where the numbers come from.
pub struct Chance(u64);

impl Chance {
    /// The numbers of a seed.
    pub const fn of(seed: u64) -> Self {
        Self(seed ^ 0x9E37_79B9_7F4A_7C15)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below that.
    pub fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.next() % u64::from(end.max(1))).unwrap_or_default()
    }

    /// A number of those, both ends included.
    pub fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.below(most - least + 1)
    }

    /// Whether something happens that does so many times in a hundred.
    pub fn percent(&mut self, of_hundred: u32) -> bool {
        self.below(100) < of_hundred
    }

    /// One of them.
    pub fn of_these<T: Copy>(&mut self, all: &[T]) -> T {
        let at = self.below(u32::try_from(all.len()).unwrap_or(u32::MAX));
        all[at as usize]
    }
}
