//! The npm package: npm takes it from its file, and a program that renders pages can import it.

use std::process::Command;

use checklist_tests::process::Process;
use tempfile::TempDir;

use super::{commands, file, folder};

const IMPORT: &str = "import * as element from '@checklist-control/element';
import { createRequire } from 'node:module';
const { version } = createRequire(import.meta.url)('@checklist-control/element/package.json');
console.log(version, Object.keys(element).sort().join(' '));";

#[test]
fn the_package_is_installed_from_its_file_and_imported() {
    let project = TempDir::new().unwrap();
    let tarball = file(".tgz");
    std::fs::copy(folder().join(&tarball), project.path().join(&tarball)).unwrap();
    let install = commands("docs/OPERATION.md", "### npm");
    assert!(install.contains(&tarball), "{install}");
    // It depends on nothing, so nothing is fetched.
    let install = install.replace("npm install", "npm install --offline --no-audit --no-fund");
    let script = format!("echo '{{\"private\": true}}' > package.json\n{install}");
    let installed = Process::start(
        Command::new("sh")
            .args(["-euc", &script])
            .current_dir(project.path()),
    )
    .ended();
    assert!(installed.status.success(), "{}", installed.said);

    let node = std::env::var_os("CHECKLIST_NODE").expect("Node is named");
    let imported = Process::start(
        Command::new(node)
            .args(["--input-type=module", "--eval", IMPORT])
            .current_dir(project.path()),
    )
    .ended();
    assert!(imported.status.success(), "{}", imported.said);
    let expected = format!("{} ChecklistControl ChecklistPreview", super::VERSION);
    assert_eq!(imported.said.trim(), expected);
}
