//! Variables of the environment that are meant for this program and that it does not know.
//!
//! A misspelt setting would be ignored, and the server would run with a default that nobody wants.
//! So a name that begins like ours and is none ends the start, with the name that was probably
//! meant. Called before anything else is done, for the environment and the configuration file.

use std::collections::BTreeSet;

use clap::Command;

use super::suggestion::nearest;
use crate::config::StartupError;

/// What all of our variables begin with.
const PREFIX: &str = "CHECKLIST_";

/// Those that the parser of the command line does not read.
const BESIDE_THE_OPTIONS: &[&str] = &[
    "CHECKLIST_SITE_PASSWORD",
    "CHECKLIST_FAILPOINT",
    "CHECKLIST_FAILPOINT_CHUNK",
];

/// A problem for each name of ours that nobody knows, with the one that was probably meant.
/// `place` says where it is set.
#[must_use]
pub fn unknown(
    command: &Command,
    set: impl IntoIterator<Item = String>,
    place: &str,
) -> Vec<StartupError> {
    let mut known: BTreeSet<String> = BESIDE_THE_OPTIONS
        .iter()
        .copied()
        .map(str::to_owned)
        .collect();
    collect(command, &mut known);
    // What all of them begin with says nothing about how near two of them are.
    let rest = |name: &str| name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
    let rests: Vec<String> = known.iter().map(|name| rest(name)).collect();
    let ours = set.into_iter().filter(|name| name.starts_with(PREFIX));
    let mut unknown: Vec<String> = ours
        .filter(|name| !known.contains(name) && !is_of_a_cluster(name))
        .collect();
    unknown.sort();
    let problem = |name: &String| {
        let meant = nearest(&rest(name), rests.iter().map(String::as_str));
        let meant = meant.map(|meant| format!("Did you mean {PREFIX}{meant}? Otherwise remove"));
        StartupError::configuration(
            format!("There is no setting {name}; it would have no effect."),
            format!(
                "{} it from {place}. checklist-server config show lists all settings.",
                meant.as_deref().unwrap_or("Remove")
            ),
        )
    };
    unknown.iter().map(problem).collect()
}

/// The variables of a command's options and of its subcommands'.
fn collect(command: &Command, known: &mut BTreeSet<String>) {
    let variables = command
        .get_arguments()
        .filter_map(|option| option.get_env());
    known.extend(
        variables
            .filter_map(|name| name.to_str())
            .map(str::to_owned),
    );
    for below in command.get_subcommands() {
        collect(below, known);
    }
}

/// Whether Kubernetes has set it, as it does for a service that is called "checklist".
fn is_of_a_cluster(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX).unwrap_or_default();
    let is_number = |text: &str| text.starts_with(|letter: char| letter.is_ascii_digit());
    matches!(rest, "SERVICE_HOST" | "PORT")
        || rest.starts_with("SERVICE_PORT")
        || rest.strip_prefix("PORT_").is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn hints(names: &[&str]) -> Vec<String> {
        let names = names.iter().map(|name| (*name).to_owned());
        let problems = unknown(&crate::cli::Command::command(), names, "the environment");
        let all = problems.into_iter();
        all.map(|problem| format!("{} {}", problem.sentence, problem.hint))
            .collect()
    }

    #[test]
    fn a_misspelt_setting_is_refused_with_the_one_that_was_meant() {
        for (wrong, meant) in [
            ("CHECKLIST_LISTN", "CHECKLIST_LISTEN"),
            ("CHECKLIST_BASEURL", "CHECKLIST_BASE_URL"),
            ("CHECKLIST_DATABSE_URL", "CHECKLIST_DATABASE_URL"),
            ("CHECKLIST_TRUSTED_PROXIES", "CHECKLIST_TRUSTED_PROXY"),
        ] {
            let hints = hints(&[wrong]);
            assert!(hints[0].contains(&format!("mean {meant}?")), "{hints:?}");
        }
    }

    #[test]
    fn every_name_that_nobody_knows_is_refused_but_those_of_a_cluster() {
        let hints = hints(&[
            "PATH",
            "CHECKLIST_LISTEN",
            "CHECKLIST_CONFIG",
            "CHECKLIST_SITE_PASSWORD",
            "CHECKLIST_SERVICE_HOST",
            "CHECKLIST_SERVICE_PORT",
            "CHECKLIST_SERVICE_PORT_HTTP",
            "CHECKLIST_PORT",
            "CHECKLIST_PORT_8080_TCP",
            "CHECKLIST_PORT_8080_TCP_ADDR",
            "CHECKLIST_THEME_OF_THE_DAY",
            "CHECKLIST_POSTGRES",
        ]);
        assert_eq!(hints.len(), 2, "{hints:?}");
        assert!(
            hints[0].contains("no setting CHECKLIST_POSTGRES"),
            "{hints:?}"
        );
        assert!(
            hints[1].contains("Remove it from the environment"),
            "{hints:?}"
        );
    }
}
