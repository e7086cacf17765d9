//! The bill of materials (CycloneDX): the crates in the server. What cargo-sbom draws at random, reads
//! from the clock or knows of who calls it is replaced, so that the same commit gives the same bytes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde_json::Value;

use crate::build::sha256;
use crate::cargo_tool;
use crate::files::write;
use crate::project::{Project, output_of};

const VERSION: &str = "0.10.0";

/// Writes it.
///
/// # Errors
/// When cargo-sbom cannot be had, or fails.
pub fn make(project: &Project, folder: &Path, time: u64) -> Result<()> {
    let mut command = Command::new(cargo_tool::ensure(project, "cargo-sbom", VERSION)?);
    command.current_dir(&project.root).args([
        "--cargo-package",
        "checklist-program",
        "--output-format",
        "cyclone_dx_json_1_6",
    ]);
    let listed = output_of(&mut command)?;
    let root = project.root.display().to_string();
    let text = String::from_utf8(listed.stdout).context("the bill is no text")?;
    let text = settled(&text.replace(&root, "checklist"), time)?;
    let name = format!("checklist-server-{}.cdx.json", project.version);
    write(&folder.join(name), text)
}

/// The bill in one order, with the release's time, without the user of this machine, and with a number
/// that follows from the rest.
fn settled(text: &str, time: u64) -> Result<String> {
    let mut bill: Value = serde_json::from_str(text).context("reading the bill of materials")?;
    sort(&mut bill);
    if let Some(metadata) = bill["metadata"].as_object_mut() {
        metadata.remove("authors");
    }
    bill["metadata"]["timestamp"] = Timestamp::from_second(i64::try_from(time)?)?
        .to_string()
        .into();
    bill["serialNumber"] = Value::Null;
    let hex = sha256(&serde_json::to_vec(&bill)?);
    // As a UUID of version 8, whose bits are the writer's to choose.
    bill["serialNumber"] = format!(
        "urn:uuid:{}-{}-8{}-8{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..32]
    )
    .into();
    Ok(serde_json::to_string_pretty(&bill)? + "\n")
}

/// Sorts all arrays: those of a bill have no order, and come in another one each time.
fn sort(value: &mut Value) {
    match value {
        Value::Array(values) => {
            values.iter_mut().for_each(sort);
            values.sort_by_cached_key(Value::to_string);
        }
        Value::Object(members) => members.values_mut().for_each(sort),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bill_made_at_another_moment_by_somebody_else_is_the_same() {
        let made = |number: &str, time: &str, user: &str, crates: [&str; 2]| {
            let crates = crates.map(|name| {
                let (one, other) = if user == "ada" {
                    ("x", "y")
                } else {
                    ("y", "x")
                };
                serde_json::json!({ "ref": name, "dependsOn": [one, other] })
            });
            let bill = serde_json::json!({
                "serialNumber": format!("urn:uuid:{number}"),
                "metadata": { "timestamp": time, "authors": [{ "name": user }] },
                "dependencies": crates,
            });
            settled(&bill.to_string(), 1_800_000_000).expect("a bill")
        };
        let one = made("1", "2026-01-01T00:00:00Z", "ada", ["serde", "axum"]);
        let other = made("2", "2026-02-02T00:00:00Z", "ben", ["axum", "serde"]);
        assert_eq!(one, other);
        assert!(one.contains("2027-01-15T08:00:00Z"), "{one}");
        assert!(!one.contains("authors"), "{one}");
    }
}
