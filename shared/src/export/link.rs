//! Which entry of a list belongs to which computer.
//!
//! An entry with a computer's key belongs to that computer. A computer without one may adopt an
//! entry made by hand, but only if the two are each other's only match; everything else is
//! ambiguous, and a person chooses.

use std::collections::BTreeMap;

use crate::computer::{Computer, ComputerField, ComputerStatus};
use crate::export::inventory::Inventory;
use crate::export::list::List;

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

/// The result of [`link`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Linkage {
    /// One for each subject, in their order.
    pub links: Vec<Link>,
    /// Entries that carry a key of one of the inventory's computers, selected or not.
    pub own_entries: u32,
    /// Entries without a key.
    pub made_by_hand: u32,
}

/// Says what belongs to each of the `subjects`, every one of which is named once.
///
/// * Exactly one entry carries its key: that one, whatever else matches.
/// * Otherwise entries without a key are looked at, by the `fields` that are asked for. A serial
///   number that says something decides when it finds an entry; only when it finds none, the
///   name does. One entry, matched by no other computer of the inventory by that field, is
///   adopted. For a match by name the entry's serial number counts too: it may neither be another
///   one than the computer's nor that of another computer.
/// * Anything else is ambiguous, until a person has made one of the `choices` (computer id to
///   entry, or to none of them; those of computers that are not selected count as well).
/// * A scrapped computer has its own entry or nothing.
///
/// ```
/// use std::collections::BTreeMap;
/// use checklist_shared::computer::ComputerField;
/// use checklist_shared::export::{Entry, Inventory, Link, Subject, link};
///
/// let mut inventory = Inventory::new("north");
/// let subject = |id: &str, serial: &str| Subject {
///     computer_id: id.into(), serial: Some(serial.into()), name: format!("PC-{id}"), scrapped: false,
/// };
/// let subjects = [subject("1", "5CG1"), subject("2", "5CG2"), subject("3", "5CG3")];
/// let entries = [
///     Entry { item_id: 7, key: Some(inventory.key("1").to_string()), ..Entry::default() },
///     Entry { item_id: 8, serial: Some("5cg2 ".into()), ..Entry::default() },
/// ];
/// for subject in &subjects {
///     inventory.insert(&subject.computer_id, subject.serial.as_deref(), &subject.name);
/// }
/// let fields = [ComputerField::SerialNumber, ComputerField::Name];
/// let found = link(&inventory, &subjects, &entries, &fields, &BTreeMap::new());
/// assert_eq!(found.links[0], Link::Own { item_id: 7 });
/// assert!(matches!(found.links[1], Link::Adopt { item_id: 8, .. }));
/// assert_eq!(found.links[2], Link::Nothing);
/// ```
#[must_use]
pub fn link(
    inventory: &Inventory,
    subjects: &[Subject],
    entries: &[Entry],
    fields: &[ComputerField],
    choices: &BTreeMap<String, Option<i64>>,
) -> Linkage {
    // The rules hold even when the caller's inventory does not know a computer it selected.
    let mut inventory = inventory.clone();
    for subject in subjects {
        inventory.insert(
            &subject.computer_id,
            subject.serial.as_deref(),
            &subject.name,
        );
    }
    let list = List::of(entries, &inventory, fields, choices);
    Linkage {
        links: subjects
            .iter()
            .map(|subject| list.link(subject, choices.get(&subject.computer_id).copied()))
            .collect(),
        own_entries: list.own_entries(),
        made_by_hand: list.made_by_hand(),
    }
}
