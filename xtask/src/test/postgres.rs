//! A PostgreSQL for the tests: the system's programs, or Debian's packages unpacked into
//! `target/tools` (into `/var/cache` if root's PostgreSQL could not read them there). Each run starts
//! its own server on an empty data directory and stops it however the run ends. If it is unavailable,
//! the stage prints the reason and is skipped.

pub mod server;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::project::{Environment, Project, output_of};
use crate::stages::step;
use crate::test::debian;

/// Where distributions put the programs, a folder a version.
const FOLDERS: [&str; 3] = ["/usr/lib/postgresql", "/usr/pgsql", "/opt/homebrew/opt"];

/// The oldest version that the server supports.
const OLDEST: u32 = 14;

/// What the tests run: a folder of links on the search path may have some of them only.
const PROGRAMS: [&str; 4] = ["initdb", "postgres", "pg_dump", "pg_restore"];

/// The programs, and what they have to be started with.
#[derive(Clone, Debug, PartialEq)]
pub struct Programs {
    /// The folder with `initdb`, `postgres`, `pg_dump` and `pg_restore`.
    pub folder: PathBuf,
    /// The libraries of these programs, as a path for the loader.
    pub libraries: Option<String>,
}

impl Programs {
    /// Tells the tests where they are, and the server of that URL.
    pub fn environment(&self, url: &str) -> Environment {
        let mut environment: Environment = vec![
            ("CHECKLIST_POSTGRES", url.into()),
            ("CHECKLIST_POSTGRES_PROGRAMS", self.folder.clone().into()),
        ];
        let libraries = self.libraries.iter();
        environment.extend(libraries.map(|path| ("CHECKLIST_POSTGRES_LIBRARIES", path.into())));
        environment
    }
}

/// Looks where distributions put it, on PATH and among the fetched tools, then fetches.
///
/// # Errors
/// It is not there, and cannot be fetched.
pub fn find_or_fetch(project: &Project) -> Result<Programs> {
    if let Some(folder) = newest(candidates(&FOLDERS.map(PathBuf::from), &path()), None) {
        return Ok(Programs {
            folder,
            libraries: None,
        });
    }
    let unpacked = debian::place_for_all(&project.tools()).join("postgresql");
    if let Some(programs) = among_unpacked(&unpacked.join("root")) {
        return Ok(programs);
    }
    let missing = "there is no PostgreSQL in /usr/lib/postgresql or on PATH";
    let root = step("fetch PostgreSQL from Debian's packages", || {
        debian::need_apt("PostgreSQL")?;
        // Not installed even where that is allowed: that would start a server of the system's.
        debian::unpack(&unpacked, &["postgresql"])
    })
    .with_context(|| format!("{missing}; fetching it failed"))?;
    among_unpacked(&root)
        .with_context(|| format!("{missing}, and the packages hold none that starts"))
}

fn among_unpacked(root: &Path) -> Option<Programs> {
    let libraries = debian::library_folders(root).ok()?;
    let folders = candidates(&[root.join("usr/lib/postgresql")], &[]);
    let folder = newest(folders, Some(&libraries))?;
    Some(Programs {
        folder,
        libraries: Some(libraries),
    })
}

fn path() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

/// Folders that may hold the programs: `VERSION/bin` in the first ones, the second ones as they are.
fn candidates(by_version: &[PathBuf], plain: &[PathBuf]) -> Vec<PathBuf> {
    let versions = by_version
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(Result::ok)
        .map(|version| version.path().join("bin"));
    versions
        .chain(plain.iter().cloned())
        .filter(|folder| {
            PROGRAMS
                .iter()
                .all(|program| folder.join(program).is_file())
        })
        .collect()
}

fn newest(folders: Vec<PathBuf>, libraries: Option<&str>) -> Option<PathBuf> {
    let found = folders.into_iter().filter_map(|folder| {
        let version = version(&folder, libraries)?;
        (version >= OLDEST).then_some((version, folder))
    });
    found
        .max_by_key(|(version, _)| *version)
        .map(|(_, folder)| folder)
}

fn version(folder: &Path, libraries: Option<&str>) -> Option<u32> {
    let mut command = Command::new(folder.join("postgres"));
    if let Some(libraries) = libraries {
        command.env("LD_LIBRARY_PATH", libraries);
    }
    let output = output_of(command.arg("--version")).ok()?;
    major_version(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)`.
fn major_version(said: &str) -> Option<u32> {
    let (_, version) = said.split_once("(PostgreSQL) ")?;
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_what_the_program_says() {
        assert_eq!(
            major_version("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"),
            Some(15)
        );
        assert_eq!(major_version("postgres (PostgreSQL) 18beta1"), Some(18));
        assert_eq!(major_version("something else"), None);
    }

    #[test]
    fn a_folder_counts_only_with_all_programs_in_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let bin = folder.path().join("15/bin");
        fs::create_dir_all(&bin).expect("a folder");
        let here = [folder.path().to_path_buf()];
        for program in PROGRAMS {
            assert!(candidates(&here, &[]).is_empty());
            fs::write(bin.join(program), "").expect("a file");
        }
        assert_eq!(candidates(&here, &[]), [bin]);
    }
}
