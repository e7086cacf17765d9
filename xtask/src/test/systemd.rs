//! `systemd-analyze`, for the test of the service's unit file: the system's, or Debian's
//! package if it can be installed. If it is unavailable, that test is skipped, and the stage
//! says so.

use std::process::Command;

use anyhow::{Result, bail};

use super::debian;
use crate::project::output_of;

/// The module of tests that needs it.
pub const TESTS: &str = "service_unit::";

/// Installs it where it is missing.
///
/// # Errors
/// When it cannot be had.
pub fn find_or_fetch() -> Result<()> {
    let answers = || output_of(Command::new("systemd-analyze").arg("--version")).is_ok();
    if answers() {
        return Ok(());
    }
    debian::need_apt("systemd")?;
    let Some(rights) = debian::rights() else {
        bail!("there is no systemd-analyze; install systemd");
    };
    debian::install(&rights, &["systemd"])?;
    if !answers() {
        bail!("systemd was installed, but there is no systemd-analyze");
    }
    Ok(())
}
