//! Chromium and its driver from Debian's packages. As root, or where sudo asks for no password,
//! they are installed; otherwise apt works out which packages this system lacks (with lists of its
//! own, so it needs no rights), and they are unpacked into a folder together with two small
//! scripts that start the programs with the unpacked libraries.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::project::{output_of, run};

const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// Where the programs are found after unpacking into `folder`.
pub fn programs(folder: &Path) -> PathBuf {
    folder.join("programs")
}

/// Installs the packages, or unpacks them into `folder`.
///
/// # Errors
/// When this system has no apt, or the packages cannot be had.
pub fn fetch(folder: &Path) -> Result<()> {
    if output_of(Command::new("apt-get").arg("--version")).is_err() {
        bail!("there is no apt-get; install Chromium and its driver with your system's own tool");
    }
    if let Some(prefix) = rights() {
        match install(&prefix) {
            Ok(()) => return Ok(()),
            Err(error) => println!("not installed, so unpacking is tried: {error:#}"),
        }
    }
    unpack(folder)
}

/// What to put before a command so that it may install packages; `None` where that needs asking.
fn rights() -> Option<Vec<&'static str>> {
    let user = output_of(Command::new("id").arg("-u")).ok()?;
    if user.stdout.trim_ascii() == b"0" {
        return Some(Vec::new());
    }
    let silent = output_of(Command::new("sudo").args(["-n", "true"])).is_ok();
    silent.then(|| vec!["sudo", "-n"])
}

fn install(prefix: &[&str]) -> Result<()> {
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
    apt(&[
        "install",
        "-q",
        "-y",
        "--no-install-recommends",
        PACKAGES[0],
        PACKAGES[1],
    ])
}

fn unpack(folder: &Path) -> Result<()> {
    // What an interrupted attempt left must not be taken for a whole browser.
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    let downloads = folder.join("downloads");
    let root = folder.join("root");
    for made in [
        &downloads,
        &root,
        &folder.join("lists/partial"),
        &folder.join("cache/archives/partial"),
    ] {
        fs::create_dir_all(made).with_context(|| format!("making {}", made.display()))?;
    }
    run(apt_of_our_own(folder).args(["update", "-q"]))?;
    let plan = output_of(apt_of_our_own(folder).args([
        "install",
        "--simulate",
        "--no-install-recommends",
        PACKAGES[0],
        PACKAGES[1],
    ]))?;
    let plan = String::from_utf8_lossy(&plan.stdout);
    let needed = packages_in(&plan);
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
    for package in fs::read_dir(&downloads)? {
        run(Command::new("dpkg")
            .arg("-x")
            .arg(package?.path())
            .arg(&root))?;
    }
    for made in ["downloads", "lists", "cache"] {
        fs::remove_dir_all(folder.join(made))?;
    }
    write_starters(folder, &root)
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

/// Debian's own start script looks for the browser in `/usr/lib`; these know where it lies.
fn write_starters(folder: &Path, root: &Path) -> Result<()> {
    let starters = programs(folder);
    fs::create_dir_all(&starters).with_context(|| format!("making {}", starters.display()))?;
    let libraries = library_folders(root)?;
    for (name, program) in [
        ("chromium", "usr/lib/chromium/chromium"),
        ("chromedriver", "usr/bin/chromedriver"),
    ] {
        let program = root.join(program);
        ensure!(
            program.is_file(),
            "the packages do not hold {}",
            program.display()
        );
        let script = format!(
            "#!/bin/sh\n\
             export LD_LIBRARY_PATH='{libraries}'\n\
             [ -d /etc/fonts ] || export FONTCONFIG_PATH='{fonts}'\n\
             exec '{program}' \"$@\"\n",
            fonts = root.join("etc/fonts").display(),
            program = program.display(),
        );
        write_program(&starters.join(name), &script)?;
    }
    Ok(())
}

/// The folders of the unpacked libraries, as the loader wants them.
fn library_folders(root: &Path) -> Result<String> {
    let mut folders = Vec::new();
    for base in ["usr/lib", "lib"] {
        let base = root.join(base);
        if !base.is_dir() {
            continue;
        }
        folders.push(base.display().to_string());
        for entry in fs::read_dir(&base)? {
            let entry = entry?;
            // Named after the machine, like `x86_64-linux-gnu`.
            if entry.file_name().to_string_lossy().contains("-linux-gnu") {
                folders.push(entry.path().display().to_string());
            }
        }
    }
    Ok(folders.join(":"))
}

#[cfg(unix)]
fn write_program(path: &Path, script: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::write(path, script)
        .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
        .with_context(|| format!("writing {}", path.display()))
}

#[cfg(not(unix))]
fn write_program(path: &Path, _script: &str) -> Result<()> {
    bail!(
        "{}: Debian's programs do not run on this system",
        path.display()
    )
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
}
