//! The settings of `serve`: each with its value and where that comes from.
//!
//! Invariants: a value that cannot be used does not keep the others from being read, and a secret is
//! never shown.

use std::ffi::OsString;

use clap::builder::{OsStringValueParser, Resettable};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, FromArgMatches as _};

use super::config_file::ConfigFile;
use super::serve_options::ServeOptions;
use crate::config::StartupError;

/// What is shown instead of a secret.
const HIDDEN: &str = "(set, not shown)";

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The command line.
    Option,
    /// The environment.
    Environment,
    /// That line of the configuration file.
    File(usize),
    /// The program.
    Default,
    /// Nowhere: it has no value.
    Unset,
}

/// A setting of `serve`.
#[derive(Debug)]
pub struct Setting {
    option: Arg,
    /// The values as they were written.
    pub values: Vec<OsString>,
    /// Where the value comes from.
    pub source: Source,
}

impl Setting {
    /// The option: `--listen`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("--{}", self.option.get_long().unwrap_or_default())
    }

    /// The variable: `CHECKLIST_LISTEN`.
    #[must_use]
    pub fn variable(&self) -> String {
        let name = self.option.get_env().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    /// The value for people.
    #[must_use]
    pub fn display_value(&self) -> String {
        if self.source == Source::Unset {
            return "-".to_owned();
        }
        if self.option.is_hide_env_values_set() {
            return HIDDEN.to_owned();
        }
        let values: Vec<_> = self
            .values
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        values.join(",")
    }

    /// What is wrong with the value by itself.
    fn problem(&self) -> Option<StartupError> {
        if !self.option.get_action().takes_values() {
            return None;
        }
        let id = "value";
        let option = Arg::new(id)
            .long(id)
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .value_parser(self.option.get_value_parser().clone());
        let line = clap::Command::new("setting")
            .no_binary_name(true)
            .arg(option);
        let given = self
            .values
            .iter()
            .flat_map(|value| ["--value".into(), value.clone()]);
        let error = line.try_get_matches_from(given).err()?;
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default();
        let reason = reason
            .rsplit_once("': ")
            .map_or(reason, |(_, reason)| reason);
        let sentence = if self.option.is_hide_env_values_set() {
            format!("{} cannot be used.", self.name())
        } else {
            format!(
                "{} {} cannot be used: {}.",
                self.name(),
                self.display_value(),
                reason.trim_end_matches('.')
            )
        };
        Some(StartupError::configuration(
            sentence,
            format!(
                "It comes from {}. checklist-server serve --help says what it takes.",
                self.origin()
            ),
        ))
    }

    /// Where the value comes from, for people.
    #[must_use]
    pub fn origin(&self) -> String {
        match self.source {
            Source::Option => "the command line".to_owned(),
            Source::Environment => format!("the environment ({})", self.variable()),
            Source::File(line) => format!("line {line} of the file ({})", self.variable()),
            Source::Default => "the default".to_owned(),
            Source::Unset => "nowhere".to_owned(),
        }
    }

    /// The arguments that give `serve` this value.
    fn arguments(&self) -> Vec<OsString> {
        if !self.option.get_action().takes_values() {
            let is_on = |value: &OsString| {
                !matches!(
                    value.to_string_lossy().to_lowercase().as_str(),
                    "" | "0" | "f" | "false" | "n" | "no" | "off"
                )
            };
            return self
                .values
                .iter()
                .filter(|value| is_on(value))
                .map(|_| self.name().into())
                .collect();
        }
        let with_value = |value: &OsString| {
            let mut argument = OsString::from(self.name());
            argument.push("=");
            argument.push(value);
            argument
        };
        self.values.iter().map(with_value).collect()
    }
}

/// All settings of `serve` with these arguments, this environment and this file.
///
/// # Errors
/// An argument that `serve` does not have.
pub fn collect(arguments: &[OsString], file: &ConfigFile) -> Result<Vec<Setting>, clap::Error> {
    let plain = ServeOptions::augment_args(clap::Command::new("checklist-server config"));
    let options: Vec<Arg> = plain.get_arguments().cloned().collect();
    // Every text is taken, so that one wrong value does not hide the others.
    let tolerant = file.with_defaults(plain).mut_args(|option| {
        if option.get_action().takes_values() {
            option.value_parser(OsStringValueParser::new())
        } else {
            option
        }
    });
    let line = [OsString::from("config")]
        .into_iter()
        .chain(arguments.iter().cloned());
    let matches = tolerant.try_get_matches_from(line)?;
    let known = options
        .into_iter()
        .filter(|option| option.get_env().is_some() || is_given(&matches, option));
    Ok(known
        .map(|option| setting(option, &matches, file))
        .collect())
}

fn is_given(matches: &ArgMatches, option: &Arg) -> bool {
    matches.value_source(option.get_id().as_str()).is_some()
}

