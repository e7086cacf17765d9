//! Rate limiting for all requests of a connection: backoff after a throttled response, pacing
//! while little of the site's budget is left.
//!
//! Throttled requests count against the budget, so waiting is the fastest way through. Invariant:
//! only a request that is sent takes a slot; one that times out or is cancelled while it waits
//! delays nobody else.
//! Source: SharePoint, "Avoid getting throttled or blocked" (Retry-After, RateLimit headers).

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use http::HeaderMap;
use jiff::Timestamp;
use tokio::time::{Instant, sleep_until};

use crate::mutex::lock;
use crate::random;

/// Below this share of the budget, requests are spread over the time until it is reset.
const PACING_THRESHOLD: f64 = 0.2;
/// Where the site does not say how long; doubled with every further attempt.
const FIRST_BACKOFF: Duration = Duration::from_secs(1);
const MAX_BACKOFF: Duration = Duration::from_secs(60);

/// Decides when a request may be sent.
#[derive(Debug, Default)]
pub(crate) struct RateLimiter(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    cooldown: Option<Cooldown>,
    pace: Option<Pace>,
    /// The waiting requests by number, in the order in which they came.
    waiting: BTreeSet<u64>,
    newest: u64,
}

/// No request is sent before `until`, which is a little later than the site requested.
#[derive(Clone, Copy, Debug)]
struct Cooldown {
    requested: Instant,
    until: Instant,
}

/// One request each `step`, until `until`, when the site resets its budget.
#[derive(Debug)]
struct Pace {
    step: Duration,
    next: Instant,
    until: Instant,
}

/// How long no request is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Backoff {
    /// As the site requested it.
    pub(crate) requested: Duration,
    /// With jitter added, so that clients do not all come back at once.
    pub(crate) delay: Duration,
}

/// A waiting request. Later ones queue behind it until it is sent or dropped.
struct Waiter<'a> {
    limiter: &'a RateLimiter,
    number: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.limiter.state().waiting.remove(&self.number);
    }
}

/// A request may be sent at `at`; `retry_at` goes into the error of a caller that cannot wait.
struct Slot {
    at: Instant,
    retry_at: Instant,
}

impl State {
    /// The slot of a waiting request.
    fn slot(&mut self, number: u64, now: Instant) -> Slot {
        if self.pace.as_ref().is_some_and(|pace| pace.until <= now) {
            self.pace = None;
        }
        if self.cooldown.is_some_and(|cooldown| cooldown.until <= now) {
            self.cooldown = None;
        }
        let mut slot = Slot {
            at: self.cooldown.map_or(now, |cooldown| cooldown.until),
            retry_at: self
                .cooldown
                .map_or(now, |cooldown| cooldown.requested.max(now)),
        };
        if let Some(pace) = &self.pace {
            let ahead = self.waiting.range(..number).count();
            let ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
            let turn = |from: Instant| (from + pace.step.saturating_mul(ahead)).min(pace.until);
            slot.at = slot.at.max(turn(slot.at.max(pace.next)));
            slot.retry_at = slot.retry_at.max(turn(slot.retry_at.max(pace.next)));
        }
        slot
    }
}

impl RateLimiter {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }

    fn enqueue(&self) -> Waiter<'_> {
        let mut state = self.state();
        state.newest += 1;
        let number = state.newest;
        state.waiting.insert(number);
        Waiter {
            limiter: self,
            number,
        }
    }

    /// Takes the slot of a waiting request if it is due; returns it otherwise.
    fn try_send(&self, waiter: &Waiter<'_>) -> Result<(), Slot> {
        let mut state = self.state();
        let now = Instant::now();
        let slot = state.slot(waiter.number, now);
        if slot.at > now {
            return Err(slot);
        }
        state.waiting.remove(&waiter.number);
        if let Some(pace) = &mut state.pace {
            pace.next = now + pace.step;
        }
        Ok(())
    }

    /// Waits until a request may be sent.
    ///
    /// # Errors
    /// That is after `deadline`: the time after which to retry. No slot was taken.
    pub(crate) async fn wait_for_turn(&self, deadline: Instant) -> Result<(), Duration> {
        let waiter = self.enqueue();
        loop {
            let Err(slot) = self.try_send(&waiter) else {
                return Ok(());
            };
            if slot.at >= deadline {
                return Err(slot.retry_at.saturating_duration_since(Instant::now()));
            }
            // The backoff may have been extended meanwhile.
            sleep_until(slot.at).await;
        }
    }

    /// For how long no request is sent; `None` where there is no backoff.
    pub(crate) fn backoff_left(&self) -> Option<Duration> {
        let cooldown = self.state().cooldown?;
        let left = cooldown.until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Starts a backoff, or extends the one there is.
    pub(crate) fn back_off(&self, backoff: Backoff) {
        let mut state = self.state();
        let now = Instant::now();
        let new = Cooldown {
            requested: now + backoff.requested,
            until: now + backoff.delay,
        };
        state.cooldown = Some(state.cooldown.map_or(new, |current| Cooldown {
            requested: current.requested.max(new.requested),
            until: current.until.max(new.until),
        }));
    }

    /// Starts or ends pacing by the RateLimit headers of a response.
    pub(crate) fn update_pace(&self, headers: &HeaderMap) {
        let (Some(left), Some(reset)) = (
            number(headers, "ratelimit-remaining"),
            seconds(headers, "ratelimit-reset"),
        ) else {
            return;
        };
        let limit = number(headers, "ratelimit-limit").unwrap_or(left.max(1.0));
        let mut state = self.state();
        let now = Instant::now();
        if left > limit * PACING_THRESHOLD {
            state.pace = None;
            return;
        }
        let step = reset.div_f64(left.max(1.0));
        let next = state
            .pace
            .as_ref()
            .map_or(now + step, |pace| pace.next.min(now + step));
        state.pace = Some(Pace {
            step,
            next,
            until: now + reset,
        });
    }
}

