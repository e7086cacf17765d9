//! The live region: announces changes to screen readers.
//!
//! Polite, at most one message a second (`model::announcer`), always in the reader's language.

use super::controller::Controller;
use crate::browser;
use crate::model::announcer::PAUSE;

impl Controller {
    /// Puts a sentence into the live region.
    pub(super) fn announce(&self, message: String) {
        let said = self.runtime().announcer.borrow_mut().say(message);
        if let Some(message) = said {
            self.speak(message);
        }
    }

    fn speak(&self, mut message: String) {
        self.show(|card| {
            // To a screen reader the same text is no change; an inaudible blank makes it one.
            if card.spoken == message {
                message.push('\u{a0}');
            }
            card.spoken = message;
        });
        let controller = *self;
        let pause_over = move || {
            let next = controller.runtime().announcer.borrow_mut().end_pause();
            if let Some(next) = next {
                controller.speak(next);
            }
        };
        // From when it stands on the page, however long drawing takes.
        browser::set_timeout(
            0,
            Box::new(move || browser::set_timeout(PAUSE, Box::new(pause_over))),
        );
    }
}
