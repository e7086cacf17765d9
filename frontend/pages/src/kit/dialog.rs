//! Dialogs over a page. One at a time: the frame draws the one that [`App::show_dialog`] was given.
//!
//! The browser's own `<dialog>` keeps the focus inside. Escape is the same as cancelling. The focus
//! goes back to where it was. A dialog is drawn once, outside of every closure that runs again:
//! Leptos would take its `open` attribute away.
//!
//! What a button does is behind a pointer, so that each dialog is compiled once and not for every use.

use std::rc::Rc;

use leptos::html;
use leptos::prelude::*;
use send_wrapper::SendWrapper;

use super::controls::Button;
use crate::app::{App, use_app};
use crate::dom::{document, find, focus, later};
use crate::wording::Wording;

/// What a button of a dialog does.
type Act = Rc<dyn Fn()>;

impl App {
    /// Asks before something is done that cannot be taken back.
    pub fn confirm(self, question: Question, act: impl Fn() + 'static) {
        let confirmed = self.closing(Rc::new(act));
        self.show_dialog(move || {
            question.view(Rc::clone(&confirmed), Rc::new(move || self.close_dialog()))
        });
    }

    /// Closes the dialog, then acts.
    fn closing(self, act: Act) -> Act {
        Rc::new(move || {
            self.close_dialog();
            act();
        })
    }

    /// Tells that somebody else has saved meanwhile. `hint` says what that means here. Escape keeps
    /// what is typed.
    pub fn show_conflict(
        self,
        hint: &'static str,
        reload: impl Fn() + 'static,
        overwrite: Option<impl Fn() + 'static>,
    ) {
        let overwrite = overwrite.map(|overwrite| self.closing(Rc::new(overwrite)));
        self.show_conflict_of(hint, self.closing(Rc::new(reload)), overwrite);
    }

    fn show_conflict_of(self, hint: &'static str, reload: Act, overwrite: Option<Act>) {
        let words = self.language.frame();
        let close = move || self.close_dialog();
        self.show_dialog(move || {
            let reload = Rc::clone(&reload);
            let overwrite = overwrite.clone().map(|overwrite| {
                view! { <Button label=words.conflict_overwrite class="solid-danger" click=move || overwrite() /> }
            });
            let body = view! {
                <div class="dialog-body">
                    <p>{hint}</p>
                    <div class="buttons end">
                        <Button label=words.cancel focused=true click=close />
                        {overwrite}
                        <Button label=words.conflict_reload class="primary" click=move || reload() />
                    </div>
                </div>
            };
            dialog(words.conflict_title.to_owned(), Rc::new(close), body.into_any())
        });
    }
}

/// The place where the frame draws the open dialog.
#[component]
pub fn DialogOutlet() -> AnyView {
    let app = use_app();
    (move || app.dialog.get().map(|draw| untrack(|| draw()))).into_any()
}

/// A dialog that is open as long as it is on the page. `cancel` is called on Escape.
#[component]
pub fn Dialog(
    #[prop(into)] title: String,
    mut cancel: impl FnMut() + 'static,
    children: Children,
) -> AnyView {
    restore_focus_on_cleanup();
    let node = NodeRef::<html::Dialog>::new();
    node.on_load(|dialog| {
        let show = move || {
            if dialog.is_connected() && !dialog.open() {
                let _ = dialog.show_modal();
            }
        };
        later(show);
    });
    let cancelled = move |event: leptos::web_sys::Event| {
        event.prevent_default();
        cancel();
    };
    let label = title.clone();
    view! {
        <dialog class="dialog" aria-label=label node_ref=node on:cancel=cancelled>
            <h2 class="dialog-title">{title}</h2>
            {children()}
        </dialog>
    }
    .into_any()
}

fn restore_focus_on_cleanup() {
    let before = SendWrapper::new(document().and_then(|document| document.active_element()));
    on_cleanup(move || {
        let before = before.take();
        later(move || {
            let before = before.filter(|before| before.is_connected());
            if let Some(element) = before.or_else(|| find("main h1")) {
                focus(&element);
            }
        });
    });
}

/// A question with two answers.
#[derive(Clone)]
pub struct Question {
    /// What is asked.
    pub title: String,
    /// The consequence.
    pub hint: String,
    /// The label of the button that confirms.
    pub action: &'static str,
    /// Whether something is lost by it.
    pub is_destructive: bool,
}

impl Question {
    /// A question before something is lost.
    #[must_use]
    pub fn destructive(
        title: impl Into<String>,
        hint: impl Into<String>,
        action: &'static str,
    ) -> Self {
        Self {
            title: title.into(),
            hint: hint.into(),
            action,
            is_destructive: true,
        }
    }

    /// A question before something that loses nothing.
    #[must_use]
    pub fn harmless(
        title: impl Into<String>,
        hint: impl Into<String>,
        action: &'static str,
    ) -> Self {
        Self {
            is_destructive: false,
            ..Self::destructive(title, hint, action)
        }
    }

    /// The dialog. Pages use [`App::confirm`].
    pub fn view(&self, confirmed: Act, cancel: Act) -> AnyView {
        let Self {
            title,
            hint,
            action,
            is_destructive,
        } = self.clone();
        let class = if is_destructive {
            "solid-danger"
        } else {
            "primary"
        };
        let close = Rc::clone(&cancel);
        let body = view! {
            <div class="dialog-body">
                <p>{hint}</p>
                <div class="buttons end">
                    <Button label=use_app().language.frame().cancel focused=true click=move || close() />
                    <Button label=action class click=move || confirmed() />
                </div>
            </div>
        }
        .into_any();
        dialog(title, cancel, body)
    }
}

/// A dialog around a view that is there already.
fn dialog(title: String, cancel: Act, body: AnyView) -> AnyView {
    view! { <Dialog title cancel=move || cancel()>{body}</Dialog> }.into_any()
}
