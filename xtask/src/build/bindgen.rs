//! Generates the JavaScript glue. The only module that uses `wasm-bindgen-cli-support`, the heavy
//! dependency of this crate; it is pinned to the version of `wasm-bindgen` in the control.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use super::arrange::arrange;
use super::assets::sha256;
use super::shorten::shorten;
use super::split::{self, Part, Split};
use super::unexport::uncalled;
use crate::stages::step;

const NAME: &str = "checklist";
/// The end of the names of parts.
const PART: &str = ".part.wasm";

/// The output of wasm-bindgen.
pub struct Bound {
    pub glue: String,
    pub wasm: Vec<u8>,
    /// The lazy chunks, if the library is split.
    pub parts: Vec<Part>,
}

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
            let input = uncalled(&input)?;
            let is_split = split::is_split(&input);
            let split = if is_split {
                split::split(&input)?
            } else {
                Split {
                    first: input,
                    script: String::new(),
                    parts: Vec::new(),
                }
            };
            let mut output = Bindgen::new()
                .input_bytes(NAME, split.first)
                .web(true)?
                .typescript(false)
                // The names say what can be swept away; they go there.
                .remove_name_section(false)
                .remove_producers_section(true)
                // The shim names the hashed file; a default name would point at nothing.
                .omit_default_module_path(true)
                // What the parts share with the first is theirs.
                .keep_lld_exports(is_split)
                .generate_output()?;
            let snippets = output.snippets().values().any(|list| !list.is_empty());
            ensure!(
                !snippets && output.local_modules().is_empty(),
                "the control brings JavaScript snippets, which would be files of their own; \
                 what needs JavaScript belongs in frontend/element/script"
            );
            fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
            let whole = split::joined(output.js(), &split.script)?;
            write(&glue, shorten(&mut output, &whole).as_bytes())?;
            write(&wasm, &arrange(&output.wasm_mut().emit_wasm())?)?;
            for part in &split.parts {
                let name = [&part.name, PART].concat();
                write(&folder.join(name), &part.wasm)?;
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
