//! `cargo xtask build`: builds the element into `target/control/`, the pages into `target/pages/` and
//! the documentation into `target/docs/`, the folders that the server embeds. `target` and `std_source` prepare the
//! compiler, `bindgen` generates the glue, `words` writes the language tables, `assets` names,
//! compresses and writes the files, `pages` assembles the built-in pages; what is done to the
//! libraries, scripts and style sheets on the way is `xtask-passes`. `serve`, `test` and `bench` start
//! here.

mod assets;
mod bindgen;
mod docs;
mod manifest;
mod pages;
mod std_source;
mod target;
mod words;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use xtask_passes::{Bound, css, script, watch};

use crate::check::rustc_wrapper;
use crate::project::{INCREMENTAL, Project, WASM, run as run_command};
use crate::stages::step;
use assets::Asset;
pub use assets::{gzipped, sha256};
pub use manifest::Manifest;
pub use std_source::{overlook, sysroot};
pub use target::ensure_installed as ensure_target;

/// Reaches compilations for the browser alone, and none of what runs while compiling.
const WASM_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Has the linker leave where functions and data are named, so that a library can be taken apart
/// (`split`).
const EMIT_RELOCATIONS: &str = "-Clink-arg=--emit-relocs";

/// The package that is: in others relocations would stay, and weigh as much as the code.
const TAKEN_APART: &str = "checklist-element";

/// Builds the control into target/control, the built-in pages into target/pages and the documentation
/// into target/docs.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask build\n  cargo xtask build --docs\n  cargo xtask build --server"
)]
pub struct Options {
    /// Build the documentation alone.
    #[arg(long, conflicts_with = "server")]
    docs: bool,
    /// Build the server instead, with the control that is there, as tests start it.
    #[arg(long)]
    server: bool,
}

/// Runs the command.
///
/// # Errors
/// When anything does not build; the message names the step.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    if options.docs {
        documentation(project)?;
        return Ok(ExitCode::SUCCESS);
    }
    if options.server {
        server(project)?;
        return Ok(ExitCode::SUCCESS);
    }
    let manifest = control(project)?;
    println!("{}", manifest.summary());
    println!("Control: {}", project.control().display());
    println!("Pages:   {}", project.pages().display());
    println!("Docs:    {}", project.docs().display());
    Ok(ExitCode::SUCCESS)
}

/// Builds the control, the built-in pages and the documentation, and assembles their files; what has
/// not changed is
/// not made again. One after the other: the pages ask more of the rules than the control may
/// carry, and together both would get all of it.
///
/// # Errors
/// When anything does not build; the message names the step.
pub fn control(project: &Project) -> Result<Manifest> {
    let manifest = element(project)?;
    let bound = bound(project, "the pages", "checklist-pages", "bindgen-pages")?;
    step("assemble the pages", || pages::assemble(project, &bound))?;
    documentation(project)?;
    Ok(manifest)
}

/// Makes the documentation.
///
/// # Errors
/// When a page cannot be read, or a link in it leads nowhere.
pub fn documentation(project: &Project) -> Result<()> {
    step("make the documentation", || docs::assemble(project))
}

/// Builds the server in the selection that is tested, so that neither compiles again what the other
/// has compiled.
///
/// # Errors
/// When it does not compile.
pub fn server(project: &Project) -> Result<()> {
    let mut command = project.cargo(["build", "--bin=checklist-server"]);
    run_command(project.select_native(&mut command))
}

/// Builds all programs and tests of the native selection.
///
/// # Errors
/// When something does not compile.
pub fn tests(project: &Project) -> Result<()> {
    let mut command = project.cargo(["build", "--all-targets"]);
    run_command(project.select_native(&mut command))
}

/// Builds the control alone and assembles its files.
///
/// # Errors
/// When anything does not build; the message names the step.
pub fn element(project: &Project) -> Result<Manifest> {
    let control = bound(project, "the control", TAKEN_APART, "bindgen")?;
    let worklist = bound(
        project,
        "the worklist",
        "checklist-worklist",
        "bindgen-worklist",
    )?;
    step("assemble the control", || {
        assemble(project, &control, &worklist)
    })
}

/// Compiles a package to WASM and generates its glue, in a separate folder below `target`.
///
/// # Errors
/// When it does not build; the message names the step.
pub fn bound(project: &Project, title: &str, package: &str, folder: &str) -> Result<Bound> {
    ensure_target(WASM)?;
    let sysroot = std_source::sysroot()?;
    let with_std = std_source::ensure_installed(&sysroot);
    step(&format!("compile {title} to WASM"), || {
        let mut command = project.cargo([
            "rustc",
            "--package",
            package,
            "--profile=browser",
            "--target",
            WASM,
            "--locked",
        ]);
        let mut flags = without_paths(&sysroot)?;
        // One type for all views of Leptos: each of their own would be compiled anew.
        flags.push_str(" --cfg erase_components");
        // Hashes are of single texts: the loop that is not unrolled is less to load.
        flags.push_str(" --cfg sha2_backend=\"soft\" --cfg sha2_backend_soft=\"compact\"");
        if with_std {
            flags.push(' ');
            flags.push_str(std_source::build_along(&mut command));
        }
        if package == TAKEN_APART {
            // Told to the linker of the last crate alone: it is the only one that links.
            command.args(["--", EMIT_RELOCATIONS]);
        }
        // What is optimised across crates cannot be compiled incrementally.
        command.env(INCREMENTAL, "0");
        rustc_wrapper::wrap(project, &mut command)?;
        run_command(command.env(WASM_FLAGS, flags))
    })?;
    let library = format!("{}.wasm", package.replace('-', "_"));
    bindgen::bind(
        &project.target.join(WASM).join("browser").join(library),
        &project.target.join(folder),
    )
}

