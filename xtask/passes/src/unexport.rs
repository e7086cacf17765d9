//! Removes exports of dependencies that nobody here calls. Leptos brings streams for server
//! functions, and as long as their classes are exported, they and their part of the glue are kept.

use anyhow::{Context, Result, ensure};

/// The classes of `wasm-streams`, as far as their names agree.
const UNCALLED: &str = "intounderlying";
/// Where wasm-bindgen's macros leave what they know, until the glue is made.
const KNOWN: &str = "__wasm_bindgen_unstable";

const CUSTOM: u8 = 0;
const EXPORTS: u8 = 7;

/// The same library without the classes that nobody calls.
///
/// # Errors
/// When it is no WASM, or is cut off.
pub fn uncalled(wasm: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader(wasm);
    let mut out = reader.bytes(8)?.to_vec();
    ensure!(out.starts_with(b"\0asm"), "this is no WASM");
    while !reader.0.is_empty() {
        let kind = reader.bytes(1)?[0];
        let content = reader.counted()?;
        let content = match kind {
            EXPORTS => exports(content)?,
            CUSTOM => custom(content)?,
            _ => content.to_vec(),
        };
        out.push(kind);
        push_number(&mut out, content.len());
        out.extend(content);
    }
    Ok(out)
}

fn is_called(name: &[u8]) -> bool {
    !String::from_utf8_lossy(name)
        .to_ascii_lowercase()
        .contains(UNCALLED)
}

fn exports(content: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader(content);
    let mut kept: Vec<u8> = Vec::new();
    let mut count = 0;
    for _ in 0..reader.number()? {
        let start = reader.0;
        let name = reader.counted()?;
        reader.bytes(1)?;
        reader.number()?;
        if is_called(name) {
            kept.extend(&start[..start.len() - reader.0.len()]);
            count += 1;
        }
    }
    let mut out = Vec::new();
    push_number(&mut out, count);
    out.extend(kept);
    Ok(out)
}

/// The section contains the data of the macros in pieces, each preceded by its length: the version,
/// then the data of one macro use.
fn custom(content: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader(content);
    let name = reader.counted()?;
    if name != KNOWN.as_bytes() {
        return Ok(content.to_vec());
    }
    let mut out = content[..content.len() - reader.0.len()].to_vec();
    while !reader.0.is_empty() {
        let (version, said) = (reader.piece()?, reader.piece()?);
        if is_called(said) {
            for piece in [version, said] {
                out.extend(u32::try_from(piece.len())?.to_le_bytes());
                out.extend(piece);
            }
        }
    }
    Ok(out)
}

/// The unread rest.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (read, rest) = self
            .0
            .split_at_checked(count)
            .context("the WASM is cut off")?;
        self.0 = rest;
        Ok(read)
    }

    /// A number in LEB128.
    fn number(&mut self) -> Result<usize> {
        let mut number = 0;
        for shift in (0..).step_by(7) {
            ensure!(shift < 35, "a number in the WASM is too large");
            let byte = self.bytes(1)?[0];
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    /// Bytes with their number before them.
    fn counted(&mut self) -> Result<&'a [u8]> {
        let count = self.number()?;
        self.bytes(count)
    }

    fn piece(&mut self) -> Result<&'a [u8]> {
        let length = self.bytes(4)?.try_into()?;
        self.bytes(usize::try_from(u32::from_le_bytes(length))?)
    }
}

fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(kind: u8, content: &[u8]) -> Vec<u8> {
        let mut out = vec![kind];
        push_number(&mut out, content.len());
        out.extend(content);
        out
    }

    fn named(name: &str) -> Vec<u8> {
        let mut out = Vec::new();
        push_number(&mut out, name.len());
        out.extend(name.as_bytes());
        out
    }

    fn library(exported: &[&str], said: &[&str]) -> Vec<u8> {
        let mut exports = Vec::new();
        push_number(&mut exports, exported.len());
        for name in exported {
            exports.extend(named(name));
            exports.extend([0, 0xc8, 0x01]);
        }
        let mut known = named(KNOWN);
        for text in said {
            for piece in ["{}", text] {
                known.extend((piece.len() as u32).to_le_bytes());
                known.extend(piece.as_bytes());
            }
        }
        let code = section(10, &[7; 300]);
        [
            b"\0asm\x01\0\0\0".to_vec(),
            section(EXPORTS, &exports),
            code,
            section(CUSTOM, &named("name")),
            section(CUSTOM, &known),
        ]
        .concat()
    }

    #[test]
    fn only_what_nobody_calls_goes() {
        let all = library(
            &["mount", "intounderlyingsource_pull", "memory"],
            &["control", "IntoUnderlyingSource pull", "preview"],
        );
        let kept = library(&["mount", "memory"], &["control", "preview"]);
        assert_eq!(uncalled(&all).expect("valid"), kept);
        assert_eq!(uncalled(&kept).expect("valid"), kept);
    }

    #[test]
    fn half_a_file_is_refused() {
        let all = library(&["mount"], &["control"]);
        assert!(uncalled(&all[..all.len() - 1]).is_err());
        assert!(uncalled(b"<!doctype html>").is_err());
    }
}
