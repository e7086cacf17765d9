//! The preview in a browser: loads what its source names and draws it, again when that changes.
//!
//! The custom element mounts [`preview_view`]; a Leptos application uses [`ChecklistPreview`].
//! Neither has an object, a binding or a way to write.

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::load::load;
use super::model::Preview;
use super::view::{self, Place};
use super::wording::Wording;
use crate::components::element::{el, live_closure, nothing, plain_button};
use crate::control::port::{ErrorDetail, LocalFuture, TokenReason};

/// What to preview: a template, else the one that a type names for a purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Where the web services live, without `/api/…`.
    pub base_url: String,
    /// The template (fragment) id; wins over the type.
    pub template: String,
    /// The platform type.
    pub object_type: String,
    /// Which of the type's templates.
    pub purpose: String,
    /// Language tag.
    pub lang: String,
}

/// What a host does for a preview.
pub trait PreviewHost {
    /// A token for reading; empty where the page's own session will do.
    ///
    /// # Errors
    /// A sentence for people: why there is no token.
    fn token(&self, reason: TokenReason) -> LocalFuture<Result<String, String>>;

    /// There is something to see: whatever stood in for it may go.
    fn shown(&self);

    /// The template cannot be shown.
    fn error(&self, problem: ErrorDetail);
}

/// What is on the screen.
#[derive(Clone)]
enum Screen {
    Loading,
    Ready(Preview),
    Failed(String),
}

/// A preview that follows its source.
///
/// `drawn` says that something stands in for the preview already, such as what the server has
/// drawn, so that nothing has to be said while it is loaded.
pub fn preview_view(source: Signal<Source>, host: Rc<dyn PreviewHost>, drawn: bool) -> AnyView {
    let screen = ArcRwSignal::new(Screen::Loading);
    let attempt = ArcRwSignal::new(0_u32);
    let newest = Rc::new(Cell::new(0_u32));
    let (shown, again) = (screen.clone(), attempt.clone());
    Effect::new(move |before: Option<Source>| {
        attempt.track();
        let source = source.get();
        if before.is_some_and(|before| before != source) {
            screen.set(Screen::Loading);
        }
        let number = newest.get() + 1;
        newest.set(number);
        let (asked, host, screen, newest) = (
            source.clone(),
            Rc::clone(&host),
            screen.clone(),
            Rc::clone(&newest),
        );
        spawn_local(async move {
            let answer = load(&asked, &*host).await;
            if newest.get() != number {
                return; // asked for something else meanwhile
            }
            match answer {
                Ok(preview) => screen.set(Screen::Ready(preview)),
                Err(failure) => {
                    let detail = failure.error(Wording::of(&asked.lang).language.texts());
                    screen.set(Screen::Failed(detail.message.clone()));
                    host.error(detail);
                }
            }
            host.shown();
        });
        source
    });
    let drawn_now = live_closure(move || {
        let words = source.with(|source| Wording::of(&source.lang));
        match shown.get() {
            Screen::Loading if drawn => nothing(),
            Screen::Loading => el("p")
                .class("card preview loading")
                .attr("role", "status")
                .text(words.loading)
                .view(),
            Screen::Ready(preview) => view::preview(&preview, Place::Part),
            Screen::Failed(message) => failure(message, words, again.clone()),
        }
    });
    // What is drawn anew needs an element around it: a shadow root is none.
    el("div").class("control").child(drawn_now).view()
}

fn failure(message: String, words: &'static Wording, again: ArcRwSignal<u32>) -> AnyView {
    let try_again = words.language.texts().try_again;
    el("div")
        .class("card failure")
        .part("failure")
        .attr("role", "alert")
        .attr("lang", words.language.tag())
        .el(el("p").text(message))
        .el(plain_button("button", try_again).on_closure("click", move |_| {
            again.update(|number| *number += 1);
        }))
        .view()
}

/// A preview in a Leptos application whose pages are signed in to the server already.
#[component]
pub fn ChecklistPreview(
    /// What to preview.
    #[prop(into)]
    source: Signal<Source>,
) -> impl IntoView {
    preview_view(source, Rc::new(Session), false)
}

/// The page's own session signs the calls; errors are on the screen.
struct Session;

impl PreviewHost for Session {
    fn token(&self, _reason: TokenReason) -> LocalFuture<Result<String, String>> {
        Box::pin(async { Ok(String::new()) })
    }

    fn shown(&self) {}

    fn error(&self, _problem: ErrorDetail) {}
}
