//! The files of the control on disk: names with a hash of the content, brotli and gzip for each
//! file, and the manifest last. Only changed files are written, because the best compression is slow
//! and because a newer file triggers a build of the server.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

use super::manifest::{File, Manifest};
use crate::files;

/// Hexadecimal digits of the hash that go into a name.
const HASH_DIGITS: usize = 16;

/// One file before it is written.
pub struct Asset {
    pub path: String,
    pub bytes: Vec<u8>,
    pub immutable: bool,
}

impl Asset {
    /// A file whose name changes with its content.
    pub fn hashed(extension: &str, bytes: Vec<u8>) -> Self {
        Self {
            path: hashed_name(extension, &bytes),
            bytes,
            immutable: true,
        }
    }
}

/// The files of the control.
pub struct Files {
    pub shim: Asset,
    pub glue: Asset,
    pub wasm: Asset,
    pub css: Asset,
    /// The lazy chunks, by their names in the source.
    pub parts: Vec<(String, Asset)>,
    /// Tables of words, one a language.
    pub words: Vec<Asset>,
    pub worklist: Worklist,
}

/// What a page with the worklist loads.
pub struct Worklist {
    pub shim: Asset,
    pub glue: Asset,
    pub wasm: Asset,
    pub css: Asset,
}

impl Worklist {
    const fn all(&self) -> [&Asset; 4] {
        [&self.shim, &self.glue, &self.wasm, &self.css]
    }
}

/// `checklist-<hash of the content>.<extension>`.
pub fn hashed_name(extension: &str, bytes: &[u8]) -> String {
    let hash = sha256(bytes);
    format!("checklist-{}.{extension}", &hash[..HASH_DIGITS])
}

/// The SHA-256 of `bytes` in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Makes `folder` hold exactly the files of the control, their compressed forms and the manifest.
///
/// # Errors
/// When the folder cannot be written.
pub fn write(folder: &Path, control: &Files) -> Result<Manifest> {
    let Files {
        shim,
        glue,
        wasm,
        css,
        parts,
        words,
        worklist,
    } = control;
    let named = |files: &[File]| Manifest {
        files: files.to_vec(),
        shim: shim.path.clone(),
        glue: glue.path.clone(),
        wasm: wasm.path.clone(),
        css: css.path.clone(),
        parts: parts
            .iter()
            .map(|(name, part)| (name.clone(), part.path.clone()))
            .collect(),
        worklist: worklist.all().map(|asset| asset.path.clone()),
    };
    let mut all = vec![shim, glue, wasm, css];
    all.extend(parts.iter().map(|(_, part)| part));
    all.extend(words);
    all.extend(worklist.all());
    let files = write_all(folder, &all, |files| named(files).to_json())?;
    Ok(named(&files))
}

/// Makes `folder` hold exactly these files, their compressed forms and what `manifest` makes of
/// the list of them.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_all(
    folder: &Path,
    assets: &[&Asset],
    manifest: impl FnOnce(&[File]) -> String,
) -> Result<Vec<File>> {
    files::make(folder)?;
    let written = assets
        .iter()
        .map(|asset| write_one(folder, asset))
        .collect::<Result<Vec<_>>>()?;
    remove_others(folder, |name| {
        let plain = name
            .strip_suffix(".br")
            .or_else(|| name.strip_suffix(".gz"));
        let plain = plain.unwrap_or(name);
        name == Manifest::NAME || written.iter().any(|file| file.path == plain)
    })?;
    write_if_changed(&folder.join(Manifest::NAME), manifest(&written).as_bytes())?;
    Ok(written)
}

fn write_one(folder: &Path, asset: &Asset) -> Result<File> {
    let path = folder.join(&asset.path);
    let brotli = folder.join(format!("{}.br", asset.path));
    let gzip = folder.join(format!("{}.gz", asset.path));
    let changed = write_if_changed(&path, &asset.bytes)?;
    if changed || !brotli.exists() || !gzip.exists() {
        write_if_changed(&gzip, &gzipped(&asset.bytes)?)?;
        write_if_changed(&brotli, &brotlied(&asset.bytes)?)?;
    }
    Ok(File {
        path: asset.path.clone(),
        bytes: asset.bytes.len() as u64,
        brotli: fs::metadata(&brotli)
            .with_context(|| format!("looking at {}", brotli.display()))?
            .len(),
        sha256: sha256(&asset.bytes),
        immutable: asset.immutable,
    })
}

