//! Generates the JavaScript glue of a compiled package and the library that it loads, and keeps both
//! until the package changes. What is done to the library is `xtask-passes`.

use std::fs;
use std::path::Path;

use anyhow::Result;
use xtask_passes::{Bound, Part};

use super::assets::sha256;
use crate::files::{self, read, read_text, write};
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
    let input = read(compiled)?;
    let stamp = folder.join("input.sha256");
    let hash = [&sha256(&input), " ", MANNER].concat();
    let unchanged = fs::read_to_string(&stamp).is_ok_and(|before| before == hash);
    let file = |end: &str| folder.join([NAME, end].concat());
    let (glue, wasm) = (file(".js"), file(".wasm"));
    if !unchanged {
        step("bind WASM and JavaScript (wasm-bindgen)", || {
            // Neither a stamp nor a file from before must be taken for this input's.
            files::remove(folder)?;
            let bound = xtask_passes::bind(NAME, &input)?;
            write(&glue, bound.glue)?;
            write(&wasm, &bound.wasm)?;
            for part in &bound.parts {
                write(&folder.join([&part.name, PART].concat()), &part.wasm)?;
            }
            write(&stamp, &hash)
        })?;
    }
    Ok(Bound {
        glue: read_text(&glue)?,
        wasm: read(&wasm)?,
        parts: parts(folder)?,
    })
}

/// The chunks that an earlier binding has written next to the first module.
fn parts(folder: &Path) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for path in files::list(folder)? {
        if let Some(name) = files::name(&path).strip_suffix(PART) {
            let (name, wasm) = (name.to_owned(), read(&path)?);
            parts.push(Part { name, wasm });
        }
    }
    Ok(parts)
}
