//! What can be done with a run: stopping it, trying again what is left, sending an answer.

use checklist_shared::wire::workflow::Run;
use gloo_net::http::Method;
use leptos::prelude::*;
use serde::Serialize;
use wasm_bindgen_futures::spawn_local;

use super::answer::can_be_retried;
use super::call;
use super::page::Page;
use crate::api::{self, ApiError};
use crate::element::{El, all, button, el, live, nothing};
use crate::navigation::link;
use crate::parts::dialog::{Question, question as asked};
use crate::parts::load::{alert, sentence};
use crate::route::Route;
use crate::wording::{Wording, counted};

/// The buttons in the head of the page.
pub fn buttons(page: Page) -> El {
    let words = page.app.language.runs();
    // What can be done changes seldom; the buttons stay as they are while numbers grow.
    let can = Memo::new(move |_| {
        page.run.with(|run| {
            let counts = &run.counts;
            let left = counts.failed + counts.ambiguous + counts.skipped;
            let stop = !run.state.is_final() && !run.cancelling;
            (stop, can_be_retried(run).then_some(left))
        })
    });
    el("div").class("buttons").live(move || {
        let (stop, left) = can.get();
        let stop = stop.then(|| {
            let ask = move || page.stopping.set(true);
            button("button danger", words.cancel, ask).view()
        });
        let again = left.map(|left| {
            let label = counted(
                page.app.language,
                left.into(),
                words.retry_one,
                words.retry_many,
            );
            let act = move || act(page, "/RetryFailed", words.retried);
            button("button outlined", label, act).view()
        });
        all(stop.into_iter().chain(again).collect())
    })
}

/// The question before a run is stopped.
pub fn question(page: Page) -> AnyView {
    let words = page.app.language.runs();
    live(move || {
        if !page.stopping.get() {
            return nothing();
        }
        let question = Question {
            title: words.cancel_title.to_owned(),
            hint: el("p").text(words.cancel_hint),
            action: words.cancel_now.to_owned(),
            takes_away: true,
        };
        let stop = move || act(page, "/Cancel", words.cancelling);
        asked(page.app, question, stop, move || page.stopping.set(false))
    })
}

/// Does something with the run that needs no words, and says that it is done.
fn act(page: Page, what: &'static str, done: &'static str) {
    let path = page.id.with_value(|id| call(id, what));
    tell(page, done, async move {
        api::act::<Run>(page.app, Method::POST, &path).await
    });
}

/// Sends an answer to the run, and says that it is taken.
pub fn send(page: Page, what: &'static str, body: impl Serialize + 'static, done: &'static str) {
    let path = page.id.with_value(|id| call(id, what));
    tell(page, done, async move {
        api::send::<Run>(page.app, Method::POST, &path, &body).await
    });
}

fn tell(
    page: Page,
    done: &'static str,
    answer: impl Future<Output = Result<Run, ApiError>> + 'static,
) {
    if page.busy.get_untracked() {
        return;
    }
    page.busy.set(true);
    page.failure.set(None);
    spawn_local(async move {
        let answer = answer.await;
        if page.busy.try_set(false).is_some() {
            return;
        }
        match answer {
            Ok(run) => {
                page.hear(run);
                page.app.say(done);
            }
            Err(failure) => {
                let changed = failure.code == "RunChanged";
                page.failure.set(Some(failure));
                if changed {
                    page.look_again();
                }
            }
        }
    });
}

/// Why something was not done, and where that leads.
pub fn refused(page: Page, failure: &ApiError) -> El {
    let words = page.app.language.runs();
    match (failure.code.as_str(), &failure.run) {
        ("RunInProgress", Some(run)) => alert(words.in_progress).el(el("div")
            .class("buttons")
            .el(link("button", &Route::Run(run.clone())).text(words.to_that_run))),
        ("RunChanged", _) => alert(words.changed_meanwhile),
        _ => alert(sentence(page.app, failure)),
    }
}
