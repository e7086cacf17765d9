//! The OpenID Connect identity provider: access tokens as credentials, and browser sign-in.
//!
//! `provider` discovers endpoints and keys, `token` verifies signatures and claims, `code_flow` is
//! the browser sign-in, `roles` maps groups to roles, `registration` finds the person. Invariant:
//! issuer and subject alone identify a person; their roles are registered here, by hand or by
//! groups.

pub mod code_flow;
mod provider;
mod registration;
pub mod roles;
mod token;

use std::sync::Arc;

use checklist_shared::time::Timestamp;

use super::error::AuthError;
use super::principal::{Credential, Principal};
use super::session;
use super::trust_cache::TrustCache;

use checklist_egress::Egress;
use provider::Provider;
use roles::RoleMapping;

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
    /// The claim that identifies a person: `sub`, unless the operator chooses another one that never
    /// changes and is never given to somebody else.
    pub subject_claim: String,
    /// Scopes that a sign-in asks for beside `openid` and `profile`.
    pub sign_in_scopes: Vec<String>,
    /// How groups give roles; roles are assigned by hand without it.
    pub roles: Option<RoleMapping>,
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

    /// The issuer, and the audience of its access tokens; `None` where none are taken.
    #[must_use]
    pub fn access_tokens(&self) -> Option<(&str, &str)> {
        let audience = self.settings.audience.as_deref()?;
        Some((&self.settings.issuer, audience))
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
        let subject = &self.settings.subject_claim;
        let claims = token::access(token, &self.provider, audience, scope, subject, now).await?;
        let (issued_at, expires_at) = (claims.issued_at(), claims.expires_at());
        let user = self.person_of_token(&claims, trusted).await?;
        trusted.of(&user.tenant).await?.lets_in(Some(issued_at))?;
        session::is_after_epoch(&user, issued_at)?;
        let mut principal = session::person(&user)?;
        principal.expires_at = Some(expires_at);
        principal.credential = Credential::IdentityToken {
            subject: user.subject,
            issued_at,
        };
        Ok(match claims.acting_party() {
            Some(party) => party.takes_over(principal),
            None => principal,
        })
    }
}
