//! Computers in the reader's language: statuses, fields, values, errors of an import.

use checklist_shared::computer::{ComputerField, ComputerStatus};
use checklist_shared::problem::{FieldError, FieldErrorCode};

use crate::kit::*;

/// The name of a status.
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
pub fn status_pill(app: App, of: ComputerStatus) -> AnyView {
    let class = match of {
        ComputerStatus::Ordered | ComputerStatus::InStock | ComputerStatus::InUse => "",
        ComputerStatus::InRepair | ComputerStatus::Missing => "warm",
        ComputerStatus::Scrapped => "bad",
    };
    pill(class, status_name(app, of))
}

/// The name of a field.
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

/// The value of a field.
#[must_use]
pub fn field_value(app: App, field: ComputerField, value: &str) -> String {
    match ComputerStatus::from_name(value).filter(|_| field == ComputerField::Status) {
        Some(of) => status_name(app, of).to_owned(),
        None => value.to_owned(),
    }
}

/// The field that an error is about; none when it is about the whole row.
#[must_use]
pub fn error_field(app: App, error: &FieldError) -> Option<String> {
    let name = error.pointer.trim_start_matches('/');
    let label = ComputerField::from_name(name).map_or(name, |of| field_name(app, of));
    (!label.is_empty()).then(|| label.to_owned())
}

/// What is wrong. English quotes the server, which cites the value; German has sentences of its
/// own.
#[must_use]
pub fn error_text(app: App, error: &FieldError) -> String {
    if app.language != Language::De {
        return error.detail.clone();
    }
    let (frame, words) = (app.language.frame(), app.language.computers());
    let field = ComputerField::from_name(error.pointer.trim_start_matches('/'));
    match (error.code, field) {
        (FieldErrorCode::Required, _) => frame.fault_required.to_owned(),
        (FieldErrorCode::LimitExceeded, _) => frame.fault_limit.to_owned(),
        (FieldErrorCode::Duplicate, Some(ComputerField::Id)) => words.duplicate_id.to_owned(),
        (FieldErrorCode::Invalid, Some(ComputerField::Status)) => words.invalid_status.to_owned(),
        (FieldErrorCode::Invalid, Some(ComputerField::Memory)) => words.invalid_memory.to_owned(),
        (
            FieldErrorCode::Invalid,
            Some(ComputerField::PurchasedOn | ComputerField::WarrantyUntil),
        ) => words.invalid_date.to_owned(),
        (FieldErrorCode::Invalid, Some(_)) => words.invalid_text.to_owned(),
        (FieldErrorCode::Invalid, None) if error.pointer.is_empty() => {
            words.invalid_cells.to_owned()
        }
        _ => error.detail.clone(),
    }
}
