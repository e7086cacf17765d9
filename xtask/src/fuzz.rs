//! `cargo xtask fuzz`: fuzzes everything that parses untrusted input.
//! The targets are a crate of their own (`tests/fuzz`), built for libFuzzer by cargo-fuzz on the
//! stable toolchain. Findings are in `target/fuzz/found`; a fixed finding becomes a seed, which
//! ordinary tests run from then on. Also a part of `trust`.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::cargo_tool;
use crate::files;
use crate::project::{Project, run as run_command, shown};
use crate::stages::step;
use crate::trust;

const VERSION: &str = "0.13.2";
const FOLDER: &str = "tests/fuzz";

/// The targets; each has a folder of seeds.
pub const TARGETS: [&str; 6] = [
    "request_json",
    "odata_filter",
    "fragment_id",
    "retry_after",
    "sign_in_challenge",
    "server_sent_events",
];

/// Runs the fuzz targets.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    cargo xtask fuzz\n  \
    cargo xtask fuzz --seconds 600 request_json")]
pub struct Options {
    /// How long each target runs.
    #[arg(long, value_name = "NUMBER", default_value_t = 60)]
    seconds: u32,
    /// Only this target.
    #[arg(value_parser = TARGETS)]
    target: Option<String>,
}

/// Runs the command.
///
/// # Errors
/// When something does not build, or a target finds something.
pub fn run(project: &Project, options: &Options) -> Result<ExitCode> {
    let wanted = |target: &&str| {
        let only = options.target.as_deref();
        only.is_none_or(|only| only == *target)
    };
    step("build the targets", || {
        run_command(&mut cargo_fuzz(project, &["build"])?)
    })?;
    let (mut tried, mut targets, mut broken) = (0, 0, Vec::new());
    for target in TARGETS.into_iter().filter(wanted) {
        println!("\n=== {target} ===");
        match fuzz(project, target, options.seconds) {
            Ok(inputs) => {
                println!("{inputs} inputs, nothing found");
                tried += inputs;
                targets += 1;
            }
            Err(error) => {
                println!("{error:#}");
                broken.push(target);
            }
        }
    }
    ensure!(
        broken.is_empty(),
        "something was found: {}",
        broken.join(", ")
    );
    let seconds = options.seconds;
    trust::tell(
        "S7",
        &format!("{targets} targets of {seconds} s each, {tried} inputs: 0 crashes"),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// cargo-fuzz, with what the stable toolchain needs to instrument code. Without a sanitizer: the
/// project has no code that could break memory.
fn cargo_fuzz(project: &Project, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(cargo_tool::ensure(project, "cargo-fuzz", VERSION)?);
    command
        .current_dir(&project.root)
        .args(arguments)
        // Unoptimised: overflows panic, and it builds in half the time.
        .args(["--dev", "--fuzz-dir", FOLDER, "--sanitizer", "none"])
        .arg("--target-dir")
        .arg(project.target.join("fuzz"))
        .env("RUSTC_BOOTSTRAP", "1");
    Ok(command)
}

/// Runs one target; how many inputs it took.
fn fuzz(project: &Project, target: &str, seconds: u32) -> Result<u64> {
    let folder = |kind: &str| -> Result<PathBuf> {
        let folder = project.target.join("fuzz").join(kind).join(target);
        files::make(&folder)?;
        Ok(folder)
    };
    let (corpus, found) = (folder("corpus")?, folder("found")?);
    let mut command = cargo_fuzz(project, &["run"])?;
    command
        .arg(target)
        .arg(&corpus)
        .arg(project.root.join(FOLDER).join("seeds").join(target))
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .arg(format!("-artifact_prefix={}/", found.display()))
        .args(["-print_final_stats=1", "-timeout=10", "-verbosity=0"]);
    // libFuzzer speaks on stderr alone.
    let output = command
        .stdout(Stdio::inherit())
        .stderr(Stdio::piped())
        .output()
        .with_context(|| format!("starting `{}`", shown(&command)))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!(
            "{said}\n{target} has found something; it lies in {}",
            found.display()
        );
    }
    inputs(&said).with_context(|| format!("{target} says not how many inputs it took: {said}"))
}

/// The number behind `stat::number_of_executed_units:`.
fn inputs(said: &str) -> Option<u64> {
    let line = said
        .lines()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))?;
    line.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_target_is_a_program_with_seeds() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("..")
            .join(FOLDER);
        let manifest = files::read_text(&folder.join("Cargo.toml")).expect("the manifest");
        for target in TARGETS {
            assert!(
                manifest.contains(&format!("name = \"{target}\"")),
                "{target}"
            );
            let seeds = files::list(&folder.join("seeds").join(target));
            assert!(!seeds.expect("its seeds").is_empty(), "{target}");
        }
        assert_eq!(manifest.matches("[[bin]]").count(), TARGETS.len());
    }

    #[test]
    fn the_number_of_inputs_is_read_from_the_last_words() {
        let said = "Done 12 runs\nstat::number_of_executed_units: 1234\nstat::peak_rss_mb: 40\n";
        assert_eq!(inputs(said), Some(1234));
        assert_eq!(inputs("crashed"), None);
    }
}
