//! What is on its way, there, or failed; and what a failure says to people.

use std::future::Future;

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::api::ApiError;
use crate::app::App;
use crate::element::{El, button, el};
use crate::wording::{Wording, fill};

/// Something from the server.
#[derive(Clone, Debug, PartialEq)]
pub enum Load<T> {
    /// On its way.
    Loading,
    /// There.
    Ready(T),
    /// Not to be had.
    Failed(ApiError),
}

/// Reads something and shows it; while it is on its way and when it fails there is something to
/// see as well. `read` is called again when the person asks for it.
#[must_use]
pub fn loaded<T, R>(
    app: App,
    read: impl Fn() -> R + Clone + 'static,
    show: impl Fn(T) -> AnyView + Send + 'static,
) -> AnyView
where
    T: Clone + Send + Sync + 'static,
    R: Future<Output = Result<T, ApiError>> + 'static,
{
    let state = RwSignal::new(Load::Loading);
    let start = move || {
        let answer = read();
        spawn_local(async move {
            let answer = match answer.await {
                Ok(value) => Load::Ready(value),
                Err(failure) => Load::Failed(failure),
            };
            // Nobody waits for it any more when the page has been left.
            state.try_set(answer);
        });
    };
    start();
    let start = send_wrapper::SendWrapper::new(start);
    crate::element::live(move || match state.get() {
        Load::Loading => waiting(app).view(),
        Load::Ready(value) => show(value),
        Load::Failed(failure) => {
            let start = start.clone();
            failed(app, &failure, move || {
                state.set(Load::Loading);
                start();
            })
            .view()
        }
    })
}

/// Something to see while something is on its way.
#[must_use]
pub fn waiting(app: App) -> El {
    el("div")
        .class("card skeleton")
        .attr("role", "status")
        .el(el("span"))
        .el(el("span"))
        .el(el("span"))
        .el(el("p").class("sr").text(app.language.frame().loading))
}

/// What went wrong, and a way to try again.
#[must_use]
pub fn failed(app: App, failure: &ApiError, again: impl FnMut() + 'static) -> El {
    let words = app.language.frame();
    let gone = failure.status == 404;
    let sentence = if gone {
        words.not_found.to_owned()
    } else {
        sentence(app, failure)
    };
    let again = (!gone).then(|| button("button", words.try_again, again));
    el("div")
        .class("card failure")
        .attr("role", "alert")
        .el(el("p").text(sentence))
        .maybe(again)
}

/// What a failure says.
#[must_use]
pub fn sentence(app: App, failure: &ApiError) -> String {
    let words = app.language.frame();
    match failure.status {
        0 => words.failed_network.to_owned(),
        403 => words.failed_permission.to_owned(),
        _ if !failure.errors.is_empty() => words.failed_fields.to_owned(),
        _ => fill(words.failed_other, &[("detail", &failure.detail)]),
    }
}

/// A notice of something that went wrong.
#[must_use]
pub fn alert(text: impl Into<String>) -> El {
    let text: String = text.into();
    el("div")
        .class("notice danger")
        .attr("role", "alert")
        .el(el("p").text(text))
}
