//! Puts the built control, the built-in pages, the documentation and the demo page into the program, and
//! into nothing else: a rebuilt control compiles no library again.
//!
//! The control is described by the `manifest.json` beside it, in `CHECKLIST_CONTROL_DIR` or in
//! `target/control`, the pages by the one in the folder `pages` beside that; each file lies there
//! plain, `.br` and `.gz`. Without them the server compiles all the same, with empty tables, and
//! says at its start what to do.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells build scripts by the environment"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde_json::Value;
use sha2::{Digest, Sha256};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-env-changed=CHECKLIST_CONTROL_DIR");
    println!("cargo::rerun-if-changed=build.rs");

    let control = env::var_os("CHECKLIST_CONTROL_DIR")
        .map_or_else(|| here.join("../../target/control"), PathBuf::from);
    let pages = control.with_file_name("pages");
    let docs = control.with_file_name("docs");
    let demo = here.join("../../frontend/demo");
    for folder in [&control, &pages, &docs, &demo] {
        // Cargo takes a missing path for one that changes all the time.
        if folder.is_dir() || fs::create_dir_all(folder).is_ok() {
            println!("cargo::rerun-if-changed={}", folder.display());
        }
    }
    let mut code = table("CONTROL", &built_files(&control));
    code.push_str(&table("PAGES", &built_files(&pages)));
    code.push_str(&table("DEMO", &demo_files(&demo)));
    code.push_str(&documentation(&docs));
    fs::write(out.join("embedded.rs"), code).expect("cargo's folder is writable");
}

/// The pages of the documentation, each as its gzip form alone.
fn documentation(folder: &Path) -> String {
    let mut code = "static DOCS: &[Packed] = &[\n".to_owned();
    if let Ok(text) = fs::read_to_string(folder.join("manifest.json")) {
        let manifest: Value = serde_json::from_str(&text).expect("a manifest is JSON");
        let files = manifest["files"]
            .as_array()
            .expect("a manifest lists its files");
        for file in files {
            let text = |key: &str| file[key].as_str().expect("a file of the documentation");
            let path = text("path");
            let kind = content_type(path).unwrap_or("text/html; charset=utf-8");
            let packed = fs::canonicalize(folder.join(text("packed"))).expect("a packed file");
            let _never_fails = writeln!(
                code,
                "    Packed {{ path: {path:?}, content_type: {kind:?}, sha256: {:?}, gzip: include_bytes!({packed:?}) }},",
                text("sha256"),
            );
        }
    }
    code.push_str("];\n");
    code
}

struct File {
    name: String,
    path: PathBuf,
    sha256: String,
    immutable: bool,
    compressed: bool,
}

/// The files that a manifest lists.
fn built_files(folder: &Path) -> Vec<File> {
    let Ok(text) = fs::read_to_string(folder.join("manifest.json")) else {
        return Vec::new();
    };
    let manifest: Value = serde_json::from_str(&text).expect("a manifest is JSON");
    let files = manifest["files"]
        .as_array()
        .expect("a manifest lists its files");
    files
        .iter()
        .map(|file| {
            let name = file["path"]
                .as_str()
                .expect("a built file has a path")
                .to_owned();
            assert!(!name.contains('/'), "built files lie in one folder: {name}");
            File {
                path: folder.join(&name),
                sha256: file["sha256"]
                    .as_str()
                    .expect("a built file has a hash")
                    .to_owned(),
                immutable: file["immutable"].as_bool().unwrap_or(false),
                compressed: true,
                name,
            }
        })
        .collect()
}

fn demo_files(folder: &Path) -> Vec<File> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<File> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            content_type(&name)?;
            let path = entry.path();
            let sha256 = Sha256::digest(fs::read(&path).ok()?).iter().fold(
                String::new(),
                |mut hex, byte| {
                    let _never_fails = write!(hex, "{byte:02x}");
                    hex
                },
            );
            Some(File {
                name,
                path,
                sha256,
                immutable: false,
                compressed: false,
            })
        })
        .collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    files
}

fn table(name: &str, files: &[File]) -> String {
    let mut code = format!("static {name}: &[File] = &[\n");
    for file in files {
        let kind = content_type(&file.name).unwrap_or("application/octet-stream");
        let path = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        let include = |ending: &str| {
            format!(
                "include_bytes!(\"{}{ending}\")",
                path.display().to_string().escape_default()
            )
        };
        let packed = |ending: &str| {
            if file.compressed {
                format!("Some({})", include(ending))
            } else {
                "None".to_owned()
            }
        };
        let _never_fails = writeln!(
            code,
            "    File {{ name: {:?}, content_type: {kind:?}, sha256: {:?}, immutable: {}, plain: {}, brotli: {}, gzip: {} }},",
            file.name,
            file.sha256,
            file.immutable,
            include(""),
            packed(".br"),
            packed(".gz"),
        );
    }
    code.push_str("];\n");
    code
}

fn content_type(name: &str) -> Option<&'static str> {
    Some(match name.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "txt" => "text/plain; charset=utf-8",
        "woff2" => "font/woff2",
        _ => return None,
    })
}
