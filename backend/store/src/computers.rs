//! The inventory of computers: the part of a store behind `services::computers` and the runs of the
//! example workflow.
//!
//! Every method is one transaction and sees the computers of one tenant only.

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_shared::time::Timestamp;

use super::store::{Reply, Stamp};

/// The computers of each tenant.
pub trait Computers: Send + Sync {
    /// A page of the computers that match the filter, by name and id, with the total number of
    /// matches.
    fn computers<'a>(&'a self, tenant: &'a str, filter: ComputerFilter) -> Reply<'a, ComputerRows>;

    /// The computers with these ids, in no particular order. Unknown ids are skipped.
    fn computers_by_id<'a>(
        &'a self,
        tenant: &'a str,
        ids: Vec<String>,
    ) -> Reply<'a, Vec<ComputerRecord>>;

    /// Names and serial numbers of all computers of the tenant. A search for one computer's entry
    /// has to know whether the entry could belong to another computer.
    fn names_and_serials<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<NameAndSerial>>;

    /// Upserts these computers; each id may occur once. Unchanged rows are not written. Returns the
    /// previous state of each computer, in the same order. Registers the tenant if necessary. Audits how
    /// many are new and how many have changed.
    fn put_computers<'a>(
        &'a self,
        tenant: &'a str,
        computers: Vec<Computer>,
        stamp: Stamp,
    ) -> Reply<'a, Vec<Option<Computer>>>;
}

/// Which computers to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputerFilter {
    /// Search terms in lower case. Each has to occur in name, serial number, asset tag, assignee or
    /// location.
    pub words: Vec<String>,
    /// Only computers with this status.
    pub status: Option<ComputerStatus>,
    /// The page starts after this key.
    pub after: Option<ComputerPosition>,
    /// The maximum number of rows.
    pub limit: u32,
}

/// The sort key of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputerPosition {
    /// The name in lower case.
    pub name_key: String,
    /// The id of the computer.
    pub id: String,
}

impl ComputerPosition {
    /// The sort key of a computer.
    #[must_use]
    pub fn of(computer: &Computer) -> Self {
        Self {
            name_key: name_key(computer),
            id: computer.id.clone(),
        }
    }
}

/// A page of computers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputerRows {
    /// The rows of this page.
    pub rows: Vec<ComputerRecord>,
    /// Whether there are more rows.
    pub more: bool,
    /// The number of matches on all pages.
    pub total: u64,
}

/// A stored computer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputerRecord {
    /// The computer.
    pub computer: Computer,
    /// When it was first stored.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// What identifies a computer whose id is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAndSerial {
    /// The id of the computer.
    pub id: String,
    /// The name of the computer.
    pub name: String,
    /// The manufacturer's serial number.
    pub serial_number: Option<String>,
    /// Its lifecycle status.
    pub status: ComputerStatus,
}

impl From<Computer> for NameAndSerial {
    fn from(computer: Computer) -> Self {
        Self {
            id: computer.id,
            name: computer.name,
            serial_number: computer.serial_number,
            status: computer.status,
        }
    }
}

/// The name as it is sorted: in lower case.
pub(super) fn name_key(computer: &Computer) -> String {
    computer.name.to_lowercase()
}

/// The text that a search looks through.
pub(super) fn search_text(computer: &Computer) -> String {
    let fields = [
        Some(&computer.name),
        computer.serial_number.as_ref(),
        computer.asset_tag.as_ref(),
        computer.assigned_to.as_ref(),
        computer.location.as_ref(),
    ];
    let texts: Vec<&str> = fields.into_iter().flatten().map(String::as_str).collect();
    texts.join("\n").to_lowercase()
}
