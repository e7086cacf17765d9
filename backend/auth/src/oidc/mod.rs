//! The OpenID Connect identity provider: access tokens as credentials, and browser sign-in.
//!
//! `provider` discovers endpoints and keys, `token` verifies signatures and claims, `code_flow` is
//! the browser sign-in. Invariant: issuer and subject alone identify a person, never an e-mail
//! address; their permissions are registered here.

pub mod code_flow;
mod provider;
mod token;

use std::sync::Arc;

use checklist_shared::time::Timestamp;

use super::error::AuthError;
use super::principal::{Credential, Principal};
use super::session;
use super::trust_cache::TrustCache;

use checklist_egress::Egress;
use checklist_store::directory::UserRecord;
use provider::Provider;

/// The configuration of the provider.
#[derive(Clone)]
pub struct OidcSettings {
    /// The issuer that its tokens name (`iss`).
    pub issuer: String,
    /// The audience of access tokens for this server (`aud`). Access tokens are rejected without
    /// it.
    pub audience: Option<String>,
    /// The scope that an access token needs, if any.
    pub scope: Option<String>,
    /// The client registration of this server. Browser sign-in is disabled without it.
    pub client: Option<Client>,
}

/// The registration of this server at the provider.
#[derive(Clone)]
pub struct Client {
    /// The client id.
    pub id: String,
    /// The client secret; `None` for a public client, which PKCE protects.
    pub secret: Option<String>,
}

/// The identity provider.
pub struct Oidc {
    settings: OidcSettings,
    provider: Provider,
}

impl Oidc {
    /// Creates the provider. The first sign-in sends the first request.
    #[must_use]
    pub fn new(settings: OidcSettings, egress: Arc<Egress>) -> Self {
        Self {
            provider: Provider::new(settings.issuer.clone(), egress),
            settings,
        }
    }

    /// Whether this is the issuer of the provider.
    #[must_use]
    pub fn is_issuer(&self, issuer: &str) -> bool {
        self.settings.issuer == issuer
    }

    /// Whether browser sign-in is configured.
    #[must_use]
    pub const fn has_client(&self) -> bool {
        self.settings.client.is_some()
    }

    /// Loads the endpoints and keys of the provider.
    ///
    /// # Errors
    /// `Busy` if it does not respond, or not as a provider does.
    pub async fn discover(&self) -> Result<(), AuthError> {
        self.provider.metadata().await.map(drop)
    }

    /// Authenticates an access token.
    ///
    /// # Errors
    /// `TokenExpired`, `Busy` if the provider's keys cannot be loaded, else `Unauthenticated`.
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

    /// Looks up a person by subject, in `tenant` if given.
    ///
    /// # Errors
    /// `Unauthenticated` if no such person is registered and enabled.
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
        // The first registration wins: a later one in another tenant cannot capture a person.
        found
            .iter()
            .find(|user| !user.disabled && tenant.is_none_or(|tenant| user.tenant == tenant))
            .cloned()
            .ok_or_else(|| AuthError::invalid("This person is not registered here."))
    }
}
