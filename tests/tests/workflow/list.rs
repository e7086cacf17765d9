//! What a list has to look like, and what it looks like.

use std::collections::{BTreeMap, BTreeSet};

use checklist_shared::computer::{Computer, ComputerStatus};
use checklist_shared::export::sync_key;
use checklist_site_server::store::{Field, FieldKind, Item};
use serde_json::{Map, Value, json};

use crate::lane::Lane;
use crate::stage::TENANT;

/// The column of the keys.
pub const KEY: &str = "SyncKey";

/// The key of a computer.
pub fn key_of(computer: &Computer) -> String {
    sync_key(TENANT, &computer.id).to_string()
}

/// What an entry holds that is as its computer says.
pub fn entry_of(computer: &Computer) -> Map<String, Value> {
    let mut entry = Map::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            entry.insert(name.to_owned(), value);
        }
    };
    put("Title", Some(json!(computer.name)));
    put(
        "SerialNumber",
        computer.serial_number.clone().map(Value::from),
    );
    put("Model", computer.model.clone().map(Value::from));
    put("Status", Some(json!(computer.status.label())));
    put(
        "Memory",
        computer.memory.map(|memory| json!(f64::from(memory))),
    );
    put("Note", computer.note.clone().map(Value::from));
    entry
}

/// A computer of which much is known.
pub fn computer(id: &str) -> Computer {
    Computer {
        serial_number: Some(format!("SN-{id}")),
        model: Some("EliteBook 840".to_owned()),
        memory: Some(16),
        note: Some("Second floor".to_owned()),
        ..Computer::new(id, format!("PC-{id}"), ComputerStatus::InUse)
    }
}

/// Gives a list the column of the keys, as an export makes it.
pub fn with_key_column(lane: &Lane, title: &str) {
    let mut field = Field::new(KEY, KEY, FieldKind::Text);
    field.hidden = true;
    field.unique = true;
    lane.by_hand(title, |list| {
        list.add_field(field).expect("a new column");
    });
}

/// The entries of a list, by id.
pub fn entries(lane: &Lane, title: &str) -> BTreeMap<u32, Item> {
    lane.by_hand(title, |list| list.items.clone())
}

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.values.get(name).and_then(Value::as_str)
}

/// What of an entry an export writes, numbers as numbers.
pub fn content(item: &Item) -> Map<String, Value> {
    let names = ["Title", "SerialNumber", "Model", "Status", "Memory", "Note"];
    let held = names.iter().filter_map(|name| {
        let value = item.values.get(*name)?;
        let value = value.as_f64().map_or_else(|| value.clone(), Value::from);
        Some(((*name).to_owned(), value))
    });
    held.filter(|(_, value)| value != "").collect()
}

/// The list is what the inventory says: one entry for each of `present`, none for the `absent`;
/// `others` are as they were, to the version, and there is nothing else.
#[track_caller]
pub fn assert_is(
    lane: &Lane,
    title: &str,
    present: &[Computer],
    absent: &[Computer],
    others: &BTreeMap<u32, Item>,
    what: &str,
) {
    let found = entries(lane, title);
    let mut by_key: BTreeMap<String, Vec<&Item>> = BTreeMap::new();
    for item in found.values() {
        if let Some(key) = text(item, KEY) {
            by_key.entry(key.to_lowercase()).or_default().push(item);
        }
    }
    let mut expected: BTreeSet<u32> = others.keys().copied().collect();
    for computer in present {
        let own = by_key.get(&key_of(computer)).map_or(&[][..], Vec::as_slice);
        assert_eq!(own.len(), 1, "{what}: entries of {}", computer.id);
        assert_eq!(
            content(own[0]),
            entry_of(computer),
            "{what}: {}",
            computer.id
        );
        expected.insert(own[0].id);
    }
    for computer in absent {
        let own = by_key.get(&key_of(computer));
        assert!(own.is_none(), "{what}: {} is still there", computer.id);
    }
    for (id, other) in others {
        let now = found
            .get(id)
            .unwrap_or_else(|| panic!("{what}: entry {id} is gone: {other:?}"));
        assert_eq!(
            (now.version, &now.values),
            (other.version, &other.values),
            "{what}: entry {id} is nobody's to write"
        );
    }
    let found: BTreeSet<u32> = found.keys().copied().collect();
    assert_eq!(found, expected, "{what}: entries that nobody asked for");
}
