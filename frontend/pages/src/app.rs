//! What all pages share: who is signed in, which page is open, whether something is unsaved.
//!
//! A plain copy of a few signals, made once by `start` and handed to every page.

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
    pub ended: RwSignal<bool>,
    /// Why the last sign-in came to nothing, as the address says it; empty when it does not.
    pub refused: RwSignal<String>,
    /// The page that is open.
    pub route: RwSignal<Route>,
    /// Whether what was typed on the page is not saved yet.
    pub unsaved: RwSignal<bool>,
    /// Where somebody wanted to go while something was unsaved.
    pub leaving: RwSignal<Option<Route>>,
    /// The last thing that was done, for the eye and the ear.
    pub said: RwSignal<String>,
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
    /// Says that something was done.
    pub fn say(self, sentence: impl Into<String>) {
        let mut sentence = sentence.into();
        // The same words again are no change to a screen reader; a blank that nobody hears is.
        if self.said.with_untracked(|said| *said == sentence) {
            sentence.push('\u{a0}');
        }
        self.said.set(sentence);
    }
}