/// The backoff after a throttled response: as its headers request it, exponential where it has
/// none, with up to 10 % of jitter.
pub(crate) fn backoff(headers: &HeaderMap, attempt: u32) -> Backoff {
    let stated = requested_backoff(headers);
    let requested = stated.unwrap_or_else(|| {
        FIRST_BACKOFF
            .saturating_mul(1 << attempt.min(10))
            .min(MAX_BACKOFF)
    });
    let spread = (requested / 10).clamp(Duration::from_millis(50), Duration::from_secs(2));
    Backoff {
        requested,
        delay: requested + spread.mul_f64(random::fraction()),
    }
}

/// The longer of Retry-After and RateLimit-Reset.
pub(crate) fn requested_backoff(headers: &HeaderMap) -> Option<Duration> {
    retry_after(headers).max(seconds(headers, "ratelimit-reset"))
}

/// Retry-After, in seconds or as a date. A date is compared with the response's own `Date`, so
/// that the two clocks need not agree.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    if let Some(time) = seconds(headers, "retry-after") {
        return Some(time);
    }
    let date = |name: &str| -> Option<Timestamp> {
        let text = headers.get(name)?.to_str().ok()?;
        jiff::fmt::rfc2822::DateTimeParser::new()
            .parse_timestamp(text.trim())
            .ok()
    };
    let left = date("date")?.duration_until(date("retry-after")?);
    Some(Duration::try_from(left).unwrap_or_default())
}

fn number(headers: &HeaderMap, name: &str) -> Option<f64> {
    let text = headers.get(name)?.to_str().ok()?;
    text.trim()
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
}

