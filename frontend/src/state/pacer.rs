//! At most one announcement a second, and never a stale one.
//!
//! A screen reader that is told five things at once tells none of them. What comes in while
//! the second runs replaces what waits, because the newest says the present state. Used by
//! `announce`.

/// Decides when a message may be said.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    said_at: Option<i64>,
    waiting: Option<String>,
}

/// The least time between two messages, in milliseconds.
pub const PAUSE: i64 = 1_000;

impl Pacer {
    /// A message at `now` (milliseconds). Says it, or tells after how many milliseconds to ask
    /// with [`Pacer::due`]; `None` for the wait means that somebody asks already.
    pub fn say(&mut self, message: String, now: i64) -> Result<String, Option<i64>> {
        let next = self.said_at.map_or(now, |said_at| said_at + PAUSE);
        if self.waiting.is_none() && next <= now {
            self.said_at = Some(now);
            return Ok(message);
        }
        let asked = self.waiting.replace(message).is_some();
        Err((!asked).then_some((next - now).max(1)))
    }

    /// The waiting message, when its time has come.
    pub fn due(&mut self, now: i64) -> Option<String> {
        let message = self.waiting.take()?;
        self.said_at = Some(now);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_says_its_first_and_its_last_message_a_second_apart() {
        let mut pacer = Pacer::default();
        assert_eq!(pacer.say("one".into(), 0), Ok("one".into()));
        assert_eq!(pacer.say("two".into(), 100), Err(Some(900)));
        assert_eq!(pacer.say("three".into(), 200), Err(None));
        assert_eq!(pacer.due(1_000), Some("three".into()));
        assert_eq!(pacer.say("four".into(), 1_200), Err(Some(800)));
    }

    #[test]
    fn after_a_quiet_second_a_message_is_said_at_once() {
        let mut pacer = Pacer::default();
        assert_eq!(pacer.say("one".into(), 0), Ok("one".into()));
        assert_eq!(pacer.say("two".into(), 1_000), Ok("two".into()));
    }
}
