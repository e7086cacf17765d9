//! How long a run retries while a site is away, and the pauses between the tries.
//!
//! The pauses grow up to a limit (exponential backoff) with jitter, so that runs do not retry in
//! step. A wait that the site requests is always respected in full.

use std::time::Duration;

use checklist_shared::problem::ProblemCode;

/// The pause after the first try; doubles with each further one.
const FIRST: Duration = Duration::from_millis(500);

/// For how long and how often a run retries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPolicy {
    /// The longest outage before a run fails.
    pub give_up_after: Duration,
    /// The longest pause between two tries, unless the site requests a longer one.
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
    /// The pause after so many tries: half of its full length for a `fraction` of 0, all of it for
    /// 1.
    #[must_use]
    pub fn pause(&self, tries: u32, fraction: f64) -> Duration {
        let full = FIRST
            .saturating_mul(2_u32.saturating_pow(tries.min(20)))
            .min(self.longest_pause);
        (full / 2).saturating_add((full / 2).mul_f64(fraction.clamp(0.0, 1.0)))
    }
}

/// Whether the error is temporary, so that a retry may succeed.
pub(super) const fn is_temporary(code: ProblemCode) -> bool {
    matches!(
        code,
        ProblemCode::Throttled
            | ProblemCode::SiteTimedOut
            | ProblemCode::OutcomeUnknown
            | ProblemCode::SiteFailed
            | ProblemCode::SiteConflict
            | ProblemCode::SiteRejected
            | ProblemCode::Busy
            | ProblemCode::StorageFull
            | ProblemCode::Internal
            | ProblemCode::TypeUnreadable
    )
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

    /// A site that is away for a day gets a few hundred requests, and enough in the first minute
    /// that an outage of fifteen seconds costs hardly more than fifteen seconds.
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
