//! `cargo xtask describe`: generates the descriptions of the elements. From the table of descriptors
//! (`shared/src/descriptors.rs`), `table` writes the script's list of attributes and
//! its JSDoc, the tables in the documents and the demo's switches. `custom-elements.json` and the
//! typings, including those for frameworks, are generated from the JSDoc of the element's script
//! (`frontend/element/script`). `check` reports outdated files, and a browser test compares the
//! descriptions with the running elements.

mod documents;
mod frameworks;
mod jsdoc;
mod manifest;
mod table;
mod typings;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::build::element_script;
use crate::project::Project;

/// Files, with what they hold.
pub type Files = Vec<(PathBuf, String)>;

/// Generates everything from the table of descriptors and the element's JSDoc: the list of
/// attributes, custom-elements.json and typings, tables in the documents, the demo's switches.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask describe")]
pub struct Options {}

/// Runs the command.
///
/// # Errors
/// When the JSDoc cannot be read as a description, or a file cannot be written.
pub fn run(project: &Project, _options: &Options) -> Result<ExitCode> {
    // The rest is read from a script that the table has a part in.
    write(table::files(project)?)?;
    write(described(project)?)?;
    Ok(ExitCode::SUCCESS)
}

fn write(files: Files) -> Result<()> {
    for (path, text) in files {
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(())
}

/// The generated files, with what they have to hold.
///
/// # Errors
/// When the JSDoc cannot be read as a description, or a part of a file has no place there.
pub fn files(project: &Project) -> Result<Files> {
    let mut files = table::files(project)?;
    files.extend(described(project)?);
    Ok(files)
}

fn described(project: &Project) -> Result<Files> {
    let elements = elements(project)?;
    let folder = project.root.join("frontend/package");
    let mut files = vec![
        (
            folder.join("custom-elements.json"),
            manifest::render(&elements)?,
        ),
        (
            folder.join("checklist-control.d.ts"),
            typings::render(&elements),
        ),
    ];
    for (name, render) in frameworks::FRAMEWORKS {
        files.push((folder.join(format!("{name}.d.ts")), render(&elements)));
    }
    Ok(files)
}

/// The names of the classes that the script exports.
///
/// # Errors
/// When the JSDoc cannot be read as a description.
pub fn classes(project: &Project) -> Result<Vec<String>> {
    let elements = elements(project)?;
    Ok(elements.into_iter().map(|element| element.class).collect())
}

fn elements(project: &Project) -> Result<Vec<jsdoc::Element>> {
    jsdoc::elements(&element_script(project)?)
}
