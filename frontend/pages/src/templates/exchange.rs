//! Files with templates: writing one for the person to keep, reading one that was chosen.

use checklist_shared::template::Template;
use checklist_shared::wire::admin::TemplateBundle;
use js_sys::Array;
use leptos::web_sys::{
    Blob, BlobPropertyBag, Event, File, HtmlAnchorElement, HtmlInputElement, Url, window,
};
use serde::Serialize;
use serde_json::Value;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

/// Gives the person a JSON file.
pub fn download(name: &str, content: &impl Serialize) {
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
    let anchor = window()
        .and_then(|window| window.document())
        .and_then(|document| document.create_element("a").ok());
    if let Some(anchor) = anchor.and_then(|anchor| anchor.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&address);
        anchor.set_download(name);
        anchor.click();
    }
    // The browser has taken what it needs once the click has been dealt with.
    checklist_control::browser::set_timeout(
        10_000,
        Box::new(move || {
            let _ = Url::revoke_object_url(&address);
        }),
    );
}

/// The file that was chosen in the field that an event came from.
#[must_use]
pub fn chosen(event: &Event) -> Option<File> {
    let field: HtmlInputElement = event.target()?.dyn_into().ok()?;
    field.files()?.get(0)
}

/// The text of a file.
pub async fn text_of(file: &File) -> Option<String> {
    JsFuture::from(file.text()).await.ok()?.as_string()
}

/// What a file with templates holds, as it stands there: a bundle, a list, or one template.
///
/// # Errors
/// Why it is no JSON; `None` when it holds no templates.
pub fn templates_in(text: &str) -> Result<Vec<Value>, Option<String>> {
    let content: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
        .map_err(|error| Some(error.to_string()))?;
    let found = match content {
        Value::Object(ref fields) if fields.contains_key("Templates") => {
            fields["Templates"].as_array().cloned()
        }
        Value::Object(ref fields) if fields.contains_key("Items") => Some(vec![content]),
        Value::Array(list) => Some(list),
        _ => None,
    };
    found.filter(|list| !list.is_empty()).ok_or(None)
}

/// One template as a bundle, as an import takes it.
#[must_use]
pub fn bundle(template: Template) -> TemplateBundle {
    TemplateBundle {
        templates: vec![template],
    }
}
