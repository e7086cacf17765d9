//! The test pages of each framework with the elements from the npm package, and the
//! tools that check the package. All files are in `target/tools/frameworks`: the npm dependencies of
//! `tests/frameworks`, its sources, the package in `node_modules`, and the
//! built pages in `dist`. Without npm, the stage prints the reason, and the tests are skipped.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::npm::{self, Package};
use crate::build::{self, Manifest};
use crate::files;
use crate::package;
use crate::project::{Environment, Project, run};
use crate::stages::step;

const PACKAGE: Package<'_> = Package {
    title: "the frameworks",
    source: SOURCE,
    folder: "frameworks",
    files: &["package.json", "package-lock.json", "react18/package.json"],
};

const SOURCE: &str = "tests/frameworks";

/// React 18 is separate from React 19, because typings look for React next to the package.
const PLACES: [&str; 2] = ["node_modules", "react18/node_modules"];

/// Where the pages are, and what their tools run on.
#[derive(Debug)]
pub struct Frameworks {
    folder: PathBuf,
    node: PathBuf,
}

impl Frameworks {
    /// Tells the tests where they are.
    pub fn environment(&self) -> Environment {
        vec![
            ("CHECKLIST_FRAMEWORKS", self.folder.clone().into()),
            ("CHECKLIST_NODE", self.node.clone().into()),
        ]
    }

    /// Packs the elements and builds all pages with them.
    ///
    /// # Errors
    /// When something does not build.
    pub fn build(&self, project: &Project, manifest: &Manifest) -> Result<()> {
        let packed = package::assemble(project, manifest)?;
        copy(&project.root.join(SOURCE), &self.folder)?;
        for place in PLACES {
            let place = self.folder.join(place).join("@checklist-control/element");
            files::remove(&place)?;
            copy(&packed.folder, &place)?;
        }
        files::copy(&packed.tarball, &self.folder.join("element.tgz"))?;
        self.build_leptos_page(project)?;
        step("build the pages with Vite", || {
            run(Command::new(&self.node)
                .arg("build.js")
                .current_dir(&self.folder))
        })
    }

    /// The page of the Leptos application: no package and no bundler, its own WASM instead.
    fn build_leptos_page(&self, project: &Project) -> Result<()> {
        let bound = build::bound(
            project,
            "the page with Leptos",
            "checklist-leptos-page",
            "bindgen-leptos-page",
        )?;
        let source = project.root.join(SOURCE).join("leptos");
        let folder = self.folder.join("dist/leptos");
        for name in ["index.html", "start.js"] {
            files::copy(&source.join(name), &folder.join(name))?;
        }
        files::write(&folder.join("page.js"), bound.glue)?;
        files::write(&folder.join("page.wasm"), bound.wasm)
    }
}

/// Installs what is not there yet.
///
/// # Errors
/// npm is missing, or gives nothing.
pub fn find_or_fetch(project: &Project) -> Result<Frameworks> {
    Ok(Frameworks {
        folder: npm::install(project, &PACKAGE)?,
        node: npm::node(project)?,
    })
}

/// Copies a folder recursively over an existing one; files that npm may have left in the
/// sources are not copied.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for source in files::list(from)? {
        let name = files::name(&source);
        let target = to.join(&name);
        if name == "node_modules" {
            continue;
        }
        if source.is_dir() {
            copy(&source, &target)?;
        } else {
            files::copy(&source, &target)?;
        }
    }
    Ok(())
}
