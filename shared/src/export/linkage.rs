//! Computers, entries of a list, and what links them: the types of [`link()`](super::link()).

use crate::computer::{Computer, ComputerField, ComputerStatus};

/// A selected computer, as far as the rules look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Its id in the inventory.
    pub computer_id: String,
    /// Its serial number.
    pub serial: Option<String>,
    /// Its name.
    pub name: String,
    /// Whether it is scrapped: then it adopts nothing, because that would be to delete what
    /// somebody made by hand.
    pub scrapped: bool,
}

impl Subject {
    /// The parts of a computer that the rules use.
    #[must_use]
    pub fn of(computer: &Computer) -> Self {
        Self {
            computer_id: computer.id.clone(),
            serial: computer.serial_number.clone(),
            name: computer.name.clone(),
            scrapped: computer.status == ComputerStatus::Scrapped,
        }
    }
}

/// An entry of the list, as far as the rules look at it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its id in the list.
    pub item_id: i64,
    /// The value of the key column, unchanged.
    pub key: Option<String>,
    /// What the column holds that `SerialNumber` goes to, where one does.
    pub serial: Option<String>,
    /// What the column holds that `Name` goes to, where one does.
    pub name: Option<String>,
}

impl Entry {
    /// Whether its key column is empty. An entry with any value in it, a key of ours or not, is
    /// taken and cannot be adopted.
    #[must_use]
    pub fn is_made_by_hand(&self) -> bool {
        self.key.as_deref().is_none_or(|key| key.trim().is_empty())
    }
}

/// The entry of a computer, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Link {
    /// No entry, and none that could be its own.
    Nothing,
    /// The entry that carries its key.
    Own {
        /// Its id in the list.
        item_id: i64,
    },
    /// An entry made by hand that is to become its own.
    Adopt {
        /// Its id in the list.
        item_id: i64,
        /// By which field it was found; `None` for one that a person chose though nothing
        /// matches.
        matched_by: Option<ComputerField>,
        /// Whether a person chose it for this computer, so that nobody has to be asked again.
        chosen: bool,
    },
    /// Several possibilities; nothing may be written.
    Ambiguous {
        /// Why no match is certain.
        why: Ambiguity,
        /// The entries that it could be, by id.
        candidates: Vec<Match>,
    },
}

/// An entry that a computer could be, and by which field: `SerialNumber`, `Name`, or `Id` for an
/// entry with its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "described above")]
pub struct Match {
    pub item_id: i64,
    pub matched_by: ComputerField,
}

/// Why nothing is written for a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ambiguity {
    /// More than one entry carries its key.
    SeveralOwn,
    /// More than one entry made by hand matches.
    SeveralEntries,
    /// Another computer of the inventory matches the entry as well, or a person has assigned it.
    SeveralComputers,
    /// The name is the same, but the entry's serial number is another.
    OtherSerialNumber,
}

impl Ambiguity {
    /// In a sentence for people.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SeveralOwn => "More than one entry of the list carries this computer's key.",
            Self::SeveralEntries => "More than one entry of the list could be this computer.",
            Self::SeveralComputers => "The entry could also belong to another computer.",
            Self::OtherSerialNumber => {
                "An entry has this computer's name, but another serial number."
            }
        }
    }
}

/// The result of [`link()`](super::link()).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// One for each subject, in their order.
    pub links: Vec<Link>,
    /// Entries that carry a key of one of the inventory's computers, selected or not.
    pub own_entries: u32,
    /// Entries without a key.
    pub made_by_hand: u32,
}
