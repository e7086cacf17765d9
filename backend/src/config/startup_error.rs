//! Errors that prevent the server from starting: a sentence, a hint and an exit code.
//!
//! Created where options are checked or something is opened; `cli` prints them.

use std::fmt;
use std::process::ExitCode;

/// The exit code of the process. The numbers are documented in `--help` and are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// An error after the start.
    Failed = 1,
    /// Invalid options; also the code of the command-line parser.
    Configuration = 2,
    /// The data directory or its database cannot be used.
    Data = 3,
    /// The server cannot listen on the address.
    Address = 4,
    /// The verification of the audit trail has failed.
    AuditBroken = 5,
    /// A run has ended, but failed for some computers.
    ComputersFailed = 6,
    /// A run waits for confirmation.
    AwaitingConfirmation = 7,
    /// A comparison has found what would change.
    WouldChange = 8,
}

impl Exit {
    /// Whether the program has done what it was asked to do, and the code is its result.
    const fn is_result(self) -> bool {
        matches!(self, Self::AwaitingConfirmation | Self::WouldChange)
    }
}

/// Why the server does not start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartupError {
    /// The exit code.
    pub exit: Exit,
    /// What is wrong.
    pub sentence: String,
    /// How to fix it.
    pub hint: String,
}

impl StartupError {
    /// An error with its exit code and hint.
    #[must_use]
    pub fn new(exit: Exit, sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            exit,
            sentence: sentence.into(),
            hint: hint.into(),
        }
    }

    /// An error about the options.
    #[must_use]
    pub fn configuration(sentence: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, sentence, hint)
    }
}

impl fmt::Display for StartupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exit.is_result() {
            true => write!(f, "{}\nhint: {}", self.sentence, self.hint),
            false => write!(f, "error: {}\n hint: {}", self.sentence, self.hint),
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
