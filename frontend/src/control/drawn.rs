//! The beginning of a control: with a list that a server has drawn, else with a question.
//!
//! What was drawn is shown at once and nothing is asked for it: the stream of changes begins
//! with the list's revision and brings what is missing. Who reads is learned from the token
//! meanwhile. Called by hosts, once they can be told something.

use checklist_shared::wire::list::GetItems;
use wasm_bindgen::JsValue;

use super::Controller;
use super::port::TokenReason;
use crate::api::requests::Request;
use crate::model::list::Affected;
use crate::model::served::ServedList;

impl Controller {
    /// Begins with `drawn`, a list as GetItems answers it; without one by loading what the
    /// settings name. The first `rows` of it are in sight or above, and are drawn at once.
    pub fn begin(&self, drawn: &JsValue, rows: usize) {
        match GetItems::read(drawn.clone()) {
            Ok(served) => self.take_over(served, rows),
            Err(_) => self.load(),
        }
    }

    fn take_over(&self, served: ServedList, rows: usize) {
        let generation = self.next_generation();
        self.take(served);
        self.draw_first(rows);
        self.loaded(Ok(()));
        let tokens = self.tokens(self.context().into_iter().collect());
        let controller = *self;
        let told = move |token: Result<String, String>| {
            // Without a token the first change will say what is wrong.
            if let Ok(token) = token.as_deref()
                && controller.is_current(generation)
            {
                controller.recognize(token);
                controller.restore();
                controller.draw(&Affected {
                    ids: controller.with_state(|state| state.order().to_vec()),
                    structural: false,
                });
            }
        };
        tokens(TokenReason::Call, Box::new(told));
    }
}
