//! The `TokenSource` that supplies `site_lists` with access tokens of a service connection.
//!
//! `services::connections` fetches and refreshes them.

use async_trait::async_trait;
use secrecy::SecretString;
use site_lists::{ErrorKind, SiteError, TokenSource};

use crate::app::App;
use crate::connections::decrypted::DecryptedConnection;
use checklist_shared::problem::ProblemCode;

/// The tokens of one connection, for its own origin only.
pub(super) struct SiteTokens {
    pub(super) app: App,
    pub(super) opened: DecryptedConnection,
}

#[async_trait]
impl TokenSource for SiteTokens {
    async fn token(
        &self,
        audience: &str,
        refused: Option<&SecretString>,
    ) -> site_lists::Result<SecretString> {
        if audience != self.opened.origin {
            return Err(SiteError::new(
                ErrorKind::NotSupported,
                format!(
                    "This connection has tokens for {} alone.",
                    self.opened.origin
                ),
            ));
        }
        let fetched = self.opened.access_token(&self.app, refused).await;
        fetched.map_err(|error| {
            let kind = match error.code() {
                ProblemCode::ConnectionNeedsSignIn => ErrorKind::NeedsSignIn,
                ProblemCode::Busy => ErrorKind::Throttled,
                _ => ErrorKind::Unreachable,
            };
            let is_away = kind == ErrorKind::Unreachable && error.retry_after.is_some();
            let site_error =
                SiteError::new(kind, error.problem.detail.unwrap_or(error.problem.title));
            if is_away {
                site_error.with_no_connection()
            } else {
                site_error
            }
        })
    }
}
