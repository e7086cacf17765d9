//! The configuration file: the variables of the options, one `NAME=VALUE` a line, as `init` writes
//! them and as systemd reads them.
//!
//! A value is taken as it is: nothing in it is expanded. Single or double quotes around the whole
//! value are removed. An option and a variable of the environment win over the file.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::config::StartupError;

/// The option that names the file.
const OPTION: &str = "--config";
/// The variable that names it.
pub const VARIABLE: &str = "CHECKLIST_CONFIG";
/// The file that `init` writes into the data directory.
const FILE_OF_INIT: &str = "checklist.env";
/// Says where the data directory is; a file in there says nothing about it.
const DATA_DIR: &str = "CHECKLIST_DATA_DIR";
/// Commands with an option of that name of their own, which means another file.
const OTHER_MEANING: [&str; 3] = ["init", "backup", "restore"];

/// A configuration file.
#[derive(Debug, Default)]
pub struct ConfigFile {
    /// Where it lies; `None` where none is named.
    pub path: Option<PathBuf>,
    /// What it sets, by variable.
    pub entries: BTreeMap<String, Entry>,
}

/// A variable that the file sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its value.
    pub value: String,
    /// The line that sets it, counted from one.
    pub line: usize,
}

impl ConfigFile {
    /// Reads the file that the command line or the environment names; otherwise the one that `init` has
    /// written into the data directory, if it is there, so that every command works on the data that
    /// `serve` serves. The command line is searched by hand, because its parser needs what the file says.
    ///
    /// # Errors
    /// The file cannot be read, or a line sets nothing.
    pub fn find(
        arguments: &[OsString],
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, StartupError> {
        let variable = |name: &str| variable(name).filter(|value| !value.is_empty());
        if let Some(path) = named_by(arguments).or_else(|| variable(VARIABLE)) {
            return Self::read(Path::new(&path));
        }
        let folder = value_of("--data-dir", arguments).or_else(|| variable(DATA_DIR));
        let path = PathBuf::from(folder.unwrap_or_else(|| "data".into())).join(FILE_OF_INIT);
        if has_own_config(arguments) || !path.is_file() {
            return Ok(Self::default());
        }
        let mut file = Self::read(&path)?;
        // The folder may be a copy, or have been moved.
        file.entries.remove(DATA_DIR);
        Ok(file)
    }

    fn read(path: &Path) -> Result<Self, StartupError> {
        let text = fs::read_to_string(path).map_err(|error| {
            StartupError::configuration(
                format!("The configuration {} cannot be read: {error}.", path.display()),
                "Name the file that init has written with --config FILE (or CHECKLIST_CONFIG), or leave it out.",
            )
        })?;
        let entries = parse(&text).map_err(|line| {
            StartupError::configuration(
                format!("Line {line} of {} sets nothing.", path.display()),
                "Write NAME=VALUE, or begin the line with # for a comment.",
            )
        })?;
        Ok(Self {
            path: Some(path.to_owned()),
            entries,
        })
    }

    /// The command line whose options have the file's values where neither the options nor the
    /// environment say otherwise.
    #[must_use]
    pub fn with_defaults(&self, command: clap::Command) -> clap::Command {
        if self.entries.is_empty() {
            return command;
        }
        command
            .mut_args(|option| match self.entry_of(&option) {
                Some(entry) => {
                    // A flag shows no default anyway.
                    let takes_value = option.get_action().takes_values();
                    option
                        .default_value(clap::builder::OsStr::from(entry.value.clone()))
                        .hide_default_value(takes_value)
                        .required(false)
                }
                None => option,
            })
            .mut_subcommands(|below| self.with_defaults(below))
    }

    /// What the file says about an option.
    #[must_use]
    pub fn entry_of(&self, option: &clap::Arg) -> Option<&Entry> {
        self.entries.get(option.get_env()?.to_str()?)
    }
}

/// The value of `--config` on the command line, where it means this file.
fn named_by(arguments: &[OsString]) -> Option<OsString> {
    if has_own_config(arguments) {
        return None;
    }
    value_of(OPTION, arguments)
}

/// Whether it is a command with an option `--config` of its own.
fn has_own_config(arguments: &[OsString]) -> bool {
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let command = words.find(|word| !word.starts_with('-'));
    command.is_some_and(|command| OTHER_MEANING.contains(&&*command))
}

/// The value of an option on the command line: `--option VALUE` or `--option=VALUE`.
fn value_of(option: &str, arguments: &[OsString]) -> Option<OsString> {
    let mut words = arguments.iter().skip(1);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            return None;
        }
        if text == option {
            return words.next().cloned();
        }
        let rest = text.strip_prefix(option);
        if let Some(value) = rest.and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.into());
        }
    }
    None
}

