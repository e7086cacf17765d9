//! Which facts a condition holds for, and what is no condition: the vectors of
//! `shared/vectors/conditions.json` that are no stories.

use checklist_shared::Facts;
use checklist_shared::condition::Condition;
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct File {
    evaluations: Vec<Evaluation>,
    refused: Vec<Value>,
    pointers: Vec<Faulty>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Evaluation {
    when: Condition,
    facts: Facts,
    holds: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Faulty {
    when: Condition,
    pointers: Vec<String>,
}

fn file() -> File {
    serde_json::from_str(include_str!("../../vectors/conditions.json")).expect("vectors")
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn a_condition_holds_for_the_facts_that_the_vectors_say() {
    for Evaluation { when, facts, holds } in file().evaluations {
        assert_eq!(when.holds(&facts), holds, "{when:?} with {facts:?}");
        assert_eq!(when.faults(), [], "{when:?}");
        let not = Condition::Not(Box::new(when));
        assert_eq!(not.holds(&facts), !holds, "{not:?} with {facts:?}");
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_is_no_condition_is_not_read_as_one() {
    for refused in file().refused {
        let read = serde_json::from_value::<Condition>(refused.clone());
        assert!(read.is_err(), "{refused} is read as {read:?}");
    }
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_is_wrong_in_a_condition_is_told_by_its_pointer() {
    for Faulty { when, pointers } in file().pointers {
        let faults = when.faults();
        let found: Vec<&str> = faults.iter().map(|fault| fault.pointer.as_str()).collect();
        assert_eq!(found, pointers, "{when:?}");
    }
}
