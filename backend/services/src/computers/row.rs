//! A row of an import, from JSON or from a table.
//!
//! Invariant: a row keeps its position, so that errors can point at it.

use checklist_shared::computer::Computer;
use checklist_shared::problem::FieldError;

/// The maximum number of rows of an import.
pub const MOST_ROWS: usize = 10_000;

/// A parsed row: a computer, or its field errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRow {
    /// Its number from 1 in JSON, or its line in the file.
    pub place: u32,
    /// The id, as far as it could be parsed.
    pub id: String,
    /// The name, as far as it could be parsed.
    pub name: String,
    /// The computer, or the errors of its fields.
    pub computer: Result<Computer, Vec<FieldError>>,
}

impl ReadRow {
    /// A row that has not been validated yet.
    #[must_use]
    pub fn of(place: u32, computer: Computer) -> Self {
        let computer = computer.normalized();
        let faults = computer.faults();
        Self {
            place,
            id: computer.id.clone(),
            name: computer.name.clone(),
            computer: if faults.is_empty() {
                Ok(computer)
            } else {
                Err(faults)
            },
        }
    }
}
