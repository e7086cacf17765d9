//! Shortens the names of imports and exports between WASM and glue. wasm-bindgen appends a hash to
//! each name to avoid collisions; after linking, one or two letters are enough, and hashes do not
//! compress.

use std::collections::{HashMap, HashSet};

use wasm_bindgen_cli_support::Output;

use crate::dead_code::remove_dead_code;

/// The module name of the glue in the imports.
const MODULE: &str = "./checklist_bg.js";

/// Renames imports and exports in the WASM; returns its `glue` with the same new names.
pub fn shorten(output: &mut Output, glue: &str) -> String {
    let (asked, unasked): (Vec<_>, Vec<_>) = output
        .wasm()
        .exports
        .iter()
        .map(|export| (export.name.clone(), export.id()))
        .partition(|(name, _)| glue.contains(name.as_str()));
    let mut names = Names {
        exports: asked.into_iter().map(|(name, _)| name).collect(),
        ..Names::default()
    };
    // Debuggers and tests look for it.
    names.exports.remove("memory");
    names.own = own(glue);
    let glue = names.rename(glue);
    let module = output.wasm_mut();
    for (_, export) in unasked {
        module.exports.delete(export);
    }
    remove_dead_code(module);
    for needless in ["target_features", "__wasm_split_unstable"] {
        module.customs.remove_raw(needless);
    }
    for import in module.imports.iter_mut() {
        if import.module == MODULE {
            import.module = SHORT_MODULE.to_owned();
        }
        import.name = names.of(&import.name);
    }
    for export in module.exports.iter_mut() {
        export.name = names.of(&export.name);
    }
    let imports = module.imports.iter().map(|import| import.name.as_str());
    without_unused(&glue, &imports.collect()).replace(MODULE, SHORT_MODULE)
}

/// The glue without the functions that the WASM does not ask for (any more). Each begins in a
/// line of its own and ends with the first line that is indented as little.
fn without_unused(glue: &str, imports: &HashSet<&str>) -> String {
    let mut kept = String::with_capacity(glue.len());
    let mut skipped: Option<&str> = None;
    for line in glue.split_inclusive('\n') {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some(until) = skipped {
            if indent == until && line.trim_start().starts_with('}') {
                skipped = None;
            }
            continue;
        }
        let name = line.trim_start().split_once(": function(");
        match name {
            Some((name, _)) if name.starts_with('$') && !imports.contains(name) => {
                skipped = Some(indent);
            }
            _ => kept.push_str(line),
        }
    }
    kept
}

const SHORT_MODULE: &str = "a";

/// The new names by the old ones.
#[derive(Default)]
struct Names {
    short: HashMap<String, String>,
    /// The exports of the WASM that the glue uses.
    exports: HashSet<String>,
    /// The glue's own names.
    own: HashSet<String>,
}

impl Names {
    /// The script with new names for old ones: for every word that has a hash, and for what is
    /// taken from the WASM.
    fn rename(&mut self, script: &str) -> String {
        let mut renamed = String::with_capacity(script.len());
        let mut rest = script;
        while !rest.is_empty() {
            let word = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word);
            let taken = renamed.ends_with("wasm.") && self.exports.contains(word);
            if is_hashed(word) || taken || self.own.contains(word) {
                let next = self.short.len();
                let short = self
                    .short
                    .entry(word.to_owned())
                    .or_insert_with(|| short(next));
                renamed.push_str(short);
            } else {
                renamed.push_str(word);
            }
            let other = after.find(is_of_name).unwrap_or(after.len());
            renamed.push_str(&after[..other]);
            rest = &after[other..];
        }
        renamed
    }

    fn of(&self, name: &str) -> String {
        self.short.get(name).map_or(name, String::as_str).to_owned()
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '$'
}

