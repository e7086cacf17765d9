//! Why a call brought no answer that could be used.
//!
//! Made by `client`, judged by `state::policy`, told to the reader as a `Refusal` and to the
//! host as an `ErrorDetail`.

use crate::control::port::ErrorDetail;
use crate::i18n::Texts;
use crate::state::notice::Refusal;
use crate::state::policy::Reply;

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What came back, for the queue to judge.
    pub reply: Reply,
    /// The problem's code; `Network`, `Token` or `Unreadable` where there was no problem.
    pub code: String,
    /// The server's sentence.
    pub detail: String,
}

impl Failure {
    /// The network gave nothing.
    #[must_use]
    pub fn network() -> Self {
        Self {
            reply: Reply::Silence,
            code: "Network".into(),
            detail: String::new(),
        }
    }

    /// The host has no token; counts as a token that was refused.
    #[must_use]
    pub fn token(detail: String) -> Self {
        Self {
            reply: Reply::Status {
                code: 401,
                retry_after: None,
            },
            code: "Token".into(),
            detail,
        }
    }

    /// An answer that does not look as agreed.
    #[must_use]
    pub fn unreadable(what: &str) -> Self {
        let reply = Reply::Status {
            code: 422,
            retry_after: None,
        };
        Self {
            reply,
            code: "Unreadable".into(),
            detail: what.to_owned(),
        }
    }

    /// The same as something that a person can be told.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        match (self.reply, self.code.as_str()) {
            (Reply::Silence, _) => Refusal::Network,
            (Reply::Status { code: 401, .. }, _) => Refusal::SignIn,
            (
                Reply::Status {
                    code: 502..=504, ..
                },
                "",
            ) => Refusal::Network,
            (_, code) => Refusal::of_problem(code, &self.detail),
        }
    }

    /// The same for the host.
    #[must_use]
    pub fn error(&self, texts: &Texts) -> ErrorDetail {
        let status = match self.reply {
            Reply::Silence => 0,
            Reply::Status { code, .. } => code,
        };
        let message = self.refusal().sentence(texts);
        ErrorDetail {
            code: self.code.clone(),
            status,
            message,
            item: None,
        }
    }
}
