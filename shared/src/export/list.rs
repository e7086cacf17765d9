//! An index of a list's entries by key, serial number and name, and the evidence for and against
//! each match. Entries of a run and entries that people made are kept apart. `link` has the rules.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::computer::ComputerField;
use crate::export::inventory::Inventory;
use crate::export::key::SyncKey;
use crate::export::linkage::{Ambiguity, Entry, Link, Match, Subject};
use crate::export::matching::{normal_name, normal_serial};

/// The entries, found by what they hold.
pub(super) struct List<'a> {
    inventory: &'a Inventory,
    by_key: HashMap<SyncKey, Vec<i64>>,
    /// Only those without a key, as all the following.
    by_id: HashMap<i64, &'a Entry>,
    by_serial: Option<HashMap<String, Vec<i64>>>,
    by_name: Option<HashMap<String, Vec<i64>>>,
    /// Entries that persons chose, with the computers.
    chosen: HashMap<i64, HashSet<&'a str>>,
    own_entries: u32,
}

impl<'a> List<'a> {
    pub(super) fn of(
        entries: &'a [Entry],
        inventory: &'a Inventory,
        fields: &[ComputerField],
        choices: &'a BTreeMap<String, Option<i64>>,
    ) -> Self {
        let mut list = Self {
            inventory,
            by_key: HashMap::new(),
            by_id: HashMap::new(),
            by_serial: fields
                .contains(&ComputerField::SerialNumber)
                .then(HashMap::new),
            by_name: fields.contains(&ComputerField::Name).then(HashMap::new),
            chosen: HashMap::new(),
            own_entries: 0,
        };
        for entry in entries {
            list.add(entry);
        }
        for (computer_id, item_id) in choices {
            // Whoever has an entry of its own needs none.
            if let Some(item_id) = item_id
                && !list.by_key.contains_key(&inventory.key(computer_id))
            {
                list.chosen.entry(*item_id).or_default().insert(computer_id);
            }
        }
        list
    }

    /// Entries that carry a key of one of the inventory's computers.
    pub(super) const fn own_entries(&self) -> u32 {
        self.own_entries
    }

    /// Entries without a key.
    pub(super) fn made_by_hand(&self) -> u32 {
        u32::try_from(self.by_id.len()).unwrap_or(u32::MAX)
    }

    fn add(&mut self, entry: &'a Entry) {
        let id = entry.item_id;
        if !entry.is_made_by_hand() {
            if let Some(key) = entry.key.as_deref().and_then(SyncKey::read) {
                self.by_key.entry(key).or_default().push(id);
                self.own_entries += u32::from(self.inventory.owns(key));
            }
            return;
        }
        self.by_id.insert(id, entry);
        if let Some(serials) = &mut self.by_serial
            && let Some(serial) = entry.serial.as_deref().and_then(normal_serial)
        {
            serials.entry(serial).or_default().push(id);
        }
        if let Some(names) = &mut self.by_name
            && let Some(name) = entry.name.as_deref().and_then(normal_name)
        {
            names.entry(name).or_default().push(id);
        }
    }

    pub(super) fn link(&self, subject: &Subject, choice: Option<Option<i64>>) -> Link {
        let key = self.inventory.key(&subject.computer_id);
        match self.by_key.get(&key).map(Vec::as_slice) {
            Some([item_id]) => return Link::Own { item_id: *item_id },
            Some(several) => {
                return match choice.flatten() {
                    Some(item_id) if several.contains(&item_id) => Link::Own { item_id },
                    _ => ambiguous(Ambiguity::SeveralOwn, several, ComputerField::Id),
                };
            }
            None if subject.scrapped => return Link::Nothing,
            None => {}
        }
        match choice {
            Some(None) => return Link::Nothing,
            // What has gone or has become somebody else's since cannot be meant any more.
            Some(Some(item_id)) if self.by_id.contains_key(&item_id) => {
                return self.link_chosen(subject, item_id);
            }
            _ => {}
        }
        self.link_by_fields(subject)
    }

    fn link_chosen(&self, subject: &Subject, item_id: i64) -> Link {
        let matched_by = [ComputerField::SerialNumber, ComputerField::Name]
            .into_iter()
            .find(|field| self.matching(subject, *field).contains(&item_id));
        if self.is_chosen_by_another(subject, item_id) {
            let by = matched_by.unwrap_or(ComputerField::Id);
            return ambiguous(Ambiguity::SeveralComputers, &[item_id], by);
        }
        Link::Adopt {
            item_id,
            matched_by,
            chosen: true,
        }
    }

    fn link_by_fields(&self, subject: &Subject) -> Link {
        for field in [ComputerField::SerialNumber, ComputerField::Name] {
            let found = self.matching(subject, field);
            let [item_id] = *found else {
                if found.is_empty() {
                    continue;
                }
                return ambiguous(Ambiguity::SeveralEntries, found, field);
            };
            return match self.objection(subject, item_id, field) {
                Some(why) => ambiguous(why, found, field),
                None => Link::Adopt {
                    item_id,
                    matched_by: Some(field),
                    chosen: false,
                },
            };
        }
        Link::Nothing
    }

    /// The entries that match by one field; none when it is not asked for or says nothing.
    fn matching(&self, subject: &Subject, field: ComputerField) -> &[i64] {
        let (index, normal) = match field {
            ComputerField::SerialNumber => (&self.by_serial, serial_of(subject)),
            _ => (&self.by_name, normal_name(&subject.name)),
        };
        index
            .as_ref()
            .zip(normal)
            .and_then(|(index, normal)| index.get(&normal))
            .map_or(&[], Vec::as_slice)
    }

    /// Why the only entry that matches may still not be meant.
    fn objection(&self, subject: &Subject, item_id: i64, by: ComputerField) -> Option<Ambiguity> {
        let id = subject.computer_id.as_str();
        let serial = serial_of(subject);
        let is_of_another = match by {
            ComputerField::SerialNumber => serial
                .as_deref()
                .is_some_and(|serial| self.inventory.serial_of_another(serial, id)),
            _ => normal_name(&subject.name)
                .is_some_and(|name| self.inventory.name_of_another(&name, id)),
        };
        if is_of_another || self.is_chosen_by_another(subject, item_id) {
            return Some(Ambiguity::SeveralComputers);
        }
        if by == ComputerField::SerialNumber || self.by_serial.is_none() {
            return None;
        }
        let of_entry = self
            .by_id
            .get(&item_id)
            .and_then(|entry| normal_serial(entry.serial.as_deref()?))?;
        if self.inventory.serial_of_another(&of_entry, id) {
            return Some(Ambiguity::SeveralComputers);
        }
        // Had they been the same, the serial number would have found the entry.
        serial.map(|_| Ambiguity::OtherSerialNumber)
    }

    fn is_chosen_by_another(&self, subject: &Subject, item_id: i64) -> bool {
        self.chosen
            .get(&item_id)
            .is_some_and(|by| by.iter().any(|id| *id != subject.computer_id))
    }
}

fn serial_of(subject: &Subject) -> Option<String> {
    subject.serial.as_deref().and_then(normal_serial)
}

fn ambiguous(why: Ambiguity, item_ids: &[i64], matched_by: ComputerField) -> Link {
    let mut item_ids = item_ids.to_vec();
    item_ids.sort_unstable();
    let candidates = item_ids.into_iter().map(|item_id| Match {
        item_id,
        matched_by,
    });
    Link::Ambiguous {
        why,
        candidates: candidates.collect(),
    }
}
