//! Limits announcements to one a second, and drops stale ones.
//!
//! A screen reader that gets five messages at once reads none of them. During the
//! pause after a message, a new message replaces the pending one, because the latest has the current
//! state. There is no clock here: the caller reports the end of the pause, counted from the time at
//! which the message was rendered. So a slow page does not shorten the pause, and setting the clock
//! back does not silence the control.

/// Decides when a message may be said.
#[derive(Clone, Debug, Default)]
pub struct Announcer {
    pausing: bool,
    waiting: Option<String>,
}

/// The least time between two messages, in milliseconds.
pub const PAUSE: u32 = 1_000;

impl Announcer {
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
        let mut announcer = Announcer::default();
        assert_eq!(announcer.say("one".into()), Some("one".into()));
        assert_eq!(announcer.say("two".into()), None);
        assert_eq!(announcer.say("three".into()), None);
        assert_eq!(announcer.end_pause(), Some("three".into()));
        assert_eq!(announcer.say("four".into()), None);
        assert_eq!(announcer.end_pause(), Some("four".into()));
        assert_eq!(announcer.end_pause(), None);
    }

    #[test]
    fn after_a_quiet_pause_a_message_is_said_at_once() {
        let mut announcer = Announcer::default();
        assert_eq!(announcer.say("one".into()), Some("one".into()));
        assert_eq!(announcer.end_pause(), None);
        assert_eq!(announcer.say("two".into()), Some("two".into()));
    }
}