fn seconds(headers: &HeaderMap, name: &str) -> Option<Duration> {
    // A day is longer than any budget; more would only overflow.
    number(headers, name).map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0)))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn headers(all: &[(&'static str, &'static str)]) -> HeaderMap {
        all.iter()
            .map(|(name, value)| {
                (
                    http::HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    #[test]
    fn the_longer_of_the_two_headers_counts() {
        let both = headers(&[("retry-after", "3"), ("ratelimit-reset", "7")]);
        assert_eq!(requested_backoff(&both), Some(Duration::from_secs(7)));
        assert_eq!(
            requested_backoff(&headers(&[("retry-after", "3")])),
            Some(Duration::from_secs(3))
        );
        assert_eq!(requested_backoff(&headers(&[])), None);
        assert_eq!(
            requested_backoff(&headers(&[("retry-after", "soon")])),
            None
        );
        for none in ["-1", "inf", "NaN", ""] {
            assert_eq!(
                requested_backoff(&headers(&[("retry-after", none)])),
                None,
                "{none}"
            );
        }
        let now = headers(&[("retry-after", "0")]);
        assert_eq!(requested_backoff(&now), Some(Duration::ZERO));
        let longest = headers(&[("retry-after", "1e300")]);
        assert_eq!(requested_backoff(&longest), Some(Duration::from_hours(24)));
    }

    #[test]
    fn a_date_is_compared_with_the_date_of_the_answer() {
        let dated = headers(&[
            ("date", "Fri, 20 Nov 2026 04:00:00 GMT"),
            ("retry-after", "Fri, 20 Nov 2026 04:00:12 GMT"),
        ]);
        assert_eq!(requested_backoff(&dated), Some(Duration::from_secs(12)));
        let past = headers(&[
            ("date", "Fri, 20 Nov 2026 04:00:00 GMT"),
            ("retry-after", "Fri, 20 Nov 2026 03:00:00 GMT"),
        ]);
        assert_eq!(requested_backoff(&past), Some(Duration::ZERO));
    }

    #[test]
    fn a_wait_is_never_shorter_than_asked() {
        let requested = headers(&[("retry-after", "5")]);
        for attempt in 0..50 {
            let time = backoff(&requested, attempt).delay;
            assert!(time >= Duration::from_secs(5), "{time:?}");
        }
    }

    #[test]
    fn a_wait_is_a_tenth_longer_at_most_and_not_the_same_for_everybody() {
        for (requested, spread) in [("0.1", 50), ("5", 500), ("15", 1_500), ("60", 2_000)] {
            let headers = headers(&[("retry-after", requested)]);
            let least = requested_backoff(&headers).expect("a time");
            let most = least + Duration::from_millis(spread);
            let mut backoffs: Vec<Duration> =
                (0..200).map(|_| backoff(&headers, 0).delay).collect();
            backoffs.sort();
            assert!(
                backoffs[0] >= least && backoffs[199] <= most,
                "{requested}: {backoffs:?}"
            );
            assert!(
                backoffs[199] - backoffs[0] > (most - least) / 2,
                "{requested}: {backoffs:?}"
            );
        }
    }

    #[test]
    fn where_nothing_is_asked_each_wait_is_twice_as_long_as_the_last_up_to_a_minute() {
        for (attempt, seconds) in [
            (0, 1),
            (1, 2),
            (2, 4),
            (5, 32),
            (6, 60),
            (10, 60),
            (u32::MAX, 60),
        ] {
            let least = Duration::from_secs(seconds);
            let time = backoff(&headers(&[]), attempt).delay;
            assert!(
                time >= least && time <= least.mul_f64(1.1),
                "{attempt}: {time:?}"
            );
        }
    }

    /// Nothing added to what the site asks for.
    fn exactly(seconds: u64) -> Backoff {
        let time = Duration::from_secs(seconds);
        Backoff {
            requested: time,
            delay: time,
        }
    }

    /// How long the next request has to wait; it goes at once, or stays among those that wait.
    fn turn(limiter: &RateLimiter) -> Duration {
        let waiter = limiter.enqueue();
        match limiter.try_send(&waiter) {
            Ok(()) => Duration::ZERO,
            Err(slot) => {
                std::mem::forget(waiter);
                slot.at - Instant::now()
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_closed_gate_keeps_everybody_waiting_and_opens_again() {
        let limiter = RateLimiter::default();
        assert_eq!(turn(&limiter), Duration::ZERO);
        limiter.back_off(exactly(5));
        limiter.back_off(exactly(2));
        assert_eq!(turn(&limiter), Duration::from_secs(5));
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(turn(&limiter), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spread_when_little_is_left() {
        let limiter = RateLimiter::default();
        limiter.update_pace(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "50"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(turn(&limiter), Duration::ZERO);
        limiter.update_pace(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "5"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(turn(&limiter), Duration::from_secs(2));
        assert_eq!(turn(&limiter), Duration::from_secs(4));
        tokio::time::advance(Duration::from_secs(11)).await;
        assert_eq!(turn(&limiter), Duration::ZERO);
    }

    /// A rate limiter that was told what is left of a hundred, for ten seconds.
    fn limiter_with(left: &'static str) -> RateLimiter {
        let limiter = RateLimiter::default();
        limiter.update_pace(&of_a_hundred(left));
        limiter
    }

    fn of_a_hundred(left: &'static str) -> HeaderMap {
        headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", left),
            ("ratelimit-reset", "10"),
        ])
    }

    #[tokio::test(start_paused = true)]
    async fn a_fifth_is_little_and_more_is_not() {
        assert_eq!(turn(&limiter_with("21")), Duration::ZERO);
        assert_eq!(turn(&limiter_with("20")), Duration::from_millis(500));
        assert_eq!(turn(&limiter_with("0")), Duration::from_secs(10));
        // Where it is not said of how many, there is enough as long as one is left.
        let rest = |left| headers(&[("ratelimit-remaining", left), ("ratelimit-reset", "10")]);
        for (left, backoff) in [("1", 0), ("0", 10)] {
            let limiter = RateLimiter::default();
            limiter.update_pace(&rest(left));
            assert_eq!(turn(&limiter), Duration::from_secs(backoff), "{left}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_ends_with_the_time_that_it_was_told_for_or_when_there_is_enough_again() {
        let limiter = limiter_with("5");
        assert_eq!(turn(&limiter), Duration::from_secs(2));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!([turn(&limiter), turn(&limiter)], [Duration::ZERO; 2]);
        let limiter = limiter_with("5");
        limiter.update_pace(&of_a_hundred("50"));
        assert_eq!([turn(&limiter), turn(&limiter)], [Duration::ZERO; 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_told_later_changes_the_pace_and_puts_nobody_further_back() {
        let limiter = limiter_with("5");
        assert_eq!(turn(&limiter), Duration::from_secs(2));
        // The next one would be after four seconds; with so many left the first is after one.
        limiter.update_pace(&of_a_hundred("10"));
        assert_eq!(turn(&limiter), Duration::from_secs(2));
        assert_eq!(turn(&limiter), Duration::from_secs(3));
        // So few are left that the others wait until the site counts anew, and no longer.
        limiter.update_pace(&of_a_hundred("1"));
        assert_eq!(turn(&limiter), Duration::from_secs(10));
        assert_eq!(turn(&limiter), Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn a_gate_that_is_closed_while_requests_are_spread_keeps_both() {
        let limiter = limiter_with("5");
        limiter.back_off(exactly(5));
        assert_eq!(turn(&limiter), Duration::from_secs(5));
        assert_eq!(turn(&limiter), Duration::from_secs(7));
    }

    /// The reporter's case: one 429 of 30 s, and each of twelve calls that were sent away was told
    /// 30 s more than the one before.
    #[tokio::test(start_paused = true)]
    async fn calls_that_are_sent_away_put_nobody_further_back() {
        let limiter = limiter_with("0");
        limiter.back_off(exactly(10));
        let deadline = Instant::now() + Duration::from_secs(1);
        for call in 0..12 {
            let time = limiter
                .wait_for_turn(deadline)
                .await
                .expect_err("it is closed");
            assert_eq!(time, Duration::from_secs(10), "call {call}");
        }
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(limiter.wait_for_turn(Instant::now()).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_gives_up_while_it_waits_leaves_its_place() {
        let limiter = limiter_with("5");
        let patient = Instant::now() + Duration::from_secs(60);
        for _ in 0..5 {
            let waited =
                tokio::time::timeout(Duration::from_millis(1), limiter.wait_for_turn(patient));
            assert!(waited.await.is_err(), "its turn is after two seconds");
        }
        assert!(turn(&limiter) <= Duration::from_secs(2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_waits_for_its_turn_stays_when_the_gate_closes_meanwhile() {
        let limiter = std::sync::Arc::new(limiter_with("5"));
        let began = Instant::now();
        let waiting = {
            let limiter = std::sync::Arc::clone(&limiter);
            tokio::spawn(async move {
                let passed = limiter.wait_for_turn(began + Duration::from_secs(60)).await;
                (passed, began.elapsed())
            })
        };
        tokio::time::sleep(Duration::from_secs(1)).await;
        limiter.back_off(exactly(20));
        let (passed, waited) = waiting.await.expect("it goes");
        assert_eq!(passed, Ok(()));
        assert!(waited >= Duration::from_secs(21), "{waited:?}");
    }

    proptest::proptest! {
        /// Whatever calls are refused: no call gets a time that is later than the site's own
        /// wait and one slot for each call that goes out before.
        #[test]
        fn nobody_is_told_more_than_the_sites_wait_and_a_slot_for_each_call_that_goes_out(
            events in proptest::collection::vec((0..5_u8, 0..40_u64, 1..12_u32), 1..60)
        ) {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .expect("a runtime");
            runtime.block_on(told_times_are_bounded(events));
        }
    }

    async fn told_times_are_bounded(events: Vec<(u8, u64, u32)>) {
        let limiter = RateLimiter::default();
        // What the site itself asked for: until when nobody may come, and until when it counts.
        let (mut site, mut slot, mut gone) = (Instant::now(), Duration::ZERO, 0);
        for (kind, seconds, left) in events {
            let now = Instant::now();
            match kind {
                0 => {
                    limiter.back_off(exactly(seconds));
                    site = site.max(now + Duration::from_secs(seconds));
                }
                1 => {
                    let (left, reset) = (left.to_string(), seconds.to_string());
                    let mut map = HeaderMap::new();
                    for (name, value) in [("limit", "100"), ("remaining", &left), ("reset", &reset)]
                    {
                        let name = format!("ratelimit-{name}");
                        let name = http::HeaderName::from_bytes(name.as_bytes()).expect("a name");
                        map.insert(name, HeaderValue::from_str(value).expect("a value"));
                    }
                    limiter.update_pace(&map);
                    site = site.max(now + Duration::from_secs(seconds));
                    slot = slot.max(Duration::from_secs(seconds));
                }
                2 => tokio::time::advance(Duration::from_secs(seconds)).await,
                _ => match limiter.wait_for_turn(now).await {
                    Ok(()) => gone += 1,
                    Err(time) => {
                        let most = site.saturating_duration_since(now) + slot * gone;
                        assert!(time <= most, "told {time:?}, at most {most:?}");
                        let again = limiter.wait_for_turn(now).await;
                        assert_eq!(again, Err(time), "a refusal costs nothing");
                    }
                },
            }
        }
    }
}
