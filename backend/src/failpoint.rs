//! Places at which a test can stop a run: everything before and after whatever leaves a mark
//! outside, for each kind of write in its first, a middle and its last chunk. And places where a
//! request breaks down with a secret in its hands.
//!
//! Only builds for development have them, and those with the feature `failpoints`. There, whoever
//! starts the program chooses a place ([`arm`]); a run that comes there says so on stderr and
//! stands still until it is killed. Asked all over `workflow`, and by the services that have secrets.

use std::fmt;
use std::sync::OnceLock;

use checklist_shared::wire::workflow::PlannedAction;

/// Where a chunk stands among those of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Nothing of the kind was written before.
    First,
    /// There are some before and behind it.
    Middle,
    /// Nothing of the kind comes behind it.
    Last,
}

impl Position {
    /// Where the chunk of that number stands.
    #[must_use]
    pub const fn of(number: usize, chunks: usize) -> Self {
        if number == 0 {
            Self::First
        } else if number + 1 == chunks {
            Self::Last
        } else {
            Self::Middle
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Middle => "middle",
            Self::Last => "last",
        }
    }
}

/// All places by name, in the order of a run, one a line. The tests that kill servers read the
/// same file, so that no place goes without its kill.
const PLACES: &str = include_str!("failpoints.txt");

/// Places where a request holds something that authenticates.
pub const BREAKDOWNS: [&str; 3] = ["connection.written", "site.opened", "site.asked"];

/// A request comes to a place where it may break down: it panics with what it would show of what it
/// holds, as a careless `expect` does.
pub fn break_down(place: &str, held: &dyn fmt::Debug) {
    debug_assert!(BREAKDOWNS.contains(&place));
    if cfg!(any(feature = "failpoints", debug_assertions))
        && ARMED.get().is_some_and(|armed| armed.place == place)
    {
        #[expect(
            clippy::panic,
            reason = "the test that has armed the place asked for it"
        )]
        {
            panic!("failpoint {place}: {held:?}");
        }
    }
}

/// Armed by tests that only choose the size of a chunk.
const NOWHERE: &str = "nowhere";

fn name_of(action: PlannedAction, position: Position, moment: &str) -> String {
    let action = action.name().to_lowercase();
    format!("write.{action}.{}.{moment}", position.name())
}

static ARMED: OnceLock<ArmedFailpoint> = OnceLock::new();

struct ArmedFailpoint {
    place: String,
    chunk: Option<usize>,
}

/// Chooses the place to stand still at, and how many computers go into a chunk. The first choice
/// counts.
///
/// # Panics
/// There is no such place: a test would wait for it in vain.
pub fn arm(place: impl Into<String>, chunk: Option<usize>) {
    let place = place.into();
    assert!(
        is_known(&place) || place == NOWHERE,
        "there is no failpoint {place}"
    );
    let _ = ARMED.set(ArmedFailpoint { place, chunk });
}

fn is_known(place: &str) -> bool {
    PLACES.lines().any(|known| known == place) || BREAKDOWNS.contains(&place)
}

/// How many computers go into a chunk, where a test has chosen that.
pub(crate) fn chunk() -> Option<usize> {
    ARMED.get().and_then(|armed| armed.chunk)
}

/// A run comes to a place.
pub(crate) async fn reach(place: &str) {
    debug_assert!(is_known(place), "{place} is missing in failpoints.txt");
    if cfg!(any(feature = "failpoints", debug_assertions))
        && ARMED.get().is_some_and(|armed| armed.place == place)
    {
        stand_still(place).await;
    }
}

/// A chunk comes to a moment.
pub(crate) async fn reach_chunk(action: PlannedAction, position: Position, moment: &str) {
    if cfg!(any(feature = "failpoints", debug_assertions)) && ARMED.get().is_some() {
        reach(&name_of(action, position, moment)).await;
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the test that has armed the place reads it"
)]
async fn stand_still(place: &str) {
    eprintln!("failpoint {place}");
    std::future::pending::<()>().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_more_than_forty_places_and_no_two_of_one_name() {
        let mut all: Vec<&str> = PLACES.lines().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn every_moment_of_every_kind_of_chunk_is_a_place() {
        for action in PlannedAction::ALL {
            for position in [Position::First, Position::Middle, Position::Last] {
                for moment in ["chosen", "intended", "sent", "settled"] {
                    let name = name_of(action, position, moment);
                    assert!(is_known(&name), "{name}");
                }
            }
        }
    }

    #[test]
    fn a_lone_chunk_is_the_first() {
        assert_eq!(Position::of(0, 1), Position::First);
        assert_eq!(Position::of(1, 3), Position::Middle);
        assert_eq!(Position::of(2, 3), Position::Last);
    }
}
