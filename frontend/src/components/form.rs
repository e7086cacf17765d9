//! A form in a row, of a list or of a worklist: fields under a name, with a button that stores and one that
//! leaves.
//!
//! None is modal: it opens inside the row. Enter stores, also from a text area; Escape leaves. Typing is
//! noted without drawing, so that nothing that arrives meanwhile can discard it.

use leptos::prelude::*;
use web_sys::{Event, KeyboardEvent, MouseEvent};

use super::at::Listener;
use super::field::{FormKey, form_key, input_value};
use crate::i18n::Words;
use crate::model::support::SupportField;

/// The row that a form is open in. All clones are one row.
pub trait RowForm: Clone + 'static {
    /// The reader's words.
    fn words(&self) -> Words;

    /// An id for a part of the row that no other row has.
    fn dom_id(&self, part: &str) -> String;

    /// Notes what is typed, without drawing.
    fn note(&self, field: SupportField, typed: String);

    /// Stores what is typed, or lets go of it.
    fn finish(&self, key: FormKey, event: &Event);

    /// Whether something inside the form takes a key.
    fn takes_key(&self, _event: &KeyboardEvent) -> bool {
        false
    }
}

/// A listener that notes what is typed into a field.
pub fn note_typed<F: RowForm>(form: &F, field: SupportField) -> Listener<Event> {
    let form = form.clone();
    Box::new(move |event| form.note(field, input_value(&event)))
}

/// The form; `save` is the name of the button that stores, if it can be stored.
pub fn form_view<F: RowForm>(
    form: &F,
    save: Option<&'static str>,
    name: String,
    fields: AnyView,
) -> AnyView {
    let keys = form.clone();
    let on_key: Listener<KeyboardEvent> = Box::new(move |event| {
        if !keys.takes_key(&event) {
            let Some(key) = form_key(&event) else { return };
            keys.finish(key, &event);
        }
        event.prevent_default();
        event.stop_propagation();
    });
    let button = |class: &'static str, label: &'static str, key: FormKey| {
        let form = form.clone();
        let click: Listener<MouseEvent> = Box::new(move |event| form.finish(key, &event));
        view! {
            <button type="button" class=class on:click=click>
                {label}
            </button>
        }
        .into_any()
    };
    let cancel = form.words().texts.cancel();
    view! {
        <div class="editor" part="editor" role="group" aria-label=name on:keydown=on_key>
            {fields}
            <div class="actions">
                {save.map(|label| button("button primary", label, FormKey::Save))}
                {button("button plain", cancel, FormKey::Leave)}
            </div>
        </div>
    }
    .into_any()
}
