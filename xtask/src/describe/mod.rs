//! What editors and frameworks read about the elements: `custom-elements.json` and the typings,
//! those of frameworks among them. All are generated from the JSDoc of the element's script
//! (`frontend/element/script`), so that there is one description. `cargo xtask describe` writes them, `check` says when they are out of date,
//! and a browser test compares them with the running elements.

mod frameworks;
mod jsdoc;
mod manifest;
mod typings;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::build::element_script;
use crate::project::Project;

/// Writes custom-elements.json and the typings of the npm package from the element's JSDoc.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask describe")]
pub struct Options {}

/// Runs the command.
///
/// # Errors
/// When the JSDoc cannot be read as a description, or a file cannot be written.
pub fn run(project: &Project, _options: &Options) -> Result<ExitCode> {
    for (path, text) in files(project)? {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

/// The generated files, with what they have to hold.
///
/// # Errors
/// When the JSDoc cannot be read as a description.
pub fn files(project: &Project) -> Result<Vec<(PathBuf, String)>> {
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
