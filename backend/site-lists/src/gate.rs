//! One gate for all requests of a connection: closed while the site asks to be left alone, and
//! narrow while little is left of what it allows.
//!
//! `wire` passes it before every request and shows it every answer. Throttled requests count
//! against the caller, so waiting is the fastest way through. Only a request that goes out takes
//! a slot: whoever is sent away, or gives up while waiting, leaves the others where they were.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::HeaderMap;
use jiff::Timestamp;
use tokio::time::{Instant, sleep_until};

use crate::chance;

/// From which share of what is allowed requests are spread over the time that is left.
const LITTLE_LEFT: f64 = 0.2;
/// The first wait where the site does not say how long, doubled with every further one.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// When requests may go.
#[derive(Debug, Default)]
pub(crate) struct Gate(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    closed: Option<Closed>,
    pace: Option<Pace>,
    /// The requests that wait, by number: an earlier one has the smaller.
    waiting: BTreeSet<u64>,
    newest: u64,
}

/// No request goes before `until`, which is a little after what the site asked for.
#[derive(Clone, Copy, Debug)]
struct Closed {
    asked: Instant,
    until: Instant,
}

/// One request each `step`, until `until`, when the site counts anew.
#[derive(Debug)]
struct Pace {
    step: Duration,
    next: Instant,
    until: Instant,
}

/// How long to leave the site alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Wait {
    /// What the site asked for.
    pub(crate) asked: Duration,
    /// A little longer, so that not everybody comes at once.
    pub(crate) time: Duration,
}

/// A request at the gate. It counts for those behind it until it has gone or is dropped.
struct Waiter<'a> {
    gate: &'a Gate,
    number: u64,
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.gate.state().waiting.remove(&self.number);
    }
}

/// When a request may go: at `at`; `told` is what a caller is told who cannot wait so long.
struct Slot {
    at: Instant,
    told: Instant,
}

