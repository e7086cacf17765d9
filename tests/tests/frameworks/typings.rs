//! What TypeScript makes of the typings in the package, strictly, with each framework's own
//! checker: what is right is taken, and every line of the sources that is marked as wrong is
//! refused (a mark that is not needed is an error of its own).

use checklist_tests::frameworks::{folder, tool};

const TSC: &str = "typescript/bin/tsc";

#[track_caller]
fn takes(checker: &str, project: &str, marks: usize) {
    assert_eq!(marked(project), marks, "what {project} marks as wrong");
    let said = tool(checker, &["-p", project]);
    assert_eq!(said.trim(), "");
}

/// How many lines of a project's sources are to be refused.
#[track_caller]
fn marked(project: &str) -> usize {
    let files = std::fs::read_dir(folder().join(project)).expect("the project's folder");
    files
        .filter_map(|file| std::fs::read_to_string(file.ok()?.path()).ok())
        .map(|text| {
            text.lines()
                .filter(|line| {
                    let line = line.trim_start();
                    line.starts_with("// @ts-expect-error")
                        || line.starts_with("<!-- @vue-expect-error")
                })
                .count()
        })
        .sum()
}

#[test]
fn typescript_knows_elements_and_events_without_a_framework() {
    takes(TSC, "typings", 8);
}

#[test]
fn react_19_takes_properties_and_handlers() {
    takes(TSC, "react19", 6);
}

#[test]
fn react_18_takes_attributes_and_refuses_handlers() {
    takes(TSC, "react18", 4);
}

#[test]
fn vue_knows_the_elements_in_templates() {
    takes("vue-tsc/bin/vue-tsc.js", "vue3", 6);
}

#[test]
fn svelte_knows_the_elements_in_templates() {
    assert_eq!(marked("svelte5"), 5);
    let said = tool(
        "svelte-check/bin/svelte-check",
        &[
            "--workspace",
            "svelte5",
            "--tsconfig",
            "./tsconfig.json",
            "--fail-on-warnings",
        ],
    );
    assert!(said.contains("0 errors and 0 warnings"), "{said}");
}

#[test]
fn angular_takes_the_details_of_events() {
    takes(TSC, "angular", 0);
}
