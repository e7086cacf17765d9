//! Variables of the environment that are meant for this program and that it does not know.
//!
//! A misspelt setting would be ignored, and the server would run with a default that nobody wants.
//! So a name that is nearly one of ours ends the start, with the name that was probably meant; any
//! other is reported in one line. Called before anything else is done.

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

/// Refuses what is nearly one of our variables; gives the others that nobody knows.
///
/// # Errors
/// The first variable that is probably misspelt.
pub fn unknown(
    command: &Command,
    set: impl IntoIterator<Item = String>,
) -> Result<Vec<String>, StartupError> {
    let mut known: BTreeSet<String> = BESIDE_THE_OPTIONS
        .iter()
        .copied()
        .map(str::to_owned)
        .collect();
    collect(command, &mut known);
    let mut unknown = Vec::new();
    let ours = set.into_iter().filter(|name| name.starts_with(PREFIX));
    for name in ours.filter(|name| !known.contains(name) && !is_of_a_cluster(name)) {
        // What all of them begin with says nothing about how near two of them are.
        let rest = |name: &'_ str| {
            name.strip_prefix(PREFIX)
                .map(str::to_owned)
                .unwrap_or_default()
        };
        let rests: Vec<String> = known.iter().map(|name| rest(name)).collect();
        if let Some(meant) = nearest(&rest(&name), rests.iter().map(String::as_str)) {
            return Err(StartupError::configuration(
                format!("There is no setting {name}; it would have no effect."),
                format!("Did you mean {PREFIX}{meant}? Otherwise remove it from the environment."),
            ));
        }
        unknown.push(name);
    }
    unknown.sort();
    Ok(unknown)
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

    fn of(names: &[&str]) -> Result<Vec<String>, String> {
        let names = names.iter().map(|name| (*name).to_owned());
        unknown(&crate::cli::Command::command(), names).map_err(|refusal| refusal.hint)
    }

    #[test]
    fn a_misspelt_setting_is_refused_with_the_one_that_was_meant() {
        for (wrong, meant) in [
            ("CHECKLIST_LISTN", "CHECKLIST_LISTEN"),
            ("CHECKLIST_BASEURL", "CHECKLIST_BASE_URL"),
            ("CHECKLIST_DATABSE_URL", "CHECKLIST_DATABASE_URL"),
            ("CHECKLIST_TRUSTED_PROXIES", "CHECKLIST_TRUSTED_PROXY"),
        ] {
            let hint = of(&[wrong]).expect_err(wrong);
            assert!(hint.contains(&format!("mean {meant}?")), "{hint}");
        }
    }

    #[test]
    fn others_are_named_and_what_is_ours_or_a_clusters_is_not() {
        let unknown = of(&[
            "PATH",
            "CHECKLIST_LISTEN",
            "CHECKLIST_SITE_PASSWORD",
            "CHECKLIST_SERVICE_HOST",
            "CHECKLIST_SERVICE_PORT_HTTP",
            "CHECKLIST_PORT_8080_TCP_ADDR",
            "CHECKLIST_THEME_OF_THE_DAY",
            "CHECKLIST_POSTGRES",
        ]);
        let wanted = ["CHECKLIST_POSTGRES", "CHECKLIST_THEME_OF_THE_DAY"];
        assert_eq!(unknown, Ok(wanted.map(str::to_owned).to_vec()));
    }

    #[test]
    fn no_two_of_ours_are_taken_for_each_other_and_those_of_the_tests_for_none() {
        let tests = [
            "CONTROL_DIR",
            "SERVER_BIN",
            "POSTGRES",
            "POSTGRES_PROGRAMS",
            "POSTGRES_LIBRARIES",
            "BROWSER",
            "NODE",
            "OIDC",
            "CHROMIUM",
            "CHROMEDRIVER",
            "FIREFOX",
            "GECKODRIVER",
            "WEBKIT",
            "WEBKIT_DRIVER",
            "BASELINES",
            "LOOKS",
            "SCREEN",
            "TRUST",
            "WORLD",
            "WORLDS",
            "FRAMEWORKS",
            "SITE_CLIENTS",
            "SCHEMATHESIS",
            "AUTHENTICATION_SERVERS",
            "OWN_NETWORK",
            "POCKETBASE",
            "BENCH_PAGES",
            "BENCH_JSON",
            "SERVER_WITH_KERBEROS",
            "TRUST_FIGURES",
        ];
        for name in tests {
            let name = format!("{PREFIX}{name}");
            assert_eq!(of(&[&name]), Ok(vec![name.clone()]));
        }
    }
}
