//! What errors of the server say to people.

use checklist_shared::problem::ProblemCode;
use leptos::prelude::*;

use crate::api::{ApiError, FieldError};
use crate::app::App;
use crate::phrase;
use crate::wording::{Language, Wording, counted, fill};

/// A paragraph in the server's own words, which are English whatever the reader's language.
#[must_use]
pub fn server_text(app: App, class: &'static str, text: String) -> AnyView {
    let lang = (app.language != Language::En).then_some("en");
    let class = (!class.is_empty()).then_some(class);
    view! { <p class=class lang=lang>{text}</p> }.into_any()
}

/// What an error says as a whole.
#[must_use]
pub fn error_sentence(app: App, error: &ApiError) -> String {
    let words = app.language.frame();
    if let (429 | 503, Some(seconds)) = (error.status, error.retry_after) {
        return counted(app.language, seconds.into(), words.failed_busy);
    }
    match error.status {
        0 => words.failed_network.to_owned(),
        403 => words.failed_permission.to_owned(),
        _ if error.is(ProblemCode::InUse) => match error.lists {
            Some(lists) if lists > 0 => counted(app.language, lists, words.in_use),
            _ => words.in_use_by_types.to_owned(),
        },
        _ if !error.errors.is_empty() => words.failed_fields.to_owned(),
        _ => fill(words.failed_other, &[("detail", &error.detail)]),
    }
}

/// What is wrong with a field, in the reader's language where it is one of the usual errors.
#[must_use]
pub fn field_sentence(app: App, error: &FieldError) -> String {
    if let Some(phrase) = &error.phrase {
        return phrase::sentence(app, phrase, &error.detail);
    }
    let words = app.language.frame();
    match error.code.as_str() {
        "Required" => words.fault_required.to_owned(),
        "Duplicate" => words.fault_duplicate.to_owned(),
        "LimitExceeded" => words.fault_limit.to_owned(),
        _ => error.detail.clone(),
    }
}
