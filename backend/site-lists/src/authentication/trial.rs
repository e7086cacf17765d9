//! One try for a password: until it has proved right nobody else tries it, and once it was
//! refused nobody does again. So an account is never locked out by requests that run side by side.
//!
//! Used by every method that has a password.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::{Mutex, MutexGuard};

use crate::error::{ErrorKind, Result, SiteError};

/// Whether a password has proved right or wrong.
#[derive(Default)]
pub(super) struct Trial {
    proved: AtomicBool,
    refused: AtomicBool,
    first: Mutex<()>,
}

impl Trial {
    /// The right to use the password: at once where it is known to be right, else alone.
    ///
    /// # Errors
    /// It was refused before.
    pub(super) async fn begin(&self) -> Result<Option<MutexGuard<'_, ()>>> {
        if self.proved.load(Ordering::Acquire) {
            return Ok(None);
        }
        let alone = self.first.lock().await;
        if self.refused.load(Ordering::Acquire) {
            return Err(refused(
                "They were refused before, and are not tried again.",
            ));
        }
        Ok((!self.proved.load(Ordering::Acquire)).then_some(alone))
    }

    /// The password is right.
    pub(super) fn succeeded(&self) {
        self.proved.store(true, Ordering::Release);
    }

    /// The password is wrong; the error to tell.
    pub(super) fn failed(&self, what: &str) -> SiteError {
        self.lost();
        refused(what)
    }

    /// The password is wrong; nobody tries it again.
    pub(super) fn lost(&self) {
        self.proved.store(false, Ordering::Release);
        self.refused.store(true, Ordering::Release);
    }

    pub(super) fn has_proved(&self) -> bool {
        self.proved.load(Ordering::Acquire)
    }
}

/// Stands in every error about a password that was tried, and in no other.
const HINT: &str = "Check user name, password, domain and authentication type. It was tried once, so that no account is locked out.";

/// The error for credentials that were refused.
pub(super) fn refused(what: &str) -> SiteError {
    let message = format!("The site refuses the credentials. {what}");
    SiteError::new(ErrorKind::SignInRefused, message.trim_end().to_owned())
        .with_status(401)
        .with_hint(HINT)
}

/// Whether an error says that a password was looked at and refused.
#[cfg(feature = "windows-sign-in")]
pub(super) fn tells_of_password(error: &SiteError) -> bool {
    error.kind() == ErrorKind::SignInRefused && error.hint() == Some(HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_refused_password_is_not_tried_again() {
        let trial = Trial::default();
        let alone = trial.begin().await.expect("a first try");
        assert!(alone.is_some());
        let _told = trial.failed("");
        drop(alone);
        let error = trial.begin().await.expect_err("no second try");
        assert_eq!(error.kind(), ErrorKind::SignInRefused);
    }

    #[tokio::test]
    async fn a_password_that_proved_right_is_used_by_all_at_once() {
        let trial = Trial::default();
        let alone = trial.begin().await.expect("a first try");
        trial.succeeded();
        drop(alone);
        assert!(trial.begin().await.expect("free").is_none());
    }
}
