//! One identity provider (OpenID Connect): its tokens as credentials, and signing in with a
//! browser.
//!
//! `provider` finds the provider's addresses and keys, `token` verifies what it has signed,
//! `code_flow` is the way of a browser. Who somebody is follows from issuer and subject alone,
//! never from an e-mail address; what they may do is registered here.

mod code_flow;
mod provider;
mod token;

use std::sync::Arc;

use checklist_shared::time::Timestamp;

use super::principal::{Credential, Principal};
use super::trust_cache::TrustCache;
use super::{AuthError, session};
use crate::egress::Egress;
use crate::storage::directory::UserRecord;

pub use code_flow::{AuthorizationResponse, SignInError, SignInRedirect};
use provider::Provider;

/// What the server is told of the provider.
#[derive(Clone)]
pub struct OidcSettings {
    /// Its identifier, as its tokens name it (`iss`).
    pub issuer: String,
    /// What access tokens for this server name (`aud`); none are taken without.
    pub audience: Option<String>,
    /// What the scope of an access token has to name; nothing without.
    pub scope: Option<String>,
    /// Who this server is there; nobody signs in with a browser without.
    pub client: Option<Client>,
}

/// Who this server is to the provider.
#[derive(Clone)]
pub struct Client {
    /// The client id.
    pub id: String,
    /// The secret; none for a public client, which PKCE protects.
    pub secret: Option<String>,
}

/// The provider.
pub struct Oidc {
    settings: OidcSettings,
    provider: Provider,
}

impl Oidc {
    /// Nothing is asked before somebody signs in.
    #[must_use]
    pub fn new(settings: OidcSettings, egress: Arc<Egress>) -> Self {
        Self {
            provider: Provider::new(settings.issuer.clone(), egress),
            settings,
        }
    }

    /// Whether a token says that this provider has issued it.
    #[must_use]
    pub fn is_issuer(&self, issuer: &str) -> bool {
        self.settings.issuer == issuer
    }

    /// Whether a browser can sign in.
    #[must_use]
    pub const fn has_client(&self) -> bool {
        self.settings.client.is_some()
    }

    /// The caller behind an access token.
    ///
    /// # Errors
    /// `TokenExpired`, `Busy` when the provider's keys cannot be had, else `Unauthenticated`.
    pub async fn admit(
        &self,
        token: &str,
        trusted: &TrustCache,
        now: Timestamp,
    ) -> Result<Principal, AuthError> {
        let Some(audience) = &self.settings.audience else {
            return Err(AuthError::invalid(
                "Tokens of the identity provider are not taken here.",
            ));
        };
        let scope = self.settings.scope.as_deref();
        let claims = token::access(token, &self.provider, audience, scope, now).await?;
        let (issued_at, expires_at) = (claims.issued_at(), claims.expires_at());
        let mut principal = self.person(&claims.sub, None, issued_at, trusted).await?;
        principal.expires_at = Some(expires_at);
        principal.credential = Credential::IdentityToken {
            subject: claims.sub,
            issued_at,
        };
        Ok(principal)
    }

    /// The person with that subject as registered now, in `tenant` where that was asked for.
    ///
    /// # Errors
    /// `Unauthenticated` when nobody of that name is let in.
    pub async fn person(
        &self,
        subject: &str,
        tenant: Option<&str>,
        issued_at: Timestamp,
        trusted: &TrustCache,
    ) -> Result<Principal, AuthError> {
        let user = self.is_registered(subject, tenant, trusted).await?;
        trusted.of(&user.tenant).await?.lets_in(Some(issued_at))?;
        session::is_after_epoch(&user, issued_at)?;
        session::person(&user)
    }

    async fn is_registered(
        &self,
        subject: &str,
        tenant: Option<&str>,
        trusted: &TrustCache,
    ) -> Result<UserRecord, AuthError> {
        let found = trusted
            .registrations(&self.settings.issuer, subject)
            .await?;
        // The first registration counts: a later one elsewhere draws nobody away.
        found
            .iter()
            .find(|user| !user.disabled && tenant.is_none_or(|tenant| user.tenant == tenant))
            .cloned()
            .ok_or_else(|| AuthError::invalid("This person is not registered here."))
    }
}
