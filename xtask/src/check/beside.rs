//! Has clippy and rustdoc look at a package while it is compiled for browsers: this program is called in
//! place of the compiler (`RUSTC_WORKSPACE_WRAPPER`), and calls all three. Both read then what the compiler
//! reads; a check of its own would compile the metadata of a hundred dependencies for them.
//!
//! Invariant: what the compiler is called with is what cargo asked for, whether somebody looks or not. A
//! package that was found fault with has no mark, so that the stage of its lints says what it is.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context as _, Result};

use crate::files;
use crate::project::Project;

/// The name that cargo knows this program by, which is part of what it calls the libraries: with a folder
/// before it, another machine would make other files of the same source.
const NAME: &str = "xtask";
/// Where it is then, below `target/tools`: cargo replaces its own while the tools are linted.
const FOLDER: &str = "compiler";
/// The folder of the marks, where somebody looks.
const MARKS: &str = "CHECKLIST_MARKS_OF_LINTS";

/// Has this program called in place of the compiler.
///
/// # Errors
/// When it cannot be copied to where nobody replaces it.
pub fn compile_through(project: &Project, command: &mut Command) -> Result<()> {
    let folder = project.tools().join(FOLDER);
    let copy = folder.join(NAME);
    let program = std::env::current_exe().context("looking for this program")?;
    // Removed first: a copy into a file that runs is refused.
    files::remove(&copy)?;
    files::copy(&program, &copy)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder].into_iter().chain(std::env::split_paths(&path));
    command
        .env("RUSTC_WORKSPACE_WRAPPER", NAME)
        .env("PATH", std::env::join_paths(folders)?);
    if let Some(marks) = &project.marks_of_lints {
        command.env(MARKS, marks);
    }
    Ok(())
}

/// The project of a run that looks.
///
/// # Errors
/// When the marks of an earlier one cannot be removed.
pub fn looking(project: &Project) -> Result<Project> {
    let marks = project.tools().join("marks-of-lints");
    files::remove(&marks)?;
    Ok(Project {
        marks_of_lints: Some(marks),
        ..project.clone()
    })
}

/// Whether this run has compiled each of these packages, and nobody found fault with any of them.
pub fn found_nothing<'a>(
    marks: Option<&Path>,
    mut packages: impl Iterator<Item = &'a str>,
) -> bool {
    let Some(marks) = marks else {
        return false;
    };
    let is_there = |name: &str, end: &str| marks.join(format!("{name}.{end}")).exists();
    packages.all(|package| {
        let name = package.replace('-', "_");
        is_there(&name, "sound") && !is_there(&name, "faulty")
    })
}

