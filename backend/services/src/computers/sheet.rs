//! Parses tables of computers from CSV, as spreadsheets and inventory tools write it.
//!
//! Accepts UTF-8 with or without a byte order mark. The header row determines the delimiter (comma,
//! semicolon or tab) and the order of the columns.

use checklist_shared::computer::{Computer, ComputerField, ComputerStatus, Day};
use checklist_shared::problem::{FieldError, FieldErrorCode, ProblemCode};
use checklist_shared::table::{self, OpenQuote};
use checklist_store::error::{ServiceError, ServiceResult};

use super::row::{MOST_ROWS, ReadRow};

/// The byte order mark of UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";
/// The required columns.
const NEEDED: [ComputerField; 3] = [
    ComputerField::Id,
    ComputerField::Name,
    ComputerField::Status,
];

/// Parses a table.
///
/// # Errors
/// `InvalidRequest` if the file cannot be parsed: not UTF-8, no header row, unknown headings, an
/// unclosed quotation mark. `LimitExceeded` for too many rows. Errors in single cells are in their
/// rows.
pub fn read(bytes: &[u8]) -> ServiceResult<Vec<ReadRow>> {
    let text = text_of(bytes)?;
    let mut records = table::rows(text)
        .map_err(|OpenQuote { line }| {
            let detail = format!(
                "The quotation mark that opens in line {line} is never closed, or stands inside a cell that is not quoted."
            );
            import_error("", FieldErrorCode::Invalid, detail)
        })?
        .into_iter();
    let Some((_, head)) = records.next() else {
        let detail =
            "The file is empty: its first row has to name the columns, such as Id, Name, Status.";
        return Err(import_error("", FieldErrorCode::Required, detail));
    };
    let columns = columns_of(&head)?;
    if records.len() > MOST_ROWS {
        let detail = format!("At most {MOST_ROWS} computers in one file.");
        return Err(import_error("", FieldErrorCode::LimitExceeded, detail));
    }
    let rows = records.map(|(line, record)| row_of(line, &columns, &record));
    Ok(rows.collect())
}

/// The text of a file, or an error at the first line that is not UTF-8.
fn text_of(bytes: &[u8]) -> ServiceResult<&str> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let detail = "The file is UTF-16. Save it as UTF-8, in Excel as 'CSV UTF-8'.";
        return Err(import_error("", FieldErrorCode::Invalid, detail));
    }
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let detail =
            format!("Line {line} is not UTF-8. Save the file as UTF-8, in Excel as 'CSV UTF-8'.");
        import_error("", FieldErrorCode::Invalid, detail)
    })
}

/// The field of each column. Empty headings at the end are ignored.
fn columns_of(head: &csv::StringRecord) -> ServiceResult<Vec<Option<ComputerField>>> {
    let mut errors = Vec::new();
    let mut columns = Vec::with_capacity(head.len());
    for heading in head {
        let pointer = format!("/{}", heading.trim().replace('~', "~0").replace('/', "~1"));
        let field = ComputerField::from_heading(heading);
        match field {
            Some(field) if columns.contains(&Some(field)) => {
                let detail = format!("The column '{}' stands there twice.", heading.trim());
                errors.push(FieldError::new(pointer, FieldErrorCode::Duplicate, detail));
            }
            None if !heading.trim().is_empty() => {
                let detail = format!("No field is called '{}'.", shorten(heading.trim()));
                errors.push(FieldError::new(
                    pointer,
                    FieldErrorCode::UnknownField,
                    detail,
                ));
            }
            _ => {}
        }
        columns.push(field);
    }
    for field in NEEDED {
        if !columns.contains(&Some(field)) {
            errors.push(FieldError::new(
                format!("/{}", field.name()),
                FieldErrorCode::Required,
                format!("The column {} is missing.", field.name()),
            ));
        }
    }
    if errors.is_empty() {
        return Ok(columns);
    }
    errors.truncate(20);
    let names: Vec<&str> = ComputerField::ALL
        .iter()
        .map(|field| field.name())
        .collect();
    Err(ServiceError::fields(
        ProblemCode::InvalidRequest,
        format!(
            "The first row does not name the columns as it should; they are {}.",
            names.join(", ")
        ),
        errors,
    ))
}

