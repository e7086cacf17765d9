//! The data file: the whole site as JSON, replaced in one step so that it is never half written.
//!
//! Called when the server starts and after every request that changed something.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use super::Site;

/// Reads a site; `None` where there is no file yet.
///
/// # Errors
/// It cannot be read, or is not what `save` writes.
pub fn load(path: &Path) -> io::Result<Option<Site>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let site = serde_json::from_slice(&text);
    site.map(Some)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Writes a site, readable for its owner.
///
/// # Errors
/// The folder cannot be written to; the old file is then still there.
pub fn save(site: &Site, path: &Path) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let mut buffered = io::BufWriter::new(&mut file);
    serde_json::to_writer(&mut buffered, site)?;
    buffered.flush()?;
    drop(buffered);
    file.as_file().sync_data()?;
    file.persist(path)?;
    Ok(())
}
