//! Generates the parts of scripts, documents and the demo that depend on the table of descriptors.
//!
//! A part is replaced between its markers; everything around it is hand-written.

use std::fs;

use std::path::PathBuf;

use anyhow::{Context, Result};
use checklist_shared::descriptors::{CONTROL, Descriptor, Kind, PREVIEW, SHARED_WITH_PREVIEW};

use super::documents::{options, short_table, switches, whole_table};
use crate::project::Project;

const LIST: &str = "frontend/element/script/descriptors.js";

/// Files, with what they hold.
pub type Files = Vec<(PathBuf, String)>;

/// The markers at which a part of a text begins and ends, each on its own line.
const MARKS: (&str, &str) = ("<!-- descriptors -->", "<!-- /descriptors -->");
const OPTION_MARKS: (&str, &str) = ("<!-- options -->", "<!-- /options -->");

/// The files that hold such parts.
///
/// # Errors
/// When a file cannot be read, or a part has no place in it.
pub fn files(project: &Project) -> Result<Files> {
    let (control, preview) = (of_control(), of_preview()?);
    let mut files = vec![(project.root.join(LIST), list(&control, &preview))];
    type Change<'a> = Box<dyn Fn(&str) -> Result<String> + 'a>;
    let between =
        |part: String| -> Change<'_> { Box::new(move |text| replace(text, MARKS, &part)) };
    let changes: Vec<(String, Change<'_>)> = vec![
        ("README.md".to_owned(), between(short_table(&control))),
        (
            "frontend/package/README.md".to_owned(),
            between(short_table(&control)),
        ),
        (
            "docs/EMBEDDING.md".to_owned(),
            between(whole_table(&control)),
        ),
        (
            "docs/FIRST-PAINT.md".to_owned(),
            Box::new(|text| replace(text, OPTION_MARKS, &options(&control))),
        ),
        (
            "frontend/demo/index.html".to_owned(),
            between(switches(&control)),
        ),
    ];
    for (name, change) in changes {
        let path = project.root.join(&name);
        let text = fs::read_to_string(&path).with_context(|| format!("reading {name}"))?;
        files.push((path, change(&text).context(name)?));
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
    let control = of_control();
    let mut preview = PREVIEW.to_vec();
    for name in SHARED_WITH_PREVIEW {
        let shared = control.iter().find(|descriptor| descriptor.name == *name);
        preview.push(*shared.with_context(|| format!("there is no descriptor {name}"))?);
    }
    // Attributes first, as in the control.
    preview.sort_by_key(|descriptor| matches!(descriptor.kind, Kind::Object(_) | Kind::Output(_)));
    Ok(preview)
}

/// `descriptors.js`: what the classes observe and mirror.
fn list(control: &[Descriptor], preview: &[Descriptor]) -> String {
    let object = |descriptors: &[Descriptor]| {
        let names = |wanted: Kind| {
            let names = descriptors
                .iter()
                .filter(|descriptor| descriptor.kind == wanted && descriptor.name != "lang");
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
            .filter(|descriptor| matches!(descriptor.kind, Kind::Flag | Kind::Choice(_)))
            .map(|descriptor| format!(" {:?}: {:?}", descriptor.name, descriptor.option))
            .collect();
        format!(
            "{{\n  texts: {},\n  flags: {},\n  choices: {{{} }},\n  options: {{{} }},\n}}",
            names(Kind::Text),
            names(Kind::Flag),
            choices.join(","),
            options.join(",")
        )
        .replace("{ }", "{}")
    };
    format!(
        "/**\n * The attributes of the elements. Generated from `shared/src/descriptors.rs` by `cargo xtask describe`.\n */\n\n\
         export const CONTROL = {};\n\nexport const PREVIEW = {};\n",
        object(control),
        object(preview)
    )
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
