//! Writes the documentation (`xtask-docs`) into `target/docs/`: each file compressed, and a manifest
//! that the server's build script reads to embed them.

use std::collections::BTreeSet;

use anyhow::Result;
use serde_json::json;

use super::assets::{gzipped, remove_others, sha256, write_if_changed};
use crate::files;
use crate::project::Project;

const MANIFEST: &str = "manifest.json";

/// Makes the folder hold exactly the files of the documentation.
///
/// # Errors
/// When a page cannot be made, or the folder cannot be written.
pub fn assemble(project: &Project) -> Result<()> {
    let folder = project.docs();
    files::make(&folder)?;
    let mut entries = Vec::new();
    let mut names = BTreeSet::from([MANIFEST.to_owned()]);
    let mut bytes = 0;
    for file in xtask_docs::site(&project.root)? {
        // All files are in one folder.
        let packed = format!("{}.gz", file.path.replace('/', "--"));
        let compressed = gzipped(&file.bytes)?;
        bytes += compressed.len();
        write_if_changed(&folder.join(&packed), &compressed)?;
        entries.push(json!({ "path": file.path, "packed": packed, "sha256": sha256(&file.bytes) }));
        names.insert(packed);
    }
    remove_others(&folder, |name| names.contains(name))?;
    let count = entries.len();
    let manifest = format!("{:#}\n", json!({ "files": entries }));
    write_if_changed(&folder.join(MANIFEST), manifest.as_bytes())?;
    println!("   {count} files of the documentation, {bytes} bytes with gzip");
    Ok(())
}
