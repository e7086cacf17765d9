//! Recordings on disk: one file for each answer, batches taken apart.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub status: u16,
    pub body: String,
}

/// Every recording below a folder, by its name, in order.
///
/// # Errors
/// A file cannot be read.
pub fn all(folder: &Path) -> io::Result<Vec<(String, Recording)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if let Some(name) = name.strip_suffix(".response.json")
                && let Some(recording) = read(&fs::read_to_string(&path)?)
            {
                found.push((name.to_owned(), recording));
            }
        }
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(found)
}

fn read(text: &str) -> Option<Recording> {
    let file: Value = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()?;
    Some(Recording {
        status: u16::try_from(file["StatusCode"].as_u64()?).ok()?,
        body: file["Response"].as_str().unwrap_or_default().to_owned(),
    })
}

impl Recording {
    /// The answers of a batch, or the one that this is.
    #[must_use]
    pub fn parts(&self) -> Vec<Self> {
        let first = self.body.lines().next().unwrap_or_default().trim_end();
        if !first.starts_with("--batchresponse_") {
            return vec![self.clone()];
        }
        let parts = self.body.split(first).filter_map(|part| {
            let (_, answer) = part.split_once("HTTP/1.1 ")?;
            let status = answer.get(..3)?.parse().ok()?;
            let body = answer
                .split_once("\r\n\r\n")
                .or_else(|| answer.split_once("\n\n"))
                .map_or("", |(_, body)| body);
            Some(Self {
                status,
                body: body.trim().to_owned(),
            })
        });
        parts.collect()
    }
}
