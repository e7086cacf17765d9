//! Waiting for something to become true, instead of sleeping and hoping.
//!
//! Called wherever a test waits for another process: a server that starts, a page that draws.

use std::time::{Duration, Instant};

/// How long anything may take before a test gives up on it.
pub const PATIENCE: Duration = Duration::from_secs(20);

const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Asks until there is an answer; gives it.
///
/// # Panics
/// When there is none after [`PATIENCE`]; `what` says what was waited for.
#[track_caller]
pub fn until<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    match until_or_none(ask) {
        Some(answer) => answer,
        None => panic!("waited {PATIENCE:?} in vain: {what}"),
    }
}

/// The same for whoever has more to say about it: `None` after [`PATIENCE`].
pub fn until_or_none<T>(mut ask: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        let answer = ask();
        if answer.is_some() || start.elapsed() >= PATIENCE {
            return answer;
        }
        // What takes long is asked about less often: asking a browser takes time from its page.
        let pause = start.elapsed() / 8;
        std::thread::sleep(pause.clamp(SHORTEST_PAUSE, LONGEST_PAUSE));
    }
}
