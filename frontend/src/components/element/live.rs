//! What follows what: a view that has read a value is drawn again when the value changes.
//!
//! A value notes which views were being drawn while it was read. A change notes those as due,
//! and all that are due are drawn together as soon as the script that has changed something is
//! through. One list a value and one a page: a long list has thousands of rows, and each of
//! them follows. Called by `dom`, and by `control::shown` for its values.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use web_sys::Node;

use super::View;
use super::dom::{Drawn, document};
use crate::browser;
use crate::components::at::At;

/// What draws a live view.
#[derive(Clone)]
pub(super) enum Source {
    /// A function of a place.
    Place(At, fn(At) -> View),
    /// A closure.
    Closure(Rc<dyn Fn() -> View>),
}

/// A view that is drawn again when something that it follows changes.
pub(super) struct Live {
    source: RefCell<Source>,
    content: RefCell<Option<Drawn>>,
    due: Cell<bool>,
}

/// Who has read a value while being drawn.
#[derive(Default)]
pub struct Followers(RefCell<Vec<Weak<Live>>>);

thread_local! {
    /// Who is being drawn.
    static NOW: RefCell<Weak<Live>> = const { RefCell::new(Weak::new()) };
    /// Who has to be.
    static DUE: RefCell<Vec<Weak<Live>>> = const { RefCell::new(Vec::new()) };
}

impl Source {
    fn draw(&self) -> View {
        match self {
            Self::Place(at, draw) => draw(*at),
            Self::Closure(draw) => draw(),
        }
    }

    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Place(at, draw), Self::Place(other, drawn)) => {
                at == other && std::ptr::fn_addr_eq(*draw, *drawn)
            }
            _ => false,
        }
    }
}

impl Live {
    /// Draws it for the first time.
    pub(super) fn new(source: Source) -> Rc<Self> {
        let live = Rc::new(Self {
            source: RefCell::new(source),
            content: RefCell::default(),
            due: Cell::new(false),
        });
        live.draw();
        live
    }

    /// Its one node.
    pub(super) fn node(&self) -> Node {
        match self.content.borrow().as_ref() {
            Some(drawn) => drawn.node(),
            // It was drawn when it was made; this is for one that broke off.
            None => document().create_text_node("").into(),
        }
    }

    /// Draws something else in its place. What is about the same is left alone: it knows by
    /// itself when it has to be drawn.
    pub(super) fn show(self: &Rc<Self>, source: Source) {
        if !self.source.borrow().is(&source) {
            self.source.replace(source);
            self.draw();
        }
    }

    fn draw(self: &Rc<Self>) {
        self.due.set(false);
        let source = self.source.borrow().clone();
        let outer = NOW.replace(Rc::downgrade(self));
        let view = source.draw();
        NOW.set(outer);
        let mut content = self.content.borrow_mut();
        match content.as_mut() {
            Some(drawn) => drawn.patch(view),
            None => *content = Some(Drawn::new(view)),
        }
    }
}

impl Followers {
    /// Whoever is being drawn follows from now on.
    pub fn add(&self) {
        let now = NOW.with_borrow(Weak::clone);
        let mut followers = self.0.borrow_mut();
        if now.strong_count() > 0 && !followers.iter().any(|there| there.ptr_eq(&now)) {
            // What is never told of anything would keep all who have ever followed.
            followers.retain(|follower| follower.strong_count() > 0);
            followers.push(now);
        }
    }

    /// All followers are drawn again, soon.
    pub fn tell(&self) {
        let mut followers = self.0.borrow_mut();
        followers.retain(|follower| follower.strong_count() > 0);
        for follower in followers.iter() {
            let Some(live) = follower.upgrade() else {
                continue;
            };
            if !live.due.replace(true) {
                note(follower.clone());
            }
        }
    }
}

fn note(live: Weak<Live>) {
    let first = DUE.with_borrow_mut(|due| {
        due.push(live);
        due.len() == 1
    });
    if first {
        browser::soon(Box::new(draw_due));
    }
}

/// Draws all that are due now, for somebody who cannot wait until the script is through.
pub fn draw_due() {
    loop {
        let due = DUE.take();
        if due.is_empty() {
            return;
        }
        for live in due.iter().filter_map(Weak::upgrade) {
            // One around it may have drawn it meanwhile.
            if live.due.get() {
                live.draw();
            }
        }
    }
}
