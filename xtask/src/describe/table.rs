//! Generates the parts of scripts, documents and the demo that depend on the table of descriptors.
//!
//! A part is replaced between its markers; everything around it is hand-written.

use std::path::PathBuf;

use anyhow::{Context, Result};
use checklist_descriptors::{
    CONTROL, Descriptor, Kind, PREVIEW, SHARED_WITH_PREVIEW, SHARED_WITH_WORKLIST, WORKLIST,
};

use super::documents::{options, short_table, switches, whole_table};
use super::elements::Element;
use super::reference::reference;
use crate::files::read_text;
use crate::project::Project;

const LIST: &str = "frontend/element/script/descriptors.js";
const WORKLIST_LIST: &str = "frontend/worklist/script/descriptors.js";

/// Files, with what they hold.
pub type Files = Vec<(PathBuf, String)>;

/// The markers at which a part of a text begins and ends, each on its own line.
const MARKS: (&str, &str) = ("<!-- descriptors -->", "<!-- /descriptors -->");
const OPTION_MARKS: (&str, &str) = ("<!-- options -->", "<!-- /options -->");
const REFERENCE_MARKS: (&str, &str) = ("<!-- reference -->", "<!-- /reference -->");
const SNIPPET_MARKS: (&str, &str) = ("<!-- snippets -->", "<!-- /snippets -->");

/// A part, with the marks around it.
type Part = ((&'static str, &'static str), String);

/// The shortest use of the element in each framework; `docs/EMBEDDING.md` has whole components.
const SNIPPETS: &str = include_str!("snippets.md");

/// The files that hold such parts.
///
/// # Errors
/// When a file cannot be read, or a part has no place in it.
pub fn files(project: &Project, elements: &[&Element]) -> Result<Files> {
    let (control, preview) = (of_control(), of_preview()?);
    let attributes = || (MARKS, short_table(&control));
    let reference = || (REFERENCE_MARKS, reference(elements));
    let snippets = || (SNIPPET_MARKS, SNIPPETS.to_owned());
    let documents: [(&str, Vec<Part>); 7] = [
        ("docs/ELEMENT.md", vec![attributes(), reference()]),
        ("docs/EMBEDDING.md", vec![(MARKS, whole_table(&control))]),
        (
            "docs/FIRST-PAINT.md",
            vec![(OPTION_MARKS, options(&control))],
        ),
        (
            "frontend/demo/index.html",
            vec![(MARKS, switches(&control))],
        ),
        ("frontend/package/README.md", vec![attributes()]),
        (
            "frontend/package/llms.txt",
            vec![snippets(), attributes(), reference()],
        ),
        (
            "frontend/package/skills/checklist-control/SKILL.md",
            vec![snippets(), attributes()],
        ),
    ];
    let mut files = vec![
        (
            project.root.join(LIST),
            list(&[("CONTROL", &control), ("PREVIEW", &preview)]),
        ),
        (
            project.root.join(WORKLIST_LIST),
            list(&[("WORKLIST", &of_worklist()?)]),
        ),
    ];
    for (name, parts) in documents {
        let path = project.root.join(name);
        let mut text = read_text(&path)?;
        for (marks, part) in parts {
            text = replace(&text, marks, &part).context(name)?;
        }
        files.push((path, text));
    }
    Ok(files)
}

/// The descriptors of the control.
pub fn of_control() -> Vec<Descriptor> {
    CONTROL.iter().copied().flatten().copied().collect()
}

/// The descriptors of the preview: its own, and those that it shares with the control.
///
/// # Errors
/// When the control has none of a name that they are to share.
pub fn of_preview() -> Result<Vec<Descriptor>> {
    sharing(PREVIEW, SHARED_WITH_PREVIEW)
}

/// The descriptors of the worklist, likewise.
///
/// # Errors
/// As [`of_preview`].
pub fn of_worklist() -> Result<Vec<Descriptor>> {
    sharing(WORKLIST, SHARED_WITH_WORKLIST)
}

fn sharing(own: &[Descriptor], shared: &[&str]) -> Result<Vec<Descriptor>> {
    let control = of_control();
    let mut all = own.to_vec();
    for name in shared {
        let shared = control.iter().find(|descriptor| descriptor.name == *name);
        all.push(*shared.with_context(|| format!("there is no descriptor {name}"))?);
    }
    // Attributes first, as in the control.
    all.sort_by_key(|descriptor| matches!(descriptor.kind, Kind::Object(_) | Kind::Output(_)));
    Ok(all)
}

