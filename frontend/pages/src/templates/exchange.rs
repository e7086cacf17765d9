//! The file field of the computers' import, until it is a `FileField`.

pub(crate) use crate::kit::file_text as text_of;
use leptos::web_sys::{Event, File, HtmlInputElement};
use wasm_bindgen::JsCast;

/// The file that was chosen in the field that an event came from.
#[must_use]
pub fn chosen(event: &Event) -> Option<File> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    field.files()?.get(0)
}
