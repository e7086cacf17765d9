//! The caller's own credential for the site, handed on as it came: a bearer token or a basic
//! user name and password.
//!
//! NTLM and Negotiate bind a connection between two
//! parties and cannot be handed on; no identity of anybody else stands in.

use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use secrecy::{ExposeSecret, SecretString};

use super::authenticator::{Authenticator, SendResult, Sender};
use super::challenge::is_refused;
use super::credentials::secret_header;
use super::password_guard::PasswordGuard;
use crate::account::Account;
use crate::error::{ErrorKind, Result, SiteError};
use crate::options::SiteOptions;
use crate::response::SiteResponse;
use crate::transport::Request;

/// Sends the caller's credential along.
pub(super) struct PassThrough {
    credential: HeaderValue,
    is_bearer: bool,
    guard: PasswordGuard,
}

impl PassThrough {
    pub(super) fn new(options: &SiteOptions) -> Result<Self> {
        let invalid = |why: &str| {
            SiteError::new(ErrorKind::InvalidConnection, why)
                .with_field("AuthenticationType")
                .with_hint("Send the credential for the site in the header Site-Authorization.")
        };
        let given = options.pass_through.as_ref().ok_or_else(|| {
            invalid("PassThrough hands on the caller's credential, and the caller brought none.")
        })?;
        let given = given.expose_secret().trim();
        let (scheme, rest) = given.split_once(' ').unwrap_or((given, ""));
        let is = |name: &str| scheme.eq_ignore_ascii_case(name);
        if is("NTLM") || is("Negotiate") || is("Kerberos") {
            return Err(invalid(&format!(
                "{scheme} binds a connection between two parties and cannot be handed on."
            )));
        }
        if !(is("Bearer") || is("Basic")) || rest.trim().is_empty() {
            return Err(invalid(
                "PassThrough hands on Bearer and Basic credentials only.",
            ));
        }
        Ok(Self {
            credential: secret_header(given)?,
            is_bearer: is("Bearer"),
            guard: PasswordGuard::default(),
        })
    }
}

#[async_trait]
impl Authenticator for PassThrough {
    async fn send(&self, mut request: Request, sender: Sender<'_>) -> SendResult {
        let _alone = self.guard.acquire(sender.limits.time).await?;
        request
            .headers_mut()
            .insert(AUTHORIZATION, self.credential.clone());
        let response = sender.send(request).await?;
        if is_refused(&response) {
            let handed_on = "They were handed on as the caller brought them.";
            return Err(self.guard.reject(handed_on).into());
        }
        if !SiteResponse::from_http(&response).is_throttled() {
            self.guard.mark_accepted();
        }
        Ok(response)
    }

    fn needs_digest(&self) -> bool {
        !self.is_bearer
    }

    fn is_refused(&self) -> bool {
        self.guard.is_refused()
    }
}

/// Whom the caller's credential names; `None` for one that only the site can read.
pub(super) fn account(options: &SiteOptions) -> Option<Account> {
    let given = options.pass_through.as_ref()?.expose_secret().trim();
    let (scheme, rest) = given.split_once(' ')?;
    let pair = STANDARD.decode(rest.trim()).ok()?;
    let pair = SecretString::from(String::from_utf8(pair).ok()?);
    let (name, _) = pair.expose_secret().split_once(':')?;
    scheme
        .eq_ignore_ascii_case("Basic")
        .then(|| Account::windows(name, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(credential: Option<&str>) -> Result<PassThrough> {
        PassThrough::new(&SiteOptions {
            pass_through: credential.map(Into::into),
            ..SiteOptions::default()
        })
    }

    #[test]
    fn bearer_and_basic_are_handed_on_and_never_shown() {
        let bearer = taken(Some("Bearer abc.def")).expect("a token");
        assert!(bearer.credential.is_sensitive() && !bearer.needs_digest());
        assert!(
            taken(Some("basic YTpi"))
                .expect("a password")
                .needs_digest()
        );
    }

    #[test]
    fn what_binds_a_connection_is_refused_with_the_reason() {
        let error = taken(Some("Negotiate YII=")).err().expect("refused");
        assert!(error.to_string().contains("cannot be handed on"), "{error}");
        for credential in [
            None,
            Some("Bearer"),
            Some("Bearer "),
            Some("Digest x=y"),
            Some(""),
            Some("Bearer a\nb"),
        ] {
            assert!(taken(credential).is_err(), "{credential:?}");
        }
    }
}
