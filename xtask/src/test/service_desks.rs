//! The service desks that tests install extensions into: Request Tracker and Redmine, from Debian's
//! packages. Both are installed into one folder with a Debian of its own. The machine gets none of it,
//! and no service stays: maintainer scripts run in namespaces that end with the installation.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::debian;
use super::tool::Tool;
use crate::files;
use crate::project::{Environment, Project, output_of, run};
use crate::stages::step;

/// The release that the extensions are tested on.
const RELEASE: &str = "bookworm";

/// The desks, and what their administrators install for the extensions.
const PACKAGES: [&str; 8] = [
    "request-tracker5",
    "rt5-db-sqlite",
    "rt5-standalone",
    "libcryptx-perl",
    "redmine",
    "redmine-sqlite",
    "puma",
    // Keeps Redmine's bytecode from one start to the next.
    "ruby-bootsnap",
];

/// What no test reads. Not `doc`: Redmine's scripts look there for the databases that are installed.
const LEFT_OUT: [&str; 2] = ["locale", "man"];

/// What a program needs to see another root and to end with its caller.
const NAMESPACES: [&str; 4] = ["--mount", "--pid", "--fork", "--kill-child"];

/// As root, which alone may make files of other users; in a container with the right to mount.
pub const SERVICE_DESKS: Tool = Tool {
    title: "service desks",
    tests: &[],
    find,
};

fn find(project: &Project) -> Result<Environment> {
    debian::need_apt("mmdebstrap")?;
    if !debian::is_root()? {
        bail!("only root can install service desks in a root of their own");
    }
    output_of(
        Command::new("unshare")
            .args(NAMESPACES)
            .args(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]),
    )
    .context("this system does not let root have namespaces of its own")?;
    let folder = project.tools().join("service-desks");
    let wanted = format!("{RELEASE} {}\n", PACKAGES.join(" "));
    // Written last, so that half of an installation is none.
    let done = folder.join("packages");
    if fs::read_to_string(&done).ok().as_deref() != Some(&wanted) {
        step("install service desks from Debian's packages", || {
            install(&folder)?;
            files::write(&done, &wanted)
        })?;
    }
    Ok(vec![(
        "CHECKLIST_SERVICE_DESKS",
        folder.join("root").into(),
    )])
}

fn install(folder: &Path) -> Result<()> {
    files::empty(folder)?;
    debian::ensure_program("mmdebstrap", "mmdebstrap")?;
    let mut command = Command::new("unshare");
    command
        .args(NAMESPACES)
        .args(["mmdebstrap", "--quiet", "--variant=apt"])
        // What a loss of power leaves is not in use: see `packages`.
        .args(["--dpkgopt=force-unsafe-io"])
        .args(["--aptopt=APT::Install-Recommends \"false\""])
        .args(LEFT_OUT.map(|kind| format!("--dpkgopt=path-exclude=/usr/share/{kind}/*")))
        .arg(format!("--include={}", PACKAGES.join(",")))
        .arg(RELEASE)
        .arg(folder.join("root"));
    run(&mut command)
}