/// Where cargo has called this program in place of the compiler: calls it, and whoever looks.
pub fn compile() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = PathBuf::from(arguments.next()?);
    if compiler.file_stem() != Some(OsStr::new("rustc")) {
        return None;
    }
    let arguments: Vec<OsString> = arguments.collect();
    let look = std::env::var_os(MARKS).and_then(|marks| Look::at(&compiler, &arguments, &marks));
    let compiled = Command::new(&compiler).args(&arguments).status();
    if let Some(look) = look {
        look.mark();
    }
    let code = compiled.ok().and_then(|status| status.code());
    Some(u8::try_from(code.unwrap_or(1)).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Clippy and rustdoc at work.
struct Look {
    /// The mark, without its end.
    mark: PathBuf,
    lookers: Vec<io::Result<Child>>,
    /// For what they write.
    _folder: tempfile::TempDir,
}

impl Look {
    /// Begins to look at a package; nobody looks at what only runs while compiling.
    fn at(compiler: &Path, arguments: &[OsString], marks: &OsStr) -> Option<Self> {
        let value = |name: &str| {
            let place = arguments.iter().position(|argument| argument == name)?;
            arguments.get(place + 1)
        };
        value("--target")?;
        let name = value("--crate-name").filter(|name| *name != "___")?;
        let folder = tempfile::tempdir().ok()?;
        let clippy = Command::new("clippy-driver")
            .arg(compiler)
            .args(without(arguments, &["--emit", "--json", "--out-dir"]))
            .args(["--emit=metadata", "-Dwarnings", "--out-dir"])
            .arg(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let rustdoc = Command::new(compiler.with_file_name("rustdoc"))
            .args(without(arguments, &["--emit", "--json", "--out-dir", "-C"]))
            .args(["-Dwarnings", "--out-dir"])
            .arg(folder.path().join("doc"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        Some(Self {
            mark: Path::new(marks).join(name),
            lookers: vec![clippy, rustdoc],
            _folder: folder,
        })
    }

    /// Waits for both, and marks the package.
    fn mark(self) {
        let found_nothing = self.lookers.into_iter().fold(true, |so_far, looker| {
            let ended = looker.and_then(|mut looker| looker.wait());
            ended.is_ok_and(|status| status.success()) && so_far
        });
        let end = if found_nothing { "sound" } else { "faulty" };
        if let Err(error) = files::write(&self.mark.with_extension(end), "") {
            // Without a mark the stage of its lints looks again.
            eprintln!("warning: {error:#}");
        }
    }
}

/// Arguments without some of them, whether their value is behind `=`, joined or the next one.
fn without(arguments: &[OsString], names: &[&str]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if names.contains(&&*text) {
            arguments.next();
            continue;
        }
        let is_joined = |name: &&str| {
            text.strip_prefix(*name)
                .is_some_and(|rest| rest.starts_with('=') || !name.starts_with("--"))
        };
        if !names.iter().any(is_joined) {
            kept.push(argument.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::output_of;

    fn texts(texts: &[&str]) -> Vec<OsString> {
        texts.iter().map(OsString::from).collect()
    }

    #[test]
    fn an_argument_goes_with_its_value_and_leaves_its_neighbours() {
        let arguments = texts(&[
            "--crate-name",
            "control",
            "--emit=dep-info,link",
            "-C",
            "opt-level=z",
            "-Cpanic=abort",
            "--out-dir",
            "deps",
            "--cfg",
            "csr",
            "--edition=2024",
        ]);
        assert_eq!(
            without(&arguments, &["--emit", "--out-dir", "-C"]),
            texts(&["--crate-name", "control", "--cfg", "csr", "--edition=2024"])
        );
    }

    #[test]
    fn a_package_counts_only_where_it_was_looked_at_and_never_found_faulty() {
        let folder = tempfile::tempdir().expect("a folder");
        let packages = || ["checklist-shared", "checklist-pages"].into_iter();
        assert!(!found_nothing(None, packages()), "nobody looks");
        let marks = Some(folder.path());
        let mark = |name: &str| std::fs::write(folder.path().join(name), "").expect("a file");
        mark("checklist_shared.sound");
        assert!(!found_nothing(marks, packages()), "one is not compiled");
        mark("checklist_pages.sound");
        assert!(found_nothing(marks, packages()));
        mark("checklist_shared.faulty");
        assert!(!found_nothing(marks, packages()), "with other features");
    }

    /// The end of the mark that a package of one file gets.
    fn mark_of(source: &str) -> &'static str {
        let mut asked = Command::new("rustc");
        let host = output_of(asked.args(["--print", "host-tuple"])).expect("a compiler");
        let host = String::from_utf8(host.stdout).expect("a name");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("looked_at.rs");
        std::fs::write(&file, source).expect("a file");
        let file = file.to_string_lossy();
        let arguments = texts(&[
            "--crate-name",
            "looked_at",
            "--edition=2024",
            &file,
            "--crate-type",
            "lib",
            "--emit=dep-info,metadata,link",
            "-Copt-level=1",
            "--target",
            host.trim(),
        ]);
        let look = Look::at(Path::new("rustc"), &arguments, folder.path().as_os_str());
        look.expect("somebody looks").mark();
        let is_there = |end: &&str| folder.path().join(format!("looked_at.{end}")).exists();
        ["sound", "faulty"]
            .into_iter()
            .find(is_there)
            .expect("a mark")
    }

    #[test]
    fn what_clippy_or_rustdoc_finds_fault_with_is_not_marked_as_sound() {
        let of_good =
            mark_of("//! Good.\n\n/// As [`two`].\npub fn one() {}\n/// Two.\npub fn two() {}\n");
        assert_eq!(of_good, "sound");
        let linted = "//! Bad.\n\n/// Empty.\npub fn is(list: &[u8]) -> bool { list.len() == 0 }\n";
        assert_eq!(mark_of(linted), "faulty");
        let leads_nowhere = "//! Bad.\n\n/// As [`nobody`].\npub fn one() {}\n";
        assert_eq!(mark_of(leads_nowhere), "faulty");
    }
}