/// The functions of the glue that it keeps for itself, and what it remembers. Other names may be
/// those of properties as well, and stay.
fn own(glue: &str) -> HashSet<String> {
    let mut own = HashSet::new();
    for line in glue.lines().map(str::trim_start) {
        for declares in ["function ", "let ", "const "] {
            let name = line.strip_prefix(declares).unwrap_or_default();
            let name = name.split(|c| !is_of_name(c)).next().unwrap_or_default();
            let remembered = name.starts_with("cached") || name.ends_with("Finalization");
            if name.len() > 5 && (declares == "function " || remembered) {
                own.insert(name.to_owned());
            }
        }
    }
    // What is exported under its own name.
    for line in glue.lines().map(str::trim_start) {
        if let Some(exported) = line.strip_prefix("export {") {
            for name in exported.split(|c| !is_of_name(c)) {
                own.remove(name);
            }
        }
    }
    own
}

/// Whether a word is one of wasm-bindgen's own with a hash or a long number in it.
fn is_hashed(word: &str) -> bool {
    const DIGITS: usize = 16;
    (word.starts_with("__wb") || word.starts_with("wasm_bindgen_"))
        && word.split('_').any(|part| {
            let part = part.strip_prefix('h').unwrap_or(part);
            part.len() == DIGITS && part.bytes().all(|byte| byte.is_ascii_hexdigit())
        })
}

/// `$a` to `$Z`, then `$aa` and so on; no other name begins with a dollar.
fn short(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut name = String::from("$");
    if number >= LETTERS.len() {
        name.push(char::from(
            LETTERS[(number / LETTERS.len() - 1) % LETTERS.len()],
        ));
    }
    name.push(char::from(LETTERS[number % LETTERS.len()]));
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_with_a_hash_become_short_everywhere_and_others_stay() {
        let mut names = Names::default();
        let script = "__wbg_then_656f253a5dd7d8ea: f, wasm.__wbindgen_malloc(wasm_bindgen__convert__closures_____invoke__h1fb53893c3c964a4_24); \
                      __wbg_then_656f253a5dd7d8ea";
        assert_eq!(
            names.rename(script),
            "$a: f, wasm.__wbindgen_malloc($b); $a"
        );
        assert_eq!(names.of("__wbg_then_656f253a5dd7d8ea"), "$a");
        assert_eq!(names.of("memory"), "memory");
        assert_eq!(names.rename("__wbindgen_generic_0000000000000003"), "$c");
    }

    #[test]
    fn what_is_taken_from_the_wasm_becomes_short_and_what_the_glue_gives_stays() {
        let mut names = Names::default();
        names.exports.insert("mount".to_owned());
        let script = "export function mount() { wasm.mount(wasm.memory); }";
        assert_eq!(
            names.rename(script),
            "export function mount() { wasm.$a(wasm.memory); }"
        );
    }

    #[test]
    fn what_the_glue_declares_for_itself_becomes_short_but_no_property_does() {
        let glue = "  function passString(value) {\n return cachedEncoder.encode(value);\n}\n\
                    const cachedEncoder = new TextEncoder();\n  let instance = a.instance;\n\
                    export function mountIt() {\n passString(instance);\n }\n\
                    function initNow() {\n}\nexport { initNow };\n";
        let own = own(glue);
        assert_eq!(
            own,
            HashSet::from(["passString", "cachedEncoder"].map(str::to_owned))
        );
    }

    #[test]
    fn functions_that_are_not_imported_go() {
        let glue = "  a = {\n    $a: function() {\n      if (x) {\n      }\n    },\n    \
                    $b: function() { return f(function () {\n    }, arguments); },\n  };\n";
        let kept = without_unused(glue, &HashSet::from(["$b"]));
        assert_eq!(
            kept,
            "  a = {\n    $b: function() { return f(function () {\n    }, arguments); },\n  };\n"
        );
        assert_eq!(without_unused(glue, &HashSet::from(["$a", "$b"])), glue);
        assert_eq!(without_unused(glue, &HashSet::new()), "  a = {\n  };\n");
    }

    #[test]
    fn no_two_names_meet() {
        let names: HashSet<String> = (0..2_000).map(short).collect();
        assert_eq!(names.len(), 2_000);
    }
}
