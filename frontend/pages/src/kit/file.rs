//! Files: choosing some, reading their text, giving one to the person.

use js_sys::Array;
use leptos::prelude::*;
use leptos::web_sys::{
    Blob, BlobPropertyBag, Event, File, HtmlAnchorElement, HtmlInputElement, Url,
};
use serde::Serialize;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use crate::dom::document;

/// A button that lets the person choose files; `children` say which ones were chosen.
#[component]
pub fn FileField(
    label: &'static str,
    /// File name extensions and media types.
    accept: &'static str,
    #[prop(optional)] multiple: bool,
    /// Takes the files, at least one.
    choose: impl Fn(Vec<File>) + 'static,
    children: Children,
) -> AnyView {
    let change = move |event: Event| {
        let files = take_files(&event);
        if !files.is_empty() {
            choose(files);
        }
    };
    view! {
        <label class="file-field">
            <span class="button outlined" aria-hidden="true">{label}</span>
            <input type="file" multiple=multiple accept=accept aria-label=label on:change=change />
            {children()}
        </label>
    }
    .into_any()
}

/// The chosen files, which the field forgets: otherwise a file that was corrected could not be chosen again.
fn take_files(event: &Event) -> Vec<File> {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some((field, files)) = field.and_then(|field| Some((field.clone(), field.files()?))) else {
        return Vec::new();
    };
    let files = (0..files.length()).filter_map(|at| files.get(at)).collect();
    field.set_value("");
    files
}

/// The text of a file.
pub async fn file_text(file: &File) -> Option<String> {
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// Lets the browser store a JSON file.
pub fn download_json(name: &str, content: &impl Serialize) {
    let Ok(mut text) = serde_json::to_string_pretty(content) else {
        return;
    };
    text.push('\n');
    let settings = BlobPropertyBag::new();
    settings.set_type("application/json");
    let blob = Blob::new_with_str_sequence_and_options(&Array::of1(&text.into()), &settings);
    let Some(address) = blob
        .ok()
        .and_then(|blob| Url::create_object_url_with_blob(&blob).ok())
    else {
        return;
    };
    let anchor = document().and_then(|document| document.create_element("a").ok());
    if let Some(anchor) = anchor.and_then(|anchor| anchor.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&address);
        anchor.set_download(name);
        anchor.click();
    }
    // The browser has read it by then.
    let revoke = move || {
        let _ = Url::revoke_object_url(&address);
    };
    checklist_control::browser::set_timeout(10_000, Box::new(revoke));
}
