//! The checkbox in the heading of a section: the section's state, and all of it checked at once.
//!
//! It has three states and needs no confirmation, because one undo reverts it. It only affects items
//! that this person may check, and exists wherever items have checkboxes.

use checklist_shared::ItemId;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement};

use super::at::ViewContext;
use crate::STILL;
use crate::browser;
use crate::i18n::fill;
use crate::kept::Kept;
use crate::model::bulk::{SectionBox, section_box};
use crate::model::list::text_of;
use crate::model::message::UserAction;

/// The box for the rows of a section; nothing where items have no boxes, or there are none.
#[must_use]
pub fn checks_all(at: ViewContext, rows: &[ItemId]) -> Option<AnyView> {
    let mode = at.mode();
    if !mode.boxes || rows.is_empty() {
        return None;
    }
    let state = read(at, rows);
    let label = at.read(|item| fill(at.texts().check_section(), &[("section", text_of(item))]));
    let label = label.unwrap_or_default();
    let view = view! {
        <input
            {..Kept::Attribute("type", "checkbox")}
            {..Kept::Checked(state.is_checked)}
            class="box section-box"
            part="section-checkbox"
            title=label.clone()
            aria-label=label
            disabled=mode.disabled || STILL
            aria-disabled=(!is_open(at, state)).then_some("true")
            checked=STILL && state.is_checked
            prop:indeterminate=state.is_mixed
            on:click=at.on(on_click)
            on:change=at.on(on_change)
        />
    };
    Some(view.into_any())
}

fn read(at: ViewContext, rows: &[ItemId]) -> SectionBox {
    at.controller.with_state(|state| section_box(state, rows))
}

fn now(at: ViewContext) -> SectionBox {
    read(at, &super::group::all_rows(at))
}

fn is_open(at: ViewContext, state: SectionBox) -> bool {
    at.mode().check && state.is_open
}

fn on_click(at: ViewContext, event: &Event) {
    if !is_open(at, now(at)) {
        event.prevent_default();
    }
}

fn on_change(at: ViewContext, event: &Event) {
    let input = browser::origin(event);
    let Some(input) = input.and_then(|input| input.dyn_into::<HtmlInputElement>().ok()) else {
        return;
    };
    // As with the box of a row: not before this listener is through.
    let act = move || {
        let wanted = !now(at).is_checked;
        at.act(|controller, id| controller.does(UserAction::CheckSection(id, wanted)));
        let shown = now(at);
        input.set_checked(shown.is_checked);
        input.set_indeterminate(shown.is_mixed);
    };
    browser::soon(Box::new(act));
}
