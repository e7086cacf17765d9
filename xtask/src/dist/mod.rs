//! `cargo xtask dist`: makes a release in `target/dist`: for each target an archive, a Debian package
//! where the target is a Debian, a container image where the program is static; the npm package, a bill
//! of materials, checksums and their signature. The same program is packed into the same bytes, wherever
//! and whenever; only the signature differs, which draws random numbers.
//!
//! Each kind of file has a module. `cargo xtask test` makes the same from the server that it has built,
//! and installs it (`tests/tests/http/release`); `--check` does that with the release itself.

pub mod archive;
mod deb;
mod figures;
mod image;
mod materials;
mod server;
mod signature;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use minisign::KeyPair;

use crate::build::{self, Manifest};
use crate::files::{self, read};
use crate::package;
use crate::project::{Environment, Project, output_of, run as run_command};
use crate::stages::step;
use crate::test::release;
use archive::{File, LONG_AGO, Size};
use signature::{SUMS, SigningKey};

/// Makes the files of a release in target/dist.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask dist --signing-key release.key --check\n  \
    cargo xtask dist --target aarch64-unknown-linux-gnu\n  \
    cd target/dist && sha256sum --check SHA256SUMS")]
pub struct Options {
    /// What to build the server for, instead of this system with its C library and with musl. May be
    /// given several times; compiler and linker for anything else have to be there.
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
    #[command(flatten)]
    signing: SigningKey,
    /// Install everything afterwards, as the tests do: the archives, the Debian package in a root that
    /// is thrown away, the image in podman. Needs root, and a target of this machine.
    #[arg(long)]
    check: bool,
    /// Measure it afterwards: sizes, the time to the first answer, memory.
    #[arg(long)]
    figures: bool,
}

/// The other files of the server's archive, with their sources; a Debian package has them too.
const BESIDE: [(&str, &str); 10] = [
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("SECURITY.md", "SECURITY.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    (
        "checklist-server.service",
        "backend/service/checklist-server.service",
    ),
    (
        "checklist-replicate.service",
        "backend/service/checklist-replicate.service",
    ),
    ("checklist.env", "backend/service/checklist.env"),
    ("nginx.conf", "backend/service/nginx.conf"),
    ("Caddyfile", "backend/service/Caddyfile"),
];

/// Its folders, with their sources: the documents that README.md leads to, the extensions for other
/// programs, alert rules and a dashboard.
const FOLDERS: [(&str, &str); 3] = [
    ("docs", "docs"),
    ("integrations", "frontend/integrations"),
    ("monitoring", "backend/service/monitoring"),
];

/// Runs the command.
///
/// # Errors
/// When something does not build or cannot be written.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let key = options.signing.read()?;
    let time = time_of_commit(project)?;
    let manifest = build::control(project)?;
    let folder = project.target.join("dist");
    files::empty(&folder)?;
    npm_package(project, &manifest, &folder)?;
    let targets = match options.target.as_slice() {
        [] => server::default_targets()?,
        targets => targets.to_vec(),
    };
    for target in &targets {
        let program = step(&format!("the server for {target}"), || {
            server::build(project, target, time)
        })?;
        step(&format!("archives for {target}"), || {
            let made = (target.as_str(), program.as_path());
            server_archive(project, made, &folder, time, Size::Small)?;
            if target.ends_with("-linux-gnu") {
                deb::make(project, made, &folder, time, Size::Small)?;
            }
            if target.ends_with("-linux-musl") {
                image::make(project, made, &folder, time)?;
            }
            Ok(())
        })?;
    }
    step("the bill of materials", || {
        materials::make(project, &folder, time)
    })?;
    signature::write_sums(&folder)?;
    let public = key
        .map(|key| signature::sign(&folder, &key, &project.version))
        .transpose()?;
    print!("{}", files::read_text(&folder.join(SUMS))?);
    println!("Folder: {}", folder.display());
    match &public {
        Some(public) => println!("Signed; to verify: minisign -Vm {SUMS} -P {public}"),
        None => println!("NOT SIGNED: name a key with --signing-key (`minisign -G` makes one)."),
    }
    if options.figures {
        figures::print(&folder)?;
    }
    if !options.check {
        return Ok(ExitCode::SUCCESS);
    }
    release::only(project, environment(folder, public))
}

