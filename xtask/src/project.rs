//! The project on disk: its root, its packages, the target directory, and how to start
//! cargo. Every command begins here, so that all use one target directory and
//! one selection of packages and features (a second selection would rebuild everything).

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus, Output, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value;

/// The target triple of everything that runs in the browser.
pub const WASM: &str = "wasm32-unknown-unknown";

/// Packages that are never part of the native selection: the elements and the page of a Leptos
/// application are WASM only, and the tools' dependencies would otherwise be unified with the
/// product's.
const NOT_NATIVE: [&str; 7] = [
    "checklist-element",
    "checklist-worklist",
    "checklist-leptos-page",
    "xtask",
    "xtask-docs",
    "xtask-passes",
    "xtask-wasm-runner",
];

/// One package of the workspace, as far as the commands look at it.
#[derive(Clone)]
pub struct Package {
    pub name: String,
    pub folder: PathBuf,
    /// Names of the packages in `[dependencies]`, `[dev-dependencies]` and `[build-dependencies]`.
    pub dependencies: Vec<String>,
    pub features: Vec<String>,
}

/// The workspace as `cargo metadata` describes it.
#[derive(Clone)]
pub struct Project {
    pub root: PathBuf,
    pub target: PathBuf,
    /// The one version of all packages.
    pub version: String,
    pub packages: Vec<Package>,
    /// Where this run records which packages passed the lints while they were compiled (`check::rustc_wrapper`).
    pub lint_results: Option<PathBuf>,
}

impl Project {
    /// Asks cargo about the workspace this program belongs to.
    ///
    /// # Errors
    /// When cargo cannot be started or cannot read the workspace.
    pub fn find() -> Result<Self> {
        let here = std::env::var_os("CARGO_MANIFEST_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
        let mut command = bare_cargo();
        command.current_dir(&here);
        command.args(["metadata", "--no-deps", "--format-version", "1"]);
        let output = output_of(&mut command)?;
        let metadata: Value =
            serde_json::from_slice(&output.stdout).context("reading what `cargo metadata` says")?;
        Self::read(&metadata)
    }

    fn read(metadata: &Value) -> Result<Self> {
        let path = |key: &str| {
            metadata[key]
                .as_str()
                .map(PathBuf::from)
                .ok_or_else(|| anyhow!("`cargo metadata` names no {key}"))
        };
        let packages = metadata["packages"]
            .as_array()
            .ok_or_else(|| anyhow!("`cargo metadata` names no packages"))?;
        let version = packages
            .iter()
            .find_map(|package| package["version"].as_str());
        Ok(Self {
            root: path("workspace_root")?,
            target: path("target_directory")?,
            version: version.unwrap_or_default().to_owned(),
            packages: packages.iter().map(read_package).collect::<Result<_>>()?,
            lint_results: None,
        })
    }

    /// The folder of the assembled control, which the server embeds.
    pub fn control(&self) -> PathBuf {
        self.target.join("control")
    }

    /// The folder of the assembled pages; the server looks for it beside the control.
    pub fn pages(&self) -> PathBuf {
        self.target.join("pages")
    }

    /// The folder of the documentation; the server looks for it beside the control.
    pub fn docs(&self) -> PathBuf {
        self.target.join("docs")
    }

    /// Tools that were fetched for the tests.
    pub fn tools(&self) -> PathBuf {
        self.target.join("tools")
    }

    /// A program that cargo has built in the development profile.
    pub fn program(&self, name: &str) -> PathBuf {
        self.target.join("debug").join(name)
    }

    fn has_package(&self, name: &str) -> bool {
        self.packages.iter().any(|package| package.name == name)
    }

    /// Cargo in the project's root, with what this program inherited from its own `cargo run`
    /// taken away and the control's place named where the server would not find it by itself.
    pub fn cargo<I, S>(&self, arguments: I) -> Command
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let mut command = bare_cargo();
        self.prepare(&mut command);
        command.args(arguments);
        command
    }

    /// Has a program of cargo's run in the project's root, and look for the control where it is.
    pub fn prepare(&self, command: &mut Command) {
        command.current_dir(&self.root);
        set_environment(command);
        if self.target != self.root.join("target") {
            command.env("CHECKLIST_CONTROL_DIR", self.control());
        }
    }

    /// Selects everything native, and has clippy lint it while it is compiled: what is tested is
    /// compiled once, not once more for the lints. Cargo shows the warnings of what it does not
    /// compile again, too.
    pub fn select_native<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        linted(command.args(self.native_selection()))
    }

    /// The arguments that select everything native, always with the same features.
    fn native_selection(&self) -> Vec<String> {
        let mut arguments = vec!["--workspace".to_owned(), "--locked".to_owned()];
        for name in NOT_NATIVE.into_iter().filter(|name| self.has_package(name)) {
            arguments.extend(["--exclude".to_owned(), name.to_owned()]);
        }
        // Natively the control is only ever rendered, never mounted: no `csr`.
        arguments.push("--no-default-features".to_owned());
        for package in &self.packages {
            for feature in [
                "ssr",
                "openapi",
                "direct",
                "windows-sign-in",
                "opentelemetry",
                "paused-clock",
            ] {
                if !NOT_NATIVE.contains(&package.name.as_str())
                    && package.features.iter().any(|name| name == feature)
                {
                    arguments.push(format!("--features={}/{feature}", package.name));
                }
            }
        }
        arguments
    }
}

/// Has clippy lint the members of the workspace while a command compiles them.
pub fn linted(command: &mut Command) -> &mut Command {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver")
}

