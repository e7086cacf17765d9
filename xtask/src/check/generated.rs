//! Whether the committed generated files are up to date.
//! The server prints `docs/openapi.json`; the attributes in the elements' manifest come from the
//! table of descriptors, and the typings from the manifest.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail};

use crate::describe;
use crate::files;
use crate::project::{Project, output_of};
use crate::stages::Outcome;

/// Compares every generated file with what would be generated now.
///
/// # Errors
/// The first file that differs, with the command that brings it up to date.
pub fn check(project: &Project) -> Result<Outcome> {
    for (path, generated) in describe::files(project)? {
        let name = path
            .strip_prefix(&project.root)
            .unwrap_or(&path)
            .display()
            .to_string();
        let committed = fs::read_to_string(&path).unwrap_or_default();
        compare(&name, &committed, &generated, "cargo xtask describe")?;
    }
    openapi(project)?;
    Ok(Outcome::Passed)
}

/// Compares `docs/openapi.json` with what the server, already built, prints now.
///
/// # Errors
/// When they differ (with the command that brings the file up to date), or the server does not run.
fn openapi(project: &Project) -> Result<()> {
    let committed = project.root.join("docs/openapi.json");
    if !committed.exists() {
        println!("docs/openapi.json: there is none");
        return Ok(());
    }
    let mut server = Command::new(project.program("checklist-server"));
    let printed = output_of(server.current_dir(&project.root).arg("openapi"))?;
    let expected = files::read_text(&committed)?;
    let generated = String::from_utf8_lossy(&printed.stdout);
    let mend = "cargo run --bin checklist-server -- openapi > docs/openapi.json";
    compare("docs/openapi.json", &expected, &generated, mend)
}

fn compare(name: &str, committed: &str, generated: &str, mend: &str) -> Result<()> {
    if let Some(line) = first_difference(committed, generated) {
        bail!("{name}:{line}: not what is generated now; `{mend}` brings it up to date");
    }
    println!("{name} is up to date");
    Ok(())
}

/// The first line (from 1) in which two texts differ; a line break at the end does not count.
fn first_difference(left: &str, right: &str) -> Option<usize> {
    let (left, right) = (left.trim_end(), right.trim_end());
    if left == right {
        return None;
    }
    let same = left
        .lines()
        .zip(right.lines())
        .take_while(|(left, right)| left == right);
    Some(same.count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb"), None);
        assert_eq!(first_difference("a\nb\nc", "a\nx\nc"), Some(2));
        assert_eq!(first_difference("a\nb", "a\nb\nc"), Some(3));
    }
}