/// Compiler flags that take the folders of this machine out of the messages of panics: they tell
/// strangers nothing, weigh something, and would make the same source another file elsewhere.
///
/// # Errors
/// Where there is no home directory.
pub fn without_paths(sysroot: &Path) -> Result<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let registries = home
        .context("there is no home directory")?
        .join("registry/src");
    let mut flags = Vec::new();
    // One folder a registry; a fresh machine has none before its first download.
    for registry in fs::read_dir(&registries).into_iter().flatten().flatten() {
        flags.push(format!(
            "--remap-path-prefix={}=crates",
            registry.path().display()
        ));
    }
    // Where the standard library's source is installed, its messages name that folder.
    flags.push(format!(
        "--remap-path-prefix={}/lib/rustlib/src/rust=rust",
        sysroot.display()
    ));
    Ok(flags.join(" "))
}

/// Names, links and writes the files of the control and of the worklist.
fn assemble(project: &Project, bound: &Bound, worklist: &Bound) -> Result<Manifest> {
    let glue = script::tighten(&watch::watchable(&bound.glue)?)?;
    let styles = css::control_styles(&project.root.join("style"))?;

    let wasm = Asset::hashed("wasm", bound.wasm.clone());
    let glue = Asset::hashed("js", glue.into_bytes());
    let styles = Asset::hashed("css", styles.into_bytes());
    let words = words::tables();
    let parts = bound.parts.iter();
    let parts: Vec<(String, Asset)> = parts
        .map(|part| (part.name.clone(), Asset::hashed("wasm", part.wasm.clone())))
        .collect();
    let shim = Asset {
        path: Script::Control.name(),
        bytes: shim(
            element_script(project, Script::Control)?,
            [
                ("__CHECKLIST_GLUE__".to_owned(), &glue.path),
                ("__CHECKLIST_WASM__".to_owned(), &wasm.path),
                ("__CHECKLIST_STYLES__".to_owned(), &styles.path),
                ("__CHECKLIST_WORDS__".to_owned(), &words.stem),
            ]
            .into_iter()
            .chain(
                parts
                    .iter()
                    .map(|(name, part)| (place_of(name), &part.path)),
            ),
        )?
        .into_bytes(),
        immutable: false,
    };
    let worklist = assemble_worklist(project, worklist, &words.stem)?;
    let files = assets::Files {
        shim,
        glue,
        wasm,
        css: styles,
        parts,
        words: words.files,
        worklist,
    };
    assets::write(&project.control(), &files)
}

/// Names and links the files of the worklist. `words`: how the names of the tables begin, which are the
/// control's.
fn assemble_worklist(project: &Project, bound: &Bound, words: &String) -> Result<assets::Worklist> {
    // Nothing of it comes later, so there is nothing to choose.
    let glue = watch::watchable(&bound.glue)? + "\nexport function partsBy() {}\n";
    let glue = Asset::hashed("js", script::tighten(&glue)?.into_bytes());
    let wasm = Asset::hashed("wasm", bound.wasm.clone());
    let styles = css::control_styles(&project.root.join("style/worklist"))?;
    let css = Asset::hashed("css", styles.into_bytes());
    let names = [
        ("__CHECKLIST_GLUE__", &glue.path),
        ("__CHECKLIST_WASM__", &wasm.path),
        ("__CHECKLIST_STYLES__", &css.path),
        ("__CHECKLIST_WORDS__", words),
    ];
    let names = names.map(|(place, name)| (place.to_owned(), name));
    let text = element_script(project, Script::Worklist)?;
    let shim = Asset {
        path: Script::Worklist.name(),
        bytes: shim(text, names.into_iter())?.into_bytes(),
        immutable: false,
    };
    Ok(assets::Worklist {
        shim,
        glue,
        wasm,
        css,
    })
}

/// A script of elements, which a page loads by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Script {
    /// `<checklist-control>` and `<checklist-preview>`.
    Control,
    /// `<checklist-worklist>`.
    Worklist,
}

impl Script {
    /// The name of the file, and of the module that imports all others.
    pub fn name(self) -> String {
        match self {
            Self::Control => "checklist-control.js",
            Self::Worklist => "checklist-worklist.js",
        }
        .to_owned()
    }
}

/// A script of elements as one module.
///
/// # Errors
/// When a module cannot be read, or does something that joining has no place for.
pub fn element_script(project: &Project, script: Script) -> Result<String> {
    let folders = ["frontend/worklist/script", "frontend/element/script"]
        .map(|folder| project.root.join(folder));
    let [_, of_control] = &folders;
    match script {
        Script::Control => xtask_passes::element_script(&[of_control], &script.name()),
        Script::Worklist => {
            let folders = folders.each_ref().map(PathBuf::as_path);
            xtask_passes::element_script(&folders, &script.name())
        }
    }
}

/// Where the element's script has the address of a part.
pub fn place_of(part: &str) -> String {
    format!("__CHECKLIST_{}__", part.to_uppercase())
}

/// The hand-written script under its lasting name, with the hashed names filled in.
fn shim<'a>(mut text: String, names: impl Iterator<Item = (String, &'a String)>) -> Result<String> {
    for (placeholder, name) in names {
        ensure!(
            text.contains(&placeholder),
            "the element's script does not contain {placeholder}, so it cannot load its part of the control"
        );
        // All files are in one folder, so the address relative to the shim is the name.
        text = text.replace(&placeholder, &format!("./{name}"));
    }
    script::tighten(&text)
}
