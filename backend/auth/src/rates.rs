//! Rate limits for requests per caller, and for failed sign-ins per address.
//!
//! The limits are generous: they stop runaway programs, not people. Embed tokens are unlimited
//! unless the operator sets a rate, because they are short-lived, and a platform may send all its
//! people through one address.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hash};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::principal::{Credential, Principal};

/// The maximum number of callers with a counter of their own. Beyond that, callers share counters,
/// so that strangers cannot make memory or lookups grow.
const KEPT: usize = 10_000;
/// The number of shared counters.
const SHARED: u64 = 1_024;

/// The permitted rates; 0 for unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Requests per second for each API key and each signed-in person.
    pub requests: u32,
    /// Requests per second for each person with embed tokens.
    pub embed_requests: u32,
    /// Failed sign-ins per minute for each address.
    pub failures: u32,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            requests: 500,
            embed_requests: 0,
            failures: 300,
        }
    }
}

/// The rate limiters of this process.
pub struct RateLimits {
    requests: Option<Counts<String>>,
    embed_requests: Option<Counts<String>>,
    failures: Option<Counts<IpAddr>>,
}

/// The counters of one rate: at most [`KEPT`] for single callers and [`SHARED`] shared ones.
struct Counts<K: Hash + Eq + Clone> {
    each: DefaultKeyedRateLimiter<K>,
    shared: DefaultKeyedRateLimiter<u64>,
    hasher: RandomState,
    since: Instant,
    /// The second after `since` in which counters with a full budget were last evicted.
    tidied: AtomicU64,
    clock: DefaultClock,
}

impl<K: Hash + Eq + Clone> Counts<K> {
    fn new(quota: Quota) -> Self {
        Self {
            each: RateLimiter::keyed(quota),
            shared: RateLimiter::keyed(quota),
            hasher: RandomState::new(),
            since: Instant::now(),
            tidied: AtomicU64::new(0),
            clock: DefaultClock::default(),
        }
    }

    fn count(&self, key: &K) -> Result<(), u32> {
        if self.each.len() >= KEPT {
            // Evicting scans all counters, so it runs at most once per second.
            let second = self.since.elapsed().as_secs() + 1;
            if self.tidied.swap(second, Ordering::Relaxed) != second {
                self.each.retain_recent();
            }
        }
        let counted = if self.each.len() >= KEPT {
            self.shared.check_key(&(self.hasher.hash_one(key) % SHARED))
        } else {
            self.each.check_key(key)
        };
        counted.map_err(|not_until| {
            let wait = not_until.wait_time_from(self.clock.now());
            u32::try_from(wait.as_secs()).map_or(u32::MAX, |seconds| seconds.saturating_add(1))
        })
    }
}

impl RateLimits {
    /// Limiters with full budgets.
    #[must_use]
    pub fn new(rates: Rates) -> Self {
        // Permits a burst of twice the rate.
        let each_second = |count: u32| {
            let count = NonZeroU32::new(count)?;
            let quota = Quota::per_second(count).allow_burst(count.saturating_add(count.get()));
            Some(Counts::new(quota))
        };
        Self {
            requests: each_second(rates.requests),
            embed_requests: each_second(rates.embed_requests),
            failures: NonZeroU32::new(rates.failures)
                .map(|count| Counts::new(Quota::per_minute(count))),
        }
    }

    /// Counts a request of a caller.
    ///
    /// # Errors
    /// The rate is exceeded; the seconds until the next request is accepted.
    pub fn request(&self, principal: &Principal) -> Result<(), u32> {
        let limiter = match principal.credential {
            Credential::Own => return Ok(()),
            Credential::EmbedToken { .. } => &self.embed_requests,
            _ => &self.requests,
        };
        match limiter {
            None => Ok(()),
            Some(counts) => counts.count(&format!(
                "{}\n{}",
                principal.tenant, principal.idempotency_scope
            )),
        }
    }

    /// Counts a sign-in that failed, or that causes work before it succeeds.
    ///
    /// # Errors
    /// The rate is exceeded; the seconds until the next attempt is accepted.
    pub fn failure(&self, address: Option<IpAddr>) -> Result<(), u32> {
        match (&self.failures, address) {
            (Some(counts), Some(address)) => counts.count(&whole_network(address)),
            _ => Ok(()),
        }
    }
}

/// A single machine usually has a whole IPv6 network, so its addresses share a counter.
fn whole_network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => {
            let network = u128::from(six) & !u128::from(u64::MAX);
            IpAddr::V6(network.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(requests: u32, embed_requests: u32, failures: u32) -> RateLimits {
        RateLimits::new(Rates {
            requests,
            embed_requests,
            failures,
        })
    }

    fn with_key(id: u8) -> Principal {
        Principal {
            idempotency_scope: format!("key:{id}"),
            credential: Credential::ApiKey([id; 32]),
            ..Principal::operator("acme")
        }
    }

    #[test]
    fn each_caller_has_a_budget_of_its_own_and_is_told_when_to_come_back() {
        let limits = limits(1, 0, 0);
        assert_eq!(limits.request(&with_key(1)), Ok(()));
        assert_eq!(limits.request(&with_key(1)), Ok(()));
        assert_eq!(limits.request(&with_key(1)), Err(1));
        assert_eq!(limits.request(&with_key(2)), Ok(()));
        assert_eq!(limits.request(&Principal::operator("acme")), Ok(()));
    }

    #[test]
    fn failures_count_by_address_and_by_network() {
        let limits = limits(0, 0, 1);
        let fail = |address: &str| limits.failure(address.parse().ok());
        assert_eq!(fail("192.0.2.1"), Ok(()));
        assert!(fail("192.0.2.1").is_err_and(|seconds| (1..=61).contains(&seconds)));
        assert_eq!(fail("192.0.2.2"), Ok(()));
        assert_eq!(fail("2001:db8::1"), Ok(()));
        assert!(fail("2001:db8::2").is_err());
        assert_eq!(limits.failure(None), Ok(()));
    }

    #[test]
    fn however_many_networks_fail_so_many_are_remembered_and_all_have_an_end() {
        let limits = limits(0, 0, 3);
        let fail = |number: u32| limits.failure(Some(IpAddr::V4(number.into())));
        for number in 0..5 * 10_000 {
            let _ = fail(number);
        }
        let counts = limits.failures.as_ref().expect("a rate");
        assert!(counts.each.len() <= KEPT, "{}", counts.each.len());
        assert!(counts.shared.len() <= 1_024, "{}", counts.shared.len());
        // Each address has at most a budget of its own and a shared one.
        let taken = (0..10).filter(|_| fail(49_999).is_ok()).count();
        assert!(taken <= 3, "{taken}");
    }

    #[test]
    fn without_a_rate_there_is_no_end() {
        let limits = limits(0, 0, 0);
        assert!((0..1_000).all(|_| limits.request(&with_key(1)).is_ok()));
    }
}
