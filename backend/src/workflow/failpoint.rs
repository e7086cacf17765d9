//! Places at which a test can stop a run: everything before and after whatever leaves a mark
//! outside, for each kind of write in its first, a middle and its last chunk.
//!
//! Only builds for development have them, and those with the feature `failpoints`. There, whoever starts the program chooses a place
//! ([`arm`]); a run that comes there says so on stderr and stands still until it is killed. Asked
//! all over `workflow`.

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

/// Places outside of writing, in the order of a run.
pub const PLACES: [&str; 17] = [
    "claimed",
    "loaded",
    "establish.begun",
    "establish.opened",
    "establish.checked",
    "establish.key-column",
    "establish.done",
    "read.begun",
    "read.done",
    "decide.begun",
    "decide.decided",
    "decide.stored",
    "gate.waits",
    "gate.stored",
    "write.done",
    "end.begun",
    "end.stored",
];

/// What happens to a chunk, in order.
pub const MOMENTS: [&str; 4] = ["chosen", "intended", "sent", "settled"];

/// All places by name.
#[must_use]
pub fn all() -> Vec<String> {
    let mut all: Vec<String> = PLACES.iter().map(|&place| place.to_owned()).collect();
    for action in PlannedAction::ALL {
        for position in [Position::First, Position::Middle, Position::Last] {
            for moment in MOMENTS {
                all.push(name_of(action, position, moment));
            }
        }
    }
    all
}

fn name_of(action: PlannedAction, position: Position, moment: &str) -> String {
    let action = action.name().to_lowercase();
    format!("write.{action}.{}.{moment}", position.name())
}

static ARMED: OnceLock<Armed> = OnceLock::new();

struct Armed {
    place: String,
    chunk: Option<usize>,
}

/// Chooses the place to stand still at, and how many computers go into a chunk. The first choice
/// counts.
pub fn arm(place: impl Into<String>, chunk: Option<usize>) {
    let _ = ARMED.set(Armed {
        place: place.into(),
        chunk,
    });
}

/// How many computers go into a chunk, where a test has chosen that.
pub(super) fn chunk() -> Option<usize> {
    ARMED.get().and_then(|armed| armed.chunk)
}

/// A run comes to a place.
pub(super) async fn reach(place: &str) {
    if cfg!(any(feature = "failpoints", debug_assertions))
        && ARMED.get().is_some_and(|armed| armed.place == place)
    {
        stand_still(place).await;
    }
}

/// A chunk comes to a moment.
pub(super) async fn reach_chunk(action: PlannedAction, position: Position, moment: &str) {
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
        let mut all = all();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count >= 40, "{count}");
    }

    #[test]
    fn a_lone_chunk_is_the_first() {
        assert_eq!(Position::of(0, 1), Position::First);
        assert_eq!(Position::of(1, 3), Position::Middle);
        assert_eq!(Position::of(2, 3), Position::Last);
    }
}
