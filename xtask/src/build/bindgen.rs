//! Makes the JavaScript glue: the one place that touches `wasm-bindgen-cli-support`, the heavy
//! dependency of this crate. It is pinned to the version of `wasm-bindgen` in the control.
//! Called by `build`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use super::arrange::arrange;
use super::assets::sha256;
use super::shorten::shorten;
use super::unexport::uncalled;
use crate::stages::step;

const NAME: &str = "checklist";

/// What wasm-bindgen makes of the compiled library.
pub struct Bound {
    pub glue: String,
    pub wasm: Vec<u8>,
}

/// Raised whenever the same input is to be bound in another way.
const MANNER: &str = "8";

/// Binds `compiled` into `folder`, unless the same input has been bound there before.
///
/// # Errors
/// When the input is missing or is not what this version of wasm-bindgen understands.
pub fn bind(compiled: &Path, folder: &Path) -> Result<Bound> {
    let input = fs::read(compiled).with_context(|| format!("reading {}", compiled.display()))?;
    let stamp = folder.join("input.sha256");
    let hash = [&sha256(&input), " ", MANNER].concat();
    let unchanged = fs::read_to_string(&stamp).is_ok_and(|before| before == hash);
    let (glue, wasm) = (
        folder.join([NAME, ".js"].concat()),
        folder.join([NAME, ".wasm"].concat()),
    );
    if !unchanged {
        step("bind WASM and JavaScript (wasm-bindgen)", || {
            // Neither a stamp nor a file from before must be taken for this input's.
            if folder.exists() {
                fs::remove_dir_all(folder)
                    .with_context(|| format!("removing {}", folder.display()))?;
            }
            let mut output = Bindgen::new()
                .input_bytes(NAME, uncalled(&input)?)
                .web(true)?
                .typescript(false)
                // The names say what can be swept away; they go there.
                .remove_name_section(false)
                .remove_producers_section(true)
                // The shim names the hashed file; a default name would point at nothing.
                .omit_default_module_path(true)
                .generate_output()?;
            let snippets = output.snippets().values().any(|list| !list.is_empty());
            ensure!(
                !snippets && output.local_modules().is_empty(),
                "the control brings JavaScript snippets, which would be files of their own; \
                 what needs JavaScript belongs in frontend/element/script"
            );
            fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
            write(&glue, shorten(&mut output).as_bytes())?;
            write(&wasm, &arrange(&output.wasm_mut().emit_wasm())?)?;
            write(&stamp, hash.as_bytes())
        })?;
    }
    let read = |path: &Path| fs::read(path).with_context(|| format!("reading {}", path.display()));
    Ok(Bound {
        glue: String::from_utf8(read(&glue)?).context("the glue of wasm-bindgen is not text")?,
        wasm: read(&wasm)?,
    })
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).with_context(|| format!("writing {}", path.display()))
}
