//! What all pages share: who is signed in, which page is open, whether something is unsaved.
//!
//! `start` creates it once; it is a `Copy` of signals, and in the context.

use std::rc::Rc;

use checklist_shared::permission::Permission;
use checklist_shared::wire::access::SignInWays;
use leptos::prelude::*;

use crate::computers::selection::Selection;
use crate::route::Route;
use crate::wording::Language;

/// Draws a dialog.
pub type DialogView = Rc<dyn Fn() -> AnyView>;

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
    /// An item for the template of that id, which its page adds to the draft when it opens.
    pub promoted: RwSignal<Option<(String, String)>>,
    /// The dialog that is open over the page.
    pub dialog: RwSignal<Option<DialogView>, LocalStorage>,
    /// The reader's language.
    pub language: Language,
}

/// The session of the browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Session {
    /// It is being read.
    Loading,
    /// Nobody is signed in; how it can be done.
    SignedOut(SignInWays),
    /// Somebody is.
    SignedIn(Person),
    /// The server did not answer.
    Unreachable,
}

/// Who is signed in. Without the session's end, so that the same person again is equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The name for people.
    pub name: String,
    /// The tenant.
    pub tenant: String,
    /// What they may do.
    pub permissions: Vec<Permission>,
    /// Whether they can sign in with passkeys.
    pub passkeys: bool,
    /// Whether people sign in with an identity provider.
    pub oidc: bool,
}

impl Session {
    /// Whether somebody is signed in who has that permission.
    #[must_use]
    pub fn may(&self, permission: Permission) -> bool {
        matches!(self, Self::SignedIn(person) if person.permissions.contains(&permission))
    }
}

/// What all pages share, from the context.
#[must_use]
pub fn use_app() -> App {
    expect_context()
}

impl App {
    /// Opens a dialog; what it draws is a `kit::Dialog`. One at a time: the frame draws it.
    pub fn show_dialog(self, draw: impl Fn() -> AnyView + 'static) {
        self.dialog.set(Some(Rc::new(draw)));
    }

    /// Closes the open dialog.
    pub fn close_dialog(self) {
        self.dialog.try_set(None);
    }

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