impl State {
    /// The slot of the waiting request of that number.
    fn slot(&mut self, number: u64, now: Instant) -> Slot {
        if self.pace.as_ref().is_some_and(|pace| pace.until <= now) {
            self.pace = None;
        }
        if self.closed.is_some_and(|closed| closed.until <= now) {
            self.closed = None;
        }
        let mut slot = Slot {
            at: self.closed.map_or(now, |closed| closed.until),
            told: self.closed.map_or(now, |closed| closed.asked.max(now)),
        };
        if let Some(pace) = &self.pace {
            let ahead = self.waiting.range(..number).count();
            let ahead = u32::try_from(ahead).unwrap_or(u32::MAX);
            let turn = |from: Instant| (from + pace.step.saturating_mul(ahead)).min(pace.until);
            slot.at = slot.at.max(turn(slot.at.max(pace.next)));
            slot.told = slot.told.max(turn(slot.told.max(pace.next)));
        }
        slot
    }
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self) -> Waiter<'_> {
        let mut state = self.state();
        state.newest += 1;
        let number = state.newest;
        state.waiting.insert(number);
        Waiter { gate: self, number }
    }

    /// Lets the waiting request go if it is its turn; else says when that will be.
    fn try_pass(&self, waiter: &Waiter<'_>) -> Result<(), Slot> {
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

    /// Waits for the turn of a request, as long as that comes before `deadline`.
    ///
    /// # Errors
    /// It does not: after how long it makes sense to come again. No slot was taken.
    pub(crate) async fn pass(&self, deadline: Instant) -> Result<(), Duration> {
        let waiter = self.enter();
        loop {
            let Err(slot) = self.try_pass(&waiter) else {
                return Ok(());
            };
            if slot.at >= deadline {
                return Err(slot.told.saturating_duration_since(Instant::now()));
            }
            // It may have been closed again meanwhile, so it is asked once more.
            sleep_until(slot.at).await;
        }
    }

    /// For how long no request goes out, because the site asked for it.
    pub(crate) fn closed_for(&self) -> Option<Duration> {
        let closed = self.state().closed?;
        let left = closed.until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Keeps everybody waiting for so long.
    pub(crate) fn close(&self, wait: Wait) {
        let mut state = self.state();
        let now = Instant::now();
        let new = Closed {
            asked: now + wait.asked,
            until: now + wait.time,
        };
        state.closed = Some(state.closed.map_or(new, |known| Closed {
            asked: known.asked.max(new.asked),
            until: known.until.max(new.until),
        }));
    }

    /// Slows down where an answer says that little is left.
    pub(crate) fn observe(&self, headers: &HeaderMap) {
        let (Some(left), Some(reset)) = (
            number(headers, "ratelimit-remaining"),
            seconds(headers, "ratelimit-reset"),
        ) else {
            return;
        };
        let whole = number(headers, "ratelimit-limit").unwrap_or(left.max(1.0));
        let mut state = self.state();
        let now = Instant::now();
        if left > whole * LITTLE_LEFT {
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

/// How long a throttled answer asks to wait: the longer of its two headers; twice as long as the
/// last time where it has neither. A little longer than asked, so that not everybody comes at
/// once.
pub(crate) fn wait(headers: &HeaderMap, attempt: u32) -> Wait {
    let said = asked_wait(headers);
    let asked = said.unwrap_or_else(|| {
        FIRST_WAIT
            .saturating_mul(1 << attempt.min(10))
            .min(LONGEST_WAIT)
    });
    let spread = (asked / 10).clamp(Duration::from_millis(50), Duration::from_secs(2));
    Wait {
        asked,
        time: asked + spread.mul_f64(chance::fraction()),
    }
}

/// The longer of Retry-After and RateLimit-Reset.
pub(crate) fn asked_wait(headers: &HeaderMap) -> Option<Duration> {
    retry_after(headers).max(seconds(headers, "ratelimit-reset"))
}

/// Retry-After, in seconds or as a date. A date is compared with the answer's own, so that no
/// two clocks have to agree.
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
        assert_eq!(asked_wait(&both), Some(Duration::from_secs(7)));
        assert_eq!(
            asked_wait(&headers(&[("retry-after", "3")])),
            Some(Duration::from_secs(3))
        );
        assert_eq!(asked_wait(&headers(&[])), None);
        assert_eq!(asked_wait(&headers(&[("retry-after", "soon")])), None);
        for none in ["-1", "inf", "NaN", ""] {
            assert_eq!(
                asked_wait(&headers(&[("retry-after", none)])),
                None,
                "{none}"
            );
        }
        let now = headers(&[("retry-after", "0")]);
        assert_eq!(asked_wait(&now), Some(Duration::ZERO));
        let longest = headers(&[("retry-after", "1e300")]);
        assert_eq!(asked_wait(&longest), Some(Duration::from_hours(24)));
    }

    #[test]
    fn a_date_is_compared_with_the_date_of_the_answer() {
        let dated = headers(&[
            ("date", "Fri, 20 Nov 2026 04:00:00 GMT"),
            ("retry-after", "Fri, 20 Nov 2026 04:00:12 GMT"),
        ]);
        assert_eq!(asked_wait(&dated), Some(Duration::from_secs(12)));
        let past = headers(&[
            ("date", "Fri, 20 Nov 2026 04:00:00 GMT"),
            ("retry-after", "Fri, 20 Nov 2026 03:00:00 GMT"),
        ]);
        assert_eq!(asked_wait(&past), Some(Duration::ZERO));
    }

    #[test]
    fn a_wait_is_never_shorter_than_asked() {
        let asked = headers(&[("retry-after", "5")]);
        for attempt in 0..50 {
            let time = wait(&asked, attempt).time;
            assert!(time >= Duration::from_secs(5), "{time:?}");
        }
    }

    #[test]
    fn a_wait_is_a_tenth_longer_at_most_and_not_the_same_for_everybody() {
        for (asked, spread) in [("0.1", 50), ("5", 500), ("15", 1_500), ("60", 2_000)] {
            let headers = headers(&[("retry-after", asked)]);
            let least = asked_wait(&headers).expect("a time");
            let most = least + Duration::from_millis(spread);
            let mut waits: Vec<Duration> = (0..200).map(|_| wait(&headers, 0).time).collect();
            waits.sort();
            assert!(
                waits[0] >= least && waits[199] <= most,
                "{asked}: {waits:?}"
            );
            assert!(
                waits[199] - waits[0] > (most - least) / 2,
                "{asked}: {waits:?}"
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
            let time = wait(&headers(&[]), attempt).time;
            assert!(
                time >= least && time <= least.mul_f64(1.1),
                "{attempt}: {time:?}"
            );
        }
    }

    /// Nothing added to what the site asks for.
    fn exactly(seconds: u64) -> Wait {
        let time = Duration::from_secs(seconds);
        Wait { asked: time, time }
    }

    /// How long the next request has to wait; it goes at once, or stays among those that wait.
    fn turn(gate: &Gate) -> Duration {
        let waiter = gate.enter();
        match gate.try_pass(&waiter) {
            Ok(()) => Duration::ZERO,
            Err(slot) => {
                std::mem::forget(waiter);
                slot.at - Instant::now()
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_closed_gate_keeps_everybody_waiting_and_opens_again() {
        let gate = Gate::default();
        assert_eq!(turn(&gate), Duration::ZERO);
        gate.close(exactly(5));
        gate.close(exactly(2));
        assert_eq!(turn(&gate), Duration::from_secs(5));
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(turn(&gate), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spread_when_little_is_left() {
        let gate = Gate::default();
        gate.observe(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "50"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(turn(&gate), Duration::ZERO);
        gate.observe(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "5"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(turn(&gate), Duration::from_secs(2));
        assert_eq!(turn(&gate), Duration::from_secs(4));
        tokio::time::advance(Duration::from_secs(11)).await;
        assert_eq!(turn(&gate), Duration::ZERO);
    }

    /// A gate that was told what is left of a hundred, for ten seconds.
    fn told(left: &'static str) -> Gate {
        let gate = Gate::default();
        gate.observe(&of_a_hundred(left));
        gate
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
        assert_eq!(turn(&told("21")), Duration::ZERO);
        assert_eq!(turn(&told("20")), Duration::from_millis(500));
        assert_eq!(turn(&told("0")), Duration::from_secs(10));
        // Where it is not said of how many, there is enough as long as one is left.
        let rest = |left| headers(&[("ratelimit-remaining", left), ("ratelimit-reset", "10")]);
        for (left, wait) in [("1", 0), ("0", 10)] {
            let gate = Gate::default();
            gate.observe(&rest(left));
            assert_eq!(turn(&gate), Duration::from_secs(wait), "{left}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_ends_with_the_time_that_it_was_told_for_or_when_there_is_enough_again() {
        let gate = told("5");
        assert_eq!(turn(&gate), Duration::from_secs(2));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!([turn(&gate), turn(&gate)], [Duration::ZERO; 2]);
        let gate = told("5");
        gate.observe(&of_a_hundred("50"));
        assert_eq!([turn(&gate), turn(&gate)], [Duration::ZERO; 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_told_later_changes_the_pace_and_puts_nobody_further_back() {
        let gate = told("5");
        assert_eq!(turn(&gate), Duration::from_secs(2));
        // The next one would be after four seconds; with so many left the first is after one.
        gate.observe(&of_a_hundred("10"));
        assert_eq!(turn(&gate), Duration::from_secs(2));
        assert_eq!(turn(&gate), Duration::from_secs(3));
        // So few are left that the others wait until the site counts anew, and no longer.
        gate.observe(&of_a_hundred("1"));
        assert_eq!(turn(&gate), Duration::from_secs(10));
        assert_eq!(turn(&gate), Duration::from_secs(10));
    }

    #[tokio::test(start_paused = true)]
    async fn a_gate_that_is_closed_while_requests_are_spread_keeps_both() {
        let gate = told("5");
        gate.close(exactly(5));
        assert_eq!(turn(&gate), Duration::from_secs(5));
        assert_eq!(turn(&gate), Duration::from_secs(7));
    }

    /// The reporter's case: one 429 of 30 s, and each of twelve calls that were sent away was told
    /// 30 s more than the one before.
    #[tokio::test(start_paused = true)]
    async fn calls_that_are_sent_away_put_nobody_further_back() {
        let gate = told("0");
        gate.close(exactly(10));
        let deadline = Instant::now() + Duration::from_secs(1);
        for call in 0..12 {
            let time = gate.pass(deadline).await.expect_err("it is closed");
            assert_eq!(time, Duration::from_secs(10), "call {call}");
        }
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(gate.pass(Instant::now()).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_gives_up_while_it_waits_leaves_its_place() {
        let gate = told("5");
        let patient = Instant::now() + Duration::from_secs(60);
        for _ in 0..5 {
            let waited = tokio::time::timeout(Duration::from_millis(1), gate.pass(patient));
            assert!(waited.await.is_err(), "its turn is after two seconds");
        }
        assert!(turn(&gate) <= Duration::from_secs(2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_waits_for_its_turn_stays_when_the_gate_closes_meanwhile() {
        let gate = std::sync::Arc::new(told("5"));
        let began = Instant::now();
        let waiting = {
            let gate = std::sync::Arc::clone(&gate);
            tokio::spawn(async move {
                let passed = gate.pass(began + Duration::from_secs(60)).await;
                (passed, began.elapsed())
            })
        };
        tokio::time::sleep(Duration::from_secs(1)).await;
        gate.close(exactly(20));
        let (passed, waited) = waiting.await.expect("it goes");
        assert_eq!(passed, Ok(()));
        assert!(waited >= Duration::from_secs(21), "{waited:?}");
    }

    proptest::proptest! {
        /// Whatever calls are refused: nobody is told a time that is later than the site's own
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
        let gate = Gate::default();
        // What the site itself asked for: until when nobody may come, and until when it counts.
        let (mut site, mut slot, mut gone) = (Instant::now(), Duration::ZERO, 0);
        for (kind, seconds, left) in events {
            let now = Instant::now();
            match kind {
                0 => {
                    gate.close(exactly(seconds));
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
                    gate.observe(&map);
                    site = site.max(now + Duration::from_secs(seconds));
                    slot = slot.max(Duration::from_secs(seconds));
                }
                2 => tokio::time::advance(Duration::from_secs(seconds)).await,
                _ => match gate.pass(now).await {
                    Ok(()) => gone += 1,
                    Err(time) => {
                        let most = site.saturating_duration_since(now) + slot * gone;
                        assert!(time <= most, "told {time:?}, at most {most:?}");
                        let again = gate.pass(now).await;
                        assert_eq!(again, Err(time), "a refusal costs nothing");
                    }
                },
            }
        }
    }
}
