//! Guards a password against lock-out of its account by concurrent requests.
//!
//! Invariant: until the site has accepted the password only one request at a time sends it, and once
//! it was rejected none does again.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};
use tokio::time::timeout;

use crate::error::{ErrorKind, Result, SiteError};

/// Whether a password was accepted or rejected.
#[derive(Default)]
pub(super) struct PasswordGuard {
    accepted: AtomicBool,
    rejected: AtomicBool,
    lock: Mutex<()>,
}

impl PasswordGuard {
    /// The right to send the password: shared (`None`) once it was accepted, exclusive before.
    ///
    /// # Errors
    /// It was rejected before, or another request did not find out within `limit`.
    pub(super) async fn acquire(&self, limit: Duration) -> Result<Option<MutexGuard<'_, ()>>> {
        if self.is_accepted() {
            return Ok(None);
        }
        let exclusive = self.lock_within(limit).await?;
        Ok((!self.is_accepted()).then_some(exclusive))
    }

    /// The exclusive right to send a password once more that was accepted before.
    ///
    /// # Errors
    /// As for `acquire`.
    pub(super) async fn reacquire(&self, limit: Duration) -> Result<MutexGuard<'_, ()>> {
        self.lock_within(limit).await
    }

    async fn lock_within(&self, limit: Duration) -> Result<MutexGuard<'_, ()>> {
        let exclusive = timeout(limit, self.lock.lock()).await.map_err(|_| {
            SiteError::new(
                ErrorKind::TimedOut,
                "The site did not say in time whether it takes the credentials.",
            )
            .with_hint("Raise the connection's Timeout, or look whether the site is up.")
        })?;
        if self.is_refused() {
            return Err(refused_error(
                "They were refused before, and are not tried again until the connection is saved anew.",
            ));
        }
        Ok(exclusive)
    }

    pub(super) fn is_refused(&self) -> bool {
        self.rejected.load(Ordering::Acquire)
    }

    pub(super) fn mark_accepted(&self) {
        self.accepted.store(true, Ordering::Release);
    }

    /// Marks the password as rejected; returns the error for the caller.
    pub(super) fn reject(&self, what: &str) -> SiteError {
        self.mark_rejected();
        refused_error(what)
    }

    pub(super) fn mark_rejected(&self) {
        self.accepted.store(false, Ordering::Release);
        self.rejected.store(true, Ordering::Release);
    }

    pub(super) fn is_accepted(&self) -> bool {
        self.accepted.load(Ordering::Acquire)
    }
}

/// Stands in every error about a password that was tried, and in no other.
const HINT: &str = "Check user name, password, domain and authentication type. It was tried once, so that no account is locked out.";

/// The error for credentials that were refused.
pub(super) fn refused_error(what: &str) -> SiteError {
    let message = format!("The site refuses the credentials. {what}");
    SiteError::new(ErrorKind::SignInRefused, message.trim_end().to_owned())
        .with_status(401)
        .with_hint(HINT)
}

/// Whether an error says that a password was looked at and refused.
#[cfg(feature = "windows-sign-in")]
pub(super) fn is_password_rejection(error: &SiteError) -> bool {
    error.kind() == ErrorKind::SignInRefused && error.hint() == Some(HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_refused_password_is_not_tried_again() {
        let guard = PasswordGuard::default();
        let lock_within = guard.acquire(SOON).await.expect("a first try");
        assert!(lock_within.is_some());
        let waiting = guard.acquire(Duration::from_millis(1)).await;
        assert_eq!(waiting.expect_err("busy").kind(), ErrorKind::TimedOut);
        let _told = guard.reject("");
        drop(lock_within);
        let error = guard.acquire(SOON).await.expect_err("no second try");
        assert_eq!(error.kind(), ErrorKind::SignInRefused);
        assert!(guard.reacquire(SOON).await.is_err());
    }

    #[tokio::test]
    async fn a_password_that_proved_right_is_used_by_all_at_once() {
        let guard = PasswordGuard::default();
        let lock_within = guard.acquire(SOON).await.expect("a first try");
        guard.mark_accepted();
        drop(lock_within);
        assert!(guard.acquire(SOON).await.expect("free").is_none());
    }
}
