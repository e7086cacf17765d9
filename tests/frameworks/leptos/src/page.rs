//! The page that the script presses and reads: the same buttons and outputs as all others. A form
//! of Leptos keeps the list's state itself and lets what waits be sent before it is submitted.
//! Tried by the program `frameworks` as the pages of the other frameworks are.

use checklist_control::ChecklistShadow;
use checklist_control::port::Snapshot;
use checklist_control::preview::{ChecklistPreview, Source};
use checklist_control::worklist::{STYLES, Worklist, WorklistSettings};
use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use serde_json::json;

use crate::checklist::Checklist;
use crate::platform::{server, token};

#[component]
pub fn Page() -> impl IntoView {
    let mounted = RwSignal::new(true);
    let purpose = RwSignal::new(String::new());
    let disable_check = RwSignal::new(false);
    let disabled = RwSignal::new(false);
    let autosave = RwSignal::new(true);
    let resets = RwSignal::new(0);
    let stands = RwSignal::new(Snapshot::default());
    let completed = RwSignal::new(false);
    let changes = RwSignal::new(Vec::new());
    let submitting = RwSignal::new(false);
    let submitted = RwSignal::new(String::new());

    // While the form is being submitted everything is sent; it is submitted once nothing waits.
    Effect::new(move |_| {
        if submitting.get() && stands.with(|now| now.pending == 0) {
            submitting.set(false);
            submitted.set(if disabled.get() {
                "nothing".to_owned()
            } else {
                value(&stands.get())
            });
        }
    });
    let preview = Source {
        base_url: server(),
        template: "f".to_owned(),
        ..Source::default()
    };
    let open_items = WorklistSettings {
        base_url: server(),
        assignee: "*".to_owned(),
        ..WorklistSettings::default()
    };
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        submitting.set(true);
    };
    view! {
        <main id="page">
            <button id="mounted" on:click=move |_| mounted.update(|on| *on = !*on)>"Mounted"</button>
            <button id="purpose" on:click=move |_| purpose.update(|now| *now = other(now))>"Purpose"</button>
            <button id="disable-check" on:click=move |_| disable_check.update(|on| *on = !*on)>"Disable check"</button>
            <button id="disabled" on:click=move |_| disabled.update(|on| *on = !*on)>"Disabled"</button>
            <button id="autosave" on:click=move |_| autosave.update(|on| *on = !*on)>"Autosave"</button>
            <p>"Completed: " <output id="completed">{move || if completed.get() { "yes" } else { "no" }}</output></p>
            <p>"Changes: " <output id="changes">{move || changes.get().join(" ")}</output></p>
            <p>"Submitted: " <output id="submitted">{submitted}</output></p>
            <form id="form" on:submit=submit on:reset=move |_| resets.update(|count| *count += 1)>
                <button id="submit">"Submit"</button>
                <button id="reset" type="reset">"Reset"</button>
                <Show when=move || mounted.get()>
                    <Checklist
                        purpose=purpose
                        disable_check=disable_check
                        disabled=disabled
                        autosave=Signal::derive(move || autosave.get() || submitting.get())
                        resets=resets
                        stands=stands
                        completed=completed
                        on_changed=move |what| changes.update(|all| all.push(what))
                    />
                </Show>
            </form>
            <ChecklistShadow attr:id="preview">
                <ChecklistPreview source=preview token=token />
            </ChecklistShadow>
            <ChecklistShadow styles=STYLES attr:id="worklist">
                <Worklist settings=open_items token=token />
            </ChecklistShadow>
        </main>
    }
}

/// What the element's own value would be.
fn value(now: &Snapshot) -> String {
    json!({ "Completed": now.completed, "Revision": now.revision }).to_string()
}

fn other(now: &str) -> String {
    if now.is_empty() { "other" } else { "" }.to_owned()
}
