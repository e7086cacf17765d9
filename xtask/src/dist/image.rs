//! The container image: `backend/service/Dockerfile` around a static program, built by buildah without
//! a daemon and without the network, and packed as an OCI archive, which podman and docker load.
//! A program that is not static, as tests have, gets the libraries that it names.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::archive::{self, File};
use crate::files::{self, read};
use crate::project::{Project, output_of, run};
use crate::test::debian;

/// The name under which it is loaded.
const NAME: &str = "checklist-server";
/// Where TLS libraries look for certificate authorities.
const AUTHORITIES: &str = "etc/ssl/certs/ca-certificates.crt";
const USERS: &str = "root:x:0:0::/:/\nchecklist:x:10001:10001::/var/lib/checklist:/\n";
const GROUPS: &str = "root:x:0:\nchecklist:x:10001:\n";

/// Builds the image; answers where it is.
///
/// # Errors
/// When there is no buildah, or it refuses.
pub fn make(
    project: &Project,
    (target, program): (&str, &Path),
    folder: &Path,
    time: u64,
) -> Result<PathBuf> {
    let architecture = match target.split('-').next().unwrap_or_default() {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => bail!("there is no name for images for {other}"),
    };
    debian::ensure_program("buildah", "buildah")?;
    let work = project.target.join("dist-image");
    files::empty(&work)?;
    let context = work.join("context");
    lay_context(&context, program)?;
    let name = format!("{NAME}:{}", project.version);
    let time_text = time.to_string();
    run(buildah(&work)
        .args(["build", "--quiet", "--isolation=chroot"])
        .args(["--identity-label=false", "--timestamp", &time_text])
        .args(["--arch", architecture, "--tag", &name, "--file"])
        .arg(project.root.join("backend/service/Dockerfile"))
        .arg(&context))?;
    let layout = work.join("layout");
    let destination = format!("oci:{}:{name}", layout.display());
    run(buildah(&work).args(["push", "--quiet", &name, &destination]))?;
    // buildah's own archives have the times of their files in them.
    let content = archive::content(&layout)?;
    let image = format!("{NAME}-{}-linux-{architecture}.oci.tar", project.version);
    let image = folder.join(image);
    files::write(&image, archive::tar("", &content, time, Vec::new())?)?;
    files::remove(&work)?;
    Ok(image)
}

/// buildah with a store of its own, which needs nothing of the system's.
fn buildah(work: &Path) -> Command {
    let mut command = Command::new("buildah");
    command.args(["--storage-driver=vfs", "--root"]);
    command.arg(work.join("store"));
    command.arg("--runroot").arg(work.join("run"));
    command
}

/// The folders that the Dockerfile copies from.
fn lay_context(context: &Path, program: &Path) -> Result<()> {
    let mut files = libraries(program)?;
    files.extend([
        File::program("usr/bin/checklist-server", read(program)?),
        File::new(AUTHORITIES, authorities()),
        File::new("etc/passwd", USERS),
        File::new("etc/group", GROUPS),
    ]);
    let root = context.join("root");
    archive::lay(&root, &files)?;
    let (temporary, data) = (root.join("tmp"), context.join("data/checklist"));
    for (folder, mode) in [(&temporary, 0o1777), (&data, 0o700)] {
        files::make(folder)?;
        files::set_mode(folder, mode)?;
    }
    Ok(())
}

/// Mozilla's authorities, of the version in `Cargo.lock`: the same on every machine that builds.
fn authorities() -> String {
    let mut text = String::new();
    for certificate in webpki_root_certs::TLS_SERVER_ROOT_CERTS {
        text.push_str("-----BEGIN CERTIFICATE-----\n");
        let encoded = BASE64_STANDARD.encode(certificate);
        for line in encoded.as_bytes().chunks(64) {
            text.push_str(&String::from_utf8_lossy(line));
            text.push('\n');
        }
        text.push_str("-----END CERTIFICATE-----\n");
    }
    text
}

/// The libraries of a program that is not static, where it looks for them.
fn libraries(program: &Path) -> Result<Vec<File>> {
    let Ok(listed) = output_of(Command::new("ldd").arg(program)) else {
        // ldd fails for a static program.
        return Ok(Vec::new());
    };
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let paths = listed
        .split_whitespace()
        .filter(|word| word.starts_with('/'));
    paths
        .map(|path| {
            Ok(File::program(
                path.trim_start_matches('/'),
                read(Path::new(path))?,
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_are_written_as_tls_libraries_read_them() {
        let text = authorities();
        let begun = text.matches("-----BEGIN CERTIFICATE-----\n").count();
        assert!(begun > 100, "{begun}");
        assert!(text.lines().all(|line| line.len() <= 64));
        assert!(text.ends_with("\n-----END CERTIFICATE-----\n"));
    }
}
