//! Makes the JavaScript glue: the one place that touches `wasm-bindgen-cli-support`, the heavy
//! dependency of this crate. It is pinned to the version of `wasm-bindgen` in the control.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use super::assets::sha256;
use crate::stages::step;

const NAME: &str = "checklist";

/// What wasm-bindgen makes of the compiled library.
pub struct Bound {
    pub glue: String,
    pub wasm: Vec<u8>,
}

/// Binds `compiled` into `folder`, unless the same input has been bound there before. The type
/// declarations (`checklist.d.ts`) stay in that folder.
///
/// # Errors
/// When the input is missing or is not what this version of wasm-bindgen understands.
pub fn bind(compiled: &Path, folder: &Path) -> Result<Bound> {
    let input = fs::read(compiled).with_context(|| format!("reading {}", compiled.display()))?;
    let stamp = folder.join("input.sha256");
    let hash = sha256(&input);
    let unchanged = fs::read_to_string(&stamp).is_ok_and(|before| before == hash);
    if !unchanged {
        step("bind WASM and JavaScript (wasm-bindgen)", || {
            // Neither a stamp nor a file from before must be taken for this input's.
            if folder.exists() {
                fs::remove_dir_all(folder)
                    .with_context(|| format!("removing {}", folder.display()))?;
            }
            Bindgen::new()
                .input_path(compiled)
                .out_name(NAME)
                .web(true)?
                .typescript(true)
                .remove_name_section(true)
                .remove_producers_section(true)
                // The shim names the hashed file; a default name would point at nothing.
                .omit_default_module_path(true)
                .generate(folder)?;
            ensure!(
                !folder.join("snippets").exists(),
                "the control brings JavaScript snippets, which would be files of their own; \
                 what needs JavaScript belongs in checklist-control.js"
            );
            fs::write(&stamp, &hash).with_context(|| format!("writing {}", stamp.display()))
        })?;
    }
    let read = |name: String| {
        let path = folder.join(name);
        fs::read(&path).with_context(|| format!("reading {}", path.display()))
    };
    Ok(Bound {
        glue: String::from_utf8(read(format!("{NAME}.js"))?)
            .context("the glue of wasm-bindgen is not text")?,
        wasm: read(format!("{NAME}_bg.wasm"))?,
    })
}