/// Makes what a release has from the server that tests use, and signs it with a key for this once. All
/// of it is made twice, because whoever makes it again must get the same.
///
/// # Errors
/// When something cannot be made, or is another file the second time.
pub fn of_tested_server(project: &Project, manifest: &Manifest) -> Result<Environment> {
    // What nobody would ship is not packed either: two thirds of it are for debuggers.
    let program = project.target.join("dist-stripped");
    let mut strip = Command::new("strip");
    strip.args(["--strip-all", "-o"]).arg(&program);
    run_command(strip.arg(project.program("checklist-server")))?;
    let target = server::default_targets()?.swap_remove(0);
    let made = (target.as_str(), program.as_path());
    let [folder, again] = ["dist-tested", "dist-again"].map(|name| project.target.join(name));
    for folder in [&folder, &again] {
        files::empty(folder)?;
        npm_package(project, manifest, folder)?;
        server_archive(project, made, folder, LONG_AGO, Size::Quick)?;
        deb::make(project, made, folder, LONG_AGO, Size::Quick)?;
        image::make(project, made, folder, LONG_AGO)?;
        signature::write_sums(folder)?;
    }
    let [first, second] = [&folder, &again].map(|folder| read(&folder.join(SUMS)));
    let (first, second) = (first?, second?);
    ensure!(
        first == second,
        "made twice, and not the same:\n{}{}",
        String::from_utf8_lossy(&first),
        String::from_utf8_lossy(&second)
    );
    files::remove(&again)?;
    let key = KeyPair::generate_unencrypted_keypair().context("making a key")?;
    let public = signature::sign(&folder, &key.sk, &project.version)?;
    Ok(environment(folder, Some(public)))
}

/// What the tests of a release have to know.
fn environment(folder: PathBuf, public: Option<String>) -> Environment {
    let mut environment: Environment = vec![("CHECKLIST_RELEASE", folder.into())];
    if let Some(public) = public {
        environment.push(("CHECKLIST_RELEASE_KEY", public.into()));
    }
    environment
}

/// When what is released was committed: what a build may know of the time.
fn time_of_commit(project: &Project) -> Result<u64> {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok();
    let text = match told {
        Some(told) => told,
        None => {
            let mut git = Command::new("git");
            git.current_dir(&project.root);
            let output = output_of(git.args(["log", "-1", "--format=%ct"]));
            let output = output.context("SOURCE_DATE_EPOCH is not set, and there is no commit")?;
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
    };
    let text = text.trim();
    text.parse()
        .with_context(|| format!("`{text}` is no time in seconds since 1970"))
}

fn npm_package(project: &Project, manifest: &Manifest, folder: &Path) -> Result<()> {
    let packed = package::assemble(project, manifest)?;
    files::copy(&packed.tarball, &folder.join(files::name(&packed.tarball)))
}

/// What an archive and a Debian package have beside the program.
fn beside(project: &Project) -> Result<Vec<File>> {
    let mut content = Vec::new();
    for (name, path) in BESIDE {
        content.push(File::new(name, read(&project.root.join(path))?));
    }
    for (place, source) in FOLDERS {
        for file in archive::content(&project.root.join(source))? {
            let name = format!("{place}/{}", file.name);
            content.push(File { name, ..file });
        }
    }
    Ok(content)
}

/// An archive with the server and what belongs to it.
fn server_archive(
    project: &Project,
    (target, program): (&str, &Path),
    folder: &Path,
    time: u64,
    size: Size,
) -> Result<()> {
    let name = if files::name(program).ends_with(".exe") {
        "checklist-server.exe"
    } else {
        "checklist-server"
    };
    let mut content = vec![File::program(name, read(program)?)];
    content.extend(beside(project)?);
    let name = format!("checklist-server-{}-{target}", project.version);
    let path = folder.join(format!("{name}.tar.gz"));
    ensure!(!path.exists(), "{target} was named twice");
    archive::tar_gz(&name, &content, time, &path, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_goes_into_an_archive_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (_, path) in BESIDE.into_iter().chain(FOLDERS) {
            assert!(root.join(path).exists(), "{path}");
        }
    }
}
