//! Which entry of a list belongs to which computer.
//!
//! An entry with a computer's key belongs to that computer. A computer without one may adopt an
//! entry made by hand, but only if the two are each other's only match; everything else is
//! ambiguous, and a person chooses.

use std::collections::BTreeMap;

use crate::computer::ComputerField;
use crate::export::inventory::Inventory;
use crate::export::linkage::{Entry, Linkage, Subject};
use crate::export::list::List;

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
