//! One gate for all requests of a connection: closed while the site asks to be left alone, and
//! narrow while little is left of what it allows.
//!
//! Asked by `wire` before every request and told of every answer. Throttled requests count
//! against the caller, so waiting is the fastest way through.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use http::HeaderMap;
use jiff::Timestamp;
use tokio::time::Instant;

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
    closed_until: Option<Instant>,
    pace: Option<Pace>,
}

/// One request each `step`, until `until`.
#[derive(Debug)]
struct Pace {
    step: Duration,
    next: Instant,
    until: Instant,
}

impl Gate {
    /// How long the next request has to wait. Takes its turn.
    pub(crate) fn turn(&self) -> Duration {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let mut at = state.closed_until.map_or(now, |until| until.max(now));
        if state.pace.as_ref().is_some_and(|pace| pace.until <= now) {
            state.pace = None;
        }
        if let Some(pace) = &mut state.pace {
            at = at.max(pace.next);
            pace.next = at + pace.step;
        }
        at - now
    }

    /// Keeps everybody waiting for so long.
    pub(crate) fn close(&self, time: Duration) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let until = Instant::now() + time;
        state.closed_until = Some(state.closed_until.map_or(until, |known| known.max(until)));
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
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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
pub(crate) fn wait(headers: &HeaderMap, attempt: u32) -> Duration {
    let said = asked_wait(headers);
    let time = said.unwrap_or_else(|| {
        FIRST_WAIT
            .saturating_mul(1 << attempt.min(10))
            .min(LONGEST_WAIT)
    });
    let spread = (time / 10).clamp(Duration::from_millis(50), Duration::from_secs(2));
    time + spread.mul_f64(chance::fraction())
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
            let time = wait(&asked, attempt);
            assert!(time >= Duration::from_secs(5), "{time:?}");
        }
    }

    #[test]
    fn a_wait_is_a_tenth_longer_at_most_and_not_the_same_for_everybody() {
        for (asked, spread) in [("0.1", 50), ("5", 500), ("15", 1_500), ("60", 2_000)] {
            let headers = headers(&[("retry-after", asked)]);
            let least = asked_wait(&headers).expect("a time");
            let most = least + Duration::from_millis(spread);
            let mut waits: Vec<Duration> = (0..200).map(|_| wait(&headers, 0)).collect();
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
            let time = wait(&headers(&[]), attempt);
            assert!(
                time >= least && time <= least.mul_f64(1.1),
                "{attempt}: {time:?}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_closed_gate_keeps_everybody_waiting_and_opens_again() {
        let gate = Gate::default();
        assert_eq!(gate.turn(), Duration::ZERO);
        gate.close(Duration::from_secs(5));
        gate.close(Duration::from_secs(2));
        assert_eq!(gate.turn(), Duration::from_secs(5));
        tokio::time::advance(Duration::from_secs(6)).await;
        assert_eq!(gate.turn(), Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn requests_are_spread_when_little_is_left() {
        let gate = Gate::default();
        gate.observe(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "50"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(gate.turn(), Duration::ZERO);
        gate.observe(&headers(&[
            ("ratelimit-limit", "100"),
            ("ratelimit-remaining", "5"),
            ("ratelimit-reset", "10"),
        ]));
        assert_eq!(gate.turn(), Duration::from_secs(2));
        assert_eq!(gate.turn(), Duration::from_secs(4));
        tokio::time::advance(Duration::from_secs(11)).await;
        assert_eq!(gate.turn(), Duration::ZERO);
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
        assert_eq!(told("21").turn(), Duration::ZERO);
        assert_eq!(told("20").turn(), Duration::from_millis(500));
        assert_eq!(told("0").turn(), Duration::from_secs(10));
        // Where it is not said of how many, there is enough as long as one is left.
        let rest = |left| headers(&[("ratelimit-remaining", left), ("ratelimit-reset", "10")]);
        for (left, wait) in [("1", 0), ("0", 10)] {
            let gate = Gate::default();
            gate.observe(&rest(left));
            assert_eq!(gate.turn(), Duration::from_secs(wait), "{left}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_pace_ends_with_the_time_that_it_was_told_for_or_when_there_is_enough_again() {
        let gate = told("5");
        assert_eq!(gate.turn(), Duration::from_secs(2));
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!([gate.turn(), gate.turn()], [Duration::ZERO; 2]);
        let gate = told("5");
        gate.observe(&of_a_hundred("50"));
        assert_eq!([gate.turn(), gate.turn()], [Duration::ZERO; 2]);
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_told_later_changes_the_pace_and_puts_nobody_further_back() {
        let gate = told("5");
        assert_eq!(gate.turn(), Duration::from_secs(2));
        // The next one would be after four seconds; with so many left it is after one already.
        gate.observe(&of_a_hundred("10"));
        assert_eq!(gate.turn(), Duration::from_secs(1));
        assert_eq!(gate.turn(), Duration::from_secs(2));
        gate.observe(&of_a_hundred("1"));
        assert_eq!(gate.turn(), Duration::from_secs(3));
        assert_eq!(gate.turn(), Duration::from_secs(13));
    }

    #[tokio::test(start_paused = true)]
    async fn a_gate_that_is_closed_while_requests_are_spread_keeps_both() {
        let gate = told("5");
        gate.close(Duration::from_secs(5));
        assert_eq!(gate.turn(), Duration::from_secs(5));
        assert_eq!(gate.turn(), Duration::from_secs(7));
    }
}
