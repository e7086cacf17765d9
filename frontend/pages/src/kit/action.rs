//! Actions: ask if need be, send, announce the outcome, go on with the answer.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use super::dialog::Question;
use super::problem::error_sentence;
use crate::api::ApiError;
use crate::app::App;

impl App {
    /// Sends a request and goes on with its answer; a failure is announced.
    pub fn send<T: 'static>(
        self,
        request: impl Future<Output = Result<T, ApiError>> + 'static,
        done: impl FnOnce(T) + 'static,
    ) {
        spawn_local(async move {
            match request.await {
                Ok(answer) => done(answer),
                Err(error) => self.say(error_sentence(self, &error)),
            }
        });
    }

    /// The same once the person has confirmed it.
    pub fn confirm_and_send<T, R>(
        self,
        question: Question,
        request: impl Fn() -> R + Clone + 'static,
        done: impl FnOnce(T) + Clone + 'static,
    ) where
        T: 'static,
        R: Future<Output = Result<T, ApiError>> + 'static,
    {
        self.confirm(question, move || self.send(request(), done.clone()));
    }

    /// Sends a request while `busy` is set, once at a time.
    pub fn send_once<T: 'static>(
        self,
        busy: RwSignal<bool>,
        request: impl Future<Output = Result<T, ApiError>> + 'static,
        done: impl FnOnce(Result<T, ApiError>) + 'static,
    ) {
        if busy.get_untracked() {
            return;
        }
        busy.set(true);
        spawn_local(async move {
            let answer = request.await;
            // A disposed signal means that the page was left.
            if busy.try_set(false).is_none() {
                done(answer);
            }
        });
    }
}
