//! What an application writes around the control: its signals on one side, the control's
//! callbacks on the other. Shown in `docs/EMBEDDING.md`, used by `page`.
//! Written as an application would write it.

use checklist_control::ChecklistShadow;
use checklist_control::control::ChecklistControl;
use checklist_control::port::{ChangeDetail, Snapshot};
use leptos::prelude::*;

use crate::platform::{server, token};

#[component]
pub fn Checklist(
    #[prop(into)] purpose: Signal<String>,
    #[prop(into)] disable_check: Signal<bool>,
    #[prop(into)] disabled: Signal<bool>,
    #[prop(into)] autosave: Signal<bool>,
    /// Another number is a reset.
    #[prop(into)]
    resets: Signal<u32>,
    /// How things stand, for the form around it.
    stands: RwSignal<Snapshot>,
    completed: RwSignal<bool>,
    #[prop(into)] on_changed: Callback<&'static str>,
) -> impl IntoView {
    view! {
        <ChecklistShadow attr:id="list">
            <ChecklistControl
                base_url=server()
                token=token
                object_type="incident"
                object_id="1"
                purpose=purpose
                disable_check=disable_check
                disabled=disabled
                autosave_off=Signal::derive(move || !autosave.get())
                resets=resets
                on_state=move |now| stands.set(now)
                on_completed=move |now| completed.set(now)
                on_change=move |change: ChangeDetail| on_changed.run(change.what)
            />
        </ChecklistShadow>
    }
}
