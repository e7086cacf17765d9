//! When items are due: the vectors of `shared/vectors/due-dates.json`.

use std::collections::BTreeMap;

use checklist_shared::due_dates::DueDates;
use checklist_shared::limits::Limits;
use checklist_shared::{Checklist, Context, Due, Facts, Template, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "About")]
    _about: String,
    calendars: BTreeMap<String, Value>,
    vectors: Vec<Vector>,
    /// By what they are counted in.
    refused: BTreeMap<String, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Vector {
    name: String,
    #[serde(default)]
    calendar: Option<String>,
    #[serde(default)]
    counted_in: Option<String>,
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    facts: Facts,
    #[serde(default)]
    run: Option<u32>,
    begins: Timestamp,
    #[serde(default)]
    offset: Option<String>,
    due: Option<Due>,
}

fn file() -> File {
    serde_json::from_str(include_str!("../../vectors/due-dates.json")).expect("vectors")
}

/// A template with one item that is due so.
fn template(
    calendar: Option<&Value>,
    from: Option<&str>,
    offset: Option<&str>,
    counted_in: &str,
) -> Template {
    serde_json::from_value(json!({
        "Id": "t", "Key": "t", "Name": {"en": "T"}, "Calendar": calendar, "DueFrom": from,
        "Items": [{"Key": "a", "Text": {"en": "Ask"}, "DueOffset": offset, "DueCountedIn": counted_in}]
    }))
    .expect("a template")
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn items_are_due_as_the_vectors_say() {
    let file = file();
    for vector in file.vectors {
        let name = vector.name;
        let calendar = vector.calendar.map(|calendar| &file.calendars[&calendar]);
        let template = template(
            calendar,
            vector.from.as_deref(),
            vector.offset.as_deref(),
            vector.counted_in.as_deref().unwrap_or("Time"),
        );
        assert_eq!(template.validate(&Limits::default()), [], "{name}");
        let mut list = Checklist::empty(Context::new("Incident", "1", "p"), vector.begins);
        list.facts = vector.facts;
        list.run.number = vector.run.unwrap_or(1);
        let due = DueDates::of(&template, &list, vector.begins).due(&template.items[0]);
        assert_eq!(due, vector.due, "{name}");
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_cannot_be_counted_is_refused() {
    let file = file();
    for (counted_in, offsets) in &file.refused {
        for offset in offsets {
            let office = Some(&file.calendars["Office"]);
            let template = template(office, None, Some(offset), counted_in);
            let faults = template.validate(&Limits::default());
            let pointers: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
            assert_eq!(pointers, ["/Items/0/DueOffset"], "{counted_in} {offset:?}");
        }
    }
}
