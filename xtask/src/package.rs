//! `cargo xtask package`: the npm package of the elements, as a folder and as the tarball for
//! `npm publish`. The control is built first; its files get stable names here, because
//! bundlers add their own hashes. The hand-written files are in `frontend/package`,
//! next to those that `describe` generates. The tests of the framework pages call [`assemble`] too.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::{Map, Value};

use crate::build::{self, Manifest, Script, element_script};
use crate::describe;
use crate::dist::archive::{self, LONG_AGO, Size};
use crate::files;
use crate::project::Project;

/// Packs the elements for npm into target/package.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
    cargo xtask package\n  \
    npm publish target/package/checklist-control-element-*.tgz")]
pub struct Options {}

/// The names of the files that the script loads, in the package.
const GLUE: &str = "checklist-glue.js";
const WASM: &str = "checklist.wasm";
const STYLES: &str = "checklist.css";
/// The tables of words, without the language and `.json`.
const WORDS: &str = "checklist-words";
/// What the worklist loads: glue, WASM and styles.
const WORKLIST: [&str; 3] = [
    "checklist-worklist-glue.js",
    "checklist-worklist.wasm",
    "checklist-worklist.css",
];

/// How the script determines the server's URL, and how it does in a package, which is not loaded
/// from the server.
const BASE: [&str; 2] = [
    "new URL(\"..\", import.meta.url)",
    "new URL(\"/\", document.baseURI)",
];

/// The folder and the tarball of the package.
pub struct Package {
    /// The package as in `node_modules`.
    pub folder: PathBuf,
    pub tarball: PathBuf,
}

/// Runs the command.
///
/// # Errors
/// When the control does not build, or a file of the package is missing.
pub fn run(project: &Project, _options: &Options) -> Result<ExitCode> {
    let manifest = build::element(project)?;
    let package = assemble(project, &manifest)?;
    for file in archive::content(&package.folder)? {
        println!("  {:<32} {:>8} bytes", file.name, file.bytes.len());
    }
    println!("Folder:  {}", package.folder.display());
    println!("Tarball: {}", package.tarball.display());
    Ok(ExitCode::SUCCESS)
}

/// Puts the package together from a built control.
///
/// # Errors
/// When a file is missing or cannot be written.
pub fn assemble(project: &Project, manifest: &Manifest) -> Result<Package> {
    let source = project.root.join("frontend/package");
    let description = description(&source.join("package.json"), &project.version)?;
    let folder = project.target.join("package").join("element");
    files::empty(&folder)?;
    let write = |name: &str, bytes: &[u8]| files::write(&folder.join(name), bytes);
    let copy = |from: &Path, name: &str| write(name, &files::read(from)?);

    write("package.json", description.text.as_bytes())?;
    for script in [Script::Control, Script::Worklist] {
        let name = script.name();
        let of_package = packaged_script(project, manifest, script)?;
        write(&name, of_package.as_bytes())?;
        // The script where there is no document.
        let server = name.replace(".js", ".server.js");
        let classes = describe::classes(project, &name)?;
        write(&server, stand_in(&classes).as_bytes())?;
    }
    let control = project.control();
    copy(&control.join(&manifest.glue), GLUE)?;
    copy(&control.join(&manifest.wasm), WASM)?;
    copy(&control.join(&manifest.css), STYLES)?;
    let [_, of_worklist @ ..] = &manifest.worklist;
    for (built, name) in of_worklist.iter().zip(WORKLIST) {
        copy(&control.join(built), name)?;
    }
    for (name, path) in &manifest.parts {
        copy(&control.join(path), &part(name))?;
    }
    for table in manifest.words() {
        let language = table.trim_end_matches(".json");
        let language = language.rsplit('.').next().unwrap_or(language);
        copy(&control.join(table), &format!("{WORDS}.{language}.json"))?;
    }
    for (path, text) in describe::packaged(project)? {
        let name = path.to_string_lossy();
        write(&name, text.as_bytes())?;
        // Beside the typings of a framework lies a script that is the elements themselves.
        if let Some(framework) = name.strip_suffix(".d.ts")
            && !framework.starts_with("checklist-")
        {
            let script = format!("export * from \"{}\";\n", description.name);
            write(&format!("{framework}.js"), script.as_bytes())?;
        }
    }
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&project.root.join(licence), licence)?;
    }
    let tarball = folder.with_file_name(description.tarball());
    let content = archive::content(&folder)?;
    archive::tar_gz("package", &content, LONG_AGO, &tarball, Size::Small)?;
    Ok(Package { folder, tarball })
}

