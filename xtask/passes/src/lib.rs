//! From a linked WASM library to what browsers load: the JavaScript glue, the library, and the lazy
//! chunks that were taken out of it. What nobody calls goes, names become short, and functions stand
//! where they compress best. Also what is done to scripts (`join`, `script`, `watch`) and to style
//! sheets (`css`). Nothing is written here: who calls this writes the files.

mod arrange;
pub mod css;
mod dead_code;
mod join;
pub mod script;
mod shorten;
mod split;
mod unexport;
pub mod watch;

use anyhow::{Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

use arrange::arrange;
pub use join::element_script;
use shorten::shorten;
pub use split::Part;
use split::Split;
use unexport::uncalled;

/// The output of wasm-bindgen.
pub struct Bound {
    pub glue: String,
    pub wasm: Vec<u8>,
    /// The lazy chunks, if the library is split.
    pub parts: Vec<Part>,
}

/// Generates the glue of a library, whose name its import of the glue begins with.
///
/// # Errors
/// When it is not what this version of wasm-bindgen understands.
pub fn bind(name: &str, library: &[u8]) -> Result<Bound> {
    let input = uncalled(library)?;
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
        .input_bytes(name, split.first)
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
    let whole = split::joined(output.js(), &split.script)?;
    Ok(Bound {
        glue: shorten(&mut output, &whole),
        wasm: arrange(&output.wasm_mut().emit_wasm())?,
        parts: split.parts,
    })
}
