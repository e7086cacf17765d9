//! What can be done with a run: stopping it, retrying, confirming.

use checklist_shared::wire::workflow::{ConfirmRun, Run};
use wasm_bindgen_futures::spawn_local;

use super::answer::unfinished;
use super::state::RunPage;
use crate::kit::*;

/// The buttons in the head of the page.
pub fn buttons(page: RunPage) -> AnyView {
    let (app, words) = (page.app, page.app.language.runs());
    // Memos, so that the buttons keep the focus while the counts change.
    let can_stop = Memo::new(move |_| {
        page.run
            .with(|run| !run.state.is_final() && !run.cancelling)
    });
    let retry = Memo::new(move |_| {
        page.run.with(|run| {
            let count = unfinished(&run.counts);
            (run.state.is_final() && count > 0).then_some(count)
        })
    });
    let stop = move || {
        let question = Question::destructive(words.stop_title, words.stop_hint, words.stop_now);
        app.confirm(question, move || act(page, "/Cancel", words.stopping));
    };
    let stop = move || {
        can_stop
            .get()
            .then(|| view! { <Button label=words.stop class="danger" click=stop /> })
    };
    let retry = move || {
        let count = retry.get()?;
        let label = counted(app.language, count.into(), words.retry);
        let retry = move || act(page, "/RetryFailed", words.retrying);
        Some(view! { <Button label class="outlined" click=retry /> })
    };
    view! { {stop}{retry} }.into_any()
}

fn act(page: RunPage, action: &'static str, done: &'static str) {
    let call = page.call(action);
    let request = api::act(page.app, Method::POST, &call);
    send(page, request, done);
}

/// Sends what was confirmed and decided.
pub fn confirm(page: RunPage, answer: ConfirmRun) {
    let request = api::post::<Run>(page.app, page.call("/Confirm"), answer);
    send(page, request, page.app.language.runs().confirmed);
}

fn send(
    page: RunPage,
    request: impl Future<Output = Result<Run, ApiError>> + 'static,
    done: &'static str,
) {
    page.error.set(None);
    page.app
        .send_once(page.busy, request, move |answer| match answer {
            Ok(run) => {
                page.update(run);
                page.app.say(done);
            }
            Err(error) => {
                if error.is(ProblemCode::RunChanged) {
                    spawn_local(async move {
                        page.refresh().await;
                    });
                }
                page.error.set(Some(error));
            }
        });
}

/// Why an action failed.
pub fn error_alert(app: App, error: &ApiError) -> AnyView {
    let words = app.language.runs();
    match &error.run {
        Some(run) => in_progress_alert(app, run.clone()),
        None if error.is(ProblemCode::RunChanged) => {
            view! { <Alert text=words.has_changed /> }.into_any()
        }
        None => view! { <Alert text=error_sentence(app, error) /> }.into_any(),
    }
}

/// The list has a run already.
pub fn in_progress_alert(app: App, run: String) -> AnyView {
    let words = app.language.runs();
    let to = Route::Run(run);
    view! {
        <Alert text=words.in_progress>
            <div class="buttons"><PageLink to class="button outlined">{words.to_that_run}</PageLink></div>
        </Alert>
    }
    .into_any()
}
