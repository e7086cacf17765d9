//! `manifest.json` of the built control: its files with size and hash, and which of them are
//! immutable. The server's build script reads it to embed them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;
use serde_json::json;

/// One file of the control. `<path>.br` and `<path>.gz` are next to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct File {
    /// Relative to the folder of the manifest.
    pub path: String,
    pub bytes: u64,
    /// Size in bytes of the brotli form.
    pub brotli: u64,
    /// Lower-case hexadecimal.
    pub sha256: String,
    /// The name carries a hash of the content, so it may be cached for ever.
    pub immutable: bool,
}

/// The files of the control and the part each plays.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    pub files: Vec<File>,
    pub shim: String,
    pub glue: String,
    pub wasm: String,
    pub css: String,
    /// The lazy chunks, by their names in the source.
    pub parts: BTreeMap<String, String>,
    /// Script, glue, WASM and styles of the worklist.
    pub worklist: [String; 4],
}

impl Manifest {
    pub const NAME: &str = "manifest.json";

    /// The tables of words, one a language.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let names = self.files.iter().map(|file| file.path.as_str());
        names.filter(|name| name.ends_with(".json"))
    }

    pub fn to_json(&self) -> String {
        let manifest = json!({
            "files": self.files,
            "shim": self.shim,
            "glue": self.glue,
            "wasm": self.wasm,
            "css": self.css,
            "parts": self.parts,
            "worklist": self.worklist,
        });
        format!("{manifest:#}\n")
    }

    /// Sizes file by file, and the download of the code (WASM and JavaScript) in brotli.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let (mut code, mut first, mut worklist) = (0, 0, 0);
        for file in &self.files {
            let _never_fails = writeln!(
                text,
                "  {:<40} {:>9} bytes {:>9} brotli",
                file.path, file.bytes, file.brotli
            );
            // Styles are counted apart, and words of other languages are fetched by few.
            if file.path.ends_with(".css") || file.path.ends_with(".json") {
                continue;
            }
            if self.worklist.contains(&file.path) {
                worklist += file.brotli;
            } else {
                code += file.brotli;
                if !self.parts.values().any(|part| *part == file.path) {
                    first += file.brotli;
                }
            }
        }
        let _never_fails = write!(
            text,
            "Download of the control (WASM and JavaScript, brotli): {first} bytes first, {code} in all\n\
             Download of the worklist: {worklist} bytes"
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn file(path: &str, brotli: u64) -> File {
        File {
            path: path.to_owned(),
            bytes: 10 * brotli,
            brotli,
            sha256: "00ff".to_owned(),
            immutable: path.contains('-'),
        }
    }

    fn manifest() -> Manifest {
        Manifest {
            files: vec![
                file("s.js", 3),
                file("g-1.js", 5),
                file("w-1.wasm", 70),
                file("c-1.css", 9),
                file("p-1.wasm", 20),
                file("l.js", 1),
                file("l-1.js", 2),
                file("l-1.wasm", 30),
                file("l-1.css", 4),
            ],
            shim: "s.js".to_owned(),
            glue: "g-1.js".to_owned(),
            wasm: "w-1.wasm".to_owned(),
            css: "c-1.css".to_owned(),
            parts: [("rest".to_owned(), "p-1.wasm".to_owned())].into(),
            worklist: ["l.js", "l-1.js", "l-1.wasm", "l-1.css"].map(str::to_owned),
        }
    }

    #[test]
    fn the_written_form_has_the_agreed_keys() {
        let written: Value = serde_json::from_str(&manifest().to_json()).expect("valid JSON");
        assert_eq!(
            written["files"][1],
            json!({
                "path": "g-1.js", "bytes": 50, "brotli": 5, "sha256": "00ff", "immutable": true
            })
        );
        assert_eq!(written["files"][0]["immutable"], false);
        assert_eq!(written["parts"], json!({"rest": "p-1.wasm"}));
        for (part, path) in [
            ("shim", "s.js"),
            ("glue", "g-1.js"),
            ("wasm", "w-1.wasm"),
            ("css", "c-1.css"),
        ] {
            assert_eq!(written[part], path);
        }
    }

    #[test]
    fn the_summary_counts_code_but_not_styles() {
        assert!(
            manifest().summary().ends_with(
                "brotli): 78 bytes first, 98 in all\nDownload of the worklist: 33 bytes"
            )
        );
    }
}
