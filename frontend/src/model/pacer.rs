//! At most one announcement a second, and never a stale one.
//!
//! A screen reader that is told five things at once tells none of them. What comes in during the
//! pause after a message replaces what waits, because the newest says the present state. Knows no
//! clock: whoever says a message tells when its pause is over, counted from the moment at which it
//! stood on the page. So a page that draws slowly does not shorten the pause, and a clock that is
//! put back does not silence the control.

/// Decides when a message may be said.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    pausing: bool,
    waiting: Option<String>,
}

/// The least time between two messages, in milliseconds.
pub const PAUSE: u32 = 1_000;

impl Pacer {
    /// A message. Gives it back when it may be said at once, and keeps it for the end of the
    /// pause otherwise.
    pub fn say(&mut self, message: String) -> Option<String> {
        if !std::mem::replace(&mut self.pausing, true) {
            return Some(message);
        }
        self.waiting = Some(message);
        None
    }

    /// The pause after the last message is over. Gives what has waited for that, which begins the
    /// next pause.
    pub fn end_pause(&mut self) -> Option<String> {
        self.pausing = self.waiting.is_some();
        self.waiting.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_says_its_first_and_its_last_message_with_a_pause_between() {
        let mut pacer = Pacer::default();
        assert_eq!(pacer.say("one".into()), Some("one".into()));
        assert_eq!(pacer.say("two".into()), None);
        assert_eq!(pacer.say("three".into()), None);
        assert_eq!(pacer.end_pause(), Some("three".into()));
        assert_eq!(pacer.say("four".into()), None);
        assert_eq!(pacer.end_pause(), Some("four".into()));
        assert_eq!(pacer.end_pause(), None);
    }

    #[test]
    fn after_a_quiet_pause_a_message_is_said_at_once() {
        let mut pacer = Pacer::default();
        assert_eq!(pacer.say("one".into()), Some("one".into()));
        assert_eq!(pacer.end_pause(), None);
        assert_eq!(pacer.say("two".into()), Some("two".into()));
    }
}
