//! What is wrong with the form, at the field that it is about.
//!
//! Pointers of the server name lines of what was sent; here they are brought to where the person
//! sees them.

use checklist_shared::computer::ComputerField;
use leptos::prelude::*;

use super::draft::Missing;
use super::page::Form;
use crate::api::ApiError;
use crate::app::App;
use crate::computers::told::field_name;
use crate::templates::faults::said;
use crate::wording::{Wording, fill};

/// What is wrong with a field of the form, as the server names it.
pub fn at(
    form: Form,
    pointer: &'static str,
) -> impl Fn() -> Option<String> + Send + Sync + 'static {
    move || {
        let missing = match form.draft.with(super::draft::Draft::missing) {
            Some(Missing::Connection) => "/ServiceConnection",
            Some(Missing::List) => "/List",
            _ => "",
        };
        if form.tried.get() && missing == pointer {
            return Some(form.app.language.frame().fault_required.to_owned());
        }
        form.failure.with(|failure| {
            let failure = failure.as_ref()?;
            if pointer == "/KeyColumn" && failure.code == "KeyColumnMissing" {
                return Some(failure.detail.clone());
            }
            let fault = failure
                .errors
                .iter()
                .find(|fault| fault.pointer == pointer)?;
            // The server says in its own words what these lack.
            Some(if fault.code == "Invalid" {
                fault.detail.clone()
            } else {
                said(form.app, fault)
            })
        })
    }
}

/// What is wrong with the line of a field.
pub fn at_line(
    form: Form,
    field: ComputerField,
) -> impl Fn() -> Option<String> + Send + Sync + 'static {
    move || {
        let words = form.app.language.export();
        form.draft.with(|draft| {
            if let Some(rival) = draft.rival(field) {
                let name = field_name(form.app, rival);
                return Some(fill(words.same_column, &[("field", name)]));
            }
            form.failure.with(|failure| {
                let mut faults = failure.as_ref()?.errors.iter();
                let fault = faults.find(|fault| draft.field_at(&fault.pointer) == Some(field))?;
                Some(fault.detail.clone())
            })
        })
    }
}

/// The computers that the server does not know any more.
pub fn gone(form: Form, failure: &ApiError) -> Vec<String> {
    let chosen = form.app.selected.get_untracked();
    let pointers = failure.errors.iter();
    let places = pointers.filter_map(|fault| {
        let place = fault.pointer.strip_prefix("/ComputerIds/")?;
        place.parse::<usize>().ok()
    });
    places
        .filter_map(|place| chosen.ids().get(place).cloned())
        .collect()
}

/// What is wrong at no field that the form has.
pub fn elsewhere(form: Form, failure: &ApiError) -> Vec<String> {
    let known = ["/ServiceConnection", "/List", "/KeyColumn", "/FieldMap"];
    let mut others = Vec::new();
    form.draft.with_untracked(|draft| {
        for fault in &failure.errors {
            let here =
                known.contains(&fault.pointer.as_str()) || draft.field_at(&fault.pointer).is_some();
            if !here {
                others.push(fault.detail.clone());
            }
        }
    });
    others
}

/// What a refusal says as a whole, where the server's own sentence says more than ours.
pub fn whole(app: App, failure: &ApiError) -> Option<String> {
    let words = app.language.frame();
    match failure.code.as_str() {
        "KeyColumnMissing" | "ConnectionNotDurable" => Some(words.failed_fields.to_owned()),
        _ => None,
    }
}
