//! Computers: pages of the inventory, and imports with a preview of their changes.

use serde::{Deserialize, Serialize};

use crate::computer::{Computer, ComputerField};
use crate::problem::FieldError;
use crate::time::Timestamp;

/// `GET /Computers`: a page of the inventory, by name and id.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ComputersPage {
    /// The computers.
    pub computers: Vec<ComputerView>,
    /// How many the filter finds in all.
    pub total: u64,
    /// What to pass as `After` for the next page; absent on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A computer, and when the inventory learnt of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ComputerView {
    /// The computer.
    #[serde(flatten)]
    pub computer: Computer,
    /// When it was imported first.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// `POST /Computers/Import` with JSON; CSV is sent as `text/csv` with the options in the query.
///
/// All or nothing: one bad row, and nothing is written; a dry run tells of it with the other rows,
/// an import that was meant is refused. Computers that are not named stay as they are; nothing is
/// ever deleted by an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
pub struct ImportComputers {
    /// The computers, each whole: a field that is left out is empty afterwards.
    pub computers: Vec<Computer>,
    /// Only say what would change.
    #[serde(default)]
    pub dry_run: bool,
}

/// What an import has changed, or would.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ImportAnswer {
    /// Whether nothing was written, because only that was asked for.
    pub dry_run: bool,
    /// Rows that were read.
    pub rows: u32,
    /// New computers.
    pub created: u32,
    /// Computers that change.
    pub updated: u32,
    /// Computers that are as the row says already.
    pub unchanged: u32,
    /// Rows that are wrong; with one of them nothing is written.
    pub failed: u32,
    /// What changes, row by row, those that are wrong first; the first 1,000 of them. Rows that
    /// change nothing are not listed.
    pub changes: Vec<ImportChange>,
}

/// One row of an import.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct ImportChange {
    /// The row, from 1; in CSV the line of the file that it begins in.
    pub row: u32,
    /// The computer's id, as far as it could be read.
    pub id: String,
    /// Its name, as far as it could be read.
    pub name: String,
    /// What becomes of it.
    pub outcome: ImportOutcome,
    /// The fields that change, with what they held and will hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<FieldChange>,
    /// What is wrong with the row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum ImportOutcome {
    /// A new computer.
    Created,
    /// A computer that changes.
    Updated,
    /// The row is wrong.
    Failed,
}

/// A field that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "PascalCase")]
pub struct FieldChange {
    /// Which.
    pub field: ComputerField,
    /// What it held; absent for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it will hold; absent for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}
