//! Rarer actions behind a button, so that the head of a page shows what people come for.
//!
//! Escape, an action and a press elsewhere close it. The focus is on the button again before an action
//! begins, so that its dialog gives it back there.

use checklist_control::components::icon::{Icon, MORE};
use leptos::ev::{self, FocusEvent, KeyboardEvent};
use leptos::html;
use leptos::prelude::*;
use leptos::web_sys::{EventTarget, Node};
use wasm_bindgen::JsCast;

use crate::app::use_app;
use crate::dom::focus;
use crate::wording::Wording;

/// The button, and what it opens.
#[component]
pub fn MoreActions(children: Children) -> AnyView {
    let words = use_app().language.frame();
    let is_open = RwSignal::new(false);
    let whole = NodeRef::<html::Div>::new();
    let button = NodeRef::<html::Button>::new();
    let close = move || {
        is_open.set(false);
        if let Some(button) = button.get_untracked() {
            focus(&button);
        }
    };
    let close_on_escape = move |event: KeyboardEvent| {
        if event.key() == "Escape" && is_open.get_untracked() {
            event.prevent_default();
            close();
        }
    };
    let close_outside = move |target: Option<EventTarget>| {
        let target = target.and_then(|target| target.dyn_into::<Node>().ok());
        let whole = whole.get_untracked();
        // Nothing gets the focus while a button is pressed that does not take it.
        if let (Some(target), Some(whole)) = (target, whole)
            && !whole.contains(Some(&target))
        {
            is_open.set(false);
        }
    };
    let pressed =
        window_event_listener(ev::pointerdown, move |event| close_outside(event.target()));
    on_cleanup(move || pressed.remove());
    view! {
        <div
            class="more-actions"
            node_ref=whole
            on:keydown=close_on_escape
            on:focusout=move |event: FocusEvent| close_outside(event.related_target())
        >
            <button
                type="button"
                class="button icon"
                node_ref=button
                aria-label=words.more
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| is_open.update(|open| *open = !*open)
            >
                <Icon path=MORE />
            </button>
            <div class="more-list" hidden=move || !is_open.get() on:click:capture=move |_| close()>
                {children()}
            </div>
        </div>
    }
    .into_any()
}
