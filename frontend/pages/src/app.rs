//! What all pages share: who is signed in, which page is open, whether something is unsaved.
//!
//! `start` creates it once; it is a `Copy` of signals, and in the context.

use leptos::prelude::*;

use crate::computers::selection::Selection;
use crate::kit::DialogView;
use crate::route::Route;
use crate::session::Session;
use crate::wording::Language;

/// What all pages share.
#[derive(Clone, Copy)]
pub struct App {
    /// Who is signed in.
    pub session: RwSignal<Session>,
    /// Whether the session has ended while a page was open.
    pub has_session_ended: RwSignal<bool>,
    /// Why the last sign-in failed, as the address says it; empty when it did not.
    pub sign_in_problem: RwSignal<String>,
    /// The page that is open.
    pub route: RwSignal<Route>,
    /// Whether something on the page is not saved yet.
    pub unsaved: RwSignal<bool>,
    /// The page that is wanted while something is unsaved.
    pub pending_route: RwSignal<Option<Route>>,
    /// The outcome of the last action, for the toast and for screen readers.
    pub announcement: RwSignal<String>,
    /// The computers that are chosen; kept for the tab.
    pub selected: RwSignal<Selection>,
    /// The dialog that is open over the page.
    pub dialog: RwSignal<Option<DialogView>, LocalStorage>,
    /// The reader's language.
    pub language: Language,
}

/// What all pages share, from the context.
#[must_use]
pub fn use_app() -> App {
    expect_context()
}

impl App {
    /// Announces the outcome of an action.
    pub fn say(self, sentence: impl Into<String>) {
        let mut sentence = sentence.into();
        // A screen reader does not read the same text twice; with a blank it is another one.
        if self.announcement.with_untracked(|last| *last == sentence) {
            sentence.push('\u{a0}');
        }
        self.announcement.set(sentence);
    }
}
