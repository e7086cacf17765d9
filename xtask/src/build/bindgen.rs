//! Generates the JavaScript glue of a compiled package and the library that it loads, and keeps both
//! until the package changes. What is done to the library is `xtask-passes`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use xtask_passes::{Bound, Part};

use super::assets::sha256;
use crate::stages::step;

const NAME: &str = "checklist";
/// The end of the names of parts.
const PART: &str = ".part.wasm";

/// Raised whenever the same input is to be bound in another way.
const MANNER: &str = "9";

/// Binds `compiled` into `folder`, unless the same input has been bound there before.
///
/// # Errors
/// When the input is missing or is not what this version of wasm-bindgen understands.
pub fn bind(compiled: &Path, folder: &Path) -> Result<Bound> {
    let input = fs::read(compiled).with_context(|| format!("reading {}", compiled.display()))?;
    let stamp = folder.join("input.sha256");
    let hash = [&sha256(&input), " ", MANNER].concat();
    let unchanged = fs::read_to_string(&stamp).is_ok_and(|before| before == hash);
    let file = |end: &str| folder.join([NAME, end].concat());
    let (glue, wasm) = (file(".js"), file(".wasm"));
    if !unchanged {
        step("bind WASM and JavaScript (wasm-bindgen)", || {
            // Neither a stamp nor a file from before must be taken for this input's.
            if folder.exists() {
                fs::remove_dir_all(folder)
                    .with_context(|| format!("removing {}", folder.display()))?;
            }
            let bound = xtask_passes::bind(NAME, &input)?;
            fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
            write(&glue, bound.glue.as_bytes())?;
            write(&wasm, &bound.wasm)?;
            for part in &bound.parts {
                write(&folder.join([&part.name, PART].concat()), &part.wasm)?;
            }
            write(&stamp, hash.as_bytes())
        })?;
    }
    let read = |path: &Path| fs::read(path).with_context(|| format!("reading {}", path.display()));
    Ok(Bound {
        glue: String::from_utf8(read(&glue)?).context("the glue of wasm-bindgen is not text")?,
        wasm: read(&wasm)?,
        parts: parts(folder)?,
    })
}

/// The chunks that an earlier binding has written next to the first module.
fn parts(folder: &Path) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("listing {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(name) = name.strip_suffix(PART) {
            let wasm = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            let name = name.to_owned();
            parts.push(Part { name, wasm });
        }
    }
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(parts)
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}