/// The entries of a text; an error is the number of a line that sets nothing. As in systemd and in
/// a shell, the last line about a variable wins.
fn parse(text: &str) -> Result<BTreeMap<String, Entry>, usize> {
    let mut entries = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let (name, value) = line.split_once('=').ok_or(line_number)?;
        let name = name.strip_prefix("export ").unwrap_or(name).trim();
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(line_number);
        }
        let entry = Entry {
            value: unquoted(value.trim()).ok_or(line_number)?.to_owned(),
            line: line_number,
        };
        entries.insert(name.to_owned(), entry);
    }
    Ok(entries)
}

/// A value without the quotes around it; `None` if they do not fit.
fn unquoted(value: &str) -> Option<&str> {
    for quote in ['\'', '"'] {
        if let Some(rest) = value.strip_prefix(quote) {
            let inside = rest.strip_suffix(quote)?;
            return (!inside.contains(quote)).then_some(inside);
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_file_is_found_wherever_the_option_stands() {
        for line in [
            "checklist-server --config a.env serve",
            "checklist-server --config=a.env serve",
            "checklist-server serve --demo --config a.env",
            "checklist-server config check --config=a.env",
        ] {
            assert_eq!(named_by(&words(line)), Some("a.env".into()), "{line}");
        }
        for line in [
            "checklist-server serve",
            "checklist-server init --tenant a --config a.env",
            "checklist-server backup --config a.env /b",
        ] {
            assert_eq!(named_by(&words(line)), None, "{line}");
        }
    }

    #[test]
    fn commands_find_the_file_of_init_in_their_folder_unless_another_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().display().to_string();
        let path = folder.path().join("checklist.env");
        let text = "CHECKLIST_DATA_DIR=/old/place\nCHECKLIST_BASE_URL=http://localhost:1\n";
        std::fs::write(&path, text).expect("a file");
        let found = |line: &str, variable: Option<&str>| {
            let variable = |name: &str| (Some(name) == variable).then(|| OsString::from(&data));
            ConfigFile::find(&words(line), variable).expect("a file")
        };
        for (line, variable) in [
            (format!("checklist-server serve --data-dir {data}"), None),
            (
                format!("checklist-server config show --data-dir={data}"),
                None,
            ),
            ("checklist-server serve".to_owned(), Some(DATA_DIR)),
        ] {
            let file = found(&line, variable);
            assert_eq!(file.path.as_ref(), Some(&path), "{line}");
            let names: Vec<&String> = file.entries.keys().collect();
            assert_eq!(
                names,
                ["CHECKLIST_BASE_URL"],
                "{line}: it lies where it lies"
            );
        }
        let other = folder.path().join("other.env");
        std::fs::write(&other, "").expect("a file");
        let line = format!(
            "checklist-server serve --data-dir {data} --config {}",
            other.display()
        );
        assert_eq!(found(&line, None).path, Some(other));
        let line = format!("checklist-server revoke --everything --data-dir {data}");
        assert_eq!(found(&line, None).path, Some(path));
        let line = format!("checklist-server backup --data-dir {data} /b");
        assert_eq!(found(&line, None).path, None);
    }

    #[test]
    fn lines_are_read_as_systemd_and_a_shell_read_them() {
        let text = "# a comment\n; another\n\nA=1\nB='two words # and no comment'\nexport C=\"x$y\"\nD=\nA=3\n";
        let entries = parse(text).expect("a file");
        let value = |name: &str| entries[name].value.as_str();
        assert_eq!(value("A"), "3");
        assert_eq!(value("B"), "two words # and no comment");
        assert_eq!(value("C"), "x$y");
        assert_eq!(value("D"), "");
        assert_eq!(entries["A"].line, 8);
    }

    #[test]
    fn a_line_that_sets_nothing_is_named() {
        for (text, line) in [
            ("A=1\nCHECKLIST_LISTEN", 2),
            ("=1", 1),
            ("A B=1", 1),
            ("A='open", 1),
            ("A='a'b'", 1),
        ] {
            assert_eq!(parse(text).err(), Some(line), "{text}");
        }
    }
}
