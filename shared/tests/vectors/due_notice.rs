//! When items are announced as due or overdue: the vectors of `shared/vectors/due-notice.json`.

use std::collections::BTreeMap;

use checklist_shared::due_notice::{DueEvent, outlook};
use checklist_shared::time::exact_millis;
use checklist_shared::{Due, Timestamp};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct File {
    #[serde(rename = "About")]
    _about: String,
    vectors: Vec<Vector>,
    /// With their lengths in milliseconds.
    notices: BTreeMap<String, i64>,
    no_notices: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Vector {
    name: String,
    due: Due,
    #[serde(default)]
    notice: Option<String>,
    #[serde(default)]
    announced: Option<DueEvent>,
    now: Timestamp,
    announce: Option<DueEvent>,
    next: Option<Timestamp>,
}

fn file() -> File {
    serde_json::from_str(include_str!("../../vectors/due-notice.json")).expect("vectors")
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn items_are_announced_as_the_vectors_say() {
    for vector in file().vectors {
        let notice = vector
            .notice
            .as_deref()
            .map(|text| exact_millis(text).expect(text));
        let found = outlook(vector.due, notice, vector.announced, vector.now);
        let expected = (vector.announce, vector.next);
        assert_eq!((found.announce, found.next), expected, "{}", vector.name);
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_notice_has_a_length_of_its_own() {
    let file = file();
    for (text, millis) in file.notices {
        assert_eq!(exact_millis(&text), Ok(millis), "{text}");
    }
    for text in file.no_notices {
        assert!(exact_millis(&text).is_err(), "{text}");
    }
}
