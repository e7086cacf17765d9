//! How long a run tries to reach a site that is away, and how long it pauses between two tries.
//!
//! The pauses grow up to a limit, and no two runs keep the same ones. What a site asks for itself
//! is always waited for in full.

use std::time::Duration;

/// The pause after the first try, doubled with each further one.
const FIRST: Duration = Duration::from_millis(500);

/// For how long a run tries again, and how seldom in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// A site may be away for so long before a run has failed.
    pub give_up_after: Duration,
    /// The longest pause between two tries, unless the site asks for a longer one.
    pub longest_pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            give_up_after: Duration::from_hours(24),
            longest_pause: Duration::from_mins(5),
        }
    }
}

impl RetryPolicy {
    /// The pause after so many tries, from half of its full length at a `fraction` of 0 to all of
    /// it at 1.
    #[must_use]
    pub fn pause(&self, tries: u32, fraction: f64) -> Duration {
        let full = FIRST
            .saturating_mul(2_u32.saturating_pow(tries.min(20)))
            .min(self.longest_pause);
        (full / 2).saturating_add((full / 2).mul_f64(fraction.clamp(0.0, 1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_the_longest_and_stay_there() {
        let policy = RetryPolicy::default();
        let pauses: Vec<Duration> = (0..64).map(|tries| policy.pause(tries, 1.0)).collect();
        assert_eq!(pauses[0], FIRST);
        assert!(pauses.is_sorted());
        assert_eq!(pauses[63], policy.longest_pause);
    }

    #[test]
    fn a_pause_is_spread_over_its_second_half() {
        let policy = RetryPolicy::default();
        for tries in [0, 3, 40] {
            let full = policy.pause(tries, 1.0);
            assert_eq!(policy.pause(tries, 0.0), full / 2);
            assert!(policy.pause(tries, 0.5) < full);
        }
    }

    /// A site that is away for a day is asked a few hundred times, and often enough in the first
    /// minute that fifteen seconds cost hardly more than fifteen seconds.
    #[test]
    fn a_day_is_a_few_hundred_tries_and_a_quarter_of_a_minute_a_handful() {
        let policy = RetryPolicy::default();
        let tries_within = |time: Duration| {
            let (mut at, mut tries) = (Duration::ZERO, 0);
            while at < time {
                at += policy.pause(tries, 1.0);
                tries += 1;
            }
            tries
        };
        let first = tries_within(Duration::from_secs(15));
        assert!((4..=8).contains(&first), "{first}");
        let day = tries_within(policy.give_up_after);
        assert!((250..=400).contains(&day), "{day}");
    }
}
