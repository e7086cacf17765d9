//! What the pages say of a computer: its status, its fields, what is wrong with one.

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::problem::{FieldError, FieldErrorCode};

use crate::app::App;
use crate::element::{El, el};
use crate::wording::{Language, Wording};

/// A status in words.
#[must_use]
pub fn status_name(app: App, status: ComputerStatus) -> &'static str {
    let words = app.language.computers();
    match status {
        ComputerStatus::Ordered => words.ordered,
        ComputerStatus::InStock => words.in_stock,
        ComputerStatus::InUse => words.in_use,
        ComputerStatus::InRepair => words.in_repair,
        ComputerStatus::Missing => words.missing,
        ComputerStatus::Scrapped => words.scrapped,
    }
}

/// A status as a pill.
#[must_use]
pub fn status(app: App, status: ComputerStatus) -> El {
    let class = match status {
        ComputerStatus::Ordered | ComputerStatus::InStock | ComputerStatus::InUse => "pill",
        ComputerStatus::InRepair | ComputerStatus::Missing => "pill warm",
        ComputerStatus::Scrapped => "pill bad",
    };
    el("span").class(class).text(status_name(app, status))
}

/// A field in words.
#[must_use]
pub fn field_name(app: App, field: ComputerField) -> &'static str {
    let words = app.language.computers();
    match field {
        ComputerField::Id => words.id,
        ComputerField::Name => words.name,
        ComputerField::SerialNumber => words.serial_number,
        ComputerField::AssetTag => words.asset_tag,
        ComputerField::Manufacturer => words.manufacturer,
        ComputerField::Model => words.model,
        ComputerField::Status => words.status,
        ComputerField::AssignedTo => words.assigned_to,
        ComputerField::Department => words.department,
        ComputerField::Location => words.location,
        ComputerField::OperatingSystem => words.operating_system,
        ComputerField::Memory => words.memory,
        ComputerField::PurchasedOn => words.purchased_on,
        ComputerField::WarrantyUntil => words.warranty_until,
        ComputerField::Note => words.note,
    }
}

/// What a field holds, in words.
#[must_use]
pub fn field_value(app: App, field: ComputerField, value: &str) -> String {
    let status = ComputerStatus::from_name(value).filter(|_| field == ComputerField::Status);
    status.map_or_else(
        || value.to_owned(),
        |status| status_name(app, status).to_owned(),
    )
}

/// The field that an error is about, in words; empty when it is about the whole row.
#[must_use]
pub fn place(app: App, error: &FieldError) -> String {
    let name = error.pointer.trim_start_matches('/');
    match ComputerField::from_name(name) {
        Some(field) => field_name(app, field).to_owned(),
        None => name.to_owned(),
    }
}

/// What is wrong. The server says it in English, with what was written; other languages have
/// sentences of their own.
#[must_use]
pub fn wrong(app: App, error: &FieldError) -> String {
    if app.language != Language::De {
        return error.detail.clone();
    }
    let (frame, words) = (app.language.frame(), app.language.computers());
    let field = ComputerField::from_name(error.pointer.trim_start_matches('/'));
    match (error.code, field) {
        (FieldErrorCode::Required, _) => frame.fault_required.to_owned(),
        (FieldErrorCode::LimitExceeded, _) => frame.fault_limit.to_owned(),
        (FieldErrorCode::Duplicate, Some(ComputerField::Id)) => words.wrong_double.to_owned(),
        (FieldErrorCode::Invalid, Some(ComputerField::Status)) => words.wrong_status.to_owned(),
        (FieldErrorCode::Invalid, Some(ComputerField::Memory)) => words.wrong_memory.to_owned(),
        (
            FieldErrorCode::Invalid,
            Some(ComputerField::PurchasedOn | ComputerField::WarrantyUntil),
        ) => words.wrong_day.to_owned(),
        (FieldErrorCode::Invalid, Some(_)) => words.wrong_text.to_owned(),
        (FieldErrorCode::Invalid, None) if error.pointer.is_empty() => words.wrong_cells.to_owned(),
        _ => error.detail.clone(),
    }
}
