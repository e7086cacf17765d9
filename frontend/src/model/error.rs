//! Why a call has no usable answer.
//!
//! `policy` classifies it; the reader sees it as a `Refusal`, the host as an `ErrorDetail`.

use serde::Deserialize;

use super::item_fields::DetailField;
use super::notice::RejectionReason;
use super::policy::Reply;
use crate::i18n::Texts;
use crate::port::ErrorDetail;

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The network gave nothing, or broke off.
    Network,
    /// The host has no token; the host's sentence says why. Counts as a token that was refused.
    Token(String),
    /// The server has answered with an error status.
    Problem(Problem),
    /// The answer does not look as agreed.
    Unreadable(String),
}

/// What the control reads of a problem (RFC 9457). Codes stay texts: a newer server knows more of
/// them, and a gateway before it knows none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Problem {
    /// The HTTP status.
    pub status: u16,
    /// The problem's code; empty where something else than the server has answered.
    #[serde(rename = "Code")]
    pub code: String,
    /// The same for every occurrence.
    pub title: String,
    /// The details of this occurrence.
    pub detail: Option<String>,
    /// The errors of single fields.
    #[serde(rename = "Errors")]
    pub errors: Vec<FieldProblem>,
    /// `Retry-After` of the answer, in seconds.
    #[serde(skip)]
    pub retry_after: Option<u32>,
}

/// An error in one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub struct FieldProblem {
    /// JSON pointer into the request.
    pub pointer: String,
    /// A sentence for people.
    pub detail: String,
}

impl Problem {
    /// The first field that is wrong and that a person can do something about: of the details, or the
    /// number of a run in the page.
    fn of_field(&self) -> Option<RejectionReason> {
        let mut errors = self.errors.iter();
        errors.find_map(|error| {
            if error.pointer == "/Run" {
                return Some(RejectionReason::Other(error.detail.clone()));
            }
            DetailField::at(&error.pointer)
                .map(|field| RejectionReason::Field(field, error.detail.clone()))
        })
    }

    /// The sentence of the server.
    #[must_use]
    pub fn sentence(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.title)
    }
}

impl Error {
    /// A body that is no JSON.
    #[must_use]
    pub fn no_json() -> Self {
        Self::Unreadable("the answer is no JSON".to_owned())
    }

    /// Whether another token may help: this one was refused, or it pins a template that is not the
    /// list's any more.
    #[must_use]
    pub fn asks_for_other_token(&self) -> bool {
        let Self::Problem(problem) = self else {
            return false;
        };
        let is_of_template = |error: &FieldProblem| error.pointer.ends_with("TemplateId");
        match problem.status {
            401 => true,
            403 => problem.errors.iter().any(is_of_template),
            _ => false,
        }
    }

    /// The reply, as the queue interprets it.
    #[must_use]
    pub const fn reply(&self) -> Reply {
        let (code, retry_after) = match self {
            Self::Network => return Reply::Silence,
            Self::Token(_) => (401, None),
            Self::Problem(problem) => (problem.status, problem.retry_after),
            Self::Unreadable(_) => (422, None),
        };
        Reply::Status { code, retry_after }
    }

    /// The problem's code, or `Network`, `Token` or `Unreadable`.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Self::Network => "Network",
            Self::Token(_) => "Token",
            Self::Problem(problem) => &problem.code,
            Self::Unreadable(_) => "Unreadable",
        }
    }

    /// The same as a message for people.
    #[must_use]
    pub fn refusal(&self) -> RejectionReason {
        match self {
            Self::Network => RejectionReason::Network,
            Self::Token(_) => RejectionReason::SignIn,
            Self::Unreadable(what) => RejectionReason::Other(what.clone()),
            Self::Problem(problem) => match (problem.status, problem.code.as_str()) {
                (401, _) => RejectionReason::SignIn,
                // A gateway that finds no server behind it.
                (502..=504, "") => RejectionReason::Network,
                (_, code) => problem
                    .of_field()
                    .unwrap_or_else(|| RejectionReason::of_problem(code, problem.sentence())),
            },
        }
    }

    /// The same for the host.
    #[must_use]
    pub fn describe(&self, texts: &Texts) -> ErrorDetail {
        let status = match self.reply() {
            Reply::Silence => 0,
            Reply::Status { code, .. } => code,
        };
        ErrorDetail {
            code: self.code().to_owned(),
            status,
            message: self.refusal().sentence(texts),
            item: None,
        }
    }
}
