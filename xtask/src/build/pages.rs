//! Assembles the built-in pages: the HTML page with the hashed names in it, the script that
//! starts them, glue, WASM, styles, the icon and example templates. The server's build script embeds the result.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use xtask_passes::{Bound, css, script};

use super::assets::{self, Asset};
use crate::files;
use crate::project::Project;

/// Writes `target/pages`.
///
/// # Errors
/// When a source is missing or lacks a place for a name, or the folder cannot be written.
pub fn assemble(project: &Project, bound: &Bound) -> Result<()> {
    let source = project.root.join("frontend/pages");
    let glue = script::tighten(&bound.glue)?;
    let glue = Asset::hashed("js", glue.into_bytes());
    let wasm = Asset::hashed("wasm", bound.wasm.clone());
    let styles = css::control_styles(&project.root.join("style/pages"))?;
    let styles = Asset::hashed("css", styles.into_bytes());
    let start = filled(
        &source.join("start.js"),
        &[
            ("__PAGES_GLUE__", &glue.path),
            ("__PAGES_WASM__", &wasm.path),
        ],
    )?;
    let start = Asset::hashed("js", script::tighten(&start)?.into_bytes());
    let page = filled(
        &source.join("index.html"),
        &[
            ("__PAGES_STYLES__", &styles.path),
            ("__PAGES_GLUE__", &glue.path),
            ("__PAGES_START__", &start.path),
        ],
    )?;
    let page = Asset {
        path: "index.html".to_owned(),
        bytes: page.into_bytes(),
        immutable: false,
    };
    let icon = project.root.join("frontend/demo/icon.svg");
    let icon = Asset {
        path: "icon.svg".to_owned(),
        bytes: files::read(&icon)?,
        immutable: false,
    };
    let examples = Asset {
        path: "examples.json".to_owned(),
        bytes: examples(&source.join("starters"))?,
        immutable: false,
    };
    let all = [&page, &start, &glue, &wasm, &styles, &icon, &examples];
    let files = assets::write_all(&project.pages(), &all, |files| {
        format!("{:#}\n", json!({ "files": files }))
    })?;
    let code: u64 = files
        .iter()
        .filter(|file| file.path.ends_with(".js") || file.path.ends_with(".wasm"))
        .map(|file| file.brotli)
        .sum();
    println!("   Download of the pages (WASM and JavaScript, brotli): {code} bytes");
    Ok(())
}

/// The templates to begin with, as one bundle, by the names of their files.
fn examples(folder: &Path) -> Result<Vec<u8>> {
    let read = |file: &PathBuf| -> Result<Value> {
        let text = files::read(file)?;
        serde_json::from_slice(&text).with_context(|| format!("reading {}", file.display()))
    };
    let templates: Vec<Value> = files::list(folder)?
        .iter()
        .map(read)
        .collect::<Result<_>>()?;
    Ok(json!({ "Templates": templates }).to_string().into_bytes())
}

/// A text file with names in their places.
fn filled(path: &Path, names: &[(&str, &String)]) -> Result<String> {
    let mut text = files::read_text(path)?;
    for (place, name) in names {
        ensure!(
            text.contains(place),
            "{} does not contain {place}, so it cannot load its part of the pages",
            path.display()
        );
        text = text.replace(place, name);
    }
    Ok(text)
}
