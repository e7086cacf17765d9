//! Runs the vectors of the export: keys, links between computers and entries, and the guard.
//!
//! Each file of `shared/vectors` that is about the export has a test here. Part of `vectors.rs`,
//! natively and in WASM.

use std::collections::BTreeMap;

use checklist_shared::computer::ComputerField;
use checklist_shared::export::{
    Entry, Inventory, Link, ListState, PlannedWrite, Subject, guard, link, sync_key,
};
use checklist_shared::wire::workflow::PlannedAction;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

const INVENTORY: &str = "default";

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct File<V> {
    #[serde(rename = "About")]
    _about: String,
    vectors: Vec<V>,
}

fn vectors<V: DeserializeOwned>(file: &str) -> Vec<V> {
    let file: File<V> =
        serde_json::from_str(file).expect("the vectors are valid JSON of their shape");
    assert!(!file.vectors.is_empty());
    file.vectors
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct KeyVector {
    inventory: String,
    id: String,
    key: String,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_computer_has_the_key_that_the_vectors_say() {
    for vector in vectors::<KeyVector>(include_str!("../../vectors/export-keys.json")) {
        let key = sync_key(&vector.inventory, &vector.id);
        assert_eq!(key.to_string(), vector.key, "{}", vector.id);
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct LinkVector {
    name: String,
    computers: Vec<Machine>,
    #[serde(default)]
    others: Vec<Machine>,
    entries: Vec<Row>,
    #[serde(default)]
    match_fields: Option<Vec<ComputerField>>,
    #[serde(default)]
    choices: BTreeMap<String, Option<i64>>,
    links: BTreeMap<String, Value>,
    #[serde(default)]
    own_entries: Option<u32>,
    #[serde(default)]
    made_by_hand: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Machine {
    id: String,
    name: String,
    #[serde(default)]
    serial: Option<String>,
    #[serde(default)]
    scrapped: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Row {
    item_id: i64,
    #[serde(default)]
    key: Option<String>,
    #[serde(default)]
    serial: Option<String>,
    #[serde(default)]
    name: Option<String>,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn entries_belong_to_computers_as_the_vectors_say() {
    for vector in vectors::<LinkVector>(include_str!("../../vectors/export-links.json")) {
        let mut inventory = Inventory::new(INVENTORY);
        for machine in vector.computers.iter().chain(&vector.others) {
            inventory.insert(&machine.id, machine.serial.as_deref(), &machine.name);
        }
        let subjects: Vec<Subject> = vector.computers.iter().map(subject).collect();
        let entries: Vec<Entry> = vector.entries.iter().map(entry).collect();
        let fields = vector
            .match_fields
            .unwrap_or_else(|| vec![ComputerField::SerialNumber, ComputerField::Name]);
        let found = link(&inventory, &subjects, &entries, &fields, &vector.choices);
        let links: BTreeMap<String, Value> = subjects
            .iter()
            .map(|subject| subject.computer_id.clone())
            .zip(found.links.iter().map(told))
            .collect();
        assert_eq!(links, vector.links, "{}", vector.name);
        if let Some(own) = vector.own_entries {
            assert_eq!(found.own_entries, own, "{}", vector.name);
        }
        if let Some(made_by_hand) = vector.made_by_hand {
            assert_eq!(found.made_by_hand, made_by_hand, "{}", vector.name);
        }
    }
}

fn subject(machine: &Machine) -> Subject {
    Subject {
        computer_id: machine.id.clone(),
        serial: machine.serial.clone(),
        name: machine.name.clone(),
        scrapped: machine.scrapped,
    }
}

fn entry(row: &Row) -> Entry {
    Entry {
        item_id: row.item_id,
        key: row.key.as_deref().map(key),
        serial: row.serial.clone(),
        name: row.name.clone(),
    }
}

/// Replaces `@id` by the key of that computer, in capitals where it stands in braces.
fn key(text: &str) -> String {
    let Some((before, after)) = text.split_once('@') else {
        return text.to_owned();
    };
    let (id, after) = after.split_at(after.find('}').unwrap_or(after.len()));
    let key = sync_key(INVENTORY, id).to_string();
    if after.is_empty() {
        format!("{before}{key}")
    } else {
        format!("{before}{}{after}", key.to_uppercase())
    }
}

fn told(link: &Link) -> Value {
    match link {
        Link::Nothing => json!("Nothing"),
        Link::Own { item_id } => json!({ "Own": item_id }),
        Link::Adopt {
            item_id,
            matched_by,
            chosen,
        } => {
            let mut told = json!({ "Adopt": item_id });
            if let Some(field) = matched_by {
                told["By"] = json!(field);
            }
            if *chosen {
                told["Chosen"] = json!(true);
            }
            told
        }
        Link::Ambiguous { why, candidates } => {
            let candidates: Vec<Value> = candidates
                .iter()
                .map(|found| json!([found.item_id, found.matched_by]))
                .collect();
            json!({ "Ambiguous": format!("{why:?}"), "Candidates": candidates })
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct GuardVector {
    name: String,
    writes: BTreeMap<String, usize>,
    list: State,
    open: BTreeMap<String, usize>,
    confirmation: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields, default)]
#[derive(Default)]
struct State {
    own_entries: u32,
    made_by_hand: u32,
    deleted: u32,
    list_confirmed: bool,
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn writes_wait_for_a_confirmation_as_the_vectors_say() {
    for vector in vectors::<GuardVector>(include_str!("../../vectors/export-guard.json")) {
        let writes: Vec<(&str, PlannedWrite)> = vector
            .writes
            .iter()
            .flat_map(|(name, count)| vec![(name.as_str(), planned(name)); *count])
            .collect();
        let planned: Vec<PlannedWrite> = writes.iter().map(|(_, write)| *write).collect();
        let list = ListState {
            own_entries: vector.list.own_entries,
            made_by_hand: vector.list.made_by_hand,
            deleted: vector.list.deleted,
            list_confirmed: vector.list.list_confirmed,
        };
        let gate = guard(&planned, list);
        let mut open: BTreeMap<String, usize> = BTreeMap::new();
        for ((name, _), is_open) in writes.iter().zip(&gate.open) {
            if *is_open {
                *open.entry((*name).to_owned()).or_default() += 1;
            }
        }
        assert_eq!(open, vector.open, "{}", vector.name);
        assert_eq!(
            json!(gate.confirmation),
            vector.confirmation,
            "{}",
            vector.name
        );
    }
}

fn planned(name: &str) -> PlannedWrite {
    let (plain, confirmed) = name
        .strip_prefix("Confirmed")
        .map_or((name, false), |plain| (plain, true));
    let (plain, adopted) = plain
        .strip_suffix("Adopted")
        .map_or((plain, false), |plain| (plain, true));
    let action = match plain {
        "Create" => PlannedAction::Create,
        "Update" => PlannedAction::Update,
        "Adopt" => PlannedAction::Adopt,
        "Delete" => PlannedAction::Delete,
        other => panic!("{other} is no write"),
    };
    PlannedWrite {
        action,
        adopted,
        confirmed,
    }
}
