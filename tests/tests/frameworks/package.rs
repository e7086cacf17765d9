//! What is packed for npm: everything that its description promises is in it, the tools of others
//! have nothing to object to, and it may be imported where there is no document.
//! Part of the program `frameworks`; needs no browser.

use std::collections::BTreeSet;
use std::fs;

use checklist_tests::frameworks::{folder, node, package, tool};
use serde_json::Value;

fn json(name: &str) -> Value {
    let text = fs::read_to_string(package().join(name)).expect("a file of the package");
    serde_json::from_str(&text).expect("JSON")
}

fn text(name: &str) -> String {
    fs::read_to_string(package().join(name)).expect("a file of the package")
}

/// Every text in a value, however deep.
fn texts(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| texts(value, into)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, into)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[test]
fn publint_has_nothing_to_object_to() {
    let package = package();
    let said = tool(
        "publint/src/cli.js",
        &["--strict", package.to_str().expect("a path in Unicode")],
    );
    assert!(said.contains("All good!"), "{said}");
}

#[test]
fn types_are_found_by_bundlers_and_by_node() {
    let tarball = folder().join("element.tgz");
    let said = tool(
        "@arethetypeswrong/cli/dist/index.js",
        &[
            tarball.to_str().expect("a path in Unicode"),
            "--profile",
            "esm-only",
            "--no-emoji",
        ],
    );
    assert!(said.contains("@checklist-control/element"), "{said}");
    assert!(!said.contains("Resolution failed"), "{said}");
}

#[test]
fn the_description_promises_only_what_is_there() {
    let description = json("package.json");
    assert_eq!(description["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(description["license"], "MIT OR Apache-2.0");
    assert_eq!(description["private"], Value::Null);
    let mut promised = Vec::new();
    for part in ["exports", "main", "types", "customElements"] {
        texts(&description[part], &mut promised);
    }
    assert!(promised.len() > 10, "{promised:?}");
    for file in promised.iter().map(String::as_str).chain([
        "README.md",
        "LICENSE-MIT",
        "LICENSE-APACHE",
        "checklist-glue.js",
        "checklist.wasm",
        "checklist-deeds.wasm",
        "checklist-shared.wasm",
        "checklist-views.wasm",
        "checklist.css",
        "checklist-worklist-glue.js",
        "checklist-worklist.wasm",
        "checklist-worklist.css",
        "checklist-words.en.json",
        "checklist-words.ar.json",
    ]) {
        assert!(package().join(file).is_file(), "{file} is not packed");
    }
    for name in ["checklist-control.js", "checklist-worklist.js"] {
        let script = text(name);
        assert!(
            !script.contains("__CHECKLIST"),
            "{name}: a place was not filled in"
        );
    }
}

#[test]
fn the_typings_have_everything_that_the_manifest_names() {
    let typings = ["checklist-control.d.ts", "checklist-worklist.d.ts"]
        .map(text)
        .concat();
    let manifest = json("custom-elements.json");
    let modules = manifest["modules"].as_array().cloned().unwrap_or_default();
    let declarations = modules.iter().map(|module| module["declarations"].clone());
    let declarations: Vec<Value> = declarations
        .filter_map(|declared| declared.as_array().cloned())
        .flatten()
        .collect();
    let mut seen = BTreeSet::new();
    for declared in declarations {
        let class = declared["name"].as_str().expect("a class");
        let from = |head: &str, end: &str| {
            let rest = typings.split_once(head).expect(head).1;
            rest.split_once(end).expect(end).0.to_owned()
        };
        let body = from(
            &format!("export declare class {class} extends HTMLElement {{"),
            "\n}\n",
        );
        let events = from(&format!("export interface {class}EventMap {{"), "\n}\n");
        let attributes = from(&format!("export interface {class}Attributes {{"), "\n}\n");
        for (list, place, written) in [
            ("members", &body, ["  §: ", "  readonly §: ", "  §("]),
            ("events", &events, ["  \"§\": ", "  \"§\": ", "  \"§\": "]),
            (
                "attributes",
                &attributes,
                ["  \"§\"?: ", "  \"§\"?: ", "  \"§\"?: "],
            ),
        ] {
            for entry in declared[list].as_array().into_iter().flatten() {
                let name = entry["name"].as_str().expect("a name");
                // Every element has a language.
                let found = name == "lang"
                    || written
                        .iter()
                        .any(|form| place.contains(&form.replace('§', name)));
                assert!(found, "{class}: {name} of {list} is not in the typings");
                seen.insert(list);
            }
        }
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
}

#[test]
fn what_agents_read_is_packed_and_names_every_attribute_and_event() {
    let manifest = json("custom-elements.json");
    let [guide, skill] = ["llms.txt", "skills/checklist-control/SKILL.md"].map(text);
    assert!(skill.starts_with("---\nname: checklist-control\ndescription: "));
    let declared = &manifest["modules"][0]["declarations"][0];
    let names = |list: &str| -> Vec<String> {
        let entries = declared[list].as_array().expect("a list");
        let names = entries.iter().filter_map(|entry| entry["name"].as_str());
        names.map(str::to_owned).collect()
    };
    for name in names("attributes") {
        for text in [&guide, &skill] {
            let forms = [format!("| `{name}` |"), format!("| `{name}=\"")];
            assert!(forms.iter().any(|form| text.contains(form)), "{name}");
        }
    }
    for name in names("events").iter().chain(&names("cssParts")) {
        let forms = [format!("| `{name}` |"), format!("| `::part({name})` |")];
        assert!(forms.iter().any(|form| guide.contains(form)), "{name}");
    }
    for framework in [
        "React 19", "React 18", "Vue 3", "Svelte 5", "Angular", "Leptos",
    ] {
        for text in [&guide, &skill] {
            assert!(text.contains(&format!("\n{framework} (")), "{framework}");
        }
    }
}

#[test]
fn the_package_holds_nothing_of_the_documents_and_the_demo() {
    for file in ["EMBEDDING.md", "ELEMENT.md", "index.html", "descriptors.js"] {
        assert!(!package().join(file).exists(), "{file} is packed");
    }
}

#[test]
fn a_server_that_renders_pages_may_import_it() {
    for entry in ["", "/react", "/vue", "/svelte"] {
        let said = node(
            &folder(),
            &[
                "--input-type=module",
                "--eval",
                &format!(
                    "import {{ ChecklistControl }} from '@checklist-control/element{entry}'; console.log(typeof ChecklistControl);"
                ),
            ],
        );
        assert_eq!(said.trim(), "function", "{entry}");
    }
}
