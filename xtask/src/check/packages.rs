//! Which package may depend on which. The product never depends on its tests or tools, the rules
//! depend on no other package here, and browser code never depends on the server's.
//!
//! What a package depends on decides what its code can mention, so the compiler holds the layers of
//! the server; this table holds the manifests. `docs/adr/0021-*` has the reasons.

use crate::project::{Package, Project};

/// A package and the packages of this workspace it may depend on.
const MAY_USE: [(&str, &[&str]); 23] = [
    ("checklist-shared", &[]),
    // Words and the rules of languages: the builder reads them too.
    ("checklist-languages", &[]),
    (
        "checklist-control",
        &["checklist-languages", "checklist-shared"],
    ),
    (
        "checklist-element",
        &["checklist-shared", "checklist-control"],
    ),
    (
        "checklist-worklist",
        &["checklist-shared", "checklist-control"],
    ),
    (
        "checklist-pages",
        &["checklist-shared", "checklist-control"],
    ),
    // As an application of somebody else's would.
    (
        "checklist-leptos-page",
        &["checklist-shared", "checklist-control"],
    ),
    // Usable of its own, so it knows nothing of checklists; its tests ask the counterpart.
    ("site-lists", &["checklist-site-server"]),
    // The clock, randomness and spans: what the others have to ask for.
    ("checklist-runtime", &["checklist-shared"]),
    (
        "checklist-store",
        &["checklist-runtime", "checklist-shared"],
    ),
    // The only one with a client for requests; it has no store.
    (
        "checklist-egress",
        &["checklist-runtime", "checklist-shared", "site-lists"],
    ),
    ("checklist-vault", &["checklist-runtime", "checklist-store"]),
    ("checklist-live", &["checklist-shared", "checklist-store"]),
    (
        "checklist-auth",
        &[
            "checklist-egress",
            // Its tests fill the token cache for as many streams as there are.
            "checklist-live",
            "checklist-runtime",
            "checklist-shared",
            "checklist-store",
            "checklist-vault",
        ],
    ),
    (
        "checklist-workflow",
        &[
            "checklist-runtime",
            "checklist-shared",
            "checklist-store",
            "site-lists",
        ],
    ),
    // Usable without HTTP: it does not depend on axum.
    (
        "checklist-services",
        &[
            "checklist-auth",
            "checklist-egress",
            "checklist-live",
            "checklist-runtime",
            "checklist-shared",
            "checklist-store",
            "checklist-vault",
            "checklist-workflow",
            "site-lists",
        ],
    ),
    // The program: the only one that draws the control.
    (
        "checklist-server",
        &[
            "checklist-auth",
            "checklist-control",
            "checklist-egress",
            "checklist-live",
            "checklist-runtime",
            "checklist-services",
            "checklist-shared",
            "checklist-store",
            "checklist-vault",
            "checklist-workflow",
            "site-lists",
        ],
    ),
    (
        "checklist-tests",
        &[
            "checklist-shared",
            "checklist-control",
            "site-lists",
            "checklist-server",
            "checklist-site-server",
        ],
    ),
    // A counterpart that has nothing of ours in it: what it says is proof.
    ("checklist-site-server", &[]),
    (
        "xtask",
        &[
            "checklist-languages",
            "checklist-shared",
            "xtask-docs",
            "xtask-passes",
        ],
    ),
    ("xtask-docs", &[]),
    ("xtask-passes", &[]),
    ("xtask-wasm-runner", &[]),
];

/// Packages that nothing depends on.
const NEVER_USED: [&str; 4] = [
    "checklist-tests",
    "checklist-leptos-page",
    "xtask",
    "xtask-wasm-runner",
];

/// The dependencies that point the wrong way: the package's folder and a sentence.
pub fn breaches(project: &Project) -> Vec<(String, String)> {
    let ours = |name: &String| project.has_package(name);
    let mut found = Vec::new();
    for package in &project.packages {
        for used in package.dependencies.iter().filter(|name| ours(name)) {
            if let Some(reason) = reason_against(package, used) {
                let folder = package
                    .folder
                    .strip_prefix(&project.root)
                    .unwrap_or(&package.folder);
                let manifest = folder.join("Cargo.toml").to_string_lossy().into_owned();
                found.push((manifest, reason));
            }
        }
    }
    found
}

fn reason_against(package: &Package, used: &str) -> Option<String> {
    let name = &package.name;
    if NEVER_USED.contains(&used) {
        return Some(format!(
            "{name} depends on {used}, which nothing may depend on"
        ));
    }
    let (_, allowed) = MAY_USE.iter().find(|(known, _)| known == name)?;
    (!allowed.contains(&used)).then(|| {
        let allowed = if allowed.is_empty() {
            "nothing".to_owned()
        } else {
            allowed.join(", ")
        };
        format!("{name} depends on {used}; of this workspace it may use {allowed}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn package(name: &str, dependencies: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            folder: PathBuf::from("/p").join(name),
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
            features: Vec::new(),
        }
    }

    fn told(packages: Vec<Package>) -> Vec<(String, String)> {
        breaches(&Project {
            root: PathBuf::from("/p"),
            target: PathBuf::from("/p/target"),
            version: String::new(),
            packages,
        })
    }

    #[test]
    fn the_rules_depend_on_nothing_of_ours() {
        let told = told(vec![
            package("checklist-shared", &["serde", "checklist-control"]),
            package("checklist-control", &["checklist-shared", "leptos"]),
        ]);
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].0, "checklist-shared/Cargo.toml");
        assert!(told[0].1.ends_with("it may use nothing"), "{}", told[0].1);
    }

    #[test]
    fn nothing_depends_on_tests_or_tools() {
        let told = told(vec![
            package("checklist-new", &["checklist-tests"]),
            package("checklist-tests", &["xtask"]),
            package("xtask", &[]),
        ]);
        assert_eq!(told.len(), 2);
        assert!(
            told.iter()
                .all(|(_, reason)| reason.contains("nothing may depend on"))
        );
    }
}
