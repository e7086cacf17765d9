//! What stands around an item's text, in a row and in the heading of a section: what can be done,
//! what the person is told, and what is open.
//!
//! Follows nothing: drawn anew with what it stands in. Used by `row` and `list`.

use leptos::prelude::*;
use web_sys::MouseEvent;

use super::at::At;
use super::editor::Opened;
use super::icon::{EDIT, Icon};
use super::menu::{self, More};
use super::notice::NoticeView;
use super::offer::is_useful;

/// What stands around a text.
#[component]
pub fn Around(
    /// Which.
    at: At,
) -> impl IntoView {
    let notice = at.row(|row| row.notice.clone()).flatten();
    let panel = at.row(|row| row.panel.clone()).unwrap_or_default();
    view! {
        {actions(at)}
        {notice.map(|notice| view! { <NoticeView at notice /> }.into_any())}
        <Opened at panel />
    }
    .into_any()
}

/// Edit and More, always in sight.
fn actions(at: At) -> Option<AnyView> {
    let mode = at.mode();
    let useful = at.read(|item| is_useful(item, mode));
    if mode.disabled || useful != Some(true) {
        return None;
    }
    let edit = mode.edit.then(|| {
        let act = at.on::<MouseEvent>(|at, _| at.act(|controller, id| controller.edit_text(id)));
        view! {
            <button
                type="button"
                class="button icon edit"
                title=at.texts().edit()
                aria-label=menu::named(at, at.texts().edit_named())
                on:click=act
            >
                <Icon path=EDIT />
            </button>
        }
        .into_any()
    });
    Some(view! { <div class="actions" part="actions">{edit} <More at /></div> }.into_any())
}