/// `descriptors.js`: what the classes observe and mirror.
fn list(elements: &[(&str, &[Descriptor])]) -> String {
    let object = |descriptors: &[Descriptor]| {
        let names = |is_wanted: fn(Kind) -> bool| {
            let names = descriptors
                .iter()
                .filter(|descriptor| is_wanted(descriptor.kind) && descriptor.name != "lang");
            let names: Vec<String> = names.map(|one| format!("{:?}", one.name)).collect();
            format!("[{}]", names.join(", "))
        };
        let choices: Vec<String> = descriptors
            .iter()
            .filter_map(|descriptor| match descriptor.kind {
                Kind::Choice(word) => Some(format!(" {}: {word:?}", descriptor.name)),
                _ => None,
            })
            .collect();
        let options: Vec<String> = descriptors
            .iter()
            .filter(|descriptor| !descriptor.option.is_empty())
            .filter(|descriptor| matches!(descriptor.kind, Kind::Flag | Kind::Choice(_)))
            .map(|descriptor| format!(" {:?}: {:?}", descriptor.name, descriptor.option))
            .collect();
        format!(
            "{{\n  texts: {},\n  flags: {},\n  choices: {{{} }},\n  options: {{{} }},\n}}",
            names(|kind| matches!(kind, Kind::Text | Kind::Json(_))),
            names(|kind| kind == Kind::Flag),
            choices.join(","),
            options.join(",")
        )
        .replace("{ }", "{}")
    };
    let mut text = String::from(
        "/**\n * The attributes of the elements. Generated from `shared/descriptors/src/lib.rs` by `cargo xtask describe`.\n */\n",
    );
    for (name, descriptors) in elements {
        text.push_str(&format!(
            "\nexport const {name} = {};\n",
            object(descriptors)
        ));
    }
    text
}

/// The text with another part between the marks.
fn replace(text: &str, (begin, end): (&str, &str), part: &str) -> Result<String> {
    let (before, rest) = text
        .split_once(begin)
        .with_context(|| format!("there is no {begin}"))?;
    let (old, after) = rest
        .split_once(end)
        .with_context(|| format!("there is no {end}"))?;
    // The end is indented like the beginning.
    let indent = old.rsplit('\n').next().unwrap_or_default();
    let part: String = part
        .lines()
        .map(|line| format!("{indent}{line}\n"))
        .collect();
    Ok(format!("{before}{begin}\n{part}{indent}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that a markup of some framework assigns: `@completed-changed="…"` is
    /// `completed-changed`, `ng-prop-object_id` is `object-id`.
    fn assigned(snippets: &str) -> Vec<String> {
        let is_end = |letter: char| letter.is_whitespace() || letter == '<';
        let before = snippets.match_indices('=').map(|(at, _)| &snippets[..at]);
        let words = before.filter_map(|text| text.rsplit(is_end).next());
        let names = words.map(|word| {
            let word = word.trim_matches([':', '@', '(', ')', '[', ']']);
            let prefixes = ["ng-prop-", "ng-on-", "on"];
            let prefix = prefixes.iter().find(|prefix| word.starts_with(**prefix));
            word[prefix.map_or(0, |prefix| prefix.len())..].replace('_', "-")
        });
        names.filter(|name| name.contains('-')).collect()
    }

    #[test]
    fn snippets_use_only_attributes_and_events_that_the_element_has() {
        let manifest = include_str!("../../../frontend/package/custom-elements.json");
        let assigned = assigned(SNIPPETS);
        assert!(assigned.len() > 20, "{assigned:?}");
        for name in assigned {
            // Leptos' `on_completed` is a prop.
            let is_prop = name == "-completed";
            let quoted = format!("\"name\": \"{name}\"");
            assert!(is_prop || manifest.contains(&quoted), "{name}");
        }
        assert_eq!(SNIPPETS.matches("```").count() % 2, 0);
    }

    #[test]
    fn a_part_is_replaced_between_its_marks_and_indented_like_them() {
        let text = "a\n  <!-- descriptors -->\n  old\n  <!-- /descriptors -->\nb\n";
        let replaced = replace(text, MARKS, "one\ntwo\n").unwrap();
        assert_eq!(
            replaced,
            "a\n  <!-- descriptors -->\n  one\n  two\n  <!-- /descriptors -->\nb\n"
        );
        assert_eq!(replace(&replaced, MARKS, "one\ntwo\n").unwrap(), replaced);
        assert!(replace("nothing", MARKS, "").is_err());
    }
}
