//! Why the server does not start: one sentence, one hint, one exit code.
//!
//! Made by everything that looks at the options or opens something; printed by `cli`.

use std::fmt;
use std::process::ExitCode;

/// How the process ends. The numbers are documented in `--help` and do not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Something failed that was running already.
    Failed = 1,
    /// The options do not fit (also what the parser of the command line uses).
    Configuration = 2,
    /// The data directory or its database cannot be used.
    Data = 3,
    /// The address cannot be listened on.
    Address = 4,
    /// The audit trail was tampered with.
    AuditBroken = 5,
    /// A run was carried out, but for some of its computers.
    ComputersFailed = 6,
    /// A run waits for a person.
    AwaitingConfirmation = 7,
}

/// Why the server does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartupError {
    /// How the process ends.
    pub exit: Exit,
    /// What is wrong.
    pub sentence: String,
    /// What to do about it.
    pub hint: String,
}

impl StartupError {
    /// A refusal.
    #[must_use]
    pub fn new(exit: Exit, sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            exit,
            sentence: sentence.into(),
            hint: hint.into(),
        }
    }

    /// A refusal of the options.
    #[must_use]
    pub fn configuration(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, sentence, hint)
    }
}

impl fmt::Display for StartupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}\n hint: {}", self.sentence, self.hint)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
