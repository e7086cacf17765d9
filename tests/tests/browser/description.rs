//! What editors and frameworks read about the elements is what the elements are.
//!
//! The manifest comes from the table of descriptors and from people; here it is held against the running classes.

use std::collections::BTreeSet;

use checklist_tests::browser::Stage;
use checklist_tests::template::item;
use serde_json::Value;

const MANIFEST: &str = include_str!("../../../frontend/package/custom-elements.json");

fn declarations() -> Vec<Value> {
    let manifest: Value = serde_json::from_str(MANIFEST).expect("the manifest is JSON");
    let modules = manifest["modules"].as_array().cloned();
    let modules = modules.expect("the manifest has modules").into_iter();
    let declarations = modules.filter_map(|module| module["declarations"].as_array().cloned());
    declarations.flatten().collect()
}

/// The values of one field of every entry.
fn names(entries: &Value, field: &str) -> BTreeSet<String> {
    let entries = entries.as_array().map(Vec::as_slice).unwrap_or_default();
    entries
        .iter()
        .filter_map(|entry| entry[field].as_str().map(str::to_owned))
        .collect()
}

fn texts(values: &Value) -> BTreeSet<String> {
    let values = values.as_array().expect("an array of texts");
    values
        .iter()
        .filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

#[test]
fn the_manifest_names_exactly_what_the_running_elements_have() {
    let stage = Stage::with([item("a", "Ask")]);
    let bound = stage.bound_to("1");
    let base = stage.server.base_url();
    stage.open(&format!(
        "<script type='module' src='{base}/control/checklist-worklist.js'></script>\
         <checklist-control id='list' {bound}></checklist-control>"
    ));
    stage.browser.control("#list").shows(&["Ask"]);
    stage
        .browser
        .until("!!customElements.get('checklist-worklist')");
    let declarations = declarations();
    assert_eq!(declarations.len(), 3);
    for declared in &declarations {
        let tag = declared["tagName"].as_str().expect("a tag");
        let class = format!("customElements.get('{tag}')");
        let running = |expression: &str| texts(&stage.browser.value(&format!("[...{expression}]")));

        assert_eq!(
            stage.browser.value(&format!("{class}.name")),
            declared["name"],
            "{tag}: the class"
        );
        assert_eq!(
            running(&format!("{class}.observedAttributes")),
            names(&declared["attributes"], "name"),
            "{tag}: the attributes"
        );
        // With what it has of the classes that it extends, up to the platform's.
        let own = format!(
            "(function of(kind) {{ return kind === HTMLElement ? [] : \
               [...Object.entries(Object.getOwnPropertyDescriptors(kind.prototype)), ...of(Object.getPrototypeOf(kind))]; }})({class})"
        );
        let public = "([name]) => name !== 'constructor' && !name.endsWith('Callback')";
        assert_eq!(
            running(&format!("{own}.filter({public}).map(([name]) => name)")),
            names(&declared["members"], "name"),
            "{tag}: properties and methods"
        );
        let readonly = declared["members"].as_array().into_iter().flatten();
        let readonly: BTreeSet<String> = readonly
            .filter(|member| member["readonly"] == true)
            .filter_map(|member| member["name"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(
            running(&format!(
                "{own}.filter(([name, member]) => member.get && !member.set).map(([name]) => name)"
            )),
            readonly,
            "{tag}: what can only be read"
        );
    }
}

#[test]
fn every_part_and_slot_on_the_screen_is_described() {
    let stage = Stage::with([item("a", "Ask"), item("b", "Build")]);
    let control = stage.control("");
    control.shows(&["Ask", "Build"]);
    let declared = declarations();
    let control_class = &declared[0];
    let inside = "document.querySelector('checklist-control').shadowRoot";
    let parts = stage.browser.value(&format!(
        "[...{inside}.querySelectorAll('[part]')].flatMap((element) => [...element.part])"
    ));
    let unknown: Vec<String> = texts(&parts)
        .difference(&names(&control_class["cssParts"], "name"))
        .cloned()
        .collect();
    assert!(
        unknown.is_empty(),
        "parts that are not described: {unknown:?}"
    );
    let slots = stage.browser.value(&format!(
        "[...{inside}.querySelectorAll('slot')].map((slot) => slot.name)"
    ));
    let unknown: Vec<String> = texts(&slots)
        .difference(&names(&control_class["slots"], "name"))
        .cloned()
        .collect();
    assert!(
        unknown.is_empty(),
        "slots that are not described: {unknown:?}"
    );
}