fn read_package(package: &Value) -> Result<Package> {
    let text = |value: &Value, what: &str| {
        value
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| anyhow!("`cargo metadata` has a package without {what}"))
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let manifest = PathBuf::from(text(&package["manifest_path"], "manifest")?);
    Ok(Package {
        name: text(&package["name"], "name")?,
        folder: manifest.parent().map(Path::to_path_buf).unwrap_or_default(),
        dependencies: list(&package["dependencies"])
            .iter()
            .map(|dependency| text(&dependency["name"], "named dependencies"))
            .collect::<Result<_>>()?,
        features: package["features"]
            .as_object()
            .map(|features| features.keys().cloned().collect())
            .unwrap_or_default(),
    })
}

fn bare_cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    set_environment(&mut command);
    command
}

/// Whether cargo compiles members of the workspace incrementally.
pub const INCREMENTAL: &str = "CARGO_INCREMENTAL";

/// What differs in CI, unless it is set already: everything is compiled once, so what a second time
/// would profit from costs time and disk; and a failed test names its line without debug information.
const IN_CI: [(&str, &str); 2] = [(INCREMENTAL, "0"), ("CARGO_PROFILE_DEV_DEBUG", "none")];

fn set_environment(command: &mut Command) {
    for (name, value) in IN_CI {
        if in_ci() && std::env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        // These describe xtask itself; build scripts that watch them would run again for nothing.
        if name_text.starts_with("CARGO_PKG_") || name_text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
}

/// Runs a command with this terminal.
///
/// # Errors
/// When it cannot be started or does not end with success; the message is the command line.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("starting `{}`", shown(command)))?;
    if status.success() {
        return Ok(());
    }
    bail!("`{}` failed ({status})", shown(command))
}

/// Runs a command with this terminal; `see` is told every line that it prints.
///
/// # Errors
/// When it cannot be started, or what it prints cannot be read.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<ExitStatus> {
    let line = shown(command);
    let child = command.stdout(Stdio::piped()).spawn();
    let mut child = child.with_context(|| format!("starting `{line}`"))?;
    for printed in child
        .stdout
        .take()
        .map(BufReader::new)
        .into_iter()
        .flat_map(|out| out.split(b'\n'))
    {
        let printed = printed.with_context(|| format!("reading what `{line}` prints"))?;
        let printed = String::from_utf8_lossy(&printed);
        println!("{printed}");
        see(&printed);
    }
    child
        .wait()
        .with_context(|| format!("waiting for `{line}`"))
}

/// Runs a command and keeps what it prints.
///
/// # Errors
/// When it cannot be started or does not end with success; what it said is part of the message.
pub fn output_of(command: &mut Command) -> Result<Output> {
    let output = command
        .output()
        .with_context(|| format!("starting `{}`", shown(command)))?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    bail!(
        "`{}` failed ({}): {}",
        shown(command),
        output.status,
        said.trim()
    )
}

/// A command line as a person would type it.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let mut line = program
        .file_name()
        .unwrap_or(command.get_program())
        .to_string_lossy()
        .into_owned();
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&argument.to_string_lossy());
    }
    line
}

/// Environment variables that tell tests where something is.
pub type Environment = Vec<(&'static str, std::ffi::OsString)>;

/// Whether this runs as continuous integration, where a skip counts as a failure.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}

/// Becomes a server, so that signals and the exit code are its own.
///
/// # Errors
/// When it cannot be started.
pub fn become_server(mut server: Command) -> Result<ExitCode> {
    // Comes back only if it fails.
    let error = server.exec();
    Err(error).with_context(|| format!("starting {}", server.get_program().to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn project() -> Project {
        Project::read(&json!({
            "workspace_root": "/p",
            "target_directory": "/elsewhere",
            "packages": [
                { "name": "checklist-element", "version": "1.2.3", "manifest_path": "/p/frontend/element/Cargo.toml" },
                {
                    "name": "checklist-control",
                    "manifest_path": "/p/frontend/Cargo.toml",
                    "features": { "csr": [], "ssr": [] },
                    "dependencies": [{ "name": "leptos" }]
                }
            ]
        }))
        .expect("complete metadata")
    }

    #[test]
    fn metadata_gives_folders_dependencies_and_features() {
        let project = project();
        let control = &project.packages[1];
        assert_eq!(control.folder, Path::new("/p/frontend"));
        assert_eq!(control.dependencies, ["leptos"]);
        assert_eq!(control.features, ["csr", "ssr"]);
        assert_eq!(project.version, "1.2.3");
    }

    #[test]
    fn native_selection_leaves_out_the_element_and_asks_for_server_rendering() {
        assert_eq!(
            project().native_selection().join(" "),
            "--workspace --locked --exclude checklist-element --no-default-features \
             --features=checklist-control/ssr"
        );
    }

    #[test]
    fn a_target_directory_elsewhere_is_named_to_the_server() {
        let command = project().cargo(["build"]);
        let named = command
            .get_envs()
            .find(|(name, _)| *name == "CHECKLIST_CONTROL_DIR")
            .and_then(|(_, value)| value);
        assert_eq!(named, Some(OsStr::new("/elsewhere/control")));
    }

    #[test]
    fn a_failing_command_is_named_with_its_arguments() {
        let error = run(Command::new("false").arg("--now")).expect_err("`false` fails");
        assert!(
            error.to_string().contains("`false --now` failed"),
            "{error}"
        );
    }
}
