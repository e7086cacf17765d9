//! Kerberos with the server's own ticket: a server that is built with the system's Kerberos (no
//! other feature selection needs it), and the tests for it. MIT's headers and libclang come from
//! Debian's packages, unpacked into `target/tools`; if they are unavailable, the stage prints the
//! reason and is skipped.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};

use super::debian;
use super::nextest::Tests;
use crate::check;
use crate::files;
use crate::project::{Project, output_of};
use crate::stages::step;

/// The module of tests that need it; left out of every other run.
pub const TESTS: &str = "with_own_ticket::";

/// The library with its headers, and what reads the headers.
const PACKAGES: [&str; 2] = ["krb5-multidev", "libclang1"];
const HEADER: &str = "usr/include/mit-krb5/gssapi/gssapi_krb5.h";
const FEATURE: &str = "--features=checklist-program/system-kerberos";
const SERVER: &str = "checklist-server";
/// Where it is below `target/tools`.
const FOLDER: &str = "system-kerberos";

/// The folder of the unpacked packages.
#[derive(Debug)]
pub struct SystemKerberos {
    folder: PathBuf,
    root: PathBuf,
}

/// Unpacks what is not there yet.
///
/// # Errors
/// There is no apt, or it gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<SystemKerberos> {
    find(project).or_else(|_| {
        step("fetch Kerberos' headers from Debian's packages", || {
            debian::need_apt("the headers of MIT Kerberos, and libclang")?;
            debian::unpack(&project.tools().join(FOLDER), &PACKAGES)
        })?;
        find(project)
    })
}

/// What was unpacked before.
fn find(project: &Project) -> Result<SystemKerberos> {
    let folder = project.tools().join(FOLDER);
    let root = folder.join("root");
    library(&root)?;
    Ok(SystemKerberos { folder, root })
}

/// The folder of the library that is linked.
fn library(root: &Path) -> Result<PathBuf> {
    if !root.join(HEADER).is_file() {
        return Err(anyhow!("the packages do not hold /{HEADER}"));
    }
    let folders = debian::library_folders(root)?;
    folders
        .split(':')
        .map(|folder| Path::new(folder).join("mit-krb5"))
        .find(|folder| folder.join("libgssapi_krb5.so").exists())
        .ok_or_else(|| anyhow!("the packages hold no libgssapi_krb5.so"))
}

/// Builds that server, and keeps it apart. The place of the usual one is taken then: whatever is built
/// next puts it back.
///
/// # Errors
/// It cannot be built, or not be kept.
pub fn build(project: &Project, kerberos: &SystemKerberos) -> Result<PathBuf> {
    let mut build = project.cargo(["build", "--bin", SERVER]);
    project.select_native(&mut build).arg(FEATURE);
    check::without_warnings(kerberos.tell(&mut build)?)?;
    let own = kerberos.folder.join(SERVER);
    // Removed first: a copy into a file that runs is refused.
    files::remove(&own)?;
    files::copy(&project.program(SERVER), &own)?;
    Ok(own)
}

/// The tests that need that server.
pub fn tests<'a>(project: &'a Project, server: &Path) -> Tests<'a> {
    let mut tests = Tests::that(project, format!("binary(=sites) and test({TESTS})"));
    tests.tell(vec![("CHECKLIST_SERVER_WITH_KERBEROS", server.into())]);
    tests
}

impl SystemKerberos {
    /// Tells a build where the library, its headers and the reader of headers are.
    fn tell<'a>(&self, command: &'a mut Command) -> Result<&'a mut Command> {
        let library = library(&self.root)?;
        let libraries = debian::library_folders(&self.root)?;
        let prefix = self.folder.join("prefix");
        files::make(&prefix)?;
        let headers = self.root.join("usr/include/mit-krb5");
        for (name, place) in [("include", &headers), ("lib", &library)] {
            let link = prefix.join(name);
            if fs::read_link(&link).is_ok_and(|known| known == *place) {
                continue;
            }
            symlink(place, &link).with_context(|| format!("making {}", link.display()))?;
        }
        // The compiler's own headers, which libclang does not bring.
        let own = output_of(Command::new("cc").arg("-print-file-name=include"))?;
        let own = String::from_utf8_lossy(&own.stdout).trim().to_owned();
        let clang = library.parent().unwrap_or(&library).to_path_buf();
        Ok(command
            .env("LIBGSSAPI_IMPL", "mit")
            .env("LIBGSSAPI_PREFIX", &prefix)
            .env("LIBCLANG_PATH", clang)
            .env("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{own}"))
            // What the library needs is looked for here, by the linker as well.
            .env("LD_LIBRARY_PATH", libraries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unpacking_that_was_interrupted_is_not_taken_for_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let header = folder.path().join(HEADER);
        fs::create_dir_all(header.parent().expect("a folder")).expect("folders");
        let error = library(folder.path()).expect_err("no header");
        assert!(error.to_string().contains("gssapi_krb5.h"), "{error}");
        fs::write(header, "").expect("a file");
        let error = library(folder.path()).expect_err("no library");
        assert!(error.to_string().contains("libgssapi_krb5.so"), "{error}");
    }
}
