//! `cargo xtask dist`: builds a release in `target/dist`. For each target an archive with
//! the server, its licences and the files of its service; the npm package; a software bill of
//! materials (CycloneDX); and the checksums of all.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, anyhow};
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use crate::project::{Project, output_of, run as run_command};
use crate::stages::step;
use crate::{build, cargo_tool, package};

/// Makes the files of a release in target/dist.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask dist\n  \
    cargo xtask dist --target x86_64-unknown-linux-gnu --target aarch64-unknown-linux-gnu\n  \
    cd target/dist && sha256sum --check SHA256SUMS")]
pub struct Options {
    /// What to build the server for; compiler and linker for it have to be there. Without it: for
    /// this machine. May be given several times.
    #[arg(long, value_name = "TRIPLE")]
    target: Vec<String>,
}

/// The version of cargo-sbom.
const SBOM: (&str, &str) = ("cargo-sbom", "0.10.0");
/// The other files of the server's archive, with their sources.
const BESIDE: [(&str, &str); 6] = [
    ("README.md", "README.md"),
    ("OPERATION.md", "docs/OPERATION.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    (
        "checklist-server.service",
        "backend/service/checklist-server.service",
    ),
    ("checklist.env", "backend/service/checklist.env"),
];
/// 2020-01-01: the same content is the same archive.
const WRITTEN: u64 = 1_577_836_800;
const SUMS: &str = "SHA256SUMS";

/// Runs the command.
///
/// # Errors
/// When something does not build or cannot be written.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let manifest = build::control(project)?;
    let folder = project.target.join("dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("emptying {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let packed = package::assemble(project, &manifest)?;
    let name = packed.tarball.file_name().unwrap_or_default();
    fs::copy(&packed.tarball, folder.join(name)).context("copying the npm package")?;
    let targets = match options.target.as_slice() {
        [] => vec![host()?],
        targets => targets.to_vec(),
    };
    for target in &targets {
        step(&format!("the server for {target}"), || {
            server(project, target, &folder)
        })?;
    }
    step("the bill of materials", || materials(project, &folder))?;
    fs::write(folder.join(SUMS), sums(&folder)?).context("writing the checksums")?;
    print!("{}", fs::read_to_string(folder.join(SUMS))?);
    println!("Folder: {}", folder.display());
    Ok(ExitCode::SUCCESS)
}

/// The default target of cargo.
fn host() -> Result<String> {
    let said = output_of(Command::new("rustc").arg("-vV"))?;
    let said = String::from_utf8_lossy(&said.stdout);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| anyhow!("`rustc -vV` names no host"))
}

/// Builds the server for a target and packs it with what belongs to it.
fn server(project: &Project, target: &str, folder: &Path) -> Result<()> {
    run_command(&mut project.cargo([
        "build",
        "--release",
        "--package=checklist-server",
        "--bin=checklist-server",
        "--locked",
        "--target",
        target,
    ]))?;
    let program = if target.contains("windows") {
        "checklist-server.exe"
    } else {
        "checklist-server"
    };
    let built = project.target.join(target).join("release").join(program);
    let mut files = vec![(program, built, 0o755)];
    files.extend(BESIDE.map(|(name, path)| (name, project.root.join(path), 0o644)));
    let name = format!("checklist-server-{}-{target}", project.version);
    pack(&name, &files, &folder.join(format!("{name}.tar.gz")))
}

/// An archive with all files below `root`.
fn pack(root: &str, files: &[(&str, PathBuf, u32)], archive: &Path) -> Result<()> {
    let mut tar = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for (name, path, mode) in files {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(*mode);
        header.set_mtime(WRITTEN);
        tar.append_data(&mut header, format!("{root}/{name}"), &bytes[..])?;
    }
    let mut packed = tar.into_inner()?;
    packed.flush()?;
    fs::write(archive, packed.finish()?).with_context(|| format!("writing {}", archive.display()))
}

/// Writes the bill of materials: the crates in the server.
fn materials(project: &Project, folder: &Path) -> Result<()> {
    let (name, version) = SBOM;
    let program = Some(cargo_tool::installed(project, name)).filter(|program| program.exists());
    let program = match program {
        Some(program) => program,
        None => step("build cargo-sbom (once)", || {
            cargo_tool::install(project, name, version)
        })?,
    };
    let mut command = Command::new(program);
    command.current_dir(&project.root).args([
        "--cargo-package",
        "checklist-server",
        "--output-format",
        "cyclone_dx_json_1_6",
    ]);
    let listed = output_of(&mut command)?;
    let file = folder.join(format!("checklist-server-{}.cdx.json", project.version));
    fs::write(&file, listed.stdout).with_context(|| format!("writing {}", file.display()))
}

/// The checksums of a folder's files, as `sha256sum` writes and reads them.
fn sums(folder: &Path) -> Result<String> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut text = String::new();
    for path in paths {
        let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
        let sum: String = Sha256::digest(&bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        text.push_str(&format!("{sum}  {name}\n"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_written_as_sha256sum_reads_them() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("b"), "").expect("a file");
        fs::write(folder.path().join("a"), "abc").expect("a file");
        let text = sums(folder.path()).expect("sums");
        assert_eq!(
            text,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
        );
    }

    #[test]
    fn a_program_stays_one_that_may_be_run_and_the_same_files_are_the_same_archive() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x");
        fs::write(&file, "program").expect("a file");
        let files = [("server", file, 0o755)];
        let [first, second] = ["1", "2"].map(|name| folder.path().join(name));
        pack("root", &files, &first).expect("an archive");
        pack("root", &files, &second).expect("an archive");
        let packed = fs::read(&first).expect("an archive");
        assert_eq!(packed, fs::read(&second).expect("an archive"));
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&packed[..]));
        let mut entries = archive.entries().expect("entries");
        let entry = entries.next().expect("one").expect("an entry");
        assert_eq!(entry.path().expect("a path"), Path::new("root/server"));
        assert_eq!(entry.header().mode().expect("a mode"), 0o755);
    }

    #[test]
    fn everything_that_goes_into_an_archive_is_there() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (_, path) in BESIDE {
            assert!(root.join(path).exists(), "{path}");
        }
    }
}