fn row_of(line: u32, columns: &[Option<ComputerField>], record: &csv::StringRecord) -> ReadRow {
    let mut computer = Computer::new("", "", ComputerStatus::InStock);
    let mut errors = Vec::new();
    let beyond = record.iter().skip(columns.len());
    let nameless = columns
        .iter()
        .zip(record)
        .filter(|(column, _)| column.is_none());
    if beyond
        .chain(nameless.map(|(_, cell)| cell))
        .any(|cell| !cell.trim().is_empty())
    {
        errors.push(FieldError::new(
            "",
            FieldErrorCode::Invalid,
            format!(
                "The row has {} cells for {} columns; a cell with a separator in it has to stand in quotation marks.",
                record.len(),
                columns.iter().flatten().count()
            ),
        ));
    }
    let mut status = None;
    for (column, cell) in columns.iter().zip(record) {
        let Some(field) = column else { continue };
        if let Err(error) = fill(&mut computer, &mut status, *field, cell.trim()) {
            errors.push(error);
        }
    }
    let status_told = errors.iter().any(|error| error.pointer == "/Status");
    match status {
        Some(status) => computer.status = status,
        None if !status_told => errors.push(FieldError::new(
            "/Status",
            FieldErrorCode::Required,
            "This has to be there.",
        )),
        None => {}
    }
    let mut row = ReadRow::of(line, computer);
    if !errors.is_empty() {
        if let Err(faults) = &mut row.computer {
            errors.append(faults);
        }
        row.computer = Err(errors);
    }
    row
}

/// Sets a field from its cell. An empty cell is no value.
fn fill(
    computer: &mut Computer,
    status: &mut Option<ComputerStatus>,
    field: ComputerField,
    cell: &str,
) -> Result<(), FieldError> {
    let invalid = |detail: String| {
        FieldError::new(
            format!("/{}", field.name()),
            FieldErrorCode::Invalid,
            detail,
        )
    };
    let text = || (!cell.is_empty()).then(|| cell.to_owned());
    let day = || -> Result<Option<Day>, FieldError> {
        if cell.is_empty() {
            return Ok(None);
        }
        let day = cell.parse();
        day.map(Some)
            .map_err(|_| invalid(format!("'{}' is no day such as 2026-11-20.", shorten(cell))))
    };
    match field {
        ComputerField::Id => computer.id = cell.to_owned(),
        ComputerField::Name => computer.name = cell.to_owned(),
        ComputerField::SerialNumber => computer.serial_number = text(),
        ComputerField::AssetTag => computer.asset_tag = text(),
        ComputerField::Manufacturer => computer.manufacturer = text(),
        ComputerField::Model => computer.model = text(),
        ComputerField::AssignedTo => computer.assigned_to = text(),
        ComputerField::Department => computer.department = text(),
        ComputerField::Location => computer.location = text(),
        ComputerField::OperatingSystem => computer.operating_system = text(),
        ComputerField::Note => computer.note = text(),
        ComputerField::PurchasedOn => computer.purchased_on = day()?,
        ComputerField::WarrantyUntil => computer.warranty_until = day()?,
        ComputerField::Status if cell.is_empty() => {}
        ComputerField::Status => {
            *status = ComputerStatus::from_name(cell);
            if status.is_none() {
                let names = ComputerStatus::ALL.map(ComputerStatus::name).join(", ");
                let cell = shorten(cell);
                return Err(invalid(format!("'{cell}' is none of {names}.")));
            }
        }
        ComputerField::Memory if cell.is_empty() => {}
        ComputerField::Memory => {
            let memory = cell.parse().map_err(|_| {
                invalid(format!(
                    "'{}' is no whole number of GiB such as 16.",
                    shorten(cell)
                ))
            })?;
            computer.memory = Some(memory);
        }
    }
    Ok(())
}

/// Shortens user input for an error message.
fn shorten(text: &str) -> String {
    let plain = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    let start: String = plain.clone().take(40).collect();
    if plain.count() > 40 {
        format!("{start}…")
    } else {
        start
    }
}

fn import_error(pointer: &str, code: FieldErrorCode, detail: impl Into<String>) -> ServiceError {
    let detail = detail.into();
    let problem = if code == FieldErrorCode::LimitExceeded {
        ProblemCode::LimitExceeded
    } else {
        ProblemCode::InvalidRequest
    };
    ServiceError::fields(
        problem,
        detail.clone(),
        vec![FieldError::new(pointer, code, detail)],
    )
}

#[cfg(test)]
#[path = "sheet_tests.rs"]
mod tests;
