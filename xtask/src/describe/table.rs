//! Generates the parts of scripts, documents and the demo that depend on the table of descriptors.
//!
//! A part is replaced between its markers; everything around it is hand-written. In the classes of
//! the elements the markers are lines of the code: from the first `@attr` to the last `@prop`, and
//! the comment before a getter.

use std::fs;

use anyhow::{Context, Result, ensure};
use checklist_shared::descriptors::{CONTROL, Descriptor, Kind, PREVIEW, SHARED_WITH_PREVIEW};

use super::Files;
use super::documents::{options, short_table, switches, whole_table};
use crate::project::Project;

const SCRIPT: &str = "frontend/element/script";

/// The markers at which a part of a text begins and ends, each on its own line.
const MARKS: (&str, &str) = ("<!-- descriptors -->", "<!-- /descriptors -->");
const OPTION_MARKS: (&str, &str) = ("<!-- options -->", "<!-- /options -->");

/// The files that hold such parts.
///
/// # Errors
/// When a file cannot be read, or a part has no place in it.
pub fn files(project: &Project) -> Result<Files> {
    let control: Vec<Descriptor> = CONTROL.iter().copied().flatten().copied().collect();
    let preview = of_preview(&control)?;
    let script = |name: &str| format!("{SCRIPT}/{name}");
    let mut files = vec![(
        project.root.join(script("descriptors.js")),
        list(&control, &preview),
    )];
    type Change<'a> = Box<dyn Fn(&str) -> Result<String> + 'a>;
    let between =
        |part: String| -> Change<'_> { Box::new(move |text| replace(text, MARKS, &part)) };
    let changes: Vec<(String, Change<'_>)> = vec![
        (script("control.js"), Box::new(|text| jsdoc(text, &control))),
        (script("preview.js"), Box::new(|text| jsdoc(text, &preview))),
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

/// The descriptors of the preview: its own, and those that it shares with the control.
fn of_preview(control: &[Descriptor]) -> Result<Vec<Descriptor>> {
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

/// The script of a class with the JSDoc lines of its descriptors replaced.
fn jsdoc(script: &str, descriptors: &[Descriptor]) -> Result<String> {
    let lines: Vec<&str> = script.lines().collect();
    let tells = |line: &&str| line.starts_with(" * @attr ") || line.starts_with(" * @prop ");
    let first = lines.iter().position(tells).context("there is no @attr")?;
    let last = lines.iter().rposition(tells).unwrap_or(first);
    let mut text: Vec<String> = lines[..first].iter().map(ToString::to_string).collect();
    let described = |descriptor: &Descriptor| {
        let default = match (descriptor.kind, descriptor.default) {
            (Kind::Text, default) if !default.is_empty() => format!(" Default: {default}."),
            _ => String::new(),
        };
        format!(
            "{} - {}{default}",
            descriptor.name,
            descriptor.documentation()
        )
    };
    let (mut attributes, mut objects) = (Vec::new(), Vec::new());
    for descriptor in descriptors {
        let described = described(descriptor);
        match descriptor.kind {
            Kind::Text => attributes.push(format!(" * @attr {{string}} {described}")),
            Kind::Flag => attributes.push(format!(" * @attr {{boolean}} {described}")),
            Kind::Choice(word) => attributes.push(format!(" * @attr {{{word:?}}} {described}")),
            Kind::Object(kind) => objects.push(format!(" * @prop {{{kind}}} {described}")),
            Kind::Output(_) => {}
        }
    }
    text.append(&mut attributes);
    text.push(" *".to_owned());
    text.append(&mut objects);
    text.extend(lines[last + 1..].iter().map(ToString::to_string));
    for descriptor in descriptors {
        let Kind::Output(kind) = descriptor.kind else {
            continue;
        };
        let getter = format!("  get {}() {{", descriptor.name);
        let at = text.iter().position(|line| *line == getter);
        let at = at.with_context(|| format!("there is no getter of {}", descriptor.name))?;
        ensure!(
            text[at - 1].starts_with("  /** "),
            "the getter of {} has no comment",
            descriptor.name
        );
        text[at - 1] = format!(
            "  /** {} @readonly @type {{{kind}}} */",
            descriptor.documentation()
        );
    }
    Ok(text.join("\n") + "\n")
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
    use std::fmt::Write as _;

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

    #[test]
    fn the_jsdoc_of_a_class_and_of_its_getters_comes_from_the_table() {
        let control: Vec<Descriptor> = CONTROL[2].to_vec();
        let mut script =
            String::from("/**\n * @attr {string} old - Old.\n *\n * @prop {x} older - O.\n */\n");
        for output in &control {
            let _ = writeln!(script, "  /** Old. */\n  get {}() {{", output.name);
        }
        let written = jsdoc(&script, &control).unwrap();
        assert!(!written.contains("old - Old"), "{written}");
        assert!(!written.contains("/** Old"), "{written}");
        assert!(
            written.contains("@readonly @type {number} */\n  get pendingCount() {"),
            "{written}"
        );
    }
}
