//! The Debian package: the program, its unit, its configuration and its documents, and the scripts that
//! make the user and the folders. `backend/service/debian` has what is particular to Debian.
//! dpkg-deb packs it; owner, permissions and times are fixed here.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use jiff::Timestamp;
use memchr::memmem;

use super::archive::{self, File, Size};
use crate::build::gzipped;
use crate::files::{self, read};
use crate::project::{Project, run};
use crate::test::debian;

/// The number of the packaging behind the version of the program.
const PACKAGING: u32 = 1;
const DOCUMENTS: &str = "usr/share/doc/checklist-server";
/// Where what the archive has beside the program is installed, unless it is a document or a sample.
const INSTALLED: [(&str, &str); 2] = [
    (
        "checklist-server.service",
        "usr/lib/systemd/system/checklist-server.service",
    ),
    ("checklist.env", SETTINGS),
];
const SETTINGS: &str = "etc/checklist/checklist.env";
/// Documents that only Debian has.
const COPIED: [(&str, &str); 2] = [
    ("README.Debian", "backend/service/debian/README.Debian"),
    ("copyright", "backend/service/debian/copyright"),
];
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];

/// Makes the package around a program; answers where it is.
///
/// # Errors
/// When a file is missing, the program is for a machine that Debian has no name for, or there is no
/// dpkg-deb.
pub fn make(
    project: &Project,
    (target, program): (&str, &Path),
    folder: &Path,
    time: u64,
    size: Size,
) -> Result<PathBuf> {
    let machine = target.split('-').next().unwrap_or_default();
    let architecture = match machine {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("there is no Debian package for {other}"),
    };
    debian::need_apt("dpkg")?;
    let root = project.target.join("dist-deb");
    files::empty(&root)?;
    let version = format!("{}-{PACKAGING}", project.version);
    let program = read(program)?;
    let depends = depends(&program);
    let content = content(project, program, &version, time)?;
    let kibibytes: usize = content.iter().map(|file| file.bytes.len() / 1024 + 1).sum();
    archive::lay(&root, &content)?;
    let source = project.root.join("backend/service/debian");
    let control = files::read_text(&source.join("control"))?;
    let control = control
        .replace("{VERSION}", &version)
        .replace("{ARCHITECTURE}", architecture)
        .replace("{KIBIBYTES}", &kibibytes.to_string())
        .replace("{DEPENDS}", &depends);
    let mut about = vec![
        File::new("control", control),
        File::new("conffiles", read(&source.join("conffiles"))?),
    ];
    for script in SCRIPTS {
        about.push(File::program(script, read(&source.join(script))?));
    }
    archive::lay(&root.join("DEBIAN"), &about)?;
    set_folder_modes(&root)?;
    files::set_mode(&root.join("etc/checklist"), 0o750)?;
    let package = folder.join(format!("checklist-server_{version}_{architecture}.deb"));
    let compression: &[&str] = match size {
        Size::Small => &["-Zxz", "-z9", "--threads-max=1"],
        Size::Quick => &["-Zgzip", "-z1"],
    };
    run(Command::new("dpkg-deb")
        .args(["--root-owner-group", "--build"])
        .args(compression)
        .args([&root, &package])
        .env("SOURCE_DATE_EPOCH", time.to_string()))?;
    files::remove(&root)?;
    Ok(package)
}

/// What the package installs.
fn content(project: &Project, program: Vec<u8>, version: &str, time: u64) -> Result<Vec<File>> {
    let document = |name: &str| format!("{DOCUMENTS}/{name}");
    let source = |path: &str| read(&project.root.join(path));
    let text = |path: &str| files::read_text(&project.root.join(path));
    let mut files = vec![File::program("usr/bin/checklist-server", program)];
    for file in super::beside(project)? {
        let installed = INSTALLED.iter().find(|(name, _)| *name == file.name);
        let name = installed.map_or_else(|| document(&file.name), |(_, place)| (*place).to_owned());
        // Passwords of a database may be written into the settings.
        let mode = if name == SETTINGS { 0o600 } else { file.mode };
        files.push(File { name, mode, ..file });
    }
    for (name, path) in COPIED {
        files.push(File::new(document(name), source(path)?));
    }
    let changes = gzipped(&source("CHANGELOG.md")?)?;
    files.push(File::new(document("changelog.gz"), changes));
    let date = Timestamp::from_second(i64::try_from(time)?)?;
    let date = jiff::fmt::rfc2822::to_string(&date.to_zoned(jiff::tz::TimeZone::UTC))?;
    let changelog = text("backend/service/debian/changelog")?;
    let changelog = changelog
        .replace("{VERSION}", version)
        .replace("{DATE}", &date);
    let name = document("changelog.Debian.gz");
    files.push(File::new(name, gzipped(changelog.as_bytes())?));
    let manual = text("backend/service/checklist-server.8")?;
    let manual = manual.replace("{VERSION}", &project.version);
    let name = "usr/share/man/man8/checklist-server.8.gz";
    files.push(File::new(name, gzipped(manual.as_bytes())?));
    Ok(files)
}

/// What the program needs: the libraries that it names, the C library in the newest version of which
/// it uses a symbol. A static one names none.
fn depends(program: &[u8]) -> String {
    let mut needed = vec!["adduser".to_owned()];
    if let Some(version) = newest_libc(program) {
        needed.push(format!("libc6 (>= {}.{})", version.0, version.1));
    }
    if memmem::find(program, b"libgcc_s.so.1").is_some() {
        needed.push("libgcc-s1".to_owned());
    }
    needed.join(", ")
}

/// The greatest of the symbol versions like `GLIBC_2.34`, which the loader asks for by these texts.
fn newest_libc(program: &[u8]) -> Option<(u32, u32)> {
    const PREFIX: &str = "GLIBC_";
    let version = |at: usize| {
        let text = program.get(at + PREFIX.len()..)?.iter().take(12);
        let text: String = text
            .map_while(|&byte| (byte.is_ascii_digit() || byte == b'.').then_some(char::from(byte)))
            .collect();
        let mut numbers = text.split('.').map(str::parse);
        Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
    };
    memmem::find_iter(program, PREFIX).filter_map(version).max()
}

/// Everybody may look into a package's folders, whatever the mask of the user who packs it.
fn set_folder_modes(folder: &Path) -> Result<()> {
    files::set_mode(folder, 0o755)?;
    for path in files::list(folder)? {
        if path.is_dir() {
            set_folder_modes(&path)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_depends_on_the_newest_c_library_that_its_program_names() {
        let program = b"\0libgcc_s.so.1\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0GLIBC_PRIVATE\0";
        assert_eq!(depends(program), "adduser, libc6 (>= 2.34), libgcc-s1");
        assert_eq!(depends(b"\0static\0"), "adduser");
    }
}
