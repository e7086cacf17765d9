//! An index of the whole inventory: every computer's key, serial number and name.
//!
//! An entry made by hand may only be adopted if it matches no other computer, selected or not.

use std::collections::{HashMap, HashSet};

use crate::export::key::{SyncKey, sync_key};
use crate::export::matching::{normal_name, normal_serial};

/// Keys, serial numbers and names of all computers of one inventory.
#[derive(Clone, Debug)]
pub struct Inventory {
    name: String,
    keys: HashSet<SyncKey>,
    serials: HashMap<String, Claim>,
    names: HashMap<String, Claim>,
}

/// The computers with a certain serial number or name.
#[derive(Clone, Debug)]
enum Claim {
    One(String),
    Several,
}

impl Inventory {
    /// An inventory without computers; `name` is the tenant.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            keys: HashSet::new(),
            serials: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// Adds a computer; one that is there already is not counted twice.
    pub fn insert(&mut self, computer_id: &str, serial: Option<&str>, name: &str) {
        self.keys.insert(self.key(computer_id));
        if let Some(serial) = serial.and_then(normal_serial) {
            claim(&mut self.serials, serial, computer_id);
        }
        if let Some(name) = normal_name(name) {
            claim(&mut self.names, name, computer_id);
        }
    }

    /// The key of one of its computers.
    #[must_use]
    pub fn key(&self, computer_id: &str) -> SyncKey {
        sync_key(&self.name, computer_id)
    }

    /// Whether a key is that of one of its computers.
    #[must_use]
    pub fn owns(&self, key: SyncKey) -> bool {
        self.keys.contains(&key)
    }

    /// Whether a computer other than this one has the serial number (in its normal form).
    pub(super) fn serial_of_another(&self, serial: &str, computer_id: &str) -> bool {
        is_of_another(self.serials.get(serial), computer_id)
    }

    /// Whether a computer other than this one has the name (in its normal form).
    pub(super) fn name_of_another(&self, name: &str, computer_id: &str) -> bool {
        is_of_another(self.names.get(name), computer_id)
    }
}

fn claim(claims: &mut HashMap<String, Claim>, normal: String, computer_id: &str) {
    let claim = claims
        .entry(normal)
        .or_insert_with(|| Claim::One(computer_id.to_owned()));
    if matches!(claim, Claim::One(first) if first != computer_id) {
        *claim = Claim::Several;
    }
}

fn is_of_another(claim: Option<&Claim>, computer_id: &str) -> bool {
    match claim {
        None => false,
        Some(Claim::One(owner)) => owner != computer_id,
        Some(Claim::Several) => true,
    }
}