fn setting(option: Arg, matches: &ArgMatches, file: &ConfigFile) -> Setting {
    let id = option.get_id().as_str();
    let entry = file.entry_of(&option);
    let source = match (matches.value_source(id), entry) {
        (Some(ValueSource::CommandLine), _) => Source::Option,
        (Some(ValueSource::EnvVariable), _) => Source::Environment,
        (Some(_), Some(entry)) => Source::File(entry.line),
        (Some(_), None) => Source::Default,
        (None, _) => Source::Unset,
    };
    let values = matches
        .get_raw(id)
        .map(|values| values.map(OsString::from).collect());
    Setting {
        values: values.unwrap_or_default(),
        source,
        option,
    }
}

/// The options that the settings make, and what is wrong with single values. Those are left out.
#[must_use]
pub fn options(settings: &[Setting]) -> (Option<ServeOptions>, Vec<StartupError>) {
    let mut problems = Vec::new();
    let mut arguments = vec![OsString::from("serve")];
    for setting in settings {
        match setting.problem() {
            Some(problem) => problems.push(problem),
            None if matches!(setting.source, Source::Default | Source::Unset) => {}
            None => arguments.extend(setting.arguments()),
        }
    }
    // The environment is in the settings already, with the values that can be used.
    let line = ServeOptions::augment_args(clap::Command::new("serve"))
        .mut_args(|option| option.env(Resettable::Reset));
    let parsed = line
        .try_get_matches_from(arguments)
        .and_then(|matches| ServeOptions::from_arg_matches(&matches));
    match parsed {
        Ok(options) => (Some(options), problems),
        Err(error) => {
            problems.push(StartupError::configuration(
                error.to_string().trim_start_matches("error: ").trim_end(),
                "checklist-server serve --help shows all options.",
            ));
            (None, problems)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(arguments: &[&str], file: &ConfigFile) -> Vec<Setting> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        collect(&arguments, file).expect("settings")
    }

    fn file(entries: &[(&str, &str)]) -> ConfigFile {
        use super::super::config_file::Entry;
        let entries = entries.iter().enumerate().map(|(at, (name, value))| {
            let value = (*value).to_owned();
            (
                (*name).to_owned(),
                Entry {
                    value,
                    line: at + 1,
                },
            )
        });
        ConfigFile {
            path: Some("checklist.env".into()),
            entries: entries.collect(),
        }
    }

    fn one<'a>(settings: &'a [Setting], name: &str) -> &'a Setting {
        settings
            .iter()
            .find(|setting| setting.name() == name)
            .expect(name)
    }

    #[test]
    fn a_value_comes_from_the_option_then_from_the_file_then_from_the_program() {
        let file = file(&[
            ("CHECKLIST_LISTEN", "127.0.0.1:1"),
            ("CHECKLIST_BASE_URL", "https://checks.example"),
            ("CHECKLIST_EMBED_KEY", "a.pem,b.pem"),
            ("CHECKLIST_DEMO", "no"),
        ]);
        let settings = settings(&["--listen", "127.0.0.1:2"], &file);
        let seen = |name: &str| {
            let setting = one(&settings, name);
            (setting.display_value(), setting.source.clone())
        };
        assert_eq!(seen("--listen"), ("127.0.0.1:2".to_owned(), Source::Option));
        assert_eq!(
            seen("--base-url"),
            ("https://checks.example".to_owned(), Source::File(2))
        );
        assert_eq!(
            seen("--embed-key"),
            ("a.pem,b.pem".to_owned(), Source::File(3))
        );
        assert_eq!(one(&settings, "--embed-key").values.len(), 2);
        assert_eq!(seen("--max-items"), ("200".to_owned(), Source::Default));
        assert_eq!(seen("--oidc-issuer"), ("-".to_owned(), Source::Unset));
        assert_eq!(seen("--demo").1, Source::File(4));
        let (options, problems) = options(&settings);
        assert_eq!(problems, []);
        assert!(options.is_some());
    }

    #[test]
    fn every_value_that_cannot_be_used_is_named_at_once_and_a_password_never() {
        let file = file(&[
            ("CHECKLIST_LISTEN", "everywhere"),
            ("CHECKLIST_MAX_ITEMS", "0"),
            ("CHECKLIST_DATABASE_URL", "postgres://me:secret@db/x"),
        ]);
        let settings = settings(&["--trusted-proxy", "nobody"], &file);
        assert!(
            !one(&settings, "--database-url")
                .display_value()
                .contains("secret")
        );
        let (options, problems) = options(&settings);
        assert!(options.is_some());
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said.len(), 3, "{said:?}");
        for (part, origin) in [
            ("--listen everywhere", "line 1"),
            ("--max-items 0", "line 2"),
            ("--trusted-proxy nobody", "command line"),
        ] {
            assert!(
                said.iter()
                    .any(|one| one.contains(part) && one.contains(origin)),
                "{said:?}"
            );
        }
    }
}
