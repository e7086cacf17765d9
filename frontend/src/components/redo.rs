//! The redo button next to undo; it only exists when there is something to redo.
//!
//! When it disappears, the focus moves to undo.

use leptos::prelude::*;
use web_sys::MouseEvent;

use super::at::ViewContext;
use super::icon::{Icon, REDO};
use crate::model::message::UserAction;

/// Renders the redo button.
#[component]
pub fn Redo(
    /// The control, and its row if there is one.
    at: ViewContext,
    /// Whether there is something to do again.
    can_redo: bool,
) -> impl IntoView {
    can_redo.then(|| {
        let label = at.texts().redo();
        let act = at.on::<MouseEvent>(|at, _| at.controller.does(UserAction::Redo));
        view! {
            <button
                type="button"
                class="button icon plain redo"
                aria-keyshortcuts="Control+Shift+Z Control+Y"
                aria-label=label
                title=label
                on:click=act
            >
                <Icon path=REDO />
            </button>
        }
        .into_any()
    })
}
