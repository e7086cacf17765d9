//! Runs clippy and rustdoc on a package while it is compiled for browsers: cargo calls this program instead
//! of the compiler (`RUSTC_WORKSPACE_WRAPPER`), and it starts all three with the same dependencies. A
//! separate check would compile the metadata of a hundred dependencies again.
//!
//! Invariant: what the compiler is called with is what cargo asked for, with and without lints. If a
//! lint fails, the separate check runs after all, and prints it.

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
/// Where the copy is that cargo calls, below `target/tools`: cargo replaces its own while the tools are linted.
const FOLDER: &str = "compiler";
/// The folder of the lint results; without it nothing is linted.
const LINT_RESULTS: &str = "CHECKLIST_LINT_RESULTS";

/// Has this program called in place of the compiler.
///
/// # Errors
/// When it cannot be copied to where nobody replaces it.
pub fn wrap(project: &Project, command: &mut Command) -> Result<()> {
    let folder = project.tools().join(FOLDER);
    let copy = folder.join(NAME);
    let program = std::env::current_exe().context("finding the path of this program")?;
    // Removed first: a copy into a file that runs is refused.
    files::remove(&copy)?;
    files::copy(&program, &copy)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [folder].into_iter().chain(std::env::split_paths(&path));
    command
        .env("RUSTC_WORKSPACE_WRAPPER", NAME)
        .env("PATH", std::env::join_paths(folders)?);
    if let Some(results) = &project.lint_results {
        command.env(LINT_RESULTS, results);
    }
    Ok(())
}

/// The project of a run that lints while it compiles.
///
/// # Errors
/// When the results of an earlier one cannot be removed.
pub fn with_lints(project: &Project) -> Result<Project> {
    let results = project.tools().join("lint-results");
    files::remove(&results)?;
    Ok(Project {
        lint_results: Some(results),
        ..project.clone()
    })
}

/// Whether this run has compiled each of these packages, and clippy and rustdoc passed for all of them.
pub fn all_passed<'a>(results: Option<&Path>, mut packages: impl Iterator<Item = &'a str>) -> bool {
    let Some(results) = results else {
        return false;
    };
    let is_there = |name: &str, end: &str| results.join(format!("{name}.{end}")).exists();
    packages.all(|package| {
        let name = package.replace('-', "_");
        is_there(&name, "passed") && !is_there(&name, "failed")
    })
}

/// Runs the compiler and the lints if cargo has called this program instead of the compiler.
pub fn run() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = PathBuf::from(arguments.next()?);
    if compiler.file_stem() != Some(OsStr::new("rustc")) {
        return None;
    }
    let arguments: Vec<OsString> = arguments.collect();
    let lints = std::env::var_os(LINT_RESULTS)
        .and_then(|results| Lints::start(&compiler, &arguments, &results));
    let compiled = Command::new(&compiler).args(&arguments).status();
    if let Some(lints) = lints {
        lints.finish();
    }
    let code = compiled.ok().and_then(|status| status.code());
    Some(u8::try_from(code.unwrap_or(1)).map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Clippy and rustdoc at work.
struct Lints {
    /// The file of the result, without its extension.
    result: PathBuf,
    linters: Vec<io::Result<Child>>,
    /// For what they write.
    _folder: tempfile::TempDir,
}

impl Lints {
    /// Starts the lints of a package; build scripts and macros are linted natively.
    fn start(compiler: &Path, arguments: &[OsString], results: &OsStr) -> Option<Self> {
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
            result: Path::new(results).join(name),
            linters: vec![clippy, rustdoc],
            _folder: folder,
        })
    }

    /// Waits for both, and writes the result.
    fn finish(self) {
        let passed = self.linters.into_iter().fold(true, |so_far, linter| {
            let ended = linter.and_then(|mut linter| linter.wait());
            ended.is_ok_and(|status| status.success()) && so_far
        });
        let end = if passed { "passed" } else { "failed" };
        if let Err(error) = files::write(&self.result.with_extension(end), "") {
            // Without a result the separate check runs.
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
    fn every_package_has_to_pass_with_all_its_features() {
        let folder = tempfile::tempdir().expect("a folder");
        let packages = || ["checklist-shared", "checklist-pages"].into_iter();
        assert!(!all_passed(None, packages()), "nothing is linted");
        let results = Some(folder.path());
        let write = |name: &str| std::fs::write(folder.path().join(name), "").expect("a file");
        write("checklist_shared.passed");
        assert!(!all_passed(results, packages()), "one is not compiled");
        write("checklist_pages.passed");
        assert!(all_passed(results, packages()));
        write("checklist_shared.failed");
        assert!(!all_passed(results, packages()), "with other features");
    }

    /// The result for a package of one file.
    fn result_of(source: &str) -> &'static str {
        let mut asked = Command::new("rustc");
        let host = output_of(asked.args(["--print", "host-tuple"])).expect("a compiler");
        let host = String::from_utf8(host.stdout).expect("a name");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("example.rs");
        std::fs::write(&file, source).expect("a file");
        let file = file.to_string_lossy();
        let arguments = texts(&[
            "--crate-name",
            "example",
            "--edition=2024",
            &file,
            "--crate-type",
            "lib",
            "--emit=dep-info,metadata,link",
            "-Copt-level=1",
            "--target",
            host.trim(),
        ]);
        let lints = Lints::start(Path::new("rustc"), &arguments, folder.path().as_os_str());
        lints.expect("the package is linted").finish();
        let is_there = |end: &&str| folder.path().join(format!("example.{end}")).exists();
        ["passed", "failed"]
            .into_iter()
            .find(is_there)
            .expect("a result")
    }

    #[test]
    fn a_lint_of_clippy_or_a_broken_link_fails() {
        let of_good =
            result_of("//! Good.\n\n/// As [`two`].\npub fn one() {}\n/// Two.\npub fn two() {}\n");
        assert_eq!(of_good, "passed");
        let linted = "//! Bad.\n\n/// Empty.\npub fn is(list: &[u8]) -> bool { list.len() == 0 }\n";
        assert_eq!(result_of(linted), "failed");
        let leads_nowhere = "//! Bad.\n\n/// As [`nobody`].\npub fn one() {}\n";
        assert_eq!(result_of(leads_nowhere), "failed");
    }
}
