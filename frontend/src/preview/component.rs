//! The preview in a browser: loads its source and renders it, and again when the source changes.
//!
//! The custom element uses a [`PreviewController`], and so does `application` for Leptos
//! applications. Neither has an object, a binding or a way to write.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::late::previews;
use super::model::Preview;
use super::source::{PreviewHost, Source};
use crate::lazy::{self, LoadStage};
use crate::model::error::Error;

/// The visible content.
#[derive(Clone)]
enum Screen {
    Loading,
    Ready(Preview),
    Failed(String),
}

/// A preview on a page. Cheap to clone; all clones are one preview.
#[derive(Clone)]
pub struct PreviewController(SendWrapper<Rc<Inner>>);

struct Inner {
    host: Rc<dyn PreviewHost>,
    source: RefCell<Rc<Source>>,
    /// There is already a rendering of the preview, such as the server's.
    drawn: bool,
    /// Counts loads, so that an outdated answer is not shown.
    newest: Cell<u32>,
    screen: ArcRwSignal<Screen>,
}

impl PreviewController {
    /// A preview for that host; starts to load at once.
    ///
    /// `drawn` says that there is already a rendering of the preview, so that no loading message is
    /// needed.
    #[must_use]
    pub fn new(host: Rc<dyn PreviewHost>, source: Source, drawn: bool) -> Self {
        let preview = Self(SendWrapper::new(Rc::new(Inner {
            host,
            source: RefCell::new(Rc::new(source)),
            drawn,
            newest: Cell::new(0),
            screen: ArcRwSignal::new(Screen::Loading),
        })));
        preview.load();
        preview
    }

    /// Shows something else, when it is something else.
    pub fn set_source(&self, source: Source) {
        if **self.0.source.borrow() != source {
            self.0.source.replace(Rc::new(source));
            self.0.screen.set(Screen::Loading);
            self.load();
        }
    }

    /// The view, for the place where the preview is mounted.
    #[must_use]
    pub fn view(&self) -> AnyView {
        let preview = self.clone();
        view! { <div class="control">{move || preview.draw()}</div> }.into_any()
    }

    fn draw(&self) -> AnyView {
        let words = self.0.source.borrow().words();
        let (language, direction) = (words.language.tag(), words.language.direction());
        let screen = match self.0.screen.get() {
            Screen::Loading if lazy::stage() == LoadStage::Failed => {
                Screen::Failed(words.texts.part_failed().to_owned())
            }
            screen => screen,
        };
        match screen {
            Screen::Loading if self.0.drawn => ().into_any(),
            Screen::Loading => view! {
                <p class="card preview loading" role="status" lang=language dir=direction>
                    {words.texts.preview_loading()}
                </p>
            }
            .into_any(),
            Screen::Ready(preview) => {
                previews().map_or_else(|| ().into_any(), |previews| (previews.draw)(preview))
            }
            Screen::Failed(message) => {
                let again = self.clone();
                view! {
                    <div
                        class="card failure"
                        part="failure"
                        role="alert"
                        lang=language
                        dir=direction
                    >
                        <p>{message}</p>
                        <button type="button" class="button" on:click=move |_| again.load()>
                            {words.texts.try_again()}
                        </button>
                    </div>
                }
                .into_any()
            }
        }
    }

    fn load(&self) {
        let number = self.0.newest.get() + 1;
        self.0.newest.set(number);
        let preview = self.clone();
        let source = Rc::clone(&self.0.source.borrow());
        lazy::when_loaded(Box::new(move || {
            let host = Rc::clone(&preview.0.host);
            if let Some(previews) = previews() {
                let done = Box::new(move |answer| preview.finish_load(number, answer));
                (previews.load)(source, host, done);
            }
        }));
        lazy::fetch();
    }

    fn finish_load(&self, number: u32, answer: Result<Preview, Error>) {
        if self.0.newest.get() != number {
            return; // asked for something else meanwhile
        }
        let host = &self.0.host;
        match answer {
            Ok(preview) => self.0.screen.set(Screen::Ready(preview)),
            Err(failure) => {
                let words = self.0.source.borrow().words();
                let detail = failure.describe(words.texts);
                self.0.screen.set(Screen::Failed(detail.message.clone()));
                host.error(detail);
            }
        }
        host.shown();
    }
}
