//! `--ca-file`: authorities that sign certificates in the operator's own network.
//!
//! Read before a command runs, because any of them may connect to other systems.

use std::path::PathBuf;

use checklist_egress::read_authorities;
use checklist_runtime::authorities;

use crate::config::StartupError;

/// Trusts the certificates in these files, beside those that the system trusts.
///
/// # Errors
/// A file cannot be read, or holds no certificate.
pub(super) fn trust(files: &[PathBuf]) -> Result<(), StartupError> {
    let mut all = Vec::new();
    for file in files {
        let read = std::fs::read(file).map_err(|error| error.to_string());
        let certificates = read
            .and_then(|pem| read_authorities(&pem))
            .map_err(|reason| {
                StartupError::configuration(
                    format!("--ca-file {} cannot be used: {reason}.", file.display()),
                    "Name a file with certificates as PEM: -----BEGIN CERTIFICATE-----.",
                )
            })?;
        all.extend(certificates);
    }
    authorities::trust(all);
    Ok(())
}
