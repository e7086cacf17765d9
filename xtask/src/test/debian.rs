//! Programs from Debian's packages, for systems that have apt. As root, or if sudo needs no
//! password, packages can be installed. Otherwise apt determines which ones are missing (with
//! its own package lists, so it needs no privileges), and they are unpacked into a folder.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail, ensure};

use crate::files;
use crate::project::{output_of, run};

/// # Errors
/// When this system has no apt.
pub fn need_apt(what: &str) -> Result<()> {
    if output_of(Command::new("apt-get").arg("--version")).is_err() {
        bail!("there is no apt-get; install {what} with your system's own tool");
    }
    Ok(())
}

/// What to put before a command so that it may install packages; `None` where that needs asking.
pub fn rights() -> Option<Vec<&'static str>> {
    if is_root().ok()? {
        return Some(Vec::new());
    }
    let silent = output_of(Command::new("sudo").args(["-n", "true"])).is_ok();
    silent.then(|| vec!["sudo", "-n"])
}

/// Whether this runs as root.
///
/// # Errors
/// When the system does not say who runs this.
pub fn is_root() -> Result<bool> {
    let user = output_of(Command::new("id").arg("-u"))?;
    Ok(user.stdout.trim_ascii() == b"0")
}

/// Where programs are unpacked that another user runs where this one is root: among the tools,
/// unless nobody else has a way to there, as below `/root`.
pub fn place_for_all(tools: &Path) -> PathBuf {
    if is_root().is_ok_and(|is_root| is_root) && !is_open_to_all(tools) {
        return PathBuf::from("/var/cache/checklist-tools");
    }
    tools.to_path_buf()
}

/// Whether every folder on the way to there, as far as it exists, lets everybody pass.
fn is_open_to_all(path: &Path) -> bool {
    path.ancestors()
        .filter_map(|folder| fs::metadata(folder).ok())
        .all(|folder| folder.permissions().mode() & 0o001 != 0)
}

/// Installs packages; `prefix` comes from [`rights`].
///
/// # Errors
/// When they cannot be had.
pub fn install(prefix: &[&str], packages: &[&str]) -> Result<()> {
    let apt = |arguments: &[&str]| {
        let words: Vec<&str> = prefix
            .iter()
            .copied()
            .chain(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"])
            .chain(arguments.iter().copied())
            .collect();
        run(Command::new(words[0]).args(&words[1..]))
    };
    // One unreachable source is no reason not to try the others.
    if let Err(error) = apt(&["update", "-q"]) {
        println!("{error:#}");
    }
    let mut arguments = vec!["install", "-q", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    apt(&arguments)
}

/// Installs the package of a program that does not start, if that needs no password.
///
/// # Errors
/// When it cannot be had, or does not start then either.
pub fn ensure_program(program: &str, package: &str) -> Result<()> {
    let starts = || output_of(Command::new(program).arg("--version")).is_ok();
    if starts() {
        return Ok(());
    }
    need_apt(package)?;
    let Some(rights) = rights() else {
        bail!("there is no {program}; install {package}");
    };
    install(&rights, &[package])?;
    ensure!(
        starts(),
        "{package} was installed, but {program} does not start"
    );
    Ok(())
}

/// Unpacks packages and their missing dependencies into `folder`; returns the folder
/// that corresponds to `/`.
///
/// # Errors
/// When they cannot be had.
pub fn unpack(folder: &Path, packages: &[&str]) -> Result<PathBuf> {
    // What an interrupted attempt left must not be taken for a whole program.
    files::remove(folder)?;
    let downloads = folder.join("downloads");
    let root = folder.join("root");
    for made in [
        &downloads,
        &root,
        &folder.join("lists/partial"),
        &folder.join("cache/archives/partial"),
    ] {
        files::make(made)?;
    }
    run(apt_of_our_own(folder).args(["update", "-q"]))?;
    let plan = output_of(
        apt_of_our_own(folder)
            .args(["install", "--simulate", "--no-install-recommends"])
            .args(packages),
    )?;
    let plan = String::from_utf8_lossy(&plan.stdout);
    let mut needed = packages_in(&plan);
    // What is asked for is unpacked even where the system has it, so that it lies in one place.
    needed.extend(packages);
    needed.sort_unstable();
    needed.dedup();
    ensure!(!needed.is_empty(), "apt names no package to fetch");
    println!(
        "{} packages to unpack into {}",
        needed.len(),
        root.display()
    );
    run(apt_of_our_own(folder)
        .current_dir(&downloads)
        .args(["download", "-q"])
        .args(&needed))?;
    for package in files::list(&downloads)? {
        run(Command::new("dpkg").arg("-x").args([&package, &root]))?;
    }
    for made in ["downloads", "lists", "cache"] {
        files::remove(&folder.join(made))?;
    }
    Ok(root)
}

/// apt with lists and caches in `folder`, reading the system's sources and installed packages.
fn apt_of_our_own(folder: &Path) -> Command {
    let mut command = Command::new("apt-get");
    for (name, place) in [
        ("Dir::State::lists", "lists"),
        ("Dir::Cache", "cache"),
        ("Dir::Cache::archives", "cache/archives"),
    ] {
        command
            .arg("-o")
            .arg(format!("{name}={}", folder.join(place).display()));
    }
    command.args(["-o", "Debug::NoLocking=1", "-o", "APT::Sandbox::User=root"]);
    command
}

/// The packages of a simulated installation: lines like `Inst chromium (156.0 Debian:12 [amd64])`.
fn packages_in(plan: &str) -> Vec<&str> {
    plan.lines()
        .filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next())
        .collect()
}

/// The folders of the unpacked libraries, as the loader wants them.
///
/// # Errors
/// When they cannot be read.
pub fn library_folders(root: &Path) -> Result<String> {
    let mut folders = Vec::new();
    for base in ["usr/lib", "lib"] {
        let base = root.join(base);
        if !base.is_dir() {
            continue;
        }
        folders.push(base.display().to_string());
        for path in files::list(&base)? {
            // Named after the machine, like `x86_64-linux-gnu`.
            if files::name(&path).contains("-linux-gnu") {
                folders.push(path.display().to_string());
            }
        }
    }
    Ok(folders.join(":"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_of_apt_names_the_packages() {
        let plan = "Reading package lists...\n\
                    Inst libjpeg62 (1:2.1 Debian:12 [amd64])\n\
                    Inst chromium (156.0 Debian-Security:12 [amd64]) []\n\
                    Conf chromium (156.0 Debian-Security:12 [amd64])\n";
        assert_eq!(packages_in(plan), ["libjpeg62", "chromium"]);
    }

    #[test]
    fn libraries_are_looked_for_in_the_folders_of_every_machine() {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join("usr/lib/aarch64-linux-gnu")).expect("a folder");
        fs::create_dir_all(root.path().join("usr/lib/python3")).expect("a folder");
        let folders = library_folders(root.path()).expect("readable folders");
        assert!(folders.ends_with("usr/lib/aarch64-linux-gnu"), "{folders}");
        assert!(!folders.contains("python3"), "{folders}");
    }

    #[test]
    fn a_folder_below_one_that_is_closed_is_not_open_to_all() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        let mode = |mode| {
            let mode = fs::Permissions::from_mode(mode);
            fs::set_permissions(folder.path(), mode).expect("permissions");
        };
        fs::set_permissions(&inner, fs::Permissions::from_mode(0o755)).expect("permissions");
        mode(0o755);
        assert!(is_open_to_all(&inner));
        mode(0o700);
        assert!(!is_open_to_all(&inner.join("not there yet")));
    }
}
