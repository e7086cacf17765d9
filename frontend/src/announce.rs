//! The one live region: what is said to those who do not see the change.
//!
//! Polite, at most one message a second (`state::pacer`), always in the reader's language. The
//! count comes along where it changed, so that nobody has to look for it.

use crate::browser;
use crate::components::header::count_sentence;
use crate::control::Controller;
use crate::state::operation::{Action, Operation};
use crate::state::pacer::PAUSE;

impl Controller {
    /// Says a sentence.
    pub(crate) fn announce(&self, message: String) {
        let said = self.inner().pacer.borrow_mut().say(message);
        if let Some(message) = said {
            self.speak(message);
        }
    }

    /// Says a sentence and how far the list is.
    pub(crate) fn announce_with_count(&self, message: &str) {
        let count = self.face(|face| count_sentence(&face.summary, self.mode().words));
        self.announce([message, " ", &count].concat());
    }

    /// Says that a step of the server's is done.
    pub(crate) fn announce_step(&self, operation: &Operation) {
        match operation.action {
            Action::Undo(_) => self.announce_with_count(self.texts().said_undone()),
            Action::Refresh { .. } => self.announce_with_count(self.texts().said_refreshed()),
            _ => {}
        }
    }

    fn speak(&self, mut message: String) {
        self.show(|face| {
            // The same words again are no change to a screen reader; a blank that nobody hears is.
            if face.spoken == message {
                message.push('\u{a0}');
            }
            face.spoken = message;
        });
        let controller = *self;
        let pause_over = move || {
            let next = controller.inner().pacer.borrow_mut().paused();
            if let Some(next) = next {
                controller.speak(next);
            }
        };
        // From when it stands on the page, however long drawing takes.
        browser::later(
            0,
            Box::new(move || browser::later(PAUSE, Box::new(pause_over))),
        );
    }
}
