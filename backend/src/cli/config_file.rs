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
    /// Reads the file that the command line or the environment names, if any. The command line is
    /// searched by hand, because its parser needs what the file says.
    ///
    /// # Errors
    /// The file cannot be read, or a line sets nothing.
    pub fn named_by(
        arguments: &[OsString],
        variable: Option<OsString>,
    ) -> Result<Self, StartupError> {
        let named = find(arguments).or_else(|| variable.filter(|name| !name.is_empty()));
        named.map_or_else(|| Ok(Self::default()), |path| Self::read(Path::new(&path)))
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

/// The value of `--config` on the command line.
fn find(arguments: &[OsString]) -> Option<OsString> {
    let mut command = None;
    let mut words = arguments.iter().skip(1);
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        if text == "--" {
            return None;
        }
        if text == OPTION {
            return words.next().cloned();
        }
        if let Some(path) = text
            .strip_prefix(OPTION)
            .and_then(|rest| rest.strip_prefix('='))
        {
            return Some(path.into());
        }
        if command.is_none() && !text.starts_with('-') {
            if OTHER_MEANING.contains(&&*text) {
                return None;
            }
            command = Some(text);
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
            assert_eq!(find(&words(line)), Some("a.env".into()), "{line}");
        }
        for line in [
            "checklist-server serve",
            "checklist-server init --tenant a --config a.env",
            "checklist-server backup --config a.env /b",
        ] {
            assert_eq!(find(&words(line)), None, "{line}");
        }
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
