//! The inventory of computers: the part of a store that `services::computers` keeps its records
//! in, and that a run of the example workflow reads what it exports from.
//!
//! Every method is one transaction, and knows the computers of one tenant alone.

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_shared::time::Timestamp;

use super::store::Reply;

/// The computers of each tenant.
pub trait Computers: Send + Sync {
    /// A page of those that the filter finds, by name and id, and how many it finds in all.
    fn computers<'a>(&'a self, tenant: &'a str, filter: ComputerFilter) -> Reply<'a, ComputerRows>;

    /// Those of these ids that there are, in no particular order.
    fn computers_by_id<'a>(
        &'a self,
        tenant: &'a str,
        ids: Vec<String>,
    ) -> Reply<'a, Vec<ComputerRecord>>;

    /// By what every computer of the tenant can be found in a list: whoever looks for an entry of
    /// one has to know whether another could be meant.
    fn names_and_serials<'a>(&'a self, tenant: &'a str) -> Reply<'a, Vec<NameAndSerial>>;

    /// Keeps these computers, each id once, over those of the same ids; those that are the same
    /// already stay untouched. Answers with what each was before, in the same order. A tenant that
    /// was never written is written along.
    fn put_computers<'a>(
        &'a self,
        tenant: &'a str,
        computers: Vec<Computer>,
        at: Timestamp,
    ) -> Reply<'a, Vec<Option<Computer>>>;
}

/// Which computers to read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ComputerFilter {
    /// Words in lower case, each of which has to stand in name, serial number, asset tag,
    /// assignee or location.
    pub words: Vec<String>,
    /// Of this status only.
    pub status: Option<ComputerStatus>,
    /// Past this one.
    pub after: Option<ComputerPosition>,
    /// How many.
    pub limit: u32,
}

/// Where a computer stands in the order of the inventory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputerPosition {
    /// Its name in lower case.
    pub name_key: String,
    /// Its id.
    pub id: String,
}

impl ComputerPosition {
    /// The place of a computer.
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
    /// They.
    pub rows: Vec<ComputerRecord>,
    /// Whether there are more.
    pub more: bool,
    /// How many the filter finds in all.
    pub total: u64,
}

/// A computer as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComputerRecord {
    /// The computer.
    pub computer: Computer,
    /// When it was kept first.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// By what a computer can be found where nothing is known of its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameAndSerial {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The manufacturer's serial number.
    pub serial_number: Option<String>,
    /// Where it is in its life.
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

/// The name as computers are ordered by it.
pub(super) fn name_key(computer: &Computer) -> String {
    computer.name.to_lowercase()
}

/// What a search looks through.
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
