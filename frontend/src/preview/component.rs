//! The preview in a browser: loads what its source names and draws it, again when that changes.
//!
//! The custom element drives a [`PreviewController`]; a Leptos application uses
//! [`ChecklistPreview`]. Neither has an object, a binding or a way to write.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::load::load;
use super::model::Preview;
use super::view;
use super::wording::Wording;
use crate::api::error::Failure;
use crate::components::element::mounted::Whole;
use crate::components::element::{View, el, nothing, plain_button};
use crate::control::port::{ErrorDetail, GotToken, TokenReason};
use crate::control::shown::Shown;

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
    fn token(&self, reason: TokenReason, done: GotToken);

    /// There is something to see: whatever stood in for it may go.
    fn shown(&self);

    /// The template cannot be shown.
    fn error(&self, problem: ErrorDetail);
}

/// What is on the screen.
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
    /// Something stands in for the preview already, such as what the server has drawn.
    drawn: bool,
    /// Counts loads, so that an answer that comes too late is not shown.
    newest: Cell<u32>,
    screen: Shown<Screen>,
}

impl PreviewController {
    /// A preview for that host; starts to load at once.
    ///
    /// `drawn` says that something stands in for the preview already, so that nothing has to be
    /// said while it is loaded.
    #[must_use]
    pub fn new(host: Rc<dyn PreviewHost>, source: Source, drawn: bool) -> Self {
        let preview = Self(SendWrapper::new(Rc::new(Inner {
            host,
            source: RefCell::new(Rc::new(source)),
            drawn,
            newest: Cell::new(0),
            screen: Shown::new(Screen::Loading),
        })));
        preview.load();
        preview
    }

    /// Shows something else, when it is something else.
    pub fn set_source(&self, source: Source) {
        if **self.0.source.borrow() != source {
            self.0.source.replace(Rc::new(source));
            self.0.screen.change(|screen| *screen = Screen::Loading);
            self.load();
        }
    }

    /// The view, for the place where the preview is mounted.
    #[must_use]
    pub fn view(&self) -> Whole {
        let preview = self.clone();
        Whole::new(View::LiveClosure(Rc::new(move || {
            el("div|class=control").child(preview.draw()).view()
        })))
    }

    fn draw(&self) -> View {
        let words = Wording::of(&self.0.source.borrow().lang);
        self.0.screen.follow();
        self.0.screen.read(|screen| match screen {
            Screen::Loading if self.0.drawn => nothing(),
            Screen::Loading => el("p|class=card preview loading")
                .attr("role", "status")
                .text(words.loading)
                .view(),
            Screen::Ready(preview) => view::preview(preview, view::Place::Part),
            Screen::Failed(message) => {
                let again = self.clone();
                let button = plain_button("button", words.language.texts().try_again);
                el("div|class=card failure|part=failure|role=alert")
                    .fixed("lang", words.language.tag())
                    .el(el("p").text(message.clone()))
                    .el(button.on_closure("click", Rc::new(move |_| again.load())))
                    .view()
            }
        })
    }

    fn load(&self) {
        let number = self.0.newest.get() + 1;
        self.0.newest.set(number);
        let preview = self.clone();
        let source = Rc::clone(&self.0.source.borrow());
        load(
            source,
            Rc::clone(&self.0.host),
            Box::new(move |answer| preview.took(number, answer)),
        );
    }

    fn took(&self, number: u32, answer: Result<Preview, Failure>) {
        if self.0.newest.get() != number {
            return; // asked for something else meanwhile
        }
        let host = &self.0.host;
        match answer {
            Ok(preview) => self
                .0
                .screen
                .change(|screen| *screen = Screen::Ready(preview)),
            Err(failure) => {
                let words = Wording::of(&self.0.source.borrow().lang);
                let detail = failure.error(words.language.texts());
                self.0
                    .screen
                    .change(|screen| *screen = Screen::Failed(detail.message.clone()));
                host.error(detail);
            }
        }
        host.shown();
    }
}

/// A preview in a Leptos application whose pages are signed in to the server already.
#[component]
pub fn ChecklistPreview(
    /// What to preview.
    #[prop(into)]
    source: Signal<Source>,
) -> impl IntoView {
    let preview = PreviewController::new(Rc::new(Session), source.get_untracked(), false);
    let following = preview.clone();
    Effect::new(move |_| following.set_source(source.get()));
    preview.view()
}

/// The page's own session signs the calls; errors are on the screen.
struct Session;

impl PreviewHost for Session {
    fn token(&self, _reason: TokenReason, done: GotToken) {
        done(Ok(String::new()));
    }

    fn shown(&self) {}

    fn error(&self, _problem: ErrorDetail) {}
}