/// Returns whether the content was new. The file is replaced by a rename: an interrupted build
/// leaves the old file or the new one, never a partial one that a later build takes for complete.
pub(super) fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|before| before == bytes) {
        return Ok(false);
    }
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".unfinished");
    fs::write(&unfinished, bytes)
        .and_then(|()| fs::rename(&unfinished, path))
        .with_context(|| format!("writing {}", path.display()))?;
    Ok(true)
}

/// Removes what an earlier build left under other names.
pub(super) fn remove_others(folder: &Path, is_wanted: impl Fn(&str) -> bool) -> Result<()> {
    for path in files::list(folder)? {
        if path.is_file() && !is_wanted(&files::name(&path)) {
            files::remove(&path)?;
        }
    }
    Ok(())
}

/// As `gzip -9n`: without a name and a time.
///
/// # Errors
/// None that is known: it writes into memory.
pub fn gzipped(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn brotlied(bytes: &[u8]) -> Result<Vec<u8>> {
    let settings = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &settings)?;
    Ok(packed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    fn assemble(folder: &Path, wasm: &str) -> Manifest {
        let shim = Asset {
            path: "shim.js".to_owned(),
            bytes: b"shim".to_vec(),
            immutable: false,
        };
        let hashed = |extension, text: &str| Asset::hashed(extension, text.as_bytes().to_vec());
        let files = Files {
            shim,
            glue: hashed("js", "glue"),
            wasm: hashed("wasm", wasm),
            css: hashed("css", "a{}"),
            parts: vec![("rest".to_owned(), hashed("wasm", "later"))],
            words: vec![hashed("de.json", "{}")],
            worklist: Worklist {
                shim: hashed("js", "worklist"),
                glue: hashed("js", "glue of the worklist"),
                wasm: hashed("wasm", "worklist"),
                css: hashed("css", "b{}"),
            },
        };
        write(folder, &files).expect("a writable folder")
    }

    fn modified(path: &Path) -> SystemTime {
        fs::metadata(path)
            .and_then(|data| data.modified())
            .expect("a file")
    }

    #[test]
    fn a_name_follows_its_content() {
        assert_eq!(hashed_name("js", b""), "checklist-e3b0c44298fc1c14.js");
        assert_ne!(hashed_name("js", b"a"), hashed_name("js", b"b"));
    }

    #[test]
    fn every_file_lies_there_plain_and_in_two_compressed_forms() {
        let folder = tempfile::tempdir().expect("a folder");
        let manifest = assemble(folder.path(), "wasm");
        for file in &manifest.files {
            let packed = fs::read(folder.path().join(format!("{}.br", file.path))).expect("brotli");
            let mut plain = Vec::new();
            brotli::BrotliDecompress(&mut &packed[..], &mut plain).expect("valid brotli");
            assert_eq!(
                plain,
                fs::read(folder.path().join(&file.path)).expect("plain")
            );
            assert_eq!(file.brotli, packed.len() as u64);
            assert!(folder.path().join(format!("{}.gz", file.path)).exists());
        }
        let written = fs::read_to_string(folder.path().join(Manifest::NAME)).expect("a manifest");
        assert_eq!(written, manifest.to_json());
    }

    #[test]
    fn a_second_build_with_nothing_new_touches_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = assemble(folder.path(), "wasm");
        let manifest_file = folder.path().join(Manifest::NAME);
        let before = modified(&manifest_file);
        let packed = folder.path().join(format!("{}.br", first.wasm));
        let packed_before = modified(&packed);
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(assemble(folder.path(), "wasm"), first);
        assert_eq!(modified(&manifest_file), before);
        assert_eq!(modified(&packed), packed_before);
    }

    #[test]
    fn what_an_earlier_build_left_is_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = assemble(folder.path(), "wasm");
        let second = assemble(folder.path(), "other wasm");
        assert_ne!(first.wasm, second.wasm);
        assert!(!folder.path().join(&first.wasm).exists());
        assert!(!folder.path().join(format!("{}.br", first.wasm)).exists());
        assert!(folder.path().join(&second.wasm).exists());
    }
}
