//! Browsers that outlive the tests which started them: nextest gives each test a process of its own,
//! and starting a browser takes longer than most tests. Tests leave a browser that they have not
//! broken in this folder, and the next one takes it up (`tests/src/browser/driver.rs`).
//!
//! All of them end with this value, and with this process however that ends: what runs them reads a
//! pipe in the folder, which is open for writing here alone.

use std::fs::File;
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::scratch;
use crate::project::{Environment, output_of};

/// The folder.
pub struct Browsers {
    // Dropped first: the browsers end, and nothing writes into the folder any more.
    _pipe: File,
    folder: TempDir,
}

impl Browsers {
    /// A folder without a browser.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn none_yet() -> Result<Self> {
        let folder = scratch::folder()?;
        let pipe = folder.path().join("pipe");
        output_of(Command::new("mkfifo").arg(&pipe))?;
        // For reading too, because opening for writing alone waits for a reader.
        let opened = File::options().read(true).write(true).open(&pipe);
        Ok(Self {
            _pipe: opened.context("opening a pipe")?,
            folder,
        })
    }

    /// Tells the tests where it is.
    pub fn environment(&self) -> Environment {
        vec![("CHECKLIST_BROWSERS", self.folder.path().into())]
    }
}
