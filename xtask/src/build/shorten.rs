//! Gives what WASM and glue say to each other short names. wasm-bindgen ends each name with a
//! hash, so that no two can meet; once a library is linked, a letter or two does the same, and
//! hashes are what no compression makes smaller. Called by `bindgen`.

use std::collections::HashMap;

use wasm_bindgen_cli_support::Output;

/// The module that the glue stands for in the imports.
const MODULE: &str = "./checklist_bg.js";

/// Renames imports and exports in the WASM; gives the glue with the same new names.
pub fn shorten(output: &mut Output) -> String {
    let mut names = Names::default();
    let glue = names.rename(output.js());
    let module = output.wasm_mut();
    for import in module.imports.iter_mut() {
        if import.module == MODULE {
            import.module = SHORT_MODULE.to_owned();
        }
        import.name = names.of(&import.name);
    }
    for export in module.exports.iter_mut() {
        export.name = names.of(&export.name);
    }
    glue.replace(MODULE, SHORT_MODULE)
}

const SHORT_MODULE: &str = "a";

/// The new names by the old ones.
#[derive(Default)]
struct Names(HashMap<String, String>);

impl Names {
    /// The script with new names for old ones; every word that has a hash gets one.
    fn rename(&mut self, script: &str) -> String {
        let mut renamed = String::with_capacity(script.len());
        let mut rest = script;
        while !rest.is_empty() {
            let word = rest.find(|c| !is_of_name(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(word);
            if is_hashed(word) {
                let next = self.0.len();
                let short = self.0.entry(word.to_owned()).or_insert_with(|| short(next));
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
        self.0.get(name).map_or(name, String::as_str).to_owned()
    }
}

fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || character == '$'
}

/// Whether a word is one of wasm-bindgen's own with a hash or a long number in it.
fn is_hashed(word: &str) -> bool {
    const DIGITS: usize = 16;
    (word.starts_with("__wb") || word.starts_with("wasm_bindgen__"))
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
    fn no_two_names_meet() {
        let names: HashSet<String> = (0..2_000).map(short).collect();
        assert_eq!(names.len(), 2_000);
    }
}
