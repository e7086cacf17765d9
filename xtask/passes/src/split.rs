//! Splits a linked library: code that no list needs for its first tick becomes lazy chunks, which the
//! glue fetches on request. `wasm_split_cli_support` does the work. Its script is not used, because
//! in ours the element knows the URLs of the files, and the glue creates the instances.

use std::fs;

use anyhow::{Context, Result, anyhow, ensure};
use walrus::ModuleConfig;

use crate::arrange::arrange;

/// In the names of all functions at which a library is to be taken apart.
const POINT: &[u8] = b"__wasm_split_00";
/// Where the first library looks for what fetches the others.
const LINK: &str = "./parts.js";
/// What the tool calls the library of a part, before its name; and of what several parts use.
const PREFIX: &str = "split_";
const SHARED: &str = "chunk_";

/// A lazy chunk.
pub struct Part {
    /// Its name in the source.
    pub name: String,
    pub wasm: Vec<u8>,
}

/// The output of the split.
pub struct Split {
    /// The first module.
    pub first: Vec<u8>,
    /// What the glue needs in addition; empty where nothing was taken out.
    pub script: String,
    pub parts: Vec<Part>,
}

/// Whether a library is to be taken apart.
pub fn is_split(wasm: &[u8]) -> bool {
    wasm.windows(POINT.len()).any(|bytes| bytes == POINT)
}

/// Takes a library apart.
///
/// # Errors
/// When the linker has not left what that needs (`--emit-relocs`), or more parts come of it than
/// have names.
pub fn split(wasm: &[u8]) -> Result<Split> {
    let folder = tempfile::tempdir().context("making a folder")?;
    let first = folder.path().join("first.wasm");
    let mut options = wasm_split_cli_support::Options::new(wasm);
    options.output_dir = folder.path();
    options.main_out_path = &first;
    options.link_name = LINK;
    let made = wasm_split_cli_support::transform(options)
        .map_err(|error| anyhow!("the control cannot be taken apart: {error:?}"))?;
    let mut parts = Vec::new();
    for path in &made.split_modules {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = if name.starts_with(SHARED) {
            "shared"
        } else {
            name.strip_prefix(PREFIX)
                .with_context(|| format!("the tool for splitting has made {name}"))?
        };
        ensure!(
            parts.iter().all(|part: &Part| part.name != name),
            "more than two parts share code, and each two would have a file of their own"
        );
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        parts.push(Part {
            name: name.to_owned(),
            wasm: arrange(&bare(&bytes)?)?,
        });
    }
    let script = fs::read_to_string(folder.path().join(LINK)).context("reading the parts")?;
    parts.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(Split {
        first: fs::read(&first).context("reading the first part")?,
        script: script_of(&shared(&script)?, &parts),
        parts,
    })
}

/// Without names and other notes of the compiler.
fn bare(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    let mut module = config.parse(wasm)?;
    module.customs.remove_raw("target_features");
    Ok(module.emit_wasm())
}

/// What all parts share with the first, by the script that the tool has made.
fn shared(script: &str) -> Result<Vec<&str>> {
    let names = script
        .split_once("const { ")
        .and_then(|(_, rest)| rest.split_once("} = initSync"))
        .context("the tool for splitting makes another script than this version reads")?;
    let names: Vec<&str> = names.0.split(',').map(str::trim).collect();
    Ok(names.into_iter().filter(|name| !name.is_empty()).collect())
}

/// The names of what fetches a part.
fn loader(part: &str) -> String {
    format!("__wasm_split_load_{part}")
}

/// What fetches the parts, makes them from what the first has, and says what became of it: all of
/// them side by side, each once, and again what has failed. `watch` and `wasm` are the glue's.
fn script_of(shared: &[&str], parts: &[Part]) -> String {
    let shared: String = shared
        .iter()
        .map(|name| format!("{name}: wasm.{name}, "))
        .collect();
    let names = parts.iter().map(|part| part.name.as_str());
    let loaders: String = names
        .clone()
        .map(|name| format!("{}: takeParts, ", loader(name)))
        .collect();
    let names: String = names.map(|name| format!("\"{name}\", ")).collect();
    format!(
        "
let fetchPart = (name) => fetch(new URL(`./${{name}}.wasm`, import.meta.url));
export function partsBy(choice) {{ fetchPart = choice; }}
const parts = {{}};
async function takePart(name) {{
    const answer = await fetchPart(name);
    if (!answer.ok) throw new Error(`${{answer.status}} for ${{answer.url}}`);
    await __wbg_load(answer, {{ __wasm_split: {{ {shared}}} }});
}}
function takeParts(called, given) {{
    const tell = (done) => watch({{ tell: wasm.__indirect_function_table.get(called) }}).tell(given, done);
    const taken = [{names}].map((name) => (parts[name] ??= takePart(name).catch((error) => {{
        parts[name] = undefined;
        throw error;
    }})));
    Promise.all(taken).then(
        () => tell(true),
        (error) => {{
            console.warn(`A part of the control could not be loaded: ${{error?.message}}.`);
            tell(false);
        }},
    );
}}
const partLoaders = {{ {loaders}}};
"
    )
}

/// The glue that wasm-bindgen has made, with what fetches the parts in it instead of an import.
///
/// # Errors
/// When the glue does not look as expected: another version of wasm-bindgen.
pub fn joined(glue: &str, script: &str) -> Result<String> {
    if script.is_empty() {
        return Ok(glue.to_owned());
    }
    let from = format!(" from \"{LINK}\"");
    let mut joined = String::with_capacity(glue.len() + script.len());
    let mut names = Vec::new();
    for line in glue.split_inclusive('\n') {
        let name = line
            .trim_end()
            .strip_suffix(&from)
            .and_then(|line| line.strip_prefix("import * as "));
        match name {
            Some(name) => names.push(name),
            None => joined.push_str(line),
        }
    }
    ensure!(
        !names.is_empty() && joined.contains("async function __wbg_load("),
        "the glue of wasm-bindgen does not look as expected where parts are loaded"
    );
    for name in names {
        joined = joined.replace(&format!(": {name},"), ": partLoaders,");
    }
    joined.push_str(script);
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL: &str = "import { initSync } from \"./main.js\";\n\
        function getSharedImports() { const { memory, __stack_pointer,  } = initSync(undefined, undefined); }\n";

    #[test]
    fn what_the_parts_share_is_read_from_the_tools_script() {
        assert_eq!(
            shared(TOOL).expect("the script of this version"),
            ["memory", "__stack_pointer"]
        );
        assert!(shared("export const a = 1;").is_err());
    }

    #[test]
    fn the_glue_has_the_loaders_in_place_of_the_import() {
        let glue = "import * as import1 from \"./parts.js\"\n\
            const imports = { \"./parts.js\": import1, \"./other.js\": import12, };\n\
            async function __wbg_load(module, imports) {}\n";
        let joined = joined(glue, "const partLoaders = {};\n").expect("glue");
        assert!(!joined.contains("import *"), "{joined}");
        assert!(joined.contains("\"./parts.js\": partLoaders,"), "{joined}");
        assert!(joined.contains("import12"), "{joined}");
    }

    #[test]
    fn a_library_without_a_mark_stays_whole() {
        assert!(!is_split(b"\0asm\x01\0\0\0"));
        assert!(is_split(b"\0asm __wasm_split_00rest00_import_"));
    }
}
