//! One try for a password: until it has proved right nobody else tries it, and once it was
//! refused nobody does again. So an account is never locked out by requests that run side by side.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;

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
    /// It was refused before, or nobody was told so far whether it was within that time.
    pub(super) async fn begin(&self, within: Duration) -> Result<Option<MutexGuard<'_, ()>>> {
        if self.has_proved() {
            return Ok(None);
        }
        let alone = self.alone(within).await?;
        Ok((!self.has_proved()).then_some(alone))
    }

    /// The right to try a password once more that was right a moment ago: alone, and only as long
    /// as nobody else has found it wrong meanwhile.
    ///
    /// # Errors
    /// As for `begin`.
    pub(super) async fn again(&self, within: Duration) -> Result<MutexGuard<'_, ()>> {
        self.alone(within).await
    }

    async fn alone(&self, within: Duration) -> Result<MutexGuard<'_, ()>> {
        let alone = timeout(within, self.first.lock()).await.map_err(|_| {
            SiteError::new(
                ErrorKind::TimedOut,
                "The site did not say in time whether it takes the credentials.",
            )
            .with_hint("Raise the connection's Timeout, or look whether the site is up.")
        })?;
        if self.is_refused() {
            return Err(refused(
                "They were refused before, and are not tried again until the connection is saved anew.",
            ));
        }
        Ok(alone)
    }

    /// Whether the password is wrong.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.load(Ordering::Acquire)
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

    const SOON: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_refused_password_is_not_tried_again() {
        let trial = Trial::default();
        let alone = trial.begin(SOON).await.expect("a first try");
        assert!(alone.is_some());
        let waiting = trial.begin(Duration::from_millis(1)).await;
        assert_eq!(waiting.expect_err("busy").kind(), ErrorKind::TimedOut);
        let _told = trial.failed("");
        drop(alone);
        let error = trial.begin(SOON).await.expect_err("no second try");
        assert_eq!(error.kind(), ErrorKind::SignInRefused);
        assert!(trial.again(SOON).await.is_err());
    }

    #[tokio::test]
    async fn a_password_that_proved_right_is_used_by_all_at_once() {
        let trial = Trial::default();
        let alone = trial.begin(SOON).await.expect("a first try");
        trial.succeeded();
        drop(alone);
        assert!(trial.begin(SOON).await.expect("free").is_none());
    }
}