/// `package.json`, and what others have to know of it.
struct Description {
    name: String,
    version: String,
    text: String,
}

impl Description {
    /// The name that `npm pack` would choose.
    fn tarball(&self) -> String {
        let name = self.name.trim_start_matches('@').replace('/', "-");
        format!("{name}-{}.tgz", self.version)
    }
}

/// The committed description with the workspace's version, behind the name.
fn description(path: &Path, version: &str) -> Result<Description> {
    let text = files::read_text(path)?;
    let read: Map<String, Value> =
        serde_json::from_str(&text).with_context(|| format!("reading {}", path.display()))?;
    ensure!(
        !read.contains_key("version"),
        "{}: the version is the workspace's, so none may stand here",
        path.display()
    );
    let name = read["name"]
        .as_str()
        .ok_or_else(|| anyhow!("{}: there is no name", path.display()))?
        .to_owned();
    let mut whole = Map::new();
    for (key, value) in read {
        let is_name = key == "name";
        whole.insert(key, value);
        if is_name {
            whole.insert("version".to_owned(), version.into());
        }
    }
    let text = serde_json::to_string_pretty(&Value::Object(whole))? + "\n";
    Ok(Description {
        name,
        version: version.to_owned(),
        text,
    })
}

/// The hand-written script as it is, with the package's names in it: bundlers make it small, and
/// the notes for them in it have to stay.
fn packaged_script(project: &Project, manifest: &Manifest, script: Script) -> Result<String> {
    let mut text = element_script(project, script)?;
    let [own, elsewhere] = BASE;
    let ([glue, wasm, styles], parts) = match script {
        Script::Control => ([GLUE, WASM, STYLES], Some(manifest.parts.keys())),
        Script::Worklist => (WORKLIST, None),
    };
    let parts = parts.into_iter().flatten();
    let parts = parts.map(|name| (build::place_of(name), format!("./{}", part(name))));
    for (place, name) in [
        ("__CHECKLIST_GLUE__".to_owned(), format!("./{glue}")),
        ("__CHECKLIST_WASM__".to_owned(), format!("./{wasm}")),
        ("__CHECKLIST_STYLES__".to_owned(), format!("./{styles}")),
        (own.to_owned(), elsewhere.to_owned()),
    ]
    .into_iter()
    .chain(parts)
    {
        ensure!(
            text.matches(&place).count() == 1,
            "the element's script has to contain `{place}` once"
        );
        text = text.replace(&place, &name);
    }
    let words = "__CHECKLIST_WORDS__";
    ensure!(
        text.contains(words),
        "the element's script has to contain `{words}`"
    );
    Ok(text.replace(words, &format!("./{WORDS}")))
}

/// The name of a lazy chunk in the package.
fn part(name: &str) -> String {
    format!("checklist-{name}.wasm")
}

/// What a server that renders pages gets instead: names without elements behind them.
fn stand_in(classes: &[String]) -> String {
    let mut text = String::from(
        "// Where there is no document there is nothing to define; the elements come to life in the browser.\n",
    );
    for class in classes {
        text.push_str(&format!("export class {class} {{}}\n"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_the_workspace_stands_behind_the_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("package.json");
        files::write(&file, r#"{"name": "@a/b", "type": "module"}"#).expect("a file");
        let description = description(&file, "1.2.3").expect("a description");
        let text: String = description.text.split_whitespace().collect();
        assert_eq!(text, r#"{"name":"@a/b","version":"1.2.3","type":"module"}"#);
        assert_eq!(description.tarball(), "a-b-1.2.3.tgz");
    }

    #[test]
    fn a_version_of_its_own_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("package.json");
        files::write(&file, r#"{"name": "a", "version": "9.9.9"}"#).expect("a file");
        assert!(description(&file, "1.2.3").is_err());
    }
}
