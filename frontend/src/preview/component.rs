//! The preview in a browser: loads what its source names and draws it, again when that changes.
//!
//! The custom element drives a [`PreviewController`], and so does `application` for Leptos
//! applications. Neither has an object, a binding or a way to write.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use send_wrapper::SendWrapper;

pub use super::application::Source;
use super::load::load;
use super::model::Preview;
use super::view;
use crate::api::error::Failure;
use crate::components::element::{View, el, nothing, plain_button};
use crate::control::port::{ErrorDetail, GotToken, TokenReason};
use crate::control::shown::Shown;

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
    pub fn view(&self) -> View {
        let preview = self.clone();
        View::LiveClosure(Rc::new(move || {
            el("div|class=control").child(preview.draw()).view()
        }))
    }

    fn draw(&self) -> View {
        let words = self.0.source.borrow().words();
        self.0.screen.follow();
        self.0.screen.read(|screen| match screen {
            Screen::Loading if self.0.drawn => nothing(),
            Screen::Loading => el("p|class=card preview loading")
                .attr("role", "status")
                .fixed("lang", words.language.tag())
                .fixed("dir", words.language.direction())
                .text(words.texts.preview_loading())
                .view(),
            Screen::Ready(preview) => view::preview(preview, view::Place::Part),
            Screen::Failed(message) => {
                let again = self.clone();
                let button = plain_button("button", words.texts.try_again());
                el("div|class=card failure|part=failure|role=alert")
                    .fixed("lang", words.language.tag())
                    .fixed("dir", words.language.direction())
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
                let words = self.0.source.borrow().words();
                let detail = failure.error(words.texts);
                self.0
                    .screen
                    .change(|screen| *screen = Screen::Failed(detail.message.clone()));
                host.error(detail);
            }
        }
        host.shown();
    }
}
