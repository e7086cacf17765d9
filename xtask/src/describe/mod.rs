//! `cargo xtask describe`: generates the descriptions of the elements. From the table of descriptors
//! (`shared/descriptors/src/lib.rs`), `table` writes the script's list of attributes, the tables in the
//! documents and the demo's switches, and `elements` the attributes and properties in
//! `custom-elements.json`. From that file come the typings, including those for frameworks, and the
//! `reference` of events, methods, slots and styles in the documents.
//! `check` reports outdated files, and a browser test compares the descriptions with the running
//! elements.

mod documents;
mod elements;
mod frameworks;
mod reference;
mod table;
mod typings;

use std::process::ExitCode;

use anyhow::{Context, Result};

use table::Files;

use crate::project::Project;
use elements::{Element, Manifest};

/// The folder of the npm package.
const PACKAGE: &str = "frontend/package";
const MANIFEST: &str = "frontend/package/custom-elements.json";

/// Generates everything from the table of descriptors and custom-elements.json: the list of
/// attributes, typings, tables in the documents, the demo's switches.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask describe")]
pub struct Options {}

/// Runs the command.
///
/// # Errors
/// When the manifest cannot be read, or a file cannot be written.
pub fn run(project: &Project, _options: &Options) -> Result<ExitCode> {
    write(files(project)?)?;
    Ok(ExitCode::SUCCESS)
}

fn write(generated: Files) -> Result<()> {
    for (path, text) in generated {
        crate::files::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The generated files, with what they have to hold.
///
/// # Errors
/// When the manifest cannot be read, or a part of a file has no place there.
pub fn files(project: &Project) -> Result<Files> {
    let manifest = manifest(project)?;
    let mut files = table::files(project, &manifest.elements())?;
    files.extend(described(project, &manifest)?);
    Ok(files)
}

/// Those of them that are in the npm package, by their paths in it.
///
/// # Errors
/// As [`files`].
pub fn packaged(project: &Project) -> Result<Files> {
    let folder = project.root.join(PACKAGE);
    let files = files(project)?.into_iter();
    let inside = files.filter_map(|(path, text)| {
        let path = path.strip_prefix(&folder).ok()?.to_owned();
        Some((path, text))
    });
    Ok(inside.collect())
}

fn described(project: &Project, manifest: &Manifest) -> Result<Files> {
    let elements = manifest.elements();
    let folder = project.root.join(PACKAGE);
    let mut files = vec![
        (
            project.root.join(MANIFEST),
            serde_json::to_string_pretty(manifest)? + "\n",
        ),
        (
            folder.join("checklist-control.d.ts"),
            typings::render(&of_script(manifest, "checklist-control.js")),
        ),
        (
            folder.join("checklist-worklist.d.ts"),
            typings::render(&of_script(manifest, "checklist-worklist.js")),
        ),
    ];
    for (name, render) in frameworks::FRAMEWORKS {
        files.push((folder.join(format!("{name}.d.ts")), render(&elements)));
    }
    Ok(files)
}

/// The names of the classes that a script exports.
///
/// # Errors
/// When the manifest cannot be read.
pub fn classes(project: &Project, script: &str) -> Result<Vec<String>> {
    let manifest = manifest(project)?;
    let elements = of_script(&manifest, script);
    Ok(elements
        .iter()
        .map(|element| element.class.clone())
        .collect())
}

/// The elements that a script defines.
fn of_script<'a>(manifest: &'a Manifest, script: &str) -> Vec<&'a Element> {
    let elements = manifest.elements().into_iter();
    elements
        .filter(|element| element.script == script)
        .collect()
}

/// The manifest as it has to be: as it is, with what the table says of attributes and properties.
fn manifest(project: &Project) -> Result<Manifest> {
    let text = crate::files::read_text(&project.root.join(MANIFEST))?;
    let mut manifest = Manifest::read(&text).context(MANIFEST)?;
    manifest.describe("checklist-control", &table::of_control());
    manifest.describe("checklist-preview", &table::of_preview()?);
    manifest.describe("checklist-worklist", &table::of_worklist()?);
    Ok(manifest)
}
